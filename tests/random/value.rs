//! What a node takes and how it shows it: DESIGN.md 2.1.

use libc::{EILSEQ, EINVAL, ENAMETOOLONG};

/// What is legal for a node.
#[derive(Clone, Copy, Debug)]
pub enum Legal {
    Number(i64, i64),
    /// Letters, at least and at most so many.
    Word(usize, usize),
    /// One of these, by name in any case or by number.
    Named(&'static [&'static str]),
    /// Derived: what it holds is no edit, anything else EPERM.
    Fixed,
}

/// What has to become of a write that may be a beginning only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Taken,
    Refused,
    Either,
}

impl Legal {
    /// The text that a node shows after these bytes were written to it, or the codes that refuse them.
    pub fn parse(self, shown: &str, bytes: &[u8]) -> Result<String, &'static [i32]> {
        let text = std::str::from_utf8(bytes).map_err(|_| &[EILSEQ, EINVAL][..])?;
        match self {
            Legal::Number(low, high) => {
                let number = number(text.trim()).ok_or(&[EINVAL][..])?;
                let legal = (low..=high).contains(&number);
                legal.then(|| format!("{number}\n")).ok_or(&[EINVAL])
            }
            Legal::Word(least, most) => {
                let word = text.strip_suffix('\n').unwrap_or(text);
                if !word.is_ascii() {
                    return Err(&[EILSEQ]);
                }
                if word.len() > most {
                    return Err(&[EINVAL, ENAMETOOLONG]);
                }
                let legal = word.len() >= least && word.bytes().all(|b| (32..127).contains(&b));
                legal.then(|| format!("{word}\n")).ok_or(&[EINVAL, EILSEQ])
            }
            Legal::Named(names) => {
                let name = text.trim();
                let found = names.iter().enumerate().find(|(at, n)| {
                    n.eq_ignore_ascii_case(name) || number(name) == Some(*at as i64)
                });
                let found = found.map(|(_, n)| n);
                found.map(|n| format!("{n}\n")).ok_or(&[EINVAL])
            }
            Legal::Fixed => {
                let same = text.trim() == shown.trim();
                same.then(|| shown.to_owned()).ok_or(&[libc::EPERM])
            }
        }
    }

    /// What a write has to say when these are all bytes so far, written one after the other.
    pub fn verdict(self, shown: &str, so_far: &[u8]) -> Verdict {
        if self.parse(shown, so_far).is_ok() {
            return Verdict::Taken;
        }
        if so_far.ends_with(b"\n") {
            return Verdict::Refused;
        }
        match self {
            Legal::Number(_, high) => {
                let text = String::from_utf8_lossy(so_far);
                let above = number(text.trim()).is_some_and(|n| n > high.max(0));
                let garbage = text.bytes().any(|b| {
                    b.is_ascii_alphabetic() && !b"xX".contains(&b) && !b.is_ascii_hexdigit()
                });
                if above || garbage {
                    Verdict::Refused
                } else {
                    Verdict::Either
                }
            }
            Legal::Word(_, most) if so_far.len() > most + 1 => Verdict::Refused,
            _ => Verdict::Either,
        }
    }
}

fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16)
            .ok()
            .filter(|_| !digits.starts_with(['+', '-'])),
        None => text.parse().ok().filter(|_| !text.starts_with('+')),
    }
}
