//! A mount in a process of its own, and how that ends.

use super::MountOptions;
use super::error::MountError;
use super::mounted::Mounted;
use crate::session::Session;
use rustix::event::{PollFd, PollFlags};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::path::{Path, absolute};

/// Mounts in a new process and returns when the mount is usable, or in this process and returns when it has ended.
/// This process must have no other threads yet.
pub fn mount(save: &Path, mount_point: &Path, options: &MountOptions) -> Result<(), MountError> {
    let error = |e: std::io::Error| MountError::new(format!("{}: {e}", mount_point.display()));
    // A background process leaves the directory that relative paths begin in.
    let save = absolute(save).map_err(error)?;
    let mount_point = absolute(mount_point).map_err(error)?;
    if options.foreground || options.debug {
        return serve(&save, &mount_point, options, || Ok(()));
    }
    let (from_child, to_parent) =
        rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).map_err(|e| error(e.into()))?;
    // SAFETY: this process has one thread, so that the child may go on like any other process.
    match unsafe { libc::fork() } {
        -1 => Err(error(std::io::Error::last_os_error())),
        0 => {
            drop(from_child);
            background(&save, &mount_point, options, to_parent)
        }
        child => {
            drop(to_parent);
            answer_of(child, from_child, &save)
        }
    }
}

/// The child: everything else.
fn background(save: &Path, point: &Path, options: &MountOptions, to_parent: OwnedFd) -> ! {
    let mut parent = File::from(to_parent);
    let mut answer = Some(&mut parent);
    let mut tell = |line: &str| {
        // A parent that is gone does not want to know.
        if let Some(parent) = answer.take() {
            let _ = writeln!(parent, "{line}");
        }
    };
    let served = leave_terminal().and_then(|()| {
        serve(save, point, options, || {
            tell("");
            Ok(())
        })
    });
    let code = match served {
        Ok(()) => 0,
        Err(error) => {
            let line = error.to_string().replace('\n', " ");
            let _ = writeln!(parent, "{line}");
            1
        }
    };
    std::process::exit(code)
}

/// No terminal, no directory that is kept busy, and no pipe of the caller that is kept open.
fn leave_terminal() -> Result<(), MountError> {
    let error = |e: std::io::Error| MountError::new(format!("cannot go into the background: {e}"));
    rustix::process::setsid().map_err(|e| error(e.into()))?;
    rustix::process::chdir("/").map_err(|e| error(e.into()))?;
    let null = File::options()
        .read(true)
        .write(true)
        .open("/dev/null")
        .map_err(error)?;
    rustix::stdio::dup2_stdin(&null).map_err(|e| error(e.into()))?;
    rustix::stdio::dup2_stdout(&null).map_err(|e| error(e.into()))?;
    rustix::stdio::dup2_stderr(&null).map_err(|e| error(e.into()))
}

/// The parent: one line from the child, empty where all is well.
fn answer_of(child: i32, from_child: OwnedFd, save: &Path) -> Result<(), MountError> {
    let mut line = Vec::new();
    let mut from_child = File::from(from_child);
    let mut byte = [0];
    while let Ok(1) = from_child.read(&mut byte) {
        if byte == *b"\n" {
            break;
        }
        line.extend_from_slice(&byte);
    }
    if line.is_empty() && byte == *b"\n" {
        return Ok(());
    }
    if let Some(pid) = rustix::process::Pid::from_raw(child) {
        // The child ends now; only its remains are cleared away here.
        let _ = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
    }
    Err(match line.is_empty() {
        true => MountError::new(format!("{}: the mount's process died", save.display())),
        false => MountError::new(String::from_utf8_lossy(&line)),
    })
}

/// Mounts, says so, and ends with the mount or with a signal.
fn serve(
    save: &Path,
    point: &Path,
    options: &MountOptions,
    mut usable: impl FnMut() -> Result<(), MountError>,
) -> Result<(), MountError> {
    if save.is_dir() {
        let text = format!("{}: is a directory, not a save", save.display());
        return Err(MountError::new(text));
    }
    let signals = block_signals()?;
    keep_small();
    let session = Session::open(save, options.session.clone())
        .map_err(|error| MountError::new(error.to_string()))?;
    let mounted = Mounted::start(session, point, options)?;
    usable()?;
    loop {
        let mut fds = [
            PollFd::from_borrowed_fd(signals.as_fd(), PollFlags::IN),
            PollFd::new(mounted.ended(), PollFlags::IN),
        ];
        match rustix::event::poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => {}
            _ => break,
        }
    }
    mounted.stop();
    Ok(())
}

/// A mount that stays for days should take little memory: one heap for all threads, which gives back what it does not
/// need. By default each thread has a heap of its own, and what a listing of everything took stays taken.
fn keep_small() {
    #[cfg(target_env = "gnu")]
    {
        const SPARE: i32 = 128 << 10;
        // SAFETY: both set a parameter of the allocator; nothing is passed but numbers, and no other thread runs yet.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_TRIM_THRESHOLD, SPARE);
        }
    }
}

/// Keeps TERM, INT and HUP from every thread of this process and gives a file that is readable when one has come.
fn block_signals() -> Result<OwnedFd, MountError> {
    let error = || {
        let e = std::io::Error::last_os_error();
        MountError::new(format!("cannot wait for signals: {e}"))
    };
    // SAFETY: a signal set is plain data that sigemptyset fills in; all pointers are to it.
    let fd = unsafe {
        let mut set = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&raw mut set);
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
            libc::sigaddset(&raw mut set, signal);
        }
        if libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) != 0 {
            return Err(error());
        }
        libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    };
    if fd < 0 {
        return Err(error());
    }
    // SAFETY: the descriptor is new and nobody else's.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
