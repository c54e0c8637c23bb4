//! An open save: the file, the version that everybody sees, and the only way to change either.
//!
//! [`Session::edit`] plays edits on a draft of the newest version, opens the result again, checks it and publishes it
//! as the next version; with [`Commit::Flush`] it is then written to disk. Readers take a version and keep it.

mod commit;
mod log;
mod opening;
mod play;
mod snapshot;
mod versions;

#[cfg(test)]
mod tests;

pub use log::{Log, stamp};
pub use play::{Edit, holds};
pub use snapshot::{Snapshot, Touched};
pub use versions::Versions;

use crate::formats::{self, Format};
use crate::store::{self, CommitError, OnDisk, OpenError, Store, Writability};
use crate::tree::{Change, Errno, Fault, Node, Refusal};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::SystemTime;

/// When edits are written to disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Commit {
    /// Each at once.
    #[default]
    Flush,
    /// When [`Session::commit`] is called.
    Manual,
}

/// How a save is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub commit: Commit,
    pub store: store::Options,
    pub read_only: bool,
    /// Lets the refusals through that a format marks as overridable.
    pub force: bool,
    /// The format by name, instead of recognising it.
    pub format: Option<String>,
    /// Text of a description of fields, for formats that take one.
    pub schema: Option<String>,
}

/// Why a save was not opened.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    #[error(transparent)]
    File(#[from] OpenError),
    #[error("{}: {fault}", path.display())]
    Format { path: PathBuf, fault: Fault },
    #[error("there is no format {0}; `savefs formats` lists them")]
    UnknownFormat(String),
}

/// Why an edit is not on disk.
#[derive(Debug)]
pub enum NotEdited {
    /// Nothing has changed.
    Refused(Refusal),
    /// The edit is done and every reader sees it, but it could not be written; it stays pending.
    Pending(CommitError),
}

impl NotEdited {
    /// The code and the words for whoever asked for the edit.
    pub fn refusal(&self) -> Refusal {
        match self {
            NotEdited::Refused(refusal) => refusal.clone(),
            NotEdited::Pending(error) => uncommitted(error),
        }
    }
}

/// A failed commit as a refusal with its error code.
pub fn uncommitted(error: &CommitError) -> Refusal {
    let errno = match error {
        CommitError::Stale { .. } => Errno::Stale,
        other => Errno::System(other.errno().raw_os_error()),
    };
    Refusal::new(errno, format!("not written to disk: {error}"))
}

/// What listeners hear when another version takes the place of the one before.
pub struct Update<'a> {
    pub before: &'a Arc<Snapshot>,
    pub after: &'a Arc<Snapshot>,
    /// The splices that lead from one to the other; None where the file was loaded anew and anything may differ.
    pub change: Option<&'a Change>,
}

type Listener = Box<dyn Fn(&Update) + Send + Sync>;

/// An open save.
pub struct Session {
    format: &'static dyn Format,
    opening: formats::Options,
    options: Options,
    store: Store,
    /// The mount or process that holds the save, where that makes this session read-only.
    held: Mutex<Option<String>>,
    now: RwLock<Arc<Snapshot>>,
    /// Held by whoever edits, commits or reloads, while the disk is waited for too.
    order: Mutex<()>,
    ledger: Mutex<Ledger>,
    rehearsed: Mutex<Option<Rehearsal>>,
    log: Log,
    listeners: RwLock<Vec<Listener>>,
}

/// An edit that was tried and found legal: played again it would come to the same.
struct Rehearsal {
    base: Arc<Snapshot>,
    edits: Vec<Edit>,
    played: play::Played,
}

/// The turn to edit, commit or reload: one thread has it at a time.
struct Turn<'a>(#[expect(dead_code, reason = "held, not looked into")] MutexGuard<'a, ()>);

/// What is owed to the disk and what has been on it. Looked into for a moment only, so that who reads never waits for
/// the disk; changed only by who has the turn to write.
struct Ledger {
    /// Edits that are not on disk, in order.
    journal: Vec<Edit>,
    versions: Versions,
    /// The last commit failed and is to be tried again.
    owed: bool,
}

impl Session {
    pub fn format(&self) -> &'static dyn Format {
        self.format
    }
    pub fn options(&self) -> &Options {
        &self.options
    }
    /// The file itself, every link followed.
    pub fn path(&self) -> &Path {
        self.store.path()
    }
    pub fn store(&self) -> &Store {
        &self.store
    }
    /// Refusals and warnings of this session.
    pub fn log(&self) -> &Log {
        &self.log
    }
    /// The version that everybody sees, edits that are not yet on disk included.
    pub fn now(&self) -> Arc<Snapshot> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }
    /// The node at `path` now.
    pub fn resolve(&self, path: &str) -> Result<Node, Refusal> {
        crate::tree::walk::resolve(&self.now().root(), path)
    }
    /// Calls `listener` on every change of version, on the thread that made it and before it returns. It must not
    /// edit, commit or reload.
    pub fn listen(&self, listener: impl Fn(&Update) + Send + Sync + 'static) {
        self.listeners
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Box::new(listener));
    }

    /// Claims the save for a mount; a save that is claimed already is read-only here.
    pub fn claim(&self) {
        let claim = self.store.claim();
        self.note_claim(&claim);
    }

    fn note_claim(&self, claim: &store::Claim) {
        if let store::Claim::Held(holder) = claim {
            let reason = format!("the save is already in use, {holder}; this mount is read-only");
            *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        }
    }

    /// Why nothing can be written, if so.
    pub fn read_only(&self) -> Option<String> {
        if self.options.read_only {
            return Some("opened for reading only, as asked".to_owned());
        }
        let held = self
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        held.or_else(|| self.closed()).or_else(|| self.unwritable())
    }
    fn closed(&self) -> Option<String> {
        let now = self.now();
        let forced = self.options.force && now.save.yields_to_force();
        now.read_only().filter(|_| !forced)
    }
    fn unwritable(&self) -> Option<String> {
        match self.store.writability() {
            Writability::Writable => None,
            // A game may be replacing it right now: edits wait.
            _ if !self.path().exists() => None,
            other => other
                .refusal(self.options.store.in_place)
                .map(str::to_owned),
        }
    }

    /// `clean`, `pending` with the number of edits, or `read-only` with the reason: the text of `.savefs/state`.
    pub fn state(&self) -> String {
        if let Some(reason) = self.read_only() {
            return format!("read-only: {reason}\n");
        }
        let ledger = self.ledger();
        match (ledger.journal.len(), ledger.owed) {
            (0, _) => "clean\n".to_owned(),
            (n, false) => format!("pending: {n} edits\n"),
            (n, true) => format!("pending: {n} edits; the last attempt to write them failed\n"),
        }
    }
    /// Edits that are not on disk.
    pub fn pending(&self) -> Vec<Edit> {
        self.ledger().journal.clone()
    }
    /// Versions that can still be looked at: 0 as loaded, then one a commit or reload.
    pub fn versions(&self) -> Vec<(u64, Arc<Snapshot>)> {
        self.ledger().versions.all()
    }
    /// The version of that number, where it is still kept.
    pub fn version(&self, number: u64) -> Option<Arc<Snapshot>> {
        self.ledger().versions.get(number).cloned()
    }
    /// The file as the tree shows it now, pending edits included.
    pub fn current(&self) -> Result<Arc<[u8]>, Fault> {
        self.encode(&self.now())
    }

    /// Tries whether edits would be refused, changing nothing. An [`edit`](Session::edit) of the same that follows at once
    /// costs little more than its commit.
    pub fn rehearse(&self, edits: &[Edit]) -> Result<(), Refusal> {
        let base = self.now();
        let played = self
            .play(&base, edits)
            .inspect_err(|refusal| self.log.push(refusal))?;
        *self.rehearsal() = played.map(|played| Rehearsal {
            base,
            edits: edits.to_vec(),
            played,
        });
        Ok(())
    }
    fn rehearsal(&self) -> MutexGuard<'_, Option<Rehearsal>> {
        self.rehearsed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
    /// Plays edits on the newest version, unless that has been rehearsed.
    fn play_newest(
        &self,
        now: &Arc<Snapshot>,
        edits: &[Edit],
    ) -> Result<Option<play::Played>, Refusal> {
        match self.rehearsal().take() {
            Some(r) if Arc::ptr_eq(&r.base, now) && r.edits == edits => Ok(Some(r.played)),
            _ => self.play(now, edits),
        }
    }

    /// Plays edits as one: all of them or none. With [`Commit::Flush`] they are then written to disk. Gives whether
    /// anything changed.
    ///
    /// # Errors
    /// [`NotEdited`]: refused and nothing has changed, or done and not yet on disk.
    pub fn edit(&self, edits: &[Edit]) -> Result<bool, NotEdited> {
        let turn = self.turn();
        if let Err(error) = self.catch_up_with(&turn) {
            self.log.push(&error);
        }
        let now = self.now();
        let played = self.play_newest(&now, edits).map_err(|refusal| {
            self.log.push(&refusal);
            NotEdited::Refused(refusal)
        })?;
        let Some(played) = played else {
            return Ok(false);
        };
        for caution in &played.cautions {
            self.log.push(format!("warning: {caution}"));
        }
        let touched = now.touched.after(&played.change, SystemTime::now());
        let next = Snapshot::new(now.number + 1, played.save, None, touched);
        self.ledger().journal.extend(edits.iter().cloned());
        self.publish(&now, next, Some(&played.change));
        match self.options.commit {
            Commit::Manual => Ok(true),
            Commit::Flush => self
                .commit_with(&turn)
                .map(|()| true)
                .map_err(NotEdited::Pending),
        }
    }

    /// The warnings that edits would bring, for callers that print them. Call before [`Session::edit`].
    pub fn cautions(&self, edits: &[Edit]) -> Vec<String> {
        let played = self.play(&self.now(), edits).ok().flatten();
        played.map_or_else(Vec::new, |played| played.cautions)
    }

    fn publish(&self, before: &Arc<Snapshot>, after: Snapshot, change: Option<&Change>) {
        let after = Arc::new(after);
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&after);
        let update = Update {
            before,
            after: &after,
            change,
        };
        for listener in self
            .listeners
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
        {
            listener(&update);
        }
    }

    /// Waits for the turn to edit, commit or reload.
    fn turn(&self) -> Turn<'_> {
        Turn(self.order.lock().unwrap_or_else(PoisonError::into_inner))
    }
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // Every step leaves journal and versions consistent, so what a panic left behind is still true.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_bytes(&self, file: &[u8]) -> Result<Arc<dyn crate::tree::Save>, Fault> {
        self.format.open(file, &self.opening)
    }

    /// Whether what the save encodes to decodes to the same save. A file that is left in its place is not encoded.
    ///
    /// # Errors
    /// The save cannot be encoded.
    pub fn comes_back(&self) -> Result<bool, Fault> {
        if self.store.is_placed() {
            return Ok(true);
        }
        let save = Arc::clone(&self.now().save);
        let file = save.encode()?;
        Ok(self
            .open_bytes(&file)
            .is_ok_and(|again| again.image() == save.image()))
    }

    /// What the disk holds instead of what was loaded, if anything.
    fn disk_news(&self) -> Option<OnDisk> {
        match self.store.changed() {
            OnDisk::Same => None,
            other => Some(other),
        }
    }
}
