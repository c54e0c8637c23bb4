//! `*.history`: what can be undone in a level, and its present state. The frame of the file and the choice among the
//! readings that the specification leaves open, sections 5.1, 5.2 and 5.8.

use super::save::{self, Content, Reading, StarSave};
use super::schema::Schema;
use super::type_table::TypeTable;
use super::types::{Pid, S64};
use super::undo::{SMALLEST_RECORD, Seen, Versions, Walk, Widths};
use crate::formats::{Likeness, Options, Probe};
use crate::record;
use crate::tree::flow::{Cursor, Stop};
use crate::tree::record::Rec;
use crate::tree::{Fault, Finding, Node, Weight};
use std::sync::Arc;

record! {
    /// the beginning of the file
    pub Head [16] {
        /// version of the file; 73 is certain, 70 and 72 are read by guess
        version: u32 = derived;
        /// version of the level's data; if it is not the level's, the game discards the state
        level_data_version: u32 = edit;
        /// version of what all entities have
        base_entity_version: i64 = derived;
    }

    /// what stands between the types and the records
    pub Counts [25] {
        /// of unknown meaning
        unknown_1: u32 = read;
        /// number of the move that comes next
        next_move_index: i64 = read;
        /// moves made, those undone included
        move_counter: i64 = read;
        /// of unknown meaning
        unknown_2: u32 = read;
        /// levels of ever more condensed history
        mip_count: u8 = derived;
    }

    /// a level of condensed history
    pub Mip [14] {
        /// how many records of the level below make one of this
        factor: u16 = read;
        /// records that it holds at most
        capacity: u32 = read;
        /// records that no record of the next level holds yet
        uncondensed_count: i32 = read;
        /// record of the next level that lines up with it, -1 for none
        index_in_next_that_lines_up: i32 = read;
    }

    /// the end of the file
    pub Tail [16] {
        /// the character that is controlled
        active_hero: Pid = read;
        /// serial of the next entity of namespace 0
        next_serial_ns0: u32 = read;
        /// serial of the next entity made while playing, namespace 1023
        next_serial_ns1023: u32 = read;
        /// serial of the next entity of the level's namespace
        next_serial_level: u32 = read;
    }
}

/// The versions whose walk is tried; the first is certain.
const VERSIONS: [u32; 3] = [73, 72, 70];
/// Candidates for the widths that are not certain, likeliest first (sections 5.4, 5.5).
const SINGLE_MOVES: [usize; 5] = [156, 155, 158, 164, 166];
const DEPRECATED: [usize; 3] = [80, 78, 82];
const OCEAN_CHANGES: [usize; 2] = [11, 10];

const CLOSED: &str = "a history is for reading: its records hold old and new values of a chain of moves, and one \
                      changed alone makes undo restore an impossible world";

/// A level of the history.
pub struct MipLevel {
    pub head: Rec,
    /// Where its records begin.
    pub records: Vec<usize>,
}

/// Where everything of a history is.
pub struct History {
    pub types: TypeTable,
    pub counts: Rec,
    pub mips: Vec<MipLevel>,
    /// Where the record of the move being made begins.
    pub current: Option<usize>,
    pub tail: Option<Rec>,
    /// Everything before this offset is in the tree.
    pub end: usize,
    pub widths: Widths,
    pub schema: Option<Arc<Schema>>,
}

impl Versions for TypeTable {
    fn of_type(&self, index: i64) -> Option<i64> {
        Some(self.entry(index)?.version)
    }
    fn of_base(&self) -> i64 {
        self.base
    }
}

/// What follows the head and the types.
struct Body {
    mips: Vec<MipLevel>,
    current: usize,
    tail: Rec,
}

/// One way to read the file, and how far it got.
struct Attempt {
    widths: Widths,
    seen: Seen,
    result: Result<Body, Stop>,
}

impl Attempt {
    /// Whether other widths lead through the same steps.
    fn stands_for(&self, widths: &Widths) -> bool {
        (!self.seen.moves || widths.single_move == self.widths.single_move)
            && (!self.seen.deprecated || widths.deprecated == self.widths.deprecated)
            && (!self.seen.ocean || widths.ocean_change == self.widths.ocean_change)
    }
}

fn body(walk: &mut Walk, start: usize, mip_count: u8) -> Result<Body, Stop> {
    let mut cursor = Cursor::at(walk.image, start);
    let mut mips = Vec::with_capacity(usize::from(mip_count));
    for _ in 0..mip_count {
        let head = cursor.record(Mip::SHAPE, 0)?;
        let count = cursor.count("records", S64, SMALLEST_RECORD)?;
        let mut records = Vec::with_capacity(count);
        for _ in 0..count {
            records.push(cursor.offset());
            walk.record(&mut cursor, None)?;
        }
        mips.push(MipLevel { head, records });
    }
    let current = cursor.offset();
    walk.record(&mut cursor, None)?;
    let tail = cursor.record(Tail::SHAPE, 0)?;
    cursor.end("the last serial")?;
    Ok(Body {
        mips,
        current,
        tail,
    })
}

/// Every combination of widths that the schema does not settle, in the order of section 5.8.
fn candidates(schema: Option<&Schema>) -> Vec<Widths> {
    let given = schema.map(|schema| schema.widths).unwrap_or_default();
    let or = |one: Option<usize>, all: &[usize]| one.map_or_else(|| all.to_vec(), |one| vec![one]);
    let mut all = Vec::new();
    for ocean_change in or(given.ocean_change, &OCEAN_CHANGES) {
        for single_move in or(given.single_move, &SINGLE_MOVES) {
            for deprecated in or(given.deprecated, &DEPRECATED) {
                all.push(Widths {
                    single_move,
                    deprecated,
                    ocean_change,
                });
            }
        }
    }
    all
}

fn attempts(
    image: &[u8],
    start: usize,
    mip_count: u8,
    types: &TypeTable,
    schema: Option<&Schema>,
) -> Vec<Attempt> {
    let mut tried: Vec<Attempt> = Vec::new();
    for widths in candidates(schema) {
        if tried.iter().any(|one| one.stands_for(&widths)) {
            continue;
        }
        let mut walk = Walk::new(image, widths, types);
        let result = body(&mut walk, start, mip_count);
        tried.push(Attempt {
            widths,
            seen: walk.seen,
            result,
        });
    }
    tried
}

/// The frame in front of the records.
fn frame(image: &[u8]) -> Result<(TypeTable, Rec), Stop> {
    let mut cursor = Cursor::at(image, 0);
    let head = cursor.record(Head::SHAPE, 0)?;
    let base = head.get(image, Head::base_entity_version);
    let types = TypeTable::read(image, &mut cursor, base)?;
    let counts = cursor.record(Counts::SHAPE, 0)?;
    Ok((types, counts))
}

impl Content for History {
    const FORMAT: &'static str = "sinking-star-history";
    const TITLE: &'static str = "Order of the Sinking Star, undo history (*.history)";
    const ROOT: &'static str = "history";
    const YIELDS_TO_FORCE: bool = true;

    fn recognise(probe: &Probe) -> Likeness {
        save::by_name(probe, ".history")
    }

    fn read(image: &[u8], options: &Options) -> Result<Reading<Self>, Fault> {
        let schema = Schema::of(options, Self::FORMAT)?;
        let version = save::version::<Self>(image)?;
        if !VERSIONS.contains(&version) {
            let why = format!(
                "version {version} is one that the game refuses, it takes 70, 72 and 73; the bytes are shown as they are"
            );
            return Ok(Reading::raw(Finding::new("version", Weight::Damage, why)));
        }
        let (types, counts) = match frame(image) {
            Ok(frame) => frame,
            Err(stop) => return Ok(opaque(&stop)),
        };
        let mip_count = counts.get(image, Counts::mip_count);
        let start = counts.at + counts.size();
        let tried = attempts(image, start, mip_count, &types, schema.as_deref());
        let empty = History {
            types,
            counts,
            mips: Vec::new(),
            current: None,
            tail: None,
            end: start,
            widths: tried.first().map_or(NO_WIDTHS, |one| one.widths),
            schema,
        };
        Ok(chosen(image, version, empty, tried))
    }

    fn tree(save: &Arc<StarSave<Self>>) -> Node {
        super::history_tree::root(save)
    }

    fn summary(save: &StarSave<Self>) -> Vec<(String, String)> {
        let Some(history) = &save.content else {
            return Vec::new();
        };
        let head = Rec::new(Head::SHAPE, 0, 0);
        let records: usize = history.mips.iter().map(|mip| mip.records.len()).sum();
        let next = history.counts.get(&save.image, Counts::next_move_index);
        [
            ("version", head.get(&save.image, Head::version).to_string()),
            ("moves", next.to_string()),
            ("records", records.to_string()),
            ("types", history.types.entries.len().to_string()),
        ]
        .map(|(label, value)| (label.to_owned(), value))
        .into()
    }
}

const NO_WIDTHS: Widths = Widths {
    single_move: SINGLE_MOVES[0],
    deprecated: DEPRECATED[0],
    ocean_change: OCEAN_CHANGES[0],
};

fn opaque(stop: &Stop) -> Reading<History> {
    let why = format!("{stop}; no reading fits, so the bytes are shown as they are");
    Reading::raw(Finding::new("walk", Weight::Damage, why).offset(stop.offset))
}

/// The reading that passes, if exactly one does (section 5.8).
fn chosen(image: &[u8], version: u32, empty: History, tried: Vec<Attempt>) -> Reading<History> {
    let (passed, failed): (Vec<_>, Vec<_>) = tried.into_iter().partition(|one| one.result.is_ok());
    if passed.len() > 1 {
        return ambiguous(image, empty, passed);
    }
    let Some(one) = passed.into_iter().next() else {
        let stops = failed.iter().filter_map(|one| one.result.as_ref().err());
        return match stops.max_by_key(|stop| stop.offset) {
            Some(stop) => opaque(stop),
            None => Reading::whole(empty).closed(CLOSED),
        };
    };
    let (widths, seen) = (one.widths, one.seen);
    let Ok(body) = one.result else {
        return Reading::whole(empty).closed(CLOSED);
    };
    let reading = Reading::whole(History {
        mips: body.mips,
        current: Some(body.current),
        tail: Some(body.tail),
        end: image.len(),
        widths,
        ..empty
    })
    .closed(CLOSED);
    match tentative(version, seen) {
        Some(why) => reading.finding(Finding::new("tentative", Weight::Warning, why)),
        None => reading,
    }
}

fn tentative(version: u32, seen: Seen) -> Option<String> {
    if version != VERSIONS[0] {
        Some(format!(
            "what differs in version {version} is not known; it is read as version 73, and values may be wrong"
        ))
    } else if seen.older {
        Some(
            "a transaction or move is of an older version, whose layout is not known; values may be wrong"
                .to_owned(),
        )
    } else {
        None
    }
}

/// Several readings pass: what stands before the first place where they part is all that is certain.
fn ambiguous(image: &[u8], mut history: History, passed: Vec<Attempt>) -> Reading<History> {
    let readings: Vec<String> = passed
        .iter()
        .map(|one| {
            let w = one.widths;
            format!(
                "moves of {} with elements of {} and ocean changes of {}",
                w.single_move, w.deprecated, w.ocean_change
            )
        })
        .collect();
    let part = passed.iter().filter_map(|one| one.seen.first).min();
    let part = part.unwrap_or(history.end);
    if let Some(Ok(body)) = passed.into_iter().next().map(|one| one.result) {
        keep_before(image, &mut history, body, part);
    }
    let end = history.end;
    let why = format!(
        "several readings fit ({}); what stands before the first move or ocean change is shown",
        readings.join("; ")
    );
    Reading::whole(history)
        .closed(CLOSED)
        .finding(Finding::new("ambiguous", Weight::Warning, why).offset(end))
}

/// Keeps the levels and records that end before `part`.
fn keep_before(image: &[u8], history: &mut History, body: Body, part: usize) {
    for mut mip in body.mips {
        let mut cursor = Cursor::at(image, mip.head.at + mip.head.size());
        if cursor.skip("records", usize::from(S64.width)).is_err() || cursor.offset() > part {
            return;
        }
        history.end = cursor.offset();
        let mut walk = Walk::new(image, history.widths, &history.types);
        let whole = mip.records.iter().take_while(|_| {
            let fits = walk.record(&mut cursor, None).is_ok() && cursor.offset() <= part;
            if fits {
                history.end = cursor.offset();
            }
            fits
        });
        let kept = whole.count();
        let broken = kept < mip.records.len();
        mip.records.truncate(kept);
        history.mips.push(mip);
        if broken {
            return;
        }
    }
}
