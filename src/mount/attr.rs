//! What `stat` tells of nodes, scratch files and the file system.

use super::core::{Core, Entry, LONG};
use super::errno::{EIO, ESTALE, Outcome};
use super::inodes::{Root, ScratchId};
use super::scratch::Content;
use crate::session::Snapshot;
use crate::tree::{Access, Node, NodeKind, Span};
use std::time::{Duration, SystemTime};

/// Whom the nodes belong to, and permissions that none of them has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    pub uid: u32,
    pub gid: u32,
    pub umask: u32,
}

/// What the kernel wants to know of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    pub number: u64,
    pub kind: NodeKind,
    pub size: u64,
    pub mode: u32,
    pub links: u32,
    pub uid: u32,
    pub gid: u32,
    pub accessed: SystemTime,
    pub modified: SystemTime,
    pub changed: SystemTime,
}

impl Attributes {
    pub fn of(number: u64, kind: NodeKind, mode: u32, owner: &Owner, time: SystemTime) -> Self {
        Attributes {
            number,
            kind,
            size: 0,
            mode: mode & !owner.umask,
            links: 1,
            uid: owner.uid,
            gid: owner.gid,
            accessed: time,
            modified: time,
            changed: time,
        }
    }
    /// A value that is being made and not there yet.
    pub fn new_value(number: u64, owner: &Owner) -> Self {
        Self::of(number, NodeKind::Leaf, 0o644, owner, SystemTime::now())
    }
    pub fn blocks(&self) -> u64 {
        self.size.div_ceil(512)
    }
}

/// When a node last changed.
pub fn last_change(path: &str, snapshot: &Snapshot, spans: &[Span]) -> SystemTime {
    match (spans.is_empty(), path.is_empty()) {
        (true, true) => snapshot.touched.latest(),
        (true, false) => snapshot.touched.loaded(),
        (false, _) => snapshot.touched.of(spans),
    }
}

impl Core {
    pub fn node_attributes(
        &self,
        number: u64,
        (root, path): (Root, &str),
        snapshot: &Snapshot,
        node: &Node,
        spans: &[Span],
    ) -> Attributes {
        let time = last_change(path, snapshot, spans);
        let live = root == Root::Live && self.is_writable();
        let (mode, size) = match node {
            Node::Dir(_) if live => (0o755, 0),
            Node::Dir(_) => (0o555, 0),
            Node::Link(target) => (0o777, target.len() as u64),
            Node::Leaf(leaf) if live && leaf.access() == Access::ReadWrite => (0o644, leaf.size()),
            Node::Leaf(leaf) => (0o444, leaf.size()),
        };
        let mut attributes = Attributes::of(number, node.kind(), mode, &self.owner, time);
        attributes.size = size;
        attributes
    }

    pub fn scratch_entry(&self, number: u64, id: ScratchId) -> Outcome<Entry> {
        let state = self.state();
        let file = state.scratch.get(id).ok_or(ESTALE)?;
        let kind = match file.content {
            Content::Data(_) => NodeKind::Leaf,
            Content::Link(_) => NodeKind::Link,
        };
        let attributes = Attributes {
            number,
            kind,
            size: file.data().len() as u64,
            mode: file.mode,
            links: file.links,
            uid: file.uid,
            gid: file.gid,
            accessed: file.accessed,
            modified: file.modified,
            changed: file.changed,
        };
        let fleeting = state
            .inodes
            .get(number)
            .is_some_and(|inode| inode.outgrown(attributes.size));
        Ok(Entry {
            attributes,
            lifetime: if fleeting { Duration::ZERO } else { LONG },
            lasting: true,
        })
    }

    /// Blocks and files of the file system that the save is on, or was on while its directory was there.
    pub fn statfs(&self) -> Outcome<rustix::fs::StatVfs> {
        let mut directories = self.session.path().ancestors().skip(1);
        let known = directories.find_map(|directory| rustix::fs::statvfs(directory).ok());
        known.ok_or(EIO)
    }
}
