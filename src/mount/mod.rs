//! FUSE: a session as a directory tree.

mod error;

pub use error::MountError;

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
/// usable; in the foreground when it has ended.
///
/// # Errors
/// [`MountError`]: the save cannot be opened, the mount point cannot be used, or the kernel refuses.
pub fn mount(save: &Path, _mount_point: &Path, _options: &MountOptions) -> Result<(), MountError> {
    Err(MountError::new(format!(
        "{}: mounting is not built yet",
        save.display()
    )))
}

/// Commits what is pending in the mount at `mount_point`, unmounts it and returns when its process has ended.
///
/// # Errors
/// [`MountError`]: not a mount of savefs, in use, or what is pending cannot be written; then it stays mounted.
pub fn umount(mount_point: &Path) -> Result<(), MountError> {
    Err(MountError::new(format!(
        "{}: unmounting is not built yet",
        mount_point.display()
    )))
}
