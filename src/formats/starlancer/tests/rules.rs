//! What an edit tells without refusing: the rules of level W and info.

use super::{Desk, Done, bytes};

/// An edit of the worked example that goes through.
fn edit(edits: &[(&str, &str)]) -> Done {
    Desk::of("ACEGAME01.IFF")
        .try_all(edits)
        .expect("goes through")
}

type Edits = &'static [(&'static str, &'static str)];

/// Edits that a rule speaks of, and edits that it has nothing to say of.
const TOLD: [(&str, Edits, Edits); 24] = [
    (
        "R6",
        &[("campaign/loadout/racks/1", "empty")],
        &[("campaign/loadout/racks/4", "empty")],
    ),
    (
        "R6",
        &[("campaign/loadout/racks/9", "imp")],
        &[("campaign/loadout/racks/5", "havoc")],
    ),
    (
        "R6",
        &[
            ("campaign/loadout/racks/1", "jack_hammer"),
            ("campaign/loadout/racks/2", "jack_hammer"),
            ("campaign/loadout/racks/3", "jack_hammer"),
            ("campaign/loadout/racks/4", "jack_hammer"),
        ],
        &[("campaign/loadout/racks/4", "jack_hammer")],
    ),
    (
        "R7",
        &[("campaign/loadout/racks/1", "solomon")],
        &[("campaign/loadout/racks/1", "bandit")],
    ),
    (
        "R8",
        &[("campaign/kills", "72")],
        &[("campaign/kills", "71")],
    ),
    ("R8", &[("campaign/rank", "0")], &[("campaign/rank", "2")]),
    (
        "R9",
        &[("campaign/kills", "40")],
        &[("campaign/kills", "50")],
    ),
    (
        "R10",
        &[("campaign/missions/6/rating", "3")],
        &[("campaign/missions/5/rating", "3")],
    ),
    (
        "R10",
        &[("campaign/missions/6/kills", "1")],
        &[("campaign/missions/5/kills", "1")],
    ),
    (
        "R10",
        &[("campaign/mission", "5")],
        &[("campaign/mission", "7")],
    ),
    (
        "R11",
        &[("campaign/medals/1", "1")],
        &[("campaign/missions/1/rating", "4")],
    ),
    (
        "R11",
        &[("campaign/ribbons/1", "1")],
        &[("campaign/ribbons/1", "1"), ("campaign/mission", "8")],
    ),
    (
        "R12",
        &[("campaign/pickups", "1")],
        &[
            ("campaign/pickups", "1"),
            ("campaign/missions/3/pickup", "1"),
        ],
    ),
    (
        "R13",
        &[("campaign/mission", "14")],
        &[("campaign/mission", "11")],
    ),
    (
        "R14",
        &[("campaign/pool/status", "in_wing")],
        &[("campaign/pool/status", "dead")],
    ),
    (
        "R14",
        &[("campaign/wing/2", "ego")],
        &[("campaign/wing/2", "ego"), ("campaign/pool/status", "1")],
    ),
    (
        "R16",
        &[("campaign/tier", "silver")],
        &[("campaign/tier", "silver"), ("campaign/mission", "14")],
    ),
    (
        "R17",
        &[("campaign/mission", "1")],
        &[("campaign/mission", "2")],
    ),
    (
        "R18",
        &[("campaign/mission", "8")],
        &[("campaign/rank", "2")],
    ),
    (
        "S3",
        &[("campaign/name", "twenty characters 20")],
        &[("campaign/name", "nineteen characters")],
    ),
    (
        "S6",
        &[("campaign/variables/al_rahan_alive", "1")],
        &[("campaign/variables/fixed_gate_alive", "0")],
    ),
    (
        "S6",
        &[("campaign/variables/chapter2_thread3_shown", "1")],
        &[("campaign/variables/czar_alive", "0")],
    ),
    (
        "S7",
        &[("campaign/pool/pilot", "mayday")],
        &[("campaign/pool/status", "0")],
    ),
    (
        "S8",
        &[("campaign/wing/5", "mayday")],
        &[("campaign/wing/4", "mayday")],
    ),
];

#[test]
fn a_rule_speaks_where_it_is_broken_and_only_there() {
    for (code, broken, kept) in TOLD {
        let done = edit(broken);
        assert!(done.is_told(code), "{code} {broken:?}: {:?}", done.told);
        let done = edit(kept);
        assert!(!done.is_told(code), "{code} {kept:?}: {:?}", done.told);
    }
}

#[test]
fn a_rule_is_silent_on_edits_of_other_fields() {
    let desk = Desk::of("ACEGAME01.IFF");
    desk.set("campaign/loadout/racks/1", "empty");
    let done = desk.set("campaign/killboard_seed", "5");
    assert_eq!(done.told, Vec::<String>::new());
    assert!(
        desk.finding("R6")
            .expect("found by a check")
            .contains("empty rack 1")
    );
}

#[test]
fn deaths_are_none_in_single_player() {
    assert!(edit(&[("campaign/deaths", "3")]).is_told("S4"));
}

#[test]
fn a_long_name_is_safe_in_slot_0() {
    let example = bytes("ACEGAME01.IFF");
    let desk = Desk::with("ACEGAME00.IFF", &example, &[], false);
    assert!(
        !desk
            .set("campaign/name", "AUTOSAVE: Mission 6.")
            .is_told("S3")
    );
    desk.set("campaign/name", "AUTOSAVE: Mission 6");
    let done = desk.set("campaign/mission", "14");
    let told = "S3: campaign/name: the autosave is still named for mission 6, the player's is 12";
    assert!(done.told.iter().any(|text| text == told), "{:?}", done.told);
}

#[test]
fn a_companion_that_wins_over_an_edit_is_told() {
    let example = bytes("ACEGAME01.IFF");
    let desk = Desk::with(
        "ACEGAME01.IFF",
        &example,
        &["acegame01.MODS", "ACEGAME01.scripts"],
        false,
    );
    let now = desk.session.now();
    let companions = now.findings().iter().filter(|f| f.code == "S11");
    assert_eq!(
        companions.count(),
        3,
        "two files, and one that wins over the loadout"
    );
    assert!(
        desk.set("campaign/loadout/racks/1", "screamer")
            .is_told("S11")
    );
    assert!(!desk.set("campaign/kills", "42").is_told("S11"));
    let other = Desk::with("ACEGAME01.IFF", &example, &["ACEGAME02.mods"], false);
    assert_eq!(other.finding("S11"), None);
}

#[test]
fn an_awkward_file_says_what_is_awkward() {
    for (file, code, text) in [
        (
            "miss_long",
            "LONG",
            "LONG: chunks/1: 1 bytes too long: the game overruns its memory when it loads this (offset 26)",
        ),
        (
            "vars_short",
            "SHORT",
            "SHORT: chunks/3: 119 of 120 bytes: the values that are cut off are not there (offset 426)",
        ),
        (
            "second_miss",
            "UNREAD",
            "UNREAD: chunks/6: MISS: a second chunk of this id, which nothing reads (offset 586)",
        ),
        (
            "nested_form",
            "UNREAD",
            "UNREAD: chunks/1: FORM: a form inside the form, which nothing reads (offset 26)",
        ),
        (
            "no_name",
            "MISSING",
            "MISSING: there is no NAME chunk, so its values are not there",
        ),
        (
            "vers_7",
            "VERS",
            "VERS: chunks/2: version [7, 0, 0, 0] instead of 1, which nothing checks (offset 414)",
        ),
        (
            "stray_7",
            "STRAY",
            "STRAY: 7 bytes of the form belong to no chunk (offset 586)",
        ),
        (
            "cut_in_body",
            "CUT",
            "CUT: chunks/5: cut short: 7 of 12 bytes are there (offset 566)",
        ),
    ] {
        let desk = Desk::of(&format!("awkward/{file}/ACEGAME01.IFF"));
        assert_eq!(desk.finding(code).as_deref(), Some(text), "{file}");
    }
    let text = "S1: the game opens no file of this number";
    let desk = Desk::of("awkward/no_slot_101/ACEGAME101.IFF");
    assert_eq!(desk.finding("S1").as_deref(), Some(text));
    assert!(Desk::of("acegame100.iff").finding("S1").is_some());
    assert!(
        Desk::of("awkward/trailing_16/ACEGAME01.IFF")
            .finding("LOOSE")
            .is_some()
    );
    assert!(
        Desk::of("awkward/other_call_sign/BOBGAME01.IFF")
            .finding("R1")
            .is_some()
    );
}
