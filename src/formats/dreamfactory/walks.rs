//! `walks/`: actors on their way. dreamfactory.md 11.3, 11.4.

use super::envelope;
use super::map::{Engine, WALKS};
use super::records::{DustWalk, Walk};
use super::route;
use super::save::{DreamSave, Handle};
use crate::tree::build::{Entry, Listing, Naming, RecordDir, View};
use crate::tree::kind::integer;
use crate::tree::record::{Field, Rec, Rule, Token, plain};
use crate::tree::{Draft, Errno, Node, Refusal};

pub const TURN: i16 = 0;
pub const LINE: i16 = 1;
pub const ROUTE: i16 = 3;
/// What the payload word of a walk with a route holds: any value that is not 0 does.
pub const PAYLOAD_WORD: u32 = 0x00A6_B4B0;
/// Units of a cell of a set of Dust.
const CELL: i16 = 256;

pub fn node(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, slot: usize| {
        let more: &'static [Entry<(Handle, Rec)>] = match save.engine() {
            Engine::Titanic => ROUTES,
            Engine::Dust => &[],
        };
        Some(RecordDir::with(
            save,
            save.map.walk(slot),
            View::Readable,
            rule(save.engine()),
            more,
        ))
    };
    let doc = "actors on their way";
    Some(Listing::fixed(save, doc, Naming::numbers(WALKS), make))
}

const ROUTES: &[Entry<(Handle, Rec)>] = &[
    ("waypoints", |(save, rec)| {
        route::waypoints(save, slot_of(save, *rec)?)
    }),
    ("route", |(save, rec)| {
        route::leaf(save, slot_of(save, *rec)?)
    }),
];

pub fn rule(engine: Engine) -> Rule<DreamSave> {
    match engine {
        Engine::Titanic => titanic,
        Engine::Dust => dust,
    }
}

fn slot_of(save: &DreamSave, rec: Rec) -> Option<usize> {
    rec.at
        .checked_sub(save.map.walk(0).at)?
        .checked_div(rec.size())
}

/// What the two engines' walks have in common.
struct Common {
    active: Token<crate::tree::record::Flag>,
    payload: Token<u32>,
    actor: Token<super::records::Pstr16>,
}

fn common(save: &DreamSave) -> Common {
    match save.engine() {
        Engine::Titanic => Common {
            active: Walk::active,
            payload: Walk::payload,
            actor: Walk::actor,
        },
        Engine::Dust => Common {
            active: DustWalk::active,
            payload: DustWalk::payload,
            actor: DustWalk::actor,
        },
    }
}

pub fn is_active(save: &DreamSave, slot: usize) -> bool {
    save.get(save.map.walk(slot), common(save).active)
}

pub fn actor_of(save: &DreamSave, slot: usize) -> String {
    save.get(save.map.walk(slot), common(save).actor)
}

/// The active slot that walks this actor.
pub fn active_of(save: &DreamSave, actor: &str) -> Option<usize> {
    (0..WALKS)
        .find(|slot| is_active(save, *slot) && actor_of(save, *slot).eq_ignore_ascii_case(actor))
}

/// Whether a slot has a payload container.
pub fn has_payload(save: &DreamSave, slot: usize) -> bool {
    is_active(save, slot) && save.get(save.map.walk(slot), common(save).payload) != 0
}

/// The container with the slot's route: the payload containers follow the slots that have one, in order.
pub fn payload_container(save: &DreamSave, slot: usize) -> usize {
    save.map
        .payload((0..slot).filter(|other| has_payload(save, *other)).count())
}

/// The slot whose route is in the payload container of this rank.
pub fn slot_of_payload(save: &DreamSave, rank: usize) -> Option<usize> {
    (0..WALKS).filter(|slot| has_payload(save, *slot)).nth(rank)
}

/// Active walks that hint at a later actor than the one that goes hint one lower (6.2).
pub fn lower_indices(save: &DreamSave, removed: usize, draft: &mut Draft) {
    for slot in (0..WALKS).filter(|slot| is_active(save, *slot)) {
        let rec = save.map.walk(slot);
        let index = save.get(rec, Walk::actor_index);
        if index as usize > removed {
            draft.set(rec, Walk::actor_index, index.saturating_sub(1));
        }
    }
}

/// The actor exists and, where this walk is to run, no other one has it.
fn check_actor(save: &DreamSave, rec: Rec, actor: &str, runs: bool) -> Result<usize, Refusal> {
    let Some((index, _)) = save.find_actor(actor) else {
        return Err(Refusal::invalid(format!(
            "this save has no actor called {actor:?}"
        )));
    };
    let other = active_of(save, actor).filter(|slot| save.map.walk(*slot).at != rec.at);
    match other.filter(|_| runs) {
        Some(slot) => Err(Refusal::new(
            Errno::Busy,
            format!("{actor} is walking already: end walks/{slot} first"),
        )),
        None => Ok(index),
    }
}

/// Readies a Titanic slot for its actor: existence, no second walk, the index word, and a hint about the pose.
fn take_actor(save: &DreamSave, rec: Rec, draft: &mut Draft) -> Result<(), Refusal> {
    let actor = draft.get(rec, Walk::actor);
    let runs = draft.get(rec, Walk::active);
    let index = check_actor(save, rec, &actor, runs)?;
    draft.set(rec, Walk::actor_index, u32::try_from(index).unwrap_or(0));
    let pose = save.get(save.actor(index), super::records::Actor::pose);
    let walks = draft.get(rec, Walk::r#type) != TURN;
    if walks && runs && !pose.to_ascii_lowercase().starts_with("walk") {
        draft.caution(format!(
            "the pose of {actor} is {pose}: it will glide unless it is a walk"
        ));
    }
    Ok(())
}

fn titanic(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    if field.is(Walk::active) {
        return match integer(bytes, 2, false) {
            0 => end(save, rec, Walk::active, Walk::payload, draft),
            _ => start(save, rec, draft),
        };
    }
    let active = save.get(rec, Walk::active);
    if field.is(Walk::r#type) && active {
        let why = "the walk is under way: end it (active) before it becomes another kind";
        return Err(Refusal::new(Errno::Busy, why));
    }
    plain(save, rec, field, bytes, draft)?;
    if field.is(Walk::r#type) && ![TURN, LINE, ROUTE].contains(&draft.get(rec, Walk::r#type)) {
        return Err(
            Refusal::invalid("no game of this engine has such a walk").legal("turn, line, route")
        );
    }
    if field.is(Walk::actor) {
        take_actor(save, rec, draft)?;
    }
    let measures = field.is(Walk::progress) || field.is(Walk::dist);
    if active && measures {
        check_way(save, rec, draft)?;
    }
    Ok(())
}

/// The way covered lies on the way.
fn check_way(save: &DreamSave, rec: Rec, draft: &Draft) -> Result<(), Refusal> {
    let progress = draft.get(rec, Walk::progress);
    let length = match draft.get(rec, Walk::r#type) {
        LINE => i64::from(draft.get(rec, Walk::dist)),
        ROUTE => route::total(save, rec),
        _ => return Ok(()),
    };
    if length <= 0 {
        return Err(Refusal::invalid("a line needs a length in dist").legal("1..2147483647"));
    }
    if !(0..=length).contains(&i64::from(progress)) {
        let why = format!("the way covered, {progress}, is not on the way of {length}");
        return Err(Refusal::invalid(why).legal(format!("0..{length}")));
    }
    Ok(())
}

/// Starts a turn or a line; a route starts when its points are written.
fn start(save: &DreamSave, rec: Rec, draft: &mut Draft) -> Result<(), Refusal> {
    match save.get(rec, Walk::r#type) {
        TURN => {}
        LINE => check_way(save, rec, draft)?,
        ROUTE => {
            let why = "a walk along a route starts when its points are written: write route";
            return Err(Refusal::not_permitted(why));
        }
        _ => return Err(Refusal::invalid("write type first").legal("turn, line")),
    }
    draft.set(rec, Walk::payload, 0);
    set_off(save, rec, draft)
}

/// Makes a Titanic slot active whose kind is settled.
pub fn set_off(save: &DreamSave, rec: Rec, draft: &mut Draft) -> Result<(), Refusal> {
    let fields = [
        Walk::paused.field(),
        Walk::turn_to.field(),
        Walk::deg.field(),
    ];
    check_fields(save, rec, &fields)?;
    draft.set(rec, Walk::active, true);
    take_actor(save, rec, draft)
}

/// A free slot may hold anything; a walk that starts from it may not.
fn check_fields(save: &DreamSave, rec: Rec, fields: &[&'static Field]) -> Result<(), Refusal> {
    for field in fields {
        let kind = field.kind(rec.layout);
        let shown = kind.show(rec.bytes(save.bytes(), field), &field.legal);
        kind.parse(&shown, &field.legal, &[])
            .map_err(|mut refusal| {
                let value = String::from_utf8_lossy(&shown);
                refusal.why = format!(
                    "{} is {value}, {}: write {} first",
                    field.name, refusal.why, field.name
                );
                refusal
            })?;
    }
    Ok(())
}

/// Ends a walk and takes its route away; the slot keeps its text.
fn end(
    save: &DreamSave,
    rec: Rec,
    active: Token<crate::tree::record::Flag>,
    payload: Token<u32>,
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let slot = slot_of(save, rec).unwrap_or(WALKS);
    if has_payload(save, slot) {
        let container = payload_container(save, slot);
        draft.set(rec, payload, 0);
        draft.set(rec, active, false);
        return envelope::remove(draft, container);
    }
    draft.set(rec, active, false);
    Ok(())
}

fn dust(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    if field.is(DustWalk::active) {
        return match integer(bytes, 2, false) {
            0 => end(save, rec, DustWalk::active, DustWalk::payload, draft),
            _ => start_dust(save, rec, draft),
        };
    }
    plain(save, rec, field, bytes, draft)?;
    if field.is(DustWalk::x) {
        put_cell(rec, DustWalk::x, DustWalk::column, draft);
    } else if field.is(DustWalk::y) {
        put_cell(rec, DustWalk::y, DustWalk::row, draft);
    }
    if !save.get(rec, DustWalk::active) {
        return Ok(());
    }
    if field.is(DustWalk::dist) {
        check_dust_length(rec, draft)?;
    }
    if field.is(DustWalk::remaining) || field.is(DustWalk::dist) {
        check_dust_way(rec, draft)?;
    }
    Ok(())
}

/// The cell of a destination follows from its place.
fn put_cell(rec: Rec, place: Token<i16>, cell: Token<i16>, draft: &mut Draft) {
    draft.set(rec, cell, draft.get(rec, place).div_euclid(CELL));
}

/// What goes somewhere has a length; a turn has neither (11.4).
fn check_dust_length(rec: Rec, draft: &Draft) -> Result<(), Refusal> {
    let goes = [DustWalk::dx, DustWalk::dy, DustWalk::dz]
        .iter()
        .any(|delta| draft.get(rec, *delta) != 0);
    if goes && draft.get(rec, DustWalk::dist) <= 0 {
        let why = "a line needs a length in dist; a turn has 0 in dx, dy and dz";
        return Err(Refusal::invalid(why));
    }
    Ok(())
}

fn check_dust_way(rec: Rec, draft: &Draft) -> Result<(), Refusal> {
    let (dist, left) = (
        draft.get(rec, DustWalk::dist),
        draft.get(rec, DustWalk::remaining),
    );
    if dist > 0 && !(0..=dist).contains(&left) {
        let why = format!("the way left, {left}, is not on the way of {dist}");
        return Err(Refusal::invalid(why).legal(format!("0..{dist}")));
    }
    Ok(())
}

fn start_dust(save: &DreamSave, rec: Rec, draft: &mut Draft) -> Result<(), Refusal> {
    if save.get(rec, DustWalk::payload) != 0 {
        let why = "this walk had a route, and how Dust stores one is not known: use another slot";
        return Err(Refusal::not_permitted(why));
    }
    check_dust_length(rec, draft)?;
    check_fields(
        save,
        rec,
        &[DustWalk::turn_to.field(), DustWalk::deg.field()],
    )?;
    check_dust_way(rec, draft)?;
    check_actor(save, rec, &save.get(rec, DustWalk::actor), true)?;
    put_cell(rec, DustWalk::x, DustWalk::column, draft);
    put_cell(rec, DustWalk::y, DustWalk::row, draft);
    draft.set(rec, DustWalk::active, true);
    Ok(())
}
