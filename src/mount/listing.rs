//! Directories as lists. A list is taken when a directory is first read, and anew when it is rewound.

use super::core::{Core, Entry};
use super::errno::{EBADF, ENOTDIR, Outcome};
use super::files::locked;
use super::handles::{Listed, Opened};
use super::inodes::{Root, Target};
use super::scratch::Content;
use crate::session::Snapshot;
use crate::tree::{Dir, NodeKind, walk};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

impl Core {
    pub fn opendir(&self, number: u64, pid: u32) -> Outcome<u64> {
        self.target(number)?;
        Ok(self.keep(number, pid, Opened::Directory(None.into())))
    }

    fn entries(&self, number: u64) -> Outcome<Vec<Listed>> {
        let this = self.target(number)?;
        let mut all = match &this {
            Target::Node(root, path) => self.node_entries(*root, path)?,
            Target::Control(path) => self.control_entries(path)?,
            Target::Scratch(_) => return Err(ENOTDIR),
        };
        let parent = match &this {
            Target::Node(root, path) => Target::Node(*root, walk::split(path).0),
            other => other.clone(),
        };
        let dots = [(".", this), ("..", parent)].map(|(name, target)| Listed {
            name: name.to_owned(),
            target,
            kind: NodeKind::Dir,
        });
        all.splice(0..0, dots);
        Ok(all)
    }

    fn node_entries(&self, root: Root, path: &str) -> Outcome<Vec<Listed>> {
        let snapshot = self.snapshot(root)?;
        let node = walk::resolve(&snapshot.root(), path)?;
        let mut all = listed(root, path, node.as_dir()?);
        if root != Root::Live {
            return Ok(all);
        }
        let state = self.state();
        let scratch = state.scratch.list(path);
        let shadowed: HashSet<&str> = scratch.iter().map(|(name, _)| name.as_str()).collect();
        all.retain(|entry| {
            let hidden = matches!(&entry.target, Target::Node(_, p) if state.tombstones.hides(p));
            !hidden && !shadowed.contains(entry.name.as_str())
        });
        for (name, id) in &scratch {
            let link = state
                .scratch
                .get(*id)
                .is_some_and(|file| matches!(file.content, Content::Link(_)));
            all.push(Listed {
                name: name.clone(),
                target: Target::Scratch(*id),
                kind: if link { NodeKind::Link } else { NodeKind::Leaf },
            });
        }
        Ok(all)
    }

    /// Offers the entries from `offset` on, each with the offset of the next, until `take` has enough.
    pub fn readdir(
        &self,
        handle: u64,
        offset: u64,
        mut take: impl FnMut(u64, &Listed) -> bool,
    ) -> Outcome<()> {
        let handle = self.handle(handle)?;
        let Opened::Directory(entries) = &handle.kind else {
            return Err(EBADF);
        };
        let mut entries = locked(entries);
        if offset == 0 || entries.is_none() {
            *entries = Some(self.entries(handle.number)?);
        }
        let skip = usize::try_from(offset).unwrap_or(usize::MAX);
        let all = entries.iter().flatten();
        for (at, entry) in all.enumerate().skip(skip) {
            if take(at as u64 + 1, entry) {
                break;
            }
        }
        Ok(())
    }
    /// The number by which an entry is, or would be, known.
    pub fn number_of(&self, entry: &Listed) -> u64 {
        self.state().inodes.number(&entry.target)
    }

    /// Like [`Core::readdir`], each entry looked up and counted as such; what `take` does not want is taken back.
    pub fn readdirplus(
        &self,
        handle: u64,
        offset: u64,
        mut take: impl FnMut(u64, &Listed, &Entry) -> bool,
    ) -> Outcome<()> {
        let this = self.handle(handle)?.number;
        let directory = self.directory(this);
        self.readdir(handle, offset, |next, entry| {
            let dots = entry.name == "." || entry.name == "..";
            let known = match dots {
                // The kernel does not count these two as looked up.
                true => self.getattr(this, 0),
                false => self.enter_listed(directory.as_ref(), entry),
            };
            let Ok(known) = known else {
                // It went since the list was taken.
                return false;
            };
            let full = take(next, entry, &known);
            if full && !dots {
                self.forget(known.attributes.number, 1);
            }
            full
        })
    }
    /// A directory of a save and the version it is of.
    fn directory(&self, number: u64) -> Option<(Arc<Snapshot>, Arc<dyn Dir>)> {
        let Ok(Target::Node(root, path)) = self.target(number) else {
            return None;
        };
        let snapshot = self.snapshot(root).ok()?;
        let node = walk::resolve(&snapshot.root(), &path).ok()?;
        let dir = Arc::clone(node.as_dir().ok()?);
        Some((snapshot, dir))
    }
    /// [`Core::enter`] without the way from the root, where the directory is at hand.
    fn enter_listed(
        &self,
        directory: Option<&(Arc<Snapshot>, Arc<dyn Dir>)>,
        entry: &Listed,
    ) -> Outcome<Entry> {
        let (Some((snapshot, dir)), Target::Node(root, path)) = (directory, &entry.target) else {
            return self.enter(&entry.target);
        };
        let Some(node) = dir.get(&entry.name) else {
            return self.enter(&entry.target);
        };
        let number = self.state().inodes.look_up(&entry.target);
        match self.node_entry(number, (*root, path), snapshot, &node, 0) {
            Some(known) => Ok(known),
            None => {
                self.forget(number, 1);
                self.enter(&entry.target)
            }
        }
    }
}

fn listed(root: Root, path: &str, dir: &Arc<dyn Dir>) -> Vec<Listed> {
    let mut all = Vec::new();
    let _ = dir.list(&mut |name, kind| {
        all.push(Listed {
            target: Target::Node(root, walk::join(path, name)),
            name: name.to_owned(),
            kind,
        });
        ControlFlow::Continue(())
    });
    all
}
