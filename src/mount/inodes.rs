//! Inode numbers. A number is a hash of what it names, so that listing and looking up agree without a table; the table
//! holds only what the kernel knows, and what a rename has moved.
//!
//! The kernel takes a number along when it renames: after `sedXXXXXX` has become `deg` it goes on using the scratch
//! file's number for `deg`. So a rename binds the number anew, and what lost it gets another one when it is next asked
//! for.

use crate::tree::Span;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

/// The number of the mount's root.
pub const ROOT: u64 = 1;

/// Which version of the save a node belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// The newest, always.
    Live,
    /// One of `.savefs/versions`, which never changes.
    Version(u64),
}

pub type ScratchId = u64;

/// What a number stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A node, by its path as spelled.
    Node(Root, String),
    /// A file that lives in memory.
    Scratch(ScratchId),
    /// `.savefs` (the empty path) and what is in it.
    Control(String),
}

impl Target {
    pub fn live(path: impl Into<String>) -> Self {
        Target::Node(Root::Live, path.into())
    }
}

/// What the kernel knows of one number.
#[derive(Debug)]
pub struct Inode {
    pub target: Target,
    /// Lookups that the kernel has not yet forgotten.
    pub lookups: u64,
    /// Places of the node in the image of the newest version; None where it has no place of its own.
    pub spans: Option<Box<[Span]>>,
    /// Hash of the text that the kernel's page cache may hold.
    pub cached: Option<u64>,
    /// It has been open, so that the page cache may hold something of it.
    pub opened: bool,
    /// Open handles that read through the page cache.
    pub cached_opens: u32,
    /// Size of the text that those read.
    pub cached_size: u64,
    /// Handles that are open for writing.
    pub writers: u32,
    /// When it was last opened for writing.
    pub written: Option<Instant>,
    /// The size that the kernel was told last.
    pub told: u64,
    /// Another number stands for the target now.
    parted: bool,
}

/// A value that is being rewritten again and again is not read through the page cache: an opening that truncates makes
/// the kernel believe for a moment that the file is empty, and a read that is under way would end there.
const RESTLESS: Duration = Duration::from_secs(3);

impl Inode {
    /// Whether it is, or was a moment ago, open for writing.
    pub fn is_restless(&self) -> bool {
        self.writers > 0 || self.written.is_some_and(|at| at.elapsed() < RESTLESS)
    }
    /// Whether somebody reads through the page cache what has another size by now.
    pub fn outgrown(&self, size: u64) -> bool {
        self.cached_opens > 0 && self.cached_size != size
    }
}

/// The numbers that the kernel knows.
#[derive(Default)]
pub struct Inodes {
    known: HashMap<u64, Inode, BuildHasherDefault<Hashed>>,
    /// Targets whose number is another than their hash: a rename has moved it, or it was taken.
    moved: HashMap<Target, u64>,
}

/// Numbers are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = fingerprint(bytes);
    }
}

impl Inodes {
    /// A table with the root of the mount in it.
    pub fn new() -> Self {
        let mut inodes = Inodes::default();
        inodes.insert(ROOT, Target::live(""), 1);
        inodes
    }

    fn insert(&mut self, number: u64, target: Target, lookups: u64) {
        if natural(&target) != number && number != ROOT {
            self.moved.insert(target.clone(), number);
        }
        let inode = Inode {
            target,
            lookups,
            spans: None,
            cached: None,
            opened: false,
            cached_opens: 0,
            cached_size: 0,
            written: None,
            writers: 0,
            told: 0,
            parted: false,
        };
        self.known.insert(number, inode);
    }

    pub fn get(&self, number: u64) -> Option<&Inode> {
        self.known.get(&number)
    }
    pub fn get_mut(&mut self, number: u64) -> Option<&mut Inode> {
        self.known.get_mut(&number)
    }
    pub fn target(&self, number: u64) -> Option<&Target> {
        self.known.get(&number).map(|inode| &inode.target)
    }
    pub fn all_mut(&mut self) -> impl Iterator<Item = (u64, &mut Inode)> {
        self.known
            .iter_mut()
            .map(|(number, inode)| (*number, inode))
    }

    /// The number of a target: the one that the kernel knows, else its hash, or the next that is free.
    pub fn number(&self, target: &Target) -> u64 {
        if let Some(number) = self.known_number(target) {
            return number;
        }
        let mut number = natural(target);
        while number <= ROOT || self.known.contains_key(&number) {
            number = natural(&number);
        }
        number
    }
    /// The number of a target that the kernel knows.
    pub fn known_number(&self, target: &Target) -> Option<u64> {
        if matches!(target, Target::Node(Root::Live, path) if path.is_empty()) {
            return Some(ROOT);
        }
        if let Some(number) = self.moved.get(target) {
            return Some(*number);
        }
        let number = natural(target);
        let inode = self.known.get(&number)?;
        (inode.target == *target && !inode.parted).then_some(number)
    }

    /// All numbers that the kernel has for a target, the one that [`Inodes::known_number`] gives last. There is more than
    /// one where a rename gave the target another number while the kernel still went by the old one.
    pub fn all_numbers(&self, target: &Target) -> Vec<u64> {
        let main = self.known_number(target);
        let same = self
            .known
            .iter()
            .filter(|(_, inode)| inode.target == *target);
        let others = same
            .map(|(number, _)| *number)
            .filter(|number| Some(*number) != main);
        others.chain(main).collect()
    }

    /// Counts one more lookup of a target.
    pub fn look_up(&mut self, target: &Target) -> u64 {
        let number = self.number(target);
        match self.known.get_mut(&number) {
            Some(inode) => inode.lookups = inode.lookups.saturating_add(1),
            None => self.insert(number, target.clone(), 1),
        }
        number
    }

    /// Takes lookups back. Gives the target whose number the kernel has now forgotten.
    pub fn forget(&mut self, number: u64, lookups: u64) -> Option<Target> {
        let inode = self.known.get_mut(&number)?;
        inode.lookups = inode.lookups.saturating_sub(lookups);
        if inode.lookups > 0 || number == ROOT {
            return None;
        }
        let inode = self.known.remove(&number)?;
        self.unmove(&inode.target, number);
        Some(inode.target)
    }

    /// Lets a number stand for something else from now on. What it stood for, and a number that stood for `target`,
    /// are parted from each other.
    pub fn rebind(&mut self, number: u64, target: Target) {
        let before = self.known_number(&target).filter(|n| *n != number);
        let Some(inode) = self.known.get_mut(&number) else {
            return;
        };
        let old = std::mem::replace(&mut inode.target, target.clone());
        inode.spans = None;
        inode.cached = None;
        inode.parted = false;
        if let Some(inode) = before.and_then(|before| self.known.get_mut(&before)) {
            inode.parted = true;
        }
        self.unmove(&old, number);
        if natural(&target) == number {
            self.moved.remove(&target);
        } else {
            self.moved.insert(target, number);
        }
    }

    fn unmove(&mut self, target: &Target, number: u64) {
        if self.moved.get(target) == Some(&number) {
            self.moved.remove(target);
        }
    }
}

fn natural(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Tells the texts of values apart.
pub fn fingerprint(text: &[u8]) -> u64 {
    natural(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_the_same_for_listing_and_lookup_and_goes_with_the_last_forget() {
        let mut inodes = Inodes::new();
        let deg = Target::live("actors/purs/deg");
        let listed = inodes.number(&deg);
        assert_eq!(inodes.look_up(&deg), listed);
        assert_eq!(inodes.look_up(&deg), listed);
        assert_eq!(inodes.forget(listed, 1), None);
        assert_eq!(inodes.forget(listed, 1), Some(deg));
        assert!(inodes.get(listed).is_none());
        assert_eq!(inodes.forget(ROOT, 5), None);
        assert_eq!(inodes.target(ROOT), Some(&Target::live("")));
    }

    #[test]
    fn a_rename_takes_every_number_of_a_node_along() {
        let mut inodes = Inodes::new();
        let (deg, speed) = (Target::live("deg"), Target::live("speed"));
        let (first, second) = (inodes.look_up(&deg), inodes.look_up(&speed));
        inodes.rebind(second, deg.clone());
        assert_eq!(inodes.all_numbers(&deg), [first, second]);
        for number in inodes.all_numbers(&deg) {
            inodes.rebind(number, Target::Scratch(7));
        }
        assert_eq!(inodes.target(first), Some(&Target::Scratch(7)));
        assert_eq!(inodes.known_number(&Target::Scratch(7)), Some(second));
        assert_eq!(inodes.known_number(&deg), None);
    }

    #[test]
    fn a_rename_moves_the_number_and_the_freed_path_gets_another() {
        let mut inodes = Inodes::new();
        let deg = Target::live("deg");
        let number = inodes.look_up(&deg);
        inodes.rebind(number, Target::Scratch(7));
        assert_eq!(inodes.number(&Target::Scratch(7)), number);
        let fresh = inodes.look_up(&deg);
        assert_ne!(fresh, number);
        assert_eq!(inodes.number(&deg), fresh);
        inodes.forget(number, 1);
        assert_eq!(inodes.number(&deg), fresh);
    }

    #[test]
    fn a_number_that_lost_its_path_does_not_get_it_back() {
        let mut inodes = Inodes::new();
        let deg = Target::live("deg");
        let old = inodes.look_up(&deg);
        let scratch = inodes.look_up(&Target::Scratch(7));
        inodes.rebind(scratch, deg.clone());
        assert_eq!(inodes.number(&deg), scratch);
        assert_eq!(inodes.target(old), Some(&deg));
        inodes.forget(scratch, 1);
        assert_ne!(inodes.number(&deg), old);
        inodes.forget(old, 1);
        assert_eq!(inodes.number(&deg), old);
    }
}
