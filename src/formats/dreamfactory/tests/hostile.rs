//! Files that are broken: refused with their reason, or shown as far as they go, and never a panic.

use super::{fixture, open, real};
use crate::formats::dreamfactory::DREAMFACTORY;
use crate::formats::testing::Played;
use crate::formats::{Format, Likeness, Options, Probe};
use crate::tree::{Draft, Fault, walk};
use std::sync::Arc;

fn fault(bytes: &[u8]) -> Fault {
    match DREAMFACTORY.open(bytes, &Options::default()) {
        Ok(_) => panic!("it opened"),
        Err(fault) => fault,
    }
}

fn with(name: &str, at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = fixture(name);
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn e1_magic_and_signature() {
    let magic = fault(&with("WALKER.ti", 0, &[1]));
    assert_eq!((magic.field.as_str(), magic.offset), ("E1 magic number", 0));
    assert_eq!(
        (magic.expected.as_str(), magic.found.as_str()),
        ("0x00010000", "0x00010001")
    );
    let signature = fault(&with("WALKER.ti", 33, b"x"));
    assert_eq!(
        (
            signature.field.as_str(),
            signature.offset,
            signature.found.as_str()
        ),
        ("E1 signature", 32, "OxTRTRFD")
    );
    let data = fault(&with("WALKER.ti", 32, b"LPPALPPA"));
    assert!(
        data.found
            .contains("a data file of the game, not a saved game"),
        "{data}"
    );
    assert_eq!(fault(&[]).found, "0 bytes");
    assert_eq!(fault(&[7; 900]).field, "E1 header");
}

#[test]
fn e2_count_and_table() {
    assert_eq!(
        fault(&with("WALKER.ti", 20, &[0; 4])).field,
        "E2 container count"
    );
    assert_eq!(
        fault(&with("WALKER.ti", 20, &[200])).field,
        "E2 container count"
    );
    assert_eq!(
        fault(&with("WALKER.ti", 16, &[0xFF; 4])).field,
        "E2 table capacity"
    );
    let outside = fault(&with("WALKER.ti", 1024 + 4 * 3, &[0xFF; 4]));
    assert_eq!(
        (outside.field.as_str(), outside.offset),
        ("E2 container 3", 1036)
    );
    let wraps = fault(&with("WALKER.ti", 1540, &[0xFF; 4]));
    assert_eq!(wraps.field, "E2 container 0");
}

#[test]
fn e3_e4_e5_containers() {
    assert_eq!(
        fault(&with("WALKER.ti", 20, &[11])).field,
        "E3 container count"
    );
    let save = open(&fixture("WALKER.ti"));
    let at = |k: usize| {
        save.get(&format!("containers/{k}/offset"))
            .unwrap()
            .parse::<usize>()
            .unwrap()
    };
    let size = |k: usize, bytes: u32| with("WALKER.ti", at(k) + 4, &bytes.to_le_bytes());
    assert_eq!(fault(&size(1, 600)).field, "E4 size of container 1");
    assert_eq!(fault(&size(6, 41)).field, "E5 size of container 6");
    let walks = (0..30)
        .find(|k| {
            save.get(&format!("containers/{k}/role"))
                .is_ok_and(|role| role == "walks")
        })
        .unwrap();
    assert_eq!(fault(&size(walks, 1759)).field, "E4 service tables");
}

#[test]
fn saves_are_recognised_by_their_bytes() {
    let likeness = |name: &str, bytes: &[u8]| {
        DREAMFACTORY.recognise(&Probe {
            name,
            head: &bytes[..bytes.len().min(4096)],
            length: bytes.len() as u64,
        })
    };
    let file = fixture("START.RTD");
    assert_eq!(likeness("anything", &file), Likeness::Sure);
    assert_eq!(likeness("x.ti", &[]), Likeness::ByName);
    assert_eq!(likeness("x.RTD", &[1; 50]), Likeness::ByName);
    assert_eq!(likeness("x.lba", &[1; 50]), Likeness::No);
    assert_eq!(
        likeness("data", &with("WALKER.ti", 32, b"LPPALPPA")),
        Likeness::Sure
    );
}

/// Reads everything and tries a write on everything.
fn visit(bytes: &[u8]) {
    let Ok(save) = DREAMFACTORY.open(bytes, &Options::default()) else {
        return;
    };
    let _ = save.findings();
    let _ = save.summary();
    walk::leaves(&Arc::clone(&save).root(), "", &mut |_, leaf| {
        let value = leaf.read().into_owned();
        let _ = (leaf.about(), leaf.spans(), leaf.feasible(&value));
    });
}

/// Plays edits that move containers, on whatever opens.
fn edit(bytes: &[u8]) {
    let Ok(save) = DREAMFACTORY.open(bytes, &Options::default()) else {
        return;
    };
    if save
        .findings()
        .iter()
        .any(|finding| finding.weight == crate::tree::Weight::Damage)
    {
        return;
    }
    let save = Played(save);
    let _ = save.create("actors/purs2", None);
    let _ = save.set("globals/handitem", "another text");
    let _ = save.set("globals/newone", "another text");
    let _ = save.set("walks/1/active", "0");
    let _ = save.write("walks/5/route", b"1 2 3\n4 5 6\n");
}

#[test]
fn no_truncation_panics() {
    for name in ["WALKER.ti", "QUIT.RTD"] {
        let file = fixture(name);
        for length in (0..file.len()).step_by(997).chain(1532..1548) {
            let cut = &file[..length.min(file.len())];
            visit(cut);
            assert!(
                DREAMFACTORY.open(cut, &Options::default()).is_err() || length + 64 > file.len(),
                "{name} {length}"
            );
        }
    }
}

#[test]
fn no_flipped_bit_panics() {
    for name in ["WALKER.ti", "QUIT.RTD"] {
        let file = fixture(name);
        let save = open(&file);
        let globals = (0..30)
            .find(|k| save.get(&format!("containers/{k}/role")).unwrap() == "globals")
            .unwrap();
        let at = |k: usize| {
            save.get(&format!("containers/{k}/offset"))
                .unwrap()
                .parse::<usize>()
                .unwrap()
        };
        let mut places: Vec<usize> = (0..48)
            .step_by(2)
            .chain((1024..1024 + 4 * 28).step_by(3))
            .collect();
        places.extend(
            (0..26)
                .filter(|k| save.node(&format!("containers/{k}")).is_ok())
                .flat_map(|k| (at(k)..at(k) + 8).step_by(3)),
        );
        places.extend((at(globals) + 8..at(globals) + 28 + 32).step_by(2));
        places.extend((at(1) + 8..at(1) + 8 + 542).step_by(31));
        for (turn, place) in places.into_iter().enumerate() {
            let mut broken = file.clone();
            broken[place] ^= 1 << (turn % 8);
            visit(&broken);
            edit(&broken);
        }
    }
}

#[test]
fn the_real_save_is_read_whole() {
    let Some(bytes) = real() else { return };
    visit(&bytes);
    edit(&bytes);
    let draft = Draft::new(bytes.clone(), false);
    assert_eq!(draft.bytes(), open(&bytes).0.encode().unwrap());
}
