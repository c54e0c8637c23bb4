//! The daemon killed in the middle of edits: the file is always one of the versions that were written.

use crate::support::{Mounted, copy_of, differences, fixture, printed};
use std::process::Command;
use std::time::Duration;

const ROUNDS: u64 = 50;
const EDITS: usize = 1000;

#[test]
fn a_killed_daemon_leaves_a_version_that_was_written() {
    let mut caught_at_work = 0;
    for round in 0..ROUNDS {
        let (folder, save) = copy_of(&fixture("dreamfactory/GOTBONE.RTD"));
        let old = std::fs::read(&save).expect("the save");
        let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
            return;
        };
        let script = format!(
            "for i in $(seq {EDITS}); do echo $i > {}/globals/phase || exit 1; done",
            mount.path().display()
        );
        let mut writer = Command::new("dash")
            .args(["-c", &script])
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("dash");
        std::thread::sleep(Duration::from_millis(20 + round * 7 % 90));
        mount.kill();
        caught_at_work += usize::from(!writer.wait().expect("the writer ends").success());

        let new = std::fs::read(&save).expect("the save is there");
        let value: usize = printed(&["get", &save.display().to_string(), "globals/phase"])
            .trim()
            .parse()
            .expect("a number");
        assert!(value <= EDITS);
        let changed = differences(&old, &new);
        let phase = value.to_le_bytes();
        assert!(
            changed.len() <= 2,
            "round {round}: only the field changes, {changed:?}"
        );
        for at in changed {
            assert!(phase.contains(&new[at]), "round {round}: byte {at}");
        }
        assert_eq!(
            printed(&["check", &save.display().to_string()]),
            format!("{}: fine\n", save.display())
        );
    }
    assert!(
        caught_at_work as u64 > ROUNDS / 2,
        "the daemon was killed at work only {caught_at_work} times"
    );
}
