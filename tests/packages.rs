//! Packages from outside: what a check says of them, and members whose names go deep.

use crate::support::{copy_of, fixture, printed, refused, scratch};

/// A package with one member of this name, which holds one byte.
fn package(name: &str) -> Vec<u8> {
    let mut file = b"simp".to_vec();
    file.extend(1u32.to_le_bytes());
    file.extend([0; 8]);
    file.extend(0x41u64.to_le_bytes());
    file.resize(0x40, 0);
    file.push(b'!');
    file.extend(b"toc!\0\0\0\0");
    file.extend(1i64.to_le_bytes());
    file.resize(0x41 + 0x40, 0);
    file.extend(u32::try_from(name.len()).expect("a name").to_le_bytes());
    file.extend(name.as_bytes());
    file.push(0);
    file.extend(1i64.to_le_bytes());
    file.extend(0x40i64.to_le_bytes());
    file
}

#[test]
fn a_sound_package_is_fine() {
    let (_folder, save) = copy_of(&fixture("sinking_star/data.package"));
    let save = save.display().to_string();
    assert_eq!(printed(&["check", &save]), format!("{save}: fine\n"));
}

#[test]
fn a_member_below_a_hundred_thousand_folders_is_shown() {
    let folder = scratch();
    let file = folder.path().join("deep.package");
    std::fs::write(&file, package(&["d"; 100_000].join("/"))).expect("a package");
    let file = file.display().to_string();
    let flat = printed(&["tree", "--flat", &file]);
    let line = flat.strip_suffix('\n').expect("a line");
    assert!(
        line.starts_with("package/d/d/d/") && line.ends_with("<1 bytes, crc 9e6bffd3>"),
        "{line}"
    );
    assert!(line.len() < 1000, "{} bytes of a path", line.len());
}

#[test]
fn a_table_of_contents_that_goes_on_for_ever_is_not_loaded() {
    let folder = scratch();
    let file = folder.path().join("long.package");
    std::fs::write(&file, package("a")).expect("a package");
    let long = std::fs::File::options().write(true).open(&file);
    long.and_then(|file| file.set_len(1 << 40)).expect("a hole");
    let said = refused(1, &["ls", &file.display().to_string()]);
    assert!(said.contains("expected at most 67108864 bytes"), "{said}");
}

#[test]
fn a_member_of_many_pieces_has_the_checksum_of_them_all() {
    let folder = scratch();
    let file = folder.path().join("large.package");
    let size = 5 * (1 << 20) + 3u64;
    let mut bytes = package("zeros");
    bytes.splice(0x41..0x41, vec![0; 5 * (1 << 20) + 2]);
    bytes[0x10..0x18].copy_from_slice(&(0x40 + size).to_le_bytes());
    let place = bytes.len() - 16;
    bytes[place..place + 8].copy_from_slice(&size.to_le_bytes());
    bytes[0x40] = 0;
    std::fs::write(&file, bytes).expect("a package");
    let flat = printed(&["tree", "--flat", &file.display().to_string()]);
    assert_eq!(flat, "package/zeros=<5242883 bytes, crc d398673f>\n");
}
