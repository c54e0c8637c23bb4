//! The form and its chunks. starlancer.md 2.

use super::records::KNOWN;
use crate::codec::iff::{self, Chunk, FORM, HEADER, TYPE, Walk};
use crate::tree::Fault;
use std::ops::Range;

/// What a file is, the better the smaller. starlancer.md 2.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// As the game writes it.
    Canonical,
    /// One form and whole chunks, not the game's six in the game's order.
    WellFormed,
    /// A record with more bytes than it has fields.
    LongRecord,
    /// A record that lacks fields.
    ShortRecord,
    /// More than the form in the file, or a wrong form length.
    Loose,
    /// Something is cut short.
    Damaged,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Canonical => "canonical",
            State::WellFormed => "well-formed",
            State::LongRecord => "long-record",
            State::ShortRecord => "short-record",
            State::Loose => "loose",
            State::Damaged => "damaged",
        }
    }
    /// Whether a chunk may change its length.
    pub fn may_resize(self) -> bool {
        self < State::Loose
    }
}

/// Where everything is in a file.
#[derive(Debug)]
pub struct Container {
    pub state: State,
    /// The SAVE form from its header to its end, or the file's where that comes first.
    pub form: Range<usize>,
    /// Length of the form as its header says it.
    pub form_length: u32,
    pub walk: Walk,
    /// The place in the walk of the first chunk of each known id.
    first: [Option<usize>; KNOWN.len()],
}

impl Container {
    /// # Errors
    /// A fault where no SAVE form is found.
    pub fn read(file: &[u8]) -> Result<Container, Fault> {
        let form = find_form(file).ok_or_else(|| no_form(file))?;
        let inside = form.body().start.saturating_add(TYPE)..form.body().end;
        let walk = iff::walk(file, inside);
        let mut container = Container {
            state: State::Canonical,
            form: form.at..form.body().end,
            form_length: form.length,
            first: first_of_each(&walk.chunks),
            walk,
        };
        container.state = container.judge(file.len());
        Ok(container)
    }

    pub fn chunks(&self) -> &[Chunk] {
        &self.walk.chunks
    }
    /// The chunk that counts: the first of a known id. starlancer.md 2.1, rule 2.
    pub fn first(&self, id: [u8; 4]) -> Option<&Chunk> {
        self.chunks().get(*self.first.get(known(id)?)?.as_ref()?)
    }
    /// Whether the chunk at this place of the walk is one that the game reads.
    pub fn counts(&self, chunk: &Chunk) -> bool {
        self.first(chunk.id) == Some(chunk)
    }
    /// The known chunks that are there, with the size of their record; NAME has none.
    pub fn records(&self) -> impl Iterator<Item = (&Chunk, usize)> {
        let sized = KNOWN.iter().filter_map(|(id, size)| Some((id, (*size)?)));
        sized.filter_map(|(id, size)| Some((self.first(*id)?, size)))
    }

    /// The records with more bytes than the game has room for.
    pub fn long_records(&self) -> impl Iterator<Item = &Chunk> {
        let long = |(chunk, size): &(&Chunk, usize)| chunk.length as usize > *size;
        self.records().filter(long).map(|(chunk, _)| chunk)
    }

    /// The lowest row of the table of states that applies.
    fn judge(&self, file_length: usize) -> State {
        let short = |(chunk, size): (&Chunk, usize)| (chunk.length as usize) < size;
        let ids = self.chunks().iter().map(|chunk| chunk.id);
        if !self.walk.is_whole() {
            State::Damaged
        } else if self.form.start != 0 || !self.length_is_right(file_length) {
            State::Loose
        } else if self.records().any(short) {
            State::ShortRecord
        } else if self.long_records().next().is_some() {
            State::LongRecord
        } else if !ids.eq(KNOWN.iter().map(|(id, _)| *id)) {
            State::WellFormed
        } else {
            State::Canonical
        }
    }
    fn length_is_right(&self, file_length: usize) -> bool {
        file_length.checked_sub(HEADER) == usize::try_from(self.form_length).ok()
    }
}

/// The place of an id among the known ones.
fn known(id: [u8; 4]) -> Option<usize> {
    KNOWN.iter().position(|(own, _)| *own == id)
}

fn first_of_each(chunks: &[Chunk]) -> [Option<usize>; KNOWN.len()] {
    let mut first = [None; KNOWN.len()];
    for (index, chunk) in chunks.iter().enumerate() {
        if let Some(place) = known(chunk.id).and_then(|place| first.get_mut(place)) {
            place.get_or_insert(index);
        }
    }
    first
}

/// The first SAVE form among the file's own chunks. starlancer.md 2.1, rule 1.
pub fn find_form(file: &[u8]) -> Option<Chunk> {
    let walk = iff::walk(file, 0..file.len());
    walk.chunks
        .into_iter()
        .find(|chunk| chunk.form_type(file) == Some(b"SAVE"))
}

fn no_form(file: &[u8]) -> Fault {
    let fault = |field, offset, expected, found: String| {
        Fault::new("starlancer", field, offset, expected, found)
    };
    let type_follows = file.starts_with(&FORM) && file.get(8..12) == Some(b"SAVE");
    match file.get(4..8) {
        Some([0, 0, 0, 0]) if type_follows => fault(
            "form length",
            4,
            "the length of the file less 8",
            "0, as a save that was interrupted leaves it".into(),
        ),
        Some(length) if type_follows => {
            let found = length
                .iter()
                .fold(0u64, |n, byte| n << 8 | u64::from(*byte));
            fault(
                "form length",
                4,
                "the length of the file less 8",
                found.to_string(),
            )
        }
        _ => fault(
            "the form",
            0,
            "a FORM of type SAVE",
            format!("none in {} bytes", file.len()),
        ),
    }
}
