//! What force lets through of the texts, and the names of files that a call sign is compared with.

use super::{Desk, bytes, summary};
use crate::tree::Errno;

#[test]
fn control_characters_are_refused_by_rule_2_and_can_be_forced() {
    for (path, text) in [
        ("campaign/call_sign", "A\tE"),
        ("campaign/call_sign", "A\nE"),
        ("campaign/call_sign", "A\u{7f}E"),
        ("campaign/name", "Te\tst"),
        ("campaign/name", "Te\u{1}t"),
    ] {
        let refusal = Desk::of("ACEGAME01.IFF").refusal(path, text);
        assert_eq!(
            (refusal.errno, refusal.forcible),
            (Errno::Unencodable, true),
            "{path} {text:?}"
        );
        let desk = Desk::forced("ACEGAME01.IFF");
        let done = desk.set(path, text);
        let node = desk.session.resolve(path).expect(path);
        let read = node.as_leaf().expect(path).read().into_owned();
        assert_eq!(read, format!("{text}\n").into_bytes());
        assert!(
            done.told.iter().any(|line| line.contains("forced: ")),
            "{:?}",
            done.told
        );
    }
}

#[test]
fn no_force_writes_what_the_code_page_lacks_or_a_nul() {
    for path in ["campaign/call_sign", "campaign/name"] {
        for text in ["\u{142}", "a\0b"] {
            for desk in [Desk::of("ACEGAME01.IFF"), Desk::forced("ACEGAME01.IFF")] {
                let refusal = desk.refusal(path, text);
                assert_eq!(
                    (refusal.errno, refusal.forcible),
                    (Errno::Unencodable, false),
                    "{path} {text:?}"
                );
            }
        }
    }
}

#[test]
fn a_name_with_a_foreign_character_is_told_the_true_limit() {
    let refusal = Desk::of("ACEGAME01.IFF").refusal("campaign/name", "\u{142}");
    assert_eq!(refusal.legal, "0..47 Windows-1252 characters");
}

#[test]
fn control_characters_that_were_found_survive() {
    let example = bytes("ACEGAME01.IFF");
    let mut file = example.clone();
    file[20..24].copy_from_slice(b"T\x01\nt");
    let desk = Desk::with("ACEGAME01.IFF", &file, &[], false);
    assert!(desk.set("campaign/name", "T\u{1}\nt").changed().is_empty());
    desk.set("campaign/kills", "42");
    assert_eq!(desk.current()[20..24], file[20..24]);
}

#[test]
fn a_loose_file_refuses_a_longer_name_while_it_is_typed() {
    let desk = Desk::of("awkward/trailing_16/ACEGAME01.IFF");
    let node = desk.session.resolve("campaign/name").expect("a name");
    let leaf = node.as_leaf().expect("a leaf");
    for fine in ["Tes", "Test", "Tent", "Test\n"] {
        assert!(leaf.feasible(fine.as_bytes()).is_ok(), "{fine:?}");
    }
    let refusal = leaf.feasible(b"Tests").expect_err("longer");
    assert_eq!(
        (refusal.errno, refusal.forcible),
        (Errno::NotPermitted, false)
    );
    let whole = Desk::of("ACEGAME01.IFF");
    let node = whole.session.resolve("campaign/name").expect("a name");
    assert!(node.as_leaf().expect("a leaf").feasible(b"Tests").is_ok());
}

#[test]
fn raw_bytes_are_refused_while_they_are_written() {
    let desk = Desk::of("ACEGAME01.IFF");
    let node = desk.session.resolve("chunks/2/data").expect("data");
    let leaf = node.as_leaf().expect("a leaf");
    for fine in [&b""[..], &[1], &[1, 0, 0, 0]] {
        assert!(leaf.feasible(fine).is_ok(), "{fine:?}");
    }
    for bad in [&[2][..], &[1, 1], &[1, 0, 0, 0, 0]] {
        let refusal = leaf.feasible(bad).expect_err("raw");
        assert_eq!(
            (refusal.errno, refusal.forcible),
            (Errno::NotPermitted, true)
        );
    }
}

#[test]
fn a_file_name_without_a_call_sign_is_not_of_the_form() {
    let desk = Desk::with("GAME01.IFF", &bytes("ACEGAME01.IFF"), &[], false);
    let save = desk.session.now();
    assert_eq!(
        summary(&*save.save, "slot"),
        "none: the name is not of the form <call sign>GAME<slot>.IFF"
    );
    assert_eq!(desk.finding("R1"), None);
    desk.set("campaign/call_sign", "BOB");
}

/// A folder from the time of the game gives names in the game's code page, which are no UTF-8.
#[cfg(unix)]
#[test]
fn a_file_name_in_the_code_page_is_that_of_its_call_sign() {
    use super::super::slot::FileName;
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"Ren\xe9eGAME01.IFF").to_string_lossy();
    let file = FileName::parse(&name).expect("a save's name");
    assert!(file.is_of("Ren\u{e9}e") && file.is_of("REN\u{c9}E"));
    assert!(!file.is_of("Renee") && !file.is_of("Ren\u{e9}") && !file.is_of("Ren\u{e9}es"));
}
