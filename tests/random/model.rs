//! A mounted save as DESIGN.md 2, 3 and notes/architecture.md 4 describe it: what is there, and what is open.

use super::ops::SLOTS;
use super::value::Legal;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A value of the save; several paths may show it.
pub struct Cell {
    /// One of its paths.
    pub path: String,
    pub legal: Legal,
    /// With its newline.
    pub text: String,
}

/// What a name of the save stands for.
#[derive(Clone)]
pub enum Name {
    Value(usize),
    /// A link, as it reads, and the value in the same directory that it leads to.
    Link(String, usize),
}

pub struct Directory {
    pub path: &'static str,
    /// Its names in the order of the file.
    pub order: Vec<String>,
    /// How many entries it still takes; None where there is no creation.
    pub room: Option<usize>,
}

/// A scratch file.
#[derive(Default)]
pub struct File {
    pub data: Vec<u8>,
    pub links: usize,
    pub opens: usize,
    /// The value it was renamed to while it was open.
    pub became: Option<usize>,
    pub unsaved: bool,
}

#[derive(Clone)]
pub enum Scratch {
    File(usize),
    Link(String),
}

pub struct Writer {
    pub cell: usize,
    pub data: Vec<u8>,
    pub dirty: bool,
    /// Everything in it was written one after the other, from the beginning.
    pub sequential: bool,
    pub appends: bool,
    /// Refused: only closing it has a meaning left.
    pub refused: bool,
}

pub enum Handle {
    Reader {
        cell: usize,
        text: String,
        /// Its file was renamed: what fstat tells is that of the new name.
        moved: bool,
    },
    Writer(Writer),
    File {
        id: usize,
        appends: bool,
        writes: bool,
    },
}

/// What a path leads to.
#[derive(Clone)]
pub enum Found {
    Nothing,
    Value(usize),
    NameLink(String, usize),
    /// A link of the save whose value is hidden.
    Dangling(String),
    File(usize),
    Link(String),
}

#[derive(Default)]
pub struct Model {
    pub cells: Vec<Cell>,
    pub names: BTreeMap<String, Name>,
    pub directories: Vec<Directory>,
    pub hidden: BTreeMap<String, Instant>,
    pub scratch: BTreeMap<String, Scratch>,
    pub files: Vec<File>,
    pub handles: [Option<Handle>; SLOTS],
    /// Every edit so far: a path and its new text. The file on disk is written once for each.
    pub edits: Vec<(String, String)>,
}

pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').expect("a path in a directory")
}

impl Model {
    pub fn found(&self, path: &str) -> Found {
        match self.scratch.get(path) {
            Some(Scratch::File(id)) => return Found::File(*id),
            Some(Scratch::Link(to)) => return Found::Link(to.clone()),
            None => {}
        }
        match self
            .names
            .get(path)
            .filter(|_| !self.hidden.contains_key(path))
        {
            Some(Name::Value(cell)) => Found::Value(*cell),
            Some(Name::Link(to, cell)) => {
                let leads = format!("{}/{to}", split(path).0);
                match self.hidden.contains_key(&leads) || self.scratch.contains_key(&leads) {
                    true => Found::Dangling(to.clone()),
                    false => Found::NameLink(to.clone(), *cell),
                }
            }
            None => Found::Nothing,
        }
    }
    /// The value behind a hidden name.
    pub fn behind_hidden(&self, path: &str) -> Option<usize> {
        self.hidden.get(path)?;
        match self.names.get(path)? {
            Name::Value(cell) | Name::Link(_, cell) => Some(*cell),
        }
    }
    /// Whether somebody holds a value open for writing.
    pub fn is_busy(&self, cell: usize) -> bool {
        self.handles.iter().flatten().any(|handle| match handle {
            Handle::Writer(writer) => writer.cell == cell,
            Handle::File { id, .. } => self.files[*id].became == Some(cell),
            Handle::Reader { .. } => false,
        })
    }
    pub fn directory(&mut self, path: &str) -> &mut Directory {
        let (parent, _) = split(path);
        let mut all = self.directories.iter_mut();
        all.find(|d| d.path == parent)
            .expect("a directory of the model")
    }
    pub fn room(&self, path: &str) -> Option<usize> {
        let (parent, _) = split(path);
        self.directories.iter().find(|d| d.path == parent)?.room
    }

    /// Whether only a tool gives such a name: DESIGN.md 3.8.
    pub fn is_tools_name(&self, path: &str) -> bool {
        let (parent, name) = split(path);
        let here = self.directories.iter().find(|d| d.path == parent);
        let sibling = |name: &str| here.is_some_and(|d| d.order.iter().any(|n| n == name));
        name.starts_with('.')
            || name.ends_with('~')
            || (name.len() > 2 && name.starts_with('#') && name.ends_with('#'))
            || name.match_indices('.').any(|(at, _)| sibling(&name[..at]))
    }
    pub fn is_scratch(&self, path: &str, exclusive: bool, mode: u32) -> bool {
        self.is_tools_name(path)
            || (exclusive && mode == 0o600)
            || (exclusive && split(path).1 == "4913")
    }

    /// Writes a value. Gives the codes that refuse it.
    pub fn set(&mut self, cell: usize, bytes: &[u8]) -> Result<(), &'static [i32]> {
        let cell = &mut self.cells[cell];
        let text = cell.legal.parse(&cell.text, bytes)?;
        if text != cell.text {
            self.edits.push((cell.path.clone(), text.clone()));
            cell.text = text;
        }
        Ok(())
    }
    /// Makes a variable, whose value has been found to be a number.
    pub fn create(&mut self, path: &str, text: String) {
        self.edits.push((path.to_owned(), text.clone()));
        self.cells.push(Cell {
            path: path.to_owned(),
            legal: VARIABLE,
            text,
        });
        self.names
            .insert(path.to_owned(), Name::Value(self.cells.len() - 1));
        let directory = self.directory(path);
        directory.order.push(split(path).1.to_owned());
        directory.room = directory.room.map(|room| room - 1);
    }
    pub fn new_file(&mut self, path: &str, data: Vec<u8>) -> usize {
        self.files.push(File {
            data,
            links: 1,
            ..File::default()
        });
        let id = self.files.len() - 1;
        self.scratch.insert(path.to_owned(), Scratch::File(id));
        id
    }
    pub fn drop_scratch(&mut self, path: &str) -> Option<Scratch> {
        let gone = self.scratch.remove(path);
        if let Some(Scratch::File(id)) = gone {
            self.files[id].links -= 1;
        }
        gone
    }
    pub fn put_scratch(&mut self, path: &str, what: Scratch) {
        if let Scratch::File(id) = what {
            self.files[id].links += 1;
        }
        self.drop_scratch(path);
        self.scratch.insert(path.to_owned(), what);
    }
    pub fn hide(&mut self, path: &str) {
        self.hidden.insert(path.to_owned(), Instant::now());
    }
    pub fn hidden_for(&self, time: Duration) -> Vec<String> {
        let old = self
            .hidden
            .iter()
            .filter(|(_, since)| since.elapsed() > time);
        old.map(|(path, _)| path.clone()).collect()
    }

    /// Names of a directory: those of the save in their order, and those of scratch files.
    pub fn listing(&self, directory: &str) -> (Vec<String>, Vec<String>) {
        let here = |path: &String| split(path).0 == directory;
        let of_save = self
            .directories
            .iter()
            .find(|d| d.path == directory)
            .expect("a directory");
        let seen = |name: &&String| {
            let path = format!("{directory}/{name}");
            !self.hidden.contains_key(&path) && !self.scratch.contains_key(&path)
        };
        let nodes = of_save.order.iter().filter(seen).cloned().collect();
        let scratch = self.scratch.keys().filter(|p| here(p));
        (
            nodes,
            scratch.map(|path| split(path).1.to_owned()).collect(),
        )
    }
}

/// A script variable that is a number.
pub const VARIABLE: Legal = Legal::Number(i32::MIN as i64, i32::MAX as i64);
/// Whether a new variable of this text is a number: dreamfactory.md 10.5 takes decimal ones only, all else is a string.
pub fn is_number(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    text.strip_suffix('\n')
        .unwrap_or(text)
        .parse::<i32>()
        .is_ok()
}
