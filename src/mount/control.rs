//! The control directory `.savefs`: found by name, not listed in the root.

use super::attr::Attributes;
use super::core::{Core, Entry};
use super::errno::{EACCES, EINVAL, EIO, EISDIR, ENOTDIR, Outcome};
use super::files::{Mode, Opening};
use super::handles::{Listed, Opened};
use super::inodes::{Root, Target};
use crate::tree::{Errno, Node, NodeKind, Refusal, walk};
use std::collections::HashSet;
use std::time::{Duration, SystemTime};

/// Name of the directory.
pub const DIRECTORY: &str = ".savefs";
/// The file that takes commands.
pub const CONTROL: &str = "control";
const VERSIONS: &str = "versions";

type Content = fn(&Core) -> Outcome<Vec<u8>>;

/// The files and what a read of each gives.
const FILES: &[(&str, Content)] = &[
    ("format", |core| Ok(line(core.session.format().name()))),
    ("path", |core| {
        use std::os::unix::ffi::OsStrExt;
        let mut path = core.session.path().as_os_str().as_bytes().to_vec();
        path.push(b'\n');
        Ok(path)
    }),
    ("state", |core| Ok(core.session.state().into_bytes())),
    ("errors", |core| Ok(core.session.log().text().into_bytes())),
    ("findings", |core| {
        let now = core.session.now();
        let lines = now.findings().iter().map(|finding| format!("{finding}\n"));
        Ok(lines.collect::<String>().into_bytes())
    }),
    ("original", |core| {
        let first = core.session.version(0).ok_or(EIO)?;
        Ok(first.file.as_ref().ok_or(EIO)?.to_vec())
    }),
    ("current", |core| {
        let file = core.session.current().map_err(|_| EIO)?;
        Ok(file.to_vec())
    }),
    ("pending.diff", |core| Ok(core.pending_diff().into_bytes())),
    (CONTROL, |_| Ok(line("commit discard reload undo [N]"))),
];

fn line(text: &str) -> Vec<u8> {
    format!("{text}\n").into_bytes()
}

/// Files that are the whole save: not there where that is left on the disk because it is large.
const WHOLE: [&str; 2] = ["original", "current"];

impl Core {
    fn control_files(&self) -> impl Iterator<Item = &'static (&'static str, Content)> {
        let placed = self.session.store().is_placed();
        FILES
            .iter()
            .filter(move |(name, _)| !placed || !WHOLE.contains(name))
    }
    fn content(&self, name: &str) -> Option<Content> {
        let (_, content) = self.control_files().find(|(file, _)| *file == name)?;
        Some(*content)
    }
    pub fn control_named(&self, directory: &str, name: &str) -> Option<Target> {
        match directory {
            "" if name == VERSIONS || self.content(name).is_some() => {
                Some(Target::Control(name.to_owned()))
            }
            VERSIONS => {
                let number = name.parse().ok()?;
                let canonical = format!("{number}") == name;
                let there = canonical && self.session.version(number).is_some();
                there.then(|| Target::Node(Root::Version(number), String::new()))
            }
            _ => None,
        }
    }

    pub fn control_entry(&self, number: u64, path: &str) -> Outcome<Entry> {
        let now = SystemTime::now();
        let attributes = match self.content(path) {
            None => Attributes::of(number, NodeKind::Dir, 0o555, &self.owner, now),
            Some(content) => {
                let mode = if path == CONTROL { 0o644 } else { 0o444 };
                let mut file = Attributes::of(number, NodeKind::Leaf, mode, &self.owner, now);
                file.size = content(self)?.len() as u64;
                file
            }
        };
        Ok(Entry {
            attributes,
            lifetime: Duration::ZERO,
            lasting: true,
        })
    }

    pub fn control_entries(&self, path: &str) -> Outcome<Vec<Listed>> {
        match path {
            "" => {
                let files = self
                    .control_files()
                    .map(|(name, _)| (*name, NodeKind::Leaf));
                let all = files.chain([(VERSIONS, NodeKind::Dir)]);
                let entry = |(name, kind): (&str, NodeKind)| Listed {
                    name: name.to_owned(),
                    target: Target::Control(name.to_owned()),
                    kind,
                };
                Ok(all.map(entry).collect())
            }
            VERSIONS => {
                let entry = |number: u64| Listed {
                    name: number.to_string(),
                    target: Target::Node(Root::Version(number), String::new()),
                    kind: NodeKind::Dir,
                };
                let versions = self.session.versions();
                Ok(versions.into_iter().map(|(n, _)| entry(n)).collect())
            }
            _ => Err(ENOTDIR),
        }
    }

    pub fn open_control(&self, number: u64, path: &str, mode: Mode) -> Outcome<Opening> {
        let content = self.content(path).ok_or(EISDIR)?;
        let kind = match (mode.writes, path) {
            (true, CONTROL) => Opened::Command(Vec::new().into()),
            (true, _) => return Err(EACCES),
            (false, _) => Opened::Text(content(self)?),
        };
        Ok(Opening {
            handle: self.keep(number, mode.pid, kind),
            direct: true,
            keep_cache: false,
            no_flush: !mode.writes,
        })
    }

    /// Runs each complete line as it comes, so that its error is the writer's.
    pub fn take_commands(&self, lines: &mut Vec<u8>, bytes: &[u8]) -> Outcome<()> {
        const LONGEST: usize = 4096;
        lines.extend_from_slice(bytes);
        while let Some(end) = lines.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = lines.drain(..=end).collect();
            if let Err(code) = self.command(&line) {
                lines.clear();
                return Err(code);
            }
        }
        if lines.len() > LONGEST {
            lines.clear();
            return Err(EINVAL);
        }
        Ok(())
    }
    pub fn run_rest(&self, lines: &mut Vec<u8>) -> Outcome<()> {
        let rest = std::mem::take(lines);
        self.command(&rest)
    }

    fn command(&self, line: &[u8]) -> Outcome<()> {
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().collect();
        let session = &self.session;
        let done = match words.as_slice() {
            [] => Ok(()),
            // What these two fail with is in the log already.
            ["commit"] => {
                self.settle_removals();
                return session
                    .commit()
                    .map_err(|e| crate::session::uncommitted(&e).into());
            }
            ["discard"] => {
                session.discard();
                Ok(())
            }
            ["reload"] if !session.pending().is_empty() => Err(Refusal::new(
                Errno::Busy,
                "edits are pending: commit or discard them first",
            )),
            ["reload"] => return session.catch_up().map_err(Into::into),
            ["undo"] => session.undo(None),
            ["undo", number] => match number.parse() {
                Ok(number) => session.undo(Some(number)),
                Err(_) => Err(unknown()),
            },
            _ => Err(unknown()),
        };
        done.map_err(|refusal| self.refuse(refusal.at(".savefs/control", line)))
    }

    /// What is not on disk yet, a line a node: `path: old -> new`.
    pub fn pending_diff(&self) -> String {
        let now = self.session.now();
        let on_disk = self.session.versions().pop();
        let mut seen = HashSet::new();
        let mut lines = String::new();
        for edit in self.session.pending() {
            if !seen.insert(edit.path().to_owned()) {
                continue;
            }
            let old = on_disk.as_ref().map_or("-".to_owned(), |(_, snapshot)| {
                shown(&snapshot.root(), edit.path())
            });
            let new = shown(&now.root(), edit.path());
            if old != new {
                lines.push_str(&format!("{}: {old} -> {new}\n", edit.path()));
            }
        }
        lines
    }
}

fn unknown() -> Refusal {
    Refusal::invalid("no such command").legal("commit, discard, reload, undo, undo N")
}

/// A node in one word for a list of changes; `-` where there is none.
fn shown(root: &Node, path: &str) -> String {
    match walk::resolve(root, path) {
        Ok(Node::Leaf(leaf)) => walk::one_line(&*leaf),
        Ok(Node::Dir(_)) => "(directory)".to_owned(),
        Ok(Node::Link(target)) => target,
        Err(_) => "-".to_owned(),
    }
}
