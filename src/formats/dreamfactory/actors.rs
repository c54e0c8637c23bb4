//! `actors/`: values with their couplings, and instances that come and go. dreamfactory.md 6.

use super::envelope::resize;
use super::location::put_count;
use super::map::{ACTORS, Engine, LOOPS, Map, block_size};
use super::records::{ALPHABET, Actor, Lists, Loop};
use super::save::{DreamSave, Handle};
use super::walks;
use crate::tree::build::{ListRules, Listing, RecordDir, View};
use crate::tree::kind::pascal;
use crate::tree::names::meant;
use crate::tree::node::{Creation, NodeKind};
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{Draft, Errno, Node, Refusal};

pub fn node(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, index: usize| {
        Some(RecordDir::node(
            save,
            save.actor(index),
            View::Editable,
            rule,
        ))
    };
    Some(Node::dir(Listing {
        context: Handle::clone(save),
        doc: "people and animals; mkdir makes a copy of one, rmdir takes a copy away",
        naming: save.names(ACTORS),
        kind: NodeKind::Dir,
        make,
        rules: &Instances,
    }))
}

/// Couplings of an actor's fields. dreamfactory.md 6.
pub fn rule(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let name = save.get(rec, Actor::name);
    if is_walked(field) && walks::active_of(save, &name).is_some() {
        let why = format!(
            "{name} is walking and would overwrite this: end the walk first (walks/<n>/active)"
        );
        return Err(Refusal::new(Errno::Busy, why));
    }
    if field.is(Actor::visible) && bytes.first() != Some(&0) {
        if save.get(rec, Actor::set).is_empty() {
            return Err(Refusal::invalid(format!(
                "{name} is in no set: write its set first"
            )));
        }
        draft.set(rec, Actor::is3d, 1);
    }
    if field.is(Actor::set) {
        let empty = pascal(bytes).is_empty();
        if empty && save.get(rec, Actor::visible) {
            let why = format!("{name} is visible and needs a set: write 0 to visible first");
            return Err(Refusal::invalid(why));
        }
        if !empty || save.engine() == Engine::Titanic {
            draft.set(rec, Actor::is3d, i16::from(!empty));
        }
    }
    if field.is(Actor::pose) {
        draft.set(rec, Actor::step, 0);
    }
    plain(save, rec, field, bytes, draft)
}

/// Fields that an active walk writes on every pass.
fn is_walked(field: &Field) -> bool {
    [Actor::x, Actor::y, Actor::z]
        .iter()
        .any(|token| field.is(*token))
        || [Actor::set, Actor::star, Actor::pose]
            .iter()
            .any(|token| field.is(*token))
}

/// Actors that are copies of others. dreamfactory.md 6.1, 6.2.
struct Instances;

impl ListRules<Handle> for Instances {
    fn creates(&self, _: &Handle, _: &str, what: NodeKind) -> Creation {
        match what {
            NodeKind::Dir => Creation::AtOnce,
            _ => Creation::No,
        }
    }
    fn create(
        &self,
        save: &Handle,
        name: &str,
        value: Option<&[u8]>,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        if value.is_some() {
            return Err(Refusal::not_permitted("an actor is a directory"));
        }
        append(save, name, draft)
    }
    fn removes(&self, save: &Handle, index: usize) -> bool {
        member_of(save, index).is_some()
    }
    fn remove(&self, save: &Handle, index: usize, draft: &mut Draft) -> Result<(), Refusal> {
        take_out(save, index, draft)
    }
}

/// A new actor's name as its record holds it.
fn new_name(save: &DreamSave, file_name: &str) -> Result<String, Refusal> {
    let legal = "2..15 letters and digits, a letter first";
    let name = meant(file_name)?;
    if name.len() > 15 {
        let why = format!("{} characters are too long for a name", name.len());
        return Err(Refusal::new(Errno::TooLong, why).legal(legal));
    }
    let shaped = name.len() >= 2
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric());
    if !shaped {
        return Err(Refusal::invalid("not the name of an actor").legal(legal));
    }
    match save.find_actor(&name) {
        Some(_) => Err(Refusal::new(Errno::Exists, "there is such an actor")),
        None => Ok(name),
    }
}

/// The actor that a new one of this name is a copy of: the longest beginning of the name that is one, or is one with
/// a `1` behind it.
fn source(save: &DreamSave, name: &str) -> Option<Rec> {
    (2..name.len())
        .rev()
        .filter_map(|length| name.get(..length))
        .find_map(|prefix| {
            let exact = save.find_actor(prefix);
            exact
                .or_else(|| save.find_actor(&format!("{prefix}1")))
                .map(|(_, rec)| rec)
        })
}

fn append(save: &DreamSave, file_name: &str, draft: &mut Draft) -> Result<(), Refusal> {
    let name = new_name(save, file_name)?;
    let source = source(save, &name).ok_or_else(|| {
        let why = "an actor can only be a copy of one whose name begins the same, like brown1a1 of brown1, and there is none";
        Refusal::not_permitted(why)
    })?;
    let count = save.map.records(ACTORS);
    let bytes = record_bytes(save, source)?;
    let serial = save
        .actors()
        .map(|rec| save.get(rec, Actor::serial))
        .max()
        .unwrap_or(0);
    let serial = serial
        .checked_add(1)
        .ok_or_else(|| Refusal::new(Errno::NoSpace, "the numbers of actors are used up"))?;
    let used = source.size().saturating_mul(count.saturating_add(1));
    if used > save.map.data(ACTORS).length {
        resize(draft, ACTORS, block_size(save.engine(), used))?;
    }
    let rec = save.actor(count);
    draft.put(rec.at, &bytes);
    let field = ALPHABET.page.encode(&name).unwrap_or_default();
    if let Some(at) = rec.offset(Actor::name.field()) {
        draft.put(at, &[&[field.len() as u8], field.as_slice()].concat());
    }
    draft.set(rec, Actor::serial, serial);
    draft.set(rec, Actor::visible, false);
    put_count(save, Lists::actor_count, count + 1, draft);
    Ok(())
}

fn record_bytes(save: &DreamSave, rec: Rec) -> Result<Vec<u8>, Refusal> {
    let bytes = save.bytes().get(rec.at..rec.at.saturating_add(rec.size()));
    let outside = || Refusal::new(Errno::Damaged, "the record lies outside the save");
    bytes.map(<[u8]>::to_vec).ok_or_else(outside)
}

/// An earlier actor that is the same member of the same cast; only Titanic tells.
fn member_of(save: &DreamSave, index: usize) -> Option<Rec> {
    if save.engine() == Engine::Dust {
        return None;
    }
    let key = |rec| (save.get(rec, Actor::cast), save.get(rec, Actor::logic));
    let own = key(save.actor(index));
    save.actors().take(index).find(|rec| key(*rec) == own)
}

fn take_out(save: &DreamSave, index: usize, draft: &mut Draft) -> Result<(), Refusal> {
    let rec = save.actor(index);
    let name = save.get(rec, Actor::name);
    if save.engine() == Engine::Dust {
        let why = "a save of Dust does not say which actors are copies, so none can go";
        return Err(Refusal::not_permitted(why));
    }
    if member_of(save, index).is_none() {
        let why = format!(
            "{name} is a member of a cast, and every save holds all of them; only copies can go"
        );
        return Err(Refusal::not_permitted(why));
    }
    if let Some(slot) = walks::active_of(save, &name) {
        return Err(Refusal::new(
            Errno::Busy,
            format!("{name} is walking: end walks/{slot} first"),
        ));
    }
    if let Some(slot) = looped(save, &name) {
        return Err(Refusal::new(
            Errno::Busy,
            format!("{name} has a handler running: end loops/{slot} first"),
        ));
    }
    let size = rec.size();
    let count = save.map.records(ACTORS);
    let start = rec.at.saturating_add(size);
    let end = save.actor(count).at;
    let later = save.bytes().get(start..end).unwrap_or_default().to_vec();
    draft.put(rec.at, &later);
    walks::lower_indices(save, index, draft);
    let used = size.saturating_mul(count.saturating_sub(1));
    resize(draft, ACTORS, used)?;
    put_count(save, Lists::actor_count, count.saturating_sub(1), draft);
    Ok(())
}

/// The active loop that runs a handler of this actor.
fn looped(save: &DreamSave, name: &str) -> Option<usize> {
    (0..LOOPS).find(|slot| {
        let rec = loop_rec(&save.map, *slot);
        save.get(rec, Loop::active)
            && save.get(rec, Loop::kind) == super::scheduler::ACTOR_LOOP
            && save.get(rec, Loop::name).eq_ignore_ascii_case(name)
    })
}

pub fn loop_rec(map: &Map, slot: usize) -> Rec {
    map.rec(Loop::SHAPE, map.loops(), 0, slot)
}
