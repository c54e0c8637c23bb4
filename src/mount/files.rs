//! Opening, reading and writing.

use super::core::{Core, Notice};
use super::errno::{Code, EBADF, EINVAL, EISDIR, ENOENT, EPERM, EROFS, ESTALE, Outcome};
use super::handles::{Handle, Opened, Reader, Staging, Writer, part};
use super::inodes::{Root, ScratchId, Target, fingerprint};
use crate::session::{Edit, NotEdited};
use crate::tree::{Access, Leaf, Node, Refusal, walk};
use std::borrow::Cow;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Instant;

/// Values up to this size are read through the kernel's page cache.
const CACHED: u64 = 4096;

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode {
    pub writes: bool,
    pub truncates: bool,
    pub pid: u32,
}

/// Where written bytes go.
#[derive(Clone, Copy, Debug, Default)]
pub struct WritePlace {
    pub offset: u64,
    /// To the end, whatever the offset.
    pub appends: bool,
    /// They were written to a mapping, some time ago.
    pub mapped: bool,
}

/// What the kernel is told of an open file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    pub handle: u64,
    /// Every read and write comes here.
    pub direct: bool,
    /// What the page cache holds of it is still right.
    pub keep_cache: bool,
    /// Closing need not be told.
    pub no_flush: bool,
}

impl Core {
    pub fn open(&self, number: u64, mode: Mode) -> Outcome<Opening> {
        match self.target(number)? {
            Target::Scratch(id) => self.open_scratch(number, id, mode),
            Target::Control(path) => self.open_control(number, &path, mode),
            Target::Node(root, path) if !mode.writes => self.open_reader(number, root, &path, mode),
            Target::Node(Root::Version(_), _) => Err(EROFS),
            Target::Node(Root::Live, path) => self.open_writer(number, path, mode),
        }
    }

    pub fn keep(&self, number: u64, pid: u32, kind: Opened) -> u64 {
        let handle = self.new_handle();
        let kept = Arc::new(Handle { number, pid, kind });
        self.state().handles.insert(handle, kept);
        handle
    }
    pub fn handle(&self, handle: u64) -> Outcome<Arc<Handle>> {
        self.state().handles.get(&handle).cloned().ok_or(EBADF)
    }

    fn open_reader(&self, number: u64, root: Root, path: &str, mode: Mode) -> Outcome<Opening> {
        let leaf = match self.find(root, path) {
            Ok(Node::Leaf(leaf)) => leaf,
            Ok(Node::Dir(_)) => return Err(EISDIR),
            Ok(_) => return Err(EINVAL),
            Err(ENOENT) => return self.open_coming(number, path, mode),
            Err(code) => return Err(code),
        };
        let (reader, keep_cache) = self.reader(number, leaf);
        let cached = reader.cached;
        let reader = Opened::Reader(reader);
        Ok(Opening {
            handle: self.keep(number, mode.pid, reader),
            direct: !cached,
            keep_cache,
            no_flush: true,
        })
    }
    /// A node that somebody is making holds nothing yet.
    fn open_coming(&self, number: u64, path: &str, mode: Mode) -> Outcome<Opening> {
        if !self.state().coming.contains_key(path) {
            return Err(ENOENT);
        }
        Ok(Opening {
            handle: self.keep(number, mode.pid, Opened::Text(Vec::new())),
            direct: true,
            ..Opening::default()
        })
    }

    /// A reader of a value, and whether what the page cache holds is this value.
    fn reader(&self, number: u64, leaf: Arc<dyn Leaf>) -> (Reader, bool) {
        if leaf.size() > CACHED {
            return (Reader::new(leaf), false);
        }
        let text = leaf.read().into_owned();
        let (cached, keep_cache) = self.through_cache(number, &text);
        (Reader::of(leaf, text, cached), keep_cache)
    }
    /// Whether a value may be read through the page cache, and whether what that holds is this value. While somebody
    /// reads another text through it, the cache is theirs.
    fn through_cache(&self, number: u64, text: &[u8]) -> (bool, bool) {
        let mark = fingerprint(text);
        let mut state = self.state();
        // A scratch file that became this node, and is still open, has the page cache.
        let mut open = state.handles.values().filter(|h| h.number == number);
        let became = open.any(|h| matches!(h.kind, Opened::Scratch { .. }));
        let Some(inode) = state.inodes.get_mut(number) else {
            return (false, false);
        };
        let size = text.len() as u64;
        let outdated = inode.told != size;
        let same = inode.cached == Some(mark);
        let first = !std::mem::replace(&mut inode.opened, true);
        let cached = !inode.is_restless() && !became && (same || inode.cached_opens == 0);
        if cached {
            inode.cached = Some(mark);
            inode.cached_opens += 1;
            inode.cached_size = size;
        }
        drop(state);
        if outdated {
            self.ring(&[number]);
        } else if cached && first {
            return (true, self.tell_contents(number, text));
        }
        (cached, same)
    }
    /// Gives the kernel a value before it asks, which saves a request for every file of a `grep -r`.
    fn tell_contents(&self, number: u64, text: &[u8]) -> bool {
        let Ok(_one) = self.telling.try_lock() else {
            return false;
        };
        let bell = self.bell().filter(|_| !text.is_empty());
        bell.is_some_and(|bell| bell.contents(number, text))
    }

    pub fn open_writer(&self, number: u64, path: String, mode: Mode) -> Outcome<Opening> {
        let base = match self.find(Root::Live, &path) {
            Ok(Node::Leaf(leaf)) if !mode.truncates => leaf.read().into_owned(),
            Ok(Node::Dir(_)) => return Err(EISDIR),
            _ => Vec::new(),
        };
        let staging = Opened::Writer(Writer::new(path, base));
        let handle = self.keep(number, mode.pid, staging);
        let mut state = self.state();
        let Some(inode) = state.inodes.get_mut(number) else {
            return Err(ESTALE);
        };
        // Written bytes may lie in the page cache while nobody else looks into it: having been written through it, the
        // kernel stops asking for a capability before each truncation.
        let alone = inode.writers == 0 && inode.cached_opens == 0;
        inode.writers += 1;
        inode.written = Some(Instant::now());
        inode.opened = true;
        inode.cached = None;
        Ok(Opening {
            handle,
            direct: !alone,
            ..Opening::default()
        })
    }

    fn open_scratch(&self, number: u64, id: ScratchId, mode: Mode) -> Outcome<Opening> {
        let mut state = self.state();
        if mode.truncates {
            state.scratch.truncate(id, 0)?;
        }
        state.scratch.open(id);
        // Where the number was a node's, its readers have the page cache.
        let direct = state
            .inodes
            .get(number)
            .is_some_and(|inode| inode.cached_opens > 0);
        drop(state);
        Ok(Opening {
            handle: self.keep(number, mode.pid, Opened::Scratch { id }),
            direct,
            ..Opening::default()
        })
    }

    pub fn read<T>(
        &self,
        handle: u64,
        offset: u64,
        length: usize,
        answer: impl FnOnce(&[u8]) -> T,
    ) -> Outcome<T> {
        let handle = self.handle(handle)?;
        Ok(match &handle.kind {
            Opened::Reader(reader) => match reader.read(offset, length) {
                Cow::Borrowed(bytes) => answer(bytes),
                Cow::Owned(bytes) => answer(&bytes),
            },
            Opened::Writer(writer) => writer.with(|staging| answer(staging.read(offset, length))),
            Opened::Text(text) => answer(part(text, offset, length)),
            Opened::Scratch { id } => {
                let state = self.state();
                let file = state.scratch.get(*id).ok_or(ESTALE)?;
                answer(part(file.data(), offset, length))
            }
            Opened::Command(_) => answer(&[]),
            Opened::Directory(_) => return Err(EISDIR),
        })
    }

    /// Size of what is open as a regular file of the save or in memory.
    pub fn size_of_open(&self, handle: u64) -> Option<u64> {
        let open = self.handle(handle).ok()?;
        match open.kind {
            Opened::Reader(_) | Opened::Writer(_) | Opened::Scratch { .. } => {
                self.size(handle).ok()
            }
            _ => None,
        }
    }
    /// Size of what an open file holds.
    pub fn size(&self, handle: u64) -> Outcome<u64> {
        let handle = self.handle(handle)?;
        Ok(match &handle.kind {
            Opened::Reader(reader) => reader.size(),
            Opened::Writer(writer) => writer.size(),
            Opened::Text(text) => text.len() as u64,
            Opened::Scratch { id } => {
                let state = self.state();
                state.scratch.get(*id).ok_or(ESTALE)?.data().len() as u64
            }
            Opened::Command(_) | Opened::Directory(_) => 0,
        })
    }

    /// Takes bytes. What comes late from a mapping is judged at the flush only: nobody waits for its answer, and a page
    /// that cannot be written is an I/O error to whoever comes next.
    pub fn write(&self, handle: u64, place: WritePlace, bytes: &[u8]) -> Outcome<()> {
        let handle = self.handle(handle)?;
        match &handle.kind {
            Opened::Writer(writer) => {
                self.session
                    .pay_owed()
                    .map_err(|error| crate::session::uncommitted(&error))?;
                writer.with(|staging| {
                    let offset = (!place.appends).then_some(place.offset);
                    staging.write(offset, bytes)?;
                    if place.mapped || !staging.is_coherent() {
                        return Ok(());
                    }
                    self.admit(staging).inspect_err(|_| staging.reset())
                })
            }
            Opened::Scratch { id } => self.state().scratch.write(*id, place.offset, bytes),
            Opened::Command(lines) => self.take_commands(&mut locked(lines), bytes),
            _ => Err(EBADF),
        }
    }

    /// Whether closing a handle may wait for the disk.
    pub fn has_pending(&self, handle: u64) -> bool {
        let Ok(handle) = self.handle(handle) else {
            return false;
        };
        match &handle.kind {
            Opened::Writer(writer) => writer.with(|staging| staging.pending().is_some()),
            _ => false,
        }
    }
    /// Whether a write may wait for the disk: a command, or one that a failed commit is tried again at.
    pub fn write_waits(&self, handle: u64) -> bool {
        let command = |handle: Arc<Handle>| matches!(handle.kind, Opened::Command(_));
        self.session.owes() || self.handle(handle).is_ok_and(command)
    }

    /// Whether what has been written so far can still become legal, and is, where it is a complete line.
    fn admit(&self, staging: &Staging) -> Outcome<()> {
        let (path, so_far) = (staging.path.as_str(), staging.so_far());
        let rehearse = || {
            self.session
                .rehearse(&[Edit::set(path, so_far)])
                .map_err(Code::from)
        };
        let complete = so_far.ends_with(b"\n");
        let leaf = match self.leaf_behind(path) {
            Some(leaf) => leaf,
            None if complete => return rehearse(),
            None => return Ok(()),
        };
        if leaf.access() == Access::ReadOnly || !self.is_writable() {
            if is_beginning(&*leaf, so_far) {
                return Ok(());
            }
            return rehearse().and(Err(EPERM));
        }
        if let Err(refusal) = leaf.feasible(so_far) {
            let let_through = refusal.forcible && self.session.options().force;
            if !let_through {
                return Err(self.refuse(refusal.at(path, so_far)));
            }
        }
        if complete && !leaf.is_binary() && is_one_line(&*leaf) {
            return rehearse();
        }
        Ok(())
    }
    /// The value at a path, a link followed.
    fn leaf_behind(&self, path: &str) -> Option<Arc<dyn Leaf>> {
        match walk::resolve(&self.session.now().root(), path).ok()? {
            Node::Leaf(leaf) => Some(leaf),
            _ => None,
        }
    }

    /// Makes what a handle was given an edit.
    pub fn flush(&self, handle: u64) -> Outcome<()> {
        let handle = self.handle(handle)?;
        match &handle.kind {
            Opened::Writer(writer) => writer.with(|staging| self.settle(staging)),
            Opened::Scratch { id } => self.flush_scratch(*id),
            Opened::Command(lines) => self.run_rest(&mut locked(lines)),
            _ => Ok(()),
        }
    }
    fn settle(&self, staging: &mut Staging) -> Outcome<()> {
        let Some(value) = staging.pending() else {
            return Ok(());
        };
        let edit = Edit::set(staging.path.as_str(), value);
        match self.session.edit(&[edit]) {
            Ok(_) => {
                staging.settle();
                Ok(())
            }
            Err(error) => {
                match error {
                    NotEdited::Pending(_) => staging.settle(),
                    NotEdited::Refused(_) => staging.reset(),
                }
                Err(error.into())
            }
        }
    }
    /// A scratch file that became a node while it was still open: what was written since goes to the node.
    fn flush_scratch(&self, id: ScratchId) -> Outcome<()> {
        let edit = {
            let mut state = self.state();
            let Some(file) = state.scratch.get_mut(id) else {
                return Ok(());
            };
            let Some(path) = file.became.clone().filter(|_| file.unsaved) else {
                return Ok(());
            };
            file.unsaved = false;
            Edit::set(path, file.data())
        };
        self.session.edit(&[edit]).map(drop).map_err(Code::from)
    }

    pub fn truncate_handle(&self, handle: u64, size: u64) -> Outcome<()> {
        let handle = self.handle(handle)?;
        match &handle.kind {
            Opened::Writer(writer) => writer.with(|staging| staging.truncate(size)),
            Opened::Scratch { id } => self.state().scratch.truncate(*id, size),
            Opened::Command(_) => Ok(()),
            _ => Err(EINVAL),
        }
    }

    /// Closes a handle. Nobody sees an error of this. What is still pending comes from a mapping that was used after the
    /// file was closed, for every other writer has flushed by now.
    pub fn release(&self, handle: u64) {
        if self.has_pending(handle) {
            // What is refused or cannot be written is in the log.
            let _ = self.flush(handle);
        }
        let mut state = self.state();
        let Some(closed) = state.handles.remove(&handle) else {
            return;
        };
        match &closed.kind {
            Opened::Reader(reader) if reader.cached => {
                if let Some(inode) = state.inodes.get_mut(closed.number) {
                    inode.cached_opens = inode.cached_opens.saturating_sub(1);
                }
            }
            Opened::Scratch { id } => {
                let plain = state.scratch.get(*id).is_some_and(|file| file.plain);
                state.scratch.close(*id);
                drop(state);
                if plain {
                    self.notice(Notice::Left(*id));
                }
            }
            Opened::Writer(writer) => {
                if let Some(inode) = state.inodes.get_mut(closed.number) {
                    inode.writers = inode.writers.saturating_sub(1);
                    inode.cached = None;
                }
                self.end_of_coming(state, &writer.path);
            }
            _ => {}
        }
    }
    /// A file that still has the plain name it was made under a while after it was closed: its maker takes it for a part
    /// of the save.
    pub fn tell_left(&self, id: ScratchId) {
        let name = {
            let mut state = self.state();
            let Some(file) = state.scratch.get_mut(id).filter(|file| file.plain) else {
                return;
            };
            file.plain = false;
            state.scratch.name(id)
        };
        if let Some(name) = name {
            let why =
                "is a temporary file in memory, not a part of the save; cp or > makes a value";
            self.session.log().push(format!("{name}: {why}"));
        }
    }
    fn end_of_coming(&self, mut state: MutexGuard<'_, super::core::State>, path: &str) {
        let Some(count) = state.coming.get_mut(path) else {
            return;
        };
        *count = count.saturating_sub(1);
        if *count > 0 {
            return;
        }
        state.coming.remove(path);
        drop(state);
        if self.find(Root::Live, path).is_err() {
            let refusal = Refusal::invalid("no value was written, so nothing was made");
            self.refuse(refusal.at(path, b""));
        }
    }
}

/// A mutex whose data stays true at every step.
pub fn locked<T>(mutex: &std::sync::Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether what is written so far is what a leaf shows, as far as it goes.
fn is_beginning(leaf: &dyn Leaf, so_far: &[u8]) -> bool {
    leaf.read().starts_with(so_far) || crate::session::holds(leaf, so_far)
}

/// Whether a value is one line of text, so that a newline ends it.
fn is_one_line(leaf: &dyn Leaf) -> bool {
    leaf.read().iter().filter(|byte| **byte == b'\n').count() <= 1
}
