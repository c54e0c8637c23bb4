//! The table of dreamfactory.md 12, a test a row, as far as it is not in the other rooms.

use super::{differences, names, refused, saved, span};
use crate::formats::testing::Played;
use crate::tree::Errno;

#[test]
fn a_number_in_range_is_written_in_place() {
    let save = saved("WALKER.ti");
    let after = save.set("actors/purs/deg", "200").unwrap();
    let (at, _) = span(&save, "actors/purs/deg");
    let changed = differences(save.image(), after.image());
    assert!(
        changed
            .iter()
            .all(|(place, ..)| (at..at + 2).contains(place)),
        "{changed:?}"
    );
    assert_eq!(after.get("actors/purs/deg").unwrap(), "200");
    assert_eq!(
        after
            .set("actors/PURS/deg", "0x10")
            .unwrap()
            .get("actors/purs/deg")
            .unwrap(),
        "16"
    );
}

#[test]
fn a_text_that_fits_leaves_the_bytes_behind_it() {
    let save = saved("START.RTD");
    let (at, length) = span(&save, "props/Bone/owner");
    assert_eq!(length, 16);
    let after = save.set("props/Bone/owner", "me").unwrap();
    assert_eq!(after.image()[at..at + 3], [2, b'm', b'e']);
    assert_eq!(after.image()[at + 3..], save.image()[at + 3..]);
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let save = saved("WALKER.ti");
    assert_eq!(
        refused(save.set("actors/purs/set", "abcdefghijklmnop")),
        Errno::TooLong
    );
    assert_eq!(
        refused(save.set("paths/0", &"x".repeat(256))),
        Errno::TooLong
    );
    assert!(save.set("paths/0", &"x".repeat(255)).is_ok());
    assert_eq!(
        refused(save.set("actors/purs/star", "h\u{e9}")),
        Errno::Unencodable
    );
}

#[test]
fn owner_view_pose_and_scene_are_never_empty() {
    let save = saved("WALKER.ti");
    for path in [
        "actors/purs/owner",
        "actors/purs/pose",
        "props/watch/view",
        "props/watch/owner",
        "location/scene",
    ] {
        assert_eq!(refused(save.set(path, "")), Errno::Invalid, "{path}");
    }
    assert_eq!(
        save.set("props/watch/set", "")
            .unwrap()
            .get("props/watch/set")
            .unwrap(),
        ""
    );
    assert_eq!(
        save.set("actors/purs/star", "")
            .unwrap()
            .get("actors/purs/star")
            .unwrap(),
        ""
    );
}

#[test]
fn out_of_range_and_not_a_number_are_refused() {
    let save = saved("WALKER.ti");
    for (path, value) in [
        ("actors/purs/deg", "256"),
        ("actors/purs/deg", "-1"),
        ("actors/purs/deg", "abc"),
        ("actors/purs/x", "32768"),
        ("actors/purs/visible", "2"),
        ("tracks/sink0.trk/playing/0/volume", "256"),
        ("globals/mission", "abc"),
        ("globals/mission", "true"),
        ("globals/mission", "2147483648"),
        ("globals/telegram", "maybe"),
        ("palette", "0 0 0"),
    ] {
        assert_eq!(
            refused(save.set(path, value)),
            Errno::Invalid,
            "{path}={value}"
        );
    }
}

#[test]
fn keys_pointers_and_names_are_read_only() {
    let save = saved("WALKER.ti");
    for path in [
        "files/3/handle",
        "files/3/path",
        "theme/loop_bank",
        "containers/2/records/0/name",
        "containers/2/records/0/cast",
        "containers/2/records/0/member",
        "containers/4/records/0/name",
        "tracks/sink0.trk/playing/0/name",
        "casts/gang.cst/name",
        "containers/0/size",
        "stale/0/value",
    ] {
        assert_eq!(refused(save.set(path, "7")), Errno::NotPermitted, "{path}");
    }
}

#[test]
fn a_frame_below_a_stamp_is_told() {
    let save = saved("WALKER.ti");
    let codes = |save: &Played| save.0.findings().iter().map(|f| f.code).collect::<Vec<_>>();
    assert!(!codes(&save).contains(&"W9"));
    let after = save.set("location/frame", "5").unwrap();
    assert!(codes(&after).contains(&"W9"));
}

#[test]
fn the_version_takes_another_spelling_of_itself() {
    let quit = saved("QUIT.RTD");
    assert_eq!(quit.get("version").unwrap(), "Dust 0.3");
    let finding = quit
        .0
        .findings()
        .into_iter()
        .find(|finding| finding.code == "4.1")
        .unwrap();
    let repair = finding.repair.unwrap();
    assert_eq!(
        (repair.path.as_str(), repair.value.as_str()),
        ("version", "dust 0.3")
    );
    let after = quit.set("version", "dust 0.3").unwrap();
    assert_eq!(
        differences(quit.image(), after.image()),
        [(1544 + 1, b'D', b'd')]
    );
    assert_eq!(refused(quit.set("version", "dust 0.4")), Errno::Invalid);
    assert_eq!(refused(quit.set("version", "")), Errno::Invalid);
}

#[test]
fn the_disk_takes_a_label_that_is_not_longer() {
    let save = saved("WALKER.ti");
    assert_eq!(refused(save.set("disk", "Titanic10")), Errno::TooLong);
    let after = save.set("disk", "Titanic2").unwrap();
    assert!(
        after
            .0
            .findings()
            .iter()
            .any(|finding| finding.code == "W8")
    );
}

#[test]
fn props_casts_shops_tracks_and_sounds_are_fixed() {
    let save = saved("WALKER.ti");
    for path in [
        "props/new",
        "casts/new",
        "shops/new",
        "tracks/new",
        "tracks/sink0.trk/playing/9",
        "loops/32",
        "walks/16",
        "crickets/16",
    ] {
        assert_eq!(
            refused(save.create(path, None)),
            Errno::NotPermitted,
            "{path}"
        );
    }
    for path in [
        "props/watch",
        "casts/gang.cst",
        "tracks/sink0.trk",
        "tracks/sink0.trk/playing/0",
        "loops/0",
    ] {
        assert_eq!(refused(save.remove(path)), Errno::NotPermitted, "{path}");
    }
    assert_eq!(
        refused(save.set("actors/purs/sped", "5")),
        Errno::NotPermitted
    );
}

#[test]
fn a_list_count_takes_the_number_of_records() {
    let save = saved("WALKER.ti");
    let mut bytes = save.image().to_vec();
    let (at, _) = span(&save, "containers/1/records/1/actor_count");
    bytes[at] += 1;
    let save = super::open(&bytes);
    let finding = save
        .0
        .findings()
        .into_iter()
        .find(|finding| finding.code == "W2")
        .unwrap();
    let repair = finding.repair.unwrap();
    assert_eq!(refused(save.set(&repair.path, "3")), Errno::NotPermitted);
    let after = save.set(&repair.path, &repair.value).unwrap();
    assert!(after.0.findings().is_empty());
}

#[test]
fn volume_of_a_playing_sound_is_mirrored() {
    let save = saved("WALKER.ti");
    let after = save.set("tracks/sink0.trk/playing/1/volume", "7").unwrap();
    let looping = |k: usize| {
        after
            .get(&format!("tracks/sink0.trk/looping/{k}/volume"))
            .unwrap()
    };
    assert_eq!(
        [looping(0), looping(1), looping(2), looping(3)],
        ["180", "7", "7", "90"]
    );
    let one = save.set("tracks/sink0.trk/looping/1/pan", "1").unwrap();
    assert_eq!(differences(save.image(), one.image()).len(), 1);
}

#[test]
fn the_palette_of_dust_keeps_black_and_white() {
    let save = saved("START.RTD");
    let palette = save.get("palette").unwrap();
    let changed = |index: usize| {
        let mut lines: Vec<&str> = palette.lines().collect();
        lines[index] = "1 2 65535";
        lines.join("\n")
    };
    let after = save.set("palette", &changed(7)).unwrap();
    assert_eq!(after.get("palette").unwrap(), changed(7));
    assert_eq!(refused(save.set("palette", &changed(0))), Errno::Invalid);
    assert_eq!(refused(save.set("palette", &changed(255))), Errno::Invalid);
    assert_eq!(
        refused(save.set("containers/0/palette/0/red", "1")),
        Errno::Invalid
    );
}

#[test]
fn another_view_of_a_prop_starts_with_its_first_frame() {
    let save = saved("WALKER.ti");
    let after = save.set("props/watch/view", "open").unwrap();
    let watch = (0..)
        .map(|k| format!("containers/4/records/{k}"))
        .find(|p| after.get(&format!("{p}/name")).unwrap() == "watch")
        .unwrap();
    assert_eq!(after.get(&format!("{watch}/frame")).unwrap(), "0");
}

#[test]
fn raw_bytes_are_taken_when_the_save_stays_whole() {
    let save = saved("WALKER.ti");
    let read = |k: usize| {
        let node = save.node(&format!("containers/{k}/data")).unwrap();
        node.as_leaf().unwrap().read().into_owned()
    };
    let mut actors = read(2);
    actors[24] = 77;
    let after = save.write("containers/2/data", &actors).unwrap();
    assert_eq!(after.get("containers/2/records/0/deg").unwrap(), "77");
    assert_eq!(
        refused(save.write("containers/2/data", &actors[1..])),
        Errno::Invalid
    );
    let mut location = read(1);
    location[544] ^= 1;
    assert_eq!(
        refused(save.write("containers/1/data", &location)),
        Errno::Invalid
    );
    let mut tracks = read(6);
    tracks[4] = 9;
    assert_eq!(
        refused(save.write("containers/6/data", &tracks)),
        Errno::Invalid
    );
    assert_eq!(
        refused(save.write("containers/2/padding", b"x")),
        Errno::NotPermitted
    );
}

#[test]
fn every_byte_of_the_file_is_shown_once_as_bytes() {
    for name in ["WALKER.ti", "QUIT.RTD"] {
        let save = saved(name);
        let mut spans = vec![
            span(&save, "envelope/header.bin"),
            span(&save, "envelope/table.bin"),
        ];
        for k in names(&save, "containers") {
            let (at, length) = span(&save, &format!("containers/{k}/data"));
            spans.push((at - 8, 8));
            spans.push((at, length));
            spans.push(span(&save, &format!("containers/{k}/padding")));
        }
        let end = spans.iter().fold(0, |next, (at, length)| {
            assert_eq!(*at, next, "{name}");
            at + length
        });
        assert_eq!(end, save.image().len(), "{name}");
    }
}

#[test]
fn a_summary_says_where_the_player_is() {
    let line = |name: &str, label: &str| {
        let summary = saved(name).0.summary();
        summary
            .into_iter()
            .find(|(found, _)| found == label)
            .map(|(_, value)| value)
    };
    assert_eq!(line("WALKER.ti", "title").as_deref(), Some("Titanic 1.0"));
    assert_eq!(line("WALKER.ti", "scene").as_deref(), Some("scene14"));
    assert_eq!(line("WALKER.ti", "mission").as_deref(), Some("4"));
    assert_eq!(line("GOTBONE.RTD", "day").as_deref(), Some("1"));
    assert_eq!(line("GOTBONE.RTD", "disk"), None);
    assert_eq!(
        line("FULL.ti", "variables").as_deref(),
        Some("20 of 20, 0 free")
    );
}

#[test]
fn a_text_with_an_impossible_length_is_kept_until_it_is_edited() {
    let save = saved("START.RTD");
    let (at, _) = span(&save, "props/Bone/star");
    let mut bytes = save.image().to_vec();
    bytes[at] = 200;
    bytes[at + 1..at + 16].fill(b'q');
    let save = super::open(&bytes);
    assert_eq!(save.get("props/Bone/star").unwrap(), "q".repeat(15));
    let same = save.set("props/Bone/star", &"q".repeat(15)).unwrap();
    assert_eq!(same.image(), save.image());
    let edited = save.set("props/Bone/star", "town").unwrap();
    assert_eq!(edited.image()[at..at + 6], *b"\x04townq");
}
