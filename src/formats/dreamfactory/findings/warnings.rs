//! W1 to W4 and W6 to W9, and the version gate of 4.1.

use super::Report;
use crate::formats::dreamfactory::actors::loop_rec;
use crate::formats::dreamfactory::envelope::{Header, TABLE, header};
use crate::formats::dreamfactory::globals::{self, NUMBER};
use crate::formats::dreamfactory::manifest::{COLOURS, colour};
use crate::formats::dreamfactory::map::{
    ACTORS, COUNTED, Engine, LOCATION, LOOPS, MANIFEST, WALKS,
};
use crate::formats::dreamfactory::records::{
    Actor, Colour, DustView, Element, File, LOOP_KIND, Loop, ManifestHead, OpenFile, Prop,
    RouteHead, TitanicView, Track, Walk, Waypoint,
};
use crate::formats::dreamfactory::save::DreamSave;
use crate::formats::dreamfactory::{route, walks};
use crate::tree::record::{Rec, Token};
use crate::tree::{Finding, Weight};
use std::collections::HashSet;

pub fn check(save: &DreamSave, report: &mut Report) {
    gate(save, report);
    envelope(save, report);
    counts(save, report);
    handles(save, report);
    palette(save, report);
    loops(save, report);
    walking(save, report);
    routes(save, report);
    actors(save, report);
    disk(save, report);
    stamps(save, report);
}

/// Section 4.1: a spelling that the game's own loader refuses.
fn gate(save: &DreamSave, report: &mut Report) {
    let version = save.get(save.map.manifest(), ManifestHead::version);
    let own = match save.engine() {
        Engine::Titanic => "Titanic 1.0",
        Engine::Dust => "dust 0.3",
    };
    if version == own {
        return;
    }
    let text = format!("the game loads only saves of version {own:?}, this one says {version:?}");
    let finding = Finding::new("4.1", Weight::Caution, text)
        .path("version")
        .offset(save.map.manifest().at);
    report.add(match version.eq_ignore_ascii_case(own) {
        true => finding.repair("version", own),
        false => finding,
    });
}

/// W1.
fn envelope(save: &DreamSave, report: &mut Report) {
    let envelope = &save.map.envelope;
    let canonical = envelope.count().div_ceil(128).saturating_mul(128);
    if envelope.capacity != canonical {
        let text = format!(
            "a table for {} positions, games make one for {canonical}",
            envelope.capacity
        );
        report.tell(Weight::Warning, "W1", "envelope/header/capacity", 16, text);
    }
    for (token, name) in [
        (Header::gap_type, "gap_type"),
        (Header::gap_position, "gap_position"),
    ] {
        let value = save.get(header(), token);
        if value != 0 {
            let at = header().offset(token.field()).unwrap_or(0);
            report.tell(
                Weight::Warning,
                "W1",
                format!("envelope/header/{name}"),
                at,
                format!("{value}, games write 0"),
            );
        }
    }
    let mut expected = TABLE.saturating_add(envelope.capacity.saturating_mul(4));
    for index in 0..envelope.count() {
        let at = envelope.position(index);
        if at != expected {
            let text = format!("at {at}, games would put it at {expected}");
            report.tell(
                Weight::Warning,
                "W1",
                format!("containers/{index}"),
                TABLE + index * 4,
                text,
            );
        }
        expected = envelope.end(index);
    }
    if expected != envelope.length {
        let text = format!(
            "the file ends at {}, games would end it at {expected}",
            envelope.length
        );
        report.tell(Weight::Warning, "W1", "envelope", envelope.length, text);
    }
}

/// W2.
fn counts(save: &DreamSave, report: &mut Report) {
    for list in &COUNTED {
        let count = save.get(save.map.lists(), list.count);
        let records = save.map.records(list.container);
        if usize::try_from(count).ok() == Some(records) {
            continue;
        }
        let mut text = format!("the location counts {count}, the list has {records}");
        if (count as usize) < records {
            let first = save.path_of(list.container, list.directory, count as usize);
            text.push_str(&format!(
                "; the game may not see {first} and what follows it"
            ));
        }
        let field = list.count.field();
        let path = format!("containers/{LOCATION}/records/1/{}", field.name);
        let at = save.map.lists().offset(field).unwrap_or(0);
        let finding = Finding::new("W2", Weight::Warning, text)
            .path(list.directory)
            .offset(at);
        report.add(finding.repair(path, records.to_string()));
    }
}

/// W3.
fn handles(save: &DreamSave, report: &mut Report) {
    let known: HashSet<u32> = save
        .files()
        .map(|file| save.get(file, File::handle))
        .collect();
    let mut need = |rec: Rec, token: Token<u32>, may_be_none: bool, path: &dyn Fn() -> String| {
        let handle = save.get(rec, token);
        if known.contains(&handle) || (handle == 0 && may_be_none) {
            return;
        }
        let at = rec.offset(token.field()).unwrap_or(rec.at);
        let text = format!("the handle 0x{handle:08x} names no file of the save");
        report.tell(Weight::Warning, "W3", path(), at, text);
    };
    let head = save.map.manifest();
    let (titanic, dust) = (
        save.standpoint(TitanicView::SHAPE),
        save.standpoint(DustView::SHAPE),
    );
    let theme = [
        (head, ManifestHead::loop_bank, "theme/loop_bank"),
        (head, ManifestHead::playing_bank, "theme/playing_bank"),
    ];
    let place: &[(Rec, Token<u32>, &str)] = match save.engine() {
        Engine::Titanic => &[(titanic, TitanicView::stage_handle, "location/stage_file")],
        Engine::Dust => &[
            (dust, DustView::flat_handle, "location/flat_file"),
            (dust, DustView::puppet_handle, "location/puppet_file"),
        ],
    };
    for (rec, token, path) in theme.iter().chain(place) {
        need(*rec, *token, true, &|| (*path).to_owned());
    }
    let tokens = [
        Actor::cast,
        OpenFile::handle,
        Prop::shop,
        OpenFile::handle,
        Track::handle,
    ];
    for (list, token) in COUNTED.iter().zip(tokens) {
        for index in 0..save.map.records(list.container) {
            let rec = save.map.rec(list.shape, list.container, 0, index);
            need(rec, token, false, &|| {
                save.path_of(list.container, list.directory, index)
            });
        }
    }
}

/// W4.
fn palette(save: &DreamSave, report: &mut Report) {
    for index in 0..COLOURS {
        let rec = colour(save, index);
        let stored = save.get(rec, Colour::index);
        if usize::try_from(stored).ok() != Some(index) {
            let path = format!("containers/{MANIFEST}/palette/{index}");
            report.tell(
                Weight::Warning,
                "W4",
                path,
                rec.at,
                format!("the colour says that it is number {stored}"),
            );
        }
    }
}

/// W6, loops.
fn loops(save: &DreamSave, report: &mut Report) {
    for slot in 0..LOOPS {
        let rec = loop_rec(&save.map, slot);
        if !save.get(rec, Loop::active) {
            continue;
        }
        let kind = save.get(rec, Loop::kind);
        if LOOP_KIND.name_of(kind.into()).is_none() {
            report.tell(
                Weight::Warning,
                "W6",
                format!("loops/{slot}"),
                rec.at,
                format!("runs, and {kind} is no kind of loop"),
            );
        }
        if save.get(rec, Loop::handler).is_empty() {
            report.tell(
                Weight::Warning,
                "W6",
                format!("loops/{slot}"),
                rec.at,
                "runs, and has no handler",
            );
        }
    }
}

/// W6, walks.
fn walking(save: &DreamSave, report: &mut Report) {
    for slot in (0..WALKS).filter(|slot| walks::is_active(save, *slot)) {
        let rec = save.map.walk(slot);
        let path = format!("walks/{slot}");
        let actor = walks::actor_of(save, slot);
        if save.find_actor(&actor).is_none() {
            report.tell(
                Weight::Warning,
                "W6",
                path.clone(),
                rec.at,
                format!("walks {actor:?}, which is no actor of the save"),
            );
        }
        if save.engine() == Engine::Dust {
            continue;
        }
        let is_route = save.get(rec, Walk::r#type) == walks::ROUTE;
        if is_route != walks::has_payload(save, slot) {
            let text = match is_route {
                true => "walks along a route and has none",
                false => "has a route and does not walk along it",
            };
            report.tell(Weight::Warning, "W6", path, rec.at, text);
        }
    }
}

/// W6, routes.
fn routes(save: &DreamSave, report: &mut Report) {
    if save.engine() == Engine::Dust {
        return;
    }
    for rank in 0..save.map.payloads() {
        let index = save.map.payload(rank);
        if save.map.data(index).length < RouteHead::SIZE[0] {
            continue;
        }
        let head = route::head(save, index);
        let legs = (0..route::points(save, index)).map(|point| route::point(save, index, point));
        let sum: u64 = legs
            .map(|rec| u64::from(save.get(rec, Waypoint::length)))
            .sum();
        let total = save.get(head, RouteHead::total);
        if u64::from(total) != sum {
            let path = match walks::slot_of_payload(save, rank) {
                Some(slot) => format!("walks/{slot}/route"),
                None => format!("containers/{index}"),
            };
            report.tell(
                Weight::Warning,
                "W6",
                path,
                head.at,
                format!("a route of {total} whose legs add up to {sum}"),
            );
        }
    }
}

/// W7.
fn actors(save: &DreamSave, report: &mut Report) {
    for (index, rec) in save.actors().enumerate() {
        if !save.get(rec, Actor::visible) {
            continue;
        }
        let path = || save.path_of(ACTORS, "actors", index);
        if save.get(rec, Actor::set).is_empty() {
            report.tell(
                Weight::Warning,
                "W7",
                path(),
                rec.at,
                "is visible and in no set",
            );
        }
        if save.get(rec, Actor::is3d) == 0 {
            report.tell(
                Weight::Warning,
                "W7",
                path(),
                rec.at,
                "is visible and not placed in the world",
            );
        }
    }
}

/// W8.
fn disk(save: &DreamSave, report: &mut Report) {
    if save.engine() == Engine::Dust {
        return;
    }
    let head = save.map.manifest();
    let disk = save.get(head, ManifestHead::disk);
    let path = save.get(head, ManifestHead::path_3);
    let prefix = path.split(':').next().unwrap_or_default();
    if !prefix.eq_ignore_ascii_case(&disk) {
        let at = head.offset(ManifestHead::disk.field()).unwrap_or(head.at);
        let text = format!(
            "the disc is {disk}, and paths/3 is on {prefix}; paths/3, 4 and 5 should go with it"
        );
        report.tell(Weight::Caution, "W8", "disk", at, text);
    }
}

/// Variables that hold a frame of the past, beside those whose name ends in `frame`. dreamfactory.md 10.4.
const STAMPS: [&str; 1] = ["lastsail"];

/// W9.
fn stamps(save: &DreamSave, report: &mut Report) {
    let rec = save.location();
    let token = crate::formats::dreamfactory::records::Location::frame;
    let frame = i64::from(save.get(rec, token));
    for element in globals::live(save) {
        let value = i64::from(save.get(element, Element::value));
        if save.get(element, Element::r#type) != NUMBER || value <= frame {
            continue;
        }
        let name = globals::name(save, element).to_ascii_lowercase();
        if name.ends_with("frame") || STAMPS.contains(&name.as_str()) {
            let at = rec.offset(token.field()).unwrap_or(rec.at);
            let text = format!("frame {frame} is before {value}, which the variable {name} holds");
            report.tell(Weight::Caution, "W9", "location/frame", at, text);
        }
    }
}
