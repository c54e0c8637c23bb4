//! What a person does in a shell with a mounted save.

use super::{GOTBONE, Room, identity};
use crate::support::{differences, fixture};
use std::fs;

const DAY: &str = "dreamfactory/AFTERDOG.RTD";

#[test]
fn reading_everything_leaves_inode_mtime_and_bytes() {
    for name in [GOTBONE, "dreamfactory/FULL.ti", "lba2/PLAIN32C.LBA"] {
        let Some(room) = Room::new(name) else {
            return;
        };
        let before = room.identity();
        let lines: usize = room.ok("grep -r . mnt | wc -l").parse().unwrap();
        assert!(lines > 1000, "{name}: {lines}");
        let files = room.ok("find mnt -type f | wc -l");
        let packed = room.ok("tar c mnt | tar t | grep -vc '/$'");
        let links = room.ok("find mnt -type l | wc -l");
        let sum = |a: &str, b: &str| a.parse::<usize>().unwrap() + b.parse::<usize>().unwrap();
        assert_eq!(
            packed.parse::<usize>().unwrap(),
            sum(&files, &links),
            "{name}"
        );
        room.ok("cp -r mnt copy && diff -r mnt copy && ls -lR mnt > /dev/null && du -s mnt");
        assert_eq!(room.ok("cat mnt/.savefs/errors"), "");
        let (folder, save) = room.unmount();
        assert_eq!(identity(&save), before, "{name}");
        assert_eq!(fs::read(&save).unwrap(), fs::read(fixture(name)).unwrap());
        let mut left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        left.sort();
        let file = save.file_name().unwrap();
        assert_eq!(left, [file, "copy".as_ref(), "home".as_ref()], "{name}");
    }
}

#[test]
fn a_loop_changes_every_actor() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    let actors = room.names("actors");
    assert_eq!(actors.len(), 10);
    room.ok("for a in mnt/actors/*/speed; do echo 25 > $a; done");
    for actor in &actors {
        assert_eq!(room.stored(&format!("actors/{actor}/speed")), "25");
    }
    let old = fs::read(fixture(GOTBONE)).unwrap();
    assert_eq!(differences(&old, &room.on_disk()).len(), actors.len());
    let mut backup = room.save.clone().into_os_string();
    backup.push(".bak");
    assert_eq!(fs::read(backup).unwrap(), old);
}

#[test]
fn grep_finds_the_nodes_that_hold_a_word() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    assert_eq!(
        room.ok("grep -rl stranger mnt/props/*/owner"),
        "mnt/props/Bone/owner\nmnt/props/helpbut/owner"
    );
    assert_eq!(
        room.ok("grep -l stranger mnt/actors/*/owner"),
        "mnt/actors/Jones/owner"
    );
    room.ok("sed -i s/stranger/sheriff/ $(grep -rl stranger mnt/props/*/owner)");
    assert_eq!(
        room.ok("grep -rl stranger mnt/props/*/owner; grep -l sheriff mnt/props/*/owner"),
        "mnt/props/Bone/owner\nmnt/props/helpbut/owner"
    );
    assert_eq!(
        room.ok("find mnt/actors -name set -size -2c | sort"),
        "mnt/actors/Marie/set\nmnt/actors/Mayor/set\nmnt/actors/Sonoma/set"
    );
}

#[test]
fn diff_of_two_mounted_saves_tells_what_the_game_changed() {
    let (Some(before), Some(after)) = (Room::new(GOTBONE), Room::new(GOTBONE)) else {
        return;
    };
    let diff = |other: &Room| {
        let script = format!("diff -rq mnt {}", other.at("").display());
        let output = before.run("bash", &script, &[]);
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    assert_eq!(diff(&after), (Some(0), String::new()));
    after.ok("echo 2 > mnt/globals/phase; echo Badge > mnt/globals/handitem");
    let (status, told) = diff(&after);
    assert_eq!(status, Some(1));
    for node in ["globals/phase", "globals/handitem"] {
        assert!(told.contains(&format!("Files mnt/{node} and")), "{told}");
    }
    assert!(
        !told.contains("actors/") && !told.contains("Only in"),
        "{told}"
    );
    let Some(later) = Room::new(DAY) else { return };
    let (status, told) = diff(&later);
    assert_eq!(status, Some(1));
    assert!(told.contains("Files mnt/location/frame and"), "{told}");
}

#[test]
fn a_mistyped_value_or_name_is_an_error_that_the_shell_prints() {
    let Some(room) = Room::new(GOTBONE) else {
        return;
    };
    let before = (room.on_disk(), room.identity());
    for (node, value, reason) in [
        ("actors/Help/deg", "999", "out of range (legal: 0..255)"),
        ("globals/phase", "abc", "not a whole number"),
        ("actors/Help/set", "toolongforasixteenbytefield", "(legal: "),
        ("actors/Help/sped", "5", "did you mean speed?"),
    ] {
        for shell in ["bash", "dash"] {
            let (status, _, error) = room.mounted.sh(shell, &format!("echo {value} > {node}"));
            assert!(
                matches!(status, 1 | 2) && !error.is_empty(),
                "{shell} {node}: {error}"
            );
            let errors = room.ok("tail -1 mnt/.savefs/errors");
            assert!(errors.contains(node) && errors.contains(reason), "{errors}");
        }
    }
    assert_eq!((room.on_disk(), room.identity()), before);
    assert_eq!(room.ok("cat mnt/actors/Help/deg mnt/globals/phase mnt/actors/Help/set; ! test -e mnt/actors/Help/sped"), "192\n0\ntown");
}
