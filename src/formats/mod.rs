//! The formats: what a format is, and the register of those that there are. A format turns a file into an open
//! save and an image back into a file; it knows `tree` and `codec`, and neither the disk nor FUSE.

mod dreamfactory;
mod lba2;
mod sinking_star;
mod starlancer;
#[cfg(test)]
pub mod testing;

use crate::tree::source::Source;
use crate::tree::{Fault, Save};
use std::path::Path;
use std::sync::Arc;

/// One line a format.
pub const REGISTER: &[&dyn Format] = &[
    &dreamfactory::DREAMFACTORY,
    &lba2::Lba2,
    &starlancer::StarLancer,
    &sinking_star::SETTINGS,
    &sinking_star::STATUS,
    &sinking_star::HISTORY,
    &sinking_star::PACKAGE,
    &sinking_star::LEVEL,
];

/// How sure a format is that a file is one of its saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    No,
    /// The name promises it and the bytes do not speak against it.
    ByName,
    /// The bytes say so.
    Sure,
}

/// What a format may look at to recognise a file without reading all of it.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// The file's own name, without its folder.
    pub name: &'a str,
    /// The first bytes, 4 KiB or the whole file.
    pub head: &'a [u8],
    /// Length of the whole file.
    pub length: u64,
}

/// Bytes [`Probe::head`] wants.
pub const HEAD: usize = 4096;

/// What a user may say about how a file is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The file's own name, where the format's rules refer to it.
    pub name: String,
    /// Names of files beside it, for formats whose saves have companions.
    pub siblings: Vec<String>,
    /// Text of a description of fields that the format's own documentation lacks (`--schema`).
    pub schema: Option<String>,
}

/// A save format.
pub trait Format: Send + Sync {
    /// One word, as `savefs formats` lists it.
    fn name(&self) -> &'static str;
    /// The game and its files, in one line.
    fn title(&self) -> &'static str;
    /// The format's page: its bytes, tree and rules, for `savefs formats NAME`.
    fn page(&self) -> &'static str;
    fn recognise(&self, probe: &Probe) -> Likeness;
    /// Decodes a whole file. Never panics, never allocates more than a small multiple of the file's length.
    fn open(&self, file: &[u8], options: &Options) -> Result<Arc<dyn Save>, Fault>;
    /// Opens a file that is left where it is, for formats that are for reading and may be larger than memory. None
    /// where the format wants the whole file. The save's image is then empty.
    fn open_in_place(
        &self,
        _file: &Arc<dyn Source>,
        _options: &Options,
    ) -> Option<Result<Arc<dyn Save>, Fault>> {
        None
    }
}

/// The format of a file, the surest first, the name breaking ties.
pub fn recognise(probe: &Probe) -> Option<&'static dyn Format> {
    let candidates = REGISTER
        .iter()
        .map(|format| (format.recognise(probe), *format));
    let best = candidates
        .filter(|(likeness, _)| *likeness > Likeness::No)
        .max_by_key(|(likeness, _)| *likeness);
    best.map(|(_, format)| format)
}

/// The format of that name, as a user spells it.
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    REGISTER
        .iter()
        .copied()
        .find(|format| format.name().eq_ignore_ascii_case(name))
}

/// Opens a whole file with the format that recognises it.
pub fn open(
    path: &Path,
    file: &[u8],
    options: &Options,
) -> Result<(&'static dyn Format, Arc<dyn Save>), Fault> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let probe = Probe {
        name: &name,
        head: file.get(..HEAD).unwrap_or(file),
        length: file.len() as u64,
    };
    let format = recognise(&probe).ok_or_else(|| unknown(file))?;
    format.open(file, options).map(|save| (format, save))
}

fn unknown(file: &[u8]) -> Fault {
    let start: Vec<String> = file
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let found = match file.len() {
        0 => "an empty file".to_owned(),
        length => format!("{length} bytes beginning {}", start.join(" ")),
    };
    Fault::new(
        "game",
        "the beginning of the file",
        0,
        "one of the formats that `savefs formats` lists",
        found,
    )
}
