//! Tells when files in a directory were written, replaced or removed, by whomever.

use super::error::{Failure, Step};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A report waits until nothing has happened for this long…
const QUIET: Duration = Duration::from_millis(50);
/// …but at most this long after the first event: a file that is written for ever is reported now and then.
const PATIENCE: Duration = Duration::from_secs(1);

/// A name of at most 255 bytes, and the events of a busy moment at once.
const BUFFER: usize = 4096;

/// A watch on a directory. Ends when dropped: then its thread has ended too, unless it is the one that drops it.
pub struct Watch {
    stop: Arc<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Calls `report` when the file at `path` may have changed. The path's directory is watched, not the inode, so that
    /// a file put in its place is noticed, and one that comes back too.
    ///
    /// # Errors
    /// The kernel's limits on inotify, or a directory that cannot be read.
    pub fn file(path: &Path, report: impl Fn() + Send + 'static) -> Result<Watch, Failure> {
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Failure::new(Step::Watch, path, Errno::INVAL));
        };
        let directory = if directory.as_os_str().is_empty() {
            Path::new(".")
        } else {
            directory
        };
        let name = name.to_owned();
        Watch::start(
            directory,
            move |candidate| candidate == name,
            move |_| report(),
        )
    }

    /// Calls `report` with the names of the entries of `directory` that came, went or changed; `None` stands for
    /// more than can be told: look at everything.
    ///
    /// # Errors
    /// As [`Watch::file`].
    pub fn directory(
        directory: &Path,
        report: impl Fn(Option<BTreeSet<OsString>>) + Send + 'static,
    ) -> Result<Watch, Failure> {
        Watch::start(directory, |_| true, report)
    }

    fn start(
        directory: &Path,
        wanted: impl Fn(&OsStr) -> bool + Send + 'static,
        report: impl Fn(Option<BTreeSet<OsString>>) + Send + 'static,
    ) -> Result<Watch, Failure> {
        let failed = |errno| Failure::new(Step::Watch, directory, errno);
        let events = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).map_err(failed)?;
        inotify::add_watch(&events, directory, interest()).map_err(failed)?;
        let stop = rustix::event::eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .map_err(failed)?;
        let stop = Arc::new(stop);
        let ears = Listener {
            events,
            stop: stop.clone(),
        };
        let thread = std::thread::Builder::new().name("watch".to_owned());
        let thread = thread.spawn(move || ears.run(&wanted, &report));
        let thread = thread.map_err(|e| Failure::io(Step::Watch, directory, &e))?;
        Ok(Watch {
            stop,
            thread: Some(thread),
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // Eight bytes into a fresh eventfd cannot fail.
        let _ = rustix::io::write(&self.stop, &1u64.to_ne_bytes());
        let other = self
            .thread
            .take()
            .filter(|thread| thread.thread().id() != std::thread::current().id());
        if let Some(thread) = other {
            // A panic in `report` has been printed by its thread.
            let _ = thread.join();
        }
    }
}

fn interest() -> WatchFlags {
    WatchFlags::ONLYDIR
        | WatchFlags::EXCL_UNLINK
        | WatchFlags::CREATE
        | WatchFlags::MODIFY
        | WatchFlags::CLOSE_WRITE
        | WatchFlags::MOVED_TO
        | WatchFlags::MOVED_FROM
        | WatchFlags::DELETE
        | WatchFlags::DELETE_SELF
        | WatchFlags::MOVE_SELF
}

/// What has been heard since the last report.
#[derive(Default)]
struct Heard {
    names: BTreeSet<OsString>,
    /// More happened than was told: the kernel's queue ran over, or the directory itself went.
    unknown: bool,
}

impl Heard {
    fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.unknown
    }

    fn tell(self) -> Option<BTreeSet<OsString>> {
        if self.unknown { None } else { Some(self.names) }
    }
}

struct Listener {
    events: OwnedFd,
    stop: Arc<OwnedFd>,
}

impl Listener {
    fn run(&self, wanted: &dyn Fn(&OsStr) -> bool, report: &dyn Fn(Option<BTreeSet<OsString>>)) {
        while self.wait(None) {
            let mut heard = Heard::default();
            self.listen(wanted, &mut heard);
            if heard.is_empty() {
                continue;
            }
            let first = Instant::now();
            while let Some(left) = PATIENCE.checked_sub(first.elapsed()) {
                let before = Instant::now();
                let pause = QUIET.min(left);
                if !self.wait(Some(pause)) {
                    return;
                }
                if before.elapsed() >= pause {
                    break;
                }
                self.listen(wanted, &mut heard);
            }
            report(heard.tell());
        }
    }

    /// Waits for events; false when the watch is to end.
    fn wait(&self, limit: Option<Duration>) -> bool {
        let mut ready = [
            PollFd::new(&self.stop, PollFlags::IN),
            PollFd::new(&self.events, PollFlags::IN),
        ];
        let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
        match rustix::event::poll(&mut ready, limit.as_ref()) {
            Ok(_) | Err(Errno::INTR) => ready.first().is_some_and(|stop| stop.revents().is_empty()),
            Err(_) => false,
        }
    }

    fn listen(&self, wanted: &dyn Fn(&OsStr) -> bool, heard: &mut Heard) {
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        let mut reader = inotify::Reader::new(self.events.as_fd(), &mut buffer);
        // Ends with EAGAIN when the queue is empty.
        while let Ok(event) = reader.next() {
            match event
                .file_name()
                .map(|name| OsStr::from_bytes(name.to_bytes()))
            {
                Some(name) if wanted(name) => drop(heard.names.insert(name.to_owned())),
                Some(_) => {}
                None => heard.unknown |= !event.events().contains(ReadFlags::IGNORED),
            }
        }
    }
}
