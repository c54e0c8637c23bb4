//! The file on disk: load, lock, commit, backup, watch. Bytes only: nothing here knows what they mean.
//!
//! A [`Store`] is one save. It remembers the bytes that it last saw in the file (the *base*) and never writes over
//! anything else: [`Store::commit`] replaces the base by new bytes or says why it did not, and at every moment the
//! file is the old one or the new one. Other processes are kept out by two flocks that vanish with the process: the
//! *commit lock* on the directory for the time of one commit, and the *claim* on the save itself for the life of a mount.

mod attributes;
mod backup;
mod claim;
mod commit;
mod error;
mod holder;
mod in_place;
mod lock;
mod placed;
mod reading;
mod temporary;
mod unfinished;
mod watch;
mod writability;

#[cfg(test)]
mod tests;

pub use backup::{Backup, RestoreError, backups, put_back};
pub use claim::Claim;
pub use commit::Committed;
pub use error::{CommitError, Failure, OpenError, Step, Warning};
pub use holder::Holder;
pub use placed::Placed;
pub use reading::{Identity, Loaded, OnDisk};
pub use temporary::{is_temporary, sweep};
pub use unfinished::save_unfinished;
pub use watch::Watch;
pub use writability::Writability;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How a store treats its file.
#[derive(Clone, Debug)]
pub struct Options {
    /// Largest file that is loaded, in bytes.
    pub max_size: u64,
    /// Generations of backups that the first commit of a session leaves; 0 keeps none.
    pub backups: usize,
    /// Write into the file itself instead of replacing it: keeps hard links and needs no right to the directory, but an
    /// interruption can leave half of each version.
    pub in_place: bool,
    /// How long a commit waits for another one in the same directory.
    pub lock_wait: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_size: 256 << 20,
            backups: 1,
            in_place: false,
            lock_wait: Duration::from_secs(5),
        }
    }
}

/// One save on disk.
pub struct Store {
    path: PathBuf,
    directory: PathBuf,
    name: OsString,
    options: Options,
    /// The file is read where it is and never written.
    placed: bool,
    state: Mutex<State>,
}

struct State {
    base: Loaded,
    claim: Option<claim::Held>,
    /// This session has kept its backup.
    backed_up: bool,
    /// This session has replaced the file at least once.
    committed: bool,
    /// The file is the new one, but its directory could not be synced yet.
    sync_owed: bool,
}

impl State {
    fn with(base: Loaded) -> State {
        State {
            base,
            claim: None,
            backed_up: false,
            committed: false,
            sync_owed: false,
        }
    }
}

/// The file itself, its directory and its name there, every symbolic link followed.
fn locate(path: &Path) -> Result<(PathBuf, PathBuf, OsString), OpenError> {
    let real = path
        .canonicalize()
        .map_err(|e| Failure::io(Step::Open, path, &e))?;
    match (real.parent(), real.file_name()) {
        (Some(directory), Some(name)) => {
            let (directory, name) = (directory.to_owned(), name.to_owned());
            Ok((real, directory, name))
        }
        _ => Err(OpenError::NotAFile { path: real }),
    }
}

impl Store {
    /// Loads the file at `path`. A symbolic link is followed once, here: commits go to the file that it names now, and
    /// the link stays.
    ///
    /// # Errors
    /// [`OpenError`]: the file cannot be read, is no regular file, or is larger than `options.max_size`.
    pub fn open(path: &Path, options: Options) -> Result<(Store, Loaded), OpenError> {
        let (real, directory, name) = locate(path)?;
        let base = reading::read(&real, options.max_size)?.loaded;
        let store = Store {
            path: real,
            directory,
            name,
            options,
            placed: false,
            state: Mutex::new(State::with(base.clone())),
        };
        Ok((store, base))
    }

    /// A store of a file that is read where it is: its bytes are not loaded, and it is never written.
    ///
    /// # Errors
    /// [`OpenError`]: the file cannot be examined.
    pub fn of_placed(path: &Path, placed: &Placed, options: Options) -> Result<Store, OpenError> {
        let (real, directory, name) = locate(path)?;
        let base = placed.loaded(&real)?;
        Ok(Store {
            path: real,
            directory,
            name,
            options,
            placed: true,
            state: Mutex::new(State::with(base)),
        })
    }
    pub fn is_placed(&self) -> bool {
        self.placed
    }

    /// The file itself: absolute, with every symbolic link followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name in its directory.
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// What the file is expected to hold: as loaded, adopted or last committed.
    pub fn base(&self) -> Loaded {
        self.state().base.clone()
    }

    /// Whether a commit could succeed now, and if not, why.
    pub fn writability(&self) -> Writability {
        if self.placed {
            return Writability::ReadOnly("the file is read where it is".to_owned());
        }
        match std::fs::symlink_metadata(&self.path) {
            Ok(metadata) => writability::judge(&self.path, &self.directory, &metadata),
            Err(e) => Writability::ReadOnly(Failure::io(Step::Examine, &self.path, &e).to_string()),
        }
    }

    /// Whether the file is still the base, or what it is instead. Cheap when nothing has touched the file.
    pub fn changed(&self) -> OnDisk {
        let mut state = self.state();
        if state.base.is_certainly(&self.path) {
            return OnDisk::Same;
        }
        if self.placed {
            return placed::on_disk(&self.path);
        }
        let found = reading::on_disk(&self.path, self.options.max_size, &state.base);
        if let reading::Comparison::Same(reading) = found {
            state.base.identity = reading.loaded.identity;
            state.base.settled = reading.loaded.settled;
            return OnDisk::Same;
        }
        found.into()
    }

    /// Takes what [`changed`](Store::changed) or a stale commit found as the new base. A claim moves along to the new
    /// file; if another process has claimed that one first, the answer is [`Claim::Held`] and this store's claim is lost.
    pub fn adopt(&self, found: &Loaded) -> Claim {
        let mut state = self.state();
        state.base = found.clone();
        state.sync_owed = false;
        if !state.committed {
            state.backed_up = false;
        }
        match state.claim.take() {
            None => Claim::None,
            Some(old) if old.is_on(&self.path) => {
                state.claim = Some(old);
                Claim::Taken
            }
            Some(_) => self.take_claim(&mut state),
        }
    }

    /// Claims the save for the life of this store, as a mount does. Nothing is written to disk for it.
    pub fn claim(&self) -> Claim {
        let mut state = self.state();
        match &state.claim {
            Some(held) if held.is_on(&self.path) => Claim::Taken,
            _ => self.take_claim(&mut state),
        }
    }

    /// Gives the claim up.
    pub fn release(&self) {
        self.state().claim = None;
    }

    /// Calls `report` on a thread of its own, soon after the file was written, replaced or removed by anyone, this
    /// store included: ask [`changed`](Store::changed) then.
    ///
    /// # Errors
    /// The kernel's limits on inotify, or a directory that cannot be read.
    pub fn watch(&self, report: impl Fn() + Send + 'static) -> Result<Watch, Failure> {
        Watch::file(&self.path, report)
    }

    fn take_claim(&self, state: &mut State) -> Claim {
        let (answer, held) = claim::take(&self.path);
        state.claim = held;
        answer
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic of another thread leaves the state as it was before or after a whole step: every field stays true.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
