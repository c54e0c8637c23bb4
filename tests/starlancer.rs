//! StarLancer saves through the command line and a mount.

use crate::support::{Mounted, copy_of, differences, fixture, printed, refused};
use std::path::{Path, PathBuf};

fn ace() -> (tempfile::TempDir, PathBuf) {
    copy_of(&fixture("starlancer/ACEGAME01.IFF"))
}

fn bytes(save: &Path) -> Vec<u8> {
    std::fs::read(save).expect("the save")
}

fn big_endian(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[test]
fn a_mounted_save_is_read_and_changed() {
    let (folder, save) = ace();
    let old = bytes(&save);
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    assert_eq!(mount.read("campaign/rank"), "first_lieutenant\n");
    assert_eq!(
        mount.read("campaign/missions/5/rating"),
        "partial_failure\n"
    );
    assert_eq!(mount.sh("bash", "echo 4 > campaign/missions/5/rating").0, 0);
    let new = bytes(&save);
    // Ratings begin at 86 (starlancer.md 12), mission 5 is the fifth word.
    assert_eq!(differences(&old, &new), [0x86 + 8]);
    assert_eq!(new[0x86 + 8], 4);
    mount.unmount();
    assert_eq!(
        printed(&[
            "get",
            &save.display().to_string(),
            "campaign/missions/5/rating"
        ])
        .trim(),
        word_for_rating_4()
    );
}

/// The word for rating 4, from the format's own page of names.
fn word_for_rating_4() -> String {
    let names =
        std::fs::read_to_string(crate::support::root().join("src/formats/starlancer/names.tsv"))
            .expect("names");
    let row = names
        .lines()
        .find(|line| line.starts_with("rating\t4\t"))
        .expect("rating 4");
    row.split('\t').nth(2).expect("a name").to_owned()
}

#[test]
fn a_longer_name_changes_the_chunk_the_form_and_nothing_else() {
    let (folder, save) = ace();
    let old = bytes(&save);
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    let (code, _, error) = mount.sh("bash", "sed -i s/Test/Tested/ campaign/name");
    assert_eq!(code, 0, "{error}");
    mount.unmount();
    let new = bytes(&save);
    assert_eq!(new.len(), old.len() + 2);
    assert_eq!(big_endian(&new, 4), big_endian(&old, 4) + 2);
    assert_eq!(big_endian(&new, 16), 7);
    assert_eq!(&new[20..28], b"Tested\0\0");
    assert_eq!(new[28..], old[26..]);
}

#[test]
fn the_rules_of_the_game_are_kept_unless_forced() {
    let (_folder, save) = ace();
    let file = save.display().to_string();
    let old = bytes(&save);
    for assignment in [
        "campaign/call_sign=OTHER",
        "campaign/mission=29",
        "campaign/rank=9",
        "campaign/loadout/ship=11",
        "campaign/kills=-1",
    ] {
        let error = refused(1, &["set", &file, assignment]);
        assert!(error.contains("--force"), "{assignment}: {error}");
        assert_eq!(bytes(&save), old, "{assignment}");
    }
    printed(&["set", "--force", &file, "campaign/kills=-1"]);
    assert_eq!(printed(&["get", &file, "campaign/kills"]), "-1\n");
}

#[test]
fn a_forced_mount_lets_the_same_through_and_says_so() {
    let (folder, save) = ace();
    let Some(mount) = Mounted::new(&save, folder.path(), &["-o", "force"]) else {
        return;
    };
    assert_eq!(mount.sh("dash", "echo -1 > campaign/kills").0, 0);
    assert_eq!(mount.read("campaign/kills"), "-1\n");
    assert!(
        mount.read(".savefs/errors").contains("campaign/kills"),
        "{}",
        mount.read(".savefs/errors")
    );
    mount.unmount();
}

#[test]
fn a_folder_shows_what_a_pilot_wants_to_see() {
    let table = printed(&["info", &fixture("starlancer").display().to_string()]);
    let head = table.lines().next().expect("a heading");
    for label in [
        "file",
        "saved",
        "name",
        "call sign",
        "mission",
        "rank",
        "tier",
        "kills",
        "slot",
    ] {
        assert!(head.contains(label), "{label} is missing in {head}");
    }
    let row = table
        .lines()
        .find(|line| line.starts_with("ACEGAME01.IFF"))
        .expect("the save");
    assert!(row.contains("stops at the first missing slot, 00"), "{row}");
}

#[test]
fn a_shell_hears_that_raw_bytes_are_refused() {
    let (folder, save) = ace();
    let old = bytes(&save);
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    let (status, _, error) = mount.sh("bash", r"printf '\2\0\0\0' > chunks/2/data");
    assert_ne!(status, 0, "{error}");
    assert_eq!(mount.sh("bash", r"printf '\1\0\0\0' > chunks/2/data").0, 0);
    assert!(mount.read(".savefs/errors").contains("chunks/2/data"));
    mount.unmount();
    assert_eq!(bytes(&save), old);
}

#[test]
fn one_save_shows_when_it_was_written() {
    let (_folder, save) = ace();
    let lines = printed(&["info", &save.display().to_string()]);
    let table = printed(&[
        "info",
        &save.parent().expect("a folder").display().to_string(),
    ]);
    let written = lines.lines().find_map(|line| line.strip_prefix("saved"));
    let written = written.expect("a date").trim();
    assert_eq!(written.len(), "2026-11-30T02:34:03Z".len(), "{written}");
    assert!(table.contains(written), "{table}");
}
