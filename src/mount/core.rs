//! The mount without the kernel: what names and numbers mean, with every operation an ordinary function.
//!
//! Locks: `state` is held for table work only and never while the session is asked for anything but the version that
//! everybody sees, because an edit tells [`Core::changed`] of it, which takes `state`. For the same reason no handle is
//! locked under `state`: a handle is locked while its bytes become an edit.

use super::attr::{Attributes, Owner};
use super::counters::Counters;
use super::errno::{EILSEQ, EIO, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, ESTALE, Outcome};
use super::handles::{Handle, Opened};
use super::inodes::{Inodes, ROOT, Root, ScratchId, Target};
use super::scratch::Scratch;
use super::tombstones::Tombstones;
use crate::session::{Session, Snapshot};
use crate::tree::walk;
use crate::tree::{Node, Refusal, Span};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

/// How long the kernel may believe what it was told of a node: a change is told to it.
pub const LONG: Duration = Duration::from_secs(3600);
pub const LONGEST_NAME: usize = 255;

/// What tells the kernel that something changed.
pub trait Bell: Send + Sync {
    /// The attributes of a number.
    fn attributes(&self, number: u64);
    /// Puts a value into the page cache; says whether that was taken. Waits for whoever reads that page: only for a number
    /// that has never been open, and one at a time, so that a thread is left to answer.
    fn contents(&self, number: u64, bytes: &[u8]) -> bool;
    /// An entry of a directory came or went. Takes the directory's lock in the kernel: never from within an operation.
    fn entry(&self, directory: u64, name: &str);
}

/// Work for the thread that may wait for the kernel.
pub enum Notice {
    Entry {
        directory: u64,
        name: String,
    },
    /// A node was hidden: look when it comes back.
    Hidden,
    /// A temporary file with a plain name was closed: look whether it stays.
    Left(ScratchId),
    End,
}

pub struct Core {
    pub session: Arc<Session>,
    pub owner: Owner,
    pub counters: Counters,
    state: Mutex<State>,
    bell: OnceLock<Box<dyn Bell>>,
    /// Held while contents are told.
    pub telling: Mutex<()>,
    notices: Mutex<Sender<Notice>>,
    writable: AtomicBool,
    next_handle: AtomicU64,
}

/// What only one thread at a time may touch.
pub struct State {
    pub inodes: Inodes,
    pub handles: HashMap<u64, Arc<Handle>>,
    pub scratch: Scratch,
    pub tombstones: Tombstones,
    /// Nodes that are being made: opened for writing, and not there before their first value.
    pub coming: HashMap<String, u32>,
    /// Times that were set, each with the node's own at that moment: it lasts as long as that does.
    pub times: HashMap<String, (SystemTime, SystemTime)>,
}

/// What a lookup tells the kernel, and for how long.
pub struct Entry {
    pub attributes: Attributes,
    /// How long the attributes may be believed.
    pub lifetime: Duration,
    /// Whether the name may be believed for long.
    pub lasting: bool,
}

impl Core {
    pub fn new(session: Arc<Session>, owner: Owner, notices: Sender<Notice>) -> Arc<Core> {
        let core = Arc::new(Core {
            writable: AtomicBool::new(session.read_only().is_none()),
            owner,
            counters: Counters::default(),
            state: Mutex::new(State {
                inodes: Inodes::new(),
                handles: HashMap::new(),
                scratch: Scratch::default(),
                tombstones: Tombstones::default(),
                coming: HashMap::new(),
                times: HashMap::new(),
            }),
            bell: OnceLock::new(),
            telling: Mutex::new(()),
            notices: Mutex::new(notices),
            next_handle: AtomicU64::new(1),
            session,
        });
        let listening = Arc::downgrade(&core);
        core.session.listen(move |update| {
            if let Some(core) = listening.upgrade() {
                core.changed(update);
            }
        });
        core
    }

    pub fn set_bell(&self, bell: impl Bell + 'static) {
        // There is one kernel to tell; a second bell would be a mistake of the caller and changes nothing.
        let _ = self.bell.set(Box::new(bell));
    }
    pub fn ring(&self, numbers: &[u64]) {
        if let Some(bell) = self.bell.get() {
            numbers.iter().for_each(|number| bell.attributes(*number));
        }
    }
    pub fn bell(&self) -> Option<&dyn Bell> {
        self.bell.get().map(|bell| &**bell)
    }
    pub fn notice(&self, notice: Notice) {
        let notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        // The thread that listens ends last; after it nobody is left to tell.
        let _ = notices.send(notice);
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        // Handlers leave the tables consistent at every step, so what a panic left behind is still true.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    pub fn is_writable(&self) -> bool {
        self.writable.load(Ordering::Relaxed)
    }
    pub fn set_writable(&self, writable: bool) {
        self.writable.store(writable, Ordering::Relaxed);
    }
    pub fn new_handle(&self) -> u64 {
        self.next_handle.fetch_add(1, Ordering::Relaxed)
    }

    /// Keeps a refusal for the user and gives its code.
    pub fn refuse(&self, refusal: Refusal) -> super::errno::Code {
        self.session.log().push(&refusal);
        refusal.into()
    }

    pub fn target(&self, number: u64) -> Outcome<Target> {
        let state = self.state();
        state.inodes.target(number).cloned().ok_or(ESTALE)
    }
    /// The version that a root stands for now.
    pub fn snapshot(&self, root: Root) -> Outcome<Arc<Snapshot>> {
        match root {
            Root::Live => Ok(self.session.now()),
            Root::Version(number) => self.session.version(number).ok_or(ESTALE),
        }
    }
    /// The node at a path, a link as it is.
    pub fn find(&self, root: Root, path: &str) -> Outcome<Node> {
        let snapshot = self.snapshot(root)?;
        node_in(&snapshot, path).ok_or(ENOENT)
    }
    /// A directory of the save that changes can be made in: its path.
    pub fn live_directory(&self, number: u64) -> Outcome<String> {
        match self.target(number)? {
            Target::Node(Root::Live, path) => Ok(path),
            Target::Node(..) => Err(super::errno::EROFS),
            Target::Control(_) => Err(EPERM),
            Target::Scratch(_) => Err(ENOTDIR),
        }
    }

    /// What a name in a directory stands for.
    pub fn named(&self, directory: u64, name: &str) -> Outcome<Target> {
        match self.target(directory)? {
            Target::Node(root, path) => self.named_in(root, &path, name),
            Target::Control(path) => self.control_named(&path, name).ok_or(ENOENT),
            Target::Scratch(_) => Err(ENOTDIR),
        }
    }
    pub fn named_in(&self, root: Root, directory: &str, name: &str) -> Outcome<Target> {
        let path = walk::join(directory, name);
        if root == Root::Live {
            let state = self.state();
            if let Some(id) = state.scratch.named(directory, name) {
                return Ok(Target::Scratch(id));
            }
            if state.tombstones.hides(&path) {
                return Err(ENOENT);
            }
            if state.coming.contains_key(&path) {
                return Ok(Target::Node(root, path));
            }
            if directory.is_empty() && name == super::control::DIRECTORY {
                return Ok(Target::Control(String::new()));
            }
        }
        let snapshot = self.snapshot(root)?;
        let parent = walk::resolve(&snapshot.root(), directory)?;
        let dir = parent.as_dir()?;
        walk::lookup(dir, name).ok_or(ENOENT)?;
        Ok(Target::Node(root, path))
    }

    /// Looks a name up and counts that for the kernel.
    pub fn lookup(&self, directory: u64, name: &str) -> Outcome<Entry> {
        let target = self.named(directory, name)?;
        self.enter(&target)
    }
    /// Counts a lookup of a target and tells what it is.
    pub fn enter(&self, target: &Target) -> Outcome<Entry> {
        let number = self.state().inodes.look_up(target);
        let entry = self.attributes_of(number, target, 0);
        if entry.is_err() {
            self.forget(number, 1);
        }
        entry
    }
    pub fn forget(&self, number: u64, lookups: u64) {
        self.state().inodes.forget(number, lookups);
    }

    /// What there is to know of a number; `pid` asks.
    pub fn getattr(&self, number: u64, pid: u32) -> Outcome<Entry> {
        let target = self.target(number)?;
        self.attributes_of(number, &target, pid)
    }
    /// What there is to know of an open file. Its size is that of the version it was opened on, whatever became of the
    /// name: the kernel asks before it reads through its page cache, and reads no further.
    pub fn getattr_open(&self, number: u64, pid: u32, handle: u64) -> Outcome<Entry> {
        let known = self.getattr(number, pid);
        let Some(size) = self.size_of_open(handle) else {
            return known;
        };
        let mut entry = known.unwrap_or_else(|_| Entry {
            attributes: Attributes::new_value(number, &self.owner),
            lifetime: Duration::ZERO,
            lasting: false,
        });
        if entry.attributes.size != size {
            entry.attributes.size = size;
            entry.lifetime = Duration::ZERO;
            if let Some(inode) = self.state().inodes.get_mut(number) {
                inode.told = size;
            }
        }
        Ok(entry)
    }
    fn attributes_of(&self, number: u64, target: &Target, pid: u32) -> Outcome<Entry> {
        let (root, path) = match target {
            Target::Scratch(id) => return self.scratch_entry(number, *id),
            Target::Control(path) => return self.control_entry(number, path),
            Target::Node(root, path) => (*root, path),
        };
        loop {
            let snapshot = self.snapshot(root)?;
            let Some(node) = node_in(&snapshot, path) else {
                return self.coming_entry(number, path, pid);
            };
            let place = (root, path.as_str());
            if let Some(entry) = self.node_entry(number, place, &snapshot, &node, pid) {
                return Ok(entry);
            }
        }
    }
    /// What there is to know of a node of this version. None where an edit came between: the edit was told to the numbers
    /// that were known then, so look again.
    pub fn node_entry(
        &self,
        number: u64,
        (root, path): (Root, &str),
        snapshot: &Snapshot,
        node: &Node,
        pid: u32,
    ) -> Option<Entry> {
        let spans = spans_of(node);
        let places = spans.as_deref().unwrap_or_default();
        let mut attributes = self.node_attributes(number, (root, path), snapshot, node, places);
        let mut state = self.state();
        if root == Root::Live && self.session.now().number != snapshot.number {
            return None;
        }
        let set = state.times.get(path).filter(|_| root == Root::Live);
        match set.copied() {
            Some((time, own)) if attributes.modified == own => attributes.modified = time,
            Some(_) => drop(state.times.remove(path)),
            None => {}
        }
        let staged = staged_size(&state, number, pid);
        let mut passing = false;
        if let Some(inode) = state.inodes.get_mut(number) {
            inode.spans = spans;
            inode.told = attributes.size;
            passing = inode.writers > 0 || inode.outgrown(attributes.size);
        }
        attributes.size = staged.unwrap_or(attributes.size);
        Some(Entry {
            attributes,
            lifetime: if passing { Duration::ZERO } else { LONG },
            lasting: true,
        })
    }
    fn coming_entry(&self, number: u64, path: &str, pid: u32) -> Outcome<Entry> {
        let state = self.state();
        if !state.coming.contains_key(path) {
            return Err(if number == ROOT { EIO } else { ENOENT });
        }
        let mut attributes = Attributes::new_value(number, &self.owner);
        attributes.size = staged_size(&state, number, pid).unwrap_or(0);
        Ok(Entry {
            attributes,
            lifetime: Duration::ZERO,
            lasting: false,
        })
    }
}

/// The node at a path, a link as it is.
pub fn node_in(snapshot: &Snapshot, path: &str) -> Option<Node> {
    let root = snapshot.root();
    let Some((parent, name)) = path.rsplit_once('/') else {
        return match path {
            "" => Some(root),
            name => walk::lookup(root.as_dir().ok()?, name),
        };
    };
    let parent = walk::resolve(&root, parent).ok()?;
    walk::lookup(parent.as_dir().ok()?, name)
}

/// Where a node is in the image; None where it has no place of its own.
pub fn spans_of(node: &Node) -> Option<Box<[Span]>> {
    let spans = match node {
        Node::Leaf(leaf) => leaf.spans(),
        Node::Dir(dir) => dir.spans(),
        Node::Link(_) => Vec::new(),
    };
    (!spans.is_empty()).then(|| spans.into())
}

/// A process that writes a value sees the size of what it has written so far; everybody else that of the value.
fn staged_size(state: &State, number: u64, pid: u32) -> Option<u64> {
    if state.inodes.get(number)?.writers == 0 {
        return None;
    }
    let mut mine = state
        .handles
        .values()
        .filter(|h| h.number == number && h.pid == pid);
    mine.find_map(|handle| match &handle.kind {
        Opened::Writer(writer) => Some(writer.size()),
        _ => None,
    })
}

/// A name as the tree spells names. What is not text is not there.
pub fn name_of(name: &OsStr) -> Outcome<&str> {
    if name.len() > LONGEST_NAME {
        return Err(ENAMETOOLONG);
    }
    name.to_str().ok_or(ENOENT)
}
/// A name that something is to get.
pub fn new_name_of(name: &OsStr) -> Outcome<&str> {
    name_of(name).map_err(|code| if code == ENOENT { EILSEQ } else { code })
}
