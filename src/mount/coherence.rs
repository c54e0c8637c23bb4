//! What the kernel remembers must be what a new open would see. An edit's splices tell which of the nodes that the kernel
//! knows have changed: their attributes are told to be stale at once, before the edit is answered. What its page cache
//! holds is compared when the file is next opened.

use super::core::{Core, Notice, State, node_in, spans_of};
use super::inodes::{Inode, Root, Target};
use crate::session::{Snapshot, Update};
use crate::tree::{Change, Node, walk};

/// What became of a node.
enum Fate {
    Same,
    Changed,
    Gone,
}

impl Core {
    /// Hears of every new version, within the edit that made it.
    pub fn changed(&self, update: &Update) {
        if update.change.is_none() {
            self.set_writable(self.session.read_only().is_none());
        }
        let mut stale = Vec::new();
        let mut gone = Vec::new();
        {
            let mut state = self.state();
            for (number, inode) in state.inodes.all_mut() {
                match fate(inode, update) {
                    Fate::Same => {}
                    Fate::Changed => stale.push(number),
                    Fate::Gone => gone.push(number),
                }
            }
            if update.change.is_none() {
                state.times.clear();
            }
            for number in &gone {
                if let Some((directory, name)) = entry_of(&state, *number) {
                    self.notice(Notice::Entry { directory, name });
                }
            }
        }
        stale.extend(gone);
        self.ring(&stale);
    }
}

fn fate(inode: &mut Inode, update: &Update) -> Fate {
    let Target::Node(Root::Live, path) = &inode.target else {
        return Fate::Same;
    };
    if path.is_empty() {
        return Fate::Changed;
    }
    let hit = match (update.change, &inode.spans) {
        (Some(change), Some(spans)) => touches(change, spans),
        (Some(_), None) => differs(update, path),
        (None, _) => true,
    };
    let moves = update.change.is_none_or(Change::moves);
    if !hit && !moves {
        return Fate::Same;
    }
    let Some(node) = node_in(update.after, path) else {
        return Fate::Gone;
    };
    let spans = spans_of(&node);
    let elsewhere = spans.as_ref().map(|s| s.len()) != inode.spans.as_ref().map(|s| s.len())
        || followed(update.change, inode).as_deref() != spans.as_deref();
    inode.spans = spans;
    if hit || elsewhere {
        Fate::Changed
    } else {
        Fate::Same
    }
}

fn touches(change: &Change, spans: &[crate::tree::Span]) -> bool {
    spans
        .iter()
        .any(|span| change.follow(span.offset, span.length).2)
}

/// Where the places of a node are after a change.
fn followed(change: Option<&Change>, inode: &Inode) -> Option<Vec<crate::tree::Span>> {
    let change = change?;
    let spans = inode.spans.as_ref()?;
    let follow = |span: &crate::tree::Span| {
        let (offset, length, _) = change.follow(span.offset, span.length);
        crate::tree::Span::new(offset, length)
    };
    Some(spans.iter().map(follow).collect())
}

/// Whether a node without a place of its own shows something else.
fn differs(update: &Update, path: &str) -> bool {
    let shown = |snapshot: &Snapshot| node_in(snapshot, path);
    match (shown(update.before), shown(update.after)) {
        (Some(Node::Leaf(before)), Some(Node::Leaf(after))) => before.read() != after.read(),
        (Some(Node::Dir(_)), Some(Node::Dir(_))) => false,
        (Some(Node::Link(before)), Some(Node::Link(after))) => before != after,
        (None, None) => false,
        _ => true,
    }
}

/// The directory's number and the name of a node, where the kernel knows the directory.
pub fn entry_of(state: &State, number: u64) -> Option<(u64, String)> {
    let Target::Node(root, path) = state.inodes.target(number)? else {
        return None;
    };
    let (parent, name) = walk::split(path);
    let directory = state.inodes.known_number(&Target::Node(*root, parent))?;
    Some((directory, name.to_owned()))
}
