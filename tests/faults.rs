//! Commits under faults, and of several processes at once.

use crate::support::{copy_of, fixture, printed, root};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SAVEFS: &str = env!("CARGO_BIN_EXE_savefs");

fn have_strace() -> bool {
    let found = Command::new("strace")
        .arg("-V")
        .stdout(Stdio::null())
        .status()
        .is_ok();
    if !found {
        assert!(std::env::var_os("CI").is_none(), "no strace in CI");
        eprintln!("SKIPPED: there is no strace, so no system call was made to fail");
    }
    found
}

#[test]
fn every_system_call_of_a_commit_may_fail_or_be_the_last() {
    if !have_strace() {
        return;
    }
    let script = root().join("scripts/faults.sh");
    let run = Command::new(script)
        .arg(fixture("dreamfactory/GOTBONE.RTD"))
        .args([SAVEFS, "set", "{}", "globals/handitem=painting"])
        .output()
        .unwrap();
    let told =
        String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{told}");
    // The script counts what it did: a run without faults proves nothing.
    let faults: usize = told.split(' ').next().and_then(|n| n.parse().ok()).unwrap();
    assert!(faults > 100, "{told}");
}

/// Writers of different values in different processes: all of them land.
#[test]
fn commits_of_several_processes_are_one_after_the_other() {
    let (_folder, save) = copy_of(&fixture("dreamfactory/GOTBONE.RTD"));
    let names = [
        "day",
        "playercash",
        "bulletcount",
        "phase",
        "attentionspan",
        "jonesframe",
        "hrs",
        "debt",
    ];
    let start = |value: usize, name: &str| {
        let assignment = format!("globals/{name}={}", 100 + value);
        Command::new(SAVEFS)
            .arg("set")
            .arg(&save)
            .arg(assignment)
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(value, name)| start(value, name))
        .collect();
    for mut process in running {
        assert!(process.wait().unwrap().success());
    }
    for (value, name) in names.iter().enumerate() {
        let path = format!("globals/{name}");
        assert_eq!(
            printed(&["get", &save.display().to_string(), &path]),
            format!("{}\n", 100 + value)
        );
    }
}

/// A rename that reaches the disk before the bytes would leave an empty file after a power failure.
#[test]
fn bytes_are_synced_before_the_rename_and_the_directory_after_it() {
    if !have_strace() {
        return;
    }
    let (folder, save) = copy_of(&fixture("dreamfactory/GOTBONE.RTD"));
    let log = folder.path().join("log");
    let trace = [
        "-f",
        "-y",
        "-e",
        "trace=write,fsync,rename,renameat,renameat2",
        "-o",
    ];
    let mut command = Command::new("strace");
    command
        .args(trace)
        .arg(&log)
        .args([SAVEFS, "set"])
        .arg(&save)
        .arg("globals/phase=2");
    assert!(command.status().unwrap().success());
    let log = fs::read_to_string(log).unwrap();
    let steps: Vec<_> = log
        .lines()
        .filter_map(|line| step(line, folder.path()))
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
            replaced("rename to GOTBONE.RTD.bak"),
            replaced("rename to GOTBONE.RTD")
        ]
        .concat()
    );
}

/// What a line of the log did to the directory.
fn step(line: &str, directory: &Path) -> Option<&'static str> {
    let directory = directory.to_str().unwrap();
    let temporary = line.contains(&format!("<{directory}/.GOTBONE.RTD.savefs-"));
    let call = line.split_whitespace().nth(1)?;
    if call.starts_with("rename") {
        let to = |name| line.contains(&format!(", \"{directory}/{name}\""));
        return [
            ("GOTBONE.RTD.bak", "rename to GOTBONE.RTD.bak"),
            ("GOTBONE.RTD", "rename to GOTBONE.RTD"),
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
