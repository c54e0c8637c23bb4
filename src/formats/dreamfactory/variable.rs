//! A script variable as a value: what it takes, and how its type follows. dreamfactory.md 10.4.

use super::globals::{BOOLEAN, NUMBER, STRING, set_plain, text};
use super::pool::{self, Pool};
use super::records::{ALPHABET, Element, VARIABLE_TYPE};
use super::save::Handle;
use crate::tree::build::line;
use crate::tree::kind::{Kind, Legal, encode_text, parse_integer};
use crate::tree::record::Rec;
use crate::tree::{About, Access, Draft, Errno, Leaf, Refusal, Span};
use std::borrow::Cow;

/// A value of one of the three types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Boolean(bool),
    Number(i32),
    Text(Vec<u8>),
}

const NUMBERS: Kind = Kind::Int {
    width: 4,
    signed: true,
};
const STRING_LEGAL: &str = "0..255 printable ASCII characters";
const LONGEST: usize = 255;

impl Value {
    /// The value that a text given for a new variable means: a decimal number, `true` or `false`, else a string.
    pub fn guess(whole: &[u8]) -> Result<Value, Refusal> {
        let line = whole.strip_suffix(b"\n").unwrap_or(whole);
        let word = std::str::from_utf8(line).unwrap_or_default();
        if let Ok(number) = word.trim().parse() {
            return Ok(Value::Number(number));
        }
        match word {
            "true" => Ok(Value::Boolean(true)),
            "false" => Ok(Value::Boolean(false)),
            _ => Self::text(whole, None),
        }
    }

    fn boolean_or_number(whole: &[u8]) -> Result<Value, Refusal> {
        let legal = "true, false, 1, 0; another whole number makes it a number";
        let word = std::str::from_utf8(whole).unwrap_or_default().trim();
        match word.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(Value::Boolean(true)),
            "false" | "0" => Ok(Value::Boolean(false)),
            word => {
                let number = parse_integer(word)
                    .ok()
                    .and_then(|number| i32::try_from(number).ok());
                number
                    .map(Value::Number)
                    .ok_or_else(|| Refusal::invalid("neither true nor false").legal(legal))
            }
        }
    }

    fn number(whole: &[u8], old: &[u8]) -> Result<Value, Refusal> {
        let bytes = NUMBERS.parse(whole, &Legal::Any, old)?;
        let value = <i32 as crate::tree::record::FieldType>::value(&bytes);
        Ok(Value::Number(value))
    }

    /// A text of at most 255 printable characters, or exactly the one that is there.
    fn text(whole: &[u8], old: Option<&[u8]>) -> Result<Value, Refusal> {
        let line = whole.strip_suffix(b"\n").unwrap_or(whole);
        let bytes =
            encode_text(line, ALPHABET.page).map_err(|refusal| refusal.legal(STRING_LEGAL))?;
        if bytes.len() > LONGEST {
            let why = format!(
                "{} characters are too long, a string holds {LONGEST}",
                bytes.len()
            );
            return Err(Refusal::new(Errno::TooLong, why).legal(STRING_LEGAL));
        }
        if old != Some(bytes.as_slice()) {
            ALPHABET
                .check(&bytes)
                .map_err(|refusal| refusal.legal(STRING_LEGAL))?;
        }
        Ok(Value::Text(bytes))
    }
}

/// One variable.
pub struct Variable {
    pub save: Handle,
    pub index: usize,
}

impl Variable {
    fn rec(&self) -> Rec {
        self.save.map.element(self.index)
    }
    fn kind(&self) -> u16 {
        self.save.get(self.rec(), Element::r#type)
    }
    fn number_bytes(&self) -> &[u8] {
        self.rec().bytes(self.save.bytes(), Element::value.field())
    }
    fn old_text(&self) -> Option<(&[u8], std::ops::Range<usize>)> {
        let is_string = self.kind() == STRING;
        is_string.then(|| pool::text(&self.save, self.save.get(self.rec(), Element::value)))?
    }
    fn parse(&self, whole: &[u8]) -> Result<Value, Refusal> {
        match self.kind() {
            STRING => Value::text(whole, self.old_text().map(|(text, _)| text)),
            BOOLEAN => Value::boolean_or_number(whole),
            _ => Value::number(whole, self.number_bytes()),
        }
    }
    /// Puts a value of any type in the place of the one there.
    fn put(&self, value: &Value, draft: &mut Draft) -> Result<(), Refusal> {
        let was_string = self.kind() == STRING;
        let pool = Pool::of(&self.save, draft, None);
        if let Value::Text(text) = value {
            return pool.store(&self.save, self.index, was_string, text, draft);
        }
        if was_string {
            pool.release(self.index, draft)?;
        }
        match value {
            Value::Boolean(value) => set_plain(draft, self.rec(), BOOLEAN, i32::from(*value)),
            Value::Number(value) => set_plain(draft, self.rec(), NUMBER, *value),
            Value::Text(_) => {}
        }
        Ok(())
    }
}

impl Leaf for Variable {
    fn about(&self) -> About {
        let kind = self.kind();
        let name = VARIABLE_TYPE.name_of(kind.into()).unwrap_or("unknown");
        let legal = match kind {
            STRING => STRING_LEGAL.to_owned(),
            BOOLEAN => "true, false".to_owned(),
            _ => NUMBERS.legal_words(&Legal::Any),
        };
        let about = About::of(name, "a variable of the game's scripts");
        if kind == BOOLEAN {
            about.values(legal)
        } else {
            about.range(legal)
        }
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        let mut spans = vec![Span::new(self.rec().at, 6)];
        if let Some((_, place)) = self.old_text() {
            spans.push(Span::new(place.start, place.len()));
        }
        spans
    }
    fn read(&self) -> Cow<'_, [u8]> {
        line(text(&self.save, self.rec()).into_bytes().into())
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        match self.kind() {
            STRING => {
                let whole = match std::str::from_utf8(so_far) {
                    Err(cut) if cut.error_len().is_none() => {
                        so_far.get(..cut.valid_up_to()).unwrap_or_default()
                    }
                    _ => so_far,
                };
                let line = whole.strip_suffix(b"\n").unwrap_or(whole);
                let old = self.old_text().map(|(text, _)| ALPHABET.page.decode(text));
                match old {
                    Some(old) if old.as_bytes().starts_with(line) => Ok(()),
                    _ => Value::text(whole, None).map(drop),
                }
            }
            BOOLEAN => {
                let words = Kind::Bool.feasible(so_far, &Legal::Any, &[]);
                words.or_else(|_| NUMBERS.feasible(so_far, &Legal::Any, &[]))
            }
            _ => NUMBERS.feasible(so_far, &Legal::Any, self.number_bytes()),
        }
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        self.put(&self.parse(whole)?, draft)
    }
    /// The value is kept as far as the other type can hold it; an empty string becomes 0 or false.
    fn retype(&self, to: &str, draft: &mut Draft) -> Result<(), Refusal> {
        let now = text(&self.save, self.rec());
        let kind = VARIABLE_TYPE
            .index_of(to)
            .ok_or_else(|| Refusal::invalid("no such type").legal(VARIABLE_TYPE.words()))?;
        if i64::from(self.kind()) == kind {
            return Ok(());
        }
        let whole = if now.is_empty() { "0" } else { now.as_str() };
        let cannot = || {
            Refusal::invalid(format!(
                "the value {now:?} cannot become a {to}: write another first"
            ))
        };
        let value = match u16::try_from(kind) {
            Ok(STRING) => Value::text(now.as_bytes(), None)?,
            Ok(BOOLEAN) => match Value::boolean_or_number(whole.as_bytes())? {
                Value::Boolean(value) => Value::Boolean(value),
                _ => return Err(cannot()),
            },
            _ => match Value::boolean_or_number(whole.as_bytes()).map_err(|_| cannot())? {
                Value::Boolean(value) => Value::Number(i32::from(value)),
                number => number,
            },
        };
        self.put(&value, draft)
    }
}
