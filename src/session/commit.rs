//! From the version that everybody sees to the file on disk, and back when somebody else wrote it.

use super::{Session, Snapshot, Turn};
use crate::store::{CommitError, Loaded, OnDisk};
use crate::tree::{Errno, Fault, Refusal};
use std::sync::{Arc, PoisonError};

/// Somebody who writes the save while we commit is followed this often.
const REBASES: usize = 64;

impl Session {
    /// Writes what is pending to disk.
    ///
    /// # Errors
    /// [`CommitError`]; the edits stay pending.
    pub fn commit(&self) -> Result<(), CommitError> {
        self.commit_with(&self.turn())
    }

    /// Whether the last commit failed and is to be tried again.
    pub fn owes(&self) -> bool {
        self.ledger().owed
    }
    /// Tries a commit again that failed before.
    ///
    /// # Errors
    /// What it fails with this time.
    pub fn pay_owed(&self) -> Result<(), CommitError> {
        // Most often nothing is, and then nobody else's commit is waited for.
        if !self.owes() {
            return Ok(());
        }
        let turn = self.turn();
        if !self.owes() {
            return Ok(());
        }
        self.commit_with(&turn)
    }

    pub(super) fn commit_with(&self, turn: &Turn) -> Result<(), CommitError> {
        if self.ledger().journal.is_empty() {
            return Ok(());
        }
        let mut result = self.write_now(turn);
        for _ in 0..REBASES {
            let Err(CommitError::Stale {
                found: OnDisk::Other(loaded),
                ..
            }) = &result
            else {
                break;
            };
            let loaded = loaded.clone();
            if !self.rebase(turn, &loaded) {
                break;
            }
            result = self.write_now(turn);
        }
        self.ledger().owed = result.is_err();
        result.inspect_err(|error| self.log.push(error))
    }

    fn write_now(&self, _: &Turn) -> Result<(), CommitError> {
        let now = self.now();
        let unencodable = |fault: Fault| CommitError::Unverified {
            path: self.path().to_owned(),
            why: fault.to_string(),
        };
        let file = self.encode(&now).map_err(unencodable)?;
        let done = self
            .store
            .commit(Arc::clone(&file), |bytes| self.decodes_to(bytes, &now))?;
        for warning in &done.warnings {
            self.log.push(format!("warning: {warning}"));
        }
        {
            let mut ledger = self.ledger();
            ledger.journal.clear();
            ledger.owed = false;
        }
        if now.file.is_none() {
            let committed = Arc::new(now.with_file(file));
            if done.written {
                self.ledger().versions.push(Arc::clone(&committed));
            }
            *self.now.write().unwrap_or_else(PoisonError::into_inner) = committed;
        }
        Ok(())
    }

    /// The file of a version: the very bytes it came from where that is known, else encoded.
    pub(super) fn encode(&self, snapshot: &Snapshot) -> Result<Arc<[u8]>, Fault> {
        let kept = || self.ledger().versions.file_of(snapshot.save.image());
        let known = snapshot.file.clone().or_else(kept);
        match known {
            Some(file) => Ok(file),
            None => snapshot.save.encode().map(Arc::from),
        }
    }

    /// Decodes what was encoded and compares it with the model.
    fn decodes_to(&self, file: &[u8], snapshot: &Snapshot) -> Result<(), String> {
        let again = self.open_bytes(file).map_err(|fault| fault.to_string())?;
        if again.image() == snapshot.save.image() {
            Ok(())
        } else {
            Err("the encoded save decodes to something else".to_owned())
        }
    }

    /// Takes what somebody else wrote: reloads when nothing is pending, else plays the pending edits on it. To be
    /// called when the file may have changed.
    ///
    /// # Errors
    /// The new content cannot be opened, or the pending edits are not legal in it; both stay as they are.
    pub fn catch_up(&self) -> Result<(), Refusal> {
        self.catch_up_with(&self.turn())
            .inspect_err(|refusal| self.log.push(refusal))
    }

    pub(super) fn catch_up_with(&self, turn: &Turn) -> Result<(), Refusal> {
        let stale = |why: String| Err(Refusal::new(Errno::Stale, why));
        match self.disk_news() {
            None => Ok(()),
            Some(OnDisk::Other(loaded)) if self.ledger().journal.is_empty() => self.reload_from(turn, &loaded),
            Some(OnDisk::Other(loaded)) if self.rebase(turn, &loaded) => Ok(()),
            Some(OnDisk::Other(_)) => stale("the save was written by another program meanwhile, and the edits that wait to be written do not fit it".into()),
            Some(OnDisk::Gone) => stale("the save's file is gone".into()),
            Some(OnDisk::Unreadable(error)) => stale(format!("the save cannot be read any more: {error}")),
            Some(OnDisk::Same) => Ok(()),
        }
    }

    fn reload_from(&self, _: &Turn, loaded: &Loaded) -> Result<(), Refusal> {
        let fresh = self.decode(loaded)?;
        self.adopt(loaded);
        let fresh = Arc::new(fresh);
        self.ledger().versions.push(Arc::clone(&fresh));
        let before = self.now();
        self.publish(&before, fresh.with_number(before.number + 1), None);
        log::info!(
            "{}: reloaded, somebody else wrote it",
            self.path().display()
        );
        Ok(())
    }

    /// Takes what the disk holds as the base of the next commit. The claim moves along, unless somebody was quicker.
    fn adopt(&self, loaded: &Loaded) {
        let claim = self.store.adopt(loaded);
        self.note_claim(&claim);
    }

    fn decode(&self, loaded: &Loaded) -> Result<Snapshot, Refusal> {
        self.open_loaded(loaded).map_err(|fault| {
            Refusal::new(
                Errno::Damaged,
                format!("somebody else wrote the save, and it does not decode: {fault}"),
            )
        })
    }

    /// Plays the pending edits on what somebody else wrote. False where that cannot be done: then nothing has changed,
    /// and what was found is kept among the versions.
    fn rebase(&self, _: &Turn, loaded: &Loaded) -> bool {
        let Ok(fresh) = self.decode(loaded) else {
            return false;
        };
        let fresh = Arc::new(fresh);
        let played = match self.play(&fresh, &self.pending()) {
            Ok(played) => played,
            Err(refusal) => {
                self.log.push(format!(
                    "the save was written by another program meanwhile; {refusal}"
                ));
                let known = self.ledger().versions.file_of(fresh.save.image()).is_some();
                if !known {
                    self.ledger().versions.push(fresh);
                }
                return false;
            }
        };
        self.adopt(loaded);
        self.ledger().versions.push(Arc::clone(&fresh));
        let before = self.now();
        let number = before.number + 1;
        let next = match played {
            None => fresh.with_number(number),
            Some(played) => {
                let touched = fresh
                    .touched
                    .after(&played.change, std::time::SystemTime::now());
                Snapshot::new(number, played.save, None, touched)
            }
        };
        self.publish(&before, next, None);
        true
    }

    /// Drops what is pending.
    pub fn discard(&self) {
        let _turn = self.turn();
        let newest = {
            let mut ledger = self.ledger();
            ledger.journal.clear();
            ledger.owed = false;
            ledger.versions.newest().cloned()
        };
        let Some(on_disk) = newest else { return };
        let before = self.now();
        if before.save.image() != on_disk.save.image() {
            self.publish(&before, on_disk.with_number(before.number + 1), None);
        }
    }

    /// Puts a version back and writes it: the one before the newest, or the one of that number.
    ///
    /// # Errors
    /// No such version, edits pending, or the commit's error.
    pub fn undo(&self, number: Option<u64>) -> Result<(), Refusal> {
        let _turn = self.turn();
        if !self.ledger().journal.is_empty() {
            return Err(Refusal::new(
                Errno::Busy,
                "edits are pending: commit or discard them first",
            ));
        }
        if let Some(reason) = self.read_only() {
            return Err(Refusal::new(Errno::ReadOnly, reason));
        }
        let found = match number {
            Some(number) => self.version(number),
            None => self
                .ledger()
                .versions
                .previous()
                .map(|(_, snapshot)| Arc::clone(snapshot)),
        };
        let old = found.ok_or_else(|| Refusal::new(Errno::NotFound, "there is no such version"))?;
        let Some(file) = old.file.clone() else {
            return Err(Refusal::new(
                Errno::NotFound,
                "that version was never on disk",
            ));
        };
        let done = self
            .store
            .commit(file, |_| Ok(()))
            .map_err(|error| super::uncommitted(&error))?;
        if done.written {
            let before = self.now();
            let next = Arc::new(old.with_number(before.number + 1));
            self.ledger().versions.push(Arc::clone(&next));
            self.publish(&before, next.with_number(next.number), None);
        }
        Ok(())
    }
}
