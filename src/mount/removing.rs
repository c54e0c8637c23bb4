//! Names that go.

use super::coherence::entry_of;
use super::core::{Core, Notice};
use super::errno::{EISDIR, ENOENT, ENOTDIR, EPERM, EROFS, Outcome};
use super::inodes::{Root, Target};
use super::tombstones::Fate;
use crate::session::Edit;
use crate::tree::{Node, Refusal, walk};
use std::time::Instant;

impl Core {
    pub fn unlink(&self, directory: u64, name: &str) -> Outcome<()> {
        let parent = self.live_directory(directory)?;
        match self.named_in(Root::Live, &parent, name)? {
            Target::Scratch(id) => {
                let number = {
                    let mut state = self.state();
                    state.scratch.unlink(&parent, name);
                    state.inodes.known_number(&Target::Scratch(id))
                };
                number.iter().for_each(|number| self.ring(&[*number]));
                Ok(())
            }
            Target::Control(_) => Err(EPERM),
            Target::Node(_, path) => match self.find(Root::Live, &path) {
                Ok(Node::Dir(_)) => Err(EISDIR),
                Ok(_) => self.unlink_node(&parent, name, &path),
                // It is being made and not there yet.
                Err(_) => Ok(()),
            },
        }
    }
    fn unlink_node(&self, parent: &str, name: &str, path: &str) -> Outcome<()> {
        if !self.is_writable() {
            return Err(EROFS);
        }
        if !self.removes(parent, name)? {
            self.hide(path, Fate::Back);
            return Ok(());
        }
        let removal = Edit::Remove {
            path: path.to_owned(),
        };
        self.session.rehearse(&[removal])?;
        self.hide(path, Fate::Removed);
        Ok(())
    }
    pub fn removes(&self, parent: &str, name: &str) -> Outcome<bool> {
        let parent = walk::resolve(&self.session.now().root(), parent)?;
        Ok(parent.as_dir()?.removes(name))
    }

    pub fn rmdir(&self, directory: u64, name: &str) -> Outcome<()> {
        let parent = self.live_directory(directory)?;
        let Target::Node(_, path) = self.named_in(Root::Live, &parent, name)? else {
            return Err(if name == super::control::DIRECTORY {
                EPERM
            } else {
                ENOTDIR
            });
        };
        if !matches!(self.find(Root::Live, &path)?, Node::Dir(_)) {
            return Err(ENOTDIR);
        }
        self.edit(Edit::Remove { path: path.clone() })?;
        let mut state = self.state();
        state.tombstones.forget_below(&path);
        state.scratch.unlink_below(&path);
        Ok(())
    }

    /// Removes or brings back the nodes that have been hidden long enough. Gives when to look again.
    pub fn settle_hidden(&self, now: Instant) -> Option<Instant> {
        let due = self.state().tombstones.due(now);
        self.settle_these(due);
        self.state().tombstones.next()
    }
    /// Removals that wait, before a commit.
    pub fn settle_removals(&self) {
        let waiting = self.state().tombstones.removals();
        self.settle_these(waiting);
    }
    /// All of them, at the end.
    pub fn settle_all_hidden(&self) {
        let all = self.state().tombstones.all();
        self.settle_these(all);
    }
    fn settle_these(&self, hidden: Vec<(String, Fate)>) {
        for (path, fate) in hidden {
            if fate == Fate::Removed {
                // What is refused or cannot be written is in the log.
                let _ = self.edit(Edit::Remove { path: path.clone() });
            }
            let was_hidden = self.state().tombstones.raise(&path);
            if was_hidden && fate == Fate::Back {
                self.tell_raised(&path);
            }
        }
    }
    fn tell_raised(&self, path: &str) {
        self.refuse(
            Refusal::not_permitted("cannot be removed, so it is back with the value it had")
                .at(path, b""),
        );
        let state = self.state();
        let number = state.inodes.known_number(&Target::live(path));
        if let Some((directory, name)) = number.and_then(|number| entry_of(&state, number)) {
            self.notice(Notice::Entry { directory, name });
        }
    }

    /// Where a link leads.
    pub fn readlink(&self, number: u64) -> Outcome<String> {
        match self.target(number)? {
            Target::Scratch(id) => {
                let state = self.state();
                match &state.scratch.get(id).ok_or(ENOENT)?.content {
                    super::scratch::Content::Link(to) => Ok(to.clone()),
                    super::scratch::Content::Data(_) => Err(super::errno::EINVAL),
                }
            }
            Target::Node(root, path) => match self.find(root, &path)? {
                Node::Link(to) => Ok(to),
                _ => Err(super::errno::EINVAL),
            },
            Target::Control(_) => Err(super::errno::EINVAL),
        }
    }
}
