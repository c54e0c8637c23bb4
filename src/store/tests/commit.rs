use super::super::{CommitError, OnDisk, Options};
use super::{NEW, OLD, Place, accept, identity};
use rustix::io::Errno;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, symlink};
use std::sync::Arc;

#[test]
fn replaces_the_file_and_makes_the_new_bytes_the_base() {
    let place = Place::new();
    let before = identity(&place.save());
    let store = place.store();
    let done = store.commit(NEW, accept).unwrap();
    assert!(done.written);
    assert_eq!(done.warnings, []);
    assert_eq!(fs::read(place.save()).unwrap(), NEW);
    assert_ne!(identity(&place.save()).inode, before.inode);
    assert_eq!(&*store.base().bytes, NEW);
    assert_eq!(store.changed(), OnDisk::Same);
    assert_eq!(place.names(), ["one.sav", "one.sav.bak"]);
}

#[test]
fn equal_bytes_touch_nothing() {
    let place = Place::new();
    let before = identity(&place.save());
    let directory = identity(place.path());
    let done = place
        .store()
        .commit(OLD, |_| Err("must not be asked".to_owned()))
        .unwrap();
    assert!(!done.written);
    assert_eq!(done.backup, None);
    assert_eq!(identity(&place.save()), before);
    assert_eq!(identity(place.path()), directory);
}

#[test]
fn failed_verification_touches_nothing() {
    let place = Place::new();
    let before = identity(&place.save());
    let error = place
        .store()
        .commit(NEW, |bytes| Err(format!("{} bytes", bytes.len())))
        .unwrap_err();
    assert!(
        matches!(&error, CommitError::Unverified { why, .. } if *why == format!("{} bytes", NEW.len()))
    );
    assert_eq!(identity(&place.save()), before);
    assert_eq!(place.names(), ["one.sav"]);
}

#[test]
fn a_symbolic_link_stays_and_its_target_is_written() {
    let place = Place::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link.sav");
    symlink(place.save(), &link).unwrap();
    let (store, loaded) = super::Store::open(&link, Options::default()).unwrap();
    assert_eq!(&*loaded.bytes, OLD);
    assert_eq!(store.path(), place.save().canonicalize().unwrap());
    store.commit(NEW, accept).unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), place.save());
    assert_eq!(fs::read(place.save()).unwrap(), NEW);
    assert_eq!(super::names(elsewhere.path()), ["link.sav"]);
}

#[test]
fn a_file_that_another_wrote_is_stale() {
    let place = Place::new();
    let store = place.store();
    fs::write(place.save(), b"written by the game").unwrap();
    let theirs = identity(&place.save());
    let error = store.commit(NEW, accept).unwrap_err();
    assert_eq!(error.errno(), Errno::STALE);
    let CommitError::Stale {
        found: OnDisk::Other(found),
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!(&*found.bytes, b"written by the game");
    assert_eq!(found.identity, theirs);
    assert_eq!(identity(&place.save()), theirs);
    assert_eq!(place.names(), ["one.sav"]);
    store.adopt(&found);
    assert!(store.commit(NEW, accept).unwrap().written);
    assert_eq!(
        fs::read(place.at("one.sav.bak")).unwrap(),
        b"written by the game"
    );
}

#[test]
fn a_new_file_with_the_same_bytes_is_not_stale() {
    let place = Place::new();
    let store = place.store();
    fs::write(place.at("copy"), OLD).unwrap();
    fs::rename(place.at("copy"), place.save()).unwrap();
    assert_eq!(store.changed(), OnDisk::Same);
    assert!(store.commit(NEW, accept).unwrap().written);
}

/// A write within one tick of the file system's clock changes no time: only the bytes show it.
#[test]
fn other_bytes_under_the_same_identity_are_stale() {
    let place = Place::new();
    let store = place.store();
    let file = File::options().write(true).open(place.save()).unwrap();
    file.write_all_at(b"THE", 0).unwrap();
    store.state().base.identity = identity(&place.save());
    let OnDisk::Other(found) = store.changed() else {
        panic!("not noticed")
    };
    assert_eq!(found.bytes.len(), OLD.len());
    assert!(found.bytes.starts_with(b"THE old"));
    let error = store.commit(NEW, accept).unwrap_err();
    assert!(matches!(
        error,
        CommitError::Stale {
            found: OnDisk::Other(_),
            ..
        }
    ));
    assert!(fs::read(place.save()).unwrap().starts_with(b"THE old"));
}

/// A commit's own times are as young as can be: what is written right after it may not change them.
#[test]
fn the_identity_of_a_file_just_committed_is_not_believed() {
    let place = Place::new();
    let store = place.store();
    store.commit(NEW, accept).unwrap();
    let file = File::options().write(true).open(place.save()).unwrap();
    file.write_all_at(b"new", 0).unwrap();
    store.state().base.identity = identity(&place.save());
    assert!(matches!(store.changed(), OnDisk::Other(_)));
}

/// Verifying stands for the time that a commit takes: the game writes in the middle of it.
#[test]
fn what_a_game_writes_during_the_commit_is_not_lost() {
    let place = Place::new();
    let store = place.store();
    let game =
        |_: &[u8]| fs::write(place.save(), b"written by the game").map_err(|e| e.to_string());
    let error = store.commit(NEW, game).unwrap_err();
    let CommitError::Stale {
        found: OnDisk::Other(found),
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!(&*found.bytes, b"written by the game");
    assert_eq!(fs::read(place.save()).unwrap(), b"written by the game");
    assert_eq!(fs::read(place.at("one.sav.bak")).unwrap(), OLD);
    assert_eq!(place.names(), ["one.sav", "one.sav.bak"]);
    // Nothing was committed yet: the first commit keeps what it really replaces.
    store.adopt(&found);
    store.commit(NEW, accept).unwrap();
    assert_eq!(
        fs::read(place.at("one.sav.bak")).unwrap(),
        b"written by the game"
    );
}

#[test]
fn a_directory_that_could_not_be_synced_is_synced_by_the_next_commit_even_of_equal_bytes() {
    let place = Place::new();
    let store = place.store();
    store.state().sync_owed = true;
    assert!(!store.commit(OLD, accept).unwrap().written);
    assert!(!store.state().sync_owed);
}

/// Once the times are old enough, they are trusted: the file is not read again.
#[test]
fn an_old_identity_is_believed() {
    let place = Place::new();
    let store = place.store();
    store.state().base.settled = true;
    store.state().base.bytes = Arc::from(NEW);
    assert_eq!(store.changed(), OnDisk::Same);
    fs::write(place.save(), OLD).unwrap();
    assert!(matches!(store.changed(), OnDisk::Other(_)));
}

#[test]
fn a_vanished_file_is_stale_and_not_made_again() {
    let place = Place::new();
    let store = place.store();
    fs::remove_file(place.save()).unwrap();
    assert_eq!(store.changed(), OnDisk::Gone);
    let error = store.commit(NEW, accept).unwrap_err();
    assert!(matches!(
        error,
        CommitError::Stale {
            found: OnDisk::Gone,
            ..
        }
    ));
    assert_eq!(place.names(), [""; 0]);
}

#[test]
fn a_link_in_the_place_of_the_file_is_not_replaced() {
    let place = Place::new();
    let store = place.store();
    fs::rename(place.save(), place.at("moved")).unwrap();
    symlink("moved", place.save()).unwrap();
    let error = store.commit(NEW, accept).unwrap_err();
    assert!(
        matches!(
            error,
            CommitError::Stale {
                found: OnDisk::Unreadable(_),
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(fs::read(place.at("moved")).unwrap(), OLD);
}

#[test]
fn in_place_keeps_the_inode_and_the_other_names() {
    let place = Place::new();
    fs::hard_link(place.save(), place.at("other-name")).unwrap();
    let before = identity(&place.save());
    let store = place.store_with(Options {
        in_place: true,
        ..Options::default()
    });
    for bytes in [NEW, b"short"] {
        store.commit(bytes, accept).unwrap();
        assert_eq!(identity(&place.save()).inode, before.inode);
        assert_eq!(fs::read(place.at("other-name")).unwrap(), bytes);
        assert_eq!(store.changed(), OnDisk::Same);
    }
    assert_eq!(fs::read(place.at("one.sav.bak")).unwrap(), OLD);
}

/// Each of many writers adds one line to what it finds; none may be lost.
#[test]
fn commits_of_several_writers_do_not_overwrite_each_other() {
    const WRITERS: usize = 4;
    const LINES: usize = 10;
    let place = Place::new();
    fs::write(place.save(), b"").unwrap();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let store = place.store();
            scope.spawn(move || (0..LINES).for_each(|line| append(&store, writer, line)));
        }
    });
    let text = fs::read_to_string(place.save()).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    let mut expected: Vec<_> = (0..WRITERS)
        .flat_map(|w| (0..LINES).map(move |l| format!("{w} {l}")))
        .collect();
    expected.sort_unstable();
    assert_eq!(lines, expected);
}

fn append(store: &super::Store, writer: usize, line: usize) {
    loop {
        let mut bytes = store.base().bytes.to_vec();
        bytes.extend_from_slice(format!("{writer} {line}\n").as_bytes());
        match store.commit(bytes, accept) {
            Ok(_) => return,
            Err(CommitError::Stale {
                found: OnDisk::Other(found),
                ..
            }) => drop(store.adopt(&found)),
            Err(other) => panic!("{other}"),
        }
    }
}
