//! What the format promises, on fixtures that are made from nothing and on the real save.

mod edits;
mod fixtures;
mod sample;

use crate::formats::testing::Played;
use crate::formats::{Format, Options};
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> Vec<u8> {
    let path = folder().join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dreamfactory")
}

fn open(bytes: &[u8]) -> Played {
    let save = super::DREAMFACTORY.open(bytes, &Options::default());
    Played(save.unwrap_or_else(|fault| panic!("{fault}")))
}

/// A fixture, open.
fn saved(name: &str) -> Played {
    open(&fixture(name))
}

/// The real save of the corpus; None, said aloud, where there is no corpus.
fn real() -> Option<Vec<u8>> {
    let Some(corpus) = std::env::var_os("SAVEFS_CORPUS") else {
        println!("skipped: SAVEFS_CORPUS does not name the corpus of real saves");
        return None;
    };
    let path = PathBuf::from(corpus).join("dreamfactory/M4P0FCL.ti");
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Bytes that differ between two images of one length: offset, old, new.
fn differences(old: &[u8], new: &[u8]) -> Vec<(usize, u8, u8)> {
    assert_eq!(old.len(), new.len());
    let pairs = old.iter().zip(new).enumerate();
    pairs
        .filter(|(_, (a, b))| a != b)
        .map(|(at, (a, b))| (at, *a, *b))
        .collect()
}
