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
