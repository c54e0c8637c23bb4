//! Directories that every format's tree is built of. A format writes its structure as tables of
//! these and only its exceptions by hand.

use super::draft::Draft;
pub use super::leaves::{Derived, FieldLeaf, Slice, SliceRule, line};
use super::names;
use super::node::{About, Creation, Dir, Each, Node, NodeKind, Save, Span};
use super::record::{Field, Rec, Role, Rule};
use super::refusal::Refusal;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What a directory shows is looked up in: an `Arc` of the save, perhaps with an index.
pub trait Context: Clone + Send + Sync + 'static {}
impl<T: Clone + Send + Sync + 'static> Context for T {}

/// One entry of a [`Branch`]: its name and the node, None where this save has none.
pub type Entry<C> = (&'static str, fn(&C) -> Option<Node>);

/// A directory whose entries the format fixes.
pub struct Branch<C: Context> {
    pub context: C,
    pub doc: &'static str,
    pub entries: &'static [Entry<C>],
}

impl<C: Context> Branch<C> {
    pub fn node(context: &C, doc: &'static str, entries: &'static [Entry<C>]) -> Node {
        Node::dir(Branch {
            context: context.clone(),
            doc,
            entries,
        })
    }
}

impl<C: Context> Dir for Branch<C> {
    fn about(&self) -> About {
        About::dir(self.doc)
    }
    fn get(&self, name: &str) -> Option<Node> {
        let (_, make) = self.entries.iter().find(|(n, _)| *n == name)?;
        make(&self.context)
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        list_entries(self.entries, &self.context, each)
    }
}

fn list_entries<C>(entries: &[Entry<C>], context: &C, each: Each<'_>) -> ControlFlow<()> {
    for (name, make) in entries {
        if let Some(node) = make(context) {
            each(name, node.kind())?;
        }
    }
    ControlFlow::Continue(())
}

/// The names of a [`Listing`].
#[derive(Clone)]
pub enum Naming {
    /// `0`, `1`, ... : the first number and how many.
    Numbers { first: usize, count: usize },
    /// File names in order, made by [`names::unique`]; `fold` where the game ignores case.
    Names { names: Arc<[String]>, fold: bool },
    /// File names of long lists, each found at once.
    Indexed(Arc<NameIndex>),
}

/// File names in order, and the place of each.
pub struct NameIndex {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl NameIndex {
    pub fn new(names: Vec<String>) -> Self {
        let numbered = names.iter().cloned().enumerate();
        let places = numbered.map(|(index, name)| (name, index)).collect();
        NameIndex { names, places }
    }
}

impl Naming {
    pub fn numbers(count: usize) -> Self {
        Naming::Numbers { first: 0, count }
    }
    /// The file names of records with these identities.
    pub fn identities<'a>(identities: impl IntoIterator<Item = &'a str>, fold: bool) -> Self {
        Naming::Names {
            names: names::unique(identities).into(),
            fold,
        }
    }
    pub fn index(&self, name: &str) -> Option<usize> {
        match self {
            Naming::Numbers { first, count } => {
                let plain = name == "0" || !name.starts_with(['0', '+']);
                let number: usize = name.parse().ok().filter(|_| plain)?;
                number.checked_sub(*first).filter(|index| index < count)
            }
            Naming::Names { names, .. } => names.iter().position(|n| n == name),
            Naming::Indexed(index) => index.places.get(name).copied(),
        }
    }
    fn len(&self) -> usize {
        match self {
            Naming::Numbers { count, .. } => *count,
            Naming::Names { names, .. } => names.len(),
            Naming::Indexed(index) => index.names.len(),
        }
    }
    pub fn name(&self, index: usize) -> Cow<'_, str> {
        match self {
            Naming::Numbers { first, .. } => first.saturating_add(index).to_string().into(),
            Naming::Names { names, .. } => names.get(index).map_or("", String::as_str).into(),
            Naming::Indexed(all) => all.names.get(index).map_or("", String::as_str).into(),
        }
    }
    fn spelling(&self, name: &str) -> Option<String> {
        let Naming::Names { names, fold: true } = self else {
            return None;
        };
        names.iter().find(|n| n.eq_ignore_ascii_case(name)).cloned()
    }
}

/// What a list can be asked to do beyond showing itself. Nothing, unless its format says so.
pub trait ListRules<C>: Send + Sync {
    fn about(&self, _context: &C, about: About) -> About {
        about
    }
    fn creates(&self, _context: &C, _name: &str, _what: NodeKind) -> Creation {
        Creation::No
    }
    fn create(
        &self,
        _: &C,
        _name: &str,
        _value: Option<&[u8]>,
        _: &mut Draft,
    ) -> Result<(), Refusal> {
        Err(Refusal::not_permitted(
            "no such node, and none can be made here",
        ))
    }
    fn removes(&self, _context: &C, _index: usize) -> bool {
        false
    }
    fn remove(&self, _context: &C, _index: usize, _draft: &mut Draft) -> Result<(), Refusal> {
        Err(Refusal::not_permitted("nothing can be removed here"))
    }
}

/// The rules of a list that only shows itself.
pub struct Fixed;
impl<C> ListRules<C> for Fixed {}

/// A directory with an entry for each record of a list.
pub struct Listing<C: Context> {
    pub context: C,
    pub doc: &'static str,
    pub naming: Naming,
    pub kind: NodeKind,
    pub make: fn(&C, usize) -> Option<Node>,
    pub rules: &'static dyn ListRules<C>,
}

impl<C: Context> Listing<C> {
    /// A list of directories that nothing is added to or taken from.
    pub fn fixed(
        context: &C,
        doc: &'static str,
        naming: Naming,
        make: fn(&C, usize) -> Option<Node>,
    ) -> Node {
        Node::dir(Listing {
            context: context.clone(),
            doc,
            naming,
            kind: NodeKind::Dir,
            make,
            rules: &Fixed,
        })
    }
    /// A list of values that nothing is added to or taken from.
    pub fn values(
        context: &C,
        doc: &'static str,
        naming: Naming,
        make: fn(&C, usize) -> Option<Node>,
    ) -> Node {
        Node::dir(Listing {
            context: context.clone(),
            doc,
            naming,
            kind: NodeKind::Leaf,
            make,
            rules: &Fixed,
        })
    }
}

impl<C: Context> Dir for Listing<C> {
    fn about(&self) -> About {
        self.rules.about(&self.context, About::dir(self.doc))
    }
    fn get(&self, name: &str) -> Option<Node> {
        (self.make)(&self.context, self.naming.index(name)?)
    }
    fn spelling(&self, name: &str) -> Option<String> {
        self.naming.spelling(name)
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        (0..self.naming.len()).try_for_each(|index| each(&self.naming.name(index), self.kind))
    }
    fn creates(&self, name: &str, what: NodeKind) -> Creation {
        self.rules.creates(&self.context, name, what)
    }
    fn create(&self, name: &str, value: Option<&[u8]>, draft: &mut Draft) -> Result<(), Refusal> {
        self.rules.create(&self.context, name, value, draft)
    }
    fn removes(&self, name: &str) -> bool {
        self.naming
            .index(name)
            .is_some_and(|index| self.rules.removes(&self.context, index))
    }
    fn remove(&self, name: &str, draft: &mut Draft) -> Result<(), Refusal> {
        let index = self
            .naming
            .index(name)
            .ok_or_else(|| Refusal::new(super::refusal::Errno::NotFound, "no such node"))?;
        self.rules.remove(&self.context, index, draft)
    }
}

/// Which fields of a record a directory shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Every field, keys, pointers and scratch included.
    Everything,
    /// What a person reads: all but keys, pointers and junk.
    Readable,
    /// What a person edits and nothing else, so that one record can be copied over another.
    Editable,
}

impl View {
    fn shows(self, field: &Field) -> bool {
        match self {
            View::Everything => true,
            View::Readable => matches!(field.role, Role::Edit | Role::Read | Role::Derived),
            View::Editable => field.role == Role::Edit,
        }
    }
}

/// A record as a directory: a leaf for each field, and what else its format hangs in. An entry of `more` that is
/// named like a field stands in its place.
pub struct RecordDir<S: Save + 'static> {
    pub save: Arc<S>,
    pub rec: Rec,
    pub view: View,
    pub rule: Rule<S>,
    pub more: &'static [Entry<(Arc<S>, Rec)>],
}

impl<S: Save + 'static> RecordDir<S> {
    pub fn node(save: &Arc<S>, rec: Rec, view: View, rule: Rule<S>) -> Node {
        Self::with(save, rec, view, rule, &[])
    }
    pub fn with(
        save: &Arc<S>,
        rec: Rec,
        view: View,
        rule: Rule<S>,
        more: &'static [Entry<(Arc<S>, Rec)>],
    ) -> Node {
        Node::dir(RecordDir {
            save: Arc::clone(save),
            rec,
            view,
            rule,
            more,
        })
    }
}

impl<S: Save + 'static> Dir for RecordDir<S> {
    fn about(&self) -> About {
        About::dir(self.rec.shape.doc)
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(self.rec.at, self.rec.size())]
    }
    fn get(&self, name: &str) -> Option<Node> {
        if let Some((_, make)) = self.more.iter().find(|(n, _)| *n == name) {
            return make(&(Arc::clone(&self.save), self.rec));
        }
        let field = self.rec.field(name).filter(|f| self.view.shows(f))?;
        Some(FieldLeaf::node(&self.save, self.rec, field, self.rule))
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        let context = (Arc::clone(&self.save), self.rec);
        for field in self.rec.fields().filter(|f| self.view.shows(f)) {
            match self.more.iter().find(|(name, _)| *name == field.name) {
                None => each(field.name, NodeKind::Leaf)?,
                Some(one) => list_entries(std::slice::from_ref(one), &context, each)?,
            }
        }
        let named = |name| self.rec.field(name).is_some_and(|f| self.view.shows(f));
        self.more
            .iter()
            .filter(|(name, _)| !named(name))
            .try_for_each(|one| list_entries(std::slice::from_ref(one), &context, each))
    }
}

/// A directory that holds the entries of several, one after the other. Nothing is made or removed in it.
pub struct Joined {
    pub doc: &'static str,
    pub parts: Vec<Arc<dyn Dir>>,
    /// Its place in the image, if it has one as a whole.
    pub span: Option<Span>,
}

impl Joined {
    /// Parts that are no directories are left out.
    pub fn node(doc: &'static str, parts: impl IntoIterator<Item = Node>) -> Node {
        Self::at(None, doc, parts)
    }
    pub fn at(
        span: Option<Span>,
        doc: &'static str,
        parts: impl IntoIterator<Item = Node>,
    ) -> Node {
        let parts = parts.into_iter().filter_map(|node| match node {
            Node::Dir(dir) => Some(dir),
            _ => None,
        });
        Node::dir(Joined {
            doc,
            parts: parts.collect(),
            span,
        })
    }
}

impl Dir for Joined {
    fn about(&self) -> About {
        About::dir(self.doc)
    }
    fn spans(&self) -> Vec<Span> {
        self.span.into_iter().collect()
    }
    fn get(&self, name: &str) -> Option<Node> {
        self.parts.iter().find_map(|part| part.get(name))
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        self.parts.iter().try_for_each(|part| part.list(&mut *each))
    }
}

#[cfg(test)]
mod tests;
