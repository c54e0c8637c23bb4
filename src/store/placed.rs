//! A file that is read where it is, for what is larger than memory. It is told from its later selves by its identity
//! alone.

use super::error::{Failure, OpenError, Step};
use super::reading::{self, Identity, Loaded, OnDisk};
use rustix::io::Errno;
use std::fs::{File, Metadata};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// An open file whose bytes stay on the disk.
pub struct Placed {
    file: File,
    metadata: Metadata,
}

impl Placed {
    /// Opens a regular file, a symbolic link followed.
    ///
    /// # Errors
    /// [`OpenError`]: it cannot be opened, or is no regular file.
    pub fn open(path: &Path) -> Result<Placed, OpenError> {
        let real = path
            .canonicalize()
            .map_err(|e| Failure::io(Step::Open, path, &e))?;
        let file = reading::open(&real)?;
        let metadata = file
            .metadata()
            .map_err(|e| Failure::io(Step::Examine, path, &e))?;
        if !metadata.is_file() {
            return Err(OpenError::NotAFile { path: real });
        }
        Ok(Placed { file, metadata })
    }

    pub fn length(&self) -> u64 {
        self.metadata.len()
    }

    /// The bytes from `offset` on; fewer than `length` where they end or cannot be read. Nothing is reserved for bytes
    /// that the file does not have.
    pub fn read_at(&self, offset: u64, length: usize) -> Vec<u8> {
        let left = self.length().saturating_sub(offset);
        let length = usize::try_from(left).map_or(length, |left| left.min(length));
        let mut bytes = vec![0; length];
        let mut done = 0;
        while let Some(rest) = bytes.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match self.file.read_at(rest, offset.saturating_add(done as u64)) {
                Ok(0) => break,
                Ok(more) => done += more,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    log::warn!("a file that is read where it is: {error}");
                    break;
                }
            }
        }
        bytes.truncate(done);
        bytes
    }

    /// What a store remembers of it: the identity, and no bytes.
    pub(super) fn loaded(&self, path: &Path) -> Result<Loaded, OpenError> {
        let metadata = self
            .file
            .metadata()
            .map_err(|e| Failure::io(Step::Examine, path, &e))?;
        Ok(Loaded::of_identity(Identity::of(&metadata)))
    }
}

/// What is at the path now, judged without reading it.
pub(super) fn on_disk(path: &Path) -> OnDisk {
    match Placed::open(path).and_then(|placed| placed.loaded(path)) {
        Ok(loaded) => OnDisk::Other(loaded),
        Err(OpenError::Failed(failure)) if failure.errno == Errno::NOENT => OnDisk::Gone,
        Err(error) => OnDisk::Unreadable(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{CommitError, Options, Store, Writability};

    #[test]
    fn a_placed_file_is_read_in_pieces_and_never_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        std::fs::write(&path, b"0123456789").unwrap();
        let placed = Placed::open(&path).unwrap();
        assert_eq!(placed.read_at(3, 4), b"3456");
        assert_eq!(placed.read_at(8, usize::MAX), b"89");
        assert_eq!(placed.read_at(99, 4), b"");
        let store = Store::of_placed(&path, &placed, Options::default()).unwrap();
        assert!(store.base().bytes.is_empty());
        assert_eq!(store.changed(), OnDisk::Same);
        assert!(matches!(store.writability(), Writability::ReadOnly(_)));
        assert!(matches!(
            store.commit(b"new".to_vec(), |_| Ok(())),
            Err(CommitError::ReadOnly { .. })
        ));
        std::fs::write(&path, b"something else").unwrap();
        assert!(matches!(store.changed(), OnDisk::Other(_)));
        assert_eq!(std::fs::read(&path).unwrap(), b"something else");
    }
}
