//! The tree of a history. A node of a record reads the record again.

use super::blob::{self, BlobPlace};
use super::history::{Head, History};
use super::save::{self, StarSave};
use super::type_table;
use super::types::escaped;
use super::undo::{self, Action, RecordParts, UndoRecord, Walk};
use crate::record;
use crate::tree::build::{Branch, Derived, Entry, Joined, Listing, Naming, RecordDir, Slice, View};
use crate::tree::flow::{Cursor, slice};
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{Draft, Node, NodeKind, Refusal, Span, lenient};
use std::sync::Arc;

pub type Save = Arc<StarSave<History>>;
type Spans = (Save, Arc<[Span]>);

record! {
    /// one number of a place
    Coordinate [4] {
        /// a square of the level
        coordinate: i32 = read;
    }
    /// the two version words of a blob
    BlobVersions [4] {
        /// version of what all entities have
        base_version: u16 = read;
        /// version of what entities of this type have of their own
        type_version: u16 = read;
    }
}

pub fn root(save: &Save) -> Node {
    let rec = |rec: Rec| RecordDir::node(save, rec, View::Everything, write);
    let parts = content(save).map(|history| {
        let head = Some(rec(Rec::new(Head::SHAPE, 0, 0)));
        let types = Some(Branch::node(save, "", TYPES));
        let counts = Some(rec(history.counts));
        let records = Some(Branch::node(save, "", RECORDS));
        let tail = history.tail.map(rec);
        let raw = Some(Branch::node(save, "", RAW));
        [head, types, counts, records, tail, raw]
    });
    let parts = parts.into_iter().flatten().flatten();
    Joined::node(
        "what can be undone in a level, and its present state",
        parts,
    )
}

fn content(save: &Save) -> Option<&History> {
    save.content.as_ref()
}

/// A different version makes the game discard the level's state (section 5.9).
fn write(
    save: &StarSave<History>,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let why = "with another version than its level the game discards the state";
    lenient::overridable(draft, Refusal::not_permitted(why))?;
    plain(save, rec, field, bytes, draft)
}

const TYPES: &[Entry<Save>] = &[("types", |save| {
    Some(type_table::node(save, &content(save)?.types))
})];

const RECORDS: &[Entry<Save>] = &[
    ("mips", |save| {
        let history = content(save)?;
        let doc =
            "levels of history, the first a record for each move, the others ever more condensed";
        let mips = Naming::numbers(history.mips.len());
        // A file that breaks off before its first level has none to show.
        let there = history.current.is_some() || !history.mips.is_empty();
        there.then(|| Listing::fixed(save, doc, mips, mip))
    }),
    ("current", |save| {
        Some(record(save, content(save)?.current?))
    }),
];

const RAW: &[Entry<Save>] = &[
    ("rest.bin", |save| {
        let end = content(save)?.end;
        let doc = "bytes from where several readings part";
        save::bytes(save, end, save.image.len().saturating_sub(end), doc)
    }),
    ("data", |save| {
        let span = Span::new(0, save.image.len());
        let doc = "the whole file as it is";
        let why = "a history is replaced as a whole or not at all";
        Some(Slice::reserved(save, span, doc, why, replace))
    }),
];

/// Writes the file's bytes as they are given.
fn replace(_: &Save, span: Span, bytes: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
    draft.splice(span.offset, span.length, bytes);
    Ok(())
}

fn mip(save: &Save, level: usize) -> Option<Node> {
    let mip = content(save)?.mips.get(level)?;
    let head = RecordDir::node(save, mip.head, View::Everything, plain);
    let records = Branch::node(&(Arc::clone(save), level), "", &[("records", records)]);
    Some(Joined::node(
        super::history::Mip::SHAPE.doc,
        [head, records],
    ))
}

fn records((save, level): &(Save, usize)) -> Option<Node> {
    let count = content(save)?.mips.get(*level)?.records.len();
    Some(Listing::fixed(
        &(Arc::clone(save), *level),
        "records, oldest first",
        Naming::numbers(count),
        |(save, level), index| {
            let at = *content(save)?.mips.get(*level)?.records.get(index)?;
            Some(record(save, at))
        },
    ))
}

fn record(save: &Save, at: usize) -> Node {
    let rec = Rec::new(UndoRecord::SHAPE, at, 0);
    RecordDir::with(save, rec, View::Everything, plain, RECORD)
}

const RECORD: &[Entry<(Save, Rec)>] = &[
    ("position", |(save, rec)| {
        let field = UndoRecord::position.field();
        save::elements(save, *rec, field, Coordinate::SHAPE, &["x", "y", "z"])
    }),
    ("transactions", |(save, rec)| {
        let places = parts(save, *rec)?.transactions;
        let doc = "groups of moves that belong together";
        Some(list(save, doc, places, NodeKind::Dir, transaction))
    }),
    ("lily_groups", |(save, rec)| {
        let places = parts(save, *rec)?.lilies;
        let doc = "lilies that move together";
        Some(list(save, doc, places, NodeKind::Dir, lily_group))
    }),
    ("actions", |(save, rec)| {
        let places = parts(save, *rec)?.actions;
        let doc = "changes of entities and of the level";
        Some(list(save, doc, places, NodeKind::Dir, action))
    }),
];

/// Reads at a place again what the opening walk read.
fn again<T>(
    save: &Save,
    at: usize,
    read: impl FnOnce(&mut Walk, &mut Cursor) -> Result<T, crate::tree::flow::Stop>,
) -> Option<T> {
    let history = content(save)?;
    let mut walk = Walk::new(&save.image, history.widths, &history.types);
    read(&mut walk, &mut Cursor::at(&save.image, at)).ok()
}

fn parts(save: &Save, record: Rec) -> Option<RecordParts> {
    let mut parts = RecordParts::default();
    again(save, record.at, |walk, c| walk.record(c, Some(&mut parts)))?;
    Some(parts)
}

/// A numbered list of what lies at some places.
fn list(
    save: &Save,
    doc: &'static str,
    places: Vec<Span>,
    kind: NodeKind,
    make: fn(&Spans, usize) -> Option<Node>,
) -> Node {
    let naming = Naming::numbers(places.len());
    let context = (Arc::clone(save), places.into());
    match kind {
        NodeKind::Leaf => Listing::values(&context, doc, naming, make),
        _ => Listing::fixed(&context, doc, naming, make),
    }
}

fn opaque((save, places): &Spans, index: usize) -> Option<Node> {
    let span = *places.get(index)?;
    Some(Slice::node(save, span, "of unknown meaning", None))
}

fn transaction((save, places): &Spans, index: usize) -> Option<Node> {
    let at = places.get(index)?.offset;
    let rec = again(save, at, |walk, c| walk.transaction(c, None))?;
    let more: &[Entry<(Save, Rec)>] = &[("moves", |(save, rec)| {
        let mut moves = Vec::new();
        again(save, rec.at, |walk, c| {
            walk.transaction(c, Some(&mut moves))
        })?;
        let doc = "movements of single entities";
        Some(list(save, doc, moves, NodeKind::Dir, single_move))
    })];
    Some(RecordDir::with(save, rec, View::Everything, plain, more))
}

fn single_move((save, places): &Spans, index: usize) -> Option<Node> {
    let at = places.get(index)?.offset;
    let head = again(save, at, |walk, c| walk.single_move(c))?.head;
    let more: &[Entry<(Save, Rec)>] = &[
        ("rest.bin", |(save, rec)| {
            let rest = again(save, rec.at, |walk, c| walk.single_move(c))?.rest;
            let doc = "the rest of the move, whose layout is not certain";
            save::bytes(save, rest.offset, rest.length, doc)
        }),
        ("deprecated", |(save, rec)| {
            let elements = again(save, rec.at, |walk, c| walk.single_move(c))?.deprecated;
            let doc = "elements of a deprecated structure";
            (!elements.is_empty()).then(|| list(save, doc, elements, NodeKind::Leaf, opaque))
        }),
    ];
    Some(RecordDir::with(save, head, View::Everything, plain, more))
}

fn lily_group((save, places): &Spans, index: usize) -> Option<Node> {
    let at = places.get(index)?.offset;
    let (head, _) = again(save, at, |_, c| undo::lily_group(c))?;
    fn elements(save: &Save, rec: Rec, which: usize) -> Option<Node> {
        let (_, lists) = again(save, rec.at, |_, c| undo::lily_group(c))?;
        let list_of = lists.into_iter().nth(which)?;
        Some(list(
            save,
            "elements of unknown meaning",
            list_of,
            NodeKind::Leaf,
            opaque,
        ))
    }
    let more: &[Entry<(Save, Rec)>] = &[
        ("elements_12", |(save, rec)| elements(save, *rec, 0)),
        ("elements_16", |(save, rec)| elements(save, *rec, 1)),
    ];
    Some(RecordDir::with(save, head, View::Everything, plain, more))
}

fn action((save, places): &Spans, index: usize) -> Option<Node> {
    let at = places.get(index)?.offset;
    let fields = |rec: Rec| RecordDir::node(save, rec, View::Everything, plain);
    Some(match again(save, at, |walk, c| walk.action(c))? {
        Action::Scrape(rec) => fields(rec),
        Action::Ocean { head, values } => {
            Joined::node(head.shape.doc, [fields(head), fields(values)])
        }
        Action::Entity {
            head,
            blob,
            created,
        } => {
            let versions = Rec::new(BlobVersions::SHAPE, blob.offset, 0);
            let parts = [fields(head), type_name(save, head)?, fields(versions)];
            let values = entity_blob(save, head, blob, versions, created.is_none())?;
            let parts = parts.into_iter().chain([values]).chain(created.map(fields));
            Joined::node(head.shape.doc, parts)
        }
    })
}

fn type_name(save: &Save, head: Rec) -> Option<Node> {
    let entries: &'static [Entry<(Save, Rec)>] = const { &[("type_name", named)] };
    fn named(context: &(Save, Rec)) -> Option<Node> {
        let (save, head) = context;
        let index = head.get(&save.image, undo::EntityAction::type_index);
        let name = content(save)?.types.entry(index)?.name;
        let text = escaped(slice(&save.image, name));
        let doc = "name of the entity's type";
        Some(Derived::node(text, "string", doc, vec![name]))
    }
    Some(Branch::node(&(Arc::clone(save), head), "", entries))
}

fn entity_blob(save: &Save, head: Rec, blob: Span, versions: Rec, with_old: bool) -> Option<Node> {
    let history = content(save)?;
    let index = head.get(&save.image, undo::EntityAction::type_index);
    let place = BlobPlace {
        whole: blob,
        fields: Span::new(blob.offset + 4, blob.length.saturating_sub(4)),
        base_version: i64::from(versions.get(&save.image, BlobVersions::base_version)),
        type_version: i64::from(versions.get(&save.image, BlobVersions::type_version)),
        type_name: history.types.entry(index)?.name,
        with_old,
    };
    let shapes = [
        undo::EntityAction::FIELDS,
        BlobVersions::FIELDS,
        undo::Created::FIELDS,
    ];
    let fields = shapes.into_iter().flatten().map(|field| field.name);
    let taken: Vec<&str> = fields.chain(["type_name"]).collect();
    Some(blob::node(save, history.schema.as_ref(), place, &taken))
}
