//! Section 4: the worked example, one test a row of the table of edits, and what is closed to them.

use super::support::{edited, fixture, open, value};
use crate::session::Edit;
use crate::tree::{Node, NodeKind, walk};

const NAME: &str = "Status.sokoban_status";

fn example() -> Vec<u8> {
    fixture("campaign/Status.sokoban_status")
}

fn full() -> Vec<u8> {
    fixture("status/full/Status.sokoban_status")
}

fn edit(image: &[u8], edit: Edit) -> Result<(Vec<u8>, String), String> {
    edited(NAME, image, &[edit])
}

fn set(image: &[u8], path: &str, text: &str) -> Result<Vec<u8>, String> {
    edit(image, Edit::set(format!("status/{path}"), text)).map(|(image, _)| image)
}

fn create(path: &str, kind: NodeKind) -> Edit {
    Edit::Create {
        path: format!("status/{path}"),
        kind,
    }
}

fn remove(path: &str) -> Edit {
    Edit::Remove {
        path: format!("status/{path}"),
    }
}

/// Bytes put over others at an offset.
fn patched(image: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut image = image.to_vec();
    image[at..at + bytes.len()].copy_from_slice(bytes);
    image
}

/// A stretch of bytes replaced by another.
fn spliced(image: &[u8], at: usize, removed: usize, bytes: &[u8]) -> Vec<u8> {
    let mut image = image.to_vec();
    image.splice(at..at + removed, bytes.iter().copied());
    image
}

fn find(image: &[u8], bytes: &[u8]) -> usize {
    image.windows(bytes.len()).position(|w| w == bytes).unwrap()
}

#[test]
fn the_worked_example_is_built_from_the_smallest_file() {
    let smallest = fixture("status/smallest/Status.sokoban_status");
    assert_eq!(smallest.len(), 139);
    // Bit 0 of the achievements is kept as found, so the file begins with it.
    let begun = patched(&smallest, 41, &[1]);
    let edits = [
        Edit::set("status/last_saved", "2026-10-09T12:34:56.7890123Z\n"),
        Edit::set("status/play_time", "1:23:45.67890123456789\n"),
        Edit::set("status/overhead_map_area_names", "true\n"),
        Edit::set("status/current_level", "intro\n"),
        Edit::set("status/menu_level", "menu\n"),
        create("levels/intro", NodeKind::Dir),
    ];
    assert_eq!(edited(NAME, &begun, &edits).unwrap().0, example());
}

#[test]
fn rank() {
    assert_eq!(
        set(&example(), "rank", "SOKOBAN"),
        Ok(patched(&example(), 24, &[5]))
    );
    assert_eq!(
        set(&example(), "rank", "2"),
        Ok(patched(&example(), 24, &[2]))
    );
    assert!(set(&example(), "rank", "6").is_err());
    assert!(set(&example(), "rank", "-1").is_err());
    assert!(set(&example(), "rank", "king").is_err());
}

#[test]
fn last_saved_by_every_row_of_section_2_both_ways() {
    for (text, number, bytes) in [
        ("1969-07-20T20:17:39Z", "0", [0; 16]),
        (
            "1970-01-01T00:00:00Z",
            "14182941000000000000000",
            word(768, 0xDBD8_7F0E_DB7C_8000),
        ),
        (
            "2000-01-01T00:00:00Z",
            "960867741000000000000000",
            word(52088, 0xBE9E_F805_B23C_8000),
        ),
        (
            "2026-01-15T08:30:00.5Z",
            "1782648741500000000000000",
            word(96637, 0x94F8_6C6D_A7D3_C000),
        ),
        (
            "2026-10-09T12:34:56.7890123Z",
            "1805732237789012300000000",
            word(97888, 0xF0D5_71AE_19B1_EB00),
        ),
        (
            "1969-07-20T20:17:38.5Z",
            "-500000000000000",
            word(-1, 0xFFFE_3940_AD9C_C000),
        ),
        (
            "1601-01-01T00:00:00Z",
            "-11630290659000000000000000",
            word(-630_480, 0xAE17_5852_6CFC_8000),
        ),
        (
            "0001-01-01T00:00:00Z",
            "-62121413859000000000000000",
            word(-3_367_606, 0x0D39_3CC2_9AF6_8000),
        ),
    ] {
        // Another time first, so that each is an edit.
        let base = patched(&example(), 8, &[7; 16]);
        let wanted = match text.starts_with("0001") {
            true => patched(
                &base,
                8,
                &(-62_121_413_859i128 * 10i128.pow(15)).to_le_bytes(),
            ),
            false => patched(&base, 8, &bytes),
        };
        assert_eq!(set(&base, "last_saved", text), Ok(wanted.clone()), "{text}");
        assert_eq!(
            set(&base, "last_saved", number),
            Ok(wanted.clone()),
            "{number}"
        );
        let save = open(NAME, &wanted, None).unwrap();
        assert_eq!(value(&save, "status/last_saved"), text);
    }
}

/// High and low word as they are stored.
fn word(high: i64, low: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&low.to_le_bytes());
    bytes[8..].copy_from_slice(&high.to_le_bytes());
    bytes
}

#[test]
fn play_time_by_every_row_of_section_2_both_ways() {
    for (text, bytes) in [
        ("0:00:01", "00 80 c6 a4 7e 8d 03 00 00 00 00 00 00 00 00 00"),
        (
            "1:23:45.67890123456789",
            "d2 0a 43 5f 55 cc be 45 00 00 00 00 00 00 00 00",
        ),
        (
            "99:59:59.999999999999999",
            "ff ff 9f 64 a3 ec 00 84 13 00 00 00 00 00 00 00",
        ),
        (
            "1000:00:00",
            "00 00 40 ee 61 3e 09 28 c3 00 00 00 00 00 00 00",
        ),
    ] {
        let bytes: Vec<u8> = bytes
            .split(' ')
            .map(|b| u8::from_str_radix(b, 16).unwrap())
            .collect();
        let base = patched(&example(), 25, &[7; 16]);
        let wanted = patched(&base, 25, &bytes);
        assert_eq!(set(&base, "play_time", text), Ok(wanted.clone()), "{text}");
        let save = open(NAME, &wanted, None).unwrap();
        assert_eq!(value(&save, "status/play_time"), text);
    }
    for text in [
        "-0:00:01.5",
        "-1500000000000000",
        "0:60:00",
        "0:00:60",
        "0:00:00.1234567890123456",
    ] {
        assert!(set(&example(), "play_time", text).is_err(), "{text}");
    }
    let negative = fixture("status/times_negative/Status.sokoban_status");
    let save = open(NAME, &negative, None).unwrap();
    let shown = value(&save, "status/play_time");
    assert_eq!(shown, "-0:00:01.5", "one that is there is shown");
    assert_eq!(
        set(&negative, "play_time", &shown),
        Ok(negative.clone()),
        "and may be written back"
    );
}

#[test]
fn what_section_2_refuses_of_a_date() {
    for text in [
        "2026-10-09T12:34:56.1234567890123456Z",
        "2026-12-31T23:59:60Z",
        "2026-10-09T12:34:56+00:00",
        "0000-01-01T00:00:00Z",
        "10000-01-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "170141183460469231731687303715884105728",
    ] {
        assert!(set(&example(), "last_saved", text).is_err(), "{text}");
    }
    let far = i128::MIN.to_string();
    let wanted = patched(&example(), 8, &i128::MIN.to_le_bytes());
    assert_eq!(set(&example(), "last_saved", &far), Ok(wanted));
}

#[test]
fn achievements_keep_their_first_bit() {
    let all = patched(&example(), 41, &[0xff; 8]);
    assert_eq!(
        set(&example(), "achievements", "0xffffffffffffffff"),
        Ok(all.clone())
    );
    let save = open(NAME, &all, None).unwrap();
    assert!(value(&save, "status/achievements").ends_with(",bit62,bit63"));
    let wanted = patched(&example(), 41, &[0x21]);
    assert_eq!(set(&example(), "achievements", "bit0,bit5"), Ok(wanted));
    assert!(set(&example(), "achievements", "bit5").is_err());
    assert!(set(&example(), "achievements", "bit64").is_err());
    let none = patched(&example(), 41, &[0]);
    assert!(set(&none, "achievements", "bit0").is_err());
}

#[test]
fn treasures_and_artifacts_have_the_bits_that_the_game_knows() {
    let wanted = patched(&example(), 49, &[0b10_0001]);
    assert_eq!(
        set(&example(), "treasures", "treasure_0,treasure_5"),
        Ok(wanted)
    );
    assert!(set(&example(), "treasures", "bit6").is_err());
    let wanted = patched(&example(), 93, &[0x78]);
    assert_eq!(set(&example(), "artifacts", "0x78"), Ok(wanted));
    assert!(set(&example(), "artifacts", "bit2").is_err());
    assert!(set(&example(), "artifacts", "bit7").is_err());
}

#[test]
fn counters_take_any_number() {
    let wanted = patched(&example(), 53 + 9 * 4, &[0xff; 4]);
    assert_eq!(set(&example(), "counters/9", "4294967295"), Ok(wanted));
    assert!(set(&example(), "counters/9", "4294967296").is_err());
    assert!(set(&example(), "counters/10", "1").is_err());
}

#[test]
fn counts_of_levels_are_not_negative_and_told_to_be_pointless() {
    for (name, at) in [
        ("levels_solved", 105),
        ("tower_levels_solved", 109),
        ("towers_activated", 113),
    ] {
        let path = format!("status/{name}");
        let (image, said) = edit(&example(), Edit::set(&path, "7")).unwrap();
        assert_eq!(image, patched(&example(), at, &[7]));
        assert!(said.contains("mark the levels instead"), "{said}");
        assert!(set(&example(), name, "-1").is_err());
    }
}

#[test]
fn the_area_is_any_entity() {
    let wanted = patched(&example(), 101, &[0x4d, 0, 0x30, 0]);
    assert_eq!(
        set(&example(), "current_area_pin", "#3-77"),
        Ok(wanted.clone())
    );
    assert_eq!(set(&example(), "current_area_pin", "3145805"), Ok(wanted));
    assert!(set(&example(), "current_area_pin", "#4096-0").is_err());
    assert!(set(&example(), "current_area_pin", "#0-1048576").is_err());
}

#[test]
fn booleans() {
    assert_eq!(
        set(&example(), "overworld_reached", "1"),
        Ok(patched(&example(), 118, &[1]))
    );
    assert!(set(&example(), "overworld_reached", "2").is_err());
}

#[test]
fn flags_of_a_level_as_a_set_and_one_by_one() {
    let at = example().len() - 13;
    let wanted = patched(&example(), at, &[0b1001]);
    let text = "solved,tower_unlock_signalled";
    assert_eq!(
        set(&example(), "levels/intro/flags", text),
        Ok(wanted.clone())
    );
    let (one, said) = edit(&example(), Edit::set("status/levels/intro/solved", "true")).unwrap();
    assert_eq!(one, patched(&example(), at, &[1]));
    assert!(said.contains("history stays"), "{said}");
    let both = set(&one, "levels/intro/tower_unlock_signalled", "1");
    assert_eq!(both, Ok(wanted));
    assert!(set(&example(), "levels/intro/flags", "16").is_err());
    // High bits stay as they were found.
    let at = find(&full(), b"high_bits") + 9;
    assert_eq!(full()[at], 0xF5);
    assert_eq!(
        set(&full(), "levels/high_bits/flags", "entered"),
        Ok(patched(&full(), at, &[0xF4]))
    );
    assert_eq!(
        set(&full(), "levels/high_bits/solved", "0"),
        Ok(patched(&full(), at, &[0xF4]))
    );
}

#[test]
fn a_level_is_added_at_the_end_of_its_list() {
    let end = example().len() - 12;
    let counted = patched(&example(), 0x84, &[2]);
    let wanted = spliced(&counted, end, 0, b"\x0a\0mirror_8.5\0");
    let made = edit(&example(), create("levels/mirror_8.5", NodeKind::Dir)).unwrap();
    assert_eq!(made.0, wanted);
    let solved = set(&wanted, "levels/mirror_8.5/solved", "true").unwrap();
    assert_eq!(solved, patched(&wanted, end + 12, &[1]));
    for name in ["intro", "a%2fb", "a\\b", "tab%09", "%ff", "%", "50%", "x~2"] {
        let refused = edit(&example(), create(&format!("levels/{name}"), NodeKind::Dir));
        assert!(refused.is_err(), "{name}");
    }
    assert!(edit(&example(), create("levels/file", NodeKind::Leaf)).is_err());
    let spelled = edit(&example(), create("levels/x%7e2", NodeKind::Dir)).unwrap();
    assert_eq!(spelled.0, spliced(&counted, end, 0, b"\x03\0x~2\0"));
}

#[test]
fn a_level_is_removed_and_nothing_else() {
    let at = find(&full(), b"\x0b\0heroes1_4.5\x02");
    let list = find(&full(), b"\x06\0\0\0\x05\0intro");
    let counted = patched(&full(), list, &[5]);
    let gone = edit(&full(), remove("levels/heroes1_4.5")).unwrap();
    assert_eq!(gone.0, spliced(&counted, at, 14, b""));
    assert!(edit(&full(), remove("levels/heroes")).is_err());
    let back = edit(&example(), remove("levels/intro")).unwrap().0;
    let again = edit(&back, create("levels/intro", NodeKind::Dir))
        .unwrap()
        .0;
    assert_eq!(again, example());
}

#[test]
fn names_of_levels_change_the_length_of_the_file() {
    let (image, said) = edit(&example(), Edit::set("status/current_level", "overworld\n")).unwrap();
    let counted = patched(&example(), 119, &[9]);
    assert_eq!(image, spliced(&counted, 121, 5, b"overworld"));
    assert!(said.contains("no entry of that name"), "{said}");
    let (image, said) = edit(&example(), Edit::set("status/menu_level", "intro")).unwrap();
    assert_eq!(
        image,
        spliced(&patched(&example(), 126, &[5]), 128, 4, b"intro")
    );
    assert_eq!(said, "");
    let empty = set(&example(), "current_level", "\n").unwrap();
    assert_eq!(empty, spliced(&patched(&example(), 119, &[0]), 121, 5, b""));
    for text in ["a/b", "a\\b", "a\tb", "two\nlines", "nul\0"] {
        assert!(set(&example(), "current_level", text).is_err(), "{text:?}");
    }
    let not_text = Edit::set("status/current_level", b"\xff".to_vec());
    assert!(edit(&example(), not_text).is_err());
    let long = "x".repeat(65536);
    assert!(set(&example(), "current_level", &long).is_err());
    let longest = set(&example(), "current_level", &long[1..]).unwrap();
    assert_eq!(longest.len(), example().len() - 5 + 65535);
}

#[test]
fn ice_gates_are_made_by_their_names_and_removed() {
    let end = example().len();
    let made = edit(&example(), create("ice_gates/levels/#5-7", NodeKind::Leaf))
        .unwrap()
        .0;
    let counted = patched(&example(), end - 4, &[1]);
    assert_eq!(made, spliced(&counted, end, 0, &[7, 0, 0x50, 0]));
    assert_eq!(
        edit(&made, remove("ice_gates/levels/#5-7")).unwrap().0,
        example()
    );
    let other = edit(&made, create("ice_gates/overworld/#5-7", NodeKind::Leaf))
        .unwrap()
        .0;
    let counted = patched(&made, end - 8, &[1]);
    assert_eq!(other, spliced(&counted, end - 4, 0, &[7, 0, 0x50, 0]));
    assert!(
        edit(&made, create("ice_gates/levels/#5-7", NodeKind::Leaf)).is_err(),
        "twice"
    );
    for name in ["#5-07", "5-7", "#4096-0", "#0-1048576", "gate", "#-1-3"] {
        let refused = edit(
            &example(),
            create(&format!("ice_gates/levels/{name}"), NodeKind::Leaf),
        );
        assert!(refused.is_err(), "{name}");
    }
    assert!(
        set(&example(), "ice_gates/levels/#5-7", "open").is_err(),
        "it has no value"
    );
    assert_eq!(set(&example(), "ice_gates/levels/#5-7", ""), Ok(made));
    let twice = fixture("status/gates_twice/Status.sokoban_status");
    let one = edit(&twice, remove("ice_gates/overworld/#1-1~2"))
        .unwrap()
        .0;
    assert_eq!(one.len(), twice.len() - 4);
}

#[test]
fn what_is_kept_is_refused() {
    for (path, text) in [
        ("version", "32"),
        ("reserved", "1"),
        ("string_table/0/key", "x"),
        ("string_table/0/number", "1"),
        ("string_table/0/value", "x"),
        ("nothing", "1"),
    ] {
        assert!(set(&full(), path, text).is_err(), "{path}");
    }
    assert!(edit(&full(), remove("string_table/0")).is_err());
    assert!(edit(&full(), create("string_table/2", NodeKind::Dir)).is_err());
    assert!(edit(&full(), remove("levels")).is_err());
}

#[test]
fn entries_that_no_name_addresses_are_reached_by_their_number() {
    let twice = fixture("status/levels_equal/Status.sokoban_status");
    let names = |image: &[u8]| {
        let save = open(NAME, image, None).unwrap();
        let levels = walk::resolve(&save.root(), "status/levels").unwrap();
        let entries = walk::entries(levels.as_dir().unwrap());
        entries
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&twice), ["twice", "intro", "~2", "~3"]);
    for path in [
        "levels/twice/entered",
        "levels/~2/flags",
        "levels/~3/solved",
    ] {
        let refused = set(&twice, path, "1").unwrap_err();
        assert!(refused.contains("several entries"), "{path}: {refused}");
    }
    let one = edit(&twice, remove("levels/~3")).unwrap().0;
    let last = edit(&one, remove("levels/twice")).unwrap().0;
    assert_eq!(names(&last), ["intro", "twice"]);
    assert!(set(&last, "levels/twice/flags", "0").is_ok(), "alone again");
    let odd = fixture("status/levels_unaddressable/Status.sokoban_status");
    let shown = names(&odd);
    assert_eq!(
        shown[..7],
        ["~0", "~1", "~2", "%2e", "%2e.", "%252F", "%2ehidden"]
    );
    assert!(shown[7].len() <= 255 && shown[7].ends_with("n~7"));
    let bytes = fixture("status/levels_not_utf8/Status.sokoban_status");
    assert_eq!(names(&bytes), ["caf%e9", "%ff%fe", "intro"]);
    let (solved, _) = edit(&bytes, Edit::set("status/levels/caf%e9/solved", "0")).unwrap();
    assert_eq!(solved, patched(&bytes, find(&bytes, b"caf\xe9") + 4, &[0]));
}

#[test]
fn bytes_that_are_no_text_are_shown_and_may_be_written_back() {
    let image = fixture("status/strings_not_utf8/Status.sokoban_status");
    let save = open(NAME, &image, None).unwrap();
    assert_eq!(value(&save, "status/current_level"), "caf\\xe9");
    assert_eq!(
        set(&image, "current_level", "caf\\xe9\n"),
        Ok(image.clone())
    );
    assert_eq!(set(&image, "rank", "1").unwrap().len(), image.len());
}

#[test]
fn other_versions_and_broken_files_say_how_the_game_mends_them() {
    let tentative = fixture("status/version_32/Status.sokoban_status");
    let refused = set(&tentative, "rank", "1").unwrap_err();
    assert!(
        refused.contains("load the campaign in the game once"),
        "{refused}"
    );
    let raw = open(
        NAME,
        &fixture("status/version_32_rank_6/Status.sokoban_status"),
        None,
    )
    .unwrap();
    let why = raw.read_only().unwrap();
    assert!(
        why.contains("a rank above 5") && why.contains("as version 33"),
        "{why}"
    );
    let broken = fixture("status/byte_more/Status.sokoban_status");
    let refused = set(&broken, "rank", "1").unwrap_err();
    assert!(
        refused.contains("expected the end of the file, found 1 more bytes"),
        "{refused}"
    );
}

#[test]
fn every_writable_node_takes_what_it_shows_and_knows_its_range() {
    for case in [
        "campaign",
        "status/full",
        "status/odd_values",
        "status/levels_alike",
        "status/time_no_date",
    ] {
        let image = fixture(&format!("{case}/{NAME}"));
        let save = open(NAME, &image, None).unwrap();
        let mut writable = 0;
        walk::walk(&save.root(), "", &mut |path, node| {
            let Node::Leaf(leaf) = node else { return true };
            if leaf.access() == crate::tree::Access::ReadWrite {
                writable += 1;
                let shown = leaf.read().into_owned();
                for end in 0..=shown.len() {
                    leaf.feasible(&shown[..end])
                        .unwrap_or_else(|e| panic!("{case} {path}: {e}"));
                }
                let edit = Edit::set(path, shown);
                let same = edited(NAME, &image, &[edit]).unwrap_or_else(|e| panic!("{case}: {e}"));
                assert_eq!(same, (image.clone(), String::new()), "{case} {path}");
                assert_ne!(leaf.about().legal(), "", "{path}");
            }
            true
        });
        assert!(writable > 20, "{case}");
    }
}
