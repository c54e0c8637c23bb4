//! One version of an open save, which never changes, and when each of its bytes last did.

use crate::tree::{Change, Finding, Node, Save, Span, Weight};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// A version of a save.
pub struct Snapshot {
    /// Counts the versions of a session, edits that are not committed included.
    pub number: u64,
    pub save: Arc<dyn Save>,
    /// The file that it was loaded from or committed as; None while it is pending.
    pub file: Option<Arc<[u8]>>,
    pub touched: Touched,
    findings: OnceLock<Vec<Finding>>,
}

impl Snapshot {
    pub fn new(
        number: u64,
        save: Arc<dyn Save>,
        file: Option<Arc<[u8]>>,
        touched: Touched,
    ) -> Self {
        Snapshot {
            number,
            save,
            file,
            touched,
            findings: OnceLock::new(),
        }
    }
    pub fn root(&self) -> Node {
        Arc::clone(&self.save).root()
    }
    /// What a check finds; computed once.
    pub fn findings(&self) -> &[Finding] {
        self.findings.get_or_init(|| self.save.findings())
    }
    /// Why nothing in this version can be written, if so.
    pub fn read_only(&self) -> Option<String> {
        let damage = || {
            let finding = self
                .findings()
                .iter()
                .find(|f| f.weight == Weight::Damage)?;
            Some(format!("the save is damaged: {finding}"))
        };
        self.save.read_only().or_else(damage)
    }
    /// The same version under another number.
    pub fn with_number(&self, number: u64) -> Self {
        Snapshot::new(
            number,
            Arc::clone(&self.save),
            self.file.clone(),
            self.touched.clone(),
        )
    }
    /// The same version with the file that holds it.
    pub fn with_file(&self, file: Arc<[u8]>) -> Self {
        Snapshot::new(
            self.number,
            Arc::clone(&self.save),
            Some(file),
            self.touched.clone(),
        )
    }
}

/// When the bytes of an image last changed.
#[derive(Clone, Debug)]
pub struct Touched {
    loaded: SystemTime,
    /// Newest last.
    since: Vec<(Span, SystemTime)>,
}

/// Places remembered; the oldest give way and count as changed when the save was loaded.
const REMEMBERED: usize = 4096;

impl Touched {
    pub fn at_load(loaded: SystemTime) -> Self {
        Touched {
            loaded,
            since: Vec::new(),
        }
    }
    pub fn loaded(&self) -> SystemTime {
        self.loaded
    }
    /// When anything last changed.
    pub fn latest(&self) -> SystemTime {
        self.since.last().map_or(self.loaded, |(_, time)| *time)
    }
    /// When any byte of these places last changed.
    pub fn of(&self, spans: &[Span]) -> SystemTime {
        let meets = |a: &Span, b: &Span| {
            a.offset < b.offset.saturating_add(b.length)
                && b.offset < a.offset.saturating_add(a.length)
        };
        let hit = self
            .since
            .iter()
            .rev()
            .find(|(place, _)| spans.iter().any(|span| meets(place, span)));
        hit.map_or(self.loaded, |(_, time)| *time)
    }
    /// The same after a change that happened at `time`.
    pub fn after(&self, change: &Change, time: SystemTime) -> Self {
        let mut since: Vec<(Span, SystemTime)> = self
            .since
            .iter()
            .map(|(span, time)| {
                let (offset, length, _) = change.follow(span.offset, span.length);
                (Span::new(offset, length), *time)
            })
            .filter(|(span, _)| span.length > 0)
            .collect();
        for (at, splice) in change.splices.iter().enumerate() {
            let later = Change {
                splices: change.splices.get(at + 1..).unwrap_or_default().to_vec(),
            };
            let (offset, length, _) = later.follow(splice.at, splice.inserted);
            since.retain(|(span, _)| *span != Span::new(offset, length));
            since.push((Span::new(offset, length), time));
        }
        let surplus = since.len().saturating_sub(REMEMBERED);
        since.drain(..surplus);
        Touched {
            loaded: self.loaded,
            since,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Splice;
    use std::time::Duration;

    #[test]
    fn a_place_remembers_its_last_change_and_moves_with_its_bytes() {
        let at = |n| SystemTime::UNIX_EPOCH + Duration::from_secs(n);
        let one = |at, removed, inserted| Change {
            splices: vec![Splice {
                at,
                removed,
                inserted,
            }],
        };
        let touched = Touched::at_load(at(1))
            .after(&one(10, 2, 2), at(2))
            .after(&one(4, 0, 6), at(3));
        assert_eq!(touched.of(&[Span::new(16, 2)]), at(2));
        assert_eq!(touched.of(&[Span::new(10, 2)]), at(1));
        assert_eq!(touched.of(&[Span::new(0, 5)]), at(3));
    }
}
