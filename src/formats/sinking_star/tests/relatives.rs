//! Section 7, recognition, and damage of every kind.

use super::support::{fixture, open, verdict};
use crate::formats::{self, Likeness, Options, Probe};
use crate::tree::source::Source;
use crate::tree::{Node, Save, Weight, walk};
use std::sync::Arc;

fn probe<'a>(name: &'a str, head: &'a [u8]) -> Option<&'static str> {
    let probe = Probe {
        name,
        head,
        length: head.len() as u64,
    };
    let found = formats::recognise(&probe)?;
    assert!(found.recognise(&probe) > Likeness::No);
    Some(found.name())
}

#[test]
fn names_lead_where_bytes_say_nothing() {
    let zeros = [0; 16];
    for (name, head, format) in [
        (
            "settings.menu_state",
            &zeros[..],
            Some("sinking-star-settings"),
        ),
        (
            "Unsynced_Settings.MENU_STATE",
            b"",
            Some("sinking-star-settings"),
        ),
        ("Status.sokoban_status", &zeros, Some("sinking-star-status")),
        ("intro.history", &zeros, Some("sinking-star-history")),
        ("intro.entities", &zeros, Some("sinking-star-level")),
        ("anything", b"enty\x07\0", Some("sinking-star-level")),
        (
            "Sinking.package",
            b"simp\x01\0\0\0",
            Some("sinking-star-package"),
        ),
        ("data", b"simp\x01\0\0\0", Some("sinking-star-package")),
        ("_temp_settings.menu_state", &zeros, None),
        ("_temp_intro.history", &zeros, None),
        ("settings.menu_state.bak", &zeros, None),
        ("menu_state", &zeros, None),
    ] {
        assert_eq!(probe(name, head), format, "{name}");
    }
}

#[test]
fn a_name_that_promises_what_the_bytes_do_not_hold() {
    for (name, bytes, words) in [
        (
            "a.menu_state",
            &b"abc"[..],
            "expected 4 bytes, as the file's name promises, found a file of 3 bytes",
        ),
        (
            "a.entities",
            b"text text",
            "magic at offset 0: expected enty, found text",
        ),
        (
            "a.entities",
            b"enty\x08\0\0\0\0\0\0\0\0\0",
            "version at offset 4: expected 7, found 8",
        ),
        (
            "a.package",
            b"simp",
            "Head at offset 0: expected 64 bytes, found 4 before the end",
        ),
    ] {
        let fault = open(name, bytes, None).err().unwrap().to_string();
        assert!(fault.contains(words), "{fault}");
    }
    let text = open("a.history", b"#!/bin/sh\necho this is no history\n", None).unwrap();
    assert_eq!(verdict(&Ok(text.clone())), "raw");
    assert!(
        text.read_only()
            .unwrap()
            .contains("is one that the game refuses")
    );
}

fn listing(root: &Node) -> Vec<String> {
    let mut all = Vec::new();
    walk::walk(root, "", &mut |path, _| {
        all.push(path.to_owned());
        true
    });
    all
}

#[test]
fn members_that_lie_elsewhere_are_left_out_and_told_of() {
    let image = fixture("package/member_negative/data.package");
    let save = open("data.package", &image, None).unwrap();
    let findings = save.findings();
    assert_eq!(findings.len(), 1);
    assert!(
        findings[0].text.contains("intro.level_manifest has"),
        "{}",
        findings[0].text
    );
    let paths = listing(&save.root());
    assert!(paths.contains(&"package/data-common/intro.entities".to_owned()));
    assert!(!paths.contains(&"package/data-common/intro.level_manifest".to_owned()));
}

#[test]
fn members_never_leave_their_folder() {
    let image = fixture("package/names_climb/data.package");
    let save = open("data.package", &image, None).unwrap();
    let paths = listing(&save.root());
    for path in [
        "package/%2e./up",
        "package/%/etc/x",
        "package/a/%/b",
        "package/same",
        "package/same~2",
        "package/dir",
        "package/dir~2/file",
    ] {
        assert!(paths.contains(&path.to_owned()), "{path} of {paths:?}");
    }
}

#[test]
fn a_level_that_breaks_off_shows_what_it_has() {
    let image = fixture("level/byte_fewer/intro.entities");
    let save = open("intro.entities", &image, None).unwrap();
    assert_eq!(save.findings()[0].weight, Weight::Damage);
    let paths = listing(&save.root());
    assert!(paths.contains(&"level/entities/#5-1048575/type".to_owned()));
    assert!(paths.contains(&"level/rest.bin".to_owned()));
    assert!(!paths.contains(&"level/entities/#1023-7/type".to_owned()));
}

/// Opens bytes and reads every node; gives how many there were.
fn read_all(name: &str, image: &[u8], schema: Option<String>) -> usize {
    let Ok(save) = open(name, image, schema) else {
        return 0;
    };
    assert_eq!(save.image(), image);
    let mut nodes = 0;
    walk::leaves(&save.root(), "", &mut |_, leaf| {
        leaf.about();
        assert_eq!(leaf.size(), leaf.read().len() as u64);
        nodes += 1;
    });
    nodes
}

const SMALL: [&str; 7] = [
    "settings.menu_state",
    "campaign/Status.sokoban_status",
    "status/full/Status.sokoban_status",
    "campaign/overworld.history",
    "history/transaction_2/intro.history",
    "intro.entities",
    "data.package",
];

#[test]
fn every_truncation_is_taken() {
    for name in SMALL.into_iter().chain(["campaign/intro.history"]) {
        let image = fixture(name);
        let whole = read_all(name, &image, None);
        for length in 0..image.len() {
            read_all(name, &image[..length], Some(super::support::schema()));
        }
        assert!(whole > 1, "{name}");
    }
}

#[test]
fn every_flip_of_a_bit_is_taken() {
    let all = SMALL.into_iter().map(|name| (name, 1));
    for (name, step) in all.chain([("campaign/intro.history", 11)]) {
        let image = fixture(name);
        let whole = read_all(name, &image, None);
        for bit in (0..image.len() * 8).step_by(step) {
            let mut flipped = image.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let nodes = read_all(name, &flipped, Some(super::support::schema()));
            assert!(nodes < 100 * whole, "{name}: bit {bit} makes {nodes} nodes");
        }
    }
}

/// A file that counts what is read of it.
struct Counting {
    bytes: Vec<u8>,
    read: std::sync::atomic::AtomicUsize,
}

impl Source for Counting {
    fn length(&self) -> u64 {
        self.bytes.len() as u64
    }
    fn read_at(&self, offset: u64, length: usize) -> Vec<u8> {
        self.read
            .fetch_add(length, std::sync::atomic::Ordering::Relaxed);
        self.bytes[offset as usize..][..length].to_vec()
    }
}

#[test]
fn a_package_is_read_in_its_place() {
    let bytes = fixture("data.package");
    let toc = usize::from(bytes[16]) + 256 * usize::from(bytes[17]);
    let file = Arc::new(Counting {
        bytes: bytes.clone(),
        read: 0.into(),
    });
    let source: Arc<dyn Source> = file.clone();
    let format = formats::by_name("sinking-star-package").unwrap();
    let save = format
        .open_in_place(&source, &Options::default())
        .unwrap()
        .unwrap();
    let read = || file.read.swap(0, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(
        read(),
        64 + bytes.len() - toc,
        "the header and the table of contents"
    );
    let held = open("data.package", &bytes, None).unwrap();
    assert_eq!(listing(&save.clone().root()), listing(&held.clone().root()));
    assert_eq!(read(), 0, "listing reads no member");
    let path = "package/data-common/intro.level_manifest";
    let manifest = |save: &Arc<dyn Save>| walk::resolve(&save.clone().root(), path).unwrap();
    for save in [&save, &held] {
        let node = manifest(save);
        let leaf = node.as_leaf().unwrap();
        assert_eq!(leaf.read_at(6, 4), *b";;;;");
        assert_eq!(leaf.read_at(leaf.size() - 2, 100), *b"o\n");
        assert_eq!(leaf.read_at(leaf.size() + 2, 100), *b"");
        assert!(leaf.read().starts_with(b"[1]\n"));
    }
    assert_eq!(
        read() as u64,
        4 + 2 + manifest(&held).as_leaf().unwrap().size()
    );
    assert_eq!(save.encode().unwrap(), bytes);
    assert!(save.read_only().is_some());
}

#[test]
fn only_packages_are_left_in_their_place() {
    let source: Arc<dyn Source> = Arc::new(Counting {
        bytes: fixture("intro.entities"),
        read: 0.into(),
    });
    for format in formats::REGISTER {
        let in_place = format.open_in_place(&source, &Options::default());
        match format.name() {
            "sinking-star-package" => assert!(in_place.unwrap().is_err()),
            _ => assert!(in_place.is_none()),
        }
    }
}
