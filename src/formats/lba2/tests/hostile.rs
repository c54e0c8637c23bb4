//! Damaged files: refused or opened in part, and never a panic.

use super::*;
use crate::tree::{Weight, walk};

/// Reads all that a save shows.
fn look(save: &Arc<dyn Save>) -> usize {
    let mut leaves = 0;
    walk::leaves(&Arc::clone(save).root(), "", &mut |_, leaf| {
        let _ = (leaf.read(), leaf.spans(), leaf.about());
        leaves += 1;
    });
    leaves
}

/// Opens a file that may be anything. What opens without damage is the file.
fn survive(file: &[u8], thorough: bool) -> bool {
    let Ok(save) = Lba2.open(file, &Options::default()) else {
        return false;
    };
    assert!(save.image().len() <= file.len() * 8 + 16);
    let inner: &Saved = save.as_any().downcast_ref().unwrap();
    let whole = inner.skeleton.fault.is_none() && inner.cut.is_none();
    if whole && !inner.head.is_compressed() {
        assert_eq!(save.encode().unwrap(), file);
    }
    if thorough {
        look(&save);
        let damage = save.findings().iter().any(|f| f.weight == Weight::Damage);
        assert_eq!(damage, !whole);
        save.summary();
    }
    whole
}

/// The plain twin of a fixture.
fn twin(name: &str) -> Vec<u8> {
    let mut file = opened(name).image().to_vec();
    file[0] &= !0x80;
    file
}

#[test]
fn every_truncation_is_refused_or_read_in_part() {
    for name in ["ONEOBJ32", "CHECK64"] {
        let file = fixture(name);
        for length in 0..file.len() {
            assert!(
                !survive(&file[..length], length % 97 == 0),
                "{name} cut to {length}"
            );
        }
    }
    for name in [
        "MINIMAL", "FLOWS32", "CHECK64", "INCRUSTS", "EXTRAS64", "ZONES",
    ] {
        let file = twin(name);
        for length in (0..200).chain(19_150..file.len()) {
            assert!(
                !survive(&file[..length], length % 211 == 0),
                "{name} cut to {length}"
            );
        }
    }
}

#[test]
fn every_flipped_bit_of_the_uncompressed_is_survived() {
    for name in [
        "MINIMAL", "FLOWS64", "CHECK32", "INCRUSTS", "EXTRAS32", "ZONES",
    ] {
        let mut file = twin(name);
        let start = saved(&opened(name)).skeleton.main.at;
        for at in (0..40).chain(start..file.len()) {
            for bit in 0..8 {
                file[at] ^= 1 << bit;
                survive(&file, (at * 8 + bit) % 509 == 0);
                file[at] ^= 1 << bit;
            }
        }
    }
}

#[test]
fn every_flipped_bit_of_a_stream_is_survived() {
    let mut file = fixture("ONEOBJ32");
    for at in 0..file.len() {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            survive(&file, (at * 8 + bit) % 2003 == 0);
            file[at] ^= 1 << bit;
        }
    }
}

#[test]
fn a_cut_file_shows_what_is_left() {
    let file = twin("FLOWS32");
    let flow = saved(&opened("FLOWS32"))
        .skeleton
        .main
        .flows
        .as_ref()
        .unwrap()[1]
        .flow
        .at;
    let save = open(&file[..flow + 10]);
    assert_eq!(get(&save, "lba/kashes"), "123");
    assert_eq!(
        get(&save, "lba/objects/5/hit_by"),
        get(&opened("FLOWS32"), "lba/objects/5/hit_by")
    );
    assert_eq!(get(&save, "lba/layout"), "wire32");
    assert!(save.node("lba/flows").is_err());
    assert!(save.node("lba/camera").is_err());
    let found = save.0.findings();
    let damage = found.iter().find(|f| f.weight == Weight::Damage).unwrap();
    assert_eq!(damage.offset, Some(flow));
    assert!(damage.text.contains("60 bytes, found 10 bytes"), "{damage}");
}

#[test]
fn a_cut_stream_shows_what_it_gives() {
    let file = fixture("PLAIN64C");
    let save = open(&file[..file.len() - 200]);
    assert_eq!(get(&save, "lba/name"), "Plain 64");
    assert_eq!(get(&save, "lba/kashes"), "123");
    assert!(save.node("lba/screenshot.png").is_ok());
    let found = save.0.findings();
    assert!(
        found
            .iter()
            .any(|f| f.weight == Weight::Damage && f.text.contains("compressed payload"))
    );
    let early = open(&file[..200]);
    assert_eq!(get(&early, "lba/name"), "Plain 64");
    assert!(early.node("lba/kashes").is_err());
    assert!(early.node("lba/screenshot.png").is_err());
}

#[test]
fn a_checkpoint_that_does_not_fill_its_bytes_is_damage() {
    let mut file = twin("CHECK32");
    file.extend([0; 8]);
    let size = saved(&opened("CHECK32")).skeleton.checkpoint.unwrap();
    let longer = i32::try_from(size.bytes + 8).unwrap();
    file[size.at - 4..size.at].copy_from_slice(&longer.to_le_bytes());
    let save = open(&file);
    let fault = saved(&save).skeleton.fault.clone().unwrap();
    assert_eq!(fault.found, "8 bytes left over");
    assert_eq!(get(&save, "lba/kashes"), "123");
}
