//! The table of entity types that a history and a level begin with. Sections 5.1 and 7.2.

use super::save::{Content, StarSave};
use super::types::{S64, escaped};
use crate::record;
use crate::tree::build::{Branch, Derived, Joined, Listing, Naming, RecordDir, View};
use crate::tree::flow::{Cursor, Stop, slice};
use crate::tree::record::{Rec, plain};
use crate::tree::{Node, Span};
use std::sync::Arc;

record! {
    /// a type of entities
    TypeVersion [8] {
        /// version of what its entities have of their own
        version: i64 = read;
    }
}

/// A name's length and a version.
const SMALLEST_TYPE: usize = 16;

/// A type of entities.
pub struct TypeEntry {
    pub name: Span,
    pub version: i64,
}

/// The types of a file; entities and blobs refer to them by their position.
pub struct TypeTable {
    /// Version of what all entities have.
    pub base: i64,
    pub entries: Vec<TypeEntry>,
}

impl TypeTable {
    pub fn read(image: &[u8], cursor: &mut Cursor, base: i64) -> Result<Self, Stop> {
        let count = cursor.count("types", S64, SMALLEST_TYPE)?;
        let mut entries = Vec::with_capacity(count);
        for _ in 0..count {
            let name = cursor.string("type name", S64)?;
            let rec = cursor.record(TypeVersion::SHAPE, 0)?;
            let version = rec.get(image, TypeVersion::version);
            entries.push(TypeEntry { name, version });
        }
        Ok(TypeTable { base, entries })
    }
    pub fn entry(&self, index: i64) -> Option<&TypeEntry> {
        self.entries.get(usize::try_from(index).ok()?)
    }
}

/// The directory `types`.
pub fn node<C: Content>(save: &Arc<StarSave<C>>, types: &TypeTable) -> Node {
    let names: Arc<[Span]> = types.entries.iter().map(|entry| entry.name).collect();
    Listing::fixed(
        &(Arc::clone(save), Arc::clone(&names)),
        "types of entities, by the numbers that the file calls them",
        Naming::numbers(names.len()),
        |(save, names), index| {
            let name = *names.get(index)?;
            let version = Rec::new(TypeVersion::SHAPE, name.offset + name.length, 0);
            Some(Joined::node(
                TypeVersion::SHAPE.doc,
                [
                    Branch::node(
                        &(Arc::clone(save), name),
                        "",
                        const { &[("name", text::<C>)] },
                    ),
                    RecordDir::node(save, version, View::Everything, plain),
                ],
            ))
        },
    )
}

fn text<C: Content>((save, name): &(Arc<StarSave<C>>, Span)) -> Option<Node> {
    let text = escaped(slice(&save.image, *name));
    Some(Derived::node(
        text,
        "string",
        "name of the type",
        vec![*name],
    ))
}
