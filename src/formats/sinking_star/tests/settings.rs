//! Section 3: the gate, the worked example, what may be written and what is kept.

use super::support::{Opened, edited, fixture, open, value, verdict};
use crate::session::Edit;
use crate::tree::{Node, walk};

const NAME: &str = "settings.menu_state";

fn example() -> Vec<u8> {
    fixture(NAME)
}

fn set(image: &[u8], path: &str, value: &str) -> Result<Vec<u8>, String> {
    edited(NAME, image, &[Edit::set(format!("settings/{path}"), value)]).map(|(image, _)| image)
}

/// Every writable leaf of the worked example, with its value.
fn values(image: &[u8]) -> Vec<(String, Vec<u8>)> {
    let save = open(NAME, image, None).unwrap();
    let mut all = Vec::new();
    walk::leaves(&save.root(), "", &mut |path, leaf| {
        if leaf.access() == crate::tree::Access::ReadWrite {
            all.push((path.to_owned(), leaf.read().into_owned()));
        }
    });
    all
}

#[test]
fn the_worked_example_is_built_from_an_empty_file_by_its_texts() {
    let mut empty = vec![0; 77];
    empty[0] = 9;
    let values = values(&example());
    assert_eq!(
        values.len(),
        23 - 2,
        "23 fields and no version, less two that are kept"
    );
    let edits: Vec<Edit> = values
        .into_iter()
        .map(|(path, value)| Edit::set(path, value))
        .collect();
    assert_eq!(edited(NAME, &empty, &edits).unwrap().0, example());
}

#[test]
fn an_edit_changes_its_own_bytes() {
    let before = example();
    for (path, text, at, bytes) in [
        ("music_volume", "0.25", 4, &[0, 0, 0x80, 0x3e][..]),
        ("render_resolution", "-128", 0x0c, &[0x80]),
        ("graphics_mode", "255", 0x0d, &[255]),
        ("fullscreen", "true", 0x0e, &[1]),
        ("window_rect/3", "-2", 0x1c, &[0xfe, 0xff, 0xff, 0xff]),
        ("target_frame_rate", "0", 0x2d, &[0; 8]),
        (
            "vsync_interval_divisor",
            "0x10",
            0x36,
            &[16, 0, 0, 0, 0, 0, 0, 0],
        ),
        ("msaa_mode", "-1", 0x42, &[0xff; 8]),
        ("voice_language_chosen", "1", 0x4c, &[1]),
    ] {
        let mut wanted = before.clone();
        wanted[at..at + bytes.len()].copy_from_slice(bytes);
        assert_eq!(set(&before, path, text), Ok(wanted), "{path}={text}");
    }
}

#[test]
fn what_section_3_refuses_is_refused() {
    for (path, text) in [
        ("music_volume", "1.5"),
        ("music_volume", "-0.1"),
        ("music_volume", "nan"),
        ("overall_volume", "inf"),
        ("fullscreen", "2"),
        ("target_frame_rate", "-1"),
        ("vsync_interval_divisor", "0"),
        ("version", "8"),
        ("unknown_since_6", "1"),
        ("unknown_since_7", "1"),
        ("graphics_mode", "256"),
        ("subtitle", "true"),
        ("window_rect/4", "0"),
    ] {
        assert!(set(&example(), path, text).is_err(), "{path}={text}");
    }
}

#[test]
fn numbers_without_names_are_taken_with_a_warning() {
    let edits = [Edit::set("settings/text_language", "77")];
    let (image, said) = edited(NAME, &example(), &edits).unwrap();
    assert_eq!(image[0x28..0x2a], [77, 0]);
    assert!(said.contains("the game may not know"), "{said}");
}

#[test]
fn what_is_out_of_range_survives_edits_of_other_fields() {
    for case in [
        "volume_nan_payload",
        "volume_minus_zero",
        "boolean_2",
        "byte_more",
    ] {
        let image = fixture(&format!("settings/{case}/{NAME}"));
        let mut wanted = image.clone();
        wanted[0x2a] = 0;
        assert_eq!(
            set(&image, "text_language_chosen", "false"),
            Ok(wanted),
            "{case}"
        );
    }
    let odd = fixture(&format!("settings/volume_nan_payload/{NAME}"));
    let save = open(NAME, &odd, None).unwrap();
    assert_eq!(value(&save, "settings/music_volume"), "nan:0xff812345");
}

#[test]
fn what_a_node_holds_is_no_edit() {
    for case in [
        "",
        "settings/volume_infinite/",
        "settings/divisor_0/",
        "settings/boolean_2/",
    ] {
        let image = fixture(&format!("{case}{NAME}"));
        for (path, text) in values(&image) {
            let same = edited(NAME, &image, &[Edit::set(&path, text)]).unwrap();
            assert_eq!(same, (image.clone(), String::new()), "{case}{path}");
        }
    }
}

#[test]
fn a_short_file_is_shown_and_closed() {
    let image = fixture(&format!("settings/byte_fewer/{NAME}"));
    let refused = set(&image, "music_volume", "1").unwrap_err();
    assert!(
        refused.contains("takes 77 bytes, the file has 76"),
        "{refused}"
    );
    for length in 0..77 {
        let save: Opened = open(NAME, &example()[..length], None);
        let wanted = if length < 4 { "refused" } else { "read-only" };
        assert_eq!(verdict(&save), wanted, "{length}");
    }
}

#[test]
fn bytes_behind_the_fields_are_kept_and_can_be_read() {
    let save = open(NAME, &[&example()[..], b"\x77\x78"].concat(), None).unwrap();
    let tail = walk::resolve(&save.root(), "settings/tail.bin").unwrap();
    let Node::Leaf(tail) = tail else {
        panic!("a leaf");
    };
    assert_eq!(*tail.read(), *b"\x77\x78");
}
