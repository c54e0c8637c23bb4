//! The operations as system calls on a mount.

use super::ops::{How, Op, Over, SLOTS};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags, Timestamps};
use rustix::io::Errno;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::path::{Path, PathBuf};

/// What an operation gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    Done,
    Bytes(Vec<u8>),
    /// Size, links, permission bits, whether it is a link.
    Stat(u64, u64, u32, bool),
    Names(Vec<String>),
    /// Refused, and whether by the last step of it: closing.
    Refused(i32),
}

pub struct Real {
    root: PathBuf,
    slots: [Option<OwnedFd>; SLOTS],
}

/// Closes a file and gives the error of that, which dropping it would swallow.
fn close(file: OwnedFd) -> Result<(), Errno> {
    // SAFETY: the number is that of an open file which nobody else owns any more.
    match unsafe { libc::close(file.into_raw_fd()) } {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).expect("a code")),
    }
}

fn read_all(file: &OwnedFd) -> Result<Vec<u8>, Errno> {
    let mut whole = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        match rustix::io::pread(file, &mut whole[length..], length as u64)? {
            0 => break,
            more => length += more,
        }
    }
    whole.truncate(length);
    Ok(whole)
}

fn stat_of(stat: &rustix::fs::Stat) -> Seen {
    let link = FileType::from_raw_mode(stat.st_mode) == FileType::Symlink;
    Seen::Stat(
        stat.st_size as u64,
        stat.st_nlink,
        stat.st_mode & 0o777,
        link,
    )
}

impl Real {
    pub fn new(root: &Path) -> Real {
        Real {
            root: root.to_owned(),
            slots: Default::default(),
        }
    }
    pub fn run(&mut self, op: &Op) -> Seen {
        self.try_run(op)
            .unwrap_or_else(|code| Seen::Refused(code.raw_os_error()))
    }
    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }
    fn slot(&self, slot: usize) -> &OwnedFd {
        self.slots[slot].as_ref().expect("an open file")
    }
    fn open(&self, path: &str, flags: OFlags, mode: u32) -> Result<OwnedFd, Errno> {
        rustix::fs::open(
            self.at(path),
            flags | OFlags::CLOEXEC,
            Mode::from_raw_mode(mode),
        )
    }

    fn try_run(&mut self, op: &Op) -> Result<Seen, Errno> {
        match op {
            Op::Open { slot, path, how } => {
                let flags = match how {
                    How::Read => OFlags::RDONLY,
                    How::Write => OFlags::RDWR,
                    How::Truncate => OFlags::RDWR | OFlags::TRUNC,
                    How::Append => OFlags::RDWR | OFlags::APPEND,
                };
                self.slots[*slot] = Some(self.open(path, flags, 0)?);
            }
            Op::Make {
                slot,
                path,
                exclusive,
                mode,
            } => {
                let flags = OFlags::RDWR | OFlags::CREATE | OFlags::TRUNC;
                let flags = if *exclusive {
                    flags | OFlags::EXCL
                } else {
                    flags
                };
                self.slots[*slot] = Some(self.open(path, flags, *mode)?);
            }
            Op::Write { slot, at, bytes } => {
                let written = rustix::io::pwrite(self.slot(*slot), bytes, *at)?;
                assert_eq!(written, bytes.len(), "a short write");
            }
            Op::Cut { slot, size } => rustix::fs::ftruncate(self.slot(*slot), *size)?,
            Op::Read { slot } => return Ok(Seen::Bytes(read_all(self.slot(*slot))?)),
            Op::Sync { slot } => rustix::fs::fsync(self.slot(*slot))?,
            Op::Size { slot } => return Ok(stat_of(&rustix::fs::fstat(self.slot(*slot))?)),
            Op::Close { slot } => close(self.slots[*slot].take().expect("an open file"))?,
            Op::Put {
                path,
                bytes,
                exclusive,
            } => self.put(path, bytes, *exclusive)?,
            Op::Get { path } => {
                let file = self.open(path, OFlags::RDONLY, 0)?;
                return Ok(Seen::Bytes(read_all(&file)?));
            }
            Op::Stat { path } => {
                let stat = rustix::fs::statat(CWD, self.at(path), AtFlags::SYMLINK_NOFOLLOW)?;
                return Ok(stat_of(&stat));
            }
            Op::CutPath { path, size } => {
                let path =
                    std::ffi::CString::new(self.at(path).into_os_string().into_encoded_bytes());
                let path = path.expect("no zero in a path");
                // SAFETY: the pointer is to a string that ends in a zero and lives until the call returns.
                if unsafe { libc::truncate(path.as_ptr(), *size as i64) } != 0 {
                    return Err(
                        Errno::from_io_error(&std::io::Error::last_os_error()).expect("a code")
                    );
                }
            }
            Op::Unlink { path } => rustix::fs::unlink(self.at(path))?,
            Op::Rename { from, to, over } => {
                let flags = match over {
                    Over::Replace => RenameFlags::empty(),
                    Over::NoReplace => RenameFlags::NOREPLACE,
                    Over::Exchange => RenameFlags::EXCHANGE,
                };
                rustix::fs::renameat_with(CWD, self.at(from), CWD, self.at(to), flags)?;
            }
            Op::Link { from, to } => rustix::fs::link(self.at(from), self.at(to))?,
            Op::Symlink { to, path } => rustix::fs::symlink(to.as_str(), self.at(path))?,
            Op::Readlink { path } => {
                let target = rustix::fs::readlink(self.at(path), Vec::new())?;
                return Ok(Seen::Bytes(target.into_bytes()));
            }
            Op::List { directory } => return Ok(Seen::Names(self.list(directory))),
            Op::Chmod { path } => rustix::fs::chmod(self.at(path), Mode::from_raw_mode(0o640))?,
            Op::Touch { path } => {
                let at = rustix::fs::Timespec {
                    tv_sec: 1_000_000_000,
                    tv_nsec: 0,
                };
                let times = Timestamps {
                    last_access: at,
                    last_modification: at,
                };
                rustix::fs::utimensat(CWD, self.at(path), &times, AtFlags::empty())?;
            }
        }
        Ok(Seen::Done)
    }

    /// As a shell does it: the number is copied, so that a flush comes before any data.
    fn put(&self, path: &str, bytes: &[u8], exclusive: bool) -> Result<(), Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let flags = if exclusive {
            flags | OFlags::EXCL
        } else {
            flags
        };
        let file = self.open(path, flags, 0o644)?;
        close(rustix::io::dup(&file)?)?;
        let written = rustix::io::write(&file, bytes);
        let closed = close(file);
        if written.is_err() {
            // Half a value is none: there is nothing left that closing could refuse.
            assert_eq!(closed, Ok(()), "closing after a refused write");
        }
        written.and(closed)
    }
    fn list(&self, directory: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.at(directory)).expect("a directory");
        let name = |entry: std::io::Result<std::fs::DirEntry>| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        };
        entries.map(name).collect()
    }
}
