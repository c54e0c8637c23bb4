//! What the bytes of a field mean, and the text that stands for them.

use super::notation::Notation;
use super::refusal::{Errno, Refusal};
use super::table::Names;
use crate::codec::codepage::CodePage;
use crate::codec::float;
use std::borrow::Cow;

pub use super::scalar::{bounds, integer, pack, parse_integer};
use super::scalar::{
    float_begins, float_value, float_value_32, number_begins, parse_float, unsigned,
};

/// How the bytes of a field are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Little-endian integer of 1, 2, 4 or 8 bytes, in decimal.
    Int { width: u8, signed: bool },
    /// The same, one after the other, separated by blanks.
    Ints { width: u8, signed: bool, count: u8 },
    /// One byte, `true` or `false`; any other value as it was found.
    Bool,
    /// Little-endian IEEE float of 4 or 8 bytes.
    Float { width: u8 },
    /// One length byte, then characters, in a field of `size` bytes.
    Pascal { size: u16, alphabet: Alphabet },
    /// Characters up to a NUL, in a field of `size` bytes.
    Terminated { size: u16, alphabet: Alphabet },
    /// A number that means something to the game's memory only, in hexadecimal.
    Hex { width: u8 },
    /// Bytes as they are.
    Bytes { size: u16 },
    /// A value in its format's own notation.
    Own(&'static Notation),
}

/// The characters of a game's text fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alphabet {
    pub page: CodePage,
    /// Bytes from blank up to this one may be written, DEL excepted. Others are shown and kept.
    pub highest: u8,
    /// Whether control characters may be written all the same, NUL excepted.
    pub controls: bool,
}

impl Alphabet {
    /// Which characters may be written.
    pub fn words(self) -> String {
        match self.highest {
            ..=0x7E => "printable ASCII".to_owned(),
            _ => self.page.to_string(),
        }
    }

    /// Refuses bytes that no edit may bring into a text.
    pub fn check(self, bytes: &[u8]) -> Result<(), Refusal> {
        let is_control = |b: u8| b != 0 && b.is_ascii_control();
        let creatable = |b: u8| match is_control(b) {
            true => self.controls,
            false => (b' '..=self.highest).contains(&b),
        };
        match bytes.iter().find(|b| !creatable(**b)) {
            None => Ok(()),
            Some(bad) => {
                let why = format!(
                    "the game's text cannot hold the character {:?}",
                    self.page.decode(&[*bad])
                );
                Err(Refusal::new(Errno::Unencodable, why))
            }
        }
    }
}

/// Which values a field may be given.
#[derive(Clone, Copy, Debug)]
pub enum Legal {
    /// Whatever the kind can hold.
    Any,
    /// From and to, both included.
    Range(i128, i128),
    /// A text that is not empty.
    Nonempty,
    /// A value of a table, by its name or its number.
    Names(&'static Names),
    /// A number that a table has a row for.
    Listed(&'static Names),
    /// A set of bits of a table, by their names.
    Bits(&'static Names),
    /// A finite float from and to, both included.
    Floats(f64, f64),
}

impl Legal {
    pub const fn range(range: std::ops::RangeInclusive<i128>) -> Legal {
        Legal::Range(*range.start(), *range.end())
    }
}

impl Kind {
    /// Bytes that a field of this kind takes.
    pub const fn size(self) -> usize {
        match self {
            Kind::Int { width, .. } | Kind::Float { width } | Kind::Hex { width } => width as usize,
            Kind::Ints { width, count, .. } => width as usize * count as usize,
            Kind::Bool => 1,
            Kind::Pascal { size, .. } | Kind::Terminated { size, .. } | Kind::Bytes { size } => {
                size as usize
            }
            Kind::Own(notation) => notation.size,
        }
    }

    /// The same bytes as a number that no user edits.
    pub const fn as_hex(self) -> Kind {
        match self {
            Kind::Int { width, .. } => Kind::Hex { width },
            other => other,
        }
    }

    /// The same text with control characters in its alphabet.
    pub const fn with_controls(self) -> Kind {
        match self {
            Kind::Pascal { size, mut alphabet } => {
                alphabet.controls = true;
                Kind::Pascal { size, alphabet }
            }
            Kind::Terminated { size, mut alphabet } => {
                alphabet.controls = true;
                Kind::Terminated { size, alphabet }
            }
            other => other,
        }
    }

    /// Whether a node of this kind is bytes and no text line.
    pub const fn is_binary(self) -> bool {
        matches!(self, Kind::Bytes { .. })
    }

    /// A word for `user.savefs.type`.
    pub fn type_name(self, legal: &Legal) -> Cow<'static, str> {
        let sign = |signed| if signed { "i" } else { "u" };
        match (self, legal) {
            (_, Legal::Names(_)) => "name".into(),
            (_, Legal::Bits(_)) => "set".into(),
            (Kind::Int { width, signed }, _) => format!("{}{}", sign(signed), width * 8).into(),
            (
                Kind::Ints {
                    width,
                    signed,
                    count,
                },
                _,
            ) => format!("{}{} x {count}", sign(signed), width * 8).into(),
            (Kind::Bool, _) => "boolean".into(),
            (Kind::Float { width }, _) => format!("f{}", width * 8).into(),
            (Kind::Pascal { .. } | Kind::Terminated { .. }, _) => "string".into(),
            (Kind::Hex { .. }, _) => "pointer".into(),
            (Kind::Bytes { .. }, _) => "bytes".into(),
            (Kind::Own(notation), _) => notation.type_name.into(),
        }
    }

    /// What may be written, in words.
    pub fn legal_words(self, legal: &Legal) -> String {
        match (self, legal) {
            (_, Legal::Range(low, high)) => format!("{low}..{high}"),
            (_, Legal::Listed(table)) => table.ranges(),
            (_, Legal::Floats(low, high)) => format!("{low}..{high}"),
            (_, Legal::Names(names)) => names.words(),
            (_, Legal::Bits(names)) => format!("none or {} joined by ,", names.bit_words()),
            (Kind::Int { width, signed } | Kind::Ints { width, signed, .. }, _) => {
                let (low, high) = bounds(width, signed);
                format!("{low}..{high}")
            }
            (Kind::Bool, _) => "true, false".into(),
            (Kind::Float { .. }, _) => "a number".into(),
            (Kind::Pascal { size, alphabet } | Kind::Terminated { size, alphabet }, _) => {
                let low = u16::from(matches!(legal, Legal::Nonempty));
                let room = self.room(size);
                format!("{low}..{room} {} characters", alphabet.words())
            }
            (Kind::Hex { .. }, _) => "read-only".into(),
            (Kind::Bytes { size }, _) => format!("{size} bytes"),
            (Kind::Own(notation), _) => notation.legal.into(),
        }
    }

    /// Characters that fit a text field: all but the length byte or the terminator.
    fn room(self, size: u16) -> usize {
        let room = usize::from(size).saturating_sub(1);
        match self {
            Kind::Pascal { .. } => room.min(255),
            _ => room,
        }
    }

    /// The value as a user reads it, without the final newline. `bytes` is the whole field; what a
    /// damaged field lacks reads as empty or 0.
    pub fn show<'a>(self, bytes: &'a [u8], legal: &Legal) -> Cow<'a, [u8]> {
        match self {
            Kind::Int { width, signed } => {
                let value = integer(bytes, width, signed);
                match legal {
                    Legal::Names(names) => names.show(value),
                    Legal::Bits(names) => names.show_set(unsigned(bytes, width), width),
                    _ => value.to_string(),
                }
                .into_bytes()
                .into()
            }
            Kind::Ints { width, signed, .. } => bytes
                .chunks(usize::from(width.max(1)))
                .map(|one| integer(one, width, signed).to_string())
                .collect::<Vec<_>>()
                .join(" ")
                .into_bytes()
                .into(),
            Kind::Bool => match bytes.first() {
                Some(0) => b"false".as_slice().into(),
                Some(1) => b"true".as_slice().into(),
                other => other
                    .map_or_else(String::new, u8::to_string)
                    .into_bytes()
                    .into(),
            },
            Kind::Float { width: 4 } => float::f32_to_text(float_value_32(bytes))
                .into_bytes()
                .into(),
            Kind::Float { .. } => float::f64_to_text(f64::from_bits(unsigned(bytes, 8)))
                .into_bytes()
                .into(),
            Kind::Pascal { alphabet, .. } => {
                alphabet.page.decode(pascal(bytes)).into_bytes().into()
            }
            Kind::Terminated { alphabet, .. } => {
                alphabet.page.decode(terminated(bytes)).into_bytes().into()
            }
            Kind::Hex { width } => {
                let digits = usize::from(width) * 2;
                format!("0x{:0digits$x}", unsigned(bytes, width))
                    .into_bytes()
                    .into()
            }
            Kind::Bytes { .. } => bytes.into(),
            Kind::Own(notation) => (notation.show)(bytes).into_bytes().into(),
        }
    }

    /// The bytes that `text`, one value as a user gives it, puts at the start of the field. Text kinds
    /// leave the rest of the field as it is. `old` is the field now: what it holds is always legal.
    pub fn parse(self, text: &[u8], legal: &Legal, old: &[u8]) -> Result<Vec<u8>, Refusal> {
        let refuse = |why: String| Refusal::invalid(why).legal(self.legal_words(legal));
        match self {
            Kind::Int { width, signed } => {
                let word = trimmed(text).map_err(refuse)?;
                let value = match legal {
                    Legal::Names(names) => names.parse(word).map_err(refuse)?,
                    Legal::Bits(names) => names.parse_set(word, width).map_err(refuse)?,
                    _ => parse_integer(word).map_err(refuse)?,
                };
                let is_set = matches!(legal, Legal::Bits(_));
                let bytes = pack(value, width, signed)
                    .or_else(|| pack(value, width, false).filter(|_| is_set))
                    .ok_or_else(|| refuse("out of range".into()))?;
                if Some(bytes.as_slice()) == old.get(..bytes.len()) {
                    return Ok(bytes);
                }
                check_number(value, legal).map_err(refuse)?;
                Ok(bytes)
            }
            Kind::Ints {
                width,
                signed,
                count,
            } => {
                let words = trimmed(text).map_err(refuse)?;
                let mut bytes = Vec::with_capacity(self.size());
                for word in words.split_whitespace() {
                    let value = parse_integer(word).map_err(refuse)?;
                    check_number(value, legal).map_err(refuse)?;
                    bytes.extend(
                        pack(value, width, signed)
                            .ok_or_else(|| refuse(format!("{word} does not fit")))?,
                    );
                }
                if bytes.len() == self.size() {
                    Ok(bytes)
                } else {
                    Err(refuse(format!("{count} numbers are needed")))
                }
            }
            Kind::Bool => match trimmed(text).map_err(refuse)?.to_ascii_lowercase().as_str() {
                "true" | "1" => Ok(vec![1]),
                "false" | "0" => Ok(vec![0]),
                word if parse_integer(word).ok() == old.first().map(|b| i128::from(*b)) => {
                    Ok(old.get(..1).unwrap_or_default().to_vec())
                }
                _ => Err(refuse("neither true nor false".into())),
            },
            Kind::Float { width } => {
                let word = trimmed(text).map_err(refuse)?;
                let bytes =
                    parse_float(word, width).ok_or_else(|| refuse("not a number".into()))?;
                let Legal::Floats(low, high) = *legal else {
                    return Ok(bytes);
                };
                let value = float_value(&bytes);
                if bytes == old || (value.is_finite() && (low..=high).contains(&value)) {
                    Ok(bytes)
                } else {
                    Err(refuse("out of range".into()))
                }
            }
            Kind::Pascal { size, alphabet } | Kind::Terminated { size, alphabet } => {
                let line = text.strip_suffix(b"\n").unwrap_or(text);
                let bytes = encode_text(line, alphabet.page)
                    .map_err(|refusal| refusal.legal(self.legal_words(legal)))?;
                if bytes == self.characters(old) {
                    return Ok(old.to_vec());
                }
                self.check_text(&bytes, size, alphabet, legal)?;
                Ok(match self {
                    Kind::Pascal { .. } => {
                        let length = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
                        std::iter::once(length).chain(bytes).collect()
                    }
                    _ => bytes.into_iter().chain(std::iter::once(0)).collect(),
                })
            }
            Kind::Hex { .. } => Err(Refusal::not_permitted(
                "a handle or an address, which is the game's own",
            )),
            Kind::Bytes { size } if text.len() == usize::from(size) => Ok(text.to_vec()),
            Kind::Bytes { size } => {
                Err(refuse(format!("{} bytes given, {size} needed", text.len())))
            }
            Kind::Own(notation) => notation
                .read(trimmed(text).map_err(refuse)?, old)
                .map_err(refuse),
        }
    }

    /// The characters that a text field holds.
    fn characters(self, bytes: &[u8]) -> &[u8] {
        match self {
            Kind::Pascal { .. } => pascal(bytes),
            _ => terminated(bytes),
        }
    }

    fn check_text(
        self,
        bytes: &[u8],
        size: u16,
        alphabet: Alphabet,
        legal: &Legal,
    ) -> Result<(), Refusal> {
        let room = self.room(size);
        let words = || self.legal_words(legal);
        if bytes.len() > room {
            let why = format!(
                "{} characters are too long, the field holds {room}",
                bytes.len()
            );
            return Err(Refusal::new(Errno::TooLong, why).legal(words()));
        }
        if bytes.is_empty() && matches!(legal, Legal::Nonempty) {
            return Err(Refusal::invalid("may not be empty").legal(words()));
        }
        alphabet.check(bytes).map_err(|r| r.legal(words()))
    }

    /// Whether more bytes after `so_far` can still make a legal value. Never refuses what
    /// [`Kind::parse`] would take.
    pub fn feasible(self, so_far: &[u8], legal: &Legal, old: &[u8]) -> Result<(), Refusal> {
        if self.show(old, legal).starts_with(so_far) {
            return Ok(());
        }
        let text = match std::str::from_utf8(so_far) {
            Ok(text) => text,
            Err(cut) if cut.error_len().is_none() && !self.is_binary() => {
                let whole = so_far.get(..cut.valid_up_to()).unwrap_or_default();
                return self.feasible(whole, legal, old);
            }
            Err(_) => return self.parse(so_far, legal, old).map(drop),
        };
        match self {
            Kind::Bytes { size } if so_far.len() <= usize::from(size) => Ok(()),
            Kind::Pascal { .. } | Kind::Terminated { .. } => {
                let line = text.strip_suffix('\n').unwrap_or(text);
                if line.is_empty() {
                    Ok(())
                } else {
                    self.parse(line.as_bytes(), legal, old).map(drop)
                }
            }
            _ => {
                let word = text.trim_start();
                let complete = word.ends_with(|c: char| c.is_whitespace());
                if word.is_empty() || (!complete && self.may_grow(word, legal)) {
                    return Ok(());
                }
                match self {
                    Kind::Ints { count, .. }
                        if word.split_whitespace().count() < usize::from(count) =>
                    {
                        Ok(())
                    }
                    _ => self.parse(so_far, legal, old).map(drop),
                }
            }
        }
    }

    /// Whether `word`, not yet ended by white space, is the beginning of a legal value.
    fn may_grow(self, word: &str, legal: &Legal) -> bool {
        match (self, legal) {
            (Kind::Int { .. }, Legal::Names(names)) => {
                names.begins(word) || number_begins(word, i128::MIN, i128::MAX)
            }
            (Kind::Int { .. }, Legal::Bits(_)) => word.len() < 4096,
            (Kind::Int { width, signed }, _) => {
                let (low, high) = match legal {
                    Legal::Range(low, high) => (*low, *high),
                    Legal::Listed(table) => (table.low.into(), table.high.into()),
                    _ => bounds(width, signed),
                };
                number_begins(word, low, high)
            }
            (Kind::Bool, _) => ["true", "false", "0", "1"]
                .iter()
                .any(|w| w.starts_with(&word.to_ascii_lowercase())),
            (Kind::Float { .. }, _) => float_begins(word),
            (Kind::Own(notation), _) => (notation.begins)(word),
            (Kind::Ints { .. }, _) => word
                .split_whitespace()
                .all(|w| number_begins(w, i128::MIN, i128::MAX)),
            _ => false,
        }
    }
}

/// The characters of a Pascal field; a length past the field is cut.
pub fn pascal(bytes: &[u8]) -> &[u8] {
    let Some((length, rest)) = bytes.split_first() else {
        return &[];
    };
    rest.get(..usize::from(*length)).unwrap_or(rest)
}

/// The bytes before the first NUL.
pub fn terminated(bytes: &[u8]) -> &[u8] {
    bytes.split(|b| *b == 0).next().unwrap_or_default()
}

/// Text in a code page, or the refusal that names the character.
pub fn encode_text(line: &[u8], page: CodePage) -> Result<Vec<u8>, Refusal> {
    let text = std::str::from_utf8(line)
        .map_err(|_| Refusal::new(Errno::Unencodable, "not UTF-8 text"))?;
    page.encode(text).map_err(|e| {
        Refusal::new(
            Errno::Unencodable,
            format!(
                "the game's text cannot hold the character {:?}",
                e.character
            ),
        )
        .legal(format!("{page} characters"))
    })
}

fn trimmed(text: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(text)
        .map(str::trim)
        .map_err(|_| "not text".to_owned())
}

fn check_number(value: i128, legal: &Legal) -> Result<(), String> {
    match legal {
        Legal::Range(low, high) if !(*low..=*high).contains(&value) => Err("out of range".into()),
        Legal::Listed(table) if !table.lists(value) => Err("out of range".into()),
        Legal::Names(names) if !names.allows(value) => Err("out of range".into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
