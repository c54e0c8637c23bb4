//! How a mount begins and ends.

use super::{Bench, can_mount, toy};
use savefs::mount::{MountOptions, Mounted, umount};
use savefs::session::{Commit, Options, Session};
use std::fs;
use std::path::Path;

fn start(save: &Path, point: &Path) -> Result<Mounted, String> {
    let session = Session::open_as(save, Some(&toy::TOY), Options::default()).unwrap();
    Mounted::start(session, point, &MountOptions::default()).map_err(|e| e.to_string())
}

#[test]
fn bad_mount_points_are_refused() {
    if !can_mount() {
        return;
    }
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("save"), toy::bytes(&[])).unwrap();
    fs::create_dir_all(at("full/inner")).unwrap();
    let refusal = |point: &str| start(&at("save"), &at(point)).map(drop).unwrap_err();
    assert!(refusal("save").contains("is not a directory"));
    assert!(refusal("full").contains("is not empty"));
    assert!(refusal("").contains("holds the save itself"));
    assert!(refusal("no/such").contains("cannot be made as a directory"));
    let options = MountOptions {
        fuse: vec!["frobnicate".into()],
        ..MountOptions::default()
    };
    let session = Session::open_as(&at("save"), Some(&toy::TOY), Options::default()).unwrap();
    let error = Mounted::start(session, &at("new"), &options)
        .map(drop)
        .unwrap_err();
    assert_eq!(error.to_string(), "-o frobnicate: no such option");
    assert!(!at("new").exists());
}

#[test]
fn a_mount_point_that_was_made_goes_and_one_that_was_there_stays() {
    let Some(mut bench) = Bench::new() else {
        return;
    };
    bench.stop();
    assert!(!bench.at("").exists());
    fs::create_dir(bench.at("")).unwrap();
    bench.mount(Commit::Flush);
    assert_eq!(bench.get("hero/level"), "5");
    bench.stop();
    assert!(bench.at("").exists());
}

#[test]
fn a_second_mount_is_read_only_and_says_where_the_first_is() {
    let Some(bench) = Bench::new() else { return };
    let second = bench.save().with_file_name("second");
    let mounted = start(&bench.save(), &second).unwrap();
    let state = fs::read_to_string(second.join(".savefs/state")).unwrap();
    let first = bench.at("").canonicalize().unwrap();
    assert!(
        state.starts_with("read-only: ") && state.contains(first.to_str().unwrap()),
        "{state}"
    );
    let error = fs::write(second.join("hero/level"), "7\n").unwrap_err();
    assert_eq!(error.raw_os_error(), Some(libc::EROFS));
    assert_eq!(
        fs::metadata(second.join("hero/level"))
            .unwrap()
            .permissions(),
        std::os::unix::fs::PermissionsExt::from_mode(0o100444)
    );
    bench.ok("echo 7 > mnt/hero/level");
    super::eventually(5, "the second mount follows", || {
        fs::read(second.join("hero/level")).unwrap() == b"7\n"
    });
    mounted.stop();
}

#[test]
fn umount_commits_first_and_stays_mounted_when_that_fails() {
    let Some(mut bench) = Bench::with(Commit::Manual) else {
        return;
    };
    bench.ok("echo 7 > mnt/hero/level");
    let held = fs::File::open(bench.at("hero/level")).unwrap();
    assert!(
        umount(&bench.at(""))
            .unwrap_err()
            .to_string()
            .contains("somebody is using it")
    );
    assert_eq!(bench.stored("hero/level"), "7");
    drop(held);
    bench.ok("echo 8 > mnt/hero/level");
    let elsewhere = bench.save().with_file_name("elsewhere");
    fs::rename(bench.save(), &elsewhere).unwrap();
    fs::create_dir(bench.save()).unwrap();
    let error = umount(&bench.at("")).unwrap_err().to_string();
    assert!(
        error.contains("stays mounted: what is pending cannot be written"),
        "{error}"
    );
    assert_eq!(bench.get("hero/level"), "8");
    fs::remove_dir(bench.save()).unwrap();
    fs::rename(&elsewhere, bench.save()).unwrap();
    // Releasing a file is not waited for by whoever closes it.
    super::eventually(3, "unmounted", || umount(&bench.at("")).is_ok());
    assert_eq!(bench.stored("hero/level"), "8");
    assert!(
        umount(&bench.at(""))
            .unwrap_err()
            .to_string()
            .contains("no save is mounted here")
    );
    bench.stop();
}

#[test]
fn a_plain_umount_commits_what_is_pending() {
    let Some(mut bench) = Bench::with(Commit::Manual) else {
        return;
    };
    bench.ok("echo 7 > mnt/hero/level; umount mnt");
    bench.stop();
    assert_eq!(bench.stored("hero/level"), "7");
}
