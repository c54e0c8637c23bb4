//! Interchange files: chunks of an id, a big-endian length and a body padded to an even length, in forms.

use std::ops::Range;

/// The id of a chunk that holds chunks.
pub const FORM: [u8; 4] = *b"FORM";

/// Bytes of a chunk's id and length.
pub const HEADER: usize = 8;

/// Bytes of a form's type, the beginning of its body.
pub const TYPE: usize = 4;

/// One chunk as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub id: [u8; 4],
    /// Offset of the header.
    pub at: usize,
    /// Length of the body as the header says it, without the pad byte.
    pub length: u32,
    /// Bytes of the body that are there.
    pub present: usize,
    /// Whether a pad byte is there.
    pub padded: bool,
}

impl Chunk {
    pub fn body(&self) -> Range<usize> {
        let start = self.at.saturating_add(HEADER);
        start..start.saturating_add(self.present)
    }
    /// Where the chunk ends, its pad byte included.
    pub fn end(&self) -> usize {
        self.body().end.saturating_add(usize::from(self.padded))
    }
    /// Whether the body ends where the header says.
    pub fn is_whole(&self) -> bool {
        u32::try_from(self.present) == Ok(self.length)
    }
    /// Whether this calls itself a form and has no room for its type.
    pub fn is_short_form(&self) -> bool {
        self.id == FORM && (self.length as usize) < TYPE
    }
    /// The type, if this is a form.
    pub fn form_type<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let body = bytes.get(self.body()).filter(|_| self.id == FORM)?;
        body.get(..TYPE)
    }
}

/// What a walk over chunks found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    pub chunks: Vec<Chunk>,
    /// What the walk did not reach: too few bytes for a header, or all that follows a form without a type.
    pub rest: Range<usize>,
}

impl Walk {
    /// Whether every header and body is whole and nothing is left.
    pub fn is_whole(&self) -> bool {
        let whole = |chunk: &Chunk| chunk.is_whole() && !chunk.is_short_form();
        self.rest.is_empty() && self.chunks.iter().all(whole)
    }
}

/// The chunks that follow one another in `range`. A body that runs past its end is cut there; a form without room
/// for its type ends the walk.
pub fn walk(bytes: &[u8], range: Range<usize>) -> Walk {
    let end = range.end.min(bytes.len());
    let mut at = range.start.min(end);
    let mut chunks = Vec::new();
    while let Some(chunk) = chunk_at(bytes, at, end) {
        at = chunk.end();
        chunks.push(chunk);
        if chunk.is_short_form() {
            break;
        }
    }
    Walk {
        chunks,
        rest: at..end,
    }
}

fn chunk_at(bytes: &[u8], at: usize, end: usize) -> Option<Chunk> {
    let start = at.checked_add(HEADER).filter(|start| *start <= end)?;
    let id = bytes.get(at..)?.first_chunk()?;
    let length = u32::from_be_bytes(*bytes.get(at.checked_add(4)?..)?.first_chunk()?);
    let left = end - start;
    let wanted = usize::try_from(length).unwrap_or(usize::MAX);
    Some(Chunk {
        id: *id,
        at,
        length,
        present: wanted.min(left),
        padded: wanted < left && length % 2 == 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_one_another_with_their_pads() {
        let bytes = b"ODDS\0\0\0\x03abc\x7fNONE\0\0\0\0LAST\0\0\0\x01z";
        let walk = walk(bytes, 0..bytes.len());
        let seen: Vec<_> = walk
            .chunks
            .iter()
            .map(|c| (c.at, c.body(), c.padded))
            .collect();
        assert_eq!(
            seen,
            [(0, 8..11, true), (12, 20..20, false), (20, 28..29, false)]
        );
        assert!(walk.is_whole());
    }

    #[test]
    fn a_body_past_the_end_is_cut_and_stray_bytes_are_left() {
        let cut = walk(b"HUGE\xff\xff\xff\xffxyz", 0..11);
        assert_eq!((cut.chunks[0].present, cut.chunks[0].end()), (3, 11));
        assert!(!cut.is_whole() && cut.rest.is_empty());
        let stray = walk(b"NONE\0\0\0\0strayed", 0..15);
        assert_eq!((stray.chunks.len(), stray.rest.clone()), (1, 8..15));
        assert!(!stray.is_whole());
    }

    #[test]
    fn a_form_without_room_for_its_type_ends_the_walk() {
        let bytes = b"FORM\0\0\0\x02PANEXT\0\0\0\0";
        let walk = walk(bytes, 0..bytes.len());
        assert_eq!((walk.chunks.len(), walk.rest.clone()), (1, 10..18));
        assert!(!walk.is_whole());
        assert_eq!(walk.chunks[0].form_type(bytes), None);
    }
}
