//! `tracks/`: the open banks and their three lists of sounds. dreamfactory.md 9.

use super::manifest::file_path;
use super::map::{SOUND_LISTS, TRACKS};
use super::records::{Sound, Track};
use super::save::{DreamSave, Handle};
use crate::tree::build::{Branch, Entry, Listing, Naming, RecordDir, View};
use crate::tree::record::{Field, Rec, Rule, plain};
use crate::tree::{Draft, Node, Refusal};

/// A track of a save.
type OneTrack = (Handle, usize);

/// Numbers of the lists in [`SOUND_LISTS`].
pub const PLAYING: usize = 1;
pub const LOOPING: usize = 2;

const TRACK: &[Entry<OneTrack>] = &[
    ("registered", |t| list(t, 0)),
    ("playing", |t| list(t, PLAYING)),
    ("looping", |t| list(t, LOOPING)),
    ("file", |(save, track)| {
        Some(file_path(save, save.get(save.track(*track), Track::handle)))
    }),
];

pub fn node(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, index: usize| {
        (index < save.map.tracks)
            .then(|| Branch::node(&(Handle::clone(save), index), Track::SHAPE.doc, TRACK))
    };
    Some(Listing::fixed(
        save,
        "open banks of sounds",
        save.names(TRACKS),
        make,
    ))
}

fn list((save, track): &OneTrack, list: usize) -> Option<Node> {
    let count = save.map.sound_count(save.bytes(), *track, list);
    let make: fn(&(Handle, usize, usize), usize) -> Option<Node> = |(save, track, list), index| {
        let rec = save.map.sound(*track, *list, index);
        Some(RecordDir::node(save, rec, View::Readable, rule(*list)))
    };
    let context = (Handle::clone(save), *track, list);
    let doc = match list {
        0 => "what the bank offers, with the loudness it was last played at",
        PLAYING => "what the bank is playing",
        _ => "the order in which it plays",
    };
    Some(Listing::fixed(&context, doc, Naming::numbers(count), make))
}

/// The rule of the records of a list.
pub fn rule(list: usize) -> Rule<DreamSave> {
    if list == PLAYING { mirrored } else { plain }
}

/// What is written to a playing sound is written to the looping sounds of the same place in the bank.
fn mirrored(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    plain(save, rec, field, bytes, draft)?;
    let holds = |track: &usize| {
        let data = save.map.data(save.map.sounds(*track, PLAYING));
        (data.offset..data.offset.saturating_add(data.length)).contains(&rec.at)
    };
    let Some(track) = (0..save.map.tracks).find(holds) else {
        return Ok(());
    };
    let location = save.get(rec, Sound::location);
    for index in 0..save.map.sound_count(save.bytes(), track, LOOPING) {
        let copy = save.map.sound(track, LOOPING, index);
        if save.get(copy, Sound::location) == location {
            plain(save, copy, field, bytes, draft)?;
        }
    }
    Ok(())
}

/// Whether an open bank has a sound of that name.
pub fn has_sound(save: &DreamSave, name: &str) -> bool {
    let lists = (0..save.map.tracks)
        .flat_map(|track| (0..SOUND_LISTS.len()).map(move |list| (track, list)));
    let mut sounds = lists.flat_map(|(track, list)| {
        let count = save.map.sound_count(save.bytes(), track, list);
        (0..count).map(move |index| save.map.sound(track, list, index))
    });
    sounds.any(|sound| save.get(sound, Sound::name).eq_ignore_ascii_case(name))
}
