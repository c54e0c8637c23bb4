//! Open files and directories. What is written belongs to its handle until it is flushed.

use super::errno::{EFBIG, Outcome};
use super::inodes::{ScratchId, Target};
use super::scratch::overwrite;
use crate::tree::{Leaf, NodeKind};
use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The largest value that can be staged, in bytes.
const LARGEST: usize = 64 << 20;
/// Values up to this size are made once a handle.
const KEPT: u64 = 4 << 20;

/// An open file or directory.
pub struct Handle {
    /// The number it was opened by.
    pub number: u64,
    /// The process that opened it.
    pub pid: u32,
    pub kind: Opened,
}

pub enum Opened {
    /// A value of one version.
    Reader(Reader),
    Writer(Writer),
    Scratch {
        id: ScratchId,
    },
    /// Bytes taken when it was opened.
    Text(Vec<u8>),
    /// Lines written to `control`.
    Command(Mutex<Vec<u8>>),
    /// Its entries, since they were first asked for.
    Directory(Mutex<Option<Vec<Listed>>>),
}

/// A handle that is open for writing. Its staging stays locked while its bytes become an edit, so what others need to know
/// of it is beside the lock.
pub struct Writer {
    pub path: String,
    size: AtomicU64,
    staging: Mutex<Staging>,
}

impl Writer {
    pub fn new(path: String, base: Vec<u8>) -> Self {
        Writer {
            path: path.clone(),
            size: AtomicU64::new(base.len() as u64),
            staging: Mutex::new(Staging::new(path, base)),
        }
    }
    /// Length of what it holds so far.
    pub fn size(&self) -> u64 {
        self.size.load(Ordering::Relaxed)
    }
    pub fn with<T>(&self, act: impl FnOnce(&mut Staging) -> T) -> T {
        let mut staging = self
            .staging
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let done = act(&mut staging);
        self.size.store(staging.size(), Ordering::Relaxed);
        done
    }
}

/// An entry of an open directory.
#[derive(Clone, Debug)]
pub struct Listed {
    pub name: String,
    pub target: Target,
    pub kind: NodeKind,
}

/// A value of one version, which it keeps.
pub struct Reader {
    leaf: Arc<dyn Leaf>,
    whole: OnceLock<Vec<u8>>,
    /// Whether it reads through the kernel's page cache.
    pub cached: bool,
}

impl Reader {
    /// Reads past the page cache.
    pub fn new(leaf: Arc<dyn Leaf>) -> Self {
        Reader {
            leaf,
            whole: OnceLock::new(),
            cached: false,
        }
    }
    /// Of a value that has been read already.
    pub fn of(leaf: Arc<dyn Leaf>, whole: Vec<u8>, cached: bool) -> Self {
        Reader {
            leaf,
            whole: whole.into(),
            cached,
        }
    }
    pub fn read(&self, offset: u64, length: usize) -> Cow<'_, [u8]> {
        if self.whole.get().is_none() && self.leaf.size() > KEPT {
            return Cow::Owned(self.leaf.read_at(offset, length));
        }
        let whole = self.whole.get_or_init(|| self.leaf.read().into_owned());
        Cow::Borrowed(part(whole, offset, length))
    }
    pub fn size(&self) -> u64 {
        match self.whole.get() {
            Some(whole) => whole.len() as u64,
            None => self.leaf.size(),
        }
    }
}

/// A part of bytes; shorter where they end.
pub fn part(bytes: &[u8], offset: u64, length: usize) -> &[u8] {
    let start = usize::try_from(offset)
        .unwrap_or(usize::MAX)
        .min(bytes.len());
    let end = start.saturating_add(length).min(bytes.len());
    bytes.get(start..end).unwrap_or_default()
}

/// A length that a value may be staged with.
pub fn staged_length(size: u64) -> Outcome<usize> {
    let size = usize::try_from(size).ok();
    size.filter(|size| *size <= LARGEST).ok_or(EFBIG)
}

/// What a handle that was opened for writing has been given so far.
pub struct Staging {
    pub path: String,
    /// What there was before anything was written.
    base: Vec<u8>,
    data: Vec<u8>,
    /// End of what has been written since the last truncation; what lies behind is left over from before.
    written: usize,
    /// There are zeros before that end which nobody wrote: what is to come in their place cannot be told.
    gaps: bool,
    dirty: bool,
}

impl Staging {
    pub fn new(path: String, base: Vec<u8>) -> Self {
        Staging {
            path,
            data: base.clone(),
            base,
            written: 0,
            gaps: false,
            dirty: false,
        }
    }
    /// Whether what is written so far can be judged before it is complete.
    pub fn is_coherent(&self) -> bool {
        !self.gaps
    }
    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }
    pub fn read(&self, offset: u64, length: usize) -> &[u8] {
        part(&self.data, offset, length)
    }
    /// Bytes that a flush would make an edit.
    pub fn pending(&self) -> Option<&[u8]> {
        self.dirty.then_some(&self.data)
    }
    /// Puts bytes at an offset, or at the end where that is None.
    pub fn write(&mut self, offset: Option<u64>, bytes: &[u8]) -> Outcome<()> {
        let start = match offset {
            None => self.data.len(),
            Some(offset) => usize::try_from(offset).map_err(|_| EFBIG)?,
        };
        let end = start.checked_add(bytes.len()).ok_or(EFBIG)?;
        if end > LARGEST {
            return Err(EFBIG);
        }
        self.gaps |= start > self.data.len();
        overwrite(&mut self.data, start, bytes);
        self.written = self.written.max(end);
        self.dirty = true;
        Ok(())
    }
    /// From the beginning to the end of what has been written.
    pub fn so_far(&self) -> &[u8] {
        self.data.get(..self.written).unwrap_or(&self.data)
    }
    /// Cuts or lengthens. By itself that is no edit, and one that leaves nothing takes back what was written.
    pub fn truncate(&mut self, size: u64) -> Outcome<()> {
        let size = staged_length(size)?;
        self.gaps = size > 0 && (self.gaps || size > self.data.len());
        self.data.resize(size, 0);
        self.written = self.written.min(size);
        if size == 0 {
            self.dirty = false;
        }
        Ok(())
    }
    /// Forgets everything after a refusal: half a value is none.
    pub fn reset(&mut self) {
        self.data.clone_from(&self.base);
        self.written = 0;
        self.gaps = false;
        self.dirty = false;
    }
    /// What was pending is done.
    pub fn settle(&mut self) {
        self.dirty = false;
        self.base.clone_from(&self.data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_truncation_stages_nothing() {
        let mut staging = Staging::new("deg".into(), b"25\n".to_vec());
        staging.truncate(0).unwrap();
        assert_eq!(staging.pending(), None);
        staging.write(Some(0), b"7\n").unwrap();
        assert_eq!(staging.pending(), Some(&b"7\n"[..]));
        staging.truncate(0).unwrap();
        assert_eq!(staging.pending(), None);
    }

    #[test]
    fn what_is_left_over_behind_a_write_does_not_count_until_the_flush() {
        let mut staging = Staging::new("deg".into(), b"2555\n".to_vec());
        staging.write(Some(0), b"7\n").unwrap();
        assert_eq!(staging.so_far(), b"7\n");
        assert_eq!(staging.pending(), Some(&b"7\n55\n"[..]));
        staging.truncate(2).unwrap();
        assert_eq!(staging.pending(), Some(&b"7\n"[..]));
    }

    #[test]
    fn a_refusal_takes_back_what_was_written_before_it() {
        let mut staging = Staging::new("deg".into(), Vec::new());
        staging.write(None, b"9").unwrap();
        staging.write(None, b"9").unwrap();
        staging.reset();
        assert_eq!(staging.pending(), None);
        staging.write(Some(2), b"9").unwrap();
        assert_eq!(staging.so_far(), b"\0\x009");
    }

    #[test]
    fn zeros_that_nobody_wrote_are_no_part_of_the_value_yet() {
        let mut staging = Staging::new("deg".into(), b"2555\n".to_vec());
        staging.truncate(3).unwrap();
        staging.write(Some(1), b"1\n").unwrap();
        assert!(staging.is_coherent());
        staging.truncate(6).unwrap();
        assert!(!staging.is_coherent());
        staging.truncate(0).unwrap();
        assert!(staging.is_coherent());
        staging.write(Some(1), b"\n").unwrap();
        assert!(!staging.is_coherent());
        staging.reset();
        assert!(staging.is_coherent());
    }

    #[test]
    fn a_value_has_a_largest_size() {
        let mut staging = Staging::new("deg".into(), Vec::new());
        assert_eq!(staging.write(Some(u64::MAX), b"x"), Err(EFBIG));
        assert_eq!(staging.truncate(1 << 40), Err(EFBIG));
    }
}
