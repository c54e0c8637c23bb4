//! Saves of Little Big Adventure 2 through the command line and a mount: fixtures, real saves, every wish of a
//! player, refusals.

mod mounted;
mod real;
mod stored;

use crate::support::{printed, savefs};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

fn get(save: &Path, path: &str) -> String {
    printed(&["get", &save.display().to_string(), path])
        .trim_end_matches('\n')
        .to_owned()
}

/// Sets values and gives what was said about it.
fn set(save: &Path, assignments: &[&str]) -> String {
    let save = save.display().to_string();
    let output = savefs(&[&["set", save.as_str()], assignments].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{assignments:?}: {said}");
    said
}

fn bytes(save: &Path) -> Vec<u8> {
    std::fs::read(save).unwrap_or_else(|error| panic!("{}: {error}", save.display()))
}

/// What no look at a save may change.
fn fingerprint(save: &Path) -> (Vec<u8>, u64, i64, i64) {
    let meta = std::fs::metadata(save).expect("the save");
    (bytes(save), meta.ino(), meta.mtime(), meta.mtime_nsec())
}
