//! DESIGN.md 3: what a write does.

use super::{DUST, mounted, ok, stored};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

#[test]
fn an_illegal_echo_prints_an_error_and_exits_1() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let identity = || {
        fs::metadata(&save)
            .map(|m| (m.ino(), m.mtime(), m.mtime_nsec()))
            .unwrap()
    };
    let before = (fs::read(&save).unwrap(), identity());
    for shell in ["bash", "dash"] {
        let (status, out, errors) = mount.sh(shell, "echo 999 > actors/Help/deg");
        assert_eq!((status, out.as_str()), (1, ""), "{shell}");
        assert!(!errors.is_empty(), "{shell}");
    }
    assert_eq!(mount.read("actors/Help/deg"), "192\n");
    assert_eq!((fs::read(&save).unwrap(), identity()), before);
    let errors = mount.read(".savefs/errors");
    assert!(
        errors.contains("actors/Help/deg: \"999\"") && errors.contains("0..255"),
        "{errors}"
    );
}

#[test]
fn the_empty_string_is_one_newline() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    ok(&mount, ": > globals/handitem");
    assert_eq!(mount.read("globals/handitem"), "Bone\n");
    ok(&mount, "echo > globals/handitem");
    assert_eq!(mount.read("globals/handitem"), "\n");
    assert_eq!(stored(&save, "globals/handitem"), "");
}

#[test]
fn a_change_of_room_is_one_edit() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    assert_eq!(ok(&mount, "ls .savefs/versions"), "0");
    let old = mount.read("location/room");
    // One value of the group by itself may be refused; together they are one commit.
    ok(
        &mount,
        "sed s/^row.*/'row 12'/ location/room > ../room; cat ../room > location/room",
    );
    assert_eq!(mount.read("location/row"), "12\n");
    assert_eq!(mount.read("location/room"), old.replace("row 13", "row 12"));
    assert_eq!(stored(&save, "location/row"), "12");
    assert_eq!(ok(&mount, "ls .savefs/versions"), "0\n1");
}

#[test]
fn creation_and_removal_where_the_format_has_a_rule() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    ok(&mount, "echo 5 > globals/newvar");
    assert_eq!(stored(&save, "globals/newvar"), "5");
    drop(mount);

    let Some((_folder, save, mount)) = mounted("dreamfactory/FULL.ti", &[]) else {
        return;
    };
    let before = ok(&mount, "ls actors");
    ok(&mount, "mkdir actors/brown1a2");
    assert_eq!(ok(&mount, "ls actors/brown1a2 | head -1"), "deg");
    assert!(
        crate::support::printed(&["ls", save.to_str().unwrap(), "actors"]).contains("brown1a2")
    );
    ok(&mount, "rmdir actors/brown1a2");
    assert_eq!(ok(&mount, "ls actors"), before);
    drop(mount);

    let Some((_folder, save, mount)) = mounted("dreamfactory/WALKER.ti", &[]) else {
        return;
    };
    let free = ok(&mount, "grep -lx 0 walks/*/active | head -1");
    ok(&mount, &format!("echo 1 > {free}"));
    assert_eq!(stored(&save, &free), "1");
}

/// A file under a name of each shape that only tools give: takes any bytes, never reaches the save, and writes the node
/// that it is renamed over.
#[test]
fn every_shape_of_a_tools_file_is_memory_only() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let old = fs::read(&save).unwrap();
    let shapes = [
        ("sedAbCdEf", true, 0o600),
        (".deg.swp", true, 0o600),
        (".deg.swp", false, 0o644),
        ("4913", true, 0o644),
        ("deg~", false, 0o644),
        ("#deg#", false, 0o644),
        (".goutputstream-AB12CD", true, 0o644),
        (".deg.AbCdEf", true, 0o600),
        ("deg.oAbCdEf", true, 0o644),
    ];
    for (at, (name, exclusive, mode)) in shapes.into_iter().enumerate() {
        let path = mount.path().join("actors/Help").join(name);
        let mut options = OpenOptions::new();
        options
            .write(true)
            .create(true)
            .create_new(exclusive)
            .mode(mode);
        let mut file = options
            .open(&path)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        file.write_all(b"\0any bytes\xff\n").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"\0any bytes\xff\n", "{name}");
        assert_eq!(
            fs::read(mount.path().join(".savefs/current")).unwrap(),
            fs::read(&save).unwrap(),
            "{name}"
        );
        let refused = fs::rename(&path, mount.path().join("actors/Help/deg")).unwrap_err();
        assert_eq!(refused.raw_os_error(), Some(libc::EINVAL), "{name}");
        fs::write(&path, format!("{at}\n")).unwrap();
        fs::rename(&path, mount.path().join("actors/Help/deg")).unwrap();
        assert_eq!(stored(&save, "actors/Help/deg"), at.to_string(), "{name}");
        assert!(!path.exists());
    }
    ok(&mount, "echo 192 > actors/Help/deg");
    assert_eq!(fs::read(&save).unwrap(), old);
    // Without O_EXCL, or with another mode, such a plain name is a mistake.
    for (name, exclusive, mode) in [
        ("sedAbCdEf", true, 0o644),
        ("sedAbCdEf", false, 0o600),
        ("4913", false, 0o644),
        ("sped", true, 0o644),
    ] {
        let mut options = OpenOptions::new();
        options
            .write(true)
            .create(true)
            .create_new(exclusive)
            .mode(mode);
        let refused = options
            .open(mount.path().join("actors/Help").join(name))
            .unwrap_err();
        assert_eq!(
            refused.raw_os_error(),
            Some(libc::EPERM),
            "{name} {exclusive} {mode:o}"
        );
    }
}
