use super::super::temporary::sweep_older;
use super::super::{
    CommitError, OpenError, Options, Step, Store, Writability, is_temporary, sweep,
};
use super::{NEW, OLD, Place, accept, identity, names};
use rustix::fs::{FlockOperation, IFlags, flock, ioctl_getflags, ioctl_setflags};
use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_remount, unmount};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[test]
fn only_regular_files_are_opened() {
    let place = Place::new();
    let fifo = place.at("fifo");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &fifo,
        rustix::fs::FileType::Fifo,
        0o600.into(),
        0,
    )
    .unwrap();
    let socket = place.at("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [place.path(), &fifo, &socket, Path::new("/dev/null")] {
        let error = Store::open(path, Options::default()).err().unwrap();
        assert_eq!(
            error,
            OpenError::NotAFile {
                path: path.canonicalize().unwrap()
            }
        );
    }
    let missing = Store::open(&place.at("missing"), Options::default())
        .err()
        .unwrap();
    assert_eq!(missing.errno(), Errno::NOENT);
    let expected = format!("{}: cannot open it: ", place.at("missing").display());
    assert!(missing.to_string().starts_with(&expected), "{missing}");
}

#[test]
fn a_file_above_the_bound_is_refused() {
    let place = Place::new();
    let size = OLD.len() as u64;
    let open = |max_size| {
        Store::open(
            &place.save(),
            Options {
                max_size,
                ..Options::default()
            },
        )
    };
    assert_eq!(&*open(size).unwrap().1.bytes, OLD);
    let path = place.save().canonicalize().unwrap();
    assert_eq!(
        open(size - 1).err(),
        Some(OpenError::TooLarge {
            path,
            size,
            limit: size - 1
        })
    );
}

#[test]
fn a_hard_linked_save_is_read_only_with_the_reason() {
    let place = Place::new();
    fs::hard_link(place.save(), place.at("other")).unwrap();
    let store = place.store();
    let reason = "the file has 2 names (hard links): replacing one would part them";
    assert_eq!(
        store.writability(),
        Writability::InPlaceOnly(reason.to_owned())
    );
    let before = identity(&place.save());
    let error = store.commit(NEW, accept).unwrap_err();
    assert_eq!(error.errno(), Errno::ROFS);
    assert_eq!(
        error.to_string(),
        format!("{}: {reason}", store.path().display())
    );
    assert_eq!(identity(&place.save()), before);
    assert_eq!(place.names(), ["one.sav", "other"]);
    fs::remove_file(place.at("other")).unwrap();
    assert_eq!(store.writability(), Writability::Writable);
    assert!(store.commit(NEW, accept).unwrap().written);
}

#[test]
fn a_commit_waits_for_another_only_so_long() {
    let place = Place::new();
    let wait = Duration::from_millis(30);
    let store = place.store_with(Options {
        lock_wait: wait,
        ..Options::default()
    });
    let other = File::open(place.path()).unwrap();
    flock(&other, FlockOperation::LockExclusive).unwrap();
    let error = store.commit(NEW, accept).unwrap_err();
    assert!(
        matches!(&error, CommitError::Busy { waited, .. } if *waited == wait),
        "{error}"
    );
    assert_eq!(fs::read(place.save()).unwrap(), OLD);
    drop(other);
    assert!(store.commit(NEW, accept).unwrap().written);
}

#[test]
fn temporary_files_are_known_by_their_name() {
    for name in [".one.sav.savefs-Ab3xZ9", ".x.savefs-000000"] {
        assert!(is_temporary(OsStr::new(name)), "{name}");
    }
    for name in [
        "one.sav",
        ".one.sav.savefs-Ab3xZ",
        "one.sav.savefs-Ab3xZ9",
        ".savefs-Ab3xZ9",
        ".a.savefs-Ab3x.9",
    ] {
        assert!(!is_temporary(OsStr::new(name)), "{name}");
    }
}

#[test]
fn only_old_leftovers_of_the_same_save_are_swept() {
    let place = Place::new();
    fs::write(place.at(".one.sav.savefs-Ab3xZ9"), b"").unwrap();
    fs::write(place.at(".two.sav.savefs-Ab3xZ9"), b"").unwrap();
    fs::write(place.at("one.sav.savefs-Ab3xZ9"), b"").unwrap();
    fs::create_dir(place.at(".one.sav.savefs-Direct")).unwrap();
    let before = place.names();
    let name = OsStr::new("one.sav");
    assert_eq!(sweep(place.path(), name), [""; 0].map(PathBuf::from));
    assert_eq!(place.names(), before);
    let swept = sweep_older(place.path(), name, Duration::ZERO);
    assert_eq!(swept, [place.at(".one.sav.savefs-Ab3xZ9")]);
    assert_eq!(place.names(), before[1..]);
}

#[test]
fn a_long_name_still_has_room_for_the_temporary_one() {
    let place = Place::new();
    let long = place.at(&"n".repeat(251));
    fs::write(&long, OLD).unwrap();
    let (store, _) = Store::open(&long, Options::default()).unwrap();
    store.commit(NEW, accept).unwrap();
    assert_eq!(fs::read(&long).unwrap(), NEW);
}

/// A file system of its own, unmounted when dropped.
struct Small {
    place: tempfile::TempDir,
}

impl Small {
    /// None, with a line that says so, where this process may not mount.
    fn new(options: &std::ffi::CStr) -> Option<Small> {
        let place = tempfile::tempdir().unwrap();
        match mount("tmpfs", place.path(), "tmpfs", MountFlags::empty(), options) {
            Ok(()) => Some(Small { place }),
            Err(errno) => {
                eprintln!("SKIPPED: cannot mount a small tmpfs: {errno}");
                None
            }
        }
    }

    fn fill(&self) {
        let error = fs::write(self.place.path().join("filler"), vec![0; 1 << 20]).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(Errno::NOSPC.raw_os_error()));
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        unmount(self.place.path(), UnmountFlags::DETACH).unwrap();
    }
}

#[test]
fn a_full_disk_leaves_the_old_file_alone_and_the_edit_can_be_tried_again() {
    let Some(small) = Small::new(c"size=64k") else {
        return;
    };
    let save = small.place.path().join("one.sav");
    fs::write(&save, OLD).unwrap();
    let before = identity(&save);
    small.fill();
    for backups in [0, 1] {
        let (store, _) = Store::open(
            &save,
            Options {
                backups,
                ..Options::default()
            },
        )
        .unwrap();
        let error = store.commit(NEW, accept).unwrap_err();
        assert_eq!(error.errno(), Errno::NOSPC);
        assert!(
            matches!(&error, CommitError::Failed(f) if f.step == Step::Write),
            "{error}"
        );
        assert_eq!(identity(&save), before);
        assert_eq!(names(small.place.path()), ["filler", "one.sav"]);
    }
    let (store, _) = Store::open(&save, Options::default()).unwrap();
    store.commit(NEW, accept).unwrap_err();
    fs::remove_file(small.place.path().join("filler")).unwrap();
    assert!(store.commit(NEW, accept).unwrap().written);
    assert_eq!(fs::read(&save).unwrap(), NEW);
}

#[test]
fn a_full_disk_leaves_the_old_bytes_when_writing_in_place() {
    let Some(small) = Small::new(c"size=64k") else {
        return;
    };
    let save = small.place.path().join("one.sav");
    fs::write(&save, OLD).unwrap();
    let options = Options {
        in_place: true,
        backups: 0,
        ..Options::default()
    };
    let (store, _) = Store::open(&save, options).unwrap();
    small.fill();
    let before = identity(&save).modified;
    let error = store.commit(vec![7; 20_000], accept).unwrap_err();
    assert_eq!(error.errno(), Errno::NOSPC);
    assert_eq!(fs::read(&save).unwrap(), OLD);
    // The room is asked for first: nothing was overwritten and put back.
    assert_eq!(identity(&save).modified, before);
}

#[test]
fn a_read_only_file_system_is_told_as_the_reason() {
    let Some(small) = Small::new(c"size=64k") else {
        return;
    };
    let save = small.place.path().join("one.sav");
    fs::write(&save, OLD).unwrap();
    mount_remount(small.place.path(), MountFlags::RDONLY, c"").unwrap();
    let (store, _) = Store::open(
        &save,
        Options {
            in_place: true,
            ..Options::default()
        },
    )
    .unwrap();
    assert_eq!(
        store.writability(),
        Writability::ReadOnly("the file system is read-only".to_owned())
    );
    let error = store.commit(NEW, accept).unwrap_err();
    assert!(matches!(error, CommitError::ReadOnly { .. }), "{error}");
}

#[test]
fn an_immutable_file_is_read_only() {
    let place = Place::new();
    let file = File::open(place.save()).unwrap();
    let Ok(flags) = ioctl_getflags(&file) else {
        return eprintln!("SKIPPED: no file flags on this file system");
    };
    if let Err(errno) = ioctl_setflags(&file, flags | IFlags::IMMUTABLE) {
        return eprintln!("SKIPPED: the file cannot be made immutable: {errno}");
    }
    let store = place.store();
    let told = (
        store.writability(),
        store.commit(NEW, accept).unwrap_err().errno(),
    );
    ioctl_setflags(&file, flags).unwrap();
    let expected = Writability::ReadOnly("the file is marked immutable".to_owned());
    assert_eq!(told, (expected, Errno::ROFS));
    assert_eq!(place.names(), ["one.sav"]);
}
