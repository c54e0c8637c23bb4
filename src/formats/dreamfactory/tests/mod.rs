//! What the format promises, on fixtures that are made from nothing and on the real save.

mod actors;
mod edits;
mod findings;
mod fixtures;
mod hardened;
mod hostile;
mod rooms;
mod sample;
mod scheduler;
mod sequences;
mod variables;

use crate::formats::testing::Played;
use crate::formats::{Format, Options};
use crate::tree::{Errno, Refusal, walk};
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

fn refused(result: Result<Played, Refusal>) -> Errno {
    match result {
        Ok(_) => panic!("the edit went through"),
        Err(refusal) => {
            assert!(!refusal.why.is_empty());
            refusal.errno
        }
    }
}

/// Plays writes one after the other.
fn play(save: &Played, writes: &[(&str, &str)]) -> Played {
    writes.iter().fold(save.clone(), |save, (path, value)| {
        save.set(path, value)
            .unwrap_or_else(|refusal| panic!("{path}={value}: {refusal}"))
    })
}

fn all(save: &Played, paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| save.get(path).unwrap()).collect()
}

/// Where a leaf's bytes are.
fn span(save: &Played, path: &str) -> (usize, usize) {
    let node = save.node(path).unwrap();
    let span = node.as_leaf().unwrap().spans()[0];
    (span.offset, span.length)
}

fn names(save: &Played, path: &str) -> Vec<String> {
    let node = save.node(path).unwrap();
    walk::entries(node.as_dir().unwrap())
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}
