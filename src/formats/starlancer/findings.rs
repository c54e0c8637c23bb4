//! What a check finds, and what a user wants to know first.

use super::container::State;
use super::records::{KNOWN, RANK, TIER, VERS, meaning, number};
use super::rules::{self, Level};
use super::{Campaign, slot, tree};
use crate::codec::codepage::CodePage;
use crate::codec::iff::{Chunk, FORM};
use crate::tree::{Finding, Weight, walk};
use std::sync::Arc;

/// Bytes that the port reads of a save. starlancer.md 2.1, rule 11.
const READ_BY_THE_PORT: usize = 65_536;

pub fn all(save: &Campaign) -> Vec<Finding> {
    let mut found = damage(save);
    found.extend(container(save));
    for (index, chunk) in save.container.chunks().iter().enumerate() {
        found.extend(length(save, index, chunk));
        found.extend(unread(save, index, chunk));
    }
    found.extend(values(save));
    found.extend(ruled(save));
    found.extend(beside(save));
    found
}

fn damage(save: &Campaign) -> Vec<Finding> {
    let chunks = save.container.chunks().iter().enumerate();
    let cut = chunks.filter_map(|(index, chunk)| {
        let text = if chunk.is_short_form() {
            "a form too short for its type ends the walk".to_owned()
        } else if !chunk.is_whole() {
            format!(
                "cut short: {} of {} bytes are there",
                chunk.present, chunk.length
            )
        } else {
            return None;
        };
        Some(at_chunk("CUT", Weight::Damage, index, chunk, text))
    });
    let rest = &save.container.walk.rest;
    let stray = (!rest.is_empty()).then(|| {
        let text = format!("{} bytes of the form belong to no chunk", rest.len());
        Finding::new("STRAY", Weight::Damage, text).offset(rest.start)
    });
    cut.chain(stray).collect()
}

fn container(save: &Campaign) -> Vec<Finding> {
    let mut found = Vec::new();
    let (file, form) = (save.image.len(), &save.container.form);
    if save.container.state == State::Loose {
        let text = format!(
            "the form is at {} and says {} bytes, a file of {file} wants it at 0 with {}; the name cannot change its length",
            form.start,
            save.container.form_length,
            file.saturating_sub(8)
        );
        found.push(
            Finding::new("LOOSE", Weight::Warning, text).offset(form.start.saturating_add(4)),
        );
    }
    if file > READ_BY_THE_PORT {
        let text = format!("{file} bytes; the port reads no save of more than {READ_BY_THE_PORT}");
        found.push(Finding::new("LARGE", Weight::Warning, text));
    }
    let missing = KNOWN
        .iter()
        .filter(|(id, _)| save.container.first(*id).is_none());
    found.extend(missing.map(|(id, _)| {
        let text = format!(
            "there is no {} chunk, so its values are not there",
            id_text(*id)
        );
        Finding::new("MISSING", Weight::Note, text)
    }));
    found
}

/// A record with too many or too few bytes. starlancer.md 2.1, rule 6.
fn length(save: &Campaign, index: usize, chunk: &Chunk) -> Option<Finding> {
    let (_, size) = save
        .container
        .records()
        .find(|(first, _)| *first == chunk)?;
    let length = chunk.length as usize;
    if length > size {
        let over = length - size;
        let text =
            format!("{over} bytes too long: the game overruns its memory when it loads this");
        return Some(at_chunk("LONG", Weight::Warning, index, chunk, text));
    }
    let text = format!("{length} of {size} bytes: the values that are cut off are not there");
    (length < size).then(|| at_chunk("SHORT", Weight::Note, index, chunk, text))
}

/// A chunk that the game passes over.
fn unread(save: &Campaign, index: usize, chunk: &Chunk) -> Option<Finding> {
    if save.container.counts(chunk) {
        return version(save, index, chunk);
    }
    let text = match KNOWN.iter().any(|(id, _)| *id == chunk.id) {
        true => "a second chunk of this id, which nothing reads",
        false if chunk.id == FORM => "a form inside the form, which nothing reads",
        false => "an unknown chunk, which nothing reads",
    };
    let text = format!("{}: {text}", id_text(chunk.id));
    Some(at_chunk("UNREAD", Weight::Note, index, chunk, text))
}

fn version(save: &Campaign, index: usize, chunk: &Chunk) -> Option<Finding> {
    let body = save.image.get(chunk.body()).filter(|_| chunk.id == VERS)?;
    let word = body.get(..4)?;
    let text = format!("version {word:?} instead of 1, which nothing checks");
    (word != [1, 0, 0, 0]).then(|| at_chunk("VERS", Weight::Note, index, chunk, text))
}

fn at_chunk(
    code: &'static str,
    weight: Weight,
    index: usize,
    chunk: &Chunk,
    text: String,
) -> Finding {
    Finding::new(code, weight, text)
        .path(format!("chunks/{index}"))
        .offset(chunk.at)
}

fn id_text(id: [u8; 4]) -> String {
    CodePage::Windows1252.decode(&id)
}

/// Values that were found outside their range.
fn values(save: &Campaign) -> Vec<Finding> {
    let mut found = Vec::new();
    let campaign = tree::campaign(&Arc::new(save.clone()));
    walk::leaves(&campaign, "campaign", &mut |path, leaf| {
        if let Some(refusal) = leaf.out_of_range() {
            let text = format!("{}: {refusal}", walk::one_line(&**leaf));
            let finding = Finding::new("RANGE", Weight::Note, text).path(path);
            found.push(match leaf.spans().first() {
                Some(span) => finding.offset(span.offset),
                None => finding,
            });
        }
    });
    found
}

fn ruled(save: &Campaign) -> Vec<Finding> {
    let weigh = |level| match level {
        Level::Refuse => Some(Weight::Caution),
        Level::Warn => Some(Weight::Note),
        Level::Inform => None,
    };
    let broken = rules::broken(save).into_iter();
    broken
        .filter_map(|(rule, breach)| {
            let weight = weigh(rule.level)?;
            Some(Finding::new(rule.code, weight, breach.why).path(rule.path))
        })
        .collect()
}

/// What stands beside the save, or fails to. starlancer.md 1 and 11.
fn beside(save: &Campaign) -> Vec<Finding> {
    let companions = save.place.companions().into_iter().map(|name| {
        let text = format!("{name} belongs to this save; rename and remove them together");
        Finding::new("S11", Weight::Note, text)
    });
    let unlisted = save.place.file.as_ref().and_then(|file| {
        let text = match (file.slot, slot::hidden_behind(file, &save.place.siblings)) {
            (None, _) => slot::NEVER_OPENED.to_owned(),
            (Some(slot::RESTART), _) => slot::RESTART_POINT.to_owned(),
            (_, gap) => slot::gap_words(&file.call_sign, gap?),
        };
        Some(Finding::new("S1", Weight::Note, text))
    });
    companions.chain(unlisted).collect()
}

pub fn summary(save: &Campaign) -> Vec<(String, String)> {
    let facts = super::facts::Facts::of(save);
    let named = save.name().map(|name| CodePage::Windows1252.decode(name));
    let lines = [
        ("name", named),
        ("call sign", facts.call_sign),
        ("mission", facts.mission.map(mission_words)),
        ("rank", facts.rank.map(|rank| meaning(&RANK, rank))),
        ("tier", facts.tier.map(|tier| meaning(&TIER, tier))),
        ("kills", facts.kills.map(|kills| kills.to_string())),
        (
            "slot",
            Some(slot::words(&save.place.name, &save.place.siblings)),
        ),
        ("container", Some(save.container.state.word().to_owned())),
    ];
    let known = lines
        .into_iter()
        .filter_map(|(label, value)| Some((label, value?)));
    known
        .map(|(label, value)| (label.to_owned(), value))
        .collect()
}

/// A mission as the player counts, and the file's own number where it is another.
fn mission_words(mission: i64) -> String {
    match number("mission", mission) {
        Some(shown) if shown == mission => shown.to_string(),
        Some(shown) => format!("{shown} (number {mission} in the file)"),
        None => format!("none (number {mission} in the file)"),
    }
}
