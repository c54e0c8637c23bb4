//! Reading a save, and telling whether it is still the one that was read.

use super::error::{Failure, OpenError, Step};
use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Timestamps this close to the moment of reading prove nothing: a write within the same tick of the file system's
/// clock leaves them as they are. Two seconds is the tick of the coarsest file systems in use (FAT).
const TICK: Duration = Duration::from_secs(2);

/// A game may be writing while we read: how often, and after what pause, a reading is tried again.
const READINGS: usize = 5;
const PAUSE: Duration = Duration::from_millis(10);

/// What tells one state of a file from another without reading it. Times are seconds and nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    pub device: u64,
    pub inode: u64,
    pub size: u64,
    pub modified: (i64, i64),
    pub changed: (i64, i64),
}

impl Identity {
    pub(super) fn of(metadata: &Metadata) -> Identity {
        Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    fn is_older_than_a_tick(&self, now: SystemTime) -> bool {
        let limit = now
            .checked_sub(TICK)
            .and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let limit = limit.map_or(0, |t| i64::try_from(t.as_secs()).unwrap_or(i64::MAX));
        self.changed.0 < limit
    }
}

/// A file's bytes and the state of the file that they came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    pub bytes: Arc<[u8]>,
    pub identity: Identity,
    /// The identity alone proves that the bytes are these (see [`TICK`]).
    pub(super) settled: bool,
}

impl Loaded {
    /// A file whose bytes are not loaded; its identity is all that there is to compare.
    pub(super) fn of_identity(identity: Identity) -> Loaded {
        Loaded {
            bytes: Arc::from([]),
            identity,
            settled: true,
        }
    }
    /// Whether the file at `path` is this one beyond doubt, judged without reading it.
    pub(super) fn is_certainly(&self, path: &Path) -> bool {
        self.settled
            && std::fs::symlink_metadata(path).is_ok_and(|m| Identity::of(&m) == self.identity)
    }
}

/// A file beside what was expected of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnDisk {
    /// It holds the expected bytes.
    Same,
    /// It holds others.
    Other(Loaded),
    /// There is no such file any more.
    Gone,
    /// There is something that cannot be loaded.
    Unreadable(OpenError),
}

/// A file that was just read, still open.
pub(super) struct Reading {
    pub file: File,
    pub metadata: Metadata,
    pub loaded: Loaded,
}

pub(super) enum Comparison {
    Same(Reading),
    Other(Reading),
    Gone,
    Unreadable(OpenError),
}

impl From<Comparison> for OnDisk {
    fn from(found: Comparison) -> OnDisk {
        match found {
            Comparison::Same(_) => OnDisk::Same,
            Comparison::Other(reading) => OnDisk::Other(reading.loaded),
            Comparison::Gone => OnDisk::Gone,
            Comparison::Unreadable(error) => OnDisk::Unreadable(error),
        }
    }
}

/// Reads the file and compares its bytes with those of `base`.
pub(super) fn on_disk(path: &Path, limit: u64, base: &Loaded) -> Comparison {
    match read(path, limit) {
        Ok(reading) if reading.loaded.bytes == base.bytes => Comparison::Same(reading),
        Ok(reading) => Comparison::Other(reading),
        Err(OpenError::Failed(failure)) if failure.errno == rustix::io::Errno::NOENT => {
            Comparison::Gone
        }
        Err(error) => Comparison::Unreadable(error),
    }
}

/// Reads a regular file of at most `limit` bytes; does not follow a symbolic link in the last component.
pub(super) fn read(path: &Path, limit: u64) -> Result<Reading, OpenError> {
    let mut reading = read_once(path, limit)?;
    for _ in 1..READINGS {
        if reading.1 {
            break;
        }
        std::thread::sleep(PAUSE);
        reading = read_once(path, limit)?;
    }
    Ok(reading.0)
}

/// One reading, and whether the file held still meanwhile.
fn read_once(path: &Path, limit: u64) -> Result<(Reading, bool), OpenError> {
    let file = open(path)?;
    let examine = |file: &File| {
        file.metadata()
            .map_err(|e| Failure::io(Step::Examine, path, &e))
    };
    let before = examine(&file)?;
    if !before.is_file() {
        return Err(OpenError::NotAFile {
            path: path.to_owned(),
        });
    }
    let now = SystemTime::now();
    let bytes = read_bounded(&file, path, before.size(), limit)?;
    let metadata = examine(&file)?;
    let identity = Identity::of(&metadata);
    let still = identity == Identity::of(&before) && identity.size == bytes.len() as u64;
    let settled = still && identity.is_older_than_a_tick(now);
    Ok((
        Reading {
            file,
            metadata,
            loaded: Loaded {
                bytes: bytes.into(),
                identity,
                settled,
            },
        },
        still,
    ))
}

pub(super) fn open(path: &Path) -> Result<File, OpenError> {
    // Not blocking: opening a fifo would wait for its other end.
    let flags =
        rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)
        .map_err(|e| {
            match (
                e.raw_os_error().map(rustix::io::Errno::from_raw_os_error),
                std::fs::symlink_metadata(path),
            ) {
                // A socket or a link cannot be opened so: say what it is rather than what the kernel calls it.
                (Some(rustix::io::Errno::NXIO | rustix::io::Errno::LOOP), Ok(m))
                    if !m.is_file() =>
                {
                    OpenError::NotAFile {
                        path: path.to_owned(),
                    }
                }
                _ => Failure::io(Step::Open, path, &e).into(),
            }
        })
}

fn read_bounded(file: &File, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>, OpenError> {
    let too_large = |size| OpenError::TooLarge {
        path: PathBuf::from(path),
        size,
        limit,
    };
    if size > limit {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    // One byte more than allowed shows a file that grew past the limit.
    let taken = file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    let taken = taken.map_err(|e| Failure::io(Step::Read, path, &e))? as u64;
    if taken > limit {
        Err(too_large(taken))
    } else {
        Ok(bytes)
    }
}
