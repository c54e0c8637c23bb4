//! The thread that tells the kernel what an operation may not tell it, brings hidden nodes back, and looks after what tools
//! leave behind.

use super::core::{Core, Notice};
use super::inodes::ScratchId;
use super::tombstones::HIDDEN;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Runs until the core is gone or says that it ends.
pub fn run(core: &Weak<Core>, notices: &Receiver<Notice>) {
    const LONGEST: Duration = Duration::from_secs(3600);
    let mut left: Vec<(Instant, ScratchId)> = Vec::new();
    let mut next: Option<Instant> = None;
    loop {
        let wait = next.map_or(LONGEST, |at| at.saturating_duration_since(Instant::now()));
        let notice = notices.recv_timeout(wait);
        let Some(core) = core.upgrade() else { return };
        match notice {
            Ok(Notice::Entry { directory, name }) => tell_entry(&core, directory, &name),
            Ok(Notice::Left(id)) => left.push((Instant::now() + HIDDEN, id)),
            Ok(Notice::Hidden) | Err(RecvTimeoutError::Timeout) => {}
            Ok(Notice::End) | Err(RecvTimeoutError::Disconnected) => return,
        }
        let now = Instant::now();
        let (due, later) = left.into_iter().partition(|(at, _)| *at <= now);
        left = later;
        due.into_iter()
            .for_each(|(_, id): (Instant, ScratchId)| core.tell_left(id));
        let waiting = left.iter().map(|(at, _)| *at);
        next = waiting.chain(core.settle_hidden(now)).min();
    }
}

fn tell_entry(core: &Arc<Core>, directory: u64, name: &str) {
    if let Some(bell) = core.bell() {
        bell.entry(directory, name);
    }
}
