//! A change by one path is seen by the next open of every path that shows it.

use super::{GOTBONE, Room, eventually};
use crate::support::{printed, refused};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use std::collections::BTreeMap;
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::path::Path;

const PLAIN: &str = "lba2/PLAIN32C.LBA";

/// Every file of a tree and what it holds; the size that stat tells is what a read gives.
fn everything(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![root.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let meta = fs::symlink_metadata(&path).unwrap();
            if meta.is_dir() {
                waiting.push(path);
            } else if meta.is_file() {
                let bytes = fs::read(&path).unwrap();
                assert_eq!(meta.len(), bytes.len() as u64, "{}", path.display());
                let name = path.strip_prefix(root).unwrap().display().to_string();
                found.insert(name, bytes);
            }
        }
    }
    assert!(found.len() > 500);
    found
}

/// What a mount shows that has never shown anything else: the save on disk in a mount of its own.
fn afresh(room: &Room) -> BTreeMap<String, Vec<u8>> {
    let folder = crate::support::scratch();
    let copy = folder.path().join(room.save.file_name().unwrap());
    fs::copy(&room.save, &copy).unwrap();
    let mounted = crate::support::Mounted::new(&copy, folder.path(), &[]).unwrap();
    let all = everything(mounted.path());
    mounted.unmount();
    all
}

/// The paths whose text differs.
fn changed(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differs = |name: &&String| before.get(*name) != after.get(*name);
    names.into_iter().filter(differs).cloned().collect()
}

/// Edits a save, by the mount or from outside, while the kernel remembers every path of it; gives the paths that changed.
fn edit(room: &Room, edit: impl FnOnce(), settled: impl Fn() -> bool) -> Vec<String> {
    let before = everything(&room.at(""));
    edit();
    eventually(5, "the mount shows the new value", settled);
    let after = everything(&room.at(""));
    let fresh = afresh(room);
    let wrong = changed(&after, &fresh);
    assert!(
        wrong.is_empty(),
        "shown is not what the file holds: {wrong:?}"
    );
    changed(&before, &after)
}

/// The same in the mount, with nothing to wait for.
fn echo(room: &Room, value: &str, node: &str) -> Vec<String> {
    edit(
        room,
        || drop(room.ok(&format!("echo '{value}' > 'mnt/{node}'"))),
        || true,
    )
}

fn set(room: &Room, assignments: &[&str]) {
    let save = room.save.display().to_string();
    printed(&[&["set", save.as_str()], assignments].concat());
}

#[test]
fn an_alias_shows_what_was_written_by_the_other_name() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    let both = [
        "actors/Help/owner",
        "containers/2/data",
        "containers/2/records/0/owner",
    ];
    assert_eq!(echo(&room, "somebody_else", both[0]), both);
    assert_eq!(room.shown(both[2]), "somebody_else");
    assert_eq!(echo(&room, "none", both[2]), both);
    assert_eq!(room.shown(both[0]), "none");
    // By a scratch file that is renamed over the other name.
    let sed = || drop(room.ok("sed -i s/none/x/ mnt/containers/2/records/0/owner"));
    assert_eq!(edit(&room, sed, || true), both);
    assert_eq!(fs::metadata(room.at(both[0])).unwrap().len(), 2);
    // Raw bytes change what they mean.
    let raw = || {
        drop(room.ok("cp mnt/containers/2/data x; sed -i s/stranger/sTRANGER/g x; cp x mnt/containers/2/data"))
    };
    let seen = edit(&room, raw, || true);
    assert!(seen.contains(&"actors/Jones/owner".to_owned()), "{seen:?}");
    assert_eq!(room.shown("actors/Jones/owner"), "sTRANGER");
}

#[test]
fn coupled_fields_change_with_their_field() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    let (set, is3d) = ("actors/Mayor/set", "containers/2/records/7/is3d");
    assert_eq!(
        (room.shown(set), room.shown(is3d)),
        (String::new(), "0".into())
    );
    assert_eq!(
        echo(&room, "town", set),
        [
            "actors/Mayor/set",
            "containers/2/data",
            "containers/2/records/7/is3d",
            "containers/2/records/7/set"
        ]
    );
    assert_eq!(
        (room.shown(set), room.shown(is3d)),
        ("town".into(), "1".into())
    );
}

#[test]
fn what_grows_moves_what_lies_behind_it_and_every_path_follows() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    let seen = echo(
        &room,
        "a string that is longer than all that it was before",
        "globals/handitem",
    );
    assert!(seen.contains(&"globals/handitem".to_owned()), "{seen:?}");
    let seen = echo(&room, "5", "globals/brand_new");
    assert!(seen.contains(&"globals/brand_new".to_owned()), "{seen:?}");
    let seen = echo(&room, "", "globals/handitem");
    assert!(seen.contains(&"globals/handitem".to_owned()), "{seen:?}");
    assert_eq!(fs::metadata(room.at("globals/handitem")).unwrap().len(), 1);
}

#[test]
fn a_value_that_is_kept_twice_is_seen_at_both_places() {
    let Some(room) = Room::new(PLAIN) else {
        return;
    };
    let (hero, object) = ("lba/position/x", "lba/objects/0/x");
    assert_eq!(
        (room.shown(hero), room.shown(object)),
        ("10240".into(), "10240".into())
    );
    let seen = echo(&room, "9", hero);
    assert!(seen.iter().any(|path| path == object), "{seen:?}");
    assert_eq!(
        (room.shown(hero), room.shown(object)),
        ("9".into(), "9".into())
    );
    echo(&room, "10241", object);
    assert_eq!(room.shown(hero), "10241");
    assert_eq!(fs::metadata(room.at(hero)).unwrap().len(), 6);
    echo(&room, "Twinsen", "lba/name");
    echo(&room, "1", "lba/inventory/12");
}

#[test]
fn what_another_process_sets_is_seen_by_every_path() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    let outside = || {
        set(
            &room,
            &[
                "actors/Mayor/set=nite",
                "globals/handitem=a very long item",
                "globals/other=7",
            ],
        )
    };
    let seen = edit(&room, outside, || {
        room.shown("globals/handitem") == "a very long item"
    });
    for path in [
        "actors/Mayor/set",
        "containers/2/records/7/is3d",
        "globals/handitem",
        "globals/other",
    ] {
        assert!(seen.iter().any(|seen| seen == path), "{path}: {seen:?}");
    }
    // And back: the mount edits what the other process wrote.
    echo(&room, "8", "globals/other");
    assert_eq!(room.stored("globals/other"), "8");
    assert_eq!(room.stored("globals/handitem"), "a very long item");
    let error = refused(
        1,
        &[
            "set",
            &room.save.display().to_string(),
            "actors/Help/deg=999",
        ],
    );
    assert!(error.contains("actors/Help/deg"), "{error}");
    assert_eq!(room.shown("actors/Help/deg"), "192");

    let Some(room) = Room::new(PLAIN) else {
        return;
    };
    let outside = || set(&room, &["lba/position/x=5", "lba/name=Zoe"]);
    let seen = edit(&room, outside, || room.shown("lba/position/x") == "5");
    assert!(
        seen.iter().any(|path| path == "lba/objects/0/x"),
        "{seen:?}"
    );
}

/// Names of the events that a script causes at a node or in a directory.
fn events(room: &Room, at: &str, script: &str) -> Vec<(ReadFlags, String)> {
    let watcher = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
    inotify::add_watch(&watcher, room.at(at), WatchFlags::ALL_EVENTS).unwrap();
    room.ok(script);
    let mut buffer = [MaybeUninit::uninit(); 8192];
    let mut reader = inotify::Reader::new(watcher.as_fd(), &mut buffer);
    let mut events = Vec::new();
    while let Ok(event) = reader.next() {
        let name = event
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        events.push((event.events(), name.unwrap_or_default()));
    }
    events
}

#[test]
fn watchers_hear_of_changes_through_the_mount() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    let has = |events: &[(ReadFlags, String)], flag, name: &str| {
        let found = events
            .iter()
            .any(|(flags, at)| flags.contains(flag) && at == name);
        assert!(found, "{flag:?} {name}: {events:?}");
    };
    let node = events(&room, "actors/Help/deg", "echo 64 > mnt/actors/Help/deg");
    has(&node, ReadFlags::MODIFY, "");
    has(&node, ReadFlags::CLOSE_WRITE, "");
    let directory = events(
        &room,
        "actors/Help",
        "echo 65 > mnt/actors/Help/deg; cat mnt/actors/Help/x",
    );
    has(&directory, ReadFlags::MODIFY, "deg");
    has(&directory, ReadFlags::CLOSE_WRITE, "deg");
    has(&directory, ReadFlags::ACCESS, "x");
    let renamed = events(&room, "actors/Help", "sed -i s/65/66/ mnt/actors/Help/deg");
    has(&renamed, ReadFlags::MOVED_TO, "deg");
    let made = events(&room, "globals", "echo 5 > mnt/globals/brand_new");
    has(&made, ReadFlags::CREATE, "brand_new");
    has(&made, ReadFlags::CLOSE_WRITE, "brand_new");
    assert_eq!(room.stored("actors/Help/deg"), "66");
}
