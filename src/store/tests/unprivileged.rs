//! What a user meets who may not do everything. Linux gives each thread its own credentials, so that root can try.

use super::super::{CommitError, Options, Step, Store, Warning, Writability};
use super::{NEW, OLD, Place, accept};
use rustix::fs::{Gid, Uid};
use rustix::io::Errno;
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

const USER: u32 = 12_345;
const OTHER: u32 = 12_346;

/// Runs `work` as an ordinary user; false, with a line that says so, if this process cannot become one.
fn as_user(work: impl FnOnce() + Send) -> bool {
    if !rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED: only root can become another user");
        return false;
    }
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let (uid, gid) = (Uid::from_raw(USER), Gid::from_raw(USER));
            set_thread_groups(&[]).unwrap();
            set_thread_res_gid(gid, gid, gid).unwrap();
            set_thread_res_uid(uid, uid, uid).unwrap();
            work();
        });
        thread.join().unwrap();
    });
    true
}

fn give(path: &Path, uid: u32, gid: u32, mode: u32) {
    chown(path, Some(uid), Some(gid)).unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// A directory and a save with the given owner, group and mode.
fn place(directory: (u32, u32, u32), save: (u32, u32, u32)) -> Option<Place> {
    let place = Place::new();
    if !as_user(|| {}) {
        return None;
    }
    give(&place.save(), save.0, save.1, save.2);
    give(place.path(), directory.0, directory.1, directory.2);
    Some(place)
}

const MINE: (u32, u32, u32) = (USER, USER, 0o755);

#[test]
fn an_ordinary_user_commits_an_ordinary_save() {
    let Some(place) = place(MINE, (USER, USER, 0o640)) else {
        return;
    };
    as_user(|| {
        let done = place.store().commit(NEW, accept).unwrap();
        assert_eq!(done.warnings, []);
    });
    let metadata = fs::metadata(place.save()).unwrap();
    assert_eq!(
        (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777),
        (USER, USER, 0o640)
    );
}

#[test]
fn a_write_protected_file_is_read_only() {
    let Some(place) = place(MINE, (USER, USER, 0o444)) else {
        return;
    };
    as_user(|| {
        let store = place.store_with(Options {
            in_place: true,
            ..Options::default()
        });
        assert_eq!(
            store.writability(),
            Writability::ReadOnly("you may not write this file".to_owned())
        );
        assert_eq!(store.commit(NEW, accept).unwrap_err().errno(), Errno::ROFS);
    });
    assert_eq!(fs::read(place.save()).unwrap(), OLD);
}

#[test]
fn a_file_in_a_closed_directory_can_only_be_written_in_place_and_without_a_backup() {
    let Some(place) = place((0, 0, 0o755), (USER, USER, 0o644)) else {
        return;
    };
    as_user(|| {
        let reason = format!("you may not write the directory {}", place.path().display());
        assert_eq!(
            place.store().writability(),
            Writability::InPlaceOnly(reason)
        );
        assert_eq!(
            place.store().commit(NEW, accept).unwrap_err().errno(),
            Errno::ROFS
        );
        let with = |backups| {
            place.store_with(Options {
                in_place: true,
                backups,
                ..Options::default()
            })
        };
        assert_eq!(
            with(1).commit(NEW, accept).unwrap_err().errno(),
            Errno::ACCESS
        );
        assert_eq!(fs::read(place.save()).unwrap(), OLD);
        assert!(with(0).commit(NEW, accept).unwrap().written);
    });
    assert_eq!(fs::read(place.save()).unwrap(), NEW);
}

#[test]
fn in_a_directory_that_cannot_be_listed_writing_in_place_goes_without_the_lock() {
    let Some(place) = place((0, 0, 0o711), (USER, USER, 0o644)) else {
        return;
    };
    as_user(|| {
        let options = Options {
            in_place: true,
            backups: 0,
            ..Options::default()
        };
        let done = place.store_with(options).commit(NEW, accept).unwrap();
        assert_eq!(
            done.warnings,
            [Warning::NoLock {
                errno: Errno::ACCESS
            }]
        );
        let error = place.store().commit(OLD, accept).unwrap_err();
        assert!(matches!(error, CommitError::Failed(f) if f.step == Step::LockDirectory));
    });
    assert_eq!(fs::read(place.save()).unwrap(), NEW);
}

#[test]
fn the_file_of_another_user_is_not_taken_over() {
    for (directory, consequence) in [
        ((USER, USER, 0o755), "a replaced file would be yours"),
        (
            (OTHER, USER, 0o1777),
            "its directory lets only the owner replace it",
        ),
    ] {
        let Some(place) = place(directory, (OTHER, OTHER, 0o666)) else {
            return;
        };
        as_user(|| {
            let reason = format!("the file belongs to another user ({OTHER}): {consequence}");
            assert_eq!(
                place.store().writability(),
                Writability::InPlaceOnly(reason)
            );
            let error = place.store().commit(NEW, accept).unwrap_err();
            assert!(matches!(error, CommitError::ReadOnly { .. }), "{error}");
            assert_eq!(place.names(), ["one.sav"]);
            let store = place.store_with(Options {
                in_place: true,
                ..Options::default()
            });
            assert!(store.commit(NEW, accept).unwrap().written);
        });
        let metadata = fs::metadata(place.save()).unwrap();
        assert_eq!((metadata.uid(), metadata.mode() & 0o7777), (OTHER, 0o666));
        assert_eq!(fs::metadata(place.at("one.sav.bak")).unwrap().uid(), USER);
    }
}

#[test]
fn a_group_that_cannot_be_kept_is_told_and_its_rights_go() {
    for (mode, narrowed) in [
        (0o664, 0o644),
        (0o640, 0o600),
        (0o644, 0o644),
        (0o646, 0o646),
    ] {
        let Some(place) = place(MINE, (USER, OTHER, mode)) else {
            return;
        };
        as_user(|| {
            let done = place.store().commit(NEW, accept).unwrap();
            assert_eq!(done.warnings, [Warning::Group { gid: OTHER }]);
        });
        let metadata = fs::metadata(place.save()).unwrap();
        assert_eq!((metadata.gid(), metadata.mode() & 0o7777), (USER, narrowed));
    }
}

#[test]
fn an_unreadable_file_is_told_so() {
    let Some(place) = place(MINE, (OTHER, OTHER, 0o600)) else {
        return;
    };
    as_user(|| {
        let error = Store::open(&place.save(), Options::default())
            .err()
            .unwrap();
        assert_eq!(error.errno(), Errno::ACCESS);
    });
}
