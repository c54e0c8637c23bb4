//! `containers/` and `envelope/`: every container with every mapped field, and all bytes of the file.

use super::actors;
use super::actors::loop_rec;
use super::envelope::{TABLE, header};
use super::globals;
use super::location;
use super::manifest;
use super::map::{CRICKETS, LOCATION, LOOPS, Role, SOUND_LISTS, WALKS};
use super::props;
use super::records::{Colour, DustView, Lists, TitanicRest, TitanicView};
use super::route;
use super::save::{DreamSave, Handle};
use super::scheduler;
use super::sounds;
use super::walks;
use crate::tree::build::{Branch, Derived, Entry, Listing, Naming, RecordDir, Slice, View};
use crate::tree::record::{Rec, Rule, plain};
use crate::tree::{Draft, Finding, Node, Refusal, Save, Span, Weight};

/// A container of a save.
type One = (Handle, usize);

pub fn node(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, index: usize| {
        let context = (Handle::clone(save), index);
        (index < save.map.envelope.count())
            .then(|| Branch::node(&context, "a container of the file", CONTAINER))
    };
    let names = Naming::numbers(save.map.envelope.count());
    Some(Listing::fixed(
        save,
        "the containers of the file, every field of theirs, and their bytes",
        names,
        make,
    ))
}

const CONTAINER: &[Entry<One>] = &[
    ("role", |(save, index)| {
        let text = role_name(save, save.map.role(*index));
        Some(Derived::node(
            text,
            "string",
            "what the container holds",
            Vec::new(),
        ))
    }),
    ("offset", |(save, index)| {
        let at = TABLE.saturating_add(index.saturating_mul(4));
        let position = save.map.envelope.position(*index);
        Some(Derived::node(
            position,
            "u32",
            "where its header begins in the file",
            vec![Span::new(at, 4)],
        ))
    }),
    ("size", |(save, index)| {
        let data = save.map.data(*index);
        let span = Span::new(data.offset.saturating_sub(4), 4);
        Some(Derived::node(
            data.length,
            "u32",
            "bytes of its data",
            vec![span],
        ))
    }),
    ("data", |(save, index)| {
        let doc = "its bytes; takes as many, when the save stays whole";
        Some(Slice::node(
            save,
            save.map.data(*index),
            doc,
            Some(put_data),
        ))
    }),
    ("padding", |(save, index)| {
        let data = save.map.data(*index);
        let start = data.offset.saturating_add(data.length);
        let end = save.map.envelope.position(index.saturating_add(1));
        Some(Slice::node(
            save,
            Span::new(start, end.saturating_sub(start)),
            "bytes behind it that mean nothing",
            None,
        ))
    }),
    ("header", head),
    ("palette", |(save, index)| {
        (*index == 0).then(|| colours(save))
    }),
    ("records", records),
];

fn role_name(save: &DreamSave, role: Role) -> String {
    let fixed = match role {
        Role::Sounds { track, list } => {
            let track = save.get(save.track(track), super::records::Track::name);
            let list = SOUND_LISTS.get(list).map_or("", |(name, _)| *name);
            return format!("{list} sounds of {track}");
        }
        Role::Payload(rank) => {
            let slot = walks::slot_of_payload(save, rank);
            return slot.map_or("route".into(), |slot| format!("route of walks/{slot}"));
        }
        Role::Manifest => "manifest",
        Role::Location => "location",
        Role::Actors => "actors",
        Role::Casts => "casts",
        Role::Props => "props",
        Role::Shops => "shops",
        Role::Tracks => "tracks",
        Role::Globals => "globals",
        Role::Pool => "string pool",
        Role::Loops => "loops",
        Role::Crickets => "crickets",
        Role::Walks => "walks",
    };
    fixed.to_owned()
}

/// What stands before a container's records.
fn head((save, index): &One) -> Option<Node> {
    let (rec, rule): (Rec, Rule<DreamSave>) = match save.map.role(*index) {
        Role::Manifest => (save.map.manifest(), manifest::rule),
        Role::Globals => (save.map.globals_header(), plain),
        Role::Payload(_) if is_route(save, *index) => (route::head(save, *index), plain),
        _ => return None,
    };
    Some(RecordDir::node(save, rec, View::Everything, rule))
}

fn is_route(save: &DreamSave, container: usize) -> bool {
    let whole = save.map.data(container).length >= route::head(save, container).size();
    save.engine() == super::map::Engine::Titanic && whole
}

fn colours(save: &Handle) -> Node {
    let make = |save: &Handle, index: usize| {
        Some(RecordDir::node(
            save,
            manifest::colour(save, index),
            View::Everything,
            colour_rule,
        ))
    };
    Listing::fixed(
        save,
        Colour::SHAPE.doc,
        Naming::numbers(manifest::COLOURS),
        make,
    )
}

/// One part of one colour, under the same rule as the whole palette.
fn colour_rule(
    save: &DreamSave,
    rec: Rec,
    field: &'static crate::tree::record::Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    plain(save, rec, field, bytes, draft)?;
    let size = rec.size().max(1);
    let index = rec.at.saturating_sub(manifest::colour(save, 0).at) / size;
    let new = [Colour::red, Colour::green, Colour::blue].map(|part| draft.get(rec, part));
    manifest::check_colour(save, index, new)
}

/// How many records a container has.
fn count(save: &DreamSave, container: usize) -> usize {
    match save.map.role(container) {
        Role::Manifest => save.map.files(save.bytes()),
        Role::Location => standpoints(save).len(),
        Role::Actors | Role::Casts | Role::Props | Role::Shops | Role::Tracks => {
            save.map.records(container)
        }
        Role::Sounds { track, list } => save.map.sound_count(save.bytes(), track, list),
        Role::Globals => globals::capacity(save),
        Role::Pool => 0,
        Role::Loops => LOOPS,
        Role::Crickets => CRICKETS,
        Role::Walks => WALKS,
        Role::Payload(_) if is_route(save, container) => route::points(save, container),
        Role::Payload(_) => 0,
    }
}

/// The location is several records over the same bytes.
fn standpoints(save: &DreamSave) -> Vec<(Rec, Rule<DreamSave>)> {
    let rec = |shape| save.map.rec(shape, LOCATION, 0, 0);
    let location: Rule<DreamSave> = location::rule;
    let counts: Rule<DreamSave> = location::count_rule;
    let mut all = vec![(save.location(), location), (rec(Lists::SHAPE), counts)];
    match save.engine() {
        super::map::Engine::Titanic => {
            all.push((rec(TitanicView::SHAPE), location));
            all.push((rec(TitanicRest::SHAPE), location));
        }
        super::map::Engine::Dust => all.push((rec(DustView::SHAPE), location)),
    }
    all
}

fn record(save: &DreamSave, container: usize, index: usize) -> Option<(Rec, Rule<DreamSave>)> {
    let found: (Rec, Rule<DreamSave>) = match save.map.role(container) {
        Role::Manifest => (save.map.file(index), plain),
        Role::Location => return standpoints(save).get(index).copied(),
        Role::Actors => (save.actor(index), actors::rule),
        Role::Casts | Role::Shops => (save.open_file(container, index), plain),
        Role::Props => (save.prop(index), props::rule),
        Role::Tracks => (save.track(index), plain),
        Role::Sounds { track, list } => (save.map.sound(track, list, index), sounds::rule(list)),
        Role::Globals => (save.map.element(index), plain),
        Role::Loops => (loop_rec(&save.map, index), scheduler::loop_rule),
        Role::Crickets => (
            scheduler::cricket(save, index),
            scheduler::cricket_rule(save.engine()),
        ),
        Role::Walks => (save.map.walk(index), walks::rule(save.engine())),
        Role::Payload(_) => (route::point(save, container, index), route::rule),
        Role::Pool => return None,
    };
    Some(found)
}

fn records((save, container): &One) -> Option<Node> {
    let count = count(save, *container);
    let make: fn(&One, usize) -> Option<Node> = |(save, container), index| {
        let (rec, rule) = record(save, *container, index)?;
        Some(RecordDir::node(save, rec, View::Everything, rule))
    };
    let context = (Handle::clone(save), *container);
    (count > 0).then(|| {
        Listing::fixed(
            &context,
            "its records, every field",
            Naming::numbers(count),
            make,
        )
    })
}

/// Raw bytes of a container: as many as there were, and only when a check finds nothing that it did not find before.
fn put_data(save: &Handle, span: Span, bytes: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
    if bytes.len() != span.length {
        let why = format!("{} bytes given; a container keeps its length", bytes.len());
        return Err(Refusal::invalid(why).legal(format!("{} bytes", span.length)));
    }
    draft.put(span.offset, bytes);
    let after = DreamSave::open(draft.bytes().to_vec())
        .map_err(|fault| Refusal::invalid(format!("the save would not open any more: {fault}")))?;
    let heavy = |finding: &Finding| finding.weight >= Weight::Warning;
    let known = save.findings();
    let known: Vec<String> = known
        .iter()
        .filter(|finding| heavy(finding))
        .map(Finding::to_string)
        .collect();
    match after
        .findings()
        .iter()
        .find(|finding| heavy(finding) && !known.contains(&finding.to_string()))
    {
        Some(finding) => Err(Refusal::invalid(format!(
            "the save would be damaged: {finding}"
        ))),
        None => Ok(()),
    }
}

const ENVELOPE: &[Entry<Handle>] = &[
    ("header", |save| {
        Some(RecordDir::node(save, header(), View::Everything, plain))
    }),
    ("header.bin", |save| {
        Some(Slice::node(
            save,
            Span::new(0, TABLE),
            "the file's header as bytes",
            None,
        ))
    }),
    ("table.bin", |save| {
        let length = save.map.envelope.capacity.saturating_mul(4);
        Some(Slice::node(
            save,
            Span::new(TABLE, length),
            "the table of positions as bytes, its unused part included",
            None,
        ))
    }),
];

/// What is outside the containers.
pub fn envelope(save: &Handle) -> Option<Node> {
    Some(Branch::node(
        save,
        "the file around its containers",
        ENVELOPE,
    ))
}
