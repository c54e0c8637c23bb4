//! What can go wrong, as values: a write that is refused, a file that does not decode, and what a
//! check finds in one that does.

use std::fmt;

/// Why an operation on a node fails, by the name of its POSIX error code. Numbers belong to the
/// room that speaks to the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errno {
    /// EINVAL: the value is not legal here.
    Invalid,
    /// ENAMETOOLONG: longer than the field.
    TooLong,
    /// ENOSPC: no free slot, element or byte.
    NoSpace,
    /// EPERM: never editable, whoever asks.
    NotPermitted,
    /// EROFS: this save is open for reading only.
    ReadOnly,
    /// EBUSY: something in the save is using it.
    Busy,
    /// EEXIST
    Exists,
    /// ENOENT
    NotFound,
    /// EIO: the save does not decode there.
    Damaged,
    /// EILSEQ: a character that the format's encoding lacks.
    Unencodable,
    /// ESTALE: the file on disk is not the one that was loaded.
    Stale,
    /// EISDIR
    IsDirectory,
    /// ENOTDIR
    NotDirectory,
    /// ENOTSUP
    Unsupported,
    /// Any other code, as the system gave it when the file was written.
    System(i32),
}

/// A write that was not done, in words for somebody who knows the game. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub errno: Errno,
    /// The node, from the root of the save; filled in by the session.
    pub path: String,
    /// What was given, shortened to one line; filled in by the session.
    pub given: String,
    pub why: String,
    /// What would have been legal; may be empty.
    pub legal: String,
    /// A rule that `--force` lets through.
    pub forcible: bool,
}

impl Refusal {
    pub fn new(errno: Errno, why: impl Into<String>) -> Self {
        Refusal {
            errno,
            path: String::new(),
            given: String::new(),
            why: why.into(),
            legal: String::new(),
            forcible: false,
        }
    }
    pub fn invalid(why: impl Into<String>) -> Self {
        Self::new(Errno::Invalid, why)
    }
    pub fn not_permitted(why: impl Into<String>) -> Self {
        Self::new(Errno::NotPermitted, why)
    }
    /// Adds what would be legal.
    pub fn legal(mut self, legal: impl Into<String>) -> Self {
        self.legal = legal.into();
        self
    }
    /// Names the node and what was given, unless that is already said.
    pub fn at(mut self, path: &str, given: &[u8]) -> Self {
        if self.path.is_empty() {
            self.path = path.to_owned();
        }
        if self.given.is_empty() {
            self.given = shorten(given);
        }
        self
    }
    /// Marks a rule that the specification lets a user override.
    pub fn forcible(mut self) -> Self {
        self.forcible = true;
        self
    }
}

/// One line of at most 60 characters for a message; of what is no text the length.
fn shorten(given: &[u8]) -> String {
    let text = match std::str::from_utf8(given) {
        Ok(text) if !given.contains(&0) => text,
        _ => return format!("<{} bytes>", given.len()),
    };
    let line: String = text.trim_end_matches('\n').chars().take(61).collect();
    let line: String = line
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    match line.chars().count() {
        0..=60 => line,
        _ => line.chars().take(57).chain("...".chars()).collect(),
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        if !self.given.is_empty() {
            write!(f, "\"{}\": ", self.given)?;
        }
        f.write_str(&self.why)?;
        if !self.legal.is_empty() {
            write!(f, " (legal: {})", self.legal)?;
        }
        if self.forcible {
            f.write_str(" [--force lets this through]")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

/// Why bytes are not a save of a format, or not one that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub format: &'static str,
    /// The field that is wrong, in the words of the specification.
    pub field: String,
    /// Byte offset in the file, or in the uncompressed save where that is said in `field`.
    pub offset: u64,
    pub expected: String,
    pub found: String,
}

impl Fault {
    pub fn new(
        format: &'static str,
        field: impl Into<String>,
        offset: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Fault {
            format,
            field: field.into(),
            offset: offset as u64,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not a readable {} save: {} at offset {}: expected {}, found {}",
            self.format, self.field, self.offset, self.expected, self.found
        )
    }
}

impl std::error::Error for Fault {}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// Worth knowing. An edit may bring one about.
    Note,
    /// An edit may bring one about and says so in `.savefs/errors`.
    Caution,
    /// Wrong, but not in the way of editing. No edit may add one.
    Warning,
    /// The save opens for reading only.
    Damage,
}

/// A value that would mend a finding, offered and never written by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    pub path: String,
    pub value: String,
}

/// What a check found in a save that decodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The specification's own code, e.g. `W2`.
    pub code: &'static str,
    pub weight: Weight,
    /// The node it is about; empty for the whole file.
    pub path: String,
    pub offset: Option<usize>,
    pub text: String,
    pub repair: Option<Repair>,
}

impl Finding {
    pub fn new(code: &'static str, weight: Weight, text: impl Into<String>) -> Self {
        Finding {
            code,
            weight,
            path: String::new(),
            offset: None,
            text: text.into(),
            repair: None,
        }
    }
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = Some(offset);
        self
    }
    pub fn repair(mut self, path: impl Into<String>, value: impl Into<String>) -> Self {
        self.repair = Some(Repair {
            path: path.into(),
            value: value.into(),
        });
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.text)?;
        if let Some(offset) = self.offset {
            write!(f, " (offset {offset})")?;
        }
        if let Some(repair) = &self.repair {
            write!(f, "; repair: {}={}", repair.path, repair.value)?;
        }
        Ok(())
    }
}
