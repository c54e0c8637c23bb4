//! Every tool edits a node, and no error is swallowed: one row a tool, one column a node.

use super::tools::{TOOLS, Tells, Tool};
use super::{GOTBONE, Room, comes, has};
use crate::support::{copy_of, differences, fixture, printed};
use rustix::fs::getxattr;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A node and what it is given.
struct Case {
    node: &'static str,
    old: &'static str,
    legal: Option<&'static str>,
    illegal: Option<&'static str>,
}

const CASES: &[Case] = &[
    // Refused at the third digit.
    case("actors/Help/deg", "192", Some("64"), Some("999")),
    // A string of at most 15 bytes.
    case(
        "actors/Help/owner",
        "none",
        Some("sendgram"),
        Some("much_too_long_for_it"),
    ),
    // In a directory where a new name is a new variable.
    case("globals/phase", "0", Some("12345"), Some("sixty")),
    // A coupling, which shows at the newline that ends the value or else at the flush.
    case("actors/Mayor/visible", "0", None, Some("1")),
];

/// What a tool that appends makes.
const NEW: Case = case("globals/phase2", "", Some("77"), None);

const fn case(
    node: &'static str,
    old: &'static str,
    legal: Option<&'static str>,
    illegal: Option<&'static str>,
) -> Case {
    Case {
        node,
        old,
        legal,
        illegal,
    }
}

impl Case {
    fn parts(&self) -> (&'static str, &'static str) {
        self.node.rsplit_once('/').unwrap()
    }
    /// The save's bytes after the legal edit, made without a mount: only bytes of the field differ, if it was there.
    fn edited(&self, legal: &str) -> Vec<u8> {
        let (_folder, save) = copy_of(&fixture(GOTBONE));
        printed(&[
            "set",
            &save.display().to_string(),
            &format!("{}={legal}", self.node),
        ]);
        fs::read(save).unwrap()
    }
}

/// Everything that is wrong with an edit.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn unless(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.0.push(what());
        }
    }
}

fn run(room: &Room, tool: &Tool, script: &str, case: &Case, value: &str) -> Output {
    let (directory, name) = case.parts();
    fs::write(room.folder().join("x"), format!("{value}\n")).unwrap();
    let variables = [
        ("P", format!("mnt/{}", case.node)),
        ("D", format!("mnt/{directory}")),
        ("N", name.to_owned()),
        ("OLD", case.old.to_owned()),
        ("V", value.to_owned()),
    ];
    let variables = variables.each_ref().map(|(k, v)| (*k, v.as_str()));
    room.run(tool.shell, script, &variables)
}

fn screen(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&text).into_owned()
}

fn errors(room: &Room) -> String {
    fs::read_to_string(room.at(".savefs/errors")).unwrap()
}

/// Node bytes as the mount says where they are.
fn field(room: &Room, node: &str) -> std::ops::Range<usize> {
    let number = |attribute: &str| -> usize {
        let mut buffer = [0; 64];
        let length = getxattr(room.at(node), attribute, &mut buffer).unwrap();
        let text = std::str::from_utf8(buffer.get(..length).unwrap()).unwrap();
        text.parse().unwrap()
    };
    let start = number("user.savefs.offset");
    start..start + number("user.savefs.size")
}

/// The new value is in the file, nothing else changed, and nothing but asked-for backups is left behind.
fn legal(tool: &Tool, case: &Case, value: &str) -> Option<Faults> {
    let room = Room::new(GOTBONE)?;
    let (directory, name) = case.parts();
    let mut faults = Faults::default();
    let before = room.on_disk();
    let field = (!tool.appends).then(|| field(&room, case.node));
    let mut names = room.names(directory);
    let output = run(&room, tool, tool.script, case, value);
    faults.unless(output.status.success(), || {
        format!("failed: {}", output.status)
    });
    let (stored, after) = (room.stored(case.node), room.on_disk());
    faults.unless(stored == value, || format!("the file holds {stored:?}"));
    faults.unless(after == case.edited(value), || {
        "other bytes than `savefs set` makes".into()
    });
    if let Some(field) = field {
        let outside = |at: &usize| !field.contains(at);
        let strays: Vec<usize> = differences(&before, &after)
            .into_iter()
            .filter(outside)
            .collect();
        faults.unless(strays.is_empty(), || {
            format!("changed {strays:?} outside {field:?}")
        });
    } else {
        names.push(name.to_owned());
    }
    let shown = room.shown(case.node);
    faults.unless(shown == value, || format!("the mount shows {shown:?}"));
    let size = fs::metadata(room.at(case.node)).unwrap().len();
    faults.unless(size == value.len() as u64 + 1, || {
        format!("its size is {size}")
    });
    let kept: Vec<String> = tool
        .keeps
        .iter()
        .map(|keep| keep.replace('%', name))
        .collect();
    names.extend(kept.iter().cloned());
    names.sort();
    let listed = room.names(directory);
    faults.unless(listed == names, || format!("left behind: {listed:?}"));
    for backup in &kept {
        let _ = fs::remove_file(room.at(directory).join(backup));
    }
    let current = fs::read(room.at(".savefs/current")).unwrap();
    faults.unless(current == after && room.on_disk() == after, || {
        "a backup reached the save".into()
    });
    let errors = errors(&room);
    faults.unless(errors.is_empty(), || format!("errors: {errors}"));
    explain(&mut faults, &output);
    Some(faults)
}

/// The old value stays, the file is not touched, and the tool says so if it ever looks.
fn illegal(tool: &Tool, case: &Case, value: &str) -> Option<(Faults, &'static str)> {
    let room = Room::new(GOTBONE)?;
    let (directory, name) = case.parts();
    let mut faults = Faults::default();
    let before = (room.on_disk(), room.identity());
    let names = room.names(directory);
    let output = run(
        &room,
        tool,
        tool.illegal.unwrap_or(tool.script),
        case,
        value,
    );
    let (told, how) = told(tool, case, &output);
    faults.unless(told, || format!("the tool did not tell: {how}"));
    let stored = room.stored(case.node);
    faults.unless(stored == case.old, || format!("the file holds {stored:?}"));
    faults.unless(before == (room.on_disk(), room.identity()), || {
        "the file was touched".into()
    });
    let mut backup = room.save.clone().into_os_string();
    backup.push(".bak");
    faults.unless(!Path::new(&backup).exists(), || {
        "there is a backup of no change".into()
    });
    let errors = errors(&room);
    faults.unless(
        errors.contains(case.node) || matches!(tool.tells, Tells::Never(_)),
        || format!("errors do not tell: {errors}"),
    );
    // A tool that unlinked the node first finds it again after five seconds.
    let back = comes(8, || {
        let listed = room.names(directory);
        names.iter().all(|name| listed.contains(name)) && room.shown(case.node) == case.old
    });
    faults.unless(back, || format!("not back: {:?}", room.names(directory)));
    let kept: Vec<String> = [tool.keeps, tool.rescues]
        .concat()
        .iter()
        .map(|keep| keep.replace('%', name))
        .collect();
    let mut strays = room.names(directory);
    strays.retain(|stray| !names.contains(stray) && !kept.contains(stray));
    faults.unless(strays.is_empty(), || format!("left behind: {strays:?}"));
    let current = fs::read(room.at(".savefs/current")).unwrap();
    faults.unless(current == before.0, || {
        "a scratch file reached the save".into()
    });
    explain(&mut faults, &output);
    Some((faults, how))
}

/// Whether a tool told of the failure as it can, and how.
fn told(tool: &Tool, case: &Case, output: &Output) -> (bool, &'static str) {
    let only_at_flush = case.legal.is_none();
    match (tool.tells, tool.deaf_at_flush) {
        (Tells::Never(why), _) => (output.status.success(), why),
        (_, Some(why)) if only_at_flush => (output.status.success(), why),
        (Tells::ByStatus, _) => (
            !matches!(output.status.code(), Some(0 | 97 | 98 | 124 | 137) | None),
            "status",
        ),
        (Tells::OnScreen(words), _) => {
            let screen = screen(output);
            let shown = words.iter().any(|word| screen.contains(word));
            (shown && output.status.success(), "screen")
        }
    }
}

fn explain(faults: &mut Faults, output: &Output) {
    if !faults.0.is_empty() {
        faults.0.push(format!(
            "status {:?}, said: {}",
            output.status.code(),
            screen(output)
        ));
    }
}

/// A row of the table, and what is wrong with it.
fn row(tool: &Tool) -> Option<(String, Vec<String>)> {
    let mut wrong = Vec::new();
    let mut cells = Vec::new();
    let mut ways: Vec<&str> = Vec::new();
    let made: &[Case] = if tool.appends { &[NEW] } else { CASES };
    for (case, value) in made.iter().filter_map(|case| Some((case, case.legal?))) {
        let faults = legal(tool, case, value)?;
        cells.push(verdict(&faults));
        wrong.extend(
            faults
                .0
                .iter()
                .map(|fault| format!("{}: {}={value}: {fault}", tool.name, case.node)),
        );
    }
    cells.resize(3, "-");
    for (case, value) in CASES.iter().filter_map(|case| Some((case, case.illegal?))) {
        let (faults, how) = illegal(tool, case, value)?;
        cells.push(verdict(&faults));
        if !ways.contains(&how) {
            ways.push(how);
        }
        wrong.extend(
            faults
                .0
                .iter()
                .map(|fault| format!("{}: {}={value}: {fault}", tool.name, case.node)),
        );
    }
    let cells: String = cells.iter().map(|cell| format!("{cell:^6}")).collect();
    let keeps = tool.keeps.join(" ");
    let line = format!(
        "{:30}{cells} {keeps:12} {}",
        tool.name,
        ways.join("; coupling: ")
    );
    Some((line.trim_end().to_owned(), wrong))
}

fn verdict(faults: &Faults) -> &'static str {
    if faults.0.is_empty() { "ok" } else { "WRONG" }
}

const HEAD: &str = "\
                              | legal edit     | illegal edit, old value kept
tool                           deg  owner phase  deg  owner phase coupl keeps        tells by";

#[test]
fn every_tool_edits_a_node_and_no_error_is_swallowed() {
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    let only = std::env::var("SAVEFS_TOOL").ok();
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(tool) = TOOLS.get(index) else { return };
            if only
                .as_ref()
                .is_some_and(|only| !tool.name.contains(only.as_str()))
            {
                continue;
            }
            let row = if has(tool.program) && has(tool.shell) {
                row(tool)
            } else {
                Some((
                    format!("{:30}SKIPPED: {} is not installed", tool.name, tool.program),
                    Vec::new(),
                ))
            };
            rows.lock().unwrap().push((index, row));
        }
    };
    std::thread::scope(|scope| {
        // Most of the time is waiting for nodes that come back.
        for _ in 0..6 {
            scope.spawn(work);
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(index, _)| *index);
    if rows.iter().any(|(_, row)| row.is_none()) {
        return;
    }
    let rows: Vec<(String, Vec<String>)> = rows.into_iter().filter_map(|(_, row)| row).collect();
    let lines: Vec<&str> = rows.iter().map(|(line, _)| line.as_str()).collect();
    let table = format!("{HEAD}\n{}\n", lines.join("\n"));
    println!("{table}");
    fs::write(
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("editors-matrix.txt"),
        &table,
    )
    .unwrap();
    let wrong: Vec<&str> = rows
        .iter()
        .flat_map(|(_, wrong)| wrong)
        .map(String::as_str)
        .collect();
    assert!(wrong.is_empty(), "{}\n{table}", wrong.join("\n"));
}

#[test]
fn the_matrix_has_a_row_for_each_tool_of_the_design() {
    for named in [
        "bash", "dash", "zsh", "tee", "tee -a", "cp", "cp -p", "cp -a", "mv", "install", "dd",
        "truncate", "ed", "sed -i", "perl -pi", "gawk", "vim", "nano", "emacs", "Python", "rsync",
        "patch", "git", "sort", "sponge", "Node.js",
    ] {
        let row = TOOLS
            .iter()
            .any(|tool| tool.name == named || tool.name.starts_with(&format!("{named} ")));
        assert!(row, "{named}");
    }
}
