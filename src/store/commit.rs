//! The commit: new bytes in the place of the base, all of them or none.

use super::error::{CommitError, Failure, Step, Warning};
use super::lock::DirectoryLock;
use super::reading::{self, Comparison, Identity, Loaded, Reading};
use super::temporary::{self, Temporary};
use super::{OnDisk, State, Store, attributes, backup, claim, in_place, writability};
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

/// What a commit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// False if the file held these bytes already: then it was not touched.
    pub written: bool,
    /// The backup that this commit kept.
    pub backup: Option<PathBuf>,
    pub warnings: Vec<Warning>,
}

impl Store {
    /// Makes `new` the content of the file, if the file still holds the base; then `new` is the base. `verify` is asked
    /// about the bytes before anything is written, and not at all if there is nothing to write.
    ///
    /// Under the directory's lock: compare the file with the base, keep the session's backup, write a temporary file,
    /// give it the old one's attributes and this store's claim, sync it, rename it over the old file, sync the
    /// directory.
    ///
    /// # Errors
    /// [`CommitError`]; unless it says otherwise the file is the old one and no temporary file stays.
    pub fn commit(
        &self,
        new: impl Into<Arc<[u8]>>,
        verify: impl FnOnce(&[u8]) -> Result<(), String>,
    ) -> Result<Committed, CommitError> {
        let new = new.into();
        if self.is_placed() {
            return Err(self.read_only("the file is read where it is".to_owned()));
        }
        let mut state = self.state();
        let lock = self.lock()?;
        let old = self.expect_base(&state)?;
        let mut done = Committed {
            written: false,
            backup: None,
            warnings: lock.warning.iter().cloned().collect(),
        };
        if old.loaded.bytes == new {
            state.base = Loaded {
                bytes: new,
                ..old.loaded
            };
            self.pay_sync(&mut state, &lock)?;
            return Ok(done);
        }
        self.refuse_read_only(&old)?;
        verify(&new).map_err(|why| CommitError::Unverified {
            path: self.path.clone(),
            why,
        })?;
        if !state.backed_up && self.options.backups > 0 {
            done.backup = Some(backup::keep(&self.path, &old, self.options.backups, &lock)?);
            state.backed_up = true;
        }
        let file = if self.options.in_place {
            in_place::overwrite(&self.path, &old.loaded.bytes, &new)?
        } else {
            self.replace(&mut state, &old, &new, &mut done.warnings)?
        };
        done.written = true;
        self.settle(&mut state, &file, new, &lock)?;
        Ok(done)
    }

    fn lock(&self) -> Result<DirectoryLock, CommitError> {
        let wait = self.options.lock_wait;
        if self.options.in_place {
            DirectoryLock::take_if_allowed(&self.directory, wait)
        } else {
            DirectoryLock::take(&self.directory, wait)
        }
    }

    /// The file, if it still holds the base.
    fn expect_base(&self, state: &State) -> Result<Reading, CommitError> {
        match reading::on_disk(&self.path, self.options.max_size, &state.base) {
            Comparison::Same(reading) => Ok(reading),
            other => Err(CommitError::Stale {
                path: self.path.clone(),
                found: other.into(),
            }),
        }
    }

    fn refuse_read_only(&self, old: &Reading) -> Result<(), CommitError> {
        let verdict = writability::judge(&self.path, &self.directory, &old.metadata);
        verdict
            .refusal(self.options.in_place)
            .map_or(Ok(()), |reason| Err(self.read_only(reason.to_owned())))
    }

    fn read_only(&self, reason: String) -> CommitError {
        CommitError::ReadOnly {
            path: self.path.clone(),
            reason,
        }
    }

    /// Replaces the file and moves the claim; returns the new file.
    fn replace(
        &self,
        state: &mut State,
        old: &Reading,
        new: &[u8],
        warnings: &mut Vec<Warning>,
    ) -> Result<File, CommitError> {
        let mut temporary = Temporary::beside(&self.path)?;
        temporary.write(new)?;
        let lost = attributes::keep(&old.file, &old.metadata, &temporary.file, temporary.path())?;
        if let Some(owner) = lost.iter().find(|w| matches!(w, Warning::Owner { .. })) {
            return Err(self.read_only(owner.to_string()));
        }
        warnings.extend(lost);
        temporary.sync()?;
        let claim = state
            .claim
            .as_ref()
            .map(|_| claim::Held::on_new(temporary.path()))
            .transpose()?;
        self.look_again(old)?;
        let file = temporary.replace(&self.path)?;
        if claim.is_some() {
            state.claim = claim;
        }
        Ok(file)
    }

    /// A game takes no lock of ours. Whatever it wrote while the new file was being synced must not be lost.
    fn look_again(&self, old: &Reading) -> Result<(), CommitError> {
        let now = std::fs::symlink_metadata(&self.path).map(|m| Identity::of(&m));
        if now.is_ok_and(|now| now == old.loaded.identity) {
            return Ok(());
        }
        match OnDisk::from(reading::on_disk(
            &self.path,
            self.options.max_size,
            &old.loaded,
        )) {
            OnDisk::Same => Ok(()),
            found => Err(CommitError::Stale {
                path: self.path.clone(),
                found,
            }),
        }
    }

    /// The file is the new one: remember it, and bring its name to the disk.
    fn settle(
        &self,
        state: &mut State,
        file: &File,
        new: Arc<[u8]>,
        lock: &DirectoryLock,
    ) -> Result<(), CommitError> {
        let first = !std::mem::replace(&mut state.committed, true);
        let metadata = file
            .metadata()
            .map_err(|e| Failure::io(Step::Examine, &self.path, &e));
        state.sync_owed = true;
        // Without the new identity the old one stays: it no longer fits the file, so the bytes will decide.
        let identity = metadata.as_ref().map_or(state.base.identity, Identity::of);
        state.base = Loaded {
            bytes: new,
            identity,
            settled: false,
        };
        self.pay_sync(state, lock)?;
        if first {
            temporary::sweep(&self.directory, &self.name);
        }
        Ok(())
    }

    fn pay_sync(&self, state: &mut State, lock: &DirectoryLock) -> Result<(), CommitError> {
        if state.sync_owed {
            lock.sync().map_err(CommitError::NotDurable)?;
            state.sync_owed = false;
        }
        Ok(())
    }
}
