//! The README's commands are true.

use crate::support::root;
use std::process::Command;

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("README.md")
}

/// The command in the README's code block after a line that holds `heading`.
fn command_under(heading: &str) -> String {
    let text = readme();
    let after = text
        .split_once(heading)
        .unwrap_or_else(|| panic!("README.md has no {heading:?}"))
        .1;
    let block = after.split("```").nth(1).expect("a code block");
    let lines: Vec<&str> = block
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(lines.len(), 1, "one command: {lines:?}");
    lines[0].to_owned()
}

#[test]
fn the_demonstration_runs_as_written() {
    if !std::path::Path::new("/dev/fuse").exists() {
        assert!(std::env::var_os("CI").is_none(), "no /dev/fuse in CI");
        eprintln!("SKIPPED: there is no /dev/fuse, so the demonstration was not run");
        return;
    }
    let output = Command::new("sh")
        .arg("-c")
        .arg(command_under("## See it work"))
        .current_dir(root())
        .output()
        .expect("sh runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for line in [
        "$ cat mnt/globals/day\n1\n",
        "$ cat mnt/globals/handitem\nBone\n",
        "$ savefs get GOTBONE.RTD globals/phase\n2\n",
    ] {
        assert!(said.contains(line), "{line:?} is missing in:\n{said}");
    }
}

#[test]
fn ci_runs_exactly_the_readmes_commands() {
    let ci = std::fs::read_to_string(root().join(".ci/run")).expect(".ci/run");
    for heading in ["## See it work", "## Tests"] {
        let command = command_under(heading);
        assert!(
            ci.lines().any(|line| line == command),
            ".ci/run does not run: {command}"
        );
    }
}
