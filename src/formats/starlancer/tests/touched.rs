//! A rule speaks to an edit of its own fields, of what is there, and says what that edit broke.

use super::{Desk, Done, bytes};
use crate::session::Edit;

const RACKS: &str = "campaign/loadout/racks";

/// A save of the worked example after forced edits, reopened without force.
fn after(edits: &[(&str, &str)]) -> Desk {
    let forced = Desk::forced("ACEGAME01.IFF");
    forced.try_all(edits).expect("forced");
    Desk::with("ACEGAME01.IFF", &forced.current(), &[], false)
}

fn told<'a>(done: &'a Done, code: &str) -> Vec<&'a str> {
    let begin = format!("{code}: ");
    let lines = done.told.iter().map(String::as_str);
    lines.filter(|line| line.starts_with(&begin)).collect()
}

#[test]
fn a_missile_of_a_later_tier_is_no_matter_of_rank_or_ship() {
    let edit = (format!("{RACKS}/1"), "solomon");
    for (path, value, speaks) in [
        ("campaign/rank", "2", false),
        ("campaign/loadout/ship", "grendel", false),
        ("campaign/tier", "silver", true),
        ("campaign/mission", "14", true),
        ("campaign/loadout/racks/2", "bandit", true),
    ] {
        let desk = after(&[(&edit.0, edit.1)]);
        assert_eq!(desk.set(path, value).is_told("R7"), speaks, "{path}");
    }
}

#[test]
fn every_missile_of_a_later_tier_is_named() {
    let done = Desk::of("ACEGAME01.IFF").try_all(&[
        ("campaign/loadout/racks/1", "solomon"),
        ("campaign/loadout/racks/2", "imp"),
        ("campaign/loadout/racks/3", "imp"),
    ]);
    assert_eq!(
        told(&done.expect("goes through"), "R7"),
        [
            "R7: campaign/loadout/racks: offered from a later tier on: Solomon (platinum), Imp (silver)"
        ]
    );
}

#[test]
fn a_start_on_a_ship_of_its_own_is_no_matter_of_rank_or_tier() {
    for (path, value, speaks) in [
        ("campaign/rank", "2", false),
        ("campaign/tier", "silver", false),
        ("campaign/loadout/ship", "grendel", true),
        ("campaign/loadout/racks/2", "bandit", true),
    ] {
        let desk = after(&[("campaign/mission", "1")]);
        assert_eq!(desk.set(path, value).is_told("R17"), speaks, "{path}");
    }
}

#[test]
fn a_ribbon_is_not_blamed_on_a_medal() {
    let desk = after(&[("campaign/medals/1", "1")]);
    let done = desk.set("campaign/ribbons/1", "1");
    assert_eq!(
        told(&done, "R11"),
        ["R11: campaign/ribbons: earned later: ribbon 1 by mission 7"]
    );
    let done = desk.set("campaign/medals/2", "1");
    assert_eq!(
        told(&done, "R11"),
        [
            "R11: campaign/medals: earned by a success with bonus: medal 1 in mission 6, medal 2 in mission 11"
        ]
    );
}

#[test]
fn a_gap_does_not_hide_what_else_is_wrong_with_the_racks() {
    let desk = after(&[("campaign/loadout/racks/1", "empty")]);
    let done = desk
        .try_all(&[
            ("campaign/loadout/racks/9", "jack_hammer"),
            ("campaign/loadout/racks/2", "jack_hammer"),
            ("campaign/loadout/racks/3", "jack_hammer"),
            ("campaign/loadout/racks/4", "jack_hammer"),
        ])
        .expect("goes through");
    assert_eq!(
        told(&done, "R6"),
        [
            "R6: campaign/loadout/racks: the game stops fitting missiles at the empty rack 1",
            "R6: campaign/loadout/racks: no ship has more than 8 racks",
            "R6: campaign/loadout/racks: a ship takes 3 Jack Hammers at most",
        ]
    );
}

#[test]
fn a_wing_that_is_not_there_says_nothing_of_the_pool() {
    for file in ["no_alph", "alph_short"] {
        let whole = bytes("ACEGAME01.IFF");
        let cut = match file {
            "no_alph" => &whole[..566],
            _ => &whole[..580],
        };
        let mut cut = cut.to_vec();
        if file == "alph_short" {
            cut[573] = 6;
        }
        let length = u32::try_from(cut.len() - 8).expect("small").to_be_bytes();
        cut[4..8].copy_from_slice(&length);
        let desk = Desk::with("ACEGAME01.IFF", &cut, &[], false);
        let done = desk.set("campaign/pool/status", "in_wing");
        assert!(!done.is_told("R14"), "{file}: {:?}", done.told);
        assert_eq!(desk.finding("R14"), None, "{file}");
        assert!(desk.has("campaign/wing/2") == (file == "alph_short"));
    }
}

#[test]
fn a_pilot_of_a_wing_that_is_partly_there_is_in_the_wing() {
    let mut cut = bytes("ACEGAME01.IFF")[..580].to_vec();
    cut[573] = 6;
    cut[4..8].copy_from_slice(&[0, 0, 2, 60]);
    let desk = Desk::with("ACEGAME01.IFF", &cut, &[], false);
    assert!(desk.set("campaign/wing/2", "ego").is_told("R14"));
}

#[test]
fn an_edit_of_a_long_record_is_warned_of() {
    let desk = Desk::of("awkward/miss_long/ACEGAME01.IFF");
    let done = desk.set("campaign/kills", "42");
    assert_eq!(
        done.told,
        [
            "S2: chunks: longer than the record, so the game overruns its memory when it loads this: MISS"
        ]
    );
    assert!(!desk.set("campaign/pool/status", "dead").is_told("S2"));
    assert!(!desk.set("campaign/name", "Longer").is_told("S2"));
    let plain = Desk::of("ACEGAME01.IFF");
    assert_eq!(plain.set("campaign/kills", "42").told, Vec::<String>::new());
}

#[test]
fn a_refusal_of_several_values_names_the_value_that_the_rule_is_about() {
    let desk = Desk::of("ACEGAME01.IFF");
    let edits = [
        ("campaign/loadout/ship", "coyote"),
        ("campaign/rank", "second_lieutenant"),
    ];
    let refusal = desk.try_all(&edits).err().expect("refused");
    assert_eq!(refusal.path, "campaign/loadout/ship");
    assert_eq!(refusal.given, "");
    let one = desk.session.edit(&[Edit::set("campaign/mission", "12\n")]);
    let one = one.expect_err("refused");
    assert_eq!(one.refusal().path, "campaign/mission");
    assert_eq!(one.refusal().given, "12");
}
