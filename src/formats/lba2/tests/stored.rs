//! How a save is stored: compressed or not, and what may follow the payload.

use super::*;
use crate::codec::lzss;
use crate::formats::lba2::walk::SMALLEST;

/// A compressed file of this payload, with bytes behind the stream.
fn compressed(payload: &[u8], behind: &[u8]) -> Vec<u8> {
    let size = u32::try_from(payload.len()).unwrap().to_le_bytes();
    let head = [0xA4, 26, 0, 0, 0, b'A', 0];
    [
        head.as_slice(),
        &size,
        lzss::encode(payload).as_slice(),
        behind,
    ]
    .concat()
}

/// The smallest payload: no object, no extra, no flow, and on safe ground, so that both layouts walk it.
fn without_layout() -> Vec<u8> {
    let mut payload = vec![0; SMALLEST];
    payload[SMALLEST - 8] = 1;
    payload
}

#[test]
fn a_save_is_not_stored_so_that_it_can_no_longer_be_told_apart() {
    let save = open(&compressed(&without_layout(), b""));
    let plain = set(&save, "lba/compressed", "false");
    assert!(saved(&open(&file_of(&plain))).skeleton.fault.is_none());
    // With bytes behind, both layouts would fit the plain file and leave bytes over (lba2.md 10).
    let save = open(&compressed(&without_layout(), b"more"));
    assert_eq!(get(&save, "lba/layout"), "wire32");
    assert_eq!(refused(&save, "lba/compressed", "false"), Errno::Damaged);
}

#[test]
fn bytes_behind_a_stream_come_through_both_ways() {
    let file = fixture("TRAILLZ");
    let save = open(&file);
    let plain = set(&save, "lba/compressed", "false");
    let again = open(&file_of(&plain));
    assert_eq!(
        get(&again, "lba/trailing.bin"),
        get(&save, "lba/trailing.bin")
    );
    assert_eq!(file_of(&set(&plain, "lba/compressed", "true")), file);
}

#[test]
fn a_save_that_would_not_fit_the_buffer_is_not_compressed() {
    // Patches of incompressible bytes fill the buffer: the stream needs room beside them (lba2.md 2.1).
    let mut payload = without_layout();
    let patches = 250_000;
    let at = 19_200 + 1482 + 4;
    payload[at..at + 4].copy_from_slice(&u32::try_from(patches).unwrap().to_le_bytes());
    let mut state = 1u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as u8
    });
    payload.splice(at + 4..at + 4, noise.take(patches));
    let plain = [&[0x24, 26, 0, 0, 0, b'A', 0], payload.as_slice()].concat();
    let save = open(&plain);
    assert_eq!(refused(&save, "lba/compressed", "true"), Errno::Invalid);
    // A compressed one, which only another program makes, is stored plain when it is edited.
    let after = set(&open(&compressed(&payload, b"")), "lba/keys", "1");
    assert_eq!(get(&after, "lba/compressed"), "false");
    assert_eq!(get(&open(&file_of(&after)), "lba/keys"), "1");
}

#[test]
fn a_cut_file_is_damaged_and_not_another_programs() {
    let file = fixture("PLAIN32C");
    let cut = open(&file[..file.len() - 700]);
    let codes: Vec<&str> = finding_codes(&cut.0)
        .into_iter()
        .map(|(code, _)| code)
        .collect();
    assert!(codes.contains(&"damage"), "{codes:?}");
    for wrong in ["stream", "counts", "patches", "darts", "view"] {
        assert!(!codes.contains(&wrong), "{codes:?}");
    }
}
