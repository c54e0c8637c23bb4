//! Whether a save can be replaced, and if not, the reason in plain words.

use rustix::fs::Access;
use rustix::io::Errno;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const STICKY: u32 = 0o1000;

/// What a commit to a save can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writability {
    Writable,
    /// The file cannot be replaced without a loss, but it can be written in place, for the reason given.
    InPlaceOnly(String),
    /// Nothing can be written, for the reason given.
    ReadOnly(String),
}

impl Writability {
    /// Why a commit that writes `in_place` or not would be refused.
    pub fn refusal(&self, in_place: bool) -> Option<&str> {
        match self {
            Writability::Writable => None,
            Writability::InPlaceOnly(_) if in_place => None,
            Writability::InPlaceOnly(reason) | Writability::ReadOnly(reason) => Some(reason),
        }
    }
}

pub(super) fn judge(path: &Path, directory: &Path, metadata: &Metadata) -> Writability {
    if let Err(errno) = rustix::fs::access(path, Access::WRITE_OK) {
        return Writability::ReadOnly(match errno {
            Errno::ROFS => "the file system is read-only".to_owned(),
            Errno::ACCESS => "you may not write this file".to_owned(),
            Errno::PERM => "the file is marked immutable".to_owned(),
            other => format!("the file cannot be written: {other}"),
        });
    }
    match reason_not_to_replace(directory, metadata) {
        Some(reason) => Writability::InPlaceOnly(reason),
        None => Writability::Writable,
    }
}

fn reason_not_to_replace(directory: &Path, file: &Metadata) -> Option<String> {
    if file.nlink() > 1 {
        return Some(format!(
            "the file has {} names (hard links): replacing one would part them",
            file.nlink()
        ));
    }
    // A commit creates and renames in the directory, and opens it to lock and sync it.
    if let Err(errno) = rustix::fs::access(
        directory,
        Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK,
    ) {
        return Some(match errno {
            Errno::ACCESS => format!("you may not write the directory {}", directory.display()),
            other => format!(
                "the directory {} cannot be written: {other}",
                directory.display()
            ),
        });
    }
    let me = rustix::process::geteuid();
    if me.is_root() || me.as_raw() == file.uid() {
        return None;
    }
    let sticky = std::fs::metadata(directory)
        .is_ok_and(|d| d.mode() & STICKY != 0 && d.uid() != me.as_raw());
    let consequence = if sticky {
        "its directory lets only the owner replace it"
    } else {
        "a replaced file would be yours"
    };
    Some(format!(
        "the file belongs to another user ({}): {consequence}",
        file.uid()
    ))
}
