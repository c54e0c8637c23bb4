//! Commits under faults, and of several processes at once. `store` is driven through the example `commit`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn driver() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let path = here
        .parent()
        .and_then(Path::parent)
        .unwrap()
        .join("examples/commit");
    assert!(path.exists(), "first: cargo build --example commit");
    path
}

fn have_strace() -> bool {
    Command::new("strace")
        .arg("-V")
        .stdout(Stdio::null())
        .status()
        .is_ok()
}

#[test]
fn every_system_call_of_a_commit_may_fail_or_be_the_last() {
    if !have_strace() {
        return eprintln!("SKIPPED: no strace");
    }
    let place = tempfile::tempdir().unwrap();
    let (save, new) = (place.path().join("one.sav"), place.path().join("new"));
    fs::write(&save, vec![b'o'; 48_000]).unwrap();
    fs::write(&new, vec![b'n'; 48_100]).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/faults.sh");
    let run = Command::new(script)
        .arg(&save)
        .arg(driver())
        .arg("{}")
        .arg(&new)
        .output()
        .unwrap();
    let told =
        String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{told}");
    // The script counts what it did: a run without faults proves nothing.
    let faults: usize = told.split(' ').next().and_then(|n| n.parse().ok()).unwrap();
    assert!(faults > 100, "{told}");
}

/// Each writer either replaced what it had loaded, or was told that another had been quicker.
#[test]
fn commits_of_several_processes_are_one_after_the_other() {
    const WRITERS: u8 = 16;
    let place = tempfile::tempdir().unwrap();
    let save = place.path().join("one.sav");
    fs::write(&save, b"old").unwrap();
    let start = |writer: u8| {
        let new = place.path().join(format!("new-{writer}"));
        fs::write(&new, vec![writer; 10_000]).unwrap();
        let mut command = Command::new(driver());
        command
            .arg(&save)
            .arg(&new)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = (0..WRITERS).map(start).collect();
    let mut winners = Vec::new();
    for (writer, process) in running.into_iter().enumerate() {
        let output = process.wait_with_output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => winners.push(vec![writer as u8; 10_000]),
            _ => assert!(
                told.ends_with("changed on disk since it was loaded\n"),
                "{told}"
            ),
        }
    }
    assert!(winners.contains(&fs::read(&save).unwrap()));
    let backup = fs::read(place.path().join("one.sav.bak")).unwrap();
    assert!(backup == b"old" || winners.contains(&backup));
}

/// A rename that reaches the disk before the bytes would leave an empty file after a power failure.
#[test]
fn bytes_are_synced_before_the_rename_and_the_directory_after_it() {
    if !have_strace() {
        return eprintln!("SKIPPED: no strace");
    }
    let place = tempfile::tempdir().unwrap();
    let (save, new) = (place.path().join("one.sav"), place.path().join("new"));
    fs::write(&save, b"old").unwrap();
    fs::write(&new, b"new").unwrap();
    let log = place.path().join("log");
    let mut command = Command::new("strace");
    command
        .args([
            "-f",
            "-y",
            "-e",
            "trace=write,fsync,rename,renameat,renameat2",
            "-o",
        ])
        .arg(&log);
    assert!(
        command
            .arg(driver())
            .arg(&save)
            .arg(&new)
            .status()
            .unwrap()
            .success()
    );
    let log = fs::read_to_string(log).unwrap();
    let steps: Vec<_> = log
        .lines()
        .filter_map(|line| step(line, place.path()))
        .collect();
    let replaced = |name| {
        [
            "write temporary",
            "fsync temporary",
            name,
            "fsync directory",
        ]
    };
    assert_eq!(
        steps,
        [
            replaced("rename to one.sav.bak"),
            replaced("rename to one.sav")
        ]
        .concat()
    );
}

/// What a line of the log did to the directory.
fn step(line: &str, directory: &Path) -> Option<&'static str> {
    let directory = directory.to_str().unwrap();
    let temporary = line.contains(&format!("<{directory}/.one.sav.savefs-"));
    let call = line.split_whitespace().nth(1)?;
    if call.starts_with("rename") {
        let to = |name| line.contains(&format!(", \"{directory}/{name}\""));
        return [
            ("one.sav.bak", "rename to one.sav.bak"),
            ("one.sav", "rename to one.sav"),
        ]
        .into_iter()
        .find_map(|(name, told)| to(name).then_some(told));
    }
    match (call.split_once('(')?.0, temporary) {
        ("write", true) => Some("write temporary"),
        ("fsync", true) => Some("fsync temporary"),
        ("fsync", false) if line.contains(&format!("<{directory}>")) => Some("fsync directory"),
        _ => None,
    }
}
