//! Diff blobs of entities: opaque bytes, or with a schema fields by name. Section 5.6.

use super::save::{Content, StarSave};
use super::schema::{Member, PLAIN, Schema, Type, numbered};
use super::types::{S64, escaped};
use crate::tree::build::{Derived, Listing, Naming, Slice};
use crate::tree::flow::{Cursor, slice};
use crate::tree::kind::{Legal, integer};
use crate::tree::node::Each;
use crate::tree::{About, Dir, Node, NodeKind, Span, names};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Where a blob is and what it is the diff of.
#[derive(Clone, Copy)]
pub struct BlobPlace {
    pub whole: Span,
    /// The fields, without version words.
    pub fields: Span,
    pub base_version: i64,
    pub type_version: i64,
    pub type_name: Span,
    /// Each field has its old value too.
    pub with_old: bool,
}

/// Every field ends in this byte, but for the last perhaps.
const MARK: u8 = 0xFD;
/// Set in the number of a field that belongs to the entity's own type.
const OWN: u16 = 0x1000;
/// Bits of a field's number that are always clear.
const CLEAR: u16 = 0xE000;

/// A directory of the blob's bytes or of its fields, whose names keep clear of those that are `taken`.
pub fn node<C: Content>(
    save: &Arc<StarSave<C>>,
    schema: Option<&Arc<Schema>>,
    place: BlobPlace,
    taken: &[&str],
) -> Node {
    let mut dir = BlobDir {
        save: Arc::clone(save),
        entries: Vec::new(),
    };
    match schema {
        None => dir
            .entries
            .push(("blob.bin".to_owned(), Part::Bytes(place.whole))),
        Some(schema) => dir.decode(schema, place, taken),
    }
    Node::dir(dir)
}

struct BlobDir<C> {
    save: Arc<StarSave<C>>,
    entries: Vec<(String, Part)>,
}

enum Part {
    Bytes(Span),
    Field {
        schema: Arc<Schema>,
        value: Type,
        old: Option<Span>,
        new: Span,
    },
}

impl<C: Content> BlobDir<C> {
    fn decode(&mut self, schema: &Arc<Schema>, place: BlobPlace, taken: &[&str]) {
        let image = &self.save.image;
        let own = schema.own(slice(image, place.type_name));
        let lists = [
            numbered(&schema.base, place.base_version),
            numbered(own, place.type_version),
        ];
        let end = place.fields.offset.saturating_add(place.fields.length);
        let bytes = image.get(..end).unwrap_or_default();
        let mut cursor = Cursor::at(bytes, place.fields.offset);
        let mut found = Vec::new();
        let mut opaque = None;
        while cursor.left() > 0 {
            let start = cursor.offset();
            match field(schema, &lists, place.with_old, &mut cursor) {
                Some((member, part)) => found.push((member.name.clone(), part)),
                None => {
                    opaque = Some(Span::new(start, end.saturating_sub(start)));
                    break;
                }
            }
        }
        let wanted = found.iter().map(|(name, _)| name.as_str());
        let all = names::unique(taken.iter().copied().chain(["opaque.bin"]).chain(wanted));
        let own_names = all.into_iter().skip(taken.len() + 1);
        let parts = found.into_iter().map(|(_, part)| part);
        self.entries = own_names.zip(parts).collect();
        let rest = opaque.map(|span| ("opaque.bin".to_owned(), Part::Bytes(span)));
        self.entries.extend(rest);
    }
}

/// Reads one field with its mark; None where the schema does not fit.
fn field<'s>(
    schema: &'s Arc<Schema>,
    lists: &[HashMap<u16, Option<&'s Member>>; 2],
    with_old: bool,
    cursor: &mut Cursor,
) -> Option<(&'s Member, Part)> {
    let number = u16::try_from(cursor.number("field", 2, false).ok()?).ok()?;
    let list = lists.get(usize::from(number & OWN != 0))?;
    let known = list.get(&(number & !OWN)).copied().flatten();
    let member = known.filter(|_| number & CLEAR == 0)?;
    let mut value = || {
        let start = cursor.offset();
        schema.skip(&member.value, cursor).ok()?;
        Some(Span::new(start, cursor.offset() - start))
    };
    let old = match with_old {
        true => Some(value()?),
        false => None,
    };
    let new = value()?;
    if cursor.left() > 0 && cursor.bytes("end mark", 1).ok()? != [MARK] {
        return None;
    }
    let part = Part::Field {
        schema: Arc::clone(schema),
        value: member.value.clone(),
        old,
        new,
    };
    Some((member, part))
}

impl<C: Content> Dir for BlobDir<C> {
    fn about(&self) -> About {
        About::dir("what changed of the entity")
    }
    fn get(&self, name: &str) -> Option<Node> {
        let (_, part) = self.entries.iter().find(|(n, _)| n == name)?;
        Some(match part {
            Part::Bytes(span) => {
                let doc = "fields of the entity that no schema explains";
                Slice::node(&self.save, *span, doc, None)
            }
            Part::Field {
                schema,
                value,
                old,
                new,
            } => {
                let value_at = |span: &Span| Value {
                    save: Arc::clone(&self.save),
                    schema: Arc::clone(schema),
                    value: value.clone(),
                    span: *span,
                };
                let whens = old.iter().map(|span| ("old", span)).chain([("new", new)]);
                let values = whens.map(|(when, span)| (when.to_owned(), value_at(span)));
                named("a member of the entity", values.collect())
            }
        })
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        self.entries.iter().try_for_each(|(name, part)| {
            let kind = match part {
                Part::Bytes(_) => NodeKind::Leaf,
                Part::Field { .. } => NodeKind::Dir,
            };
            each(name, kind)
        })
    }
}

/// A value of a member, somewhere in a blob.
struct Value<C> {
    save: Arc<StarSave<C>>,
    schema: Arc<Schema>,
    value: Type,
    span: Span,
}

impl<C> Clone for Value<C> {
    fn clone(&self) -> Self {
        Value {
            save: Arc::clone(&self.save),
            schema: Arc::clone(&self.schema),
            value: self.value.clone(),
            span: self.span,
        }
    }
}

/// A directory of values with names.
fn named<C: Content>(doc: &'static str, values: Vec<(String, Value<C>)>) -> Node {
    let naming = Naming::identities(values.iter().map(|(name, _)| name.as_str()), false);
    let kind = |value: &Value<C>| value.kind();
    let kinds: Vec<NodeKind> = values.iter().map(|(_, value)| kind(value)).collect();
    Node::dir(Values {
        doc,
        naming,
        kinds,
        values: values.into_iter().map(|(_, value)| value).collect(),
    })
}

/// A directory whose entries may be of either kind.
struct Values<C> {
    doc: &'static str,
    naming: Naming,
    kinds: Vec<NodeKind>,
    values: Vec<Value<C>>,
}

impl<C: Content> Dir for Values<C> {
    fn about(&self) -> About {
        About::dir(self.doc)
    }
    fn get(&self, name: &str) -> Option<Node> {
        self.values.get(self.naming.index(name)?)?.node()
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        let entries = self.kinds.iter().enumerate();
        entries
            .map(|(index, kind)| (self.naming.name(index), kind))
            .try_for_each(|(name, kind)| each(&name, *kind))
    }
}

impl<C: Content> Value<C> {
    fn kind(&self) -> NodeKind {
        match self.value {
            Type::Fixed(..) | Type::Dynamic(_) | Type::Struct(_) => NodeKind::Dir,
            _ => NodeKind::Leaf,
        }
    }

    fn bytes(&self) -> &[u8] {
        slice(&self.save.image, self.span)
    }

    fn node(&self) -> Option<Node> {
        Some(match &self.value {
            Type::Plain(index) => {
                let (name, kind) = PLAIN.get(*index)?;
                let text = kind.show(self.bytes(), &Legal::Any);
                self.text(&String::from_utf8_lossy(&text), name)
            }
            Type::Enum(index) => {
                let names = self.schema.enums.get(*index)?;
                let crate::tree::kind::Kind::Int { width, signed } = names.repr else {
                    return None;
                };
                let number = integer(self.bytes(), width, signed && !names.flags);
                self.text(&names.show(number), "name")
            }
            Type::Text => {
                let text = self.bytes().get(usize::from(S64.width)..)?;
                self.text(&escaped(text), "string")
            }
            Type::Raw(_) => Slice::node(&self.save, self.span, "bytes of the member", None),
            Type::Struct(index) => self.structure(*index)?,
            Type::Fixed(element, count) => self.array(element, *count, self.cursor())?,
            Type::Dynamic(element) => {
                let mut cursor = self.cursor();
                let smallest = self.schema.smallest(element);
                let count = cursor.count("elements", S64, smallest).ok()?;
                self.array(element, count, cursor)?
            }
        })
    }

    fn text(&self, text: &str, type_name: &'static str) -> Node {
        Derived::node(text, type_name, "value of a member", vec![self.span])
    }

    fn cursor(&self) -> Cursor<'_> {
        let end = self.span.offset.saturating_add(self.span.length);
        let bytes = self.save.image.get(..end).unwrap_or_default();
        Cursor::at(bytes, self.span.offset)
    }

    /// The same place, read as a part of the value.
    fn part(&self, value: &Type, at: usize) -> Option<Value<C>> {
        let mut cursor = self.cursor();
        cursor
            .skip("parts before", at.checked_sub(self.span.offset)?)
            .ok()?;
        self.schema.skip(value, &mut cursor).ok()?;
        Some(Value {
            value: value.clone(),
            span: Span::new(at, cursor.offset() - at),
            ..self.clone()
        })
    }

    fn structure(&self, index: usize) -> Option<Node> {
        let mut members = Vec::new();
        let mut places = |member: &Member, at| {
            members.push((member.name.clone(), member.value.clone(), at));
        };
        self.schema
            .members(index, &mut self.cursor(), &mut places)
            .ok()?;
        let parts = members
            .into_iter()
            .map(|(name, value, at)| Some((name, self.part(&value, at)?)));
        Some(named("a structure", parts.collect::<Option<_>>()?))
    }

    fn array(&self, element: &Type, count: usize, mut cursor: Cursor) -> Option<Node> {
        let mut places = Vec::new();
        let mut each = |at| places.push(at);
        self.schema
            .elements(element, count, &mut cursor, &mut each)
            .ok()?;
        let sample = Value {
            value: element.clone(),
            ..self.clone()
        };
        let kind = sample.kind();
        let context = (sample, Arc::<[usize]>::from(places));
        let naming = Naming::numbers(count);
        let make = |(of, places): &(Value<C>, Arc<[usize]>), index: usize| {
            of.part(&of.value, *places.get(index)?)?.node()
        };
        let doc = "elements";
        Some(match kind {
            NodeKind::Dir => Listing::fixed(&context, doc, naming, make),
            _ => Listing::values(&context, doc, naming, make),
        })
    }
}
