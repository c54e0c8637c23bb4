//! The string pool: where texts of variables are, and where a new one goes. dreamfactory.md 10.3 to 10.6.

use super::globals::{STRING, named};
use super::records::{Element, GlobalsHeader};
use super::save::DreamSave;
use crate::tree::record::Rec;
use crate::tree::{Draft, Errno, Refusal};
use std::ops::Range;

/// Offsets must stay below this.
const HIGHEST: usize = 65536;

/// The pool as a draft has it now.
pub struct Pool {
    header: Rec,
    /// Where the pool begins in the image, and its bytes.
    base: usize,
    bytes: Vec<u8>,
    mark: usize,
    entries: Vec<Entry>,
}

/// The bytes that a string of an element takes in the pool, its length byte included.
struct Entry {
    element: usize,
    span: Range<usize>,
}

/// The bytes of the pool that the header declares and the container has.
fn region(save: &DreamSave) -> (usize, usize) {
    let data = save.map.data(save.map.pool());
    let size = save.get(save.map.globals_header(), GlobalsHeader::pool_size) as usize;
    (data.offset, size.min(data.length))
}

/// The pool entry at `offset`; None where it does not lie inside the pool.
fn span_at(pool: &[u8], offset: i32) -> Option<Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    let length = usize::from(*pool.get(start)?);
    let end = start.checked_add(length)?.checked_add(1)?;
    (end <= pool.len()).then_some(start..end)
}

/// The text at an offset of the pool, and where it is in the image.
pub fn text(save: &DreamSave, offset: i32) -> Option<(&[u8], Range<usize>)> {
    let (base, size) = region(save);
    let pool = save.bytes().get(base..base.checked_add(size)?)?;
    let span = span_at(pool, offset)?;
    let text = pool.get(span.start.checked_add(1)?..span.end)?;
    Some((
        text,
        base.checked_add(span.start)?..base.checked_add(span.end)?,
    ))
}

/// Whether the chain of entries from the pool's start ends exactly on the mark.
pub fn chain_ends_on_mark(pool: &[u8], mark: usize) -> bool {
    let mut at = 0usize;
    while at < mark {
        let Some(length) = pool.get(at) else {
            return false;
        };
        at = at.saturating_add(usize::from(*length)).saturating_add(1);
    }
    at == mark
}

/// The pool's bytes for checks.
pub fn bytes(save: &DreamSave) -> &[u8] {
    let (base, size) = region(save);
    save.bytes()
        .get(base..base.saturating_add(size))
        .unwrap_or_default()
}

impl Pool {
    /// The pool of a draft whose containers lie where the save's do. `without` is an element that does not count.
    pub fn of(save: &DreamSave, draft: &Draft, without: Option<usize>) -> Pool {
        let (base, size) = region(save);
        let header = save.map.globals_header();
        let bytes = draft
            .bytes()
            .get(base..base.saturating_add(size))
            .unwrap_or_default()
            .to_vec();
        let entry = |element: usize| {
            let rec = save.map.element(element);
            let is_string = draft.get(rec, Element::r#type) == STRING && Some(element) != without;
            let span = is_string.then(|| span_at(&bytes, draft.get(rec, Element::value)))??;
            Some(Entry { element, span })
        };
        let entries = (0..named(save, draft.bytes())).filter_map(entry).collect();
        let mark = draft.get(header, GlobalsHeader::mark) as usize;
        Pool {
            header,
            base,
            bytes,
            mark,
            entries,
        }
    }

    fn entry(&self, element: usize) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.element == element)
    }

    /// Whether no other element's entry overlaps these bytes.
    fn is_free(&self, span: &Range<usize>, except: Option<usize>) -> bool {
        let mut others = self
            .entries
            .iter()
            .filter(|entry| Some(entry.element) != except);
        !others.any(|entry| entry.span.start < span.end && span.start < entry.span.end)
    }

    fn put(&self, at: usize, bytes: &[u8], draft: &mut Draft) {
        draft.put(self.base.saturating_add(at), bytes);
    }

    fn set_dead(&self, draft: &mut Draft, plus: usize, minus: usize) -> Result<(), Refusal> {
        let dead = u64::from(draft.get(self.header, GlobalsHeader::dead));
        let dead = dead.saturating_add(plus as u64).checked_sub(minus as u64);
        let dead = dead
            .and_then(|dead| u32::try_from(dead).ok())
            .ok_or_else(full)?;
        draft.set(self.header, GlobalsHeader::dead, dead);
        Ok(())
    }

    /// A string gives its bytes back: another type takes its place.
    pub fn release(&self, element: usize, draft: &mut Draft) -> Result<(), Refusal> {
        let freed = self.entry(element).map_or(0, |entry| entry.span.len());
        self.set_dead(draft, freed, 0)
    }

    /// Gives an element a text (10.4, steps 1 to 7). `was_live` where it is a variable that holds a string now.
    pub fn store(
        &self,
        save: &DreamSave,
        element: usize,
        was_live: bool,
        text: &[u8],
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        let old = self.entry(element).map(|entry| entry.span.clone());
        let entry: Vec<u8> = std::iter::once(text.len().min(255) as u8)
            .chain(text.iter().copied())
            .collect();
        let freed = old
            .as_ref()
            .filter(|_| was_live)
            .map_or(0, ExactSizeIterator::len);
        if let Some(old) = &old {
            if self.bytes.get(old.clone()) == Some(entry.as_slice()) {
                return Ok(());
            }
            if old.len() == entry.len() && self.is_free(old, Some(element)) {
                self.put(old.start, &entry, draft);
                return Ok(());
            }
        }
        if let Some(at) = self.end_place(entry.len()) {
            self.append(at, &entry, freed, draft)?;
            return point(save, element, at, draft);
        }
        match old {
            Some(old) if entry.len() < old.len() && self.is_free(&old, Some(element)) => {
                let mut whole = entry.clone();
                whole.resize(old.len(), 0);
                self.put(old.start, &whole, draft);
                self.set_dead(draft, old.len() - entry.len(), 0)
            }
            _ => self.reuse(save, element, &entry, freed, draft),
        }
    }

    /// Step 3: behind everything that an element shows, else at the mark. A leftover that lies across the mark or across
    /// another leftover would break the chain of entries; the mark is the place then too.
    fn end_place(&self, length: usize) -> Option<usize> {
        let highest = self
            .entries
            .iter()
            .map(|entry| entry.span.end)
            .max()
            .unwrap_or(0);
        let fits = |at: &usize| {
            at.saturating_add(length) <= self.bytes.len() && *at < HIGHEST && self.leads_to(*at)
        };
        [self.mark.max(highest), self.mark].into_iter().find(fits)
    }

    /// Whether the chain of entries that ends on the mark goes on to `at` once step 4 has zeroed what nobody shows.
    fn leads_to(&self, at: usize) -> bool {
        let mut here = self.mark;
        while here < at {
            let length = match self.is_free(&(here..here + 1), None) {
                true => 0,
                false => self.bytes.get(here).copied().map_or(0, usize::from),
            };
            here += length + 1;
        }
        here == at || at == self.mark
    }

    /// Steps 4 to 6.
    fn append(
        &self,
        at: usize,
        entry: &[u8],
        freed: usize,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        for byte in self.mark..at {
            if self.is_free(&(byte..byte + 1), None) {
                self.put(byte, &[0], draft);
            }
        }
        self.put(at, entry, draft);
        self.set_dead(draft, at.saturating_sub(self.mark).saturating_add(freed), 0)?;
        let mark = u32::try_from(at.saturating_add(entry.len())).map_err(|_| full())?;
        draft.set(self.header, GlobalsHeader::mark, mark);
        Ok(())
    }

    /// Step 7 b: the first run of neighbouring entries that nobody shows and that is long enough.
    fn reuse(
        &self,
        save: &DreamSave,
        element: usize,
        entry: &[u8],
        freed: usize,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        if !chain_ends_on_mark(&self.bytes, self.mark) {
            return Err(full());
        }
        let run = self
            .run(entry.len())
            .filter(|run| run.start < HIGHEST)
            .ok_or_else(full)?;
        let mut whole = entry.to_vec();
        whole.resize(run.len(), 0);
        self.put(run.start, &whole, draft);
        self.set_dead(draft, freed, entry.len())?;
        point(save, element, run.start, draft)
    }

    fn run(&self, length: usize) -> Option<Range<usize>> {
        let mut at = 0usize;
        let mut start = 0usize;
        while at < self.mark {
            let end = at
                .saturating_add(usize::from(*self.bytes.get(at)?))
                .saturating_add(1);
            if self.is_free(&(at..end), None) {
                if end.saturating_sub(start) >= length {
                    return Some(start..end);
                }
            } else {
                start = end;
            }
            at = end;
        }
        None
    }
}

/// Step 5: all four bytes of the value, and the type.
fn point(save: &DreamSave, element: usize, at: usize, draft: &mut Draft) -> Result<(), Refusal> {
    let rec = save.map.element(element);
    draft.set(rec, Element::value, i32::try_from(at).map_err(|_| full())?);
    draft.set(rec, Element::r#type, STRING);
    Ok(())
}

fn full() -> Refusal {
    let why =
        "the game's room for texts is used up; a text of the same length or shorter may still fit";
    Refusal::new(Errno::NoSpace, why)
}
