//! Dust and Titanic saves through the command line: fixtures, the real save, worked edits, refusals.

use crate::support::{copy_of, corpus, differences, fixture, printed, refused, scratch};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

fn gotbone() -> (tempfile::TempDir, PathBuf) {
    copy_of(&fixture("dreamfactory/GOTBONE.RTD"))
}

fn real() -> Option<(tempfile::TempDir, PathBuf)> {
    corpus("dreamfactory/M4P0FCL.ti").map(|save| copy_of(&save))
}

fn get(save: &Path, path: &str) -> String {
    printed(&["get", &save.display().to_string(), path])
}

fn set(save: &Path, assignment: &str) {
    printed(&["set", &save.display().to_string(), assignment]);
}

/// What must not change when an edit is refused.
fn fingerprint(save: &Path) -> (Vec<u8>, u64, i64, i64) {
    let meta = std::fs::metadata(save).expect("the save");
    (
        std::fs::read(save).expect("the save"),
        meta.ino(),
        meta.mtime(),
        meta.mtime_nsec(),
    )
}

#[test]
fn a_dust_save_is_read_and_changed() {
    let (_folder, save) = gotbone();
    let old = std::fs::read(&save).expect("the save");
    assert_eq!(get(&save, "globals/day"), "1\n");
    assert_eq!(get(&save, "globals/handitem"), "Bone\n");
    set(&save, "globals/phase=2");
    assert_eq!(get(&save, "globals/phase"), "2\n");
    let new = std::fs::read(&save).expect("the save");
    assert_eq!(differences(&old, &new).len(), 1);
    assert_eq!(
        std::fs::read(save.with_extension("RTD.bak")).expect("a backup"),
        old
    );
}

#[test]
fn several_assignments_are_one_commit_or_none() {
    let (_folder, save) = gotbone();
    let before = fingerprint(&save);
    let error = refused(
        1,
        &[
            "set",
            &save.display().to_string(),
            "globals/phase=2",
            "actors/Help/deg=999",
        ],
    );
    assert!(error.contains("actors/Help/deg"), "{error}");
    assert_eq!(fingerprint(&save), before);
    printed(&[
        "set",
        &save.display().to_string(),
        "globals/phase=2",
        "globals/day=3",
    ]);
    assert_eq!(
        (
            get(&save, "globals/phase").as_str(),
            get(&save, "globals/day").as_str()
        ),
        ("2\n", "3\n")
    );
}

#[test]
fn the_real_save_shows_what_is_known_of_it() {
    let Some((_folder, save)) = real() else {
        return;
    };
    for (path, value) in [
        ("globals/mission", "4\n"),
        ("globals/clock", "1309\n"),
        ("location/set", "lounge1c\n"),
        ("location/scene", "scene14\n"),
        ("version", "Titanic 1.0\n"),
        ("disk", "Titanic1\n"),
    ] {
        assert_eq!(get(&save, path), value, "{path}");
    }
    let count = |path: &str| {
        printed(&["ls", &save.display().to_string(), path])
            .lines()
            .count()
    };
    assert_eq!(
        [
            count("actors"),
            count("props"),
            count("globals"),
            count("tracks")
        ],
        [39, 72, 102, 4]
    );
    let lists = |track: &str| {
        ["registered", "playing", "looping"].map(|list| count(&format!("tracks/{track}/{list}")))
    };
    assert_eq!(lists("inven.trk"), [13, 0, 0]);
    assert_eq!(lists("unilib.trk"), [25, 0, 0]);
    assert_eq!(lists("insddest.sfx"), [15, 0, 0]);
    assert_eq!(lists("sink0.trk"), [0, 12, 12]);
    assert_eq!(
        printed(&["check", &save.display().to_string()]),
        format!("{}: fine\n", save.display())
    );
}

#[test]
fn the_worked_edits_change_exactly_their_bytes() {
    let Some((_folder, save)) = real() else {
        return;
    };
    let old = std::fs::read(&save).expect("the save");
    set(&save, "globals/mission=2");
    let new = std::fs::read(&save).expect("the save");
    assert_eq!(differences(&old, &new), [38110]);
    assert_eq!((old[38110], new[38110]), (4, 2));
    set(&save, "globals/mission=4");
    assert_eq!(std::fs::read(&save).expect("the save"), old);

    set(&save, "globals/handitem=painting");
    let new = std::fs::read(&save).expect("the save");
    let expected: Vec<usize> = [37836, 37840, 38014]
        .into_iter()
        .chain(42850..=42858)
        .collect();
    assert_eq!(differences(&old, &new), expected);
    assert_eq!(&new[42850..=42858], b"\x08painting");
    assert_eq!([new[37836], new[37840], new[38014]], [0xC3, 0x63, 0x5A]);
}

#[test]
fn what_is_not_legal_is_refused_with_path_and_reason_and_changes_nothing() {
    let (_folder, save) = gotbone();
    let before = fingerprint(&save);
    for (assignment, reason) in [
        ("actors/Help/deg=999", "0..255"),
        ("globals/day=abc", "number"),
        ("actors/Help/set=toolongforasixteenbytefield", "too long"),
        ("actors/Help/sped=5", "did you mean speed?"),
        ("actors/Help/owner=", "empty"),
        ("version=Dust 9", "version"),
    ] {
        let error = refused(1, &["set", &save.display().to_string(), assignment]);
        let path = assignment.split('=').next().expect("a path");
        assert!(error.contains(path), "{assignment}: {error}");
        assert!(error.contains(reason), "{assignment}: {error}");
        assert_eq!(fingerprint(&save), before, "{assignment}");
    }
    assert!(!save.with_extension("RTD.bak").exists());
}

#[test]
fn what_is_no_save_is_refused_in_words() {
    let folder = scratch();
    let whole = std::fs::read(fixture("dreamfactory/GOTBONE.RTD")).expect("the fixture");
    let mut data_file = whole.clone();
    data_file[32..40].copy_from_slice(b"LPPALPPA");
    let noise: Vec<u8> = (0u32..5000)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for (name, bytes, words) in [
        ("empty.rtd", &[] as &[u8], "found 0 bytes"),
        ("noise.ti", &noise, "offset 0"),
        ("data.rtd", &data_file, "not a saved game"),
        ("cut.rtd", &whole[..1100], "offset"),
        ("half.rtd", &whole[..whole.len() / 2], "offset"),
    ] {
        let save = folder.path().join(name);
        std::fs::write(&save, bytes).expect("a file");
        let error = refused(1, &["get", &save.display().to_string(), "globals/day"]);
        assert!(
            error.contains(name) && error.contains(words),
            "{name}: {error}"
        );
        assert!(
            error.contains("expected") && error.contains("found"),
            "{name}: {error}"
        );
    }
}

/// Values of several lines and with backslashes go from a listing into a batch and come back the same.
#[test]
fn a_batch_takes_the_lines_of_a_listing() {
    let (folder, save) = copy_of(&fixture("dreamfactory/WALKER.ti"));
    let file = save.display().to_string();
    set(&save, r"globals/handitem=a\nb\\c");
    set(&save, "walks/1/route=0 0 0\n900 0 0\n900 900 0");
    let before = std::fs::read(&save).expect("the save");
    let listing = printed(&["tree", "--flat", &file]);
    let wanted = ["globals/handitem=", "walks/1/route=", "location/room="];
    let lines: Vec<&str> = listing
        .lines()
        .filter(|line| wanted.iter().any(|path| line.starts_with(path)))
        .collect();
    assert_eq!(lines.len(), 3);
    set(&save, "globals/handitem=other--");
    set(&save, "walks/1/route=0 0 0\n901 0 0\n900 900 0");
    set(&save, "location/scene=scene15");
    assert_ne!(std::fs::read(&save).expect("the save"), before);
    let script = folder.path().join("script");
    std::fs::write(&script, lines.join("\n")).expect("a script");
    printed(&["batch", &file, &script.display().to_string()]);
    assert_eq!(get(&save, "globals/handitem"), "a\\nb\\\\c\n");
    assert_eq!(printed(&["tree", "--flat", &file]), listing);
    std::fs::write(&script, r"globals/handitem=C:\x").expect("a script");
    let error = refused(1, &["batch", &file, &script.display().to_string()]);
    assert!(error.contains(r"`\\` for a backslash"), "{error}");
}
