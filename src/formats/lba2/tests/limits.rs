//! Every limit of lba2.md 2, 5 to 8 and 11: what is legal is taken, the next value is not.

use super::*;
use crate::tree::{Fault, Weight};

/// Path, legal values, values that are refused.
type Limit = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const LIMITS: &[Limit] = &[
    (
        "lba/behaviour",
        &["athletic", "skeleton", "space_suit_outdoors"],
        &["14", "255", "-1", "flying", ""],
    ),
    (
        "lba/kashes",
        &["0", "999", "65535"],
        &["-1", "65536", "1.5"],
    ),
    ("lba/zlitos", &["0", "999", "65535"], &["-1", "65536"]),
    ("lba/magic_level", &["0", "4"], &["5", "-1"]),
    ("lba/magic_points", &["0", "80"], &["81", "256"]),
    ("lba/keys", &["0", "255"], &["256"]),
    ("lba/clover_boxes", &["0", "10"], &["-1", "11"]),
    ("lba/clovers", &["0", "5"], &["32768"]),
    ("lba/chapter", &["0", "19"], &["20", "-1"]),
    ("lba/vars/253", &["0", "19"], &["20", "-1"]),
    ("lba/vars/60", &["-32768", "32767"], &["32768", "-32769"]),
    ("lba/scene_vars/3", &["0", "255"], &["256", "-1"]),
    (
        "lba/weapon",
        &[
            "magic_ball",
            "darts",
            "pisto_laser",
            "sword",
            "glove",
            "horn",
            "blowgun",
            "space_suit",
        ],
        &["0", "3", "24", "41", "fist"],
    ),
    ("lba/followed_object", &["0", "5"], &["6", "255"]),
    ("lba/saved_behaviour", &["normal", "skeleton"], &["14"]),
    ("lba/saved_body", &["tunic", "none"], &["256", "robe"]),
    (
        "lba/restart/x",
        &["0", "-2", "2147483647"],
        &["-1", "2147483648"],
    ),
    ("lba/restart/y", &["-1"], &["2147483648"]),
    ("lba/life", &["1", "255"], &["0", "256", "-5"]),
    ("lba/objects/0/life", &["1", "255"], &["0", "256"]),
    ("lba/objects/2/life", &["0", "255"], &["256", "-1"]),
    ("lba/position/x", &["0", "32767"], &["-1", "32768"]),
    ("lba/position/z", &["0", "32767"], &["-1", "32768"]),
    ("lba/position/y", &["0", "7000"], &["2147483648"]),
    ("lba/position/facing", &["0", "4095"], &["4096", "-1"]),
    ("lba/objects/2/beta", &["0", "4095"], &["4096"]),
    (
        "lba/objects/2/file3d_index",
        &["-1", "100000"],
        &["-2", "100001"],
    ),
    ("lba/objects/1/info1", &["-1", "9"], &["-2", "10"]),
    ("lba/objects/2/info1", &["-2", "10"], &["2147483648"]),
    (
        "lba/objects/2/carried_by",
        &["-1", "0", "5", "1024", "1300"],
        &["6", "255", "518"],
    ),
    ("lba/objects/0/carried_by", &["-1", "5"], &["6"]),
    (
        "lba/objects/2/move",
        &["still", "circle"],
        &["14", "running"],
    ),
    ("lba/objects/2/anim_mode", &["repeat", "final"], &["5"]),
    ("lba/objects/2/loop_volume", &["0", "127"], &["128"]),
    ("lba/objects/2/interpolator", &["0", "65535"], &["65536"]),
    (
        "lba/objects/2/flags",
        &["none", "pushable,bit31"],
        &["bit32", "soft"],
    ),
    ("lba/items/5/state", &["0", "3"], &["4", "-1"]),
    ("lba/items/22/charge", &["0", "100"], &["101", "-1"]),
    ("lba/items/5/charge", &["-7", "1000"], &["2147483648"]),
    (
        "lba/items/5/flags",
        &["none", "in_use,quantity,bit31"],
        &["bit32"],
    ),
    (
        "lba/holomap/60",
        &["none", "shown", "done"],
        &["3", "4", "hidden"],
    ),
    ("lba/climbing", &["no", "down"], &["3"]),
    ("lba/inventory_cursor", &["0", "34"], &["35", "-1"]),
    ("lba/inventory_action", &["-1", "39"], &["-2", "40"]),
    ("lba/magic_ball_extra", &["-1", "49"], &["-2", "50"]),
    ("lba/horn_extra", &["-1", "49"], &["-2", "50"]),
    ("lba/magic_ball_type", &["0", "5"], &["6"]),
    (
        "lba/magic_ball_flags",
        &["none", "thrown,released,recalled"],
        &["bit32"],
    ),
    ("lba/last_direction_flag", &["true", "false"], &["2", "yes"]),
    ("lba/speech_bubbles", &["true", "false"], &["2", "yes"]),
    ("lba/ladder_zone_pointer", &["0"], &["1", "4294967295"]),
    ("lba/darts/0/cube", &["-1", "222"], &["-2", "223"]),
    ("lba/darts/0/alpha", &["0", "4095"], &["4096"]),
    ("lba/camera/beta", &["0", "4095"], &["4096", "-1"]),
    ("lba/camera_cell_x", &["-4194304", "4194303"], &["4194304"]),
    ("lba/camera_preset", &["0", "1"], &["2", "-1"]),
    ("lba/cars/0/cube", &["0", "222"], &["223", "-1"]),
    (
        "lba/car_object",
        &["0", "100", "127", "133"],
        &["134", "255"],
    ),
    ("lba/slate/1", &["empty", "dome", "127"], &["128", "-2"]),
    ("lba/slate/current", &["0", "2"], &["3", "5"]),
    (
        "lba/move_to_scene",
        &["0", "222"],
        &["223", "-1", "nowhere"],
    ),
];

#[test]
fn what_is_legal_is_taken_and_what_is_not_is_refused() {
    let save = opened("PLAIN32C");
    for (path, good, bad) in LIMITS {
        for value in *good {
            set(&save, path, value);
        }
        for value in *bad {
            assert_eq!(
                refused(&save, path, value),
                Errno::Invalid,
                "{path}={value}"
            );
        }
    }
}

#[test]
fn the_same_limits_hold_in_a_checkpoint() {
    let save = opened("CHECK32");
    for (path, good, bad) in LIMITS
        .iter()
        .filter(|(path, ..)| *path != "lba/move_to_scene")
    {
        let path = path.replacen("lba/", "lba/checkpoint/", 1);
        set(&save, &path, good[0]);
        assert_eq!(refused(&save, &path, bad[0]), Errno::Invalid, "{path}");
    }
}

#[test]
fn counts_keys_and_what_others_hold_are_read_only() {
    let save = opened("CHECK64");
    for path in [
        "lba/version",
        "lba/layout",
        "lba/scene",
        "lba/scene_checksum",
        "lba/patch_count",
        "lba/slate/count",
        "lba/checkpoint_size",
        "lba/inventory/8",
        "lba/vars/8",
        "lba/objects/1/texture_ptr",
        "lba/trailing.bin",
    ] {
        if path == "lba/trailing.bin" {
            assert!(save.node(path).is_err());
        } else {
            assert_eq!(refused(&save, path, "1234"), Errno::NotPermitted, "{path}");
        }
    }
    assert_eq!(
        refused(&opened("EXTRAS32"), "lba/extras/0/body_ptr", "5"),
        Errno::NotPermitted
    );
    assert_eq!(
        refused(&opened("FLOWS32"), "lba/flows/0/dots_ptr", "5"),
        Errno::NotPermitted
    );
}

#[test]
fn free_slots_and_dead_dots_are_never_stored() {
    let extras = opened("EXTRAS32");
    assert_eq!(
        refused(&extras, "lba/extras/2/sprite", "-1"),
        Errno::Invalid
    );
    set(&extras, "lba/extras/2/sprite", "-32764");
    let incrusts = opened("INCRUSTS");
    assert_eq!(
        refused(&incrusts, "lba/incrusts/0/number", "-1"),
        Errno::Invalid
    );
    set(&incrusts, "lba/incrusts/0/number", "12");
    let flows = opened("FLOWS32");
    assert_eq!(
        refused(&flows, "lba/flows/0/dots/1/mode", "dead"),
        Errno::Invalid
    );
    assert_eq!(
        refused(&flows, "lba/flows/0/dots/1/mode", "3"),
        Errno::Invalid
    );
    set(&flows, "lba/flows/0/dots/1/mode", "waiting");
    assert_eq!(
        refused(&flows, "lba/flows/0/dots_allocated", "2"),
        Errno::Invalid
    );
    assert_eq!(
        refused(&flows, "lba/flows/0/dots_allocated", "101"),
        Errno::Invalid
    );
    set(&flows, "lba/flows/0/dots_allocated", "3");
    assert_eq!(
        refused(&flows, "lba/flows/0/dots/1/colour", "256"),
        Errno::Invalid
    );
}

#[test]
fn names_are_of_the_games_characters_and_at_most_100() {
    let save = opened("PLAIN32C");
    let long = "\u{e9}".repeat(100);
    let renamed = set(&save, "lba/name", &long);
    assert_eq!(saved(&renamed).head.name, 100);
    assert_eq!(get(&open(&file_of(&renamed)), "lba/name"), long);
    set(&save, "lba/name", "");
    assert_eq!(
        refused(&save, "lba/name", &format!("{long}x")),
        Errno::TooLong
    );
    for bad in "<>:\"|\\/".chars() {
        assert_eq!(
            refused(&save, "lba/name", &format!("a{bad}b")),
            Errno::Invalid
        );
        let node = save.node("lba/name").unwrap();
        assert!(
            node.as_leaf()
                .unwrap()
                .feasible(format!("a{bad}").as_bytes())
                .is_err()
        );
    }
    assert_eq!(refused(&save, "lba/name", "\u{4e2d}"), Errno::Unencodable);
    assert_eq!(refused(&save, "lba/name", "two\nlines"), Errno::Unencodable);
    assert!(cautions(&save, "lba/name", "Current\n").contains("keeps this name"));
    let whole = opened("NAME100");
    set(&whole, "lba/kashes", "4");
    assert_eq!(
        file_of(&set(
            &set(&whole, "lba/name", "x"),
            "lba/name",
            &get(&whole, "lba/name")
        )),
        fixture("NAME100")
    );
}

#[test]
fn what_is_out_of_range_is_shown_and_survives_other_edits() {
    let save = opened("OUTRANGE");
    assert_eq!(get(&save, "lba/behaviour"), "200");
    let warned: Vec<String> = save
        .0
        .findings()
        .into_iter()
        .filter(|f| f.weight == Weight::Warning)
        .map(|f| f.path)
        .collect();
    for path in [
        "behaviour",
        "magic_level",
        "magic_points",
        "chapter",
        "items/5/state",
        "followed_object",
        "slate/current",
        "slate/count",
        "objects/2/carried_by",
    ] {
        assert!(
            warned.contains(&format!("lba/{path}")),
            "{path}: {warned:?}"
        );
    }
    let after = set(&save, "lba/keys", "1");
    assert_eq!(get(&after, "lba/behaviour"), "200");
    assert_eq!(refused(&save, "lba/behaviour", "201"), Errno::Invalid);
    set(&save, "lba/behaviour", "normal");
}

/// The plain twin of a fixture with bytes changed at an offset, opened.
fn damaged(name: &str, at: impl Fn(&Saved) -> usize, bytes: &[u8]) -> Option<Fault> {
    let twin = opened(name);
    let mut file = twin.image().to_vec();
    file[0] &= !0x80;
    let at = at(saved(&twin));
    file[at..at + bytes.len()].copy_from_slice(bytes);
    let save = open(&file);
    let damage = save
        .0
        .findings()
        .into_iter()
        .any(|f| f.weight == Weight::Damage);
    assert_eq!(damage, saved(&save).skeleton.fault.is_some());
    saved(&save).skeleton.fault.clone()
}

#[test]
fn what_the_loader_refuses_is_damage_with_its_field_and_place() {
    let i32s = |value: i32| value.to_le_bytes().to_vec();
    type Place = fn(&Saved) -> usize;
    let objects: Place = |s| s.skeleton.main.objects.unwrap().at;
    let count: Place = |s| s.skeleton.main.objects.unwrap().at - 4;
    let patches: Place = |s| s.skeleton.main.patches.unwrap().at - 8;
    let patch_bytes: Place = |s| s.skeleton.main.patches.unwrap().at - 4;
    let extras: Place = |s| s.skeleton.main.extras.unwrap().at - 1;
    let zones: Place = |s| s.skeleton.main.zones.unwrap().at - 4;
    let incrusts: Place = |s| s.skeleton.main.incrusts.unwrap().at - 1;
    let flows: Place = |s| s.skeleton.main.flows.as_ref().unwrap()[0].flow.at - 1;
    let dots: Place = |s| s.skeleton.main.flows.as_ref().unwrap()[0].dots.at - 1;
    let size: Place = |s| s.skeleton.checkpoint.unwrap().at - 4;
    let cases: Vec<(&str, Place, Vec<u8>, &str, &str)> = vec![
        ("MINIMAL", count, i32s(101), "number of objects", "0..100"),
        ("MINIMAL", count, i32s(-1), "number of objects", "0..100"),
        (
            "ONEOBJ32",
            |s| s.skeleton.main.objects.unwrap().at + 58,
            i32s(-2),
            "file3d_index of object 0",
            "-1..100000",
        ),
        (
            "ONEOBJ32",
            |s| s.skeleton.main.objects.unwrap().at + 58,
            i32s(100_001),
            "file3d_index of object 0",
            "-1..100000",
        ),
        (
            "PLAIN32C",
            patches,
            i32s(501),
            "number of patches",
            "0..500",
        ),
        ("ZONES", patch_bytes, i32s(26), "bytes of patches", "27.."),
        ("EXTRAS32", extras, vec![51], "number of extras", "0..50"),
        ("PLAIN32C", zones, i32s(256), "number of zones", "0..255"),
        (
            "INCRUSTS",
            incrusts,
            vec![11],
            "number of incrusts",
            "0..10",
        ),
        ("FLOWS32", flows, vec![11], "number of flows", "0..10"),
        ("FLOWS32", dots, vec![101], "number of dots", "0..100"),
        ("CHECK32", size, i32s(50_001), "checkpoint_size", "0..50000"),
        ("CHECK32", size, i32s(-1), "checkpoint_size", "0..50000"),
    ];
    for (name, at, bytes, field, expected) in cases {
        let fault = damaged(name, at, &bytes).unwrap_or_else(|| panic!("{name}: {field} is taken"));
        assert!(fault.field.starts_with(field), "{name}: {fault}");
        assert!(fault.expected.starts_with(expected), "{name}: {fault}");
        let place = at(saved(&opened(name))) as u64;
        assert_eq!(fault.offset, place, "{name}: {fault}");
    }
    assert!(damaged("PLAIN32C", objects, &[0]).is_none());
}

#[test]
fn a_broken_envelope_is_a_fault_with_its_field_and_place() {
    let fault = |file: &[u8]| Lba2.open(file, &Options::default()).err().unwrap();
    let plain = fixture("PLAIN32U");
    let packed = fixture("PLAIN32C");
    let large = [vec![36; 3], vec![0; 307_712]].concat();
    let mut nameless = plain.clone();
    nameless[5..5 + 101].fill(b'x');
    let mut huge = packed.clone();
    huge[14..18].copy_from_slice(&307_713i32.to_le_bytes());
    let mut negative = packed.clone();
    negative[14..18].copy_from_slice(&(-1i32).to_le_bytes());
    for (file, field, offset) in [
        (&[][..], "version", 0),
        (&plain[..3], "scene", 1),
        (&nameless[..], "name", 5),
        (&packed[..15], "expanded size", 14),
        (&huge[..], "expanded size", 14),
        (&negative[..], "expanded size", 14),
        (&large[..], "size of the save", 0),
    ] {
        let fault = fault(file);
        assert_eq!(
            (fault.field.as_str(), fault.offset),
            (field, offset),
            "{fault}"
        );
        assert!(
            !fault.expected.is_empty() && !fault.found.is_empty(),
            "{fault}"
        );
    }
}

#[test]
fn a_save_that_the_menu_cannot_list_is_a_warning() {
    let mut file = fixture("PLAIN32U");
    file.resize(257_712, 0);
    assert!(
        !finding_codes(&open(&file).0)
            .iter()
            .any(|(code, _)| *code == "menu")
    );
    let longer = refused(&open(&file), "lba/name", "a name that is longer by some");
    assert_eq!(longer, Errno::Damaged);
    file.push(0);
    assert!(
        finding_codes(&open(&file).0)
            .iter()
            .any(|(code, _)| *code == "menu")
    );
}

#[test]
fn another_revision_opens_for_reading_only() {
    let mut file = fixture("PLAIN32U");
    file[0] = 35;
    let save = open(&file);
    assert!(save.0.read_only().unwrap().contains("35"));
    assert!(opened("PLAIN32U").0.read_only().is_none());
}

/// What a node says is legal, against what it takes.
#[test]
fn a_node_says_the_limits_that_it_keeps() {
    for (path, range) in [
        ("lba/position/x", 0..=32_767),
        ("lba/objects/0/z", 0..=32_767),
        ("lba/position/facing", 0..=4095),
        ("lba/objects/1/info1", -1..=9),
        ("lba/items/22/charge", 0..=100),
        ("lba/life", 1..=255),
        ("lba/objects/0/life", 1..=255),
    ] {
        let save = opened("PLAIN32C");
        let node = save.node(path).unwrap();
        let said = node.as_leaf().unwrap().about().range.unwrap();
        assert_eq!(
            said,
            format!("{}..{}", range.start(), range.end()),
            "{path}"
        );
        for legal in [range.start(), range.end()] {
            set(&save, path, &legal.to_string());
        }
        for wrong in [range.start() - 1, range.end() + 1] {
            assert_eq!(
                refused(&save, path, &wrong.to_string()),
                Errno::Invalid,
                "{path}"
            );
        }
    }
    let other = opened("PLAIN32C");
    let node = other.node("lba/objects/2/x").unwrap();
    let said = node.as_leaf().unwrap().about().range.unwrap();
    assert_eq!(said, "-2147483648..2147483647");
}
