//! Real files in temporary directories; nothing is simulated but a full disk, and that with a small tmpfs.

mod attributes;
mod backup;
mod claim;
mod commit;
mod refusals;
mod unprivileged;
mod watch;

use super::{Identity, Options, Store};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub const OLD: &[u8] = b"the old bytes of the save\n";
pub const NEW: &[u8] = b"NEW bytes, and a few more of them than before\n";

/// A directory with one save.
pub struct Place {
    directory: TempDir,
}

impl Place {
    pub fn new() -> Place {
        let place = Place {
            directory: TempDir::new().unwrap(),
        };
        fs::write(place.save(), OLD).unwrap();
        place
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn save(&self) -> PathBuf {
        self.at("one.sav")
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub fn store(&self) -> Store {
        self.store_with(Options::default())
    }

    pub fn store_with(&self, options: Options) -> Store {
        Store::open(&self.save(), options).unwrap().0
    }

    /// Sorted.
    pub fn names(&self) -> Vec<String> {
        names(self.path())
    }
}

pub fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub fn identity(path: &Path) -> Identity {
    Identity::of(&fs::metadata(path).unwrap())
}

pub fn accept(_: &[u8]) -> Result<(), String> {
    Ok(())
}
