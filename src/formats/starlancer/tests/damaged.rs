//! Cut, flipped and hostile files: an answer for each, never a panic.

use super::{Desk, bytes, summary};
use crate::formats::{self, Options};
use crate::tree::{Weight, walk};
use std::path::Path;

/// Opens, walks and checks a file; gives its state.
fn look(file: &[u8]) -> String {
    let Ok((_, save)) = formats::open(Path::new("ACEGAME01.IFF"), file, &Options::default()) else {
        return "not-a-save".to_owned();
    };
    assert_eq!(save.encode().expect("encodes"), file);
    // The check below reads every value; here what remains.
    let chunks = walk::resolve(&save.clone().root(), "chunks").expect("always there");
    let mut read = 0;
    walk::leaves(&chunks, "", &mut |_, leaf| read += leaf.read().len());
    assert!(read < 4 * file.len() + 4096, "{read} bytes");
    let damaged = save.findings().iter().any(|f| f.weight == Weight::Damage);
    let state = summary(&*save, "container");
    assert_eq!(damaged, state == "damaged");
    state
}

#[test]
fn every_truncation_is_damaged_or_no_save() {
    let whole = bytes("ACEGAME01.IFF");
    for length in 0..whole.len() {
        let state = look(&whole[..length]);
        // Between two chunks nothing is cut, the form only claims more.
        let between = [12, 25, 26, 414, 426, 554, 566].contains(&length);
        let wanted = match length {
            0..12 => "not-a-save",
            _ if between => "loose",
            _ => "damaged",
        };
        assert_eq!(state, wanted, "{length} bytes");
    }
    assert_eq!(look(&whole), "canonical");
}

#[test]
fn every_flip_of_a_bit_opens_or_is_refused() {
    let whole = bytes("ACEGAME01.IFF");
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        *seen.entry(look(&flipped)).or_default() += 1;
    }
    assert_eq!(seen.values().sum::<usize>(), whole.len() * 8);
    // Eight bytes of ids and the bits of the form's length that leave no room for its type.
    assert!(seen["not-a-save"] >= 64 && seen["damaged"] > 20, "{seen:?}");
}

#[test]
fn a_damaged_save_shows_what_is_whole_and_takes_no_edit() {
    for name in [
        "cut_in_body",
        "cut_in_header",
        "stray_1",
        "unknown_huge_last",
        "form_ends_in_body",
    ] {
        let desk = Desk::of(&format!("awkward/{name}/ACEGAME01.IFF"));
        assert_eq!(desk.get("campaign/kills"), "41");
        assert!(desk.session.read_only().is_some(), "{name}");
        let refusal = desk.refusal("campaign/kills", "42");
        assert_eq!(refusal.errno, crate::tree::Errno::ReadOnly, "{name}");
        assert!(!refusal.forcible);
    }
}

#[test]
fn many_empty_chunks_are_walked_once() {
    let mut file = b"FORM\0\0\0\0SAVE".to_vec();
    file.extend(b"NULL\0\0\0\0".repeat(100_000));
    let length = (file.len() as u32 - 8).to_be_bytes();
    file[4..8].copy_from_slice(&length);
    let started = std::time::Instant::now();
    let opened = formats::open(Path::new("x"), &file, &Options::default());
    let (_, save) = opened.expect("a save");
    assert_eq!(summary(&*save, "container"), "well-formed");
    assert_eq!(
        save.findings()
            .iter()
            .filter(|f| f.code == "UNREAD")
            .count(),
        100_000
    );
    assert!(started.elapsed().as_secs() < 20);
}
