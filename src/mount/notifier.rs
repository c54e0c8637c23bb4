//! The thread that tells the kernel what an operation may not tell it, and brings hidden nodes back.

use super::core::{Core, Notice};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Runs until the core is gone or says that it ends.
pub fn run(core: &Weak<Core>, notices: &Receiver<Notice>) {
    const LONGEST: Duration = Duration::from_secs(3600);
    let mut next: Option<Instant> = None;
    loop {
        let wait = next.map_or(LONGEST, |at| at.saturating_duration_since(Instant::now()));
        let notice = notices.recv_timeout(wait);
        let Some(core) = core.upgrade() else { return };
        match notice {
            Ok(Notice::Entry { directory, name }) => tell_entry(&core, directory, &name),
            Ok(Notice::Hidden) | Err(RecvTimeoutError::Timeout) => {
                next = core.raise_hidden(Instant::now());
            }
            Ok(Notice::End) | Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn tell_entry(core: &Arc<Core>, directory: u64, name: &str) {
    if let Some(bell) = core.bell() {
        bell.entry(directory, name);
    }
}
