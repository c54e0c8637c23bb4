//! A draft: the bytes of a save while one edit plays on them, and the splices it is made of.

use super::record::{FieldType, Rec, Token};

/// `removed` bytes at `at` gave way to `inserted` bytes; `at` counts in the bytes as they were
/// when the splice was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splice {
    pub at: usize,
    pub removed: usize,
    pub inserted: usize,
}

/// What an edit did, in the order it did it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    pub splices: Vec<Splice>,
}

impl Change {
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }
    pub fn append(&mut self, later: Change) {
        self.splices.extend(later.splices);
    }
    /// Whether anything changed its length, so that later offsets moved.
    pub fn moves(&self) -> bool {
        self.splices.iter().any(|s| s.removed != s.inserted)
    }
    /// Where the span `(offset, length)` of the bytes before lies afterwards, and whether any of its
    /// bytes changed. Bytes that were removed leave an empty span at their place.
    pub fn follow(&self, offset: usize, length: usize) -> (usize, usize, bool) {
        let (mut start, mut end, mut touched) = (offset, offset + length, false);
        for s in &self.splices {
            let gone = s.at + s.removed;
            let moved = |p: usize| p.saturating_sub(s.removed).saturating_add(s.inserted);
            if s.at >= end || gone < start || (gone == start && s.removed == s.inserted) {
                touched |= s.at == end && s.removed == 0 && length == 0;
                if gone <= start {
                    (start, end) = (moved(start), moved(end));
                }
            } else if gone == start {
                (start, end) = (moved(start), moved(end));
            } else {
                touched = true;
                let tail = if end > gone {
                    moved(end)
                } else {
                    s.at + s.inserted
                };
                start = start.min(s.at);
                end = tail.max(start);
            }
        }
        (start, end - start, touched)
    }
}

/// The bytes of a save while an edit plays on them. Offsets are always those of the bytes now.
pub struct Draft {
    bytes: Vec<u8>,
    change: Change,
    force: bool,
    cautions: Vec<String>,
}

impl Draft {
    pub fn new(bytes: Vec<u8>, force: bool) -> Self {
        Draft {
            bytes,
            change: Change::default(),
            force,
            cautions: Vec::new(),
        }
    }
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
    /// The user asked to let overridable refusals through.
    pub fn forced(&self) -> bool {
        self.force
    }
    /// Something the user should know about an edit that goes through.
    pub fn caution(&mut self, text: impl Into<String>) {
        self.cautions.push(text.into());
    }
    pub fn finish(self) -> (Vec<u8>, Change, Vec<String>) {
        (self.bytes, self.change, self.cautions)
    }
    pub fn is_clean(&self) -> bool {
        self.change.is_empty()
    }
    /// Overwrites bytes in place and remembers those that differ. What would lie past the end is
    /// left out.
    pub fn put(&mut self, at: usize, new: &[u8]) {
        let Some(old) = at
            .checked_add(new.len())
            .and_then(|end| self.bytes.get_mut(at..end))
        else {
            debug_assert!(
                false,
                "a field past the end of the image: {at}+{}",
                new.len()
            );
            return;
        };
        let mut differs = old.iter().zip(new).map(|(a, b)| a != b);
        let Some(first) = differs.position(|d| d) else {
            return;
        };
        let last = old
            .iter()
            .zip(new)
            .rposition(|(a, b)| a != b)
            .unwrap_or(first);
        old.copy_from_slice(new);
        let length = last - first + 1;
        self.change.splices.push(Splice {
            at: at + first,
            removed: length,
            inserted: length,
        });
    }
    /// Writes one field of a record.
    pub fn set<T: FieldType>(&mut self, rec: Rec, token: Token<T>, value: T::Value) {
        if let Some(at) = rec.offset(token.field()) {
            self.put(at, &T::bytes(&value));
        }
    }
    /// Reads one field of a record as the draft has it now.
    pub fn get<T: FieldType>(&self, rec: Rec, token: Token<T>) -> T::Value {
        rec.get(&self.bytes, token)
    }
    /// Replaces `removed` bytes at `at` by `new`, moving what follows. A range past the end is cut.
    pub fn splice(&mut self, at: usize, removed: usize, new: &[u8]) {
        if removed == new.len() {
            return self.put(at, new);
        }
        let at = at.min(self.bytes.len());
        let end = at.saturating_add(removed).min(self.bytes.len());
        self.bytes.splice(at..end, new.iter().copied());
        self.change.splices.push(Splice {
            at,
            removed: end - at,
            inserted: new.len(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn put_remembers_only_the_bytes_that_differ() {
        let mut draft = Draft::new(vec![1, 2, 3, 4, 5], false);
        draft.put(0, &[1, 2, 3]);
        assert!(draft.is_clean());
        draft.put(1, &[2, 9, 8, 5]);
        let (bytes, change, _) = draft.finish();
        assert_eq!(bytes, [1, 2, 9, 8, 5]);
        assert_eq!(
            change.splices,
            [Splice {
                at: 2,
                removed: 2,
                inserted: 2
            }]
        );
    }

    #[test]
    fn a_span_follows_what_happens_before_inside_and_behind_it() {
        let one = |at, removed, inserted| Change {
            splices: vec![Splice {
                at,
                removed,
                inserted,
            }],
        };
        assert_eq!(one(2, 0, 3).follow(10, 4), (13, 4, false));
        assert_eq!(one(10, 0, 3).follow(10, 4), (13, 4, false));
        assert_eq!(one(14, 0, 3).follow(10, 4), (10, 4, false));
        assert_eq!(one(12, 1, 1).follow(10, 4), (10, 4, true));
        assert_eq!(one(12, 1, 3).follow(10, 4), (10, 6, true));
        assert_eq!(one(8, 4, 0).follow(10, 4), (8, 2, true));
        assert_eq!(one(9, 1, 1).follow(10, 4), (10, 4, false));
        assert_eq!(one(8, 10, 0).follow(10, 4), (8, 0, true));
    }
}
