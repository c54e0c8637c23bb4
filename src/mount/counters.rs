//! How often the kernel asked for what.

use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! operations {
    ($($name:ident $word:literal),* $(,)?) => {
        /// A request of the kernel that wants an answer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation { $($name),* }
        const WORDS: &[&str] = &[$($word),*];
    };
}

operations! {
    Lookup "lookup", Getattr "getattr", Setattr "setattr", Readlink "readlink", Mknod "mknod", Mkdir "mkdir",
    Unlink "unlink", Rmdir "rmdir", Symlink "symlink", Rename "rename", Link "link", Open "open", Read "read",
    Write "write", Flush "flush", Release "release", Fsync "fsync", Opendir "opendir", Readdir "readdir",
    Readdirplus "readdirplus", Releasedir "releasedir", Fsyncdir "fsyncdir", Statfs "statfs", Setxattr "setxattr",
    Getxattr "getxattr", Listxattr "listxattr", Removexattr "removexattr", Access "access", Create "create",
    Ioctl "ioctl", Poll "poll", Fallocate "fallocate", Lseek "lseek", CopyFileRange "copy_file_range", Bmap "bmap",
}

/// Requests since the mount began, by kind.
pub struct Counters([AtomicU64; WORDS.len()]);

impl Default for Counters {
    fn default() -> Self {
        Counters(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Counters {
    pub fn count(&self, operation: Operation) {
        if let Some(counter) = self.0.get(operation as usize) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }
    pub fn total(&self) -> u64 {
        self.0.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }
    /// The total, then each kind that was asked for: `17 lookup=3 open=14`.
    pub fn text(&self) -> String {
        let counts = self.0.iter().map(|n| n.load(Ordering::Relaxed));
        let kinds = WORDS.iter().zip(counts).filter(|(_, n)| *n > 0);
        kinds.fold(self.total().to_string(), |text, (word, n)| {
            format!("{text} {word}={n}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_kind() {
        let counters = Counters::default();
        counters.count(Operation::Open);
        counters.count(Operation::Lookup);
        counters.count(Operation::Open);
        assert_eq!(counters.text(), "3 lookup=1 open=2");
    }
}
