//! Directories as lists. A list is taken when a directory is opened, and anew when it is rewound.

use super::core::{Core, Entry};
use super::errno::{EBADF, ENOTDIR, Outcome};
use super::files::locked;
use super::handles::{Listed, Opened};
use super::inodes::{Root, Target};
use super::scratch::Content;
use crate::tree::{NodeKind, walk};
use std::collections::HashSet;

impl Core {
    pub fn opendir(&self, number: u64, pid: u32) -> Outcome<u64> {
        let entries = self.entries(number)?;
        Ok(self.keep(number, pid, Opened::Directory(entries.into())))
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
        let mut entries = walk::entries(node.as_dir()?);
        if root != Root::Live {
            return Ok(listed(root, path, entries));
        }
        let state = self.state();
        let scratch = state.scratch.list(path);
        let shadowed: HashSet<&str> = scratch.iter().map(|(name, _)| name.as_str()).collect();
        entries.retain(|(name, _)| {
            !shadowed.contains(name.as_str()) && !state.tombstones.hides(&walk::join(path, name))
        });
        let mut all = listed(root, path, entries);
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

    /// Offers the entries from `offset` on, each with its number and the offset of the next, until `take` has enough.
    pub fn readdir(
        &self,
        handle: u64,
        offset: u64,
        mut take: impl FnMut(u64, u64, &Listed) -> bool,
    ) -> Outcome<()> {
        let handle = self.handle(handle)?;
        let Opened::Directory(entries) = &handle.kind else {
            return Err(EBADF);
        };
        let mut entries = locked(entries);
        if offset == 0 {
            *entries = self.entries(handle.number)?;
        }
        let skip = usize::try_from(offset).unwrap_or(usize::MAX);
        for (at, entry) in entries.iter().enumerate().skip(skip) {
            let number = self.state().inodes.number(&entry.target);
            if take(number, at as u64 + 1, entry) {
                break;
            }
        }
        Ok(())
    }

    /// Like [`Core::readdir`], each entry looked up and counted as such; what `take` does not want is taken back.
    pub fn readdirplus(
        &self,
        handle: u64,
        offset: u64,
        mut take: impl FnMut(u64, &Listed, &Entry) -> bool,
    ) -> Outcome<()> {
        let mut wanted = Vec::new();
        let this = self.handle(handle)?.number;
        // A reply holds a few hundred entries; more than that are not looked at in one go.
        const AT_ONCE: usize = 1024;
        self.readdir(handle, offset, |_, next, entry| {
            wanted.push((next, entry.clone()));
            wanted.len() >= AT_ONCE
        })?;
        for (next, entry) in wanted {
            let dots = entry.name == "." || entry.name == "..";
            let known = match dots {
                // The kernel does not count these two as looked up.
                true => self.getattr(this, 0),
                false => self.enter(&entry.target),
            };
            let Ok(known) = known else {
                // It went since the list was taken.
                continue;
            };
            let full = take(next, &entry, &known);
            if full && !dots {
                self.forget(known.attributes.number, 1);
            }
            if full {
                break;
            }
        }
        Ok(())
    }
}

fn listed(root: Root, path: &str, entries: Vec<(String, NodeKind)>) -> Vec<Listed> {
    let listed = entries.into_iter().map(|(name, kind)| Listed {
        target: Target::Node(root, walk::join(path, &name)),
        name,
        kind,
    });
    listed.collect()
}
