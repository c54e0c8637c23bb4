//! Directories and leaves that every format's tree is built of. A format writes its structure as tables of
//! these and only its exceptions by hand.

use super::draft::Draft;
use super::lenient;
use super::names;
use super::node::{About, Access, Creation, Dir, Each, Leaf, Node, NodeKind, Save, Span};
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

/// One field of a record.
pub struct FieldLeaf<S: Save + 'static> {
    save: Arc<S>,
    rec: Rec,
    field: &'static Field,
    rule: Rule<S>,
}

impl<S: Save + 'static> FieldLeaf<S> {
    pub fn node(save: &Arc<S>, rec: Rec, field: &'static Field, rule: Rule<S>) -> Node {
        Node::leaf(FieldLeaf {
            save: Arc::clone(save),
            rec,
            field,
            rule,
        })
    }
    fn bytes(&self) -> &[u8] {
        self.rec.bytes(self.save.image(), self.field)
    }
    fn kind(&self) -> super::kind::Kind {
        self.field.kind(self.rec.layout)
    }
}

impl<S: Save + 'static> Leaf for FieldLeaf<S> {
    fn about(&self) -> About {
        let (kind, legal) = (self.kind(), &self.field.legal);
        let about = About::of(kind.type_name(legal), self.field.doc);
        match (self.access(), legal) {
            (Access::ReadOnly, _) => about,
            (_, super::kind::Legal::Names(_) | super::kind::Legal::Bits(_)) => {
                about.values(kind.legal_words(legal))
            }
            _ => about.range(kind.legal_words(legal)),
        }
    }
    fn access(&self) -> Access {
        match self.field.role {
            Role::Edit => Access::ReadWrite,
            _ => Access::ReadOnly,
        }
    }
    fn spans(&self) -> Vec<Span> {
        let at = self.rec.offset(self.field).unwrap_or(0);
        vec![Span::new(at, self.bytes().len())]
    }
    fn is_binary(&self) -> bool {
        self.kind().is_binary()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let shown = self.kind().show(self.bytes(), &self.field.legal);
        if self.is_binary() { shown } else { line(shown) }
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        let (kind, legal, now) = (self.kind(), &self.field.legal, self.bytes());
        let forcible = |refusal| match self.save.ranges_forcible() {
            true => lenient::feasible(kind, so_far, legal, now, refusal),
            false => refusal,
        };
        kind.feasible(so_far, legal, now).map_err(forcible)
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let (kind, legal, now) = (self.kind(), &self.field.legal, self.bytes());
        let bytes = match self.save.ranges_forcible() {
            true => lenient::parse(kind, whole, legal, now, draft)?,
            false => kind.parse(whole, legal, now)?,
        };
        if self.bytes().starts_with(&bytes) {
            return Ok(());
        }
        (self.rule)(&self.save, self.rec, self.field, &bytes, draft)
    }
    fn out_of_range(&self) -> Option<Refusal> {
        let (kind, legal) = (self.kind(), &self.field.legal);
        let found = kind.show(self.bytes(), legal);
        kind.parse(&found, legal, &[])
            .err()
            .filter(|_| self.field.role == Role::Edit)
    }
}

/// A text line: the value and one newline.
pub fn line<'a>(value: Cow<'_, [u8]>) -> Cow<'a, [u8]> {
    let mut text = value.into_owned();
    text.push(b'\n');
    Cow::Owned(text)
}

/// A text that is computed and never written.
pub struct Derived {
    pub text: String,
    pub type_name: &'static str,
    pub doc: &'static str,
    pub spans: Vec<Span>,
}

impl Derived {
    pub fn node(
        text: impl ToString,
        type_name: &'static str,
        doc: &'static str,
        spans: Vec<Span>,
    ) -> Node {
        Node::leaf(Derived {
            text: text.to_string(),
            type_name,
            doc,
            spans,
        })
    }
}

impl Leaf for Derived {
    fn about(&self) -> About {
        About::of(self.type_name, self.doc)
    }
    fn spans(&self) -> Vec<Span> {
        self.spans.clone()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        line(self.text.as_bytes().into())
    }
}

/// A stretch of the image as it is. `write` is None for what may not be written as bytes.
pub struct Slice<S: Save + 'static> {
    pub save: Arc<S>,
    pub span: Span,
    pub doc: &'static str,
    pub write: Option<SliceRule<S>>,
}

/// Plays the write of a whole slice.
pub type SliceRule<S> = fn(&Arc<S>, Span, &[u8], &mut Draft) -> Result<(), Refusal>;

impl<S: Save + 'static> Slice<S> {
    pub fn node(save: &Arc<S>, span: Span, doc: &'static str, write: Option<SliceRule<S>>) -> Node {
        Node::leaf(Slice {
            save: Arc::clone(save),
            span,
            doc,
            write,
        })
    }
    fn bytes(&self) -> &[u8] {
        let end = self.span.offset.saturating_add(self.span.length);
        self.save
            .image()
            .get(self.span.offset..end)
            .unwrap_or_default()
    }
}

impl<S: Save + 'static> Leaf for Slice<S> {
    fn about(&self) -> About {
        About::of("bytes", self.doc)
    }
    fn access(&self) -> Access {
        if self.write.is_some() {
            Access::ReadWrite
        } else {
            Access::ReadOnly
        }
    }
    fn spans(&self) -> Vec<Span> {
        vec![self.span]
    }
    fn is_binary(&self) -> bool {
        true
    }
    fn read(&self) -> Cow<'_, [u8]> {
        self.bytes().into()
    }
    fn size(&self) -> u64 {
        self.bytes().len() as u64
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        match self.write {
            _ if whole == self.bytes() => Ok(()),
            Some(rule) => rule(&self.save, self.span, whole, draft),
            None => Err(Refusal::not_permitted(
                "these bytes are read-only; edit the values they hold",
            )),
        }
    }
}

#[cfg(test)]
mod tests;
