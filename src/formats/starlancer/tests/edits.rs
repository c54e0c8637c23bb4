//! Edits that are taken, and the bytes that they change.

use super::{Desk, bytes};
use crate::tree::{Access, walk};

/// Files that take edits, canonical or not.
const EDITABLE: [&str; 12] = [
    "ACEGAME01.IFF",
    "awkward/permuted/ACEGAME01.IFF",
    "awkward/nested_form/ACEGAME01.IFF",
    "awkward/second_miss/ACEGAME01.IFF",
    "awkward/miss_long/ACEGAME01.IFF",
    "awkward/pilo_pool/ACEGAME01.IFF",
    "awkward/miss_half_kills/ACEGAME01.IFF",
    "awkward/load_form_first/ACEGAME01.IFF",
    "awkward/trailing_3/ACEGAME01.IFF",
    "awkward/out_of_range/ACEGAME01.IFF",
    "awkward/junk/ACEGAME01.IFF",
    "awkward/odd_last_no_pad/ACEGAME01.IFF",
];

#[test]
fn writing_what_is_there_is_no_edit_and_a_kill_more_changes_one_byte() {
    for name in EDITABLE {
        let desk = Desk::of(name);
        let root = desk.session.now().root();
        let mut leaves = Vec::new();
        walk::leaves(&root, "", &mut |path, leaf| {
            let text = leaf.read().into_owned();
            if leaf.access() == Access::ReadWrite && !leaf.is_binary() {
                leaves.push((path.to_owned(), text));
            }
        });
        assert!(leaves.len() > 40, "{name}");
        for (path, text) in leaves {
            let edit = crate::session::Edit::set(&path, text);
            assert_eq!(
                desk.session.edit(&[edit]).ok(),
                Some(false),
                "{name} {path}"
            );
        }
        let kills: i64 = desk.get("campaign/kills").parse().expect("a number");
        let spans = desk.session.resolve("campaign/kills").expect("there");
        let at = spans.as_leaf().expect("a leaf").spans()[0].offset;
        let done = desk.set("campaign/kills", &(kills.max(0) + 1).to_string());
        assert!(
            done.changed().iter().all(|b| (at..at + 4).contains(b)),
            "{name}"
        );
        assert!(!done.changed().is_empty());
    }
}

#[test]
fn single_values_change_their_own_bytes() {
    // Offsets of the worked example.
    for (path, value, changed) in [
        ("campaign/missions/5/rating", "4", vec![0x8e]),
        ("campaign/missions/1/kills", "0x101", vec![0xc0, 0xc1]),
        ("campaign/medals/silver_cluster", "1", vec![0x56]),
        ("campaign/medals/6", "1", vec![0x6a]),
        ("campaign/ribbons/1", "1", vec![0x6e]),
        ("campaign/missions/28/promotion", "8", vec![0x166]),
        (
            "campaign/loadout/racks/5",
            "Jack_Hammer",
            vec![0x17c, 0x17d],
        ),
        (
            "campaign/killboard_seed",
            "-1",
            vec![0x16a, 0x16b, 0x16c, 0x16d],
        ),
        ("campaign/difficulty", "hard", vec![0x16e]),
        ("campaign/variables/ghost_alive", "1", vec![0x202]),
        ("campaign/wing/2", "mayday", vec![0x240]),
        ("campaign/wing/3", "player_or_empty", vec![0x242, 0x243]),
        ("campaign/pool/status", "dead", vec![0x234]),
    ] {
        let desk = Desk::of("ACEGAME01.IFF");
        assert_eq!(desk.set(path, value).changed(), changed, "{path}");
    }
}

#[test]
fn the_name_changes_its_chunk_the_form_length_and_nothing_else() {
    let whole = bytes("ACEGAME01.IFF");
    for (name, body, form) in [
        ("Testing", b"NAME\0\0\0\x08Testing\0".to_vec(), 0x244u32),
        ("Tests", b"NAME\0\0\0\x06Tests\0".to_vec(), 0x242),
        ("", b"NAME\0\0\0\x01\0\0".to_vec(), 0x23e),
        (
            "\u{20ac}\u{e9}\u{81}",
            b"NAME\0\0\0\x04\x80\xe9\x81\0".to_vec(),
            0x240,
        ),
    ] {
        let desk = Desk::of("ACEGAME01.IFF");
        let done = desk.set("campaign/name", name);
        let form = form.to_be_bytes();
        let wanted = [b"FORM", form.as_slice(), b"SAVE", &body, &whole[26..]].concat();
        assert_eq!(done.after, wanted, "{name:?}");
        assert_eq!(desk.get("campaign/name"), name);
        assert_eq!(desk.state(), "canonical");
        assert_eq!(desk.set("campaign/name", "Test").after, whole, "and back");
    }
}

#[test]
fn a_name_of_the_same_length_keeps_every_other_byte() {
    for (file, value) in [
        ("pad_not_zero", "Pade"),
        ("trailing_16", "Tess"),
        ("name_no_nul", "My end"),
        ("name_junk_after_nul", "Fin"),
        ("load_form_first", "Tess"),
    ] {
        let desk = Desk::of(&format!("awkward/{file}/ACEGAME01.IFF"));
        let node = desk.session.resolve("campaign/name").expect("a name");
        let at = node.as_leaf().expect("a leaf").spans()[0].offset;
        let changed = desk.set("campaign/name", value).changed();
        assert!(
            changed.iter().all(|b| (at..at + value.len()).contains(b)),
            "{file}"
        );
        assert_eq!(desk.get("campaign/name"), value);
    }
}

#[test]
fn a_name_that_is_resized_keeps_what_follows_its_nul() {
    let desk = Desk::of("awkward/name_junk_after_nul/ACEGAME01.IFF");
    let done = desk.set("campaign/name", "The end");
    assert_eq!(
        done.after[16..44],
        *b"\0\0\0\x17The end\0and then some\0\xff\0"
    );
    let desk = Desk::of("awkward/name_no_nul/ACEGAME01.IFF");
    assert_eq!(
        desk.set("campaign/name", "End").after[12..24],
        *b"NAME\0\0\0\x04End\0"
    );
    let desk = Desk::of("awkward/pad_not_zero/ACEGAME01.IFF");
    assert_eq!(
        desk.set("campaign/name", "Paddle").after[12..28],
        *b"NAME\0\0\0\x07Paddle\0\0"
    );
}

#[test]
fn a_last_name_without_its_pad_gets_one_and_the_form_says_so() {
    let desk = Desk::of("awkward/odd_last_no_pad/ACEGAME01.IFF");
    let done = desk.set("campaign/name", "Tester");
    assert_eq!(done.after.len(), done.before.len() + 3);
    assert!(done.after.ends_with(b"NAME\0\0\0\x07Tester\0\0"));
    let form = (done.after.len() as u32 - 8).to_be_bytes();
    assert_eq!(done.after[4..8], form);
}

#[test]
fn a_call_sign_is_filled_with_zeros_and_junk_goes_only_with_it() {
    let junk = bytes("awkward/junk/ACEGAME01.IFF");
    let desk = Desk::with("BENGAME01.IFF", &junk, &[], false);
    desk.set("campaign/kills", "71");
    assert_eq!(desk.current()[38..66], junk[38..66], "kept");
    let done = desk.set("campaign/call_sign", "Ben");
    let at = done
        .before
        .windows(4)
        .position(|w| w == b"ACE\0")
        .expect("the call sign");
    assert_eq!(
        done.after[at..at + 32],
        *b"Ben\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    );
    assert!(done.changed().iter().all(|b| (at..at + 32).contains(b)));
}

#[test]
fn values_out_of_range_survive_other_edits_and_are_found() {
    let desk = Desk::of("awkward/out_of_range/ACEGAME01.IFF");
    desk.set("campaign/killboard_seed", "7");
    assert_eq!(desk.get("campaign/rank"), "9");
    assert_eq!(desk.get("campaign/mission"), "29");
    assert_eq!(desk.get("campaign/missions/1/rating"), "5");
    let now = desk.session.now();
    let out: Vec<_> = now
        .findings()
        .iter()
        .filter(|f| f.code == "RANGE")
        .map(|f| f.path.as_str())
        .collect();
    for path in [
        "campaign/rank",
        "campaign/name",
        "campaign/wing/3",
        "campaign/missions/28/pickup",
    ] {
        assert!(out.contains(&path), "{path} {out:?}");
    }
    assert!(!out.contains(&"campaign/loadout/racks/3"));
}

#[test]
fn a_short_record_lacks_the_fields_that_are_cut_off() {
    let desk = Desk::of("awkward/miss_half_kills/ACEGAME01.IFF");
    assert!(desk.has("campaign/missions/4/kills") && !desk.has("campaign/missions/5/kills"));
    assert!(desk.has("campaign/missions/28/rating") && !desk.has("campaign/loadout"));
    let desk = Desk::of("awkward/miss_call_sign_whole/ACEGAME01.IFF");
    assert_eq!(desk.get("campaign/call_sign"), "ACE");
    assert!(!desk.has("campaign/rank"));
    let done = desk.set("campaign/call_sign", "Ace");
    assert_eq!(done.changed().len(), 2);
    assert_eq!(
        desk.refusal("campaign/call_sign", "ACEACEACE").errno,
        crate::tree::Errno::TooLong
    );
}
