use super::super::temporary::Temporary;
use super::{NEW, Place, accept};
use rustix::fs::XattrFlags;
use rustix::io::Errno;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

/// Version 2; owner rw-, user 12345 r--, group r--, mask r--, others ---.
const ACCESS_LIST: [u8; 44] = [
    2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 4, 0, 0x39, 0x30, 0, 0, 4, 0, 4, 0, 255, 255,
    255, 255, 16, 0, 4, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255,
];

fn attribute(path: &Path, name: &str) -> Result<Vec<u8>, Errno> {
    let mut value = vec![0; 1024];
    let length = rustix::fs::getxattr(path, name, &mut value[..])?;
    value.truncate(length);
    Ok(value)
}

fn set(path: &Path, name: &str, value: &[u8]) {
    rustix::fs::setxattr(path, name, value, XattrFlags::empty()).unwrap();
}

#[test]
fn mode_is_kept_whatever_the_umask() {
    for mode in [0o600, 0o640, 0o664, 0o666, 0o755, 0o4755] {
        let place = Place::new();
        fs::set_permissions(place.save(), Permissions::from_mode(mode)).unwrap();
        place.store().commit(NEW, accept).unwrap();
        for name in ["one.sav", "one.sav.bak"] {
            assert_eq!(
                fs::metadata(place.at(name)).unwrap().mode() & 0o7777,
                mode,
                "{name}"
            );
        }
    }
}

#[test]
fn owner_and_group_are_kept() {
    if !rustix::process::geteuid().is_root() {
        return eprintln!("SKIPPED: only root can give files away");
    }
    let place = Place::new();
    chown(place.save(), Some(1234), Some(4321)).unwrap();
    place.store().commit(NEW, accept).unwrap();
    for name in ["one.sav", "one.sav.bak"] {
        let metadata = fs::metadata(place.at(name)).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (1234, 4321), "{name}");
    }
}

#[test]
fn extended_attributes_are_kept() {
    let place = Place::new();
    let long = vec![b'x'; 700];
    set(&place.save(), "user.note", b"from the first run");
    set(&place.save(), "user.long", &long);
    set(&place.save(), "user.empty", b"");
    place.store().commit(NEW, accept).unwrap();
    for name in ["one.sav", "one.sav.bak"] {
        assert_eq!(
            attribute(&place.at(name), "user.note").unwrap(),
            b"from the first run"
        );
        assert_eq!(attribute(&place.at(name), "user.long").unwrap(), long);
        assert_eq!(attribute(&place.at(name), "user.empty").unwrap(), b"");
    }
}

#[test]
fn an_access_list_is_kept() {
    let place = Place::new();
    match rustix::fs::setxattr(
        place.save(),
        "system.posix_acl_access",
        &ACCESS_LIST,
        XattrFlags::empty(),
    ) {
        Err(Errno::OPNOTSUPP) => return eprintln!("SKIPPED: no access lists on this file system"),
        other => other.unwrap(),
    }
    let mode = fs::metadata(place.save()).unwrap().mode();
    place.store().commit(NEW, accept).unwrap();
    assert_eq!(
        attribute(&place.save(), "system.posix_acl_access").unwrap(),
        ACCESS_LIST
    );
    assert_eq!(fs::metadata(place.save()).unwrap().mode(), mode);
}

#[test]
fn an_access_list_is_not_inherited_from_the_directory() {
    let place = Place::new();
    match rustix::fs::setxattr(
        place.path(),
        "system.posix_acl_default",
        &ACCESS_LIST,
        XattrFlags::empty(),
    ) {
        Err(Errno::OPNOTSUPP) => return eprintln!("SKIPPED: no access lists on this file system"),
        other => other.unwrap(),
    }
    place.store().commit(NEW, accept).unwrap();
    assert_eq!(
        attribute(&place.save(), "system.posix_acl_access"),
        Err(Errno::NODATA)
    );
}

#[test]
fn a_temporary_file_is_private_until_it_has_the_mode_of_the_save() {
    let place = Place::new();
    let temporary = Temporary::beside(&place.save()).unwrap();
    assert_eq!(
        fs::metadata(temporary.path()).unwrap().mode() & 0o7777,
        0o600
    );
    drop(temporary);
    assert_eq!(place.names(), ["one.sav"]);
}
