//! The worked example of starlancer.md 12.

use super::{Desk, bytes, listing};
use crate::formats::{self, Likeness, Options, Probe};
use std::path::Path;

/// A campaign like a new pilot's: mission 1, nothing flown, no ship chosen.
const NEW: &str = "ENDGAMEGAME07.IFF";

/// What the text of the example says.
const EXAMPLE: [(&str, &str); 24] = [
    ("campaign/name", "Test"),
    ("campaign/mission", "6"),
    ("campaign/call_sign", "ACE"),
    ("campaign/kills", "41"),
    ("campaign/rank", "first_lieutenant"),
    ("campaign/difficulty", "medium"),
    ("campaign/missions/1/rating", "success"),
    ("campaign/missions/2/rating", "success_bonus"),
    ("campaign/missions/3/rating", "partial_success"),
    ("campaign/missions/4/rating", "success"),
    ("campaign/missions/5/rating", "partial_failure"),
    ("campaign/missions/1/kills", "9"),
    ("campaign/missions/2/kills", "8"),
    ("campaign/missions/3/kills", "7"),
    ("campaign/missions/4/kills", "9"),
    ("campaign/missions/5/kills", "8"),
    ("campaign/missions/5/promotion", "1"),
    ("campaign/loadout/ship", "crusader"),
    ("campaign/loadout/racks/1", "havoc"),
    ("campaign/loadout/racks/2", "havoc"),
    ("campaign/loadout/racks/3", "screamer"),
    ("campaign/loadout/racks/4", "screamer"),
    ("campaign/variables/ghost_alive", "0"),
    ("campaign/variables/last_success", "partial_failure"),
];

#[test]
fn it_is_built_from_a_new_campaign_to_the_same_bytes() {
    let desk = Desk::with("ACEGAME01.IFF", &bytes(NEW), &[], false);
    let done = desk.try_all(&EXAMPLE).expect("legal");
    assert_eq!(done.after, bytes("ACEGAME01.IFF"));
    for (path, value) in EXAMPLE {
        assert_eq!(desk.get(path), value, "{path}");
    }
}

#[test]
fn it_shows_all_that_the_text_says() {
    let desk = Desk::of("ACEGAME01.IFF");
    for (path, value) in EXAMPLE {
        assert_eq!(desk.get(path), value, "{path}");
    }
    assert_eq!(desk.get("campaign/missions/6/rating"), "none");
    assert_eq!(desk.get("campaign/loadout/racks/5"), "empty");
    assert_eq!(desk.get("campaign/wing/2"), "frenchy");
    assert_eq!(desk.get("campaign/variables/unwritten_29"), "0");
    assert!(desk.has("campaign/missions/27/kills"));
    assert!(!desk.has("campaign/missions/28/kills"));
    assert!(!desk.has("campaign/missions/29"));
    assert_eq!(desk.get("campaign/medals/silver_cluster"), "0");
    assert_eq!(desk.get("chunks/1/id"), "MISS");
    assert_eq!(desk.get("chunks/1/offset"), "26");
    assert_eq!(desk.get("chunks/1/size"), "380");
    let now = desk.session.now();
    let codes: Vec<_> = now.findings().iter().map(|f| f.code).collect();
    assert_eq!(codes, ["S1"], "it stands alone in its folder");
}

#[test]
fn the_summary_says_what_a_pilot_wants_to_know() {
    let lines = |name| {
        let desk = Desk::of(name);
        let lines = desk.session.now().save.summary();
        let texts = lines
            .iter()
            .map(|(label, value)| format!("{label}: {value}"));
        texts.collect::<Vec<_>>()
    };
    assert_eq!(
        lines("Ren\u{e9}eGAME00.IFF"),
        [
            "name: AUTOSAVE: Mission 20",
            "call sign: Ren\u{e9}e",
            "mission: 20 (number 24 in the file)",
            "rank: Commander",
            "tier: Platinum",
            "kills: 261",
            "slot: 0, the autosave",
            "container: canonical",
        ]
    );
    let gap = "slot: 1, hidden: the game's list for ACE stops at the first missing slot, 00, until NEW SAVE GAME fills it";
    assert_eq!(lines("ACEGAME01.IFF")[6], gap);
    assert!(lines("acegame100.iff")[6].starts_with("slot: 100, the restart point"));
    assert!(
        lines("awkward/no_slot_007/ACEGAME007.IFF")[6].starts_with("slot: none: the game opens no")
    );
}

#[test]
fn a_run_of_slots_without_a_gap_hides_nothing() {
    let beside = [
        "acegame00.iff",
        "ACEGAME02.IFF",
        "ACEGAME04.IFF",
        "BOBGAME03.IFF",
    ];
    let slot = |name| {
        let desk = Desk::with(name, &bytes("ACEGAME01.IFF"), &beside, false);
        super::summary(&*desk.session.now().save, "slot")
    };
    assert_eq!(slot("ACEGAME01.IFF"), "1");
    assert!(
        slot("ACEGAME05.IFF")
            .starts_with("5, hidden: the game's list for ACE stops at the first missing slot, 01")
    );
}

#[test]
fn a_save_is_recognised_by_its_form_and_by_its_name() {
    let likeness = |name, head: &[u8]| {
        let length = head.len() as u64;
        let format = formats::by_name("StarLancer").expect("registered");
        format.recognise(&Probe { name, head, length })
    };
    assert_eq!(likeness("x", &bytes("ACEGAME01.IFF")), Likeness::Sure);
    assert_eq!(
        likeness("x", &bytes("awkward/load_form_first/ACEGAME01.IFF")),
        Likeness::Sure
    );
    assert_eq!(likeness("aGame12.iff", b"text"), Likeness::ByName);
    assert_eq!(likeness("aGame1.iff", b"text"), Likeness::No);
    assert_eq!(
        likeness("x", &bytes("awkward/other_form/ACEGAME01.IFF")),
        Likeness::No
    );
}

#[test]
fn what_is_no_save_is_refused_with_the_place_and_the_reason() {
    let fault = |name: &str| {
        let name = format!("awkward/{name}/ACEGAME01.IFF");
        let opened = formats::open(Path::new(&name), &bytes(&name), &Options::default());
        opened.err().expect("no save").to_string()
    };
    assert_eq!(
        fault("form_length_0"),
        "not a readable starlancer save: form length at offset 4: expected the length of the file less 8, found 0, as a save that was interrupted leaves it"
    );
    assert_eq!(
        fault("other_form"),
        "not a readable starlancer save: the form at offset 0: expected a FORM of type SAVE, found none in 586 bytes"
    );
}

#[test]
fn what_lies_outside_the_chunks_can_be_read() {
    let text = |name: &str, path: &str| {
        let desk = Desk::of(&format!("awkward/{name}/ACEGAME01.IFF"));
        let node = desk.session.resolve(path).expect(path);
        node.as_leaf().expect(path).read().into_owned()
    };
    assert_eq!(text("trailing_16", "chunks/after.bin"), b"sixteen trailing");
    assert_eq!(
        text("chunk_first", "chunks/before.bin"),
        b"INFO\0\0\0\x03odd\0"
    );
    assert_eq!(text("stray_7", "chunks/rest.bin"), b"strayed");
}

#[test]
fn two_opens_show_the_same_tree() {
    let one = Desk::of("ACEGAME01.IFF").session.now();
    let two = Desk::of("ACEGAME01.IFF").session.now();
    let text = listing(&one.save);
    assert_eq!(text, listing(&two.save));
    assert_eq!(text.lines().count(), 216);
}
