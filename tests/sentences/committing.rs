//! DESIGN.md 4: when and how what was edited reaches the disk.

use super::{DUST, eventually, mounted, ok, stored};
use crate::support::{Mounted, alone, copy_of, differences, fixture, printed, savefs, scratch};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What a game does: a new file under another name, renamed over the save.
fn game_writes(save: &Path, assignments: &[&str]) {
    let (_folder, copy) = copy_of(save);
    let arguments = [&["set", copy.to_str().unwrap()], assignments].concat();
    printed(&arguments);
    let new = save.with_extension("new");
    fs::copy(&copy, &new).unwrap();
    fs::rename(&new, save).unwrap();
}

#[test]
fn a_batch_is_one_commit() {
    let (folder, save) = copy_of(&fixture(DUST));
    let path = save.to_str().unwrap().to_owned();
    let lines = folder.path().join("lines");
    fs::write(
        &lines,
        "globals/phase=2\nglobals/day=3\nactors/Help/deg=7\n",
    )
    .unwrap();
    let script = "\"$0\" batch --backup 5 \"$1\" < \"$2\"";
    let output = std::process::Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_savefs"), &path])
        .arg(&lines)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        ["globals/phase", "globals/day", "actors/Help/deg"].map(|p| stored(&save, p)),
        ["2", "3", "7"]
    );
    let backups = fs::read_dir(folder.path()).unwrap().filter(|e| {
        e.as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .contains(".bak")
    });
    assert_eq!(backups.count(), 1, "each commit would have kept one");
}

#[test]
fn a_symbolic_link_is_followed_and_not_replaced() {
    let (folder, save) = copy_of(&fixture(DUST));
    let link = folder.path().join("link.rtd");
    std::os::unix::fs::symlink("GOTBONE.RTD", &link).unwrap();
    let Some(mount) = Mounted::new(&link, folder.path(), &[]) else {
        return;
    };
    ok(&mount, "echo 2 > globals/phase");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::symlink_metadata(&save).unwrap().is_file());
    assert_eq!(stored(&save, "globals/phase"), "2");
}

#[test]
fn set_works_on_a_mounted_save_and_the_mount_reloads() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    ok(
        &mount,
        "cat globals/phase globals/handitem; stat -c %s globals/handitem",
    );
    printed(&[
        "set",
        save.to_str().unwrap(),
        "globals/phase=2",
        "globals/handitem=Painting",
    ]);
    eventually(3, "the mount has it", || {
        mount.read("globals/phase") == "2\n"
    });
    assert_eq!(mount.read("globals/handitem"), "Painting\n");
    assert_eq!(ok(&mount, "stat -c %s globals/handitem"), "9");
    // And the mount goes on writing what is there now.
    ok(&mount, "echo 3 > globals/day");
    assert_eq!(
        ["globals/phase", "globals/day"].map(|p| stored(&save, p)),
        ["2", "3"]
    );
}

#[test]
fn an_edit_undone_gives_the_original_file_back() {
    for (name, path) in [
        ("lba2/PLAIN64C.LBA", "lba/keys"),
        ("lba2/PLAIN32U.LBA", "lba/keys"),
        (DUST, "actors/Help/deg"),
    ] {
        let Some((_folder, save, mount)) = mounted(name, &[]) else {
            return;
        };
        let old = fs::read(&save).unwrap();
        let value = mount.read(path);
        ok(&mount, &format!("echo 77 > {path}"));
        assert_ne!(fs::read(&save).unwrap(), old, "{name}");
        ok(
            &mount,
            &format!("echo {value} > {path}", value = value.trim()),
        );
        assert_eq!(fs::read(&save).unwrap(), old, "{name}");
    }
}

#[test]
fn an_edit_changes_the_bytes_of_its_field_and_no_other() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let old = fs::read(&save).unwrap();
    ok(&mount, "echo 258 > globals/day");
    let number = |name| {
        ok(
            &mount,
            &format!("getfattr --only-values -n user.savefs.{name} globals/day"),
        )
        .parse::<usize>()
        .unwrap()
    };
    let field = number("offset")..number("offset") + number("size");
    let changed = differences(&old, &fs::read(&save).unwrap());
    assert!(
        !changed.is_empty() && changed.iter().all(|at| field.contains(at)),
        "{changed:?} in {field:?}"
    );
}

#[test]
fn the_first_commit_keeps_the_old_file_and_restore_puts_it_back() {
    let Some((_folder, save, mount)) = mounted(DUST, &[]) else {
        return;
    };
    let old = fs::read(&save).unwrap();
    let backup = save.with_extension("RTD.bak");
    ok(&mount, "cat globals/day");
    assert!(!backup.exists());
    ok(&mount, "echo 2 > globals/phase; echo 3 > globals/phase");
    assert_eq!(fs::read(&backup).unwrap(), old);
    assert_eq!(
        fs::metadata(&save).unwrap().nlink(),
        1,
        "a copy, never a hard link"
    );
    mount.unmount();
    printed(&["restore", save.to_str().unwrap()]);
    assert_eq!(fs::read(&save).unwrap(), old);
}

#[test]
fn pending_edits_are_applied_to_what_the_game_wrote() {
    let Some((_folder, save, mount)) = mounted(DUST, &["--commit", "manual"]) else {
        return;
    };
    ok(&mount, "echo 2 > globals/phase");
    game_writes(&save, &["globals/day=9"]);
    eventually(3, "the mount has both", || {
        mount.read("globals/day") == "9\n"
    });
    assert_eq!(mount.read("globals/phase"), "2\n");
    ok(&mount, "echo commit > .savefs/control");
    assert_eq!(
        ["globals/phase", "globals/day"].map(|p| stored(&save, p)),
        ["2", "9"]
    );
}

#[test]
fn pending_edits_that_are_not_legal_in_what_the_game_wrote_overwrite_nothing() {
    let Some((_folder, save, mount)) = mounted(DUST, &["--commit", "manual"]) else {
        return;
    };
    let loaded = fs::read(&save).unwrap();
    ok(&mount, "echo 5 > globals/fresh; echo 2 > globals/phase");
    // The game's next save has no actor Help, and other variables: a save of another moment.
    let other = fixture("dreamfactory/FULL.ti");
    let new = save.with_extension("new");
    fs::copy(&other, &new).unwrap();
    fs::rename(&new, &save).unwrap();
    let theirs = fs::read(&other).unwrap();
    let mut control = OpenOptions::new()
        .write(true)
        .open(mount.path().join(".savefs/control"))
        .unwrap();
    let refused = control.write_all(b"commit\n").unwrap_err();
    drop(control);
    assert_eq!(refused.raw_os_error(), Some(libc::ESTALE));
    assert_eq!(fs::read(&save).unwrap(), theirs, "nothing is overwritten");
    assert_eq!(
        fs::read(mount.path().join(".savefs/original")).unwrap(),
        loaded
    );
    assert_eq!(mount.read("globals/phase"), "2\n", "ours stays reachable");
}

/// A file system of 128 KiB.
struct Small(tempfile::TempDir);
impl Small {
    fn new() -> Option<Small> {
        let place = scratch();
        match mount(
            "tmpfs",
            place.path(),
            "tmpfs",
            MountFlags::empty(),
            c"size=128k",
        ) {
            Ok(()) => Some(Small(place)),
            Err(errno) => {
                eprintln!("SKIPPED: cannot mount a small tmpfs: {errno}");
                None
            }
        }
    }
}
impl Drop for Small {
    fn drop(&mut self) {
        let _ = unmount(self.0.path(), UnmountFlags::DETACH);
    }
}

#[test]
fn no_space_reaches_the_next_write_and_the_old_file_stays() {
    alone(
        "sentences::committing::no_space_reaches_the_next_write_and_the_old_file_stays",
        no_space,
    );
}
fn no_space() {
    let Some(small) = Small::new() else { return };
    let save = small.0.path().join("GOTBONE.RTD");
    fs::copy(fixture(DUST), &save).unwrap();
    let folder = scratch();
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    let old = fs::read(&save).unwrap();
    let filler = small.0.path().join("filler");
    fs::write(&filler, vec![1; 1 << 20]).unwrap_err();
    // The code reaches whoever asks at flush; a shell does not, and hears of it at its next write.
    let refused = {
        let mut file = OpenOptions::new()
            .write(true)
            .truncate(true)
            .open(mount.path().join("globals/phase"))
            .unwrap();
        file.write_all(b"2\n").unwrap();
        file.sync_all().unwrap_err()
    };
    assert_eq!(refused.raw_os_error(), Some(libc::ENOSPC));
    assert_eq!(fs::read(&save).unwrap(), old);
    assert_eq!(mount.read("globals/phase"), "2\n", "the edit stays pending");
    assert!(mount.read(".savefs/state").starts_with("pending: 1"));
    let (status, _, errors) = mount.sh("bash", "echo 3 > globals/day");
    assert_eq!(status, 1, "{errors}");
    assert!(errors.contains("No space left on device"), "{errors}");
    assert_eq!(mount.read("globals/day"), "1\n");
    fs::remove_file(&filler).unwrap();
    ok(&mount, "echo 3 > globals/day");
    assert_eq!(
        ["globals/phase", "globals/day"].map(|p| stored(&save, p)),
        ["2", "3"]
    );
    assert_eq!(mount.read(".savefs/state"), "clean\n");
    mount.unmount();
}

#[test]
fn a_hard_linked_save_is_read_only_and_in_place_writes_it() {
    let (folder, save) = copy_of(&fixture(DUST));
    let second = folder.path().join("second");
    fs::hard_link(&save, &second).unwrap();
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    let state = mount.read(".savefs/state");
    assert!(
        state.starts_with("read-only: ") && state.contains("link"),
        "{state}"
    );
    let refused = fs::write(mount.path().join("globals/phase"), "2\n").unwrap_err();
    assert_eq!(refused.raw_os_error(), Some(libc::EROFS));
    assert_eq!(ok(&mount, "stat -c %a globals/phase actors"), "444\n555");
    mount.unmount();
    assert!(savefs(&["info", save.to_str().unwrap()]).status.success());
    let Some(mount) = Mounted::new(&save, folder.path(), &["--in-place"]) else {
        return;
    };
    ok(&mount, "echo 2 > globals/phase");
    assert_eq!(
        fs::metadata(&save).unwrap().ino(),
        fs::metadata(&second).unwrap().ino()
    );
    assert_eq!(stored(&second, "globals/phase"), "2");
}
