//! The commands that need no mount: what they print, how they fail.

use crate::support::{copy_of, fixture, printed, refused, root, savefs};
use std::io::Write;
use std::process::{Command, Stdio};

fn gotbone() -> (tempfile::TempDir, String) {
    let (folder, save) = copy_of(&fixture("dreamfactory/GOTBONE.RTD"));
    (folder, save.display().to_string())
}

#[test]
fn wrong_usage_is_2_failure_is_1_and_fine_is_0() {
    let (_folder, save) = gotbone();
    assert_eq!(savefs(&["--help"]).status.code(), Some(0));
    assert_eq!(savefs(&["--version"]).status.code(), Some(0));
    assert_eq!(savefs(&[]).status.code(), Some(2));
    assert_eq!(savefs(&["get"]).status.code(), Some(2));
    assert_eq!(savefs(&["get", &save]).status.code(), Some(2));
    assert_eq!(savefs(&["frobnicate", &save]).status.code(), Some(2));
    assert_eq!(savefs(&["get", "no/such/file", "x"]).status.code(), Some(1));
    assert_eq!(
        savefs(&["get", &save, "globals/nosuch"]).status.code(),
        Some(1)
    );
}

#[test]
fn errors_name_the_file_the_path_and_what_is_legal() {
    let (_folder, save) = gotbone();
    let error = refused(1, &["set", &save, "actors/Help/deg=999"]);
    assert_eq!(
        error,
        format!("savefs: {save}: actors/Help/deg: \"999\": out of range (legal: 0..255)\n")
    );
    let error = refused(1, &["get", &save, "globals/pase"]);
    assert_eq!(
        error,
        format!("savefs: {save}: globals/pase: there is no pase here; did you mean phase?\n")
    );
    let error = refused(2, &["set", &save, "globals/phase"]);
    assert_eq!(
        error,
        format!("savefs: {save}: \"globals/phase\": expected PATH=VALUE, e.g. globals/phase=2\n")
    );
}

#[test]
fn get_prints_a_value_or_everything_below_a_directory() {
    let (_folder, save) = gotbone();
    assert_eq!(
        printed(&["get", &save, "globals/day", "/globals/handitem/"]),
        "1\nBone\n"
    );
    let below = printed(&["get", &save, "paths"]);
    assert_eq!(below.lines().count(), 9);
    assert!(below.starts_with("paths/0="), "{below}");
    let data = savefs(&["get", &save, "containers/2/data"]).stdout;
    assert_eq!(
        data.len().to_string(),
        printed(&["get", &save, "containers/2/size"]).trim()
    );
}

#[test]
fn ls_and_explain_say_what_nodes_are() {
    let (_folder, save) = gotbone();
    assert!(
        printed(&["ls", &save])
            .lines()
            .any(|line| line == "globals/")
    );
    let long = printed(&["ls", "-l", &save, "actors/Help"]);
    let deg = long
        .lines()
        .find(|line| line.contains(" deg "))
        .expect("deg");
    assert!(deg.starts_with("rw i16") && deg.contains("facing"), "{deg}");
    let told = printed(&["explain", &save, "actors/Help/deg"]);
    for line in [
        "type     i16",
        "range    0..255",
        "size     2",
        "access   read-write",
    ] {
        assert!(
            told.lines().any(|l| l == line),
            "{line:?} is missing in:\n{told}"
        );
    }
}

#[test]
fn a_batch_is_one_commit_and_can_be_rehearsed() {
    let (_folder, save) = gotbone();
    let batch = |arguments: &[&str], text: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_savefs"))
            .arg("batch")
            .args(arguments)
            .arg(&save)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("savefs runs");
        child
            .stdin
            .take()
            .expect("stdin")
            .write_all(text.as_bytes())
            .expect("the script");
        child.wait_with_output().expect("savefs ends")
    };
    let old = std::fs::read(&save).expect("the save");
    let script = "# a comment\n\nglobals/phase=2\nglobals/newvar=text with = and blanks \n";
    assert!(batch(&["--dry-run"], script).status.success());
    assert_eq!(std::fs::read(&save).expect("the save"), old);
    assert!(
        !batch(&[], "globals/phase=2\nactors/Help/deg=999\n")
            .status
            .success()
    );
    assert_eq!(std::fs::read(&save).expect("the save"), old);
    assert!(batch(&[], script).status.success());
    assert_eq!(
        printed(&["get", &save, "globals/newvar"]),
        "text with = and blanks \n"
    );
    assert_eq!(std::fs::read(format!("{save}.bak")).expect("a backup"), old);
}

#[test]
fn a_batch_names_the_line_that_it_does_not_understand() {
    let (folder, save) = gotbone();
    let script = folder.path().join("script").display().to_string();
    std::fs::write(&script, "# a comment\nglobals/phase=2\nphase\n").expect("a script");
    assert_eq!(
        refused(2, &["batch", &save, &script]),
        format!("savefs: {save}: line 3: \"phase\": expected PATH=VALUE, mkdir PATH or rm PATH\n")
    );
}

#[test]
fn a_listing_can_be_edited_and_given_back() {
    for fixture_name in [
        "dreamfactory/GOTBONE.RTD",
        "lba2/PLAIN32C.LBA",
        "starlancer/ACEGAME01.IFF",
    ] {
        let (folder, save) = copy_of(&fixture(fixture_name));
        let save = save.display().to_string();
        let old = std::fs::read(&save).expect("the save");
        let listing = printed(&["tree", "--flat", &save]);
        let list = folder.path().join("list");
        std::fs::write(&list, &listing).expect("the listing");
        printed(&["batch", "--listing", &save, &list.display().to_string()]);
        assert_eq!(
            std::fs::read(&save).expect("the save"),
            old,
            "{fixture_name}"
        );
    }
    let (folder, save) = gotbone();
    let listing =
        printed(&["tree", "--flat", &save]).replace("\nglobals/phase=0\n", "\nglobals/phase=2\n");
    let list = folder.path().join("list");
    std::fs::write(&list, listing).expect("the listing");
    printed(&["batch", "--listing", &save, &list.display().to_string()]);
    assert_eq!(printed(&["get", &save, "globals/phase"]), "2\n");
}

#[test]
fn a_new_variable_that_looks_like_another_is_told_of() {
    let (_folder, save) = gotbone();
    let output = savefs(&["set", &save, "globals/phas=3"]);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        said.contains("globals/phas: is new; did you mean phase?"),
        "{said}"
    );
}

#[test]
fn restore_puts_the_old_version_back() {
    let (_folder, save) = gotbone();
    assert_eq!(
        refused(1, &["restore", &save]),
        format!("savefs: {save}: no old version of it is kept\n")
    );
    let old = std::fs::read(&save).expect("the save");
    printed(&["set", &save, "globals/phase=2"]);
    assert_eq!(
        printed(&["restore", "--list", &save]),
        format!("1 {save}.bak\n")
    );
    printed(&["restore", &save]);
    assert_eq!(std::fs::read(&save).expect("the save"), old);
    assert_eq!(
        refused(1, &["restore", &save, "9"]),
        format!("savefs: {save}: there is no old version 9, only 1..1\n")
    );
}

#[test]
fn backups_are_as_many_as_asked_for() {
    let (folder, save) = gotbone();
    for (value, options) in [
        ("1", &["--no-backup"] as &[&str]),
        ("2", &["--backup", "2"]),
        ("3", &["--backup", "2"]),
        ("4", &["--backup", "2"]),
    ] {
        let assignment = format!("globals/phase={value}");
        let arguments: Vec<&str> = ["set"]
            .iter()
            .chain(options)
            .copied()
            .chain([save.as_str(), &assignment])
            .collect();
        printed(&arguments);
    }
    let kept = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(kept, 3, "the save and two old versions");
    let phase = |file: &str| printed(&["get", file, "globals/phase"]);
    assert_eq!(
        (
            phase(&format!("{save}.bak")),
            phase(&format!("{save}.bak.1"))
        ),
        ("3\n".into(), "2\n".into())
    );
}

#[test]
fn a_variable_can_be_given_another_type() {
    let (_folder, save) = gotbone();
    printed(&["set", &save, "globals/fresh:string=5"]);
    let told = |path: &str| printed(&["explain", &save, path]);
    assert!(told("globals/fresh").contains("type     string\n"));
    assert_eq!(printed(&["get", &save, "globals/fresh"]), "5\n");
    printed(&["set", &save, "globals/phase:string=words"]);
    assert_eq!(printed(&["get", &save, "globals/phase"]), "words\n");
    printed(&["set", &save, "globals/phase:number=7"]);
    assert!(told("globals/phase").contains("type     number\n"));
    assert_eq!(printed(&["get", &save, "globals/phase"]), "7\n");
}

#[test]
fn a_name_may_hold_the_sign_that_parts_path_and_value() {
    let (_folder, save) = gotbone();
    let Some(mount) = crate::support::Mounted::new(save.as_ref(), _folder.path(), &[]) else {
        return;
    };
    assert_eq!(mount.sh("dash", "echo 1 > globals/a=b").0, 0);
    mount.unmount();
    printed(&["set", &save, "globals/a=b=2"]);
    assert_eq!(printed(&["get", &save, "globals/a=b"]), "2\n");
}

#[test]
fn pages_are_printed_by_the_program_itself() {
    assert!(printed(&["man"]).contains(".TH savefs"));
    assert!(printed(&["man", "mount"]).contains("savefs-mount"));
    assert!(printed(&["completions", "bash"]).contains("_savefs()"));
    let formats = printed(&["formats"]);
    assert!(formats.lines().count() >= 2, "{formats}");
    for line in formats.lines() {
        let name = line.split_whitespace().next().expect("a name");
        assert!(
            printed(&["formats", name]).len() > 1000,
            "the page of {name} is a stub"
        );
    }
}

#[test]
fn help_names_only_formats_that_are_there() {
    let help = printed(&["get", "--help"]);
    let words: Vec<&str> = help.split_whitespace().collect();
    let named = words.windows(2).find_map(|two| match two {
        ["formats", name] => name.strip_suffix("`)"),
        _ => None,
    });
    let name = named.expect("where a schema is told of");
    assert!(printed(&["formats", name]).contains("savefs_schema"));
}

#[test]
fn a_folder_without_saves_is_told_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = savefs(&["info", &folder.path().display().to_string()]);
    assert_eq!(told.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&told.stderr),
        format!(
            "savefs: {}: no save in this folder\n",
            folder.path().display()
        )
    );
}

#[test]
fn no_text_of_the_project_names_a_machine() {
    let mut folders = vec![
        root().join("src"),
        root().join("scripts"),
        root().join("tests"),
    ];
    let words = [
        concat!("/ro", "ot/"),
        concat!("/wo", "rk/"),
        concat!("crates", ".io"),
        concat!("Cla", "ude"),
    ];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                for word in words {
                    assert!(!text.contains(word), "{} says {word}", path.display());
                }
            }
        }
    }
}
