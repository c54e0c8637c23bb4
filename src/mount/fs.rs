//! The kernel's requests, each handed to the core and its answer handed back.

use super::core::{Core, name_of, new_name_of};
use super::counters::Operation;
use super::errno::{EILSEQ, EINVAL, ENOSPC, ENOTSUP, ENOTTY, ENXIO};
use super::files::{Mode, WritePlace};
use super::names::Making;
use super::renaming::{Place, replaces};
use super::replies::{
    GENERATION, attr, created, empty, entry, errno, fopen, kind, maker, moment, written, xattr,
};
use super::setting::Wish;
use super::waiting::Waiting;
use fuser::{
    AccessFlags, BsdFileFlags, CopyFileRangeFlags, FileHandle, Filesystem, FopenFlags, INodeNo,
    InitFlags, IoctlFlags, KernelConfig, LockOwner, OpenAccMode, OpenFlags, PollEvents, PollFlags,
    PollNotifier, RenameFlags, ReplyAttr, ReplyBmap, ReplyCreate, ReplyData, ReplyDirectory,
    ReplyDirectoryPlus, ReplyEmpty, ReplyEntry, ReplyIoctl, ReplyLseek, ReplyOpen, ReplyPoll,
    ReplyStatfs, ReplyWrite, ReplyXattr, Request, TimeOrNow, WriteFlags,
};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// The core behind fuser's interface.
pub struct Kernel {
    pub core: Arc<Core>,
    pub waiting: Waiting,
    /// Called when the kernel has ended the mount.
    pub ended: Box<dyn Fn() + Send + Sync>,
}

/// Asked for where the kernel has them; each saves requests or lets more tools work, none is needed.
const WANTED: [InitFlags; 9] = [
    InitFlags::FUSE_ATOMIC_O_TRUNC,
    InitFlags::FUSE_HANDLE_KILLPRIV_V2,
    InitFlags::FUSE_AUTO_INVAL_DATA,
    InitFlags::FUSE_DO_READDIRPLUS,
    InitFlags::FUSE_READDIRPLUS_AUTO,
    InitFlags::FUSE_PARALLEL_DIROPS,
    InitFlags::FUSE_CACHE_SYMLINKS,
    InitFlags::FUSE_DIRECT_IO_ALLOW_MMAP,
    InitFlags::FUSE_DONT_MASK,
];

impl Kernel {
    fn count(&self, operation: Operation, number: u64) {
        log::debug!("{operation:?} {number:#x}");
        self.core.counters.count(operation);
    }
}

impl Filesystem for Kernel {
    fn init(&mut self, _: &Request, config: &mut KernelConfig) -> std::io::Result<()> {
        for wanted in WANTED {
            // An older kernel lacks it and sends other requests instead.
            let _ = config.add_capabilities(wanted);
        }
        Ok(())
    }
    fn destroy(&mut self) {
        (self.ended)();
    }

    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        self.count(Operation::Lookup, parent.0);
        entry(
            reply,
            name_of(name).and_then(|name| self.core.lookup(parent.0, name)),
        );
    }
    fn forget(&self, _: &Request, ino: INodeNo, lookups: u64) {
        self.core.forget(ino.0, lookups);
    }
    fn getattr(&self, req: &Request, ino: INodeNo, fh: Option<FileHandle>, reply: ReplyAttr) {
        self.count(Operation::Getattr, ino.0);
        let known = match fh {
            Some(fh) => self.core.getattr_open(ino.0, req.pid(), fh.0),
            None => self.core.getattr(ino.0, req.pid()),
        };
        match known {
            Ok(entry) => reply.attr(&entry.lifetime, &attr(&entry.attributes)),
            Err(code) => reply.error(errno(code)),
        }
    }
    fn setattr(
        &self,
        req: &Request,
        ino: INodeNo,
        mode: Option<u32>,
        uid: Option<u32>,
        gid: Option<u32>,
        size: Option<u64>,
        atime: Option<TimeOrNow>,
        mtime: Option<TimeOrNow>,
        _: Option<SystemTime>,
        fh: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        self.count(Operation::Setattr, ino.0);
        let wish = Wish {
            mode,
            uid,
            gid,
            size,
            accessed: atime.map(moment),
            modified: mtime.map(moment),
            handle: fh.map(|fh| fh.0),
        };
        match self.core.setattr(ino.0, wish, req.pid()) {
            Ok(entry) => reply.attr(&entry.lifetime, &attr(&entry.attributes)),
            Err(code) => reply.error(errno(code)),
        }
    }
    fn readlink(&self, _: &Request, ino: INodeNo, reply: ReplyData) {
        self.count(Operation::Readlink, ino.0);
        match self.core.readlink(ino.0) {
            Ok(target) => reply.data(target.as_bytes()),
            Err(code) => reply.error(errno(code)),
        }
    }

    fn mknod(
        &self,
        req: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        umask: u32,
        _: u32,
        reply: ReplyEntry,
    ) {
        self.count(Operation::Mknod, parent.0);
        let by = maker(req);
        self.makes(name, reply, move |core, name| {
            core.mknod(parent.0, name, mode & !umask, by)
        });
    }
    fn mkdir(&self, _: &Request, parent: INodeNo, name: &OsStr, _: u32, _: u32, reply: ReplyEntry) {
        self.count(Operation::Mkdir, parent.0);
        self.makes(name, reply, move |core, name| core.mkdir(parent.0, name));
    }
    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        self.count(Operation::Unlink, parent.0);
        self.waits_for(name, reply, move |core, name| core.unlink(parent.0, name));
    }
    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        self.count(Operation::Rmdir, parent.0);
        self.waits_for(name, reply, move |core, name| core.rmdir(parent.0, name));
    }
    fn symlink(
        &self,
        req: &Request,
        parent: INodeNo,
        name: &OsStr,
        target: &Path,
        reply: ReplyEntry,
    ) {
        self.count(Operation::Symlink, parent.0);
        let target = target.to_str().ok_or(EILSEQ);
        let made = new_name_of(name)
            .and_then(|name| self.core.symlink(parent.0, name, target?, maker(req)));
        entry(reply, made);
    }
    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        newparent: INodeNo,
        newname: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        self.count(Operation::Rename, parent.0);
        let newname = match new_name_of(newname) {
            Ok(newname) => newname.to_owned(),
            Err(code) => return reply.error(errno(code)),
        };
        self.waits_for(name, reply, move |core, name| {
            let place = |directory: INodeNo, name| Place {
                directory: directory.0,
                name,
            };
            let to = place(newparent, newname.as_str());
            core.rename(place(parent, name), to, replaces(flags.bits())?)
        });
    }
    fn link(
        &self,
        req: &Request,
        ino: INodeNo,
        newparent: INodeNo,
        newname: &OsStr,
        reply: ReplyEntry,
    ) {
        self.count(Operation::Link, newparent.0);
        let by = maker(req);
        self.makes(newname, reply, move |core, name| {
            core.link(ino.0, newparent.0, name, by)
        });
    }

    fn open(&self, req: &Request, ino: INodeNo, flags: OpenFlags, reply: ReplyOpen) {
        self.count(Operation::Open, ino.0);
        let truncates = flags.0 & libc::O_TRUNC != 0;
        let mode = Mode {
            writes: truncates || flags.acc_mode() != OpenAccMode::O_RDONLY,
            truncates,
            pid: req.pid(),
        };
        match self.core.open(ino.0, mode) {
            Ok(opening) => reply.opened(FileHandle(opening.handle), fopen(&opening)),
            Err(code) => reply.error(errno(code)),
        }
    }
    fn create(
        &self,
        req: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        umask: u32,
        flags: i32,
        reply: ReplyCreate,
    ) {
        self.count(Operation::Create, parent.0);
        let making = Making {
            exclusive: flags & libc::O_EXCL != 0,
            mode: mode & !umask,
        };
        let by = maker(req);
        match new_name_of(name).map(str::to_owned) {
            Ok(name) => self.waiting.perform(&self.core, move |core| {
                created(reply, core.create(parent.0, &name, making, by));
            }),
            Err(code) => reply.error(errno(code)),
        }
    }
    fn read(
        &self,
        _: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        self.count(Operation::Read, ino.0);
        let mut reply = Some(reply);
        let read = self.core.read(fh.0, offset, size as usize, |bytes| {
            if let Some(reply) = reply.take() {
                reply.data(bytes);
            }
        });
        if let (Err(code), Some(reply)) = (read, reply) {
            reply.error(errno(code));
        }
    }
    fn write(
        &self,
        _: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: u64,
        data: &[u8],
        how: WriteFlags,
        flags: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        self.count(Operation::Write, ino.0);
        let mapped = how.contains(WriteFlags::FUSE_WRITE_CACHE);
        let place = WritePlace {
            offset,
            appends: !mapped && flags.0 & libc::O_APPEND != 0,
            mapped,
        };
        if !self.core.write_waits(fh.0) {
            return written(reply, self.core.write(fh.0, place, data), data);
        }
        let data = data.to_vec();
        self.waiting.perform(&self.core, move |core| {
            written(reply, core.write(fh.0, place, &data), &data);
        });
    }
    fn flush(&self, _: &Request, ino: INodeNo, fh: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        self.count(Operation::Flush, ino.0);
        self.waits(reply, move |core| core.flush(fh.0));
    }
    fn fsync(&self, _: &Request, ino: INodeNo, fh: FileHandle, _: bool, reply: ReplyEmpty) {
        self.count(Operation::Fsync, ino.0);
        self.waits(reply, move |core| core.flush(fh.0));
    }
    fn release(
        &self,
        _: &Request,
        ino: INodeNo,
        fh: FileHandle,
        _: OpenFlags,
        _: Option<LockOwner>,
        _: bool,
        reply: ReplyEmpty,
    ) {
        self.count(Operation::Release, ino.0);
        if self.core.has_pending(fh.0) {
            return self.waits(reply, move |core| {
                core.release(fh.0);
                Ok(())
            });
        }
        self.core.release(fh.0);
        reply.ok();
    }

    fn opendir(&self, req: &Request, ino: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        self.count(Operation::Opendir, ino.0);
        match self.core.opendir(ino.0, req.pid()) {
            Ok(handle) => reply.opened(FileHandle(handle), FopenFlags::empty()),
            Err(code) => reply.error(errno(code)),
        }
    }
    fn readdir(
        &self,
        _: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        self.count(Operation::Readdir, ino.0);
        let done = self.core.readdir(fh.0, offset, |next, listed| {
            let number = INodeNo(self.core.number_of(listed));
            reply.add(number, next, kind(listed.kind), &listed.name)
        });
        match done {
            Ok(()) => reply.ok(),
            Err(code) => reply.error(errno(code)),
        }
    }
    fn readdirplus(
        &self,
        _: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: u64,
        mut reply: ReplyDirectoryPlus,
    ) {
        self.count(Operation::Readdirplus, ino.0);
        let done = self.core.readdirplus(fh.0, offset, |next, listed, entry| {
            let a = attr(&entry.attributes);
            reply.add(a.ino, next, &listed.name, &entry.lifetime, &a, GENERATION)
        });
        match done {
            Ok(()) => reply.ok(),
            Err(code) => reply.error(errno(code)),
        }
    }
    fn releasedir(
        &self,
        _: &Request,
        ino: INodeNo,
        fh: FileHandle,
        _: OpenFlags,
        reply: ReplyEmpty,
    ) {
        self.count(Operation::Releasedir, ino.0);
        self.core.release(fh.0);
        reply.ok();
    }
    fn fsyncdir(&self, _: &Request, ino: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.count(Operation::Fsyncdir, ino.0);
        reply.ok();
    }
    fn statfs(&self, _: &Request, ino: INodeNo, reply: ReplyStatfs) {
        self.count(Operation::Statfs, ino.0);
        // The name length is the tree's own; all else is that of the file system below.
        match self.core.statfs() {
            Ok(s) => reply.statfs(
                s.f_blocks,
                s.f_bfree,
                s.f_bavail,
                s.f_files,
                s.f_ffree,
                u32::try_from(s.f_bsize).unwrap_or(4096),
                255,
                u32::try_from(s.f_frsize).unwrap_or(4096),
            ),
            Err(code) => reply.error(errno(code)),
        }
    }

    fn setxattr(
        &self,
        _: &Request,
        ino: INodeNo,
        name: &OsStr,
        value: &[u8],
        _: i32,
        _: u32,
        reply: ReplyEmpty,
    ) {
        self.count(Operation::Setxattr, ino.0);
        let (name, value) = (name.to_str().map(str::to_owned), value.to_vec());
        self.waits(reply, move |core| {
            core.setxattr(ino.0, &name.ok_or(ENOTSUP)?, &value)
        });
    }
    fn getxattr(&self, _: &Request, ino: INodeNo, name: &OsStr, size: u32, reply: ReplyXattr) {
        self.count(Operation::Getxattr, ino.0);
        let name = name.to_str().ok_or(ENOTSUP);
        xattr(
            reply,
            size,
            name.and_then(|name| self.core.getxattr(ino.0, name)),
        );
    }
    fn listxattr(&self, _: &Request, ino: INodeNo, size: u32, reply: ReplyXattr) {
        self.count(Operation::Listxattr, ino.0);
        xattr(reply, size, self.core.listxattr(ino.0));
    }
    fn removexattr(&self, _: &Request, ino: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        self.count(Operation::Removexattr, ino.0);
        let name = name.to_str().ok_or(ENOTSUP);
        empty(reply, name.and_then(|name| self.core.removexattr(name)));
    }
    fn access(&self, _: &Request, ino: INodeNo, mask: AccessFlags, reply: ReplyEmpty) {
        self.count(Operation::Access, ino.0);
        let writes = mask.contains(AccessFlags::W_OK);
        let executes = mask.contains(AccessFlags::X_OK);
        empty(reply, self.core.access(ino.0, writes, executes));
    }

    fn bmap(&self, _: &Request, ino: INodeNo, _: u32, _: u64, reply: ReplyBmap) {
        self.count(Operation::Bmap, ino.0);
        reply.error(errno(EINVAL));
    }
    fn ioctl(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        _: IoctlFlags,
        _: u32,
        _: &[u8],
        _: u32,
        reply: ReplyIoctl,
    ) {
        self.count(Operation::Ioctl, ino.0);
        reply.error(errno(ENOTTY));
    }
    fn poll(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        _: PollNotifier,
        events: PollEvents,
        _: PollFlags,
        reply: ReplyPoll,
    ) {
        self.count(Operation::Poll, ino.0);
        // Like any file on a disk: always ready.
        reply.poll(events & (PollEvents::POLLIN | PollEvents::POLLOUT));
    }
    fn fallocate(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        length: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        self.count(Operation::Fallocate, ino.0);
        let end = offset.checked_add(length).ok_or(ENOSPC);
        empty(
            reply,
            end.and_then(|end| self.core.allocate(ino.0, end, mode)),
        );
    }
    fn lseek(
        &self,
        _: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: i64,
        whence: i32,
        reply: ReplyLseek,
    ) {
        self.count(Operation::Lseek, ino.0);
        let found = self.core.size(fh.0).and_then(|size| {
            let size = i64::try_from(size).unwrap_or(i64::MAX);
            match whence {
                _ if offset < 0 || offset >= size => Err(ENXIO),
                libc::SEEK_DATA => Ok(offset),
                libc::SEEK_HOLE => Ok(size),
                _ => Err(EINVAL),
            }
        });
        match found {
            Ok(offset) => reply.offset(offset),
            Err(code) => reply.error(errno(code)),
        }
    }
    fn copy_file_range(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        _: u64,
        _: INodeNo,
        _: FileHandle,
        _: u64,
        _: u64,
        _: CopyFileRangeFlags,
        reply: ReplyWrite,
    ) {
        self.count(Operation::CopyFileRange, ino.0);
        // The kernel then copies through reads and writes.
        reply.error(errno(ENOTSUP));
    }
}
