//! The nodes of a save's tree. Nodes are made when asked for and own what they look at, so that a node
//! shows one version for as long as somebody holds it.

use super::draft::Draft;
use super::refusal::{Errno, Fault, Finding, Refusal};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

/// An open save: decoded bytes, which are the model, and whatever skeleton its format needs to find its way
/// in them. It never changes; an edit makes the next one.
pub trait Save: Send + Sync {
    /// The decoded bytes; all offsets of the tree refer to them.
    fn image(&self) -> &[u8];
    fn root(self: Arc<Self>) -> Node;
    /// The save that these decoded bytes are. The check that what an edit wrote decodes.
    fn reopen(&self, image: Vec<u8>) -> Result<Arc<dyn Save>, Fault>;
    /// The file that holds this image.
    fn encode(&self) -> Result<Vec<u8>, Fault>;
    /// What a check finds, worst first is not needed.
    fn findings(&self) -> Vec<Finding>;
    /// Adds to a batch of edits what only its end tells, such as a form of storage that the save no longer fits.
    /// `draft` has the image of `self`, the save as it would be afterwards.
    fn settle(&self, _draft: &mut Draft) {}
    /// Looks at an edit as a whole, `self` being the save as it would be afterwards: rules over several fields.
    /// `paths` are those that were written. Gives what the user should be told, or the refusal.
    fn review(
        &self,
        _before: &dyn Save,
        _paths: &[&str],
        _force: bool,
    ) -> Result<Vec<String>, Refusal> {
        Ok(Vec::new())
    }
    /// Label and value of what a user wants to know first, for `savefs info`.
    fn summary(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    /// Why no node of this save can be written, where that is so although nothing is damaged.
    fn read_only(&self) -> Option<String> {
        None
    }
    /// Whether a value outside a field's legal range is one of the refusals that a user may override.
    fn ranges_forcible(&self) -> bool {
        false
    }
    /// Whether `--force` opens for writing what [`Save::read_only`] closes; the leaves then say what may be written.
    fn yields_to_force(&self) -> bool {
        false
    }
    /// For rules that need to see their own kind again in [`Save::review`].
    fn as_any(&self) -> &dyn std::any::Any;
}

/// A place in the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    pub offset: usize,
    pub length: usize,
}

impl Span {
    pub fn new(offset: usize, length: usize) -> Self {
        Span { offset, length }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Dir,
    Leaf,
    Link,
}

/// Whether a user may write a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    ReadWrite,
    ReadOnly,
}

/// What a node says of itself: the attributes `user.savefs.*`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// `u16`, `string`, `name`, `directory`, ...
    pub type_name: Cow<'static, str>,
    /// One line of meaning.
    pub doc: Cow<'static, str>,
    /// Legal numbers or lengths, in words.
    pub range: Option<String>,
    /// Legal names, in words.
    pub values: Option<String>,
    /// More, by name, e.g. `free`.
    pub extras: Vec<(&'static str, String)>,
}

impl About {
    pub fn dir(doc: impl Into<Cow<'static, str>>) -> Self {
        Self::of("directory", doc)
    }
    pub fn of(type_name: impl Into<Cow<'static, str>>, doc: impl Into<Cow<'static, str>>) -> Self {
        About {
            type_name: type_name.into(),
            doc: doc.into(),
            ..About::default()
        }
    }
    pub fn range(mut self, range: impl Into<String>) -> Self {
        self.range = Some(range.into());
        self
    }
    pub fn values(mut self, values: impl Into<String>) -> Self {
        self.values = Some(values.into());
        self
    }
    pub fn extra(mut self, name: &'static str, value: impl ToString) -> Self {
        self.extras.push((name, value.to_string()));
        self
    }
    /// What is legal, in words; empty where nothing is said.
    pub fn legal(&self) -> &str {
        self.values
            .as_deref()
            .or(self.range.as_deref())
            .unwrap_or_default()
    }
}

/// How a directory takes a new name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creation {
    /// It does not: a new name is a mistake.
    No,
    /// The entry is there as soon as it is made; it has no value, or is a directory.
    AtOnce,
    /// The entry is there when its first value has been written.
    WithFirstValue,
}

/// A node of the tree.
#[derive(Clone)]
pub enum Node {
    Dir(Arc<dyn Dir>),
    Leaf(Arc<dyn Leaf>),
    /// A link to the sibling of that name.
    Link(String),
}

impl Node {
    pub fn dir(dir: impl Dir + 'static) -> Self {
        Node::Dir(Arc::new(dir))
    }
    pub fn leaf(leaf: impl Leaf + 'static) -> Self {
        Node::Leaf(Arc::new(leaf))
    }
    pub fn kind(&self) -> NodeKind {
        match self {
            Node::Dir(_) => NodeKind::Dir,
            Node::Leaf(_) => NodeKind::Leaf,
            Node::Link(_) => NodeKind::Link,
        }
    }
    pub fn about(&self) -> About {
        match self {
            Node::Dir(dir) => dir.about(),
            Node::Leaf(leaf) => leaf.about(),
            Node::Link(target) => About::of("link", format!("another name of {target}")),
        }
    }
    pub fn as_leaf(&self) -> Result<&Arc<dyn Leaf>, Refusal> {
        match self {
            Node::Leaf(leaf) => Ok(leaf),
            Node::Dir(_) => Err(Refusal::new(
                Errno::IsDirectory,
                "is a directory, write one of its files",
            )),
            Node::Link(_) => Err(Refusal::invalid("is a link")),
        }
    }
    pub fn as_dir(&self) -> Result<&Arc<dyn Dir>, Refusal> {
        match self {
            Node::Dir(dir) => Ok(dir),
            _ => Err(Refusal::new(Errno::NotDirectory, "is not a directory")),
        }
    }
}

/// Takes the entries of a directory one after the other, in the order of the file.
pub type Each<'a> = &'a mut dyn FnMut(&str, NodeKind) -> ControlFlow<()>;

/// A directory.
pub trait Dir: Send + Sync {
    fn about(&self) -> About;
    /// The entry of exactly that name.
    fn get(&self, name: &str) -> Option<Node>;
    /// The stored spelling of `name`, for games that look names up ignoring case. Asked after a miss only.
    fn spelling(&self, _name: &str) -> Option<String> {
        None
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()>;
    /// Places in the image, where the directory as a whole has one.
    fn spans(&self) -> Vec<Span> {
        Vec::new()
    }
    fn creates(&self, _name: &str, _what: NodeKind) -> Creation {
        Creation::No
    }
    /// Makes an entry. `value` is the first value of a leaf, None for a directory or an entry without one.
    fn create(
        &self,
        _name: &str,
        _value: Option<&[u8]>,
        _draft: &mut Draft,
    ) -> Result<(), Refusal> {
        Err(Refusal::not_permitted(
            "no such node, and none can be made here",
        ))
    }
    fn remove(&self, _name: &str, _draft: &mut Draft) -> Result<(), Refusal> {
        Err(Refusal::not_permitted("nothing can be removed here"))
    }
    /// Whether removing this entry is an edit that the format has a rule for.
    fn removes(&self, _name: &str) -> bool {
        false
    }
}

/// A value.
pub trait Leaf: Send + Sync {
    fn about(&self) -> About;
    fn access(&self) -> Access {
        Access::ReadOnly
    }
    /// Where its bytes are in the image; empty for what is not stored.
    fn spans(&self) -> Vec<Span>;
    /// Bytes as they are, with no newline added or dropped.
    fn is_binary(&self) -> bool {
        false
    }
    /// Exactly what a read gives, the final newline of a text included.
    fn read(&self) -> Cow<'_, [u8]>;
    /// Length of what a read gives.
    fn size(&self) -> u64 {
        self.read().len() as u64
    }
    /// A part of what a read gives, for values that are not kept in memory.
    fn read_at(&self, offset: u64, length: usize) -> Vec<u8> {
        let all = self.read();
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(all.len());
        let end = start.saturating_add(length).min(all.len());
        all.get(start..end).unwrap_or_default().to_vec()
    }
    /// Whether more bytes after `so_far` can still make a legal value.
    fn feasible(&self, _so_far: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }
    /// Plays the write of a whole value, with its couplings. What the node holds already changes nothing.
    fn write(&self, _whole: &[u8], _draft: &mut Draft) -> Result<(), Refusal> {
        Err(Refusal::not_permitted("read-only"))
    }
    /// Why the value that is there could not be written, if it was found outside its range.
    fn out_of_range(&self) -> Option<Refusal> {
        None
    }
    /// Gives the value another type, by the type's name.
    fn retype(&self, _to: &str, _draft: &mut Draft) -> Result<(), Refusal> {
        Err(Refusal::new(
            Errno::Unsupported,
            "the type is fixed by the game",
        ))
    }
}
