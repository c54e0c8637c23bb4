//! Order of the Sinking Star through the command line and mounts.

use crate::support::{Mounted, copy_of, fixture, printed, root, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

fn status() -> (tempfile::TempDir, PathBuf) {
    copy_of(&fixture("sinking_star/campaign/Status.sokoban_status"))
}

fn bytes(save: &Path) -> Vec<u8> {
    std::fs::read(save).expect("the save")
}

#[test]
fn a_play_time_is_written_to_the_femtosecond() {
    let (folder, save) = status();
    let old = bytes(&save);
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    assert_eq!(mount.read("status/play_time"), "1:23:45.67890123456789\n");
    assert_eq!(
        mount
            .sh("dash", "echo 99:59:59.999999999999999 > status/play_time")
            .0,
        0
    );
    mount.unmount();
    let new = bytes(&save);
    // The third row of the durations in sinking-star.md 2.
    assert_eq!(
        new[25..41],
        [
            0xff, 0xff, 0x9f, 0x64, 0xa3, 0xec, 0, 0x84, 0x13, 0, 0, 0, 0, 0, 0, 0
        ]
    );
    assert_eq!((&new[..25], &new[41..]), (&old[..25], &old[41..]));
}

#[test]
fn levels_and_gates_come_and_go_as_directories_and_files() {
    let (folder, save) = status();
    let old = bytes(&save);
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    let script = "mkdir status/levels/towers && echo true > status/levels/towers/solved && cat status/levels/towers/flags && touch 'status/ice_gates/overworld/#5-77'";
    let (code, out, error) = mount.sh("bash", script);
    assert_eq!((code, out.as_str()), (0, "solved\n"), "{error}");
    assert_eq!(bytes(&save).len(), old.len() + 2 + "towers".len() + 1 + 4);
    let (code, _, error) = mount.sh("bash", "rm 'status/ice_gates/overworld/#5-77' && rmdir status/levels/towers && touch status/levels/x/y");
    assert_ne!(code, 0, "{error}");
    mount.unmount();
    assert_eq!(bytes(&save), old);
}

#[test]
fn settings_keep_their_ranges() {
    let (folder, save) = copy_of(&fixture("sinking_star/settings.menu_state"));
    let old = bytes(&save);
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    assert_eq!(mount.read("settings/music_volume"), "0.5\n");
    for refused in [
        "echo 1.5 > settings/music_volume",
        "echo nan > settings/sfx_volume",
        "echo 8 > settings/version",
        "echo -1 > settings/target_frame_rate",
    ] {
        assert_ne!(mount.sh("dash", refused).0, 0, "{refused}");
    }
    assert_eq!(bytes(&save), old);
    assert_eq!(mount.sh("dash", "echo 0.25 > settings/music_volume").0, 0);
    mount.unmount();
    assert_eq!(bytes(&save)[4..8], 0.25f32.to_le_bytes());
}

#[test]
fn a_package_is_a_directory_of_its_members() {
    let (folder, save) = copy_of(&fixture("sinking_star/data.package"));
    let old = bytes(&save);
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    let (code, listed, error) =
        mount.sh("bash", "find package -type f | sort && tar cf - . | wc -c");
    assert_eq!(code, 0, "{error}");
    assert!(listed.lines().count() > 3, "{listed}");
    assert!(
        mount.read(".savefs/state").starts_with("read-only"),
        "{}",
        mount.read(".savefs/state")
    );
    mount.unmount();
    assert_eq!(bytes(&save), old);
}

#[test]
fn a_large_history_answers_one_question_at_once_and_all_of_them() {
    let folder = scratch();
    let history = folder.path().join("large.history");
    let maker = root().join("scripts/fixtures/sinking_star_history.py");
    let made = Command::new("python3")
        .arg("-B")
        .arg(maker)
        .arg(&history)
        .args(["--nodes", "20000"])
        .output()
        .expect("python3");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let Some(mount) = Mounted::new(&history, folder.path(), &[]) else {
        return;
    };
    assert_eq!(mount.read("history/version"), "73\n");
    assert_eq!(mount.read("history/mips/0/factor"), "1\n");
    let (code, out, error) = mount.sh("bash", "find history | wc -l");
    assert_eq!(code, 0, "{error}");
    let nodes: usize = out.trim().parse().expect("a number");
    assert!(nodes >= 20_000, "{nodes}");
    mount.unmount();
    let flat = printed(&[
        "get",
        &history.display().to_string(),
        "history/mips/0/records/0",
    ]);
    assert!(
        flat.lines()
            .any(|line| line.starts_with("history/mips/0/records/0/first_move=")),
        "{flat}"
    );
}
