//! FUSE: a session as a directory tree.

mod attr;
mod coherence;
mod control;
mod core;
mod counters;
mod daemon;
mod errno;
mod error;
mod files;
mod fs;
mod handles;
mod inodes;
mod listing;
mod making;
mod mounted;
mod names;
mod notifier;
mod point;
mod removing;
mod renaming;
mod replies;
mod scratch;
mod setting;
mod tombstones;
mod umount;
mod words;
mod xattr;

pub use error::MountError;
pub use mounted::Mounted;
pub use umount::umount;

use crate::session;
use std::path::Path;

/// How a save is mounted.
#[derive(Clone, Debug, Default)]
pub struct MountOptions {
    /// Stay in the calling process until the mount ends.
    pub foreground: bool,
    /// Log every request.
    pub debug: bool,
    /// Let other users in, with the kernel checking modes.
    pub allow_other: bool,
    /// Owner of all nodes, instead of the save's.
    pub uid: Option<u32>,
    /// Group of all nodes, instead of the save's.
    pub gid: Option<u32>,
    /// Permission bits that no node has.
    pub umask: Option<u32>,
    pub session: session::Options,
    /// Other words of `-o`: `noexec`, `nosuid`, `noatime`, ...
    pub fuse: Vec<String>,
}

/// Mounts the save at `save` on the directory `mount_point`, which is made where it is missing. Returns when the mount is
/// usable; in the foreground when it has ended. The calling process must not have started threads.
///
/// # Errors
/// [`MountError`]: the save cannot be opened, the mount point cannot be used, or the kernel refuses.
pub fn mount(save: &Path, mount_point: &Path, options: &MountOptions) -> Result<(), MountError> {
    daemon::mount(save, mount_point, options)
}
