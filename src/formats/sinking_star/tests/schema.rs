//! Section 6: numbering, and what is refused in a schema.

use super::super::schema::{Type, numbered};
use super::super::schema_file::parse;
use super::support::{fixture, open, schema};

/// A schema with these members of the base, and whatever else is given.
fn with(members: &str, more: &str) -> String {
    format!(
        r#"{{ "savefs_schema": "sinking-star-entities", "schema_version": 1,
             "base": {{ "name": "B", "members": [ {members} ] }} {more} }}"#
    )
}

#[test]
fn the_fixture_reads() {
    let schema = parse(&schema()).unwrap();
    assert_eq!(schema.base.len(), 9);
    assert_eq!(schema.own(b"Guy").len(), 8);
    assert_eq!(schema.own(b"guy").len(), 0, "names match exactly");
    assert_eq!(
        schema.own(b"Guy")[6].value,
        Type::Dynamic(Box::new(Type::Struct(0)))
    );
}

#[test]
fn members_are_numbered_as_the_rules_say() {
    let members = r#"{ "name": "a", "type": "u8" }, { "name": "late", "type": "u8", "since": 9 },
        { "name": "b", "type": "u8", "until": 2 }, { "name": "c", "type": "u8", "index": 10 },
        { "name": "d", "type": "u8" }, { "name": "placed", "type": "u8", "since": 9, "index": 20 },
        { "name": "e", "type": "u8" }"#;
    let schema = parse(&with(members, "")).unwrap();
    let names = |version| {
        let numbers = numbered(&schema.base, version);
        let mut all: Vec<(u16, &str)> = numbers
            .into_iter()
            .map(|(number, member)| (number, member.map_or("?", |m| m.name.as_str())))
            .collect();
        all.sort_unstable();
        all
    };
    assert_eq!(
        names(8),
        [(0, "a"), (1, "b"), (10, "c"), (11, "d"), (21, "e")]
    );
    assert_eq!(
        names(9),
        [
            (0, "a"),
            (1, "late"),
            (2, "b"),
            (10, "c"),
            (11, "d"),
            (20, "placed"),
            (21, "e")
        ]
    );
}

#[test]
fn two_members_of_one_number_are_neither() {
    let members = r#"{ "name": "a", "type": "u8", "index": 1 }, { "name": "b", "type": "u8", "index": 0 },
        { "name": "c", "type": "u8" }"#;
    let schema = parse(&with(members, "")).unwrap();
    let numbers = numbered(&schema.base, 1);
    assert_eq!(numbers[&1], None);
    assert_eq!(numbers[&0].unwrap().name, "b");
}

#[test]
fn what_section_6_refuses_is_refused_with_its_place() {
    let member = |text: &str| with(&format!(r#"{{ "name": "m", {text} }}"#), "");
    for (text, place) in [
        (member(r#""type": "u24""#), "base/members/0/type"),
        (member(r#""type": "enum:None""#), "base/members/0/type"),
        (member(r#""type": "struct:None[]""#), "base/members/0/type"),
        (member(r#""type": "u8[""#), "base/members/0/type"),
        (member(r#""type": "u8[0]""#), "base/members/0/type"),
        (member(r#""type": "u8[-1]""#), "base/members/0/type"),
        (member(r#""type": "u8[]x""#), "base/members/0/type"),
        (member(r#""type": "raw:0""#), "base/members/0/type"),
        (member(r#""type": "raw:+1""#), "base/members/0/type"),
        (
            member(&format!(r#""type": "u8{}""#, "[]".repeat(1000))),
            "base/members/0/type",
        ),
        (member(r#""type": 8"#), "base/members/0/type"),
        (
            member(r#""type": "u8", "index": 4096"#),
            "base/members/0/index",
        ),
        (
            member(r#""type": "u8", "index": -1"#),
            "base/members/0/index",
        ),
        (member(r#""type": "u8", "since": -1"#), "base/members/0"),
        (
            member(r#""type": "u8", "since": 5, "until": 4"#),
            "base/members/0",
        ),
        (
            with(
                r#"{ "name": "a", "type": "u8", "index": 3 }, { "name": "b", "type": "u8", "index": 3 }"#,
                "",
            ),
            "base/members/1/index",
        ),
        (
            with("", r#", "enums": { "E": { "values": { "A": 1 } } }"#),
            "enums/E/repr",
        ),
        (
            with("", r#", "enums": { "E": { "repr": "f32" } }"#),
            "enums/E/repr",
        ),
        (
            with("", r#", "structs": { "S": { "members": [] } }"#),
            "structs/S",
        ),
        (
            with(
                "",
                r#", "structs": { "S": { "members": [ { "name": "s", "type": "struct:S" } ] } }"#,
            ),
            "structs/S",
        ),
        (
            with("", r#", "types": [ { "name": "T" }, { "name": "T" } ]"#),
            "types/1",
        ),
        (
            with("", r#", "widths": { "ocean_change": 12 }"#),
            "widths/ocean_change",
        ),
        (
            with("", r#", "widths": { "single_move": 18 }"#),
            "widths/single_move",
        ),
        ("{".to_owned(), "the file"),
        ("[]".to_owned(), "the file"),
        (
            r#"{ "savefs_schema": "other", "schema_version": 1 }"#.to_owned(),
            "savefs_schema",
        ),
        (
            r#"{ "savefs_schema": "sinking-star-entities" }"#.to_owned(),
            "schema_version",
        ),
    ] {
        let wrong = parse(&text).unwrap_err();
        assert_eq!(wrong.place, place, "{text}");
        let name = "intro.entities";
        let fault = open(name, &fixture(name), Some(text)).err().unwrap();
        assert!(fault.to_string().contains(place), "{fault}");
    }
}

#[test]
fn structures_that_multiply_are_bounded_by_the_bytes() {
    let mut structs = vec![r#""S0": { "members": [ { "name": "x", "type": "u8" } ] }"#.to_owned()];
    for n in 1..15 {
        let member = format!(r#"{{ "name": "x", "type": "struct:S{}[99999]" }}"#, n - 1);
        structs.push(format!(
            r#""S{n}": {{ "members": [ {member}, {member} ] }}"#
        ));
    }
    let member = r#"{ "name": "position.x", "type": "struct:S14[]" }"#;
    let text = with(
        member,
        &format!(r#", "structs": {{ {} }}"#, structs.join(",")),
    );
    let name = "campaign/intro.history";
    let save = open(name, &fixture(name), Some(text)).unwrap();
    let mut leaves = 0;
    crate::tree::walk::leaves(&save.root(), "", &mut |_, _| leaves += 1);
    assert!(leaves > 100);
}

#[test]
fn versioned_structures_carry_their_version() {
    let text = with(
        r#"{ "name": "position.x", "type": "struct:V" }"#,
        r#", "structs": { "V": { "versioned": true, "members": [
            { "name": "old", "type": "u8", "until": 16380 }, { "name": "new", "type": "u16", "since": 16381 } ] } }"#,
    );
    // position.x of the fixture's Guy: old 00 00 fd 3f, new 00 00 80 40.
    let name = "campaign/intro.history";
    let save = open(name, &fixture(name), Some(text)).unwrap();
    let action = "history/mips/0/records/0/actions/0";
    let node = crate::tree::walk::resolve(&save.clone().root(), action).unwrap();
    let names = crate::tree::walk::entries(node.as_dir().unwrap());
    // Version 0 of the old value has `old`, so the new value begins a byte early and no mark follows.
    assert_eq!(names.last().unwrap().0, "opaque.bin");
}
