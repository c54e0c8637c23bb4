//! Who holds a save's claim. A flock names nobody, and a lock file would outlive its maker; the kernel knows both the
//! process (`/proc/locks`) and the mount (`mountinfo`, where a mount's source is the path of what it shows).

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LOOKS: usize = 10;
const PAUSE: Duration = Duration::from_millis(2);

/// The process that claims a save, as far as it can be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    pub pid: Option<u32>,
    /// Where the save, or a folder that holds it, is mounted.
    pub mount_point: Option<PathBuf>,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.mount_point, self.pid) {
            (Some(mount), Some(pid)) => write!(f, "mounted at {} (process {pid})", mount.display()),
            (Some(mount), None) => write!(f, "mounted at {}", mount.display()),
            (None, Some(pid)) => write!(f, "held by process {pid}"),
            (None, None) => f.write_str("held by another process"),
        }
    }
}

/// Looks for the holder of the flock on `file`, which is at `path`.
pub(super) fn find(path: &Path, file: &File) -> Holder {
    let pid = file
        .metadata()
        .ok()
        .and_then(|m| locking_process_now(m.dev(), m.ino()));
    // The holder's own list first: it may live in another mount namespace.
    let lists = pid
        .map(|pid| format!("/proc/{pid}/mountinfo"))
        .into_iter()
        .chain(["/proc/self/mountinfo".to_owned()]);
    let mount_point = lists
        .filter_map(|list| std::fs::read(list).ok())
        .find_map(|list| mount_showing(&list, path));
    Holder { pid, mount_point }
}

/// The lock table is read in pieces, and an entry can fall between two when others come and go: look more than once.
fn locking_process_now(device: u64, inode: u64) -> Option<u32> {
    (0..LOOKS).find_map(|look| {
        if look > 0 {
            std::thread::sleep(PAUSE);
        }
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
        locking_process(&locks, device, inode)
    })
}

/// The process with an exclusive flock on the inode. A line of `/proc/locks`, with device numbers in hexadecimal:
/// `1: FLOCK  ADVISORY  WRITE 4242 fd:00:131077 0 EOF`.
pub(super) fn locking_process(locks: &str, device: u64, inode: u64) -> Option<u32> {
    let exact = format!(
        "{:02x}:{:02x}:{inode}",
        rustix::fs::major(device),
        rustix::fs::minor(device)
    );
    let same_inode = format!(":{inode}");
    let holders = |fits: &dyn Fn(&str) -> bool| {
        locks.lines().find_map(|line| {
            let mut words = line.split_ascii_whitespace().skip(1);
            let lock = (words.next()?, words.next()?, words.next()?);
            let pid = words.next()?.parse().ok()?;
            (matches!(lock, ("FLOCK", _, "WRITE")) && fits(words.next()?)).then_some(pid)
        })
    };
    // Some file systems (btrfs) give stat another device number than the lock table.
    holders(&|place| place == exact).or_else(|| holders(&|place| place.ends_with(&same_inode)))
}

/// The mount point of the FUSE mount whose source is `path` or, failing that, the nearest folder above it.
pub(super) fn mount_showing(mountinfo: &[u8], path: &Path) -> Option<PathBuf> {
    let mounts = mountinfo.split(|&b| b == b'\n').filter_map(parse_mount);
    // The last of equals is the topmost.
    mounts
        .filter(|mount| path.starts_with(&mount.source))
        .max_by_key(|mount| mount.source.as_os_str().len())
        .map(|mount| mount.point)
}

struct Mount {
    point: PathBuf,
    source: PathBuf,
}

/// A line of mountinfo: `36 35 0:42 / /mnt rw,nosuid - fuse /saves/one.sav rw`, with any number of words before the `-`.
/// Only FUSE mounts whose source is an absolute path are of interest.
fn parse_mount(line: &[u8]) -> Option<Mount> {
    let mut words = line.split(|&b| b == b' ');
    let point = words.nth(4)?;
    words.find(|&word| word == b"-")?;
    let kind = words.next()?;
    let source = unescape(words.next()?);
    let ours = kind == b"fuse" || kind == b"fuse.savefs";
    (ours && source.starts_with(b"/")).then(|| Mount {
        point: as_path(unescape(point)),
        source: as_path(source),
    })
}

fn as_path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}

/// Undoes the octal escapes (`\040` for a space) of the mount table.
fn unescape(word: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some((&first, tail)) = rest.split_first() {
        match tail
            .first_chunk::<3>()
            .and_then(octal)
            .filter(|_| first == b'\\')
        {
            Some(byte) => {
                plain.push(byte);
                rest = tail.get(3..).unwrap_or_default();
            }
            None => {
                plain.push(first);
                rest = tail;
            }
        }
    }
    plain
}

fn octal(digits: &[u8; 3]) -> Option<u8> {
    let text = std::str::from_utf8(digits).ok()?;
    u8::from_str_radix(text, 8).ok()
}
