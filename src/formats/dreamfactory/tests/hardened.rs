//! What a search for mistakes found: each test is one that failed.

use super::{all, differences, open, play, refused, saved, span};
use crate::tree::Errno;

/// WALKER.ti with its first leftover a string whose entry begins on the last byte before the mark and passes it.
fn leftover_across_the_mark() -> (Vec<u8>, usize, usize) {
    let save = saved("WALKER.ti");
    let mut bytes = save.image().to_vec();
    let mark: usize = save
        .get("containers/16/header/mark")
        .unwrap()
        .parse()
        .unwrap();
    let (pool, _) = span(&save, "containers/17/data");
    let (element, _) = span(&save, "stale/0/type");
    bytes[element..element + 2].copy_from_slice(&3u16.to_le_bytes());
    bytes[element + 2..element + 6].copy_from_slice(&(mark as u32 - 1).to_le_bytes());
    assert!(bytes[pool + mark - 1] > 20);
    (bytes, pool, mark)
}

#[test]
fn a_text_is_stored_although_a_leftover_lies_across_the_mark() {
    let (bytes, pool, mark) = leftover_across_the_mark();
    let save = open(&bytes);
    assert!(save.0.findings().is_empty());
    let after = save.set("globals/handitem", "a longer thing").unwrap();
    assert_eq!(after.get("globals/handitem").unwrap(), "a longer thing");
    assert_eq!(after.image()[pool + mark], 14);
    assert!(after.0.findings().is_empty());
}

#[test]
fn only_the_place_of_a_walk_in_dust_moves_its_cell() {
    let save = saved("AFTERDOG.RTD");
    for (field, value) in [("turn_to", "5"), ("deg", "9"), ("dz", "1"), ("star", "a")] {
        let path = format!("walks/0/{field}");
        let after = save.set(&path, value).unwrap();
        let (at, length) = span(&save, &path);
        let inside = |(place, _, _): &(usize, u8, u8)| (at..at + length).contains(place);
        assert!(
            differences(save.image(), after.image()).iter().all(inside),
            "{path}"
        );
    }
    let after = save.set("walks/0/x", "-300").unwrap();
    assert_eq!(after.get("walks/0/column").unwrap(), "-2");
    assert_eq!(
        after.get("walks/0/row").unwrap(),
        save.get("walks/0/row").unwrap()
    );
    let after = save.set("walks/0/y", "512").unwrap();
    assert_eq!(after.get("walks/0/row").unwrap(), "2");
    assert_eq!(
        after.get("walks/0/column").unwrap(),
        save.get("walks/0/column").unwrap()
    );
}

#[test]
fn a_walk_does_not_start_with_what_the_slot_may_not_hold() {
    let save = saved("WALKER.ti");
    let line = play(
        &save,
        &[
            ("walks/2/type", "line"),
            ("walks/2/actor", "life1"),
            ("walks/2/dist", "10"),
            ("walks/2/progress", "0"),
        ],
    );
    let route = "1 2 3\n4 5 6\n";
    let tries = [
        (line.clone(), "walks/2/active", "1"),
        (line, "walks/2/route", route),
    ];
    for (save, path, value) in tries {
        assert_eq!(refused(save.set(path, value)), Errno::Invalid, "{path}");
        let some = play(&save, &[("walks/2/paused", "0"), ("walks/2/deg", "3")]);
        assert_eq!(refused(some.set(path, value)), Errno::Invalid, "{path}");
        let ready = play(&some, &[("walks/2/turn_to", "-1")]);
        let runs = ready.set(path, value).unwrap();
        let paths = ["walks/2/active", "walks/2/paused", "walks/2/turn_to"];
        assert_eq!(all(&runs, &paths), ["1", "0", "-1"]);
    }
}

#[test]
fn hints_name_what_helps() {
    let save = saved("WALKER.ti");
    let why = |path: &str, value: &str| match save.set(path, value) {
        Ok(_) => panic!("{path}={value} went through"),
        Err(refusal) => refusal.to_string(),
    };
    assert!(!why("walks/1/actor", "nobody").contains("write actor"));
    assert!(!why("crickets/0/name", "nosuch").contains("write name"));
    assert!(!why("walks/3/dist", "0").contains("write dist"));
    assert!(why("actors/purs/pose", "é").contains("printable ASCII"));
    assert!(!why("actors/purs/pose", "é").contains("Latin-1"));
    assert!(!why("theme/loop_bank", "0").contains("rebuilds"));
    for (name, written) in [(".hid", "%2ehid"), ("hrs~2", "hrs%7e2"), ("a%41", "aA")] {
        let text = why(&format!("globals/{name}"), "5");
        assert!(text.contains(written), "{text}");
    }
    assert!(why("globals/a%zz", "5").contains("a%25zz"));
}

#[test]
fn a_manifest_that_is_too_long_is_not_called_too_short() {
    let save = saved("WALKER.ti");
    let mut bytes = save.image().to_vec();
    let (count, _) = span(&save, "containers/0/header/file_count");
    bytes[count..count + 4].copy_from_slice(&10u32.to_le_bytes());
    let findings = open(&bytes).0.findings();
    let text = findings
        .iter()
        .map(ToString::to_string)
        .find(|text| text.contains("D4"))
        .unwrap();
    assert!(!text.contains("do not hold"), "{text}");
}

#[test]
fn a_room_of_dust_brings_black_and_white_back() {
    let save = saved("START.RTD");
    let mut bytes = save.image().to_vec();
    for index in [0, 255] {
        let (at, _) = span(&save, &format!("containers/0/palette/{index}/red"));
        bytes[at..at + 6].fill(7);
    }
    let save = open(&bytes);
    let room = save
        .get("location/room")
        .unwrap()
        .replace("nite.set", "may.set");
    let after = save.set("location/room", &room).unwrap();
    let palette = after.get("palette").unwrap();
    let lines: Vec<&str> = palette.lines().collect();
    assert_eq!((lines[0], lines[255]), ("0 0 0", "65535 65535 65535"));
}

#[test]
fn a_running_line_of_dust_keeps_a_length() {
    let save = saved("AFTERDOG.RTD");
    assert_eq!(refused(save.set("walks/1/dist", "0")), Errno::Invalid);
    let still = play(&save, &[("walks/1/dx", "0"), ("walks/1/dy", "0")]);
    assert_eq!(
        still
            .set("walks/1/dist", "0")
            .unwrap()
            .get("walks/1/dist")
            .unwrap(),
        "0"
    );
}
