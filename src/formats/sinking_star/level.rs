//! `*.entities`: a level. Section 7.2.

use super::blob::{self, BlobPlace};
use super::save::{self, Content, Reading, StarSave};
use super::schema::Schema;
use super::type_table::{self, TypeTable};
use super::types::{Pid, U32, escaped, pid_text};
use crate::formats::{Likeness, Options, Probe};
use crate::record;
use crate::tree::build::{
    Branch, Derived, Entry, Joined, Listing, NameIndex, Naming, RecordDir, View,
};
use crate::tree::flow::{Cursor, Stop, slice};
use crate::tree::record::{Raw, Rec, plain};
use crate::tree::{Fault, Finding, Node, Span, Weight, names};
use std::sync::Arc;

record! {
    /// the beginning of the file
    Head [14] {
        /// `enty`
        magic: Raw<4> = junk @ 0;
        /// version of the file, 7
        version: u16 = derived @ 4;
        /// version of what all entities have
        base_entity_version: i64 = derived @ 6;
    }
    /// an entity, as far as it differs from the defaults of its type
    EntityHead [6] {
        /// its id
        id: Pid = key @ 0;
        /// its type, a position in this file's table
        type_index: u16 = read @ 4;
    }
}

const MAGIC: &[u8] = b"enty";
const VERSION: u16 = 7;
/// Head and length of an entity without a field.
const SMALLEST_ENTITY: usize = 10;

/// An entity.
#[derive(Clone, Copy)]
struct Entity {
    head: Rec,
    blob: Span,
}

/// Where everything of a level is.
pub struct Level {
    types: TypeTable,
    entities: Vec<Entity>,
    names: Arc<NameIndex>,
    /// Everything before this offset is in the tree.
    end: usize,
    schema: Option<Arc<Schema>>,
}

impl Level {
    fn entities(&mut self, image: &[u8], cursor: &mut Cursor) -> Result<(), Stop> {
        let count = cursor.count("entities", U32, SMALLEST_ENTITY)?;
        self.end = cursor.offset();
        for _ in 0..count {
            let head = cursor.record(EntityHead::SHAPE, 0)?;
            let index = head.get(image, EntityHead::type_index);
            if self.types.entry(i64::from(index)).is_none() {
                let at = head.offset(EntityHead::type_index.field());
                let expected = "a type of the table";
                return Err(Stop::new(
                    "type index",
                    at.unwrap_or(head.at),
                    expected,
                    index,
                ));
            }
            let blob = cursor.string("blob", U32)?;
            self.entities.push(Entity { head, blob });
            self.end = cursor.offset();
        }
        cursor.end("the last entity")
    }
}

impl Content for Level {
    const FORMAT: &'static str = "sinking-star-level";
    const TITLE: &'static str = "Order of the Sinking Star, level (*.entities)";
    const ROOT: &'static str = "level";

    fn recognise(probe: &Probe) -> Likeness {
        match probe.head.starts_with(MAGIC) {
            true => Likeness::Sure,
            false => save::by_name(probe, ".entities"),
        }
    }

    fn read(image: &[u8], options: &Options) -> Result<Reading<Self>, Fault> {
        let schema = Schema::of(options, Self::FORMAT)?;
        let stopped = |stop: Stop| stop.fault(Self::FORMAT);
        let mut cursor = Cursor::at(image, 0);
        let magic = cursor.bytes("magic", MAGIC.len()).map_err(stopped)?;
        if magic != MAGIC {
            return Err(stopped(Stop::new("magic", 0, "enty", escaped(magic))));
        }
        let mut cursor = Cursor::at(image, 0);
        let head = cursor.record(Head::SHAPE, 0).map_err(stopped)?;
        let version = head.get(image, Head::version);
        if version != VERSION {
            return Err(stopped(Stop::new("version", 4, "7", version)));
        }
        let base = head.get(image, Head::base_entity_version);
        let types = TypeTable::read(image, &mut cursor, base).map_err(stopped)?;
        let mut level = Level {
            types,
            entities: Vec::new(),
            names: Arc::new(NameIndex::new(Vec::new())),
            end: cursor.offset(),
            schema,
        };
        let walked = level.entities(image, &mut cursor);
        let ids: Vec<String> = level
            .entities
            .iter()
            .map(|entity| pid_text(entity.head.get(image, EntityHead::id)))
            .collect();
        let names = names::unique(ids.iter().map(String::as_str));
        level.names = Arc::new(NameIndex::new(names));
        let reading = Reading::whole(level).closed("levels are for reading");
        Ok(match walked {
            Ok(()) => reading,
            Err(stop) => {
                let text = format!("{stop}; what reads before is shown");
                reading.finding(Finding::new("layout", Weight::Damage, text).offset(stop.offset))
            }
        })
    }

    fn tree(save: &Arc<StarSave<Self>>) -> Node {
        let head = Rec::new(Head::SHAPE, 0, 0);
        let head = RecordDir::node(save, head, View::Readable, plain);
        Joined::node("a level", [head, Branch::node(save, "", ENTRIES)])
    }

    fn summary(save: &StarSave<Self>) -> Vec<(String, String)> {
        let Some(level) = &save.content else {
            return Vec::new();
        };
        let line = |label: &str, count: usize| (label.to_owned(), count.to_string());
        vec![
            line("types", level.types.entries.len()),
            line("entities", level.entities.len()),
        ]
    }
}

type Save = Arc<StarSave<Level>>;

const ENTRIES: &[Entry<Save>] = &[
    ("types", |save| {
        Some(type_table::node(save, &save.content.as_ref()?.types))
    }),
    ("entities", |save| {
        let names = Arc::clone(&save.content.as_ref()?.names);
        let doc = "entities by their ids, which are unique within a level";
        let naming = Naming::Indexed(names);
        Some(Listing::fixed(save, doc, naming, entity))
    }),
    ("rest.bin", |save| {
        let end = save.content.as_ref()?.end;
        let doc = "bytes from where the file stops making sense";
        save::bytes(save, end, save.image.len().saturating_sub(end), doc)
    }),
];

fn entity(save: &Save, index: usize) -> Option<Node> {
    let level = save.content.as_ref()?;
    let entity = *level.entities.get(index)?;
    let type_index = entity.head.get(&save.image, EntityHead::type_index);
    let of_type = level.types.entry(i64::from(type_index))?;
    let place = BlobPlace {
        whole: entity.blob,
        fields: entity.blob,
        base_version: level.types.base,
        type_version: of_type.version,
        type_name: of_type.name,
        with_old: true,
    };
    let name: &[Entry<(Save, Span)>] = &[("type", |(save, name)| {
        let text = escaped(slice(&save.image, *name));
        let doc = "name of the entity's type";
        Some(Derived::node(text, "string", doc, vec![*name]))
    })];
    let fields = EntityHead::FIELDS.iter().map(|field| field.name);
    let taken: Vec<&str> = fields.chain(["type"]).collect();
    let parts = [
        RecordDir::node(save, entity.head, View::Everything, plain),
        Branch::node(&(Arc::clone(save), of_type.name), "", name),
        blob::node(save, level.schema.as_ref(), place, &taken),
    ];
    Some(Joined::node(EntityHead::SHAPE.doc, parts))
}
