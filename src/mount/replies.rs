//! Answers of the core in fuser's terms.

use super::attr::Attributes;
use super::core::{Bell, Entry, LONG};
use super::errno::{Code, Outcome};
use super::files::Opening;
use super::making::Maker;
use crate::tree::NodeKind;
use fuser::{
    Errno, FileAttr, FileHandle, FileType, FopenFlags, Generation, INodeNo, Notifier, ReplyCreate,
    ReplyEmpty, ReplyEntry, ReplyWrite, ReplyXattr, Request, TimeOrNow,
};
use std::ffi::OsStr;
use std::time::{Duration, SystemTime};

/// No number is used for two things that the kernel could mistake for each other.
pub const GENERATION: Generation = Generation(0);

impl Bell for Notifier {
    fn attributes(&self, number: u64) {
        // A negative offset: attributes only, no page is locked. The kernel may have forgotten the number by now.
        let _ = self.inval_inode(INodeNo(number), -1, 0);
    }
    fn contents(&self, number: u64, bytes: &[u8]) -> bool {
        self.store(INodeNo(number), 0, bytes).is_ok()
    }
    fn entry(&self, directory: u64, name: &str) {
        let _ = self.inval_entry(INodeNo(directory), OsStr::new(name));
    }
}

pub fn errno(code: Code) -> Errno {
    Errno::from_i32(code.0)
}

pub fn kind(kind: NodeKind) -> FileType {
    match kind {
        NodeKind::Dir => FileType::Directory,
        NodeKind::Leaf => FileType::RegularFile,
        NodeKind::Link => FileType::Symlink,
    }
}

pub fn attr(a: &Attributes) -> FileAttr {
    FileAttr {
        ino: INodeNo(a.number),
        size: a.size,
        blocks: a.blocks(),
        atime: a.accessed,
        mtime: a.modified,
        ctime: a.changed,
        crtime: a.changed,
        kind: kind(a.kind),
        // The lower twelve bits: the rest is the kind.
        perm: (a.mode & 0o7777) as u16,
        nlink: a.links,
        uid: a.uid,
        gid: a.gid,
        rdev: 0,
        blksize: 4096,
        flags: 0,
    }
}

pub fn fopen(opening: &Opening) -> FopenFlags {
    let mut flags = FopenFlags::empty();
    flags.set(FopenFlags::FOPEN_DIRECT_IO, opening.direct);
    flags.set(FopenFlags::FOPEN_KEEP_CACHE, opening.keep_cache);
    flags.set(FopenFlags::FOPEN_NOFLUSH, opening.no_flush);
    flags
}

pub fn entry(reply: ReplyEntry, outcome: Outcome<Entry>) {
    match outcome {
        Ok(e) => {
            let lasting = entry_lifetime(&e);
            reply.entry_with_ttls(&e.lifetime, &lasting, &attr(&e.attributes), GENERATION);
        }
        Err(code) => reply.error(errno(code)),
    }
}
/// Names of nodes that are there last; attributes may not, while one is written.
fn entry_lifetime(entry: &Entry) -> Duration {
    if entry.lasting { LONG } else { Duration::ZERO }
}

pub fn empty(reply: ReplyEmpty, outcome: Outcome<()>) {
    match outcome {
        Ok(()) => reply.ok(),
        Err(code) => reply.error(errno(code)),
    }
}

pub fn created(reply: ReplyCreate, outcome: Outcome<(Entry, Opening)>) {
    match outcome {
        // One lifetime stands for that of the name too.
        Ok((entry, opening)) => reply.created(
            &entry.lifetime.min(entry_lifetime(&entry)),
            &attr(&entry.attributes),
            GENERATION,
            FileHandle(opening.handle),
            fopen(&opening),
        ),
        Err(code) => reply.error(errno(code)),
    }
}

pub fn written(reply: ReplyWrite, outcome: Outcome<()>, data: &[u8]) {
    match outcome {
        Ok(()) => reply.written(u32::try_from(data.len()).unwrap_or(u32::MAX)),
        Err(code) => reply.error(errno(code)),
    }
}

pub fn xattr(reply: ReplyXattr, size: u32, outcome: Outcome<Vec<u8>>) {
    match outcome {
        Ok(data) if size == 0 => reply.size(u32::try_from(data.len()).unwrap_or(u32::MAX)),
        Ok(data) if data.len() <= size as usize => reply.data(&data),
        Ok(_) => reply.error(Errno::ERANGE),
        Err(code) => reply.error(errno(code)),
    }
}

pub fn maker(req: &Request) -> Maker {
    Maker {
        uid: req.uid(),
        gid: req.gid(),
        pid: req.pid(),
    }
}

pub fn moment(time: TimeOrNow) -> SystemTime {
    match time {
        TimeOrNow::SpecificTime(time) => time,
        TimeOrNow::Now => SystemTime::now(),
    }
}
