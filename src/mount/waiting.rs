//! Requests that may wait for the disk. One at a time may hold up a thread that takes requests from the kernel; while it
//! does, the others wait on threads of their own, so that somebody is always left who answers readers.

use super::core::Core;
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
