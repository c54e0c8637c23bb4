//! Every refusal of starlancer.md 9 and 10 with its code, and which of them can be forced.

use super::{Desk, bytes};
use crate::tree::{Errno, Refusal};

fn refused(path: &str, value: &str) -> Refusal {
    Desk::of("ACEGAME01.IFF").refusal(path, value)
}

/// Values outside their legal range, which force lets through.
const OUT_OF_RANGE: [(&str, &str); 23] = [
    ("campaign/mission", "0"),
    ("campaign/mission", "12"),
    ("campaign/mission", "17"),
    ("campaign/mission", "22"),
    ("campaign/mission", "29"),
    ("campaign/rank", "9"),
    ("campaign/rank", "-1"),
    ("campaign/tier", "4"),
    ("campaign/difficulty", "3"),
    ("campaign/loadout/ship", "12"),
    ("campaign/loadout/racks/1", "10"),
    ("campaign/loadout/racks/1", "-2"),
    ("campaign/kills", "-1"),
    ("campaign/medals/1", "2"),
    ("campaign/ribbons/6", "1"),
    ("campaign/missions/1/rating", "5"),
    ("campaign/missions/1/kills", "-1"),
    ("campaign/missions/1/pickup", "3"),
    ("campaign/missions/1/promotion", "9"),
    ("campaign/female", "2"),
    ("campaign/variables/ghost_alive", "2"),
    ("campaign/variables/last_success", "none"),
    ("campaign/wing/2", "194"),
];

#[test]
fn a_value_out_of_range_is_invalid_and_can_be_forced() {
    for (path, value) in OUT_OF_RANGE {
        let refusal = refused(path, value);
        assert_eq!(refusal.errno, Errno::Invalid, "{path} {value}");
        assert!(refusal.forcible && !refusal.legal.is_empty(), "{refusal}");
        assert_eq!(
            (refusal.path.as_str(), refusal.given.as_str()),
            (path, value)
        );
        let done = Desk::forced("ACEGAME01.IFF").set(path, value);
        assert!(
            !done.changed().is_empty() && !done.told.is_empty(),
            "{path} {value}"
        );
    }
}

#[test]
fn a_value_out_of_its_type_is_refused_whatever_is_asked() {
    for (path, value) in [
        ("campaign/rank", "2147483648"),
        ("campaign/kills", "many"),
        ("campaign/missions/1/kills", "32768"),
        ("campaign/pool/status", "256"),
        ("campaign/pool/status", "-1"),
        ("campaign/loadout/ship", "falcon"),
        ("campaign/killboard_seed", "4294967296"),
    ] {
        for desk in [Desk::of("ACEGAME01.IFF"), Desk::forced("ACEGAME01.IFF")] {
            let refusal = desk.refusal(path, value);
            assert_eq!(refusal.errno, Errno::Invalid, "{path} {value}");
            assert!(!refusal.forcible, "{refusal}");
        }
    }
}

#[test]
fn r1_the_call_sign_is_that_of_the_file() {
    let refusal = refused("campaign/call_sign", "Bob");
    assert_eq!((refusal.errno, refusal.forcible), (Errno::Invalid, true));
    assert_eq!(refusal.legal, "ACE");
    assert!(refusal.why.ends_with("(R1)"));
    assert_eq!(
        Desk::of("ACEGAME01.IFF")
            .set("campaign/call_sign", "aCe")
            .changed()
            .len(),
        2
    );
    let forced = Desk::forced("ACEGAME01.IFF").set("campaign/call_sign", "Bob");
    assert!(forced.is_told("R1"), "{:?}", forced.told);
    let example = bytes("ACEGAME01.IFF");
    Desk::with("BOBGAME99.iff", &example, &[], false).set("campaign/call_sign", "Bob");
    Desk::with("copy.iff", &example, &[], false).set("campaign/call_sign", "Bob");
    Desk::with("endgamegame01.IFF", &example, &[], false).set("campaign/call_sign", "EndGame");
    Desk::with("Ren\u{c9}eGAME00.IFF", &example, &[], false)
        .set("campaign/call_sign", "Ren\u{e9}e");
}

#[test]
fn r2_the_call_sign_begins_a_file_name() {
    let example = bytes("ACEGAME01.IFF");
    for bad in [
        "a\\b", "a/b", "a:b", "a*b", "a?b", "a<b", "a>b", "a|b", "a\"b",
    ] {
        let desk = Desk::with("copy", &example, &[], false);
        let refusal = desk.refusal("campaign/call_sign", bad);
        assert_eq!(
            (refusal.errno, refusal.forcible),
            (Errno::Invalid, true),
            "{bad}"
        );
        assert!(refusal.why.ends_with("(R2)"), "{refusal}");
    }
    let desk = Desk::with("copy", &example, &[], false);
    let refusal = desk.refusal("campaign/call_sign", "");
    assert_eq!((refusal.errno, refusal.forcible), (Errno::Invalid, true));
    let long = "x".repeat(32);
    assert_eq!(
        desk.refusal("campaign/call_sign", &long).errno,
        Errno::TooLong
    );
    assert_eq!(
        desk.refusal("campaign/call_sign", "a\tb").errno,
        Errno::Unencodable
    );
    assert_eq!(
        desk.refusal("campaign/call_sign", "\u{142}").errno,
        Errno::Unencodable
    );
    desk.set("campaign/call_sign", &"x".repeat(31));
    assert_eq!(desk.get("campaign/call_sign").len(), 31);
}

#[test]
fn r5_a_ship_is_one_that_the_pilot_is_offered() {
    // Mission 6, bronze, 1st lieutenant: five ships.
    let refusal = refused("campaign/loadout/ship", "mirage");
    assert_eq!((refusal.errno, refusal.forcible), (Errno::Invalid, true));
    assert_eq!(
        refusal.legal,
        "a ship of predator, naginata, grendel, crusader, coyote"
    );
    let desk = Desk::of("ACEGAME01.IFF");
    desk.set("campaign/loadout/ship", "coyote");
    assert!(
        desk.refusal("campaign/rank", "second_lieutenant")
            .why
            .ends_with("(R5)")
    );
    // Raised, chosen and lowered in one edit.
    let both = [
        ("campaign/loadout/ship", "reaper"),
        ("campaign/tier", "gold"),
    ];
    desk.try_all(&both).expect("silver to gold offers ten");
    assert!(
        desk.refusal("campaign/tier", "silver")
            .why
            .ends_with("(R5)")
    );
    desk.set("campaign/rank", "commander");
    desk.set("campaign/tier", "bronze");
}

#[test]
fn r5_the_missions_behind_raise_the_tier_and_going_back_breaks_it() {
    let desk = Desk::of("ACEGAME01.IFF");
    desk.set("campaign/mission", "20");
    desk.set("campaign/loadout/ship", "reaper");
    assert!(desk.refusal("campaign/mission", "19").why.ends_with("(R5)"));
    assert!(
        desk.refusal("campaign/loadout/ship", "shroud")
            .why
            .ends_with("(R5)")
    );
}

#[test]
fn r5_a_rule_that_is_broken_already_may_stay_so() {
    let forced = Desk::forced("ACEGAME01.IFF").set("campaign/loadout/ship", "phoenix");
    assert!(forced.is_told("R5"), "{:?}", forced.told);
    let desk = Desk::with("ACEGAME01.IFF", &forced.after, &[], false);
    assert!(desk.finding("R5").is_some());
    assert!(
        desk.set("campaign/tier", "silver").is_told("R5"),
        "mended in part"
    );
    desk.set("campaign/kills", "42");
    assert!(
        desk.refusal("campaign/loadout/ship", "shroud")
            .why
            .ends_with("(R5)")
    );
    desk.set("campaign/loadout/ship", "tempest");
}

#[test]
fn r15_alpha_1_is_the_player() {
    assert_eq!(refused("campaign/wing/1", "85").errno, Errno::NotFound);
    let desk = Desk::forced("ACEGAME01.IFF");
    let data = [85, 0, 85, 0, 108, 0, 86, 0, 172, 0, 7, 0].to_vec();
    let edit = crate::session::Edit::set("chunks/5/data", data);
    let told = desk.session.cautions(std::slice::from_ref(&edit));
    assert_eq!(desk.session.edit(&[edit]).ok(), Some(true));
    assert!(
        told.iter().any(|text| text.starts_with("R15: ")),
        "{told:?}"
    );
}

#[test]
fn what_has_no_meaning_is_changed_as_raw_bytes_only() {
    assert_eq!(
        refused("campaign/variables/unwritten_25", "1").errno,
        Errno::NotPermitted
    );
    assert!(!refused("campaign/variables/unwritten_25", "1").forcible);
    for path in ["chunks/1/id", "chunks/1/offset", "chunks/1/size"] {
        assert_eq!(refused(path, "7").errno, Errno::NotPermitted, "{path}");
    }
    let version = crate::session::Edit::set("chunks/2/data", vec![2, 0, 0, 0]);
    let longer = crate::session::Edit::set("chunks/2/data", vec![1, 0, 0, 0, 0]);
    let (plain, forced) = (Desk::of("ACEGAME01.IFF"), Desk::forced("ACEGAME01.IFF"));
    let code = |desk: &Desk, edit: &crate::session::Edit| {
        let result = desk.session.edit(std::slice::from_ref(edit));
        result
            .map_err(|error| (error.refusal().errno, error.refusal().forcible))
            .err()
    };
    assert_eq!(code(&plain, &version), Some((Errno::NotPermitted, true)));
    assert_eq!(code(&plain, &longer), Some((Errno::NotPermitted, false)));
    assert_eq!(code(&forced, &longer), Some((Errno::NotPermitted, false)));
    assert_eq!(code(&forced, &version), None);
}

#[test]
fn nothing_is_made_or_removed() {
    use crate::session::Edit;
    let desk = Desk::of("ACEGAME01.IFF");
    for path in [
        "chunks/1",
        "chunks/0",
        "campaign/name",
        "campaign/wing",
        "campaign/medals/1",
    ] {
        let removed = desk.session.edit(&[Edit::Remove { path: path.into() }]);
        assert_eq!(
            removed.expect_err(path).refusal().errno,
            Errno::NotPermitted
        );
    }
    let made = desk.session.edit(&[Edit::set("campaign/sped", "5")]);
    assert_eq!(made.expect_err("a typo").refusal().errno, Errno::NotFound);
    let made = desk.session.edit(&[Edit::Create {
        path: "chunks/6".into(),
        kind: crate::tree::NodeKind::Dir,
    }]);
    assert_eq!(
        made.expect_err("a chunk").refusal().errno,
        Errno::NotPermitted
    );
}

#[test]
fn a_name_is_short_printable_and_of_the_code_page() {
    assert_eq!(
        refused("campaign/name", "\u{142}").errno,
        Errno::Unencodable
    );
    assert_eq!(
        refused("campaign/name", "a\u{7f}").errno,
        Errno::Unencodable
    );
    assert_eq!(refused("campaign/name", "a\tb").errno, Errno::Unencodable);
    assert_eq!(refused("campaign/name", "a\nb").errno, Errno::Unencodable);
    assert_eq!(refused("campaign/name", "a\0b").errno, Errno::Unencodable);
    let long = refused("campaign/name", &"x".repeat(48));
    assert_eq!((long.errno, long.forcible), (Errno::TooLong, true));
    Desk::of("ACEGAME01.IFF").set("campaign/name", &"x".repeat(47));
    Desk::forced("ACEGAME01.IFF").set("campaign/name", &"x".repeat(48));
}

#[test]
fn a_loose_file_keeps_the_length_of_its_name() {
    for name in [
        "form_too_long",
        "trailing_3",
        "load_form_first",
        "two_saves",
        "form_without_alph",
    ] {
        for force in [false, true] {
            let file = bytes(&format!("awkward/{name}/ACEGAME01.IFF"));
            let desk = Desk::with("ACEGAME01.IFF", &file, &[], force);
            let refusal = desk.refusal("campaign/name", "Longer");
            assert_eq!(
                (refusal.errno, refusal.forcible),
                (Errno::NotPermitted, false),
                "{name}"
            );
            desk.set("campaign/rank", "captain");
        }
    }
    let refusal = Desk::of("awkward/no_name/ACEGAME01.IFF").refusal("campaign/name", "x");
    assert_eq!(refusal.errno, Errno::NotFound);
}

#[test]
fn what_cannot_become_legal_is_refused_while_it_is_typed() {
    let desk = Desk::of("ACEGAME01.IFF");
    let feasible = |path: &str, text: &[u8]| {
        let node = desk.session.resolve(path).expect(path);
        node.as_leaf().expect(path).feasible(text)
    };
    assert!(feasible("campaign/rank", b"squad").is_ok());
    assert!(feasible("campaign/rank", b"squid").is_err());
    assert!(
        feasible("campaign/kills", b"-1\n")
            .expect_err("negative")
            .forcible
    );
    assert!(feasible("campaign/name", &[b'x'; 47]).is_ok());
    assert!(
        feasible("campaign/name", &[b'x'; 48])
            .expect_err("long")
            .forcible
    );
    assert!(feasible("campaign/name", b"Ren\xc3").is_ok());
}

#[test]
fn the_legal_missions_are_told_whatever_is_wrong_with_the_number() {
    let flown = "1..11, 14..16, 18..21, 23..28";
    for value in ["0", "12", "22", "29", "4294967296"] {
        assert_eq!(refused("campaign/mission", value).legal, flown, "{value}");
    }
    let desk = Desk::of("ACEGAME01.IFF");
    let node = desk.session.resolve("campaign/mission").expect("a mission");
    let leaf = node.as_leaf().expect("a leaf");
    assert_eq!(leaf.about().range.as_deref(), Some(flown));
    assert!(leaf.feasible(b"1").is_ok() && leaf.feasible(b"12").is_ok());
    assert!(leaf.feasible(b"12\n").expect_err("never flown").forcible);
    assert!(leaf.feasible(b"40").expect_err("too high").forcible);
}
