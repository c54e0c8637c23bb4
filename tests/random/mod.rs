//! Random operations on a real mount against a model of the file system.
//!
//! `SAVEFS_RANDOM_OPS` sets how many operations a run has, `SAVEFS_RANDOM_SEED` which ones; both are printed. A failure
//! prints the operations that led to it: all that touched its paths lately, and the last ones.

mod handles;
mod model;
mod ops;
mod real;
mod steps;
mod value;

use crate::support::{Mounted, alone, copy_of, fixture};
use model::{Cell, Directory, Found, Model, Name, Scratch};
use ops::{Dice, Field, Op};
use real::{Real, Seen};
use savefs::session::{Edit, Options, Session};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use value::Legal;

/// When a hidden node is waited for, long before its five seconds are over: nothing may happen at the very moment.
const PATIENCE: Duration = Duration::from_secs(3);
const CHECK_EVERY: usize = 50;
const COMPARE_EVERY: usize = 1000;
const TRACE: usize = 40;

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// A run: the mount, the model, and what happened.
struct Run {
    fixture: PathBuf,
    save: PathBuf,
    mount: Mounted,
    real: Real,
    model: Model,
    done: Vec<(Op, Seen)>,
    seed: u64,
    operations: u64,
}

impl Run {
    /// Prints what led to a failure: the operations that touched what it is about, and the last ones of all.
    fn fail(&self, why: &str) -> ! {
        let Some((last, _)) = self.done.last() else {
            panic!("{why}")
        };
        let mut about = format!("{last:?} {why}");
        if let Some(slot) = last.slot() {
            let opened = self
                .done
                .iter()
                .rev()
                .map(|(op, _)| op)
                .find(|op| op.opens() && op.slot() == Some(slot));
            about += &format!("{opened:?}");
        }
        let paths = self.model.names.keys().chain(self.model.scratch.keys());
        let concerned: Vec<&String> = paths.filter(|path| about.contains(*path)).collect();
        for (at, (op, seen)) in self.done.iter().enumerate() {
            let words = format!("{op:?}");
            let touches = concerned
                .iter()
                .any(|path| words.contains(&format!("{path:?}")));
            let touches = touches || (op.slot().is_some() && op.slot() == last.slot());
            let recent = at + TRACE > self.done.len();
            if recent || (touches && !op.only_looks() && at + 20 * TRACE > self.done.len()) {
                println!("{at:6} {op:?} -> {seen:?}");
            }
        }
        let errors =
            std::fs::read_to_string(self.mount.path().join(".savefs/errors")).unwrap_or_default();
        println!(
            "errors: {}",
            errors
                .lines()
                .rev()
                .take(3)
                .collect::<Vec<_>>()
                .join("\n        ")
        );
        panic!(
            "{why}\n(SAVEFS_RANDOM_SEED={} SAVEFS_RANDOM_OPS={})",
            self.seed, self.operations
        );
    }

    fn step(&mut self, op: Op) {
        self.wait_for_hidden();
        if !self.model.is_defined(&op) {
            return;
        }
        let before = (self.model.edits.len(), self.stamp());
        let mut seen = self.real.run(&op);
        if self.may_be_a_file_still(&op, &seen) {
            std::thread::sleep(Duration::from_millis(300));
            seen = self.real.run(&op);
        }
        let judged = self.model.step(&op, &seen);
        self.done.push((op, seen.clone()));
        if let Err(should) = judged {
            self.fail(&format!("seen {seen:?}, should be {should}"));
        }
        if self.model.edits.len() == before.0 && self.stamp() != before.1 {
            self.fail("no edit, and yet the file on disk was touched");
        }
    }
    /// A file was renamed over a name link: the kernel hears a moment later that it is a link again.
    fn may_be_a_file_still(&self, op: &Op, seen: &Seen) -> bool {
        let (Op::Readlink { path } | Op::Stat { path }) = op else {
            return false;
        };
        let file = matches!(
            seen,
            Seen::Refused(libc::EINVAL) | Seen::Stat(_, _, _, false)
        );
        file && matches!(
            self.model.found(path),
            Found::NameLink(..) | Found::Dangling(_)
        )
    }
    fn stamp(&self) -> (u64, i64, i64) {
        let meta = std::fs::metadata(&self.save).expect("the save");
        (meta.ino(), meta.mtime(), meta.mtime_nsec())
    }
    fn wait_for_hidden(&mut self) {
        for path in self.model.hidden_for(PATIENCE) {
            let start = Instant::now();
            let at = self.mount.path().join(&path);
            while std::fs::symlink_metadata(&at).is_err() {
                if start.elapsed() > Duration::from_secs(5) {
                    self.fail(&format!("{path} was unlinked and is not back"));
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            self.model.hidden.remove(&path);
        }
    }

    /// Everything through the mount is what the model holds.
    fn check_mount(&mut self) {
        let names: Vec<String> = self.model.names.keys().cloned().collect();
        let files = self
            .model
            .scratch
            .iter()
            .filter(|(_, what)| matches!(what, Scratch::File(_)));
        let files: Vec<String> = files.map(|(path, _)| path.clone()).collect();
        for path in names.into_iter().chain(files) {
            for op in [
                Op::Get { path: path.clone() },
                Op::Stat { path: path.clone() },
            ] {
                self.step(op);
            }
        }
        for at in 0..self.model.directories.len() {
            let directory = self.model.directories[at].path.to_owned();
            self.step(Op::List { directory });
        }
    }
    /// The file on disk holds the model's values, `current` is that file, and no scratch file is in it.
    fn check_disk(&self) {
        let bytes = std::fs::read(&self.save).expect("the save");
        let current = std::fs::read(self.mount.path().join(".savefs/current")).expect("current");
        if current != bytes {
            self.fail("current is not the file on disk");
        }
        let session = Session::open(&self.save, Options::default()).expect("a save that opens");
        for (path, name) in &self.model.names {
            let (Name::Value(cell) | Name::Link(_, cell)) = name;
            let node = session
                .resolve(path)
                .unwrap_or_else(|e| self.fail(&format!("{path} on disk: {e:?}")));
            let text = node.as_leaf().expect("a leaf").read().into_owned();
            if text != self.model.cells[*cell].text.as_bytes() {
                let text = String::from_utf8_lossy(&text).into_owned();
                self.fail(&format!(
                    "{path} on disk is {text:?}, should be {:?}",
                    self.model.cells[*cell].text
                ));
            }
        }
        for path in self
            .model
            .scratch
            .keys()
            .filter(|path| !self.model.names.contains_key(*path))
        {
            if session.resolve(path).is_ok() {
                self.fail(&format!("the scratch file {path} is in the save"));
            }
        }
    }
    /// The file is, byte for byte, what the same values make of the first one without a mount.
    fn compare(&self) {
        let (_folder, copy) = copy_of(&self.fixture);
        let session = Session::open(&copy, Options::default()).expect("the fixture");
        let edits = self
            .model
            .edits
            .iter()
            .map(|(path, text)| Edit::set(path.as_str(), text.as_str()));
        session
            .edit(&edits.collect::<Vec<_>>())
            .expect("legal values");
        let (replayed, here) = (
            std::fs::read(&copy).expect("the copy"),
            std::fs::read(&self.save).expect("the save"),
        );
        if replayed != here {
            let differ: Vec<_> = (0..here.len())
                .filter(|at| replayed.get(*at) != here.get(*at))
                .collect();
            self.fail(&format!(
                "the file differs from one that got the same values without a mount, at {differ:?}"
            ));
        }
    }
}

/// The text of a node of a fixture.
fn text_of(save: &Path, path: &str) -> String {
    let session = Session::open(save, Options::default()).expect("a fixture");
    let node = session.resolve(path).expect("a node");
    String::from_utf8(node.as_leaf().expect("a leaf").read().into_owned()).expect("UTF-8")
}
fn order_of(save: &Path, directory: &str) -> Vec<String> {
    let session = Session::open(save, Options::default()).expect("a fixture");
    let node = session.resolve(directory).expect("a directory");
    let mut names = Vec::new();
    let _ = node.as_dir().expect("a directory").list(&mut |name, _| {
        names.push(name.to_owned());
        std::ops::ControlFlow::Continue(())
    });
    names
}

/// Paths that show one value, and what is legal for it.
type Shown = (&'static [&'static str], Legal);

fn model_of(
    save: &Path,
    directories: &[(&'static str, Option<usize>)],
    shown: &[Shown],
    links: &[(&str, &str, &str)],
) -> Model {
    let mut model = Model::default();
    for (path, room) in directories {
        model.directories.push(Directory {
            path,
            order: order_of(save, path),
            room: *room,
        });
    }
    for (paths, legal) in shown {
        model.cells.push(Cell {
            path: paths[0].to_owned(),
            legal: *legal,
            text: text_of(save, paths[0]),
        });
        for path in *paths {
            model
                .names
                .insert((*path).to_owned(), Name::Value(model.cells.len() - 1));
        }
    }
    for (path, target, leads) in links {
        let Some(Name::Value(cell)) = model.names.get(*leads).cloned() else {
            panic!("{leads}")
        };
        model
            .names
            .insert((*path).to_owned(), Name::Link((*target).to_owned(), cell));
    }
    model
}

fn run(
    name: &str,
    model: impl Fn(&Path) -> Model,
    others: &[&'static str],
    values: &[&'static str],
    targets: &[&'static str],
    default: u64,
) {
    let (operations, seed) = (
        setting("SAVEFS_RANDOM_OPS", default),
        setting("SAVEFS_RANDOM_SEED", 1),
    );
    println!("{name}: SAVEFS_RANDOM_SEED={seed} SAVEFS_RANDOM_OPS={operations}");
    let fixture = fixture(name);
    let (folder, save) = copy_of(&fixture);
    let Some(mount) = Mounted::new(&save, folder.path(), &[]) else {
        return;
    };
    let model = model(&fixture);
    let field = Field {
        nodes: model.names.keys().cloned().collect(),
        directories: model.directories.iter().map(|d| d.path).collect(),
        others: others.to_vec(),
        values: values.to_vec(),
        targets: targets.to_vec(),
    };
    let real = Real::new(mount.path());
    let mut run = Run {
        fixture,
        save,
        mount,
        real,
        model,
        done: Vec::new(),
        seed,
        operations,
    };
    let mut dice = Dice::new(seed);
    for at in 1..=operations as usize {
        run.step(field.draw(&mut dice));
        if at % CHECK_EVERY == 0 {
            run.check_mount();
            run.check_disk();
        }
        if at % COMPARE_EVERY == 0 {
            run.compare();
        }
    }
    for slot in 0..ops::SLOTS {
        run.step(Op::Close { slot });
    }
    run.check_mount();
    run.check_disk();
    run.compare();
    println!(
        "{} operations had a meaning, {} were edits",
        run.done.len(),
        run.model.edits.len()
    );
    assert!(
        run.model.edits.len() as u64 > operations / 50,
        "too few edits"
    );
    run.mount.unmount();
}

const OTHERS: &[&str] = &[
    ".a.swp",
    ".b",
    "deg~",
    "#keys#",
    "4913",
    "sedAbCdEf",
    "tmpfile",
    "degs",
];

#[test]
fn random_operations_on_a_save_that_takes_new_entries() {
    alone(
        "random::random_operations_on_a_save_that_takes_new_entries",
        new_entries,
    );
}
fn new_entries() {
    const BYTE: Legal = Legal::Number(0, 255);
    const POSITIVE: Legal = Legal::Number(0, 32767);
    let shown: &[Shown] = &[
        (&["actors/Help/deg"], BYTE),
        (&["actors/Help/turn"], POSITIVE),
        (&["actors/Help/z"], Legal::Number(-32768, 32767)),
        (&["actors/Help/pose"], Legal::Word(1, 15)),
        (&["actors/dog/deg"], BYTE),
        (&["actors/dog/scale"], POSITIVE),
        (&["actors/dog/pose"], Legal::Word(1, 15)),
        (&["globals/day"], model::VARIABLE),
        (&["globals/phase"], model::VARIABLE),
        (&["globals/debt"], model::VARIABLE),
    ];
    let directories = [
        ("actors/Help", None),
        ("actors/dog", None),
        ("globals", Some(40 - 22)),
    ];
    let others = [
        OTHERS,
        &[
            "deg.bak",
            "day.XaB12z",
            "day~",
            "var1",
            "var2",
            "var3",
            "var4",
            "var5",
            "var6",
            "var7",
            "var8",
            "var9",
            "var10",
            "var11",
            "var12",
            "var13",
            "var14",
            "var15",
            "var16",
            "var17",
            "var18",
            "var19",
        ],
    ]
    .concat();
    let values = [
        "0",
        "7",
        "12",
        "255",
        "256",
        "-1",
        "0x1F",
        " 9 ",
        "99999",
        "2147483648",
        "abc",
        "7\n8",
        "stand",
        "walk",
        "dead",
        "a",
        "",
        "muchtoolongforthisfield",
        "日本",
        "-32768",
    ];
    run(
        "dreamfactory/GOTBONE.RTD",
        |save| model_of(save, &directories, shown, &[]),
        &others,
        &values,
        &["day", "nowhere"],
        10_000,
    );
}

#[test]
fn random_operations_on_a_save_with_name_links_and_second_paths() {
    alone(
        "random::random_operations_on_a_save_with_name_links_and_second_paths",
        second_paths,
    );
}
fn second_paths() {
    const NUMBER: Legal = Legal::Number(-32768, 32767);
    let shown: &[Shown] = &[
        (&["lba/inventory/12", "lba/vars/12"], NUMBER),
        (&["lba/inventory/20"], NUMBER),
        (&["lba/keys"], Legal::Number(0, 255)),
        (&["lba/game_time"], model::VARIABLE),
        (&["lba/holomap/4"], Legal::Named(&["none", "shown", "done"])),
        (&["lba/scene_vars/4"], Legal::Number(0, 255)),
        (&["lba/layout"], Legal::Fixed),
    ];
    let links = [("lba/inventory/proto_pack", "12", "lba/inventory/12")];
    let directories = [
        ("lba", None),
        ("lba/inventory", None),
        ("lba/vars", None),
        ("lba/holomap", None),
        ("lba/scene_vars", None),
    ];
    let others = [OTHERS, &["keys~", "keys.bak", "12.bak"]].concat();
    let values = [
        "0", "1", "3", "255", "256", "-1", "0x1F", " 9 ", "99999", "shown", "DONE", "none", "abc",
        "7\n8", "", "native64", "32768",
    ];
    run(
        "lba2/PLAIN64C.LBA",
        |save| model_of(save, &directories, shown, &links),
        &others,
        &values,
        &["12", "nowhere"],
        10_000,
    );
}
