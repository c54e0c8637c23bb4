//! Notations: how a format writes a value that the plain kinds do not know.

use std::fmt;

/// The text of fields of one width, in a format's own way.
pub struct Notation {
    /// A word for `user.savefs.type`.
    pub type_name: &'static str,
    /// What may be written, in words.
    pub legal: &'static str,
    /// Bytes of a field.
    pub size: usize,
    /// The text of a field; bytes that are missing read as 0.
    pub show: fn(&[u8]) -> String,
    /// The bytes of a text without white space around it.
    pub parse: fn(&str) -> Result<Vec<u8>, String>,
    /// Whether bytes that differ from the field's own may be written.
    pub check: fn(&[u8]) -> Result<(), String>,
    /// Whether more characters after these can give a legal text.
    pub begins: fn(&str) -> bool,
}

impl Notation {
    /// The bytes of a text; those that the field holds already are always legal.
    pub fn read(&self, text: &str, old: &[u8]) -> Result<Vec<u8>, String> {
        let bytes = (self.parse)(text)?;
        if bytes != old {
            (self.check)(&bytes)?;
        }
        Ok(bytes)
    }
}

impl PartialEq for Notation {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.type_name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::kind::{Kind, Legal};

    /// A byte as that many strokes, at most five unless it is there already.
    static STROKES: Notation = Notation {
        type_name: "strokes",
        legal: "up to five strokes",
        size: 1,
        show: |bytes| "I".repeat(bytes.first().copied().unwrap_or_default().into()),
        parse: |text| match text.bytes().all(|byte| byte == b'I') {
            true => Ok(vec![u8::try_from(text.len()).map_err(|e| e.to_string())?]),
            false => Err("no stroke".to_owned()),
        },
        check: |bytes| match bytes {
            [..=5] => Ok(()),
            _ => Err("too many strokes".to_owned()),
        },
        begins: |text| text.bytes().all(|byte| byte == b'I'),
    };
    const KIND: Kind = Kind::Own(&STROKES);

    #[test]
    fn a_field_is_shown_and_read_in_its_own_notation() {
        assert_eq!(*KIND.show(&[3], &Legal::Any), *b"III");
        assert_eq!(KIND.parse(b" IIII\n", &Legal::Any, &[3]), Ok(vec![4]));
        assert_eq!(KIND.size(), 1);
        assert_eq!(KIND.type_name(&Legal::Any), "strokes");
        let refused = KIND.parse(b"IIIIII", &Legal::Any, &[3]).unwrap_err();
        assert_eq!(
            (refused.why.as_str(), refused.legal.as_str()),
            ("too many strokes", "up to five strokes")
        );
    }

    #[test]
    fn what_is_there_may_be_written_again() {
        assert_eq!(KIND.parse(b"IIIIIIII", &Legal::Any, &[8]), Ok(vec![8]));
        assert!(KIND.feasible(b"II", &Legal::Any, &[8]).is_ok());
        assert!(KIND.feasible(b"IV", &Legal::Any, &[8]).is_err());
        assert!(Kind::Bool.feasible(b"25", &Legal::Any, &[255]).is_ok());
        assert!(Kind::Bool.feasible(b"25", &Legal::Any, &[1]).is_err());
    }
}
