//! What a history is made of: records, their transactions, moves and actions, and the walk over them. Sections 5.2 to
//! 5.5. A walk keeps nothing but the places it is asked for; a node walks over its record again.

use super::types::{ACTIONS, Pid, RECORD_FLAGS, S8, S64, U32};
use crate::record;
use crate::tree::Span;
use crate::tree::flow::{Cursor, Stop, slice};
use crate::tree::kind::integer;
use crate::tree::record::{Bool, Rec, Shape};

record! {
    /// a move, or at the higher levels many, that can be undone
    pub UndoRecord [44] {
        /// number of the first move in it
        first_move: i64 = read;
        /// moves in it, 25^k at level k
        span: u32 = read;
        /// the character that was controlled
        hero: Pid = read;
        /// marks of the record
        flags: u16 = read(bits RECORD_FLAGS);
        /// of unknown meaning
        unknown_a: u8 = read;
        /// of unknown meaning
        unknown_b: u8 = read;
        /// seconds into the level
        time: f64 = read;
        /// of unknown meaning
        unknown_f32: f32 = read;
        /// square of the hero after the move
        position: [i32; 3] = read;
    }

    /// moves that belong together
    pub Transaction [35] {
        /// version of the structure, 1..3
        version: u16 = read;
        /// when it was closed, seconds into the level
        close_time: f64 = read;
        /// when it was committed, seconds into the level
        commit_time: f64 = read;
        /// its number
        transaction_id: u32 = read;
        /// seconds it takes
        duration: f32 = read;
        /// seconds of it that have passed
        elapsed: f32 = read;
        /// of unknown meaning
        flags: u32 = read;
        /// group of lilies that moves with it, -1 for none; from version 3 on
        lily_transaction_group_index: i8 = read;
    }

    /// what is certain of the movement of one entity
    pub MoveHead [11] {
        /// version of the structure, 1..8
        version: u16 = read;
        /// who moves
        entity_id: Pid = read;
        /// who makes it move
        manipulator_id: Pid = read;
        /// the game's number of a kind of movement
        move_type: u8 = read;
    }

    /// lilies that move together
    pub LilyGroup [5] {
        /// of unknown meaning
        unknown_f32: f32 = read;
        /// of unknown meaning
        unknown_u8: u8 = read;
    }

    /// a change of an entity, or its coming or going
    pub EntityAction [13] {
        /// kind of action
        r#type: u8 = read(names ACTIONS);
        /// the entity
        entity_id: Pid = read;
        /// its type, a position in this file's table
        type_index: i64 = read;
    }

    /// what follows the blob of a coming or going
    pub Created [1] {
        /// came, else went
        created: Bool = read;
    }

    /// a square of the ocean changed
    pub OceanAction [9] {
        /// kind of action
        r#type: u8 = read(names ACTIONS);
        /// the map of the ocean
        entity_id: Pid = read;
        /// the square, i + j * squares_x
        index: i32 = read;
    }

    /// the value of a square of the ocean before and after
    pub OceanValues [2] {
        /// before: bit 0 water, bit 1 river polarity, bits 2..4 direction of the flow
        old: u8 = read;
        /// after: bit 0 water, bit 1 river polarity, bits 2..4 direction of the flow
        new: u8 = read;
    }

    /// the value of a square of the ocean afterwards, all that the narrow form has
    pub OceanValue [1] {
        /// after: bit 0 water, bit 1 river polarity, bits 2..4 direction of the flow
        new: u8 = read;
    }

    /// a scrape mark changed
    pub ScrapeAction [10] {
        /// kind of action
        r#type: u8 = read(names ACTIONS);
        /// place
        x: i16 = read;
        /// place
        y: i16 = read;
        /// place
        z: i16 = read;
        /// before
        old: u8 = read;
        /// after
        new: u8 = read;
        /// direction
        axis: u8 = read;
    }
}

/// The widths that the specification leaves open (sections 5.4, 5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Bytes of a move without deprecated elements, its version and their count included.
    pub single_move: usize,
    /// Bytes of a deprecated element of a move.
    pub deprecated: usize,
    /// Bytes of an ocean change, its type included.
    pub ocean_change: usize,
}

/// Smallest sizes, to bound counts by the bytes that are left.
pub const SMALLEST_RECORD: usize = 53;
const SMALLEST_TRANSACTION: usize = 42;
const SMALLEST_ACTION: usize = 10;
const LILY_POINT: usize = 12;
const LILY_PLACE: usize = 16;
const MOST_LILY_GROUPS: usize = 8;
const TRANSACTION_VERSION: u16 = 3;
const MOVE_VERSION: u16 = 8;

/// Highest versions that a blob may have: of the base, and of each type in the table.
pub trait Versions {
    /// None where there is no type of that index.
    fn of_type(&self, index: i64) -> Option<i64>;
    fn of_base(&self) -> i64;
}

/// What a walk came across that makes its result depend on a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub moves: bool,
    pub deprecated: bool,
    pub ocean: bool,
    /// A transaction or a move of an older version, whose widths are not known.
    pub older: bool,
    /// Where the first move or ocean change begins.
    pub first: Option<usize>,
}

/// Where the parts of a record are.
#[derive(Default)]
pub struct RecordParts {
    pub transactions: Vec<Span>,
    pub lilies: Vec<Span>,
    pub actions: Vec<Span>,
}

/// Where the parts of a move are.
pub struct MoveParts {
    pub head: Rec,
    /// What is not certain of it.
    pub rest: Span,
    pub deprecated: Vec<Span>,
}

/// An action, taken apart.
pub enum Action {
    Entity {
        head: Rec,
        blob: Span,
        created: Option<Rec>,
    },
    Ocean {
        head: Rec,
        values: Rec,
    },
    Scrape(Rec),
}

/// A reading of undo records under one choice of widths.
pub struct Walk<'a> {
    pub image: &'a [u8],
    pub widths: Widths,
    pub versions: &'a dyn Versions,
    pub seen: Seen,
}

type Parts<'p> = Option<&'p mut Vec<Span>>;

impl<'a> Walk<'a> {
    pub fn new(image: &'a [u8], widths: Widths, versions: &'a dyn Versions) -> Self {
        Walk {
            image,
            widths,
            versions,
            seen: Seen::default(),
        }
    }

    /// Steps over `count` parts and writes down where they are, if somebody wants to know.
    fn each(
        &mut self,
        cursor: &mut Cursor,
        count: usize,
        mut places: Parts,
        mut one: impl FnMut(&mut Self, &mut Cursor) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for _ in 0..count {
            let start = cursor.offset();
            one(self, cursor)?;
            if let Some(places) = places.as_deref_mut() {
                places.push(Span::new(start, cursor.offset() - start));
            }
        }
        Ok(())
    }

    /// Steps over a record.
    pub fn record(
        &mut self,
        cursor: &mut Cursor,
        parts: Option<&mut RecordParts>,
    ) -> Result<(), Stop> {
        let (transactions, lilies, actions) = match parts {
            Some(parts) => (
                Some(&mut parts.transactions),
                Some(&mut parts.lilies),
                Some(&mut parts.actions),
            ),
            None => (None, None, None),
        };
        cursor.record(UndoRecord::SHAPE, 0)?;
        let count = cursor.count("transactions", U32, SMALLEST_TRANSACTION)?;
        self.each(cursor, count, transactions, |walk, c| {
            walk.transaction(c, None).map(drop)
        })?;
        let at = cursor.offset();
        let count = cursor.count("lily_groups", S8, 0)?;
        if count > MOST_LILY_GROUPS {
            return Err(Stop::new("lily_groups", at, "0..8", count));
        }
        self.each(cursor, count, lilies, |_, c| lily_group(c).map(drop))?;
        let count = cursor.count("actions", U32, SMALLEST_ACTION)?;
        self.each(cursor, count, actions, |walk, c| walk.action(c).map(drop))
    }

    /// Steps over a transaction and gives what is fixed of it.
    pub fn transaction(&mut self, cursor: &mut Cursor, moves: Parts) -> Result<Rec, Stop> {
        let rec = Rec::new(Transaction::SHAPE, cursor.offset(), 0);
        let version = self.version(cursor, "transaction version", TRANSACTION_VERSION)?;
        let rec = match version < TRANSACTION_VERSION {
            true => rec.cut(rec.size() - 1),
            false => rec,
        };
        cursor.skip("transaction", rec.size() - 2)?;
        let width = self.widths.single_move;
        let count = tried_count(cursor, "moves", width, &mut self.seen.moves)?;
        self.each(cursor, count, moves, |walk, c| {
            walk.single_move(c).map(drop)
        })?;
        Ok(rec)
    }

    fn version(
        &mut self,
        cursor: &mut Cursor,
        field: &'static str,
        newest: u16,
    ) -> Result<u16, Stop> {
        let at = cursor.offset();
        let found = cursor.number(field, 2, false)?;
        match u16::try_from(found) {
            Ok(version) if (1..=newest).contains(&version) => {
                self.seen.older |= version < newest;
                Ok(version)
            }
            _ => Err(Stop::new(field, at, format!("1..{newest}"), found)),
        }
    }

    fn open_width(&mut self, at: usize) {
        self.seen.first.get_or_insert(at);
    }

    /// Steps over a move.
    pub fn single_move(&mut self, cursor: &mut Cursor) -> Result<MoveParts, Stop> {
        let head = Rec::new(MoveHead::SHAPE, cursor.offset(), 0);
        self.open_width(head.at);
        self.version(cursor, "move version", MOVE_VERSION)?;
        cursor.skip("move", head.size() - 2)?;
        let counted = usize::from(S64.width);
        let rest = self
            .widths
            .single_move
            .saturating_sub(head.size() + counted);
        let rest = cursor.skip("move", rest)?;
        let (width, tried) = (self.widths.deprecated, &mut self.seen.deprecated);
        let count = tried_count(cursor, "deprecated elements", width, tried)?;
        let mut deprecated = Vec::new();
        for _ in 0..count {
            deprecated.push(cursor.skip("deprecated elements", self.widths.deprecated)?);
        }
        Ok(MoveParts {
            head,
            rest,
            deprecated,
        })
    }

    /// Steps over an action.
    pub fn action(&mut self, cursor: &mut Cursor) -> Result<Action, Stop> {
        let at = cursor.offset();
        let kind = slice(self.image, Span::new(at, 1)).first().copied();
        match kind {
            Some(kind @ (1 | 2)) => self.entity_action(cursor, kind == 2),
            Some(3) => self.ocean_action(cursor),
            Some(4) => Ok(Action::Scrape(cursor.record(ScrapeAction::SHAPE, 0)?)),
            other => Err(Stop::new(
                "action type",
                at,
                "1..4",
                other.map_or("the end of the file".to_owned(), |kind| kind.to_string()),
            )),
        }
    }

    fn entity_action(&mut self, cursor: &mut Cursor, creation: bool) -> Result<Action, Stop> {
        let head = cursor.record(EntityAction::SHAPE, 0)?;
        let index = head.get(self.image, EntityAction::type_index);
        let of_type = self.versions.of_type(index).ok_or_else(|| {
            let at = head.offset(EntityAction::type_index.field());
            Stop::new(
                "type index",
                at.unwrap_or(head.at),
                "a type of the table",
                index,
            )
        })?;
        let blob = cursor.string("blob", S64)?;
        let word = |at| integer(slice(self.image, Span::new(blob.offset + at, 2)), 2, false);
        let legal = |version: i128, most: i64| (1..=i128::from(most)).contains(&version);
        if blob.length < 4 || !legal(word(0), self.versions.of_base()) || !legal(word(2), of_type) {
            let expected = format!("versions 1..{} and 1..{of_type}", self.versions.of_base());
            let found = format!("{} bytes, {} and {}", blob.length, word(0), word(2));
            return Err(Stop::new("blob", blob.offset, expected, found));
        }
        let created = match creation {
            true => Some(cursor.record(Created::SHAPE, 0)?),
            false => None,
        };
        let byte = created.map(|rec| slice(self.image, Span::new(rec.at, 1)));
        match byte.and_then(|byte| byte.first().copied()) {
            Some(odd @ 2..) => Err(Stop::new("created", cursor.offset() - 1, "0 or 1", odd)),
            _ => Ok(Action::Entity {
                head,
                blob,
                created,
            }),
        }
    }

    fn ocean_action(&mut self, cursor: &mut Cursor) -> Result<Action, Stop> {
        self.seen.ocean = true;
        self.open_width(cursor.offset());
        let head = cursor.record(OceanAction::SHAPE, 0)?;
        let values: &'static Shape = match self.widths.ocean_change.saturating_sub(head.size()) {
            0 | 1 => OceanValue::SHAPE,
            _ => OceanValues::SHAPE,
        };
        let values = cursor.record(values, 0)?;
        Ok(Action::Ocean { head, values })
    }
}

/// Counts elements whose width is a choice. The choice matters as soon as there are some, also where they are too many
/// to fit: narrower ones may.
fn tried_count(
    cursor: &mut Cursor,
    field: &'static str,
    width: usize,
    matters: &mut bool,
) -> Result<usize, Stop> {
    *matters |= cursor.clone().number(field, S64.width, S64.signed)? > 0;
    cursor.count(field, S64, width)
}

/// Steps over a group of lilies and gives what is fixed of it and its two lists of elements.
pub fn lily_group(cursor: &mut Cursor) -> Result<(Rec, [Vec<Span>; 2]), Stop> {
    let head = cursor.record(LilyGroup::SHAPE, 0)?;
    let mut lists = [Vec::new(), Vec::new()];
    for (size, list) in [LILY_POINT, LILY_PLACE].into_iter().zip(&mut lists) {
        let count = cursor.count("lily elements", U32, size)?;
        for _ in 0..count {
            list.push(cursor.skip("lily elements", size)?);
        }
    }
    Ok((head, lists))
}
