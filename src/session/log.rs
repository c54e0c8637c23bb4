//! What a session refused or warned of, newest last: the lines of `.savefs/errors`.

use crate::codec::time;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Lines that are kept.
const KEPT: usize = 200;

/// The last refusals and warnings of a session.
#[derive(Default)]
pub struct Log {
    lines: Mutex<VecDeque<(SystemTime, String)>>,
}

impl Log {
    pub fn push(&self, line: impl ToString) {
        let line = line.to_string();
        log::info!("{line}");
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back((SystemTime::now(), line));
    }
    /// Time and text of each, a line each.
    pub fn text(&self) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines
            .iter()
            .map(|(when, line)| format!("{} {line}\n", stamp(*when)))
            .collect()
    }
}

/// Femtoseconds in a second, and the instant of 1970 on the time codec's scale, in seconds.
const SECOND: i128 = 1_000_000_000_000_000;
const UNIX_ZERO: i128 = 14_182_941;

/// A moment as UTC, in whole seconds.
pub fn stamp(when: SystemTime) -> String {
    let seconds = when
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| i128::from(d.as_secs()));
    time::instant_to_text((seconds + UNIX_ZERO) * SECOND)
}
