//! Error codes as the kernel wants them.

use crate::session::NotEdited;
use crate::tree::{Errno, Refusal};

/// A code of `errno.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub i32);

pub type Outcome<T> = Result<T, Code>;

pub const EACCES: Code = Code(libc::EACCES);
pub const EBADF: Code = Code(libc::EBADF);
pub const EEXIST: Code = Code(libc::EEXIST);
pub const EFBIG: Code = Code(libc::EFBIG);
pub const EILSEQ: Code = Code(libc::EILSEQ);
pub const EINVAL: Code = Code(libc::EINVAL);
pub const EIO: Code = Code(libc::EIO);
pub const EISDIR: Code = Code(libc::EISDIR);
pub const ENAMETOOLONG: Code = Code(libc::ENAMETOOLONG);
pub const ENODATA: Code = Code(libc::ENODATA);
pub const ENOENT: Code = Code(libc::ENOENT);
pub const ENOSPC: Code = Code(libc::ENOSPC);
pub const ENOTDIR: Code = Code(libc::ENOTDIR);
pub const ENOTSUP: Code = Code(libc::ENOTSUP);
pub const ENOTTY: Code = Code(libc::ENOTTY);
pub const ENXIO: Code = Code(libc::ENXIO);
pub const EPERM: Code = Code(libc::EPERM);
pub const EROFS: Code = Code(libc::EROFS);
pub const ESTALE: Code = Code(libc::ESTALE);

impl From<Errno> for Code {
    fn from(errno: Errno) -> Self {
        Code(match errno {
            Errno::Invalid => libc::EINVAL,
            Errno::TooLong => libc::ENAMETOOLONG,
            Errno::NoSpace => libc::ENOSPC,
            Errno::NotPermitted => libc::EPERM,
            Errno::ReadOnly => libc::EROFS,
            Errno::Busy => libc::EBUSY,
            Errno::Exists => libc::EEXIST,
            Errno::NotFound => libc::ENOENT,
            Errno::Damaged => libc::EIO,
            Errno::Unencodable => libc::EILSEQ,
            Errno::Stale => libc::ESTALE,
            Errno::IsDirectory => libc::EISDIR,
            Errno::NotDirectory => libc::ENOTDIR,
            Errno::Unsupported => libc::ENOTSUP,
            Errno::System(code) => code,
        })
    }
}

impl From<Refusal> for Code {
    fn from(refusal: Refusal) -> Self {
        refusal.errno.into()
    }
}

impl From<NotEdited> for Code {
    fn from(error: NotEdited) -> Self {
        error.refusal().into()
    }
}
