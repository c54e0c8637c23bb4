//! `location/`: where the player is, and moving inside a set. dreamfactory.md 5.

use super::manifest::file_name;
use super::map::{COUNTED, Engine};
use super::records::{DustView, Lists, Location, TitanicView};
use super::room;
use super::save::{DreamSave, Handle};
use crate::tree::build::{Branch, Entry, RecordDir, View};
use crate::tree::kind::integer;
use crate::tree::node::Each;
use crate::tree::record::{Field, Rec, Token, plain};
use crate::tree::{About, Dir, Draft, Node, Refusal};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Several directories shown as one, an entry in the first that has it.
struct Together {
    doc: &'static str,
    parts: Vec<Arc<dyn Dir>>,
}

impl Dir for Together {
    fn about(&self) -> About {
        About::dir(self.doc)
    }
    fn get(&self, name: &str) -> Option<Node> {
        self.parts.iter().find_map(|part| part.get(name))
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        self.parts.iter().try_for_each(|part| part.list(each))
    }
}

const TITANIC: &[Entry<Handle>] = &[
    ("set_file", room::set_file),
    ("stage_file", |s| {
        Some(file_name(
            s,
            s.get(s.standpoint(TitanicView::SHAPE), TitanicView::stage_handle),
        ))
    }),
    ("room", room::node),
];

const DUST: &[Entry<Handle>] = &[
    ("set_file", room::set_file),
    ("flat_file", |s| {
        Some(file_name(
            s,
            s.get(s.standpoint(DustView::SHAPE), DustView::flat_handle),
        ))
    }),
    ("puppet_file", |s| {
        Some(file_name(
            s,
            s.get(s.standpoint(DustView::SHAPE), DustView::puppet_handle),
        ))
    }),
    ("room", room::node),
];

pub fn node(save: &Handle) -> Option<Node> {
    let doc = "where the player is";
    let (shape, more) = match save.engine() {
        Engine::Titanic => (TitanicView::SHAPE, TITANIC),
        Engine::Dust => (DustView::SHAPE, DUST),
    };
    let parts = [
        RecordDir::node(save, save.location(), View::Readable, rule),
        RecordDir::node(save, save.standpoint(shape), View::Readable, rule),
        Branch::node(save, doc, more),
    ];
    let parts = parts
        .iter()
        .filter_map(|part| part.as_dir().ok().cloned())
        .collect();
    Some(Node::dir(Together { doc, parts }))
}

/// Fields that only a change of the whole room may write.
const ROOM: [Token<u32>; 4] = [
    Location::actor_register,
    TitanicView::scene_register,
    TitanicView::scene_count,
    DustView::transition_register,
];

fn belongs_to_room(field: &Field) -> bool {
    field.is(Location::set)
        || field.is(DustView::setback)
        || field.is(DustView::eye_height)
        || ROOM.iter().any(|token| field.is(*token))
}

/// Couplings of the location. dreamfactory.md 5.4, 5.5.
pub fn rule(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    if belongs_to_room(field) {
        return Err(Refusal::not_permitted(room::ONLY_AS_A_WHOLE));
    }
    let value = u16::try_from(integer(bytes, 2, false)).unwrap_or(0);
    let mut stand = Standpoint::of(save);
    if field.is(DustView::column) {
        stand.column = value;
    } else if field.is(DustView::row) {
        stand.row = value;
    } else if field.is(DustView::facing) {
        stand.facing = value;
    } else if field.is(DustView::heading) {
        let facing = HEADINGS.iter().find(|(_, heading)| *heading == value);
        let (facing, _) = facing.ok_or_else(|| {
            Refusal::invalid("the player looks north, south, east or west").legal("192, 64, 0, 128")
        })?;
        stand.facing = *facing;
    } else {
        return plain(save, rec, field, bytes, draft);
    }
    stand.put(save, draft)
}

/// Facing and heading. dreamfactory.md 5.5.
const HEADINGS: [(u16, u16); 4] = [(1, 192), (2, 64), (3, 0), (4, 128)];
/// Units of a cell's side.
const CELL: i32 = 256;

/// Where the player stands in a set of Dust, and all that follows from it.
pub struct Standpoint {
    pub column: u16,
    pub row: u16,
    pub facing: u16,
    pub setback: i16,
    pub eye_height: i16,
}

impl Standpoint {
    pub fn of(save: &DreamSave) -> Self {
        let view = save.standpoint(DustView::SHAPE);
        Standpoint {
            column: save.get(view, DustView::column),
            row: save.get(view, DustView::row),
            facing: save.get(view, DustView::facing),
            setback: save.get(view, DustView::setback),
            eye_height: save.get(view, DustView::eye_height),
        }
    }

    /// From the camera to the eye.
    fn push(&self) -> (i32, i32) {
        let back = i32::from(self.setback);
        match self.facing {
            1 => (0, back),
            2 => (0, back.saturating_neg()),
            3 => (back.saturating_neg(), 0),
            _ => (back, 0),
        }
    }

    /// Writes cell and facing with their copies, the heading, the camera in the middle of the cell, and the eye a setback
    /// behind it.
    pub fn put(&self, save: &DreamSave, draft: &mut Draft) -> Result<(), Refusal> {
        let heading = HEADINGS.iter().find(|(facing, _)| *facing == self.facing);
        let (_, heading) = heading.ok_or_else(|| {
            Refusal::invalid("no such facing: write location/facing first").legal("1..4")
        })?;
        let middle = |cell: u16| {
            i32::from(cell)
                .saturating_mul(CELL)
                .saturating_add(CELL / 2)
        };
        let word = |value: i32| {
            u16::try_from(value).map_err(|_| Refusal::invalid("the eye would be outside the set"))
        };
        let (x, y) = (middle(self.column), middle(self.row));
        let (push_x, push_y) = self.push();
        let (eye_x, eye_y) = (
            word(x.saturating_add(push_x))?,
            word(y.saturating_add(push_y))?,
        );
        let (camera_x, camera_y) = (word(x)?, word(y)?);
        let view = save.standpoint(DustView::SHAPE);
        for (token, value) in [
            (DustView::column, self.column),
            (DustView::row, self.row),
            (DustView::facing, self.facing),
            (DustView::column_copy, self.column),
            (DustView::row_copy, self.row),
            (DustView::facing_copy, self.facing),
            (DustView::heading, *heading),
            (DustView::camera_x, camera_x),
            (DustView::camera_y, camera_y),
            (DustView::eye_x, eye_x),
            (DustView::eye_y, eye_y),
        ] {
            draft.set(view, token, value);
        }
        draft.set(view, DustView::eye_z, self.eye_height);
        Ok(())
    }
}

/// The counts of lists take the number of records and nothing else: the repair of W2. dreamfactory.md 5.3.
pub fn count_rule(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let list = COUNTED.iter().find(|list| field.is(list.count));
    let records = list.map_or(0, |list| save.map.records(list.container));
    let given = <u32 as crate::tree::record::FieldType>::value(bytes);
    if usize::try_from(given).ok() != Some(records) {
        let why = "the count follows the list, and takes only the number of its records";
        return Err(Refusal::not_permitted(why).legal(records.to_string()));
    }
    plain(save, rec, field, bytes, draft)
}

/// Sets the count of a list to its records, as every edit that changes the list does.
pub fn put_count(save: &DreamSave, token: Token<u32>, records: usize, draft: &mut Draft) {
    let records = u32::try_from(records).unwrap_or(u32::MAX);
    draft.set(save.map.lists(), token, records);
    debug_assert!(Lists::SHAPE.fields.iter().any(|field| field.is(token)));
}
