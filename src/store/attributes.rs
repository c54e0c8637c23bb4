//! Everything about a file that is not its bytes, carried over to the file that takes its place.

use super::error::{Failure, Step, Warning};
use rustix::fs::XattrFlags;
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::{File, FileTimes, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

const MODE: u32 = 0o7777;
const GROUP: u32 = 0o070;
const OTHERS: u32 = 0o007;
const GROUP_SHIFT: u32 = 3;

/// The kernel's signatures of a file's content: those of the old bytes would make the new ones unreadable.
const SIGNATURES: [&CStr; 2] = [c"security.ima", c"security.evm"];

/// A new file inherits this one from its directory, which the old file may not have done.
const ACCESS_LIST: &CStr = c"system.posix_acl_access";

/// Gives `new` the owner, group, extended attributes and mode of `old`. What only a privileged user can keep and this
/// one cannot is returned; a group that is lost takes the rights that it had beyond others with it.
pub(super) fn keep(
    old: &File,
    metadata: &Metadata,
    new: &File,
    path: &Path,
) -> Result<Vec<Warning>, Failure> {
    let mut warnings = keep_owner(metadata, new, path)?;
    let owned = warnings.is_empty();
    keep_extended(old, new, path, &mut warnings)?;
    // Last: a change of owner clears bits, and an access list rewrites those of the group.
    let mode = metadata.mode() & MODE;
    keep_mode(if owned { mode } else { narrowed(mode) }, new, path)?;
    Ok(warnings)
}

/// Gives `new` the times of access and modification of the file that `metadata` describes.
pub(super) fn keep_times(metadata: &Metadata, new: &File, path: &Path) -> Result<(), Failure> {
    let failed = |e: &std::io::Error| Failure::io(Step::KeepAttributes, path, e);
    let accessed = metadata.accessed().map_err(|e| failed(&e))?;
    let modified = metadata.modified().map_err(|e| failed(&e))?;
    new.set_times(
        FileTimes::new()
            .set_accessed(accessed)
            .set_modified(modified),
    )
    .map_err(|e| failed(&e))
}

fn keep_mode(mode: u32, new: &File, path: &Path) -> Result<(), Failure> {
    let failed = |e: &std::io::Error| Failure::io(Step::KeepAttributes, path, e);
    // Where all files have one mode (FAT and its like) setting it can be an error.
    if new.metadata().map_err(|e| failed(&e))?.mode() & MODE == mode {
        return Ok(());
    }
    new.set_permissions(Permissions::from_mode(mode))
        .map_err(|e| failed(&e))
}

/// A mode whose group may do no more than others, without set-id bits.
fn narrowed(mode: u32) -> u32 {
    let group = mode & GROUP & ((mode & OTHERS) << GROUP_SHIFT);
    (mode & 0o777 & !GROUP) | group
}

fn keep_owner(old: &Metadata, new: &File, path: &Path) -> Result<Vec<Warning>, Failure> {
    let made = new
        .metadata()
        .map_err(|e| Failure::io(Step::KeepAttributes, path, &e))?;
    let mut warnings = Vec::new();
    if made.gid() != old.gid() && !gives(new, None, Some(old.gid()), path)? {
        warnings.push(Warning::Group { gid: old.gid() });
    }
    if made.uid() != old.uid() && !gives(new, Some(old.uid()), None, path)? {
        warnings.push(Warning::Owner { uid: old.uid() });
    }
    Ok(warnings)
}

/// Changes the owner or the group; false if this user may not.
fn gives(file: &File, uid: Option<u32>, gid: Option<u32>, path: &Path) -> Result<bool, Failure> {
    match fchown(file, uid, gid) {
        Ok(()) => Ok(true),
        // EINVAL: an id that has no meaning in this user namespace.
        Err(e) => match Errno::from_io_error(&e) {
            Some(Errno::PERM | Errno::INVAL | Errno::OPNOTSUPP) => Ok(false),
            _ => Err(Failure::io(Step::KeepAttributes, path, &e)),
        },
    }
}

fn keep_extended(
    old: &File,
    new: &File,
    path: &Path,
    warnings: &mut Vec<Warning>,
) -> Result<(), Failure> {
    let failed = |errno| Failure::new(Step::KeepAttributes, path, errno);
    let names = names(old).map_err(failed)?;
    for name in names
        .iter()
        .filter(|name| !SIGNATURES.contains(&name.as_c_str()))
    {
        let Some(value) = value(old, name).map_err(failed)? else {
            continue;
        };
        match rustix::fs::fsetxattr(new, name.as_c_str(), &value, XattrFlags::empty()) {
            Ok(()) => {}
            Err(errno) if is_privileged(name) => {
                warnings.push(Warning::Attribute {
                    name: name.to_string_lossy().into_owned(),
                    errno,
                });
            }
            Err(errno) => return Err(failed(errno)),
        }
    }
    if names.iter().any(|name| name.as_c_str() == ACCESS_LIST) {
        return Ok(());
    }
    match rustix::fs::fremovexattr(new, ACCESS_LIST) {
        Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(errno) => Err(failed(errno)),
    }
}

/// Attributes that the system's policy sets and a user cannot.
fn is_privileged(name: &CStr) -> bool {
    [b"security.".as_slice(), b"trusted."]
        .iter()
        .any(|space| name.to_bytes().starts_with(space))
}

fn names(file: &File) -> Result<Vec<CString>, Errno> {
    let list = sized(|buffer| rustix::fs::flistxattr(file, buffer));
    let list = match list {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Vec::new(),
        other => other?,
    };
    Ok(list
        .split(|&b| b == 0)
        .filter(|name| !name.is_empty())
        .filter_map(|name| CString::new(name).ok())
        .collect())
}

/// An attribute's value; none if it vanished or is a listed one that cannot be read (`security.` of some modules).
fn value(file: &File, name: &CStr) -> Result<Option<Vec<u8>>, Errno> {
    match sized(|buffer| rustix::fs::fgetxattr(file, name, buffer)) {
        Ok(value) => Ok(Some(value)),
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(None),
        Err(Errno::PERM | Errno::ACCESS) if is_privileged(name) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// Calls `get` with a buffer that is large enough: it may be asked again when the answer grew meanwhile.
fn sized(get: impl Fn(&mut [u8]) -> Result<usize, Errno>) -> Result<Vec<u8>, Errno> {
    const LARGEST: usize = 64 << 10;
    let mut buffer = vec![0; 256];
    loop {
        match get(&mut buffer) {
            Ok(length) => {
                buffer.truncate(length);
                return Ok(buffer);
            }
            Err(Errno::RANGE) if buffer.len() < LARGEST => {
                buffer.resize(buffer.len().saturating_mul(4), 0)
            }
            Err(errno) => return Err(errno),
        }
    }
}
