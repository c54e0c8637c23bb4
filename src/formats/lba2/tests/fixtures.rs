//! What the fixtures were made of is what the tree shows.

use super::*;
use crate::tree::{Access, Node, NodeKind, walk};

#[test]
fn the_trees_show_what_the_fixtures_were_made_of() {
    let mut lines = 0;
    for name in fixture_names() {
        let save = opened(&name);
        let text = std::fs::read_to_string(folder().join(format!("{name}.LBA.values"))).unwrap();
        for line in text.lines() {
            let (path, value) = line.split_once('=').unwrap();
            assert_eq!(get(&save, path), value, "{name}: {path}");
            lines += 1;
        }
    }
    assert!(lines > 20_000, "{lines} values");
}

#[test]
fn decoding_and_encoding_gives_the_file_again() {
    for name in fixture_names() {
        let file = fixture(&name);
        let save = opened(&name);
        let again = file_of(&save);
        if ["LITERALS", "NEAREST"].contains(&name.as_str()) {
            assert_ne!(again, file, "{name} is of another encoder");
        } else {
            assert_eq!(again, file, "{name}");
        }
        assert_eq!(open(&again).image(), save.image(), "{name}");
    }
}

#[test]
fn a_stream_of_another_encoder_is_a_caution_and_editable() {
    for name in ["LITERALS", "NEAREST"] {
        let save = opened(name);
        assert!(
            finding_codes(&save.0).contains(&("stream", "lba/compressed".into())),
            "{name}"
        );
        let after = set(&save, "lba/kashes", "77");
        assert!(
            !finding_codes(&after.0)
                .iter()
                .any(|(code, _)| *code == "stream")
        );
        assert_eq!(get(&open(&file_of(&after)), "lba/kashes"), "77");
    }
    assert!(
        !finding_codes(&opened("PLAIN32C").0)
            .iter()
            .any(|(code, _)| *code == "stream")
    );
}

#[test]
fn trailing_bytes_are_seen_and_kept() {
    for (name, length) in [("TRAILRAW", 13), ("TRAILLZ", 9)] {
        let (file, save) = (fixture(name), opened(name));
        let node = save.node("lba/trailing.bin").unwrap();
        let bytes = node.as_leaf().unwrap().read().into_owned();
        assert_eq!(bytes, file[file.len() - length..], "{name}");
        let after = set(&save, "lba/name", "longer than it was");
        let edited = file_of(&after);
        assert!(edited.ends_with(&bytes), "{name}");
        assert_eq!(
            file_of(&set(&after, "lba/name", &get(&save, "lba/name"))),
            file,
            "{name}"
        );
        let switched = set(
            &save,
            "lba/compressed",
            if name == "TRAILRAW" { "true" } else { "false" },
        );
        assert_ne!(file_of(&switched), file);
        let back = open(&file_of(&switched));
        let back = set(&back, "lba/compressed", &get(&save, "lba/compressed"));
        assert_eq!(back.image(), save.image(), "{name}");
    }
    assert!(opened("PLAIN32C").node("lba/trailing.bin").is_err());
}

#[test]
fn every_writable_leaf_takes_what_it_holds_as_no_edit() {
    for name in fixture_names() {
        let save = opened(&name);
        walk::leaves(&Arc::clone(&save.0).root(), "", &mut |path, leaf| {
            let value = leaf.read().into_owned();
            assert_eq!(value.len() as u64, leaf.size(), "{name}: {path}");
            if leaf.access() == Access::ReadWrite {
                leaf.feasible(&value)
                    .unwrap_or_else(|r| panic!("{name}: {path}: {r}"));
                let mut draft = crate::tree::Draft::new(save.image().to_vec(), false);
                leaf.write(&value, &mut draft)
                    .unwrap_or_else(|r| panic!("{name}: {path}: {r}"));
                assert!(draft.is_clean(), "{name}: {path}");
            }
        });
    }
}

#[test]
fn leaves_say_where_their_bytes_are_and_what_they_mean() {
    let save = opened("CHECK32");
    let mut seen = 0;
    walk::leaves(&Arc::clone(&save.0).root(), "", &mut |path, leaf| {
        let about = leaf.about();
        assert!(
            !about.doc.is_empty() || path.contains("vars/"),
            "{path} has no meaning"
        );
        for span in leaf.spans() {
            assert!(span.offset + span.length <= save.image().len(), "{path}");
            seen += 1;
        }
        if leaf.access() == Access::ReadWrite {
            assert!(!about.legal().is_empty(), "{path}");
        }
    });
    assert!(seen > 3000, "{seen}");
}

#[test]
fn names_are_links_to_numbers() {
    let save = opened("PLAIN32C");
    let link = |path: &str| {
        let (parent, name) = walk::split(path);
        match save.node(&parent).unwrap().as_dir().unwrap().get(name) {
            Some(Node::Link(target)) => target,
            _ => panic!("{path} is no link"),
        }
    };
    assert_eq!(link("lba/inventory/proto_pack"), "12");
    assert_eq!(link("lba/vars/chapter"), "253");
    assert_eq!(link("lba/holomap/citadel_island_tavern"), "53");
    assert!(save.node("lba/inventory/chapter").is_err());
    let after = save.set("lba/inventory/proto_pack", "1").unwrap();
    assert_eq!(get(&after, "lba/vars/12"), "1");
    let dir = save.node("lba/holomap").unwrap();
    let entries = walk::entries(dir.as_dir().unwrap());
    let links = entries
        .iter()
        .filter(|(_, kind)| *kind == NodeKind::Link)
        .count();
    assert_eq!((entries.len() - links, links), (305, 223));
}

#[test]
fn the_summary_says_what_a_player_wants_to_know() {
    let lines = opened("CHECK32").0.summary();
    let of = |label: &str| lines.iter().find(|(l, _)| l == label).unwrap().1.clone();
    assert_eq!(of("name"), "Checkpoint");
    assert_eq!(of("scene"), "26 (citadel_island_dome_slate)");
    assert_eq!(of("money"), "123 kashes, 456 zlitos");
    assert_eq!(of("magic"), "47 points, level 3");
    assert_eq!(
        (of("layout"), of("compressed")),
        ("wire32".into(), "true".into())
    );
}

#[test]
fn an_uncompressed_save_changes_in_its_field_only() {
    let (file, save) = (fixture("PLAIN32U"), opened("PLAIN32U"));
    let edited = file_of(&set(&save, "lba/zones/1/info7", "-5"));
    let leaf = save.node("lba/zones/1/info7").unwrap();
    let span = leaf.as_leaf().unwrap().spans()[0];
    let different: Vec<usize> = (0..file.len())
        .filter(|at| file[*at] != edited[*at])
        .collect();
    assert_eq!(edited.len(), file.len());
    assert!(!different.is_empty());
    assert!(
        different
            .iter()
            .all(|at| (span.offset..span.offset + 4).contains(at))
    );
}

#[test]
fn compressed_and_plain_are_the_same_image_but_for_one_bit() {
    let (packed, plain) = (opened("PLAIN32C"), opened("PLAIN32U"));
    assert_eq!(packed.image()[1..], plain.image()[1..]);
    assert_eq!((packed.image()[0], plain.image()[0]), (0xA4, 0x24));
    let unpacked = set(&packed, "lba/compressed", "false");
    assert_eq!(file_of(&unpacked), fixture("PLAIN32U"));
    assert_eq!(
        file_of(&set(&unpacked, "lba/compressed", "true")),
        fixture("PLAIN32C")
    );
}

#[test]
fn wide_slots_keep_their_upper_half() {
    let save = opened("PLAIN64U");
    let high = get(&save, "lba/objects/2/body_high");
    let after = set(&save, "lba/objects/2/body", "-1");
    assert_eq!(get(&after, "lba/objects/2/body_high"), high);
    assert_eq!(
        refused(&save, "lba/objects/2/texture_ptr", "1"),
        Errno::NotPermitted
    );
    assert_eq!(
        refused(&save, "lba/objects/2/body_high", "1"),
        Errno::NotPermitted
    );
}

/// The ends of a range in words, `-1..222`.
fn ends(range: &str) -> Option<(i128, i128)> {
    let (low, high) = range.split_once("..")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// Leaves that change others with them, which tests of their own cover, or have a rule beyond their range.
const COUPLED: &[&str] = &[
    "dots_allocated",
    "position/",
    "objects/0/",
    "camera_cell_",
    "camera/target_",
    "darts/",
    "slate/",
    "inventory/2",
    "vars/2",
    "inventory/4",
    "vars/4",
    "zlitos",
    "position_valid",
    "restart/x",
    "followed_object",
    "car_object",
    "carried_by",
    "objects/1/info1",
    "items/4/state",
    "items/22/charge",
    "move_to_scene",
    "extras/0/sprite",
    "weapon",
    "behaviour",
];

#[test]
fn both_ends_of_every_range_read_back_and_change_their_own_bytes_only() {
    let mut tried = 0;
    for (name, rooms) in [
        ("PLAIN64U", ["lba/"; 3]),
        ("FLOWS32", ["lba/flows/", "lba/camera/", "lba/cars/"]),
        (
            "EXTRAS64",
            ["lba/extras/0", "lba/extras/2", "lba/objects/5"],
        ),
        ("INCRUSTS", ["lba/incrusts/"; 3]),
        (
            "CHECK64",
            [
                "lba/checkpoint/extras/",
                "lba/checkpoint/flows/",
                "lba/checkpoint/zones/",
            ],
        ),
    ] {
        let save = opened(name);
        walk::leaves(&Arc::clone(&save.0).root(), "", &mut |path, leaf| {
            let wanted = rooms.iter().any(|room| path.starts_with(room));
            let coupled = COUPLED.iter().any(|part| path.contains(part));
            let crowd =
                path.contains("vars/1") || path.contains("objects/4") || path.contains("objects/3");
            let about = leaf.about();
            let (true, Some((low, high))) = (
                wanted && !coupled && !crowd && leaf.access() == Access::ReadWrite,
                about.range.as_deref().and_then(ends),
            ) else {
                return;
            };
            let span = leaf.spans()[0];
            for value in [low, high] {
                let after = set(&save, path, &value.to_string());
                let differ = |at: &usize| after.image()[*at] != save.image()[*at];
                let changed: Vec<usize> = (0..save.image().len()).filter(differ).collect();
                let own = span.offset..span.offset + span.length;
                assert!(
                    changed.iter().all(|at| own.contains(at)),
                    "{name}: {path}={value}: {changed:?}"
                );
                tried += 1;
            }
            for value in [low - 1, high + 1] {
                assert_eq!(
                    refused(&save, path, &value.to_string()),
                    Errno::Invalid,
                    "{name}: {path}={value}"
                );
            }
        });
    }
    assert!(tried > 1000, "{tried}");
}
