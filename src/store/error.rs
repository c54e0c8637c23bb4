//! What can go wrong with a file, as values.

use super::reading::OnDisk;
use rustix::io::Errno;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A system call's refusal: what was being done, to which file, and the kernel's code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: cannot {step}: {errno}", path.display())]
pub struct Failure {
    pub step: Step,
    pub path: PathBuf,
    pub errno: Errno,
}

impl Failure {
    pub(super) fn new(step: Step, path: &Path, errno: Errno) -> Failure {
        Failure {
            step,
            path: path.to_owned(),
            errno,
        }
    }

    pub(super) fn io(step: Step, path: &Path, error: &io::Error) -> Failure {
        Failure::new(step, path, Errno::from_io_error(error).unwrap_or(Errno::IO))
    }
}

/// What was being done when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Open,
    Examine,
    Read,
    LockDirectory,
    CreateTemporary,
    Write,
    KeepAttributes,
    Sync,
    KeepBackup,
    Claim,
    Replace,
    SyncDirectory,
    Watch,
    SaveUnfinished,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::Open => "open it",
            Step::Examine => "examine it",
            Step::Read => "read it",
            Step::LockDirectory => "lock the directory",
            Step::CreateTemporary => "create a temporary file",
            Step::Write => "write",
            Step::KeepAttributes => "keep the attributes of the old file",
            Step::Sync => "bring it to the disk",
            Step::KeepBackup => "keep a backup",
            Step::Claim => "claim it",
            Step::Replace => "replace the old file",
            Step::SyncDirectory => "bring the directory to the disk",
            Step::Watch => "watch it",
            Step::SaveUnfinished => "save the unfinished edits",
        })
    }
}

/// Why a file was not loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Failed(#[from] Failure),
    #[error("{}: not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("{}: {size} bytes, more than the {limit} that are loaded", path.display())]
    TooLarge {
        path: PathBuf,
        size: u64,
        limit: u64,
    },
}

impl OpenError {
    /// The code that a caller across a system call boundary should get.
    pub fn errno(&self) -> Errno {
        match self {
            OpenError::Failed(failure) => failure.errno,
            OpenError::NotAFile { .. } => Errno::INVAL,
            OpenError::TooLarge { .. } => Errno::FBIG,
        }
    }
}

/// Why a commit did not happen. Unless the variant says otherwise the file is untouched.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CommitError {
    /// The file is no longer the one that was loaded.
    #[error("{}: changed on disk since it was loaded", path.display())]
    Stale { path: PathBuf, found: OnDisk },
    /// The file cannot be replaced, or not without a loss that nobody asked for.
    #[error("{}: {reason}", path.display())]
    ReadOnly { path: PathBuf, reason: String },
    /// The caller's check of the new bytes failed.
    #[error("{}: the new bytes do not read back: {why}", path.display())]
    Unverified { path: PathBuf, why: String },
    /// Another process held the directory's lock for the whole wait.
    #[error("{}: another commit has held the directory for {waited:?}", path.display())]
    Busy { path: PathBuf, waited: Duration },
    #[error(transparent)]
    Failed(#[from] Failure),
    /// The file *is* the new one, but may be the old one again after a power failure. The next commit tries again.
    #[error("{0}; the file is the new one, but a power failure might undo that")]
    NotDurable(Failure),
    /// Writing in place failed, and so did putting the old bytes back: the file is damaged.
    #[error("{write}; the old bytes could not be put back: {undo}")]
    Torn { write: Failure, undo: Failure },
}

impl CommitError {
    /// The code that a caller across a system call boundary should get.
    pub fn errno(&self) -> Errno {
        match self {
            CommitError::Stale { .. } => Errno::STALE,
            CommitError::ReadOnly { .. } => Errno::ROFS,
            CommitError::Unverified { .. } => Errno::IO,
            CommitError::Busy { .. } => Errno::BUSY,
            CommitError::Failed(failure) | CommitError::NotDurable(failure) => failure.errno,
            CommitError::Torn { write, .. } => write.errno,
        }
    }
}

/// What a commit could not keep although it succeeded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    #[error("the owner (user {uid}) could not be kept")]
    Owner { uid: u32 },
    #[error("the group ({gid}) could not be kept; what it was allowed beyond others is gone")]
    Group { gid: u32 },
    #[error("the attribute {name} could not be kept: {errno}")]
    Attribute { name: String, errno: Errno },
    #[error(
        "the directory cannot be locked ({errno}): commits of two processes are not kept apart"
    )]
    NoLock { errno: Errno },
}
