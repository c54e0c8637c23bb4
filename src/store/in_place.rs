//! Writing into the file itself, for those who ask for it: not atomic, but a refusal is undone.

use super::error::{CommitError, Failure, Step};
use rustix::fs::FallocateFlags;
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// Makes `old`, the content of the file at `path`, into `new`. The open file is returned.
pub(super) fn overwrite(path: &Path, old: &[u8], new: &[u8]) -> Result<File, CommitError> {
    let flags = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or(0);
    let opened = OpenOptions::new()
        .write(true)
        .custom_flags(flags)
        .open(path);
    let file = opened.map_err(|e| Failure::io(Step::Open, path, &e))?;
    reserve(&file, path, old.len() as u64, new.len() as u64)?;
    match put(&file, path, new) {
        Ok(()) => Ok(file),
        Err(write) => match put(&file, path, old) {
            Ok(()) => Err(write.into()),
            Err(undo) => Err(CommitError::Torn { write, undo }),
        },
    }
}

/// Takes the room for a longer file before anything is overwritten, so that a full disk refuses early.
fn reserve(file: &File, path: &Path, old: u64, new: u64) -> Result<(), Failure> {
    let Some(more) = new.checked_sub(old).filter(|&more| more > 0) else {
        return Ok(());
    };
    match rustix::fs::fallocate(file, FallocateFlags::KEEP_SIZE, old, more) {
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(errno) => Err(Failure::new(Step::Write, path, errno)),
    }
}

fn put(file: &File, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |step| move |e: std::io::Error| Failure::io(step, path, &e);
    file.write_all_at(bytes, 0).map_err(failed(Step::Write))?;
    file.set_len(bytes.len() as u64)
        .map_err(failed(Step::Write))?;
    file.sync_all().map_err(failed(Step::Sync))
}
