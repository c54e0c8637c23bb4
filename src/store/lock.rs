//! The commit lock: a flock on the directory, held for one commit, gone with the process, leaving no file behind.

use super::error::{CommitError, Failure, Step, Warning};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Whether a file system refused a flock because it has none (some network file systems, and others for directories).
pub(super) fn means_no_flock(errno: Errno) -> bool {
    matches!(
        errno,
        Errno::OPNOTSUPP | Errno::NOSYS | Errno::BADF | Errno::INVAL | Errno::NOLCK
    )
}

/// An open directory, locked where its file system can.
pub(super) struct DirectoryLock {
    /// None if it cannot be opened, which only a commit in place survives.
    directory: Option<File>,
    path: PathBuf,
    /// Set where the file system has no lock to give.
    pub warning: Option<Warning>,
}

impl DirectoryLock {
    /// Waits at most `wait` for the lock.
    pub fn take(path: &Path, wait: Duration) -> Result<DirectoryLock, CommitError> {
        let directory = File::open(path).map_err(|e| Failure::io(Step::LockDirectory, path, &e))?;
        let warning = wait_for(&directory, path, wait)?;
        let path = path.to_owned();
        Ok(DirectoryLock {
            directory: Some(directory),
            path,
            warning,
        })
    }

    /// As [`take`](DirectoryLock::take), but does without the lock where the directory may not be read.
    pub fn take_if_allowed(path: &Path, wait: Duration) -> Result<DirectoryLock, CommitError> {
        match DirectoryLock::take(path, wait) {
            Err(CommitError::Failed(Failure {
                errno: errno @ Errno::ACCESS,
                ..
            })) => {
                let warning = Some(Warning::NoLock { errno });
                Ok(DirectoryLock {
                    directory: None,
                    path: path.to_owned(),
                    warning,
                })
            }
            other => other,
        }
    }

    /// Brings the directory's entries to the disk.
    pub fn sync(&self) -> Result<(), Failure> {
        let Some(directory) = &self.directory else {
            return Ok(());
        };
        match rustix::fs::fsync(directory) {
            // Some file systems have nothing to sync in a directory and say so in this way.
            Ok(()) | Err(Errno::INVAL | Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            Err(errno) => Err(Failure::new(Step::SyncDirectory, &self.path, errno)),
        }
    }
}

impl Drop for DirectoryLock {
    fn drop(&mut self) {
        // Closing is not enough if a child of this process inherited the descriptor. Nothing can be done on failure.
        if let Some(directory) = &self.directory {
            let _ = flock(directory, FlockOperation::Unlock);
        }
    }
}

/// Returns with the lock, or with a warning where the file system has none.
fn wait_for(directory: &File, path: &Path, wait: Duration) -> Result<Option<Warning>, CommitError> {
    let started = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        match flock(directory, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(None),
            Err(Errno::INTR) => {}
            Err(Errno::WOULDBLOCK) if started.elapsed() >= wait => {
                return Err(CommitError::Busy {
                    path: path.to_owned(),
                    waited: wait,
                });
            }
            Err(Errno::WOULDBLOCK) => {
                std::thread::sleep(pause);
                pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
            }
            Err(errno) if means_no_flock(errno) => return Ok(Some(Warning::NoLock { errno })),
            Err(errno) => return Err(Failure::new(Step::LockDirectory, path, errno).into()),
        }
    }
}
