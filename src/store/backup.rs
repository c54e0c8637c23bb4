//! Backups beside the save: `<name>.bak` is the newest, `<name>.bak.1` the one before it, and so on. Always copies,
//! never hard links: a game that writes in place would write the backup too.

use super::error::{CommitError, Failure, OpenError, Step};
use super::lock::DirectoryLock;
use super::reading::{self, Reading};
use super::temporary::Temporary;
use super::{Committed, Options, Store, attributes};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// More generations than this are not looked for.
const MOST: usize = 1000;

/// An earlier content of a save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// 0 is the newest.
    pub generation: usize,
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// When the save that it is a copy of was last written.
    pub modified: SystemTime,
}

/// The backups of the save at `save`, the newest first.
pub fn backups(save: &Path) -> Vec<Backup> {
    (0..MOST)
        .filter_map(|generation| describe(save, generation))
        .collect()
}

fn describe(save: &Path, generation: usize) -> Option<Backup> {
    let path = path_of(save, generation);
    let metadata = std::fs::symlink_metadata(&path)
        .ok()
        .filter(|m| m.is_file())?;
    Some(Backup {
        generation,
        path,
        size: metadata.len(),
        modified: metadata.modified().ok()?,
    })
}

fn path_of(save: &Path, generation: usize) -> PathBuf {
    let mut path = save.as_os_str().to_owned();
    path.push(".bak");
    if generation > 0 {
        path.push(format!(".{generation}"));
    }
    path.into()
}

/// Copies the file `old` to the newest backup of `save` and moves the earlier ones along, so that `generations` stay.
/// Returns the backup's path.
pub(super) fn keep(
    save: &Path,
    old: &Reading,
    generations: usize,
    directory: &DirectoryLock,
) -> Result<PathBuf, Failure> {
    let mut copy = Temporary::beside(save)?;
    copy.write(&old.loaded.bytes)?;
    let label = copy.path().to_owned();
    // What cannot be kept is said of the save itself; a backup with less is better than none.
    attributes::keep(&old.file, &old.metadata, &copy.file, &label)?;
    attributes::keep_times(&old.metadata, &copy.file, &label)?;
    copy.sync()?;
    make_room(save, generations)?;
    let newest = path_of(save, 0);
    copy.replace(&newest)?;
    directory.sync()?;
    Ok(newest)
}

/// Moves each backup one generation on, the oldest first, so that an interruption loses none but the one that was to
/// go. Stops at the first gap: what is behind it need not move.
fn make_room(save: &Path, generations: usize) -> Result<(), Failure> {
    let exists = |&generation: &usize| path_of(save, generation).symlink_metadata().is_ok();
    let movable = (0..generations.saturating_sub(1))
        .take_while(exists)
        .count();
    for generation in (0..movable).rev() {
        let (from, to) = (
            path_of(save, generation),
            path_of(save, generation.saturating_add(1)),
        );
        std::fs::rename(&from, &to).map_err(|e| Failure::io(Step::KeepBackup, &to, &e))?;
    }
    Ok(())
}

impl Store {
    /// Keeps a backup now, whatever the file holds, with the options' number of generations and at least one. The first
    /// commit of the session then keeps no other.
    ///
    /// # Errors
    /// As [`Store::commit`].
    pub fn back_up(&self) -> Result<PathBuf, CommitError> {
        let mut state = self.state();
        let lock = DirectoryLock::take(&self.directory, self.options.lock_wait)?;
        let current = reading::read(&self.path, self.options.max_size).map_err(|error| {
            CommitError::Stale {
                path: self.path.clone(),
                found: super::OnDisk::Unreadable(error),
            }
        })?;
        let kept = keep(&self.path, &current, self.options.backups.max(1), &lock)?;
        state.backed_up = current.loaded.bytes == state.base.bytes;
        Ok(kept)
    }

    /// The backups of this save, the newest first.
    pub fn backups(&self) -> Vec<Backup> {
        backups(&self.path)
    }

    /// Commits the bytes of a backup. They become the save as they are; what the save held becomes a backup in turn.
    ///
    /// # Errors
    /// The backup cannot be read, or as [`Store::commit`].
    pub fn restore(&self, backup: &Backup) -> Result<Committed, RestoreError> {
        let kept = reading::read(&backup.path, self.options.max_size)?;
        Ok(self.commit(kept.loaded.bytes, |_| Ok(()))?)
    }
}

/// Why a backup was not put back.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RestoreError {
    #[error(transparent)]
    Unreadable(#[from] OpenError),
    #[error(transparent)]
    NotCommitted(#[from] CommitError),
}

/// Puts a backup in the place of a save that is gone, with the backup's owner, mode and times; never over a file.
///
/// # Errors
/// The backup cannot be read, a file of the save's name exists (`EEXIST`), or the new one cannot be written.
pub fn put_back(save: &Path, backup: &Backup, options: &Options) -> Result<(), RestoreError> {
    let directory = save
        .parent()
        .filter(|d| !d.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let lock = DirectoryLock::take(directory, options.lock_wait)?;
    let kept = reading::read(&backup.path, options.max_size)?;
    let put = || -> Result<(), Failure> {
        let mut copy = Temporary::beside(save)?;
        copy.write(&kept.loaded.bytes)?;
        attributes::keep(&kept.file, &kept.metadata, &copy.file, save)?;
        attributes::keep_times(&kept.metadata, &copy.file, save)?;
        copy.sync()?;
        copy.become_new(save)?;
        lock.sync()
    };
    Ok(put().map_err(CommitError::from)?)
}
