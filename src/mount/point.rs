//! The directory that a save is mounted on.

use super::error::MountError;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A directory that can be mounted on.
#[derive(Debug)]
pub struct MountPoint {
    pub path: PathBuf,
    /// Device and inode of the directory, if it was made for this mount.
    made: Option<(u64, u64)>,
}

impl MountPoint {
    /// Looks whether `save` can be mounted at `path`, and makes the directory where it is missing.
    ///
    /// # Errors
    /// Not a directory, not empty unless `filled` is allowed, or one that would hide the save itself.
    pub fn prepare(path: &Path, save: &Path, filled: bool) -> Result<MountPoint, MountError> {
        let refuse = |why: &str| MountError::new(format!("{}: {why}", path.display()));
        let made = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(refuse(
                    "is not a directory; a save is mounted on an empty one",
                ));
            }
            Ok(_) => false,
            Err(e) if e.kind() == ErrorKind::NotFound => {
                fs::create_dir(path)
                    .map_err(|e| refuse(&format!("cannot be made as a directory: {e}")))?;
                true
            }
            Err(e) if e.raw_os_error() == Some(libc::ENOTCONN) => {
                return Err(refuse(
                    "holds a mount whose process has died; `umount -l` releases it",
                ));
            }
            Err(e) => return Err(refuse(&e.to_string())),
        };
        let real = path.canonicalize().map_err(|e| refuse(&e.to_string()))?;
        let point = MountPoint {
            made: made.then(|| identity(&real)).flatten(),
            path: real,
        };
        match point.obstacle(save, filled) {
            None => Ok(point),
            Some(why) => {
                point.tidy();
                Err(refuse(&why))
            }
        }
    }

    fn obstacle(&self, save: &Path, filled: bool) -> Option<String> {
        let real = save.canonicalize().ok()?;
        if real.starts_with(&self.path) {
            return Some("holds the save itself, which a mount there would hide".to_owned());
        }
        let mut entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(e) => return Some(e.to_string()),
        };
        if entries.next().is_some() && !filled {
            return Some("is not empty; a save is mounted on an empty directory".to_owned());
        }
        None
    }

    /// Removes the directory if it was made for the mount, and is still the same and empty.
    pub fn tidy(&self) {
        if self.made.is_some() && identity(&self.path) == self.made {
            // What is not empty any more stays.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::symlink_metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Takes a mount off its directory, at once even where somebody still uses it if `lazily`.
pub fn unmount(point: &Path, lazily: bool) -> std::io::Result<()> {
    let flags = match lazily {
        true => rustix::mount::UnmountFlags::DETACH,
        false => rustix::mount::UnmountFlags::empty(),
    };
    match rustix::mount::unmount(point, flags | rustix::mount::UnmountFlags::NOFOLLOW) {
        Err(rustix::io::Errno::PERM) => by_helper(point, lazily),
        other => other.map_err(Into::into),
    }
}

/// Who is not root asks fusermount3, which may unmount what it mounted for them.
fn by_helper(point: &Path, lazily: bool) -> std::io::Result<()> {
    let mut command = std::process::Command::new("fusermount3");
    command.arg("-u").arg("-q");
    if lazily {
        command.arg("-z");
    }
    let done = command.arg("--").arg(point).status()?;
    match done.success() {
        true => Ok(()),
        false => Err(std::io::Error::from_raw_os_error(libc::EBUSY)),
    }
}
