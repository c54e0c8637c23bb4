//! Temporary files beside the save: `.<name>.savefs-XXXXXX`. They become the save or a backup by a rename, and are
//! removed on every error; what a killed process left behind is swept by a later commit.

use super::error::{Failure, Step};
use rustix::fs::{Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempPath;

const INFIX: &[u8] = b".savefs-";
const RANDOM: usize = 6;
const LONGEST_NAME: usize = 255;

/// A temporary file of another process is left alone for so long.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);

/// A new file that vanishes when it is dropped without having replaced another.
pub(super) struct Temporary {
    pub file: File,
    path: TempPath,
}

impl Temporary {
    /// Creates a file that nobody else may read, beside `save`.
    pub fn beside(save: &Path) -> Result<Temporary, Failure> {
        let failed = |e: &std::io::Error| Failure::io(Step::CreateTemporary, save, e);
        let (Some(directory), Some(name)) = (save.parent(), save.file_name()) else {
            return Err(Failure::new(
                Step::CreateTemporary,
                save,
                rustix::io::Errno::INVAL,
            ));
        };
        let create = |path: &Path| {
            OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(path)
        };
        let made = tempfile::Builder::new()
            .prefix(&prefix(name))
            .rand_bytes(RANDOM)
            .make_in(directory, create);
        let (file, path) = made.map_err(|e| failed(&e))?.into_parts();
        Ok(Temporary { file, path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file
            .write_all(bytes)
            .map_err(|e| Failure::io(Step::Write, &self.path, &e))
    }

    pub fn sync(&self) -> Result<(), Failure> {
        self.file
            .sync_all()
            .map_err(|e| Failure::io(Step::Sync, &self.path, &e))
    }

    /// Puts the file in the place of `target`, in one step.
    pub fn replace(self, target: &Path) -> Result<File, Failure> {
        match self.path.persist(target) {
            Ok(()) => Ok(self.file),
            Err(refused) => Err(Failure::io(Step::Replace, target, &refused.error)),
        }
    }

    /// Takes the name `target`, which must be free.
    pub fn become_new(self, target: &Path) -> Result<(), Failure> {
        self.path
            .persist_noclobber(target)
            .map_err(|refused| Failure::io(Step::Replace, target, &refused.error))
    }
}

/// `.<name>.savefs-`, with a long name cut so that the whole fits into a directory entry.
fn prefix(name: &OsStr) -> OsString {
    let room = LONGEST_NAME - RANDOM - INFIX.len() - 1;
    let kept = name.as_bytes().get(..room).unwrap_or(name.as_bytes());
    OsString::from_vec([b".", kept, INFIX].concat())
}

/// Whether `name` is that of a temporary file of any save.
pub fn is_temporary(name: &OsStr) -> bool {
    let Some(stem) = stem(name) else { return false };
    stem.len() > INFIX.len() + 1 && stem.starts_with(b".") && stem.ends_with(INFIX)
}

/// The name without its random end, if that has the right shape.
fn stem(name: &OsStr) -> Option<&[u8]> {
    let (stem, random) = name.as_bytes().split_last_chunk::<RANDOM>()?;
    random.iter().all(u8::is_ascii_alphanumeric).then_some(stem)
}

/// Removes the temporary files of the save `name` that an interrupted commit left in `directory`: of its name's
/// pattern, a regular file of this user, untouched for an hour. Returns what was removed. Call it under the directory's
/// lock: then none of them is in use.
pub fn sweep(directory: &Path, name: &OsStr) -> Vec<PathBuf> {
    sweep_older(directory, name, LEFT_BEHIND)
}

pub(super) fn sweep_older(directory: &Path, name: &OsStr, age: Duration) -> Vec<PathBuf> {
    let wanted = prefix(name);
    let leftovers = names(directory)
        .into_iter()
        .filter(|name| stem(name) == Some(wanted.as_bytes()))
        .map(|name| directory.join(name));
    let old = leftovers.filter(|path| is_left_behind(path, age));
    old.filter(|path| std::fs::remove_file(path).is_ok())
        .collect()
}

/// Not by `std::fs::read_dir`, which panics when closing the directory fails; a sweep must not hurt a commit.
fn names(directory: &Path) -> Vec<OsString> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = rustix::fs::open(directory, flags, Mode::empty()).and_then(rustix::fs::Dir::new);
    let entries = opened.into_iter().flatten().map_while(Result::ok);
    entries
        .map(|entry| OsStr::from_bytes(entry.file_name().to_bytes()).to_owned())
        .collect()
}

fn is_left_behind(path: &Path, age: Duration) -> bool {
    let Ok(metadata) = std::fs::symlink_metadata(path) else {
        return false;
    };
    // Not the time of modification: a backup's is that of the file it was copied from.
    let changed = Duration::from_secs(u64::try_from(metadata.ctime()).unwrap_or(0));
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let mine = metadata.uid() == rustix::process::geteuid().as_raw();
    metadata.is_file() && mine && changed.saturating_add(age) <= now
}
