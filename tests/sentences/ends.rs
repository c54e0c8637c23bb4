//! DESIGN.md 4: how a mount ends.

use super::{DUST, eventually, mounted, ok, stored};
use crate::support::{copy_of, fixture, savefs};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Takes the save away: nothing can be committed then, for a save that is gone is not made again.
fn block(save: &Path) -> std::path::PathBuf {
    let elsewhere = save.with_extension("elsewhere");
    fs::rename(save, &elsewhere).unwrap();
    elsewhere
}
fn unblock(save: &Path, elsewhere: &Path) {
    fs::rename(elsewhere, save).unwrap();
}
fn signal(pid: u32, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &pid.to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}
fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A process that nobody has waited for yet has ended all the same.
    !stat.is_empty() && !stat.contains(") Z ")
}
/// The lines that were kept in the state directory.
fn kept(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder.join("state/savefs")) else {
        return Vec::new();
    };
    let text =
        |entry: std::io::Result<fs::DirEntry>| fs::read_to_string(entry.unwrap().path()).unwrap();
    entries
        .map(text)
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn umount_stays_mounted_when_the_commit_fails() {
    let Some((_folder, save, mount)) = mounted(DUST, &["--commit", "manual"]) else {
        return;
    };
    ok(&mount, "echo 2 > globals/phase; echo 9 > globals/day");
    let elsewhere = block(&save);
    let at = mount.path().to_str().unwrap().to_owned();
    let output = savefs(&["umount", &at]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("stays mounted"), "{told}");
    assert_eq!(mount.read("globals/phase"), "2\n");
    let state = mount.read(".savefs/state");
    assert!(state.starts_with("pending: 2"), "{state}");
    unblock(&save, &elsewhere);
    eventually(3, "it can be unmounted", || {
        savefs(&["umount", &at]).status.success()
    });
    assert_eq!(
        [stored(&save, "globals/phase"), stored(&save, "globals/day")],
        ["2", "9"]
    );
}

#[test]
fn after_a_plain_umount_an_edit_that_cannot_be_committed_is_kept_as_lines() {
    let Some((folder, save, mount)) = mounted(DUST, &["--commit", "manual"]) else {
        return;
    };
    ok(
        &mount,
        "echo 2 > globals/phase; echo Whip > globals/handitem; echo 1 > globals/fresh",
    );
    let elsewhere = block(&save);
    let pid = mount.daemon();
    let status = Command::new("umount").arg(mount.path()).status().unwrap();
    assert!(status.success());
    eventually(5, "the daemon ends", || !is_alive(pid));
    assert_eq!(
        kept(folder.path()),
        [
            "globals/phase=2",
            "globals/handitem=Whip",
            "globals/fresh=1"
        ]
    );
    // The lines are what `savefs set` takes.
    unblock(&save, &elsewhere);
    let mut arguments = vec!["set".to_owned(), save.to_str().unwrap().to_owned()];
    arguments.extend(kept(folder.path()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    assert!(savefs(&arguments).status.success());
    assert_eq!(
        [
            stored(&save, "globals/handitem"),
            stored(&save, "globals/fresh")
        ],
        ["Whip", "1"]
    );
}

#[test]
fn after_a_signal_an_edit_that_cannot_be_committed_is_kept_as_lines() {
    let Some((folder, save, mount)) = mounted(DUST, &["--commit", "manual"]) else {
        return;
    };
    ok(&mount, "echo 2 > globals/phase");
    block(&save);
    let pid = mount.daemon();
    signal(pid, "TERM");
    eventually(5, "the daemon ends", || !is_alive(pid));
    assert_eq!(kept(folder.path()), ["globals/phase=2"]);
}

#[test]
fn signals_release_the_mount_point_within_two_seconds() {
    for name in ["TERM", "INT", "HUP"] {
        for commit in ["flush", "manual"] {
            let (folder, save) = copy_of(&fixture(DUST));
            let Some(mount) =
                crate::support::Mounted::new(&save, folder.path(), &["--commit", commit])
            else {
                return;
            };
            ok(&mount, "echo 2 > globals/phase");
            // Somebody stands in the mount and reads.
            let reader = fs::File::open(mount.path().join("globals/day")).unwrap();
            let pid = mount.daemon();
            let start = Instant::now();
            signal(pid, name);
            eventually(2, "the daemon ends", || !is_alive(pid));
            assert!(start.elapsed() < Duration::from_secs(2), "{name} {commit}");
            drop(reader);
            assert!(
                !mount.path().exists(),
                "{name}: savefs made the mount point and removes it"
            );
            assert_eq!(stored(&save, "globals/phase"), "2", "{name} {commit}");
            assert!(kept(folder.path()).is_empty());
        }
    }
}
