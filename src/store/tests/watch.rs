use super::super::Watch;
use super::super::unfinished::{save_in, state_directory};
use super::{NEW, OLD, Place, accept};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const SOON: Duration = Duration::from_secs(5);
const A_WHILE: Duration = Duration::from_millis(300);

fn watched(place: &Place) -> (Watch, Receiver<()>) {
    let (tell, told) = channel();
    (
        Watch::file(&place.save(), move || tell.send(()).unwrap()).unwrap(),
        told,
    )
}

#[test]
fn writing_replacing_and_removing_are_reported() {
    let place = Place::new();
    let (_watch, told) = watched(&place);
    fs::write(place.save(), NEW).unwrap();
    told.recv_timeout(SOON).unwrap();
    place.store().commit(OLD, accept).unwrap();
    told.recv_timeout(SOON).unwrap();
    fs::remove_file(place.save()).unwrap();
    told.recv_timeout(SOON).unwrap();
    fs::write(place.save(), OLD).unwrap();
    told.recv_timeout(SOON).unwrap();
}

#[test]
fn a_burst_is_one_report_and_other_files_are_none() {
    let place = Place::new();
    let (_watch, told) = watched(&place);
    for _ in 0..20 {
        fs::write(place.save(), NEW).unwrap();
    }
    told.recv_timeout(SOON).unwrap();
    fs::write(place.at("two.sav"), NEW).unwrap();
    assert!(told.recv_timeout(A_WHILE).is_err());
}

#[test]
fn reading_is_not_reported() {
    let place = Place::new();
    let (_watch, told) = watched(&place);
    let store = place.store();
    store.claim();
    drop(store);
    assert!(told.recv_timeout(A_WHILE).is_err());
}

#[test]
fn a_dropped_watch_has_ended() {
    let place = Place::new();
    let (watch, told) = watched(&place);
    drop(watch);
    // The thread owned the only sender.
    assert_eq!(
        told.try_recv(),
        Err(std::sync::mpsc::TryRecvError::Disconnected)
    );
}

#[test]
fn a_directory_reports_names() {
    let place = Place::new();
    let (tell, told) = channel();
    let _watch = Watch::directory(place.path(), move |names| tell.send(names).unwrap()).unwrap();
    fs::write(place.at("two.sav"), NEW).unwrap();
    fs::remove_file(place.save()).unwrap();
    let names: BTreeSet<OsString> = ["one.sav", "two.sav"].map(OsString::from).into();
    assert_eq!(told.recv_timeout(SOON).unwrap(), Some(names));
    drop(place);
    assert_eq!(told.recv_timeout(SOON).unwrap(), None);
}

#[test]
fn unfinished_edits_are_lines_in_a_new_private_file() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("a/b/savefs");
    let lines = ["actors/x/deg=5".to_owned(), "globals/mission=2".to_owned()];
    let first = save_in(&directory, OsStr::new("one.sav"), &lines).unwrap();
    let second = save_in(&directory, OsStr::new("one.sav"), &[]).unwrap();
    assert_eq!(
        fs::read_to_string(&first).unwrap(),
        "actors/x/deg=5\nglobals/mission=2\n"
    );
    assert_eq!(fs::read_to_string(&second).unwrap(), "");
    assert_eq!(first.parent(), Some(directory.as_path()));
    assert!(
        first
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with("one.sav-")
    );
    assert_eq!(
        fs::metadata(&first).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        fs::metadata(&directory).unwrap().permissions().mode() & 0o777,
        0o700
    );
}

#[test]
fn the_state_directory_follows_the_environment() {
    let with = |state: Option<&str>, home: Option<&str>| {
        let pick = |name: &str| if name == "HOME" { home } else { state }.map(OsString::from);
        state_directory(pick)
    };
    assert_eq!(
        with(Some("/s"), Some("/h")),
        Some(PathBuf::from("/s/savefs"))
    );
    assert_eq!(
        with(Some("relative"), Some("/h")),
        Some(PathBuf::from("/h/.local/state/savefs"))
    );
    assert_eq!(
        with(None, Some("/h")),
        Some(PathBuf::from("/h/.local/state/savefs"))
    );
    assert_eq!(with(None, None), None);
}
