//! The claim: a flock on the save's inode for the life of a mount, gone with the process.

use super::error::{Failure, Step};
use super::holder::{self, Holder};
use super::lock::means_no_flock;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A file that is replaced while it is being claimed is claimed anew; this often, so that no one can keep us at it.
const TRIES: usize = 16;

/// How a claim stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No claim was asked for.
    None,
    /// The save is claimed by this store.
    Taken,
    /// The save is claimed by another process, and not by this store.
    Held(Holder),
    /// The file system has no locks: nobody can claim the save.
    NoLocks,
    /// The save could not be claimed.
    Failed(Failure),
}

/// A claim that holds until it is dropped.
pub(super) struct Held {
    file: File,
}

impl Held {
    /// Claims a file that no other process can know yet.
    pub fn on_new(path: &Path) -> Result<Held, Failure> {
        let file = File::open(path).map_err(|e| Failure::io(Step::Claim, path, &e))?;
        flock(&file, FlockOperation::NonBlockingLockExclusive)
            .map_err(|e| Failure::new(Step::Claim, path, e))?;
        Ok(Held { file })
    }

    /// Whether the claimed file is the one that `path` names now.
    pub fn is_on(&self, path: &Path) -> bool {
        match (self.file.metadata(), std::fs::symlink_metadata(path)) {
            (Ok(mine), Ok(named)) => (mine.dev(), mine.ino()) == (named.dev(), named.ino()),
            _ => false,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Closing is not enough if a child of this process inherited the descriptor. Nothing can be done on failure.
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

/// Claims the file at `path`.
pub(super) fn take(path: &Path) -> (Claim, Option<Held>) {
    for _ in 0..TRIES {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(e) => return (Claim::Failed(Failure::io(Step::Claim, path, &e)), None),
        };
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {
                let held = Held { file };
                // Between opening and locking a commit may have put another file in this one's place.
                if held.is_on(path) {
                    return (Claim::Taken, Some(held));
                }
            }
            Err(Errno::INTR) => {}
            Err(Errno::WOULDBLOCK) => return (Claim::Held(holder::find(path, &file)), None),
            Err(errno) if means_no_flock(errno) => return (Claim::NoLocks, None),
            Err(errno) => return (Claim::Failed(Failure::new(Step::Claim, path, errno)), None),
        }
    }
    (
        Claim::Failed(Failure::new(Step::Claim, path, Errno::AGAIN)),
        None,
    )
}
