//! How a save is stored: compressed or not, converted, and never by accident over another.

use super::{get, set};
use crate::support::{Mounted, copy_of, fixture, printed, refused, scratch};
use savefs::codec::lzss;

/// Where the payload of the fixture PLAIN32U begins, and the bytes of its screenshot.
const PAYLOAD: usize = 14;
const SCREENSHOT: usize = 19_200;

/// A compressed save whose picture is noise but for so many pixels that it gets shorter by a few bytes.
fn barely_compressed() -> Vec<u8> {
    let plain = std::fs::read(fixture("lba2/PLAIN32U.LBA")).expect("the fixture");
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    })
    .take(SCREENSHOT)
    .collect();
    let (head, payload) = plain.split_at(PAYLOAD);
    let with_noise = |pixels: usize| {
        let mut payload = payload.to_vec();
        payload[..SCREENSHOT].fill(0);
        payload[..pixels].copy_from_slice(&noise[..pixels]);
        let stream = lzss::encode(&payload);
        (stream.len() < payload.len()).then_some((payload.len(), stream))
    };
    let (mut some, mut many) = (0, SCREENSHOT);
    while many - some > 1 {
        let pixels = (some + many) / 2;
        match with_noise(pixels) {
            Some(_) => some = pixels,
            None => many = pixels,
        }
    }
    let (size, stream) = with_noise(some).expect("a stream");
    let size = u32::try_from(size).expect("a size").to_le_bytes();
    [&[head[0] | 0x80], &head[1..], &size, &stream].concat()
}

#[test]
fn an_edit_that_takes_the_gain_of_compression_away_stores_the_save_plain_and_says_so() {
    let folder = scratch();
    let save = folder.path().join("NOISE.LBA");
    std::fs::write(&save, barely_compressed()).expect("a save");
    assert_eq!(get(&save, "lba/compressed"), "true");
    let edits: Vec<String> = (60..79)
        .map(|n| format!("lba/vars/{n}={}", n * 397))
        .collect();
    let edits: Vec<&str> = edits.iter().map(String::as_str).collect();
    let said = set(&save, &edits);
    assert!(said.contains("stored uncompressed"), "{said}");
    assert_eq!(get(&save, "lba/compressed"), "false");
    assert_eq!(get(&save, "lba/vars/70"), "27790");
}

#[test]
fn a_save_that_still_gets_shorter_stays_compressed() {
    let (_folder, save) = copy_of(&fixture("lba2/PLAIN32C.LBA"));
    let old = std::fs::read(&save).expect("the save");
    let back = format!("lba/vars/70={}", get(&save, "lba/vars/70"));
    assert_eq!(set(&save, &["lba/vars/70=27790"]), "");
    assert_eq!(get(&save, "lba/compressed"), "true");
    set(&save, &[&back]);
    assert!(std::fs::read(&save).expect("the save") == old);
}

#[test]
fn a_conversion_writes_a_new_file_and_nothing_else() {
    let (folder, save) = copy_of(&fixture("lba2/PLAIN32C.LBA"));
    let old = std::fs::read(&save).expect("the save");
    let (path, other) = (save.display().to_string(), folder.path().join("PLAIN.LBA"));
    let out = other.display().to_string();
    let listing = || {
        let entries = std::fs::read_dir(folder.path()).expect("the folder");
        entries.count()
    };
    // Onto itself it would be gone, and onto another save that one.
    for verb in ["compress", "decompress"] {
        let error = refused(1, &[verb, &path, &path]);
        assert!(error.contains("exists"), "{error}");
    }
    assert!(std::fs::read(&save).expect("the save") == old);
    printed(&["decompress", &path, &out]);
    assert_eq!(get(&other, "lba/compressed"), "false");
    assert_eq!(listing(), 2, "the save and its plain twin");
    refused(1, &["compress", &path, &out]);
    let again = folder.path().join("AGAIN.LBA");
    printed(&["compress", &out, &again.display().to_string()]);
    assert!(std::fs::read(&again).expect("the save") == old);
    let dust = fixture("dreamfactory/GOTBONE.RTD").display().to_string();
    let none = folder.path().join("none").display().to_string();
    let error = refused(1, &["compress", &dust, &none]);
    assert!(error.contains("never compressed"), "{error}");
    assert_eq!(listing(), 3, "nothing is left of what failed");
}

#[test]
fn a_picture_is_not_written_over_a_save() {
    let (folder, save) = copy_of(&fixture("lba2/PLAIN32C.LBA"));
    let old = std::fs::read(&save).expect("the save");
    let path = save.display().to_string();
    let error = refused(1, &["screenshot", &path, &path]);
    assert!(error.contains("no picture"), "{error}");
    assert!(std::fs::read(&save).expect("the save") == old);
    let picture = folder.path().join("out.png").display().to_string();
    printed(&["screenshot", &path, &picture]);
    printed(&["screenshot", &path, &picture]);
    let written = std::fs::read(&picture).expect("a picture");
    assert!(written.starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn a_hostile_name_does_not_reach_the_terminal() {
    let folder = scratch();
    let save = folder.path().join("HOSTILE.LBA");
    let plain = std::fs::read(fixture("lba2/PLAIN32U.LBA")).expect("the fixture");
    let name = b"a\nb\x1b[31m\0";
    std::fs::write(&save, [&plain[..5], name, &plain[PAYLOAD..]].concat()).expect("a save");
    let path = save.display().to_string();
    let of_folder = folder.path().display().to_string();
    for about in [printed(&["info", &path]), printed(&["info", &of_folder])] {
        assert!(!about.contains('\x1b'), "{about:?}");
        assert!(about.contains("a\\nb\\u{1b}[31m"), "{about:?}");
    }
    assert_eq!(get(&save, "lba/name"), "a\nb\x1b[31m");
}

#[test]
fn a_refused_picture_is_told_by_its_size() {
    let (_folder, save) = copy_of(&fixture("lba2/PLAIN32C.LBA"));
    let path = save.display().to_string();
    let error = refused(1, &["set", &path, "lba/screenshot.png=GIF89a\u{1}\u{2}"]);
    assert!(error.contains("\"GIF89a"), "{error}");
    let Some(mount) = Mounted::new(&save, save.parent().expect("a folder"), &[]) else {
        return;
    };
    let (status, _, _) = mount.sh(
        "bash",
        "printf '\\xff\\xd8\\xff\\xe0\\0\\1' > lba/screenshot.png",
    );
    assert_eq!(status, 1);
    let errors = mount.read(".savefs/errors");
    assert!(
        errors.contains("lba/screenshot.png: \"<6 bytes>\": not a PNG"),
        "{errors}"
    );
    mount.unmount();
}
