//! Requests that may wait for the disk. One at a time may hold up a thread that takes requests from the kernel; while it
//! does, the others wait on threads of their own, so that somebody is always left who answers readers.

use super::core::{Core, Entry, name_of, new_name_of};
use super::errno::Outcome;
use super::fs::Kernel;
use super::replies::{empty, entry, errno};
use fuser::{ReplyEmpty, ReplyEntry};
use std::ffi::OsStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Default)]
pub struct Waiting {
    held_up: AtomicBool,
}

impl Waiting {
    /// Does what may wait for the disk, here or elsewhere.
    pub fn perform(&self, core: &Arc<Core>, work: impl FnOnce(&Core) + Send + 'static) {
        if self.held_up.swap(true, Ordering::Acquire) {
            let core = Arc::clone(core);
            // Where no thread can be had the work is dropped, and with it the reply, which answers EIO.
            if let Err(error) = std::thread::Builder::new().spawn(move || work(&core)) {
                log::error!("no thread for a request: {error}");
            }
            return;
        }
        let _free = Free(&self.held_up);
        work(core);
    }
}

/// Ends the turn, after a panic too.
struct Free<'a>(&'a AtomicBool);

impl Drop for Free<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Kernel {
    /// Answers a request that may wait for the disk.
    pub(super) fn waits(
        &self,
        reply: ReplyEmpty,
        work: impl FnOnce(&Core) -> Outcome<()> + Send + 'static,
    ) {
        self.waiting
            .perform(&self.core, move |core| empty(reply, work(core)));
    }
    /// Makes an entry, which may wait for the disk.
    pub(super) fn makes(
        &self,
        name: &OsStr,
        reply: ReplyEntry,
        work: impl FnOnce(&Core, &str) -> Outcome<Entry> + Send + 'static,
    ) {
        match new_name_of(name).map(str::to_owned) {
            Ok(name) => self
                .waiting
                .perform(&self.core, move |core| entry(reply, work(core, &name))),
            Err(code) => reply.error(errno(code)),
        }
    }
    /// Changes what has a name, which may wait for the disk.
    pub(super) fn waits_for(
        &self,
        name: &OsStr,
        reply: ReplyEmpty,
        work: impl FnOnce(&Core, &str) -> Outcome<()> + Send + 'static,
    ) {
        match name_of(name).map(str::to_owned) {
            Ok(name) => self.waits(reply, move |core| work(core, &name)),
            Err(code) => reply.error(errno(code)),
        }
    }
}
