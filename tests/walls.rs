//! The walls of the house: which room may know what.

use crate::support::root;
use std::path::{Path, PathBuf};

/// Rust files below a folder, except those that only hold tests.
fn rooms(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the source") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && path.file_name().is_none_or(|name| name != "tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs")
                && path
                    .file_stem()
                    .is_none_or(|s| s != "tests" && s != "testing")
            {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has no files");
    found
}

/// Code without comments, and without what follows `#[cfg(test)]`.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).expect("source text");
    let lines = text
        .lines()
        .enumerate()
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]");
    let bare = lines.map(|(at, line)| {
        (
            at + 1,
            line.split("//").next().unwrap_or_default().to_owned(),
        )
    });
    bare.collect()
}

/// Every line of a folder that has one of the words.
fn crossings(folder: &str, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for path in rooms(folder) {
        for (at, line) in code(&path) {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{}:{at}: {}", path.display(), line.trim()));
            }
        }
    }
    found
}

/// The names of the formats: the folders of `src/formats`.
fn format_names() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("src/formats")).expect("the formats");
    let folders = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir());
    let names: Vec<String> = folders
        .map(|path| {
            path.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert!(!names.is_empty());
    names
}

#[test]
fn formats_tree_and_codec_know_neither_fuse_nor_the_file_system() {
    for room in ["src/formats", "src/tree", "src/codec"] {
        assert_eq!(
            crossings(
                room,
                &[
                    "fuser",
                    "libc::",
                    "std::fs",
                    "rustix",
                    "crate::mount",
                    "crate::store",
                    "crate::session",
                    "crate::cli"
                ]
            ),
            [""; 0]
        );
    }
}

#[test]
fn tree_and_codec_know_no_format_and_codec_no_tree() {
    assert_eq!(crossings("src/tree", &["crate::formats"]), [""; 0]);
    assert_eq!(
        crossings("src/codec", &["crate::formats", "crate::tree"]),
        [""; 0]
    );
    assert_eq!(crossings("src/store", &["crate::"]), [""; 0]);
}

#[test]
fn no_room_but_formats_names_a_format() {
    let names = format_names();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    for room in [
        "src/mount",
        "src/store",
        "src/tree",
        "src/codec",
        "src/session",
        "src/cli",
    ] {
        assert_eq!(crossings(room, &words), [""; 0]);
    }
}

#[test]
fn fuse_stays_inside_mount() {
    for room in ["src/session", "src/store", "src/cli"] {
        assert_eq!(crossings(room, &["fuser"]), [""; 0]);
    }
}

#[test]
fn a_format_does_not_know_another() {
    for own in format_names() {
        let others = format_names();
        let words: Vec<String> = others
            .iter()
            .filter(|name| **name != own)
            .map(|name| format!("formats::{name}"))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if !words.is_empty() {
            assert_eq!(crossings(&format!("src/formats/{own}"), &words), [""; 0]);
        }
    }
}

#[test]
fn rooms_stay_small() {
    let long: Vec<String> = rooms("src")
        .into_iter()
        .map(|path| {
            (
                std::fs::read_to_string(&path)
                    .expect("source text")
                    .lines()
                    .count(),
                path,
            )
        })
        .filter(|(lines, _)| *lines > 550)
        .map(|(lines, path)| format!("{} has {lines} lines", path.display()))
        .collect();
    assert_eq!(long, [""; 0]);
}

#[test]
fn nothing_panics_on_purpose() {
    let words = [
        ".unwrap()",
        ".expect(",
        "panic!(",
        "todo!(",
        "unimplemented!(",
        "unreachable!(",
    ];
    assert_eq!(crossings("src", &words), [""; 0]);
}
