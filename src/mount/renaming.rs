//! Renames. A file that is renamed over a node writes it; a node that is renamed away leaves its bytes under the new name,
//! and is back unless it is written.

use super::core::{Core, Notice};
use super::errno::{EEXIST, EINVAL, EISDIR, ENOENT, EPERM, EROFS, Outcome};
use super::inodes::{Root, ScratchId, Target};
use super::names;
use super::scratch::Content;
use super::tombstones::Fate;
use crate::session::Edit;
use crate::tree::{Creation, Node, NodeKind, walk};

/// One end of a rename.
pub struct Place<'a> {
    pub directory: u64,
    pub name: &'a str,
}

/// A rename with its paths.
struct Move<'a> {
    from: (&'a str, &'a str),
    to: (&'a str, &'a str),
    /// Number of the directory it goes to.
    directory: u64,
}

impl Move<'_> {
    fn source(&self) -> String {
        walk::join(self.from.0, self.from.1)
    }
    fn path(&self) -> String {
        walk::join(self.to.0, self.to.1)
    }
}

impl Core {
    pub fn rename(&self, from: Place, to: Place, replaces: bool) -> Outcome<()> {
        let source = self.live_directory(from.directory)?;
        let parent = self.live_directory(to.directory)?;
        let what = self.named_in(Root::Live, &source, from.name)?;
        let over = match self.named_in(Root::Live, &parent, to.name) {
            Ok(_) if !replaces => return Err(EEXIST),
            Ok(target) => Some(target),
            Err(ENOENT) => None,
            Err(code) => return Err(code),
        };
        let this = Move {
            from: (&source, from.name),
            to: (&parent, to.name),
            directory: to.directory,
        };
        match (what, over) {
            (Target::Control(_), _) | (_, Some(Target::Control(_))) => Err(EPERM),
            (Target::Scratch(id), over) => self.rename_scratch(&this, id, over),
            (Target::Node(_, path), over) => self.rename_node(&this, &path, over),
        }
    }

    fn rename_scratch(&self, this: &Move, id: ScratchId, over: Option<Target>) -> Outcome<()> {
        let path = this.path();
        let hidden = self.state().tombstones.hides(&path);
        if matches!(over, Some(Target::Node(..))) || hidden {
            return self.replace_node(this, id);
        }
        let (parent, name) = this.to;
        let over_scratch = over.is_some();
        let shaped = names::has_scratch_shape(name, |sibling| self.has_node(parent, sibling))
            || names::is_link_in_making(name);
        if !over_scratch && !shaped {
            if self.creates(parent, name, NodeKind::Leaf)? == Creation::No {
                return Err(self.mistyped(parent, name));
            }
            return self.replace_node(this, id);
        }
        let mut state = self.state();
        state.scratch.open(id);
        state.scratch.unlink(this.from.0, this.from.1);
        state.scratch.link(parent, name, id);
        state.scratch.close(id);
        if let Some(file) = state.scratch.get_mut(id) {
            file.plain = false;
        }
        Ok(())
    }

    /// A scratch file takes the name of a node, or of one that is made by that.
    fn replace_node(&self, this: &Move, id: ScratchId) -> Outcome<()> {
        let path = this.path();
        let content = {
            let state = self.state();
            state.scratch.get(id).ok_or(ENOENT)?.content.clone()
        };
        let node = self.find(Root::Live, &path).ok();
        let value = match (content, node) {
            (_, Some(Node::Dir(_))) => return Err(EISDIR),
            (Content::Data(data), _) => data,
            // Making the same link again is nothing; another one cannot be made.
            (Content::Link(to), Some(Node::Link(target))) if to == target => {
                let mut state = self.state();
                state.tombstones.raise(&path);
                state.scratch.unlink(this.from.0, this.from.1);
                drop(state);
                self.rebind(&Target::Scratch(id), Target::live(&path), this);
                return Ok(());
            }
            (Content::Link(_), _) => return Err(EPERM),
        };
        let written = self.behind_link(&path);
        self.edit(Edit::set(written.as_str(), value))?;
        let mut state = self.state();
        state.tombstones.raise(&path);
        if let Some(file) = state.scratch.get_mut(id) {
            file.became = Some(written.clone());
            file.unsaved = false;
        }
        state.scratch.unlink(this.from.0, this.from.1);
        drop(state);
        self.rebind(&Target::Scratch(id), Target::live(&written), this);
        self.tell_link(this, &written);
        Ok(())
    }
    /// A rename to a name link wrote the node behind it: the kernel takes the name for a file now; it is a link.
    fn tell_link(&self, this: &Move, written: &str) {
        if written != this.path() {
            self.notice(Notice::Entry {
                directory: this.directory,
                name: this.to.1.to_owned(),
            });
        }
    }

    fn rename_node(&self, this: &Move, path: &str, over: Option<Target>) -> Outcome<()> {
        let Node::Leaf(leaf) = self.find(Root::Live, path)? else {
            return Err(EPERM);
        };
        if !self.is_writable() {
            return Err(EROFS);
        }
        let value = leaf.read().into_owned();
        let (parent, name) = this.to;
        let goal = this.path();
        let hidden = self.state().tombstones.hides(&goal);
        let shaped = names::has_scratch_shape(name, |sibling| self.has_node(parent, sibling));
        if matches!(over, Some(Target::Node(..))) || hidden {
            if self.has_directory(&goal) {
                return Err(EISDIR);
            }
            let written = self.behind_link(&goal);
            self.edit(Edit::set(written.as_str(), value))?;
            self.state().tombstones.raise(&goal);
            self.hide(path, Fate::Back);
            self.rebind(&Target::live(path), Target::live(&written), this);
            self.tell_link(this, &written);
            return Ok(());
        }
        if over.is_none() && !shaped && self.creates(parent, name, NodeKind::Leaf)? != Creation::No
        {
            return self.move_entry(this, path, &goal, value);
        }
        let mut state = self.state();
        let owner = (self.owner.uid, self.owner.gid);
        let id = state.scratch.make(Content::Data(value), 0o644, owner)?;
        state.scratch.link(parent, name, id);
        drop(state);
        self.hide(path, Fate::Back);
        self.rebind(&Target::live(path), Target::Scratch(id), this);
        Ok(())
    }
    fn has_directory(&self, path: &str) -> bool {
        let found = self.find(Root::Live, path);
        found.is_ok_and(|found| matches!(found, Node::Dir(_)))
    }
    /// An entry of the save gets another name, in directories that both make and remove entries.
    fn move_entry(&self, this: &Move, path: &str, goal: &str, value: Vec<u8>) -> Outcome<()> {
        if !self.removes(this.from.0, this.from.1)? {
            return Err(EPERM);
        }
        let edits = [
            Edit::set(goal, value),
            Edit::Remove {
                path: path.to_owned(),
            },
        ];
        self.session.edit(&edits)?;
        self.rebind(&Target::live(path), Target::live(goal), this);
        Ok(())
    }

    /// The kernel goes on using the number of what was renamed, whichever it has for it; from now on all of them stand for
    /// `now`.
    fn rebind(&self, was: &Target, now: Target, this: &Move) {
        let mut state = self.state();
        let mut numbers = state.inodes.all_numbers(was);
        if numbers.is_empty() {
            numbers = state.inodes.all_numbers(&Target::live(this.source()));
        }
        for number in &numbers {
            state.inodes.rebind(*number, now.clone());
        }
        drop(state);
        self.ring(&numbers);
    }
}

/// The flags of renameat2: whether the rename may replace.
pub fn replaces(flags: u32) -> Outcome<bool> {
    match flags {
        0 => Ok(true),
        libc::RENAME_NOREPLACE => Ok(false),
        _ => Err(EINVAL),
    }
}
