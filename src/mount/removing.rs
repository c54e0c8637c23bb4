//! Names that go.

use super::coherence::entry_of;
use super::core::{Core, Notice};
use super::errno::{EISDIR, ENOENT, ENOTDIR, EPERM, EROFS, Outcome};
use super::inodes::{Root, Target};
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
                Ok(found) if matches!(found, Node::Dir(_)) => Err(EISDIR),
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
        if self.removes(parent, name)? {
            return self.edit(Edit::Remove {
                path: path.to_owned(),
            });
        }
        self.hide(path);
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

    /// Brings back the nodes that have been hidden long enough. Gives when to look again.
    pub fn raise_hidden(&self, now: Instant) -> Option<Instant> {
        let (back, next) = {
            let mut state = self.state();
            (state.tombstones.expired(now), state.tombstones.next())
        };
        for path in back {
            self.tell_raised(&path);
        }
        next
    }
    /// Brings all of them back, at the end.
    pub fn raise_all(&self) {
        let all = self.state().tombstones.all();
        for path in all {
            self.state().tombstones.raise(&path);
            self.tell_raised(&path);
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
