//! D1 to D6 and D8.

use super::Report;
use crate::formats::dreamfactory::envelope::{GRAIN, Header, TABLE, header};
use crate::formats::dreamfactory::map::{
    COUNTED, Engine, LOCATION, MANIFEST, Role, SOUND_LISTS, TRACKS, WALKS,
};
use crate::formats::dreamfactory::records::{
    File, Location, ManifestHead, RouteHead, Sound, Waypoint,
};
use crate::formats::dreamfactory::save::DreamSave;
use crate::formats::dreamfactory::{route, walks};
use crate::tree::Weight;
use std::collections::HashMap;

pub fn check(save: &DreamSave, report: &mut Report) {
    envelope(save, report);
    ids(save, report);
    sizes(save, report);
    sound_lists(save, report);
    handles(save, report);
    payloads(save, report);
}

fn container(index: usize) -> String {
    format!("containers/{index}")
}

/// D1, D2.
fn envelope(save: &DreamSave, report: &mut Report) {
    let declared = save.get(header(), Header::file_size) as usize;
    let length = save.bytes().len();
    if declared != length {
        let text = format!("the header says {declared} bytes, the file has {length}");
        report.tell(Weight::Damage, "D1", "envelope/header/file_size", 4, text);
    }
    let envelope = &save.map.envelope;
    let mut free = TABLE.saturating_add(envelope.capacity.saturating_mul(4));
    for index in 0..envelope.count() {
        let at = envelope.position(index);
        let entry = TABLE + index * 4;
        if !at.is_multiple_of(GRAIN) {
            report.tell(
                Weight::Damage,
                "D2",
                container(index),
                entry,
                format!("position {at} is not a multiple of {GRAIN}"),
            );
        }
        if at < free {
            let text = format!("position {at} lies before {free}, where the part before it ends");
            report.tell(Weight::Damage, "D2", container(index), entry, text);
        }
        let data = envelope.data(index);
        free = free.max(data.offset.saturating_add(data.length));
    }
}

/// D3.
fn ids(save: &DreamSave, report: &mut Report) {
    for index in 0..save.map.envelope.count() {
        let at = save.map.envelope.position(index);
        let id = save
            .bytes()
            .get(at..at.saturating_add(4))
            .and_then(|id| id.try_into().ok());
        let id = id.map_or(0, i32::from_le_bytes);
        if usize::try_from(id).ok() != Some(index) {
            report.tell(
                Weight::Damage,
                "D3",
                container(index),
                at,
                format!("the container says that it is number {id}"),
            );
        }
    }
}

/// D4.
fn sizes(save: &DreamSave, report: &mut Report) {
    let head = save.map.manifest().size();
    let files = save.get(save.map.manifest(), ManifestHead::file_count) as usize;
    let manifest = save.map.data(MANIFEST);
    let used = files.saturating_mul(File::SIZE[0]).saturating_add(head);
    let fits = match save.engine() {
        Engine::Titanic => manifest.length == used,
        Engine::Dust => manifest.length >= used,
    };
    if !fits {
        let text = format!(
            "{} bytes do not go with the {files} file records, which take {used}",
            manifest.length
        );
        report.tell(
            Weight::Damage,
            "D4",
            container(MANIFEST),
            manifest.offset,
            text,
        );
    }
    if save.engine() == Engine::Dust {
        return;
    }
    for list in &COUNTED {
        let size = list.shape.size.get(save.map.layout()).copied();
        whole(save, list.container, size.unwrap_or(1), "records", report);
    }
    for index in 0..save.map.envelope.count() {
        if let Role::Sounds { .. } = save.map.role(index) {
            whole(save, index, Sound::SIZE[0], "sounds", report);
        }
    }
}

/// Titanic's lists end with a record.
fn whole(save: &DreamSave, index: usize, size: usize, what: &str, report: &mut Report) {
    let data = save.map.data(index);
    if data.length.is_multiple_of(size.max(1)) {
        return;
    }
    let text = format!(
        "{} bytes are no whole number of {what} of {size}",
        data.length
    );
    report.tell(Weight::Damage, "D4", container(index), data.offset, text);
}

/// D5, and D4 for Dust, whose lists may be longer than what they count.
fn sound_lists(save: &DreamSave, report: &mut Report) {
    for track in 0..save.map.tracks {
        let rec = save.track(track);
        for (list, (name, token)) in SOUND_LISTS.iter().enumerate() {
            let count = usize::from(save.get(rec, *token));
            let index = save.map.sounds(track, list);
            let room = save.map.room(Sound::SHAPE, index, 0);
            let (code, wrong) = match save.engine() {
                Engine::Titanic => ("D5", count != room),
                Engine::Dust => ("D4", count > room),
            };
            if wrong {
                let path = save.path_of(TRACKS, "tracks", track);
                let at = rec.offset(token.field()).unwrap_or(rec.at);
                let text =
                    format!("the track counts {count} {name} sounds, its list has room for {room}");
                report.tell(Weight::Damage, code, format!("{path}/{name}"), at, text);
            }
        }
    }
}

/// D6.
fn handles(save: &DreamSave, report: &mut Report) {
    let mut seen: HashMap<u32, usize> = HashMap::new();
    for (index, file) in save.files().enumerate() {
        let handle = save.get(file, File::handle);
        if let Some(first) = seen.insert(handle, index) {
            let text = format!("the same handle as files/{first}, 0x{handle:08x}");
            report.tell(
                Weight::Damage,
                "D6",
                format!("files/{index}"),
                file.at,
                text,
            );
        }
    }
    let rec = save.location();
    let handle = save.get(rec, Location::set_handle);
    if save.file_of(handle).is_none() {
        let at = rec.offset(Location::set_handle.field()).unwrap_or(0);
        let text = format!(
            "the set's handle 0x{handle:08x} names no file, so the game cannot find the room"
        );
        report.tell(
            Weight::Damage,
            "D6",
            format!("{}/records/0/set_handle", container(LOCATION)),
            at,
            text,
        );
    }
}

/// D8.
fn payloads(save: &DreamSave, report: &mut Report) {
    let declared = (0..WALKS)
        .filter(|slot| walks::has_payload(save, *slot))
        .count();
    let there = save.map.payloads();
    if declared != there {
        let text = format!("{declared} walks have a route, {there} containers hold one");
        report.tell(Weight::Damage, "D8", "walks", save.map.walk(0).at, text);
    }
    if save.engine() == Engine::Dust {
        return;
    }
    for rank in 0..there {
        let index = save.map.payload(rank);
        let data = save.map.data(index);
        let head = RouteHead::SIZE[0];
        let count = match data.length < head {
            true => usize::MAX,
            false => save.get(route::head(save, index), RouteHead::count) as usize,
        };
        let used = count.saturating_mul(Waypoint::SIZE[0]).saturating_add(head);
        if used > data.length {
            let text = format!("{} bytes do not hold the points of the route", data.length);
            report.tell(Weight::Damage, "D8", container(index), data.offset, text);
        }
    }
}
