//! What several tests need: fixtures and corpus, copies of saves, the program itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file under `fixtures/`.
pub fn fixture(name: &str) -> PathBuf {
    root().join("fixtures").join(name)
}

/// A file of the corpus of real saves, or None, said aloud, where there is no corpus.
pub fn corpus(name: &str) -> Option<PathBuf> {
    match std::env::var_os("SAVEFS_CORPUS") {
        Some(corpus) => Some(root().join(corpus).join(name)),
        None => {
            eprintln!(
                "SKIPPED: SAVEFS_CORPUS is not set, so nothing is tested on the real save {name}"
            );
            None
        }
    }
}

/// A folder of its own for a test, removed afterwards. Not under /tmp: some editors behave differently there.
pub fn scratch() -> tempfile::TempDir {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
    tempfile::TempDir::new_in(parent).expect("a folder for a test")
}

/// A copy of a save in a folder of its own.
pub fn copy_of(save: &Path) -> (tempfile::TempDir, PathBuf) {
    let folder = scratch();
    let copy = folder.path().join(save.file_name().expect("a file name"));
    std::fs::copy(save, &copy).expect("a copy of the save");
    (folder, copy)
}

/// Runs savefs and waits for it.
pub fn savefs(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_savefs"))
        .args(arguments)
        .output()
        .expect("savefs runs")
}

/// What savefs printed, having succeeded.
pub fn printed(arguments: &[&str]) -> String {
    let output = savefs(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "savefs {arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What savefs said on standard error, having failed with this status.
pub fn refused(status: i32, arguments: &[&str]) -> String {
    let output = savefs(arguments);
    assert_eq!(
        output.status.code(),
        Some(status),
        "savefs {arguments:?}: {output:?}"
    );
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Offsets at which two files of one length differ.
pub fn differences(a: &[u8], b: &[u8]) -> Vec<usize> {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .enumerate()
        .filter(|(_, (a, b))| a != b)
        .map(|(at, _)| at)
        .collect()
}
