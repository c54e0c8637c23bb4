use super::super::{CommitError, Options, RestoreError, backups, put_back};
use super::{NEW, OLD, Place, accept, identity};
use rustix::io::Errno;
use std::fs::{self, File, FileTimes};
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

fn keeping(backups: usize) -> Options {
    Options {
        backups,
        ..Options::default()
    }
}

#[test]
fn the_first_commit_of_a_session_copies_the_old_file() {
    let place = Place::new();
    let then = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_456_700);
    let times = FileTimes::new().set_modified(then);
    File::options()
        .write(true)
        .open(place.save())
        .unwrap()
        .set_times(times)
        .unwrap();
    let before = identity(&place.save());
    let store = place.store();
    let backup = place.at("one.sav.bak");
    let done = store.commit(NEW, accept).unwrap();
    assert_eq!(
        done.backup,
        Some(store.path().with_file_name("one.sav.bak"))
    );
    assert_eq!(fs::read(&backup).unwrap(), OLD);
    assert_ne!(identity(&backup).inode, before.inode);
    assert_eq!(fs::metadata(&backup).unwrap().modified().unwrap(), then);
    let kept = identity(&backup);
    assert_eq!(
        store.commit(b"third".as_slice(), accept).unwrap().backup,
        None
    );
    assert_eq!(identity(&backup), kept);
    assert_eq!(fs::read(&backup).unwrap(), OLD);
}

#[test]
fn the_next_session_replaces_the_backup() {
    let place = Place::new();
    symlink("nowhere", place.at("one.sav.bak")).unwrap();
    place.store().commit(NEW, accept).unwrap();
    assert_eq!(fs::read(place.at("one.sav.bak")).unwrap(), OLD);
    place.store().commit(OLD, accept).unwrap();
    assert_eq!(fs::read(place.at("one.sav.bak")).unwrap(), NEW);
    assert_eq!(place.names(), ["one.sav", "one.sav.bak"]);
}

#[test]
fn no_backup_is_kept_if_none_is_wanted() {
    let place = Place::new();
    assert_eq!(
        place
            .store_with(keeping(0))
            .commit(NEW, accept)
            .unwrap()
            .backup,
        None
    );
    assert_eq!(place.names(), ["one.sav"]);
}

#[test]
fn generations_move_along_and_the_oldest_goes() {
    let place = Place::new();
    for session in 1..=5u8 {
        place
            .store_with(keeping(3))
            .commit(vec![session], accept)
            .unwrap();
    }
    assert_eq!(
        place.names(),
        ["one.sav", "one.sav.bak", "one.sav.bak.1", "one.sav.bak.2"]
    );
    let kept: Vec<_> = backups(&place.save())
        .iter()
        .map(|b| (b.generation, fs::read(&b.path).unwrap()))
        .collect();
    assert_eq!(kept, [(0, vec![4]), (1, vec![3]), (2, vec![2])]);
}

#[test]
fn a_gap_in_the_generations_is_filled() {
    let place = Place::new();
    fs::write(place.at("one.sav.bak"), b"newest").unwrap();
    fs::write(place.at("one.sav.bak.2"), b"oldest").unwrap();
    place.store_with(keeping(4)).commit(NEW, accept).unwrap();
    let kept: Vec<_> = backups(&place.save())
        .iter()
        .map(|b| fs::read(&b.path).unwrap())
        .collect();
    assert_eq!(kept, [OLD, b"newest", b"oldest"]);
}

#[test]
fn a_backup_that_cannot_be_kept_stops_the_commit() {
    let place = Place::new();
    fs::create_dir_all(place.at("one.sav.bak/full")).unwrap();
    let before = identity(&place.save());
    let error = place.store().commit(NEW, accept).unwrap_err();
    assert_eq!(error.errno(), Errno::ISDIR);
    assert_eq!(identity(&place.save()), before);
    assert_eq!(place.names(), ["one.sav", "one.sav.bak"]);
}

#[test]
fn restoring_swaps_the_save_and_its_backup() {
    let place = Place::new();
    place.store().commit(NEW, accept).unwrap();
    let store = place.store();
    let newest = store.backups().remove(0);
    assert_eq!((newest.generation, newest.size), (0, OLD.len() as u64));
    assert!(store.restore(&newest).unwrap().written);
    assert_eq!(fs::read(place.save()).unwrap(), OLD);
    assert_eq!(fs::read(place.at("one.sav.bak")).unwrap(), NEW);
}

#[test]
fn a_lost_save_is_put_back_but_none_is_overwritten() {
    let place = Place::new();
    place.store().commit(NEW, accept).unwrap();
    let newest = backups(&place.save()).remove(0);
    let error = put_back(&place.save(), &newest, &Options::default()).unwrap_err();
    let RestoreError::NotCommitted(CommitError::Failed(failure)) = error else {
        panic!("{error}")
    };
    assert_eq!(failure.errno, Errno::EXIST);
    assert_eq!(fs::read(place.save()).unwrap(), NEW);
    fs::remove_file(place.save()).unwrap();
    put_back(&place.save(), &newest, &Options::default()).unwrap();
    assert_eq!(fs::read(place.save()).unwrap(), OLD);
    assert_eq!(place.names(), ["one.sav", "one.sav.bak"]);
}

#[test]
fn a_backup_on_demand_serves_the_session() {
    let place = Place::new();
    let store = place.store();
    let kept = store.back_up().unwrap();
    assert_eq!(fs::read(kept).unwrap(), OLD);
    assert_eq!(store.commit(NEW, accept).unwrap().backup, None);
}
