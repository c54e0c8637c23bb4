//! `loops/` and `crickets/`. dreamfactory.md 11.1, 11.2.

use super::actors::loop_rec;
use super::map::{CRICKETS, Engine, LOOPS};
use super::records::{Cricket, DustCricket, LOOP_KIND, Loop, Prop};
use super::save::{DreamSave, Handle};
use super::sounds::has_sound;
use crate::tree::build::{Listing, Naming, RecordDir, View};
use crate::tree::record::{Field, Rec, Rule, plain};
use crate::tree::{Draft, Errno, Node, Refusal};

/// The kinds of loops that name a record of the save.
pub const ACTOR_LOOP: u16 = 1;
pub const PROP_LOOP: u16 = 2;

pub fn loops(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, slot: usize| {
        let rec = loop_rec(&save.map, slot);
        Some(RecordDir::node(save, rec, View::Readable, loop_rule))
    };
    let doc = "handlers that run again and again";
    Some(Listing::fixed(save, doc, Naming::numbers(LOOPS), make))
}

pub fn crickets(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, slot: usize| {
        let rec = cricket(save, slot);
        Some(RecordDir::node(
            save,
            rec,
            View::Readable,
            cricket_rule(save.engine()),
        ))
    };
    let doc = "sounds that come back by chance";
    Some(Listing::fixed(save, doc, Naming::numbers(CRICKETS), make))
}

pub fn cricket(save: &DreamSave, slot: usize) -> Rec {
    save.map
        .rec(save.map.cricket_shape(), save.map.crickets(), 0, slot)
}

pub fn cricket_rule(engine: Engine) -> Rule<DreamSave> {
    match engine {
        Engine::Titanic => titanic_cricket,
        Engine::Dust => dust_cricket,
    }
}

/// A loop that runs has a legal kind, a period, a handler, and an actor or prop of its name.
pub fn loop_rule(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    plain(save, rec, field, bytes, draft)?;
    if !draft.get(rec, Loop::active) {
        return Ok(());
    }
    if !save.get(rec, Loop::active) {
        draft.set(rec, Loop::busy, 0);
    }
    check_loop(save, rec, draft)
}

fn check_loop(save: &DreamSave, rec: Rec, draft: &Draft) -> Result<(), Refusal> {
    let kind = draft.get(rec, Loop::kind);
    let name = draft.get(rec, Loop::name);
    if !LOOP_KIND.allows(kind.into()) {
        return Err(
            Refusal::invalid("a loop that runs needs a kind: write kind first")
                .legal(LOOP_KIND.words()),
        );
    }
    for (value, field) in [(&name, "name"), (&draft.get(rec, Loop::handler), "handler")] {
        if value.is_empty() {
            return Err(Refusal::invalid(format!(
                "a loop that runs needs a {field}: write {field} first"
            )));
        }
    }
    if draft.get(rec, Loop::period) == 0 {
        return Err(Refusal::invalid(
            "a loop that runs needs a period: write period first",
        ));
    }
    let exists = match kind {
        ACTOR_LOOP => save.find_actor(&name).is_some(),
        PROP_LOOP => save
            .props()
            .any(|prop| save.get(prop, Prop::name).eq_ignore_ascii_case(&name)),
        _ => true,
    };
    if exists {
        return Ok(());
    }
    Err(Refusal::invalid(format!(
        "this save has no {} called {name}",
        LOOP_KIND.show(kind.into())
    )))
}

/// A cricket that sings has a set and a sound of an open track; one that starts gets the values of a fresh one.
fn titanic_cricket(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    plain(save, rec, field, bytes, draft)?;
    if !draft.get(rec, Cricket::active) {
        return Ok(());
    }
    let name = draft.get(rec, Cricket::name);
    let starts = !save.get(rec, Cricket::active);
    if starts && draft.get(rec, Cricket::set).is_empty() {
        return Err(Refusal::invalid(
            "a cricket belongs to a set: write set first",
        ));
    }
    if starts && draft.get(rec, Cricket::jitter) < -1 {
        return Err(
            Refusal::invalid("a cricket needs a jitter: write jitter first").legal("-1 or more"),
        );
    }
    if (starts || field.is(Cricket::name)) && !has_sound(save, &name) {
        return Err(Refusal::invalid(format!(
            "no open track has a sound called {name:?}"
        )));
    }
    if starts {
        draft.set(rec, Cricket::busy, 0);
        draft.set(rec, Cricket::pan, 128);
        draft.set(rec, Cricket::armed, 0);
        draft.set(rec, Cricket::loudness, -1);
    }
    Ok(())
}

/// Dust's crickets are not mapped: one can be ended, and nothing else.
fn dust_cricket(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    if field.is(DustCricket::active) && bytes.iter().any(|b| *b != 0) {
        let why = "how Dust stores a cricket is not known well enough to start one; an active one can be ended";
        return Err(Refusal::new(Errno::NotPermitted, why).legal("0"));
    }
    plain(save, rec, field, bytes, draft)
}
