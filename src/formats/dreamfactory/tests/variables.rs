//! Script variables: values, types, the string pool, and new ones. dreamfactory.md 10.

use super::{differences, names, open, play, real, refused, saved, span};
use crate::formats::testing::Played;
use crate::tree::Errno;

const HEADER: &str = "header";

fn header(save: &Played, field: &str) -> i64 {
    let count = names(save, "containers").len();
    let index = (0..count)
        .find(|k| save.get(&format!("containers/{k}/role")).unwrap() == "globals")
        .unwrap();
    save.get(&format!("containers/{index}/{HEADER}/{field}"))
        .unwrap()
        .parse()
        .unwrap()
}

fn type_of(save: &Played, name: &str) -> String {
    save.node(&format!("globals/{name}"))
        .unwrap()
        .about()
        .type_name
        .into_owned()
}

#[test]
fn a_number_takes_all_of_32_bits_and_no_other_type() {
    let save = saved("WALKER.ti");
    for value in ["-2147483648", "2147483647", "0", "0x7f"] {
        let after = save.set("globals/mission", value).unwrap();
        let shown = value
            .strip_prefix("0x")
            .map_or(value.to_owned(), |_| "127".to_owned());
        assert_eq!(after.get("globals/mission").unwrap(), shown);
        assert_eq!(type_of(&after, "mission"), "number");
    }
    assert_eq!(refused(save.set("globals/mission", "")), Errno::Invalid);
}

#[test]
fn a_boolean_that_is_given_a_number_becomes_one() {
    let save = saved("WALKER.ti");
    for (value, shown, kind) in [
        ("true", "true", "boolean"),
        ("0", "false", "boolean"),
        ("1", "true", "boolean"),
        ("7", "7", "number"),
        ("-1", "-1", "number"),
    ] {
        let after = save.set("globals/telegram", value).unwrap();
        assert_eq!(
            (
                after.get("globals/telegram").unwrap().as_str(),
                type_of(&after, "telegram").as_str()
            ),
            (shown, kind)
        );
    }
}

#[test]
fn a_string_of_the_same_length_is_written_where_it_is() {
    let save = saved("WALKER.ti");
    let after = save.set("globals/handitem", "SHAWL").unwrap();
    assert_eq!(differences(save.image(), after.image()).len(), 5);
    let dead = header(&save, "dead");
    assert_eq!(header(&after, "dead"), dead);
}

#[test]
fn a_string_of_another_length_goes_to_the_end() {
    let save = saved("WALKER.ti");
    let after = save.set("globals/handitem", "rubaiyat of omar").unwrap();
    assert_eq!(header(&after, "mark"), header(&save, "mark") + 17);
    assert_eq!(header(&after, "dead"), header(&save, "dead") + 6);
    assert_eq!(after.get("globals/handitem").unwrap(), "rubaiyat of omar");
    let empty = save.set("globals/handitem", "").unwrap();
    assert_eq!(empty.get("globals/handitem").unwrap(), "");
    assert_eq!(header(&empty, "mark"), header(&save, "mark") + 1);
}

#[test]
fn strings_are_printable_and_at_most_255_characters() {
    let save = saved("WALKER.ti");
    assert_eq!(
        refused(save.set("globals/handitem", &"x".repeat(256))),
        Errno::TooLong
    );
    assert_eq!(
        refused(save.set("globals/handitem", "caf\u{e9}")),
        Errno::Unencodable
    );
    assert_eq!(
        refused(save.set("globals/handitem", "a\tb")),
        Errno::Unencodable
    );
    assert_eq!(
        save.set("globals/handitem", &"x".repeat(255))
            .unwrap()
            .get("globals/handitem")
            .unwrap(),
        "x".repeat(255)
    );
}

#[test]
fn leftovers_above_the_mark_keep_what_they_show() {
    let save = saved("LEFTOVER.ti");
    let stale = |save: &Played, k: usize| save.get(&format!("stale/{k}/value")).unwrap();
    let after = save
        .set("globals/handitem", "longer than the old one")
        .unwrap();
    for k in 0..4 {
        assert_eq!(stale(&after, k), stale(&save, k), "stale/{k}");
    }
    assert_eq!(after.0.findings(), []);
}

#[test]
fn a_string_that_a_leftover_shares_is_not_written_over() {
    let save = saved("LEFTOVER.ti");
    assert_eq!(
        (
            save.get("globals/hallside").unwrap().as_str(),
            save.get("stale/3/value").unwrap().as_str()
        ),
        ("star", "star")
    );
    let after = save.set("globals/hallside", "port").unwrap();
    assert_eq!(after.get("stale/3/value").unwrap(), "star");
    assert_eq!(after.get("globals/hallside").unwrap(), "port");
}

/// Fills the pool until nothing more fits at its end.
fn filled(name: &str) -> Played {
    let mut save = saved(name);
    for round in 0..400 {
        let free = header(&save, "pool_size") - header(&save, "mark");
        if free < 3 {
            return save;
        }
        let length = if round % 2 == 0 {
            (free - 1).min(200)
        } else {
            (free - 1).min(199)
        };
        save = save
            .set("globals/handitem", &"y".repeat(length as usize))
            .unwrap();
    }
    panic!("the pool never fills");
}

#[test]
fn a_full_pool_takes_shorter_strings_and_dead_bytes() {
    let save = filled("WALKER.ti");
    let mark = header(&save, "mark");
    let shorter = save.set("globals/handitem", "z").unwrap();
    assert_eq!(
        (
            shorter.get("globals/handitem").unwrap().as_str(),
            header(&shorter, "mark")
        ),
        ("z", mark)
    );
    let reused = shorter.set("globals/hallside", &"w".repeat(150)).unwrap();
    assert_eq!(reused.get("globals/hallside").unwrap(), "w".repeat(150));
    assert_eq!(header(&reused, "mark"), mark);
    assert_eq!(reused.0.findings(), []);
    assert_eq!(refused(play_all(&reused)), Errno::NoSpace);
}

/// Gives every string variable 255 characters.
fn play_all(save: &Played) -> Result<Played, crate::tree::Refusal> {
    let strings = names(save, "globals");
    let mut strings = strings
        .iter()
        .filter(|name| type_of(save, name) == "string");
    strings.try_fold(save.clone(), |save, name| {
        save.set(&format!("globals/{name}"), &"v".repeat(255))
    })
}

#[test]
fn the_last_bytes_of_the_pool_are_used() {
    let save = saved("FULL.ti");
    let free = header(&save, "pool_size") - header(&save, "mark");
    assert_eq!(free, 3);
    let after = save.set("globals/handitem", "ab").unwrap();
    assert_eq!(after.get("globals/handitem").unwrap(), "ab");
    assert_eq!(header(&after, "mark"), header(&after, "pool_size"));
}

#[test]
fn retyping_keeps_the_value_where_it_can() {
    let save = saved("WALKER.ti");
    let text = save.retype("globals/mission", "string").unwrap();
    assert_eq!(
        (
            text.get("globals/mission").unwrap().as_str(),
            type_of(&text, "mission").as_str()
        ),
        ("4", "string")
    );
    assert_eq!(header(&text, "mark"), header(&save, "mark") + 2);
    let number = text.retype("globals/mission", "number").unwrap();
    assert_eq!(
        (
            number.get("globals/mission").unwrap().as_str(),
            type_of(&number, "mission").as_str()
        ),
        ("4", "number")
    );
    assert_eq!(header(&number, "dead"), header(&save, "dead") + 2);
    let number = save.retype("globals/firstcross", "number").unwrap();
    assert_eq!(number.get("globals/firstcross").unwrap(), "1");
    assert_eq!(
        refused(save.retype("globals/mission", "boolean")),
        Errno::Invalid
    );
    assert_eq!(
        refused(save.retype("globals/handitem", "number")),
        Errno::Invalid
    );
    assert_eq!(
        refused(save.retype("globals/handitem", "colour")),
        Errno::Invalid
    );
    assert_eq!(
        save.retype("globals/emptystring", "number")
            .unwrap()
            .get("globals/emptystring")
            .unwrap(),
        "0"
    );
}

#[test]
fn a_new_variable_has_the_type_that_its_text_looks_like() {
    let save = saved("WALKER.ti");
    for (text, kind) in [
        ("7", "number"),
        ("-2147483648", "number"),
        ("2147483648", "string"),
        ("true", "boolean"),
        ("True", "string"),
        ("", "string"),
        ("a b", "string"),
    ] {
        let after = save.set("globals/bombmebaby", text).unwrap();
        assert_eq!(
            (
                after.get("globals/bombmebaby").unwrap().as_str(),
                type_of(&after, "bombmebaby").as_str()
            ),
            (text, kind)
        );
        assert_eq!(header(&after, "count"), header(&save, "count") + 1);
        assert_eq!(names(&after, "stale"), names(&save, "stale"));
        assert_eq!(after.0.findings(), []);
    }
}

#[test]
fn a_name_that_exists_in_other_letters_is_that_variable() {
    let save = saved("WALKER.ti");
    let after = save.set("globals/Mission", "9").unwrap();
    assert_eq!(after.get("globals/mission").unwrap(), "9");
    assert_eq!(header(&after, "count"), header(&save, "count"));
}

#[test]
fn names_of_new_variables_are_checked() {
    let save = saved("WALKER.ti");
    assert_eq!(
        refused(save.set("globals/sixteencharacter", "1")),
        Errno::TooLong
    );
    assert_eq!(refused(save.set("globals/caf\u{e9}", "1")), Errno::Invalid);
    let odd = save.set("globals/rate%2fday", "1").unwrap();
    assert!(names(&odd, "globals").contains(&"rate%2fday".to_owned()));
    assert_eq!(
        refused(save.create("globals/directory", None)),
        Errno::NotPermitted
    );
    assert_eq!(refused(save.remove("globals/mission")), Errno::NotPermitted);
}

#[test]
fn a_full_list_takes_no_variable() {
    let save = saved("FULL.ti");
    let free = save.node("globals").unwrap().about().extras;
    assert_eq!(free[0], ("free", "0".to_owned()));
    assert_eq!(refused(save.set("globals/onemore", "1")), Errno::NoSpace);
}

#[test]
fn variables_fill_the_list_to_its_end() {
    let mut save = saved("LEFTOVER.ti");
    let free: usize = save.node("globals").unwrap().about().extras[0]
        .1
        .parse()
        .unwrap();
    assert!(free > 0);
    for n in 0..free {
        save = save
            .set(&format!("globals/made{n}"), &n.to_string())
            .unwrap();
        assert_eq!(save.0.findings(), [], "{n}");
    }
    assert_eq!(header(&save, "count"), header(&save, "capacity"));
    assert_eq!(names(&save, "stale").len(), 0);
    assert_eq!(refused(save.set("globals/onemore", "1")), Errno::NoSpace);
    assert_eq!(save.get("globals/made0").unwrap(), "0");
}

#[test]
fn a_long_name_leaves_the_dword_it_covers() {
    let Some(bytes) = real() else { return };
    let after = open(&bytes).set("globals/thirteenchars", "1").unwrap();
    let (at, _) = span(&after, "globals/thirteenchars");
    assert_eq!(
        after.image()[at + 16..at + 32],
        *b"\x0dthirteenchars\xC4\x87"
    );
}

#[test]
fn several_edits_of_the_real_save_keep_its_books() {
    let Some(bytes) = real() else { return };
    let save = play(
        &open(&bytes),
        &[
            ("globals/newtext", "a text"),
            ("globals/handitem", "longer than before"),
            ("globals/handitem", "short"),
            ("globals/hallside", "port side of the ship"),
            ("globals/newnumber", "12"),
            ("globals/newtext", "another text"),
        ],
    );
    assert_eq!(save.0.findings(), []);
    assert_eq!(save.get("globals/newtext").unwrap(), "another text");
}

#[test]
fn a_variable_of_a_given_type_is_made_empty_then_typed_then_written() {
    let save = saved("WALKER.ti");
    for (kind, text) in [("string", "007"), ("number", "5"), ("boolean", "true")] {
        let made = save
            .set("globals/typed", "")
            .unwrap()
            .retype("globals/typed", kind)
            .unwrap();
        let made = made.set("globals/typed", text).unwrap();
        assert_eq!(
            (
                made.get("globals/typed").unwrap().as_str(),
                type_of(&made, "typed").as_str()
            ),
            (text, kind)
        );
        assert_eq!(made.0.findings(), []);
    }
}
