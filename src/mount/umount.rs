//! `savefs umount`: commits first, unmounts, and waits for the end of the process that served the mount.

use super::control::{CONTROL, DIRECTORY};
use super::error::MountError;
use super::point;
use rustix::event::{PollFd, PollFlags, Timespec};
use std::fs;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::path::Path;

/// How long the process may take to end.
const PATIENCE: Timespec = Timespec {
    tv_sec: 10,
    tv_nsec: 0,
};

/// Commits what is pending in the mount at `mount_point`, unmounts it and returns when its process has ended.
///
/// # Errors
/// Not a mount of savefs, in use, or what is pending cannot be written; then it stays mounted.
pub fn umount(mount_point: &Path) -> Result<(), MountError> {
    let refuse = |why: String| MountError::new(format!("{}: {why}", mount_point.display()));
    let real = mount_point
        .canonicalize()
        .map_err(|e| refuse(e.to_string()))?;
    let process = serving(&real).ok_or_else(|| refuse("no save is mounted here".to_owned()))?;
    commit(&real).map_err(refuse)?;
    point::unmount(&real, false).map_err(|e| match e.raw_os_error() {
        Some(libc::EBUSY) => refuse("stays mounted: somebody is using it".to_owned()),
        _ => refuse(format!("cannot be unmounted: {e}")),
    })?;
    match process {
        Process::Ended | Process::Mine => Ok(()),
        Process::Running(process) => {
            let mut fds = [PollFd::new(&process, PollFlags::IN)];
            match rustix::event::poll(&mut fds, Some(&PATIENCE)) {
                Ok(0) => Err(refuse("unmounted, but its process does not end".to_owned())),
                _ => Ok(()),
            }
        }
    }
}

/// The process behind a mount.
enum Process {
    Running(OwnedFd),
    Ended,
    Mine,
}

/// The process that serves the mount at `point`; None where that is no mount of ours.
fn serving(point: &Path) -> Option<Process> {
    let mut buffer = [0; 32];
    let length = rustix::fs::getxattr(point, c"user.savefs.pid", &mut buffer).ok()?;
    let pid: i32 = std::str::from_utf8(buffer.get(..length)?)
        .ok()?
        .parse()
        .ok()?;
    if u32::try_from(pid) == Ok(std::process::id()) {
        return Some(Process::Mine);
    }
    let pid = rustix::process::Pid::from_raw(pid)?;
    let flags = rustix::process::PidfdFlags::empty();
    Some(match rustix::process::pidfd_open(pid, flags) {
        Ok(process) => Process::Running(process),
        Err(_) => Process::Ended,
    })
}

/// Gives the reason where that cannot be done.
fn commit(point: &Path) -> Result<(), String> {
    let control = point.join(DIRECTORY).join(CONTROL);
    let mut control = match fs::OpenOptions::new().write(true).open(control) {
        Ok(control) => control,
        // A mount that is read-only by option has nothing pending.
        Err(e) if e.raw_os_error() == Some(libc::EROFS) => return Ok(()),
        Err(e) => return Err(format!("stays mounted: you may not end it: {e}")),
    };
    control.write_all(b"commit\n").map_err(|e| {
        format!(
            "stays mounted: what is pending cannot be written: {e}; {DIRECTORY}/errors says why"
        )
    })
}
