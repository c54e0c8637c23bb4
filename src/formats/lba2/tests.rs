//! Tests of the format: on the fixtures, which are made by `scripts/fixtures/lba2.py`, and on real saves where
//! `SAVEFS_CORPUS` says where they are.

mod corpus;
mod couplings;
mod fixtures;
mod hostile;
mod limits;
mod picture;
mod random;
mod stored;

use super::Lba2;
use super::save::Saved;
use crate::formats::testing::Played;
use crate::formats::{Format, Options};
use crate::tree::{Errno, Save};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lba2")
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(format!("{name}.LBA"))).unwrap()
}

/// The fixtures by name, in order.
fn fixture_names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .filter_map(|n| Some(n.strip_suffix(".LBA")?.to_owned()))
        .collect();
    names.sort();
    assert!(names.len() >= 24, "{names:?}");
    names
}

fn open(file: &[u8]) -> Played {
    Played(Lba2.open(file, &Options::default()).unwrap())
}

fn opened(name: &str) -> Played {
    open(&fixture(name))
}

fn saved(played: &Played) -> &Saved {
    played.0.as_any().downcast_ref().unwrap()
}

/// The file of a save after an edit.
fn file_of(played: &Played) -> Vec<u8> {
    played.0.encode().unwrap()
}

/// Sets a value that is legal and reads it back.
fn set(save: &Played, path: &str, value: &str) -> Played {
    let after = save
        .set(path, value)
        .unwrap_or_else(|r| panic!("{path}={value}: {r}"));
    assert_eq!(after.get(path).unwrap(), value, "{path}");
    after
}

fn refused(save: &Played, path: &str, value: &str) -> Errno {
    match save.set(path, value) {
        Err(refusal) => refusal.errno,
        Ok(_) => panic!("{path}={value} was taken"),
    }
}

fn get(save: &Played, path: &str) -> String {
    save.get(path).unwrap_or_else(|r| panic!("{path}: {r}"))
}

/// The cautions of an edit.
fn cautions(save: &Played, path: &str, value: &str) -> String {
    let node = save.node(path).unwrap();
    let mut draft = crate::tree::Draft::new(save.image().to_vec(), false);
    node.as_leaf()
        .unwrap()
        .write(value.as_bytes(), &mut draft)
        .unwrap();
    draft.finish().2.join("; ")
}

fn finding_codes(save: &Arc<dyn Save>) -> Vec<(&'static str, String)> {
    save.findings()
        .into_iter()
        .map(|f| (f.code, f.path))
        .collect()
}
