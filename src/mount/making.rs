//! New names: values and records that the save takes, and the files that tools make beside them.

use super::core::{Core, Entry, Notice};
use super::errno::{Code, EEXIST, ENOENT, ENOSPC, EPERM, EROFS, Outcome};
use super::files::{Mode, Opening};
use super::inodes::{Root, ScratchId, Target};
use super::names::{self, Making};
use super::scratch::Content;
use super::tombstones::Fate;
use crate::session::Edit;
use crate::tree::{Creation, Node, NodeKind, Refusal, walk};

/// Who makes a file.
#[derive(Clone, Copy, Debug)]
pub struct Maker {
    pub uid: u32,
    pub gid: u32,
    pub pid: u32,
}

/// What a new name comes to.
enum New {
    Scratch,
    Creation(Creation),
}

impl Core {
    /// Makes a file and opens it for writing.
    pub fn create(
        &self,
        directory: u64,
        name: &str,
        making: Making,
        by: Maker,
    ) -> Outcome<(Entry, Opening)> {
        let parent = self.live_directory(directory)?;
        let path = walk::join(&parent, name);
        let mode = Mode {
            writes: true,
            truncates: true,
            pid: by.pid,
        };
        match self.named_in(Root::Live, &parent, name) {
            Ok(_) if making.exclusive => return Err(EEXIST),
            Ok(target) => return self.enter_open(&target, mode),
            Err(ENOENT) => {}
            Err(code) => return Err(code),
        }
        if self.state().tombstones.raise(&path) {
            let written = self.behind_link(&path);
            let (mut entry, opening) = self.enter_open(&Target::live(&written), mode)?;
            entry.lasting &= written == path;
            return Ok((entry, opening));
        }
        match self.judge(&parent, name, making)? {
            New::Scratch => {
                let id = self.new_scratch(&parent, name, Content::Data(Vec::new()), making, by)?;
                self.enter_open(&Target::Scratch(id), mode)
            }
            New::Creation(Creation::AtOnce) => {
                self.edit(Edit::Create {
                    path: path.clone(),
                    kind: NodeKind::Leaf,
                })?;
                self.enter_open(&Target::live(path), mode)
            }
            New::Creation(_) => {
                if !self.is_writable() {
                    return Err(EROFS);
                }
                *self.state().coming.entry(path.clone()).or_default() += 1;
                self.enter_open(&Target::live(path), mode)
            }
        }
    }
    fn enter_open(&self, target: &Target, mode: Mode) -> Outcome<(Entry, Opening)> {
        let entry = self.enter(target)?;
        match self.open(entry.attributes.number, mode) {
            // Asked again: what is open for writing has no lasting size.
            Ok(opening) => Ok((self.getattr(entry.attributes.number, mode.pid)?, opening)),
            Err(code) => {
                self.forget(entry.attributes.number, 1);
                Err(code)
            }
        }
    }
    /// The path that a write to `path` goes to: a link's node. Where that is another one, the kernel may take the name for
    /// a file only until it looks again.
    pub fn behind_link(&self, path: &str) -> String {
        match self.find(Root::Live, path) {
            Ok(Node::Link(target)) => walk::join(&walk::split(path).0, &target),
            _ => path.to_owned(),
        }
    }

    pub fn edit(&self, edit: Edit) -> Outcome<()> {
        self.session.edit(&[edit]).map(drop).map_err(Code::from)
    }

    pub fn creates(&self, parent: &str, name: &str, kind: NodeKind) -> Outcome<Creation> {
        let parent = walk::resolve(&self.session.now().root(), parent)?;
        Ok(parent.as_dir()?.creates(name, kind))
    }
    /// Whether a directory has a node of that name, hidden or not.
    pub fn has_node(&self, parent: &str, name: &str) -> bool {
        self.find(Root::Live, &walk::join(parent, name)).is_ok()
    }

    fn judge(&self, parent: &str, name: &str, making: Making) -> Outcome<New> {
        if names::is_scratch(name, making, |sibling| self.has_node(parent, sibling)) {
            return Ok(New::Scratch);
        }
        match self.creates(parent, name, NodeKind::Leaf)? {
            Creation::No => Err(self.mistyped(parent, name)),
            creation => Ok(New::Creation(creation)),
        }
    }
    /// A name that nothing has and nothing takes: what a lookup says of it, with the code of what may not be made.
    pub fn mistyped(&self, parent: &str, name: &str) -> Code {
        let path = walk::join(parent, name);
        let missing = match walk::resolve(&self.session.now().root(), &path) {
            Err(missing) => missing,
            Ok(_) => Refusal::not_permitted("cannot be made here"),
        };
        self.refuse(missing);
        EPERM
    }

    fn new_scratch(
        &self,
        parent: &str,
        name: &str,
        content: Content,
        making: Making,
        by: Maker,
    ) -> Outcome<ScratchId> {
        let shaped = names::has_scratch_shape(name, |sibling| self.has_node(parent, sibling));
        let mut state = self.state();
        let id = state.scratch.make(content, making.mode, (by.uid, by.gid))?;
        if let Some(file) = state.scratch.get_mut(id) {
            file.plain = !shaped;
        }
        state.scratch.link(parent, name, id);
        Ok(id)
    }
    /// Makes a file without opening it.
    pub fn mknod(&self, directory: u64, name: &str, mode: u32, by: Maker) -> Outcome<Entry> {
        if mode & libc::S_IFMT != libc::S_IFREG && mode & libc::S_IFMT != 0 {
            return Err(EPERM);
        }
        let making = Making {
            exclusive: true,
            mode,
        };
        let (entry, opening) = self.create(directory, name, making, by)?;
        self.release(opening.handle);
        Ok(entry)
    }

    pub fn mkdir(&self, directory: u64, name: &str) -> Outcome<Entry> {
        let parent = self.live_directory(directory)?;
        if self.named_in(Root::Live, &parent, name).is_ok() {
            return Err(EEXIST);
        }
        let path = walk::join(&parent, name);
        self.edit(Edit::Create {
            path: path.clone(),
            kind: NodeKind::Dir,
        })?;
        self.enter(&Target::live(path))
    }

    pub fn symlink(&self, directory: u64, name: &str, to: &str, by: Maker) -> Outcome<Entry> {
        let parent = self.live_directory(directory)?;
        let path = walk::join(&parent, name);
        if self.named_in(Root::Live, &parent, name).is_ok() {
            return Err(EEXIST);
        }
        if self.state().tombstones.hides(&path) {
            return match self.find(Root::Live, &path)? {
                Node::Link(target) if target == to => {
                    self.state().tombstones.raise(&path);
                    self.enter(&Target::live(path))
                }
                _ => Err(EPERM),
            };
        }
        let passing = names::is_link_in_making(name)
            || names::has_scratch_shape(name, |sibling| self.has_node(&parent, sibling));
        if !passing {
            return Err(self.mistyped(&parent, name));
        }
        let making = Making {
            exclusive: true,
            mode: 0o777,
        };
        let id = self.new_scratch(&parent, name, Content::Link(to.to_owned()), making, by)?;
        self.enter(&Target::Scratch(id))
    }

    /// Gives a file another name. A node's other name is a copy in memory.
    pub fn link(&self, number: u64, directory: u64, name: &str, by: Maker) -> Outcome<Entry> {
        let parent = self.live_directory(directory)?;
        if self.named_in(Root::Live, &parent, name).is_ok() {
            return Err(EEXIST);
        }
        let path = walk::join(&parent, name);
        let target = self.target(number)?;
        let value = self.value_of(&target)?;
        let replaces = self.state().tombstones.hides(&path);
        let making = Making {
            exclusive: true,
            mode: 0o644,
        };
        if !replaces && matches!(self.judge(&parent, name, making)?, New::Scratch) {
            let id = match target {
                Target::Scratch(id) => {
                    let mut state = self.state();
                    if !state.scratch.has_name_left() {
                        return Err(ENOSPC);
                    }
                    state.scratch.link(&parent, name, id);
                    id
                }
                _ => self.new_scratch(&parent, name, Content::Data(value), making, by)?,
            };
            self.ring(&[number]);
            return self.enter(&Target::Scratch(id));
        }
        let written = self.behind_link(&path);
        self.edit(Edit::set(written.as_str(), value))?;
        self.state().tombstones.raise(&path);
        let mut entry = self.enter(&Target::live(&written))?;
        entry.lasting &= written == path;
        Ok(entry)
    }

    /// The bytes of a file.
    pub fn value_of(&self, target: &Target) -> Outcome<Vec<u8>> {
        match target {
            Target::Scratch(id) => {
                let state = self.state();
                let file = state.scratch.get(*id).ok_or(ENOENT)?;
                match &file.content {
                    Content::Data(data) => Ok(data.clone()),
                    Content::Link(_) => Err(EPERM),
                }
            }
            Target::Node(Root::Live, path) => match self.find(Root::Live, path)? {
                Node::Leaf(leaf) => Ok(leaf.read().into_owned()),
                _ => Err(EPERM),
            },
            _ => Err(EPERM),
        }
    }

    /// Hides a node for a while.
    pub fn hide(&self, path: &str, fate: Fate) {
        self.state().tombstones.hide(path, fate);
        self.notice(Notice::Hidden);
    }
}
