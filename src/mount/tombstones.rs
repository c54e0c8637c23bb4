//! Nodes that were unlinked although they cannot go. `mv`, `install` and `git` unlink a file before they write it, and
//! nothing tells their request from that of `rm`: so the node is hidden for a moment, and is back unless it is written.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long a node stays hidden.
pub const HIDDEN: Duration = Duration::from_secs(5);

/// The hidden nodes, by path.
#[derive(Default)]
pub struct Tombstones {
    since: HashMap<String, Instant>,
}

impl Tombstones {
    pub fn hide(&mut self, path: &str) {
        self.since.insert(path.to_owned(), Instant::now());
    }
    pub fn hides(&self, path: &str) -> bool {
        !self.since.is_empty() && self.since.contains_key(path)
    }
    /// Brings a node back; false if it was not hidden.
    pub fn raise(&mut self, path: &str) -> bool {
        self.since.remove(path).is_some()
    }
    /// Forgets those below a directory that is gone.
    pub fn forget_below(&mut self, directory: &str) {
        let below = format!("{directory}/");
        self.since.retain(|path, _| !path.starts_with(&below));
    }
    /// Those that have been hidden long enough, brought back.
    pub fn expired(&mut self, now: Instant) -> Vec<String> {
        let (back, hidden) = std::mem::take(&mut self.since)
            .into_iter()
            .partition::<HashMap<_, _>, _>(|(_, since)| {
                now.saturating_duration_since(*since) >= HIDDEN
            });
        self.since = hidden;
        let mut back: Vec<String> = back.into_keys().collect();
        back.sort();
        back
    }
    /// When the next one comes back.
    pub fn next(&self) -> Option<Instant> {
        self.since
            .values()
            .min()
            .and_then(|since| since.checked_add(HIDDEN))
    }
    pub fn all(&self) -> Vec<String> {
        self.since.keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_hidden_for_five_seconds() {
        let mut tombstones = Tombstones::default();
        let now = Instant::now();
        tombstones.hide("a/b");
        assert!(tombstones.hides("a/b"));
        assert_eq!(
            tombstones.expired(now + Duration::from_secs(4)),
            [""; 0],
            "too early"
        );
        assert_eq!(tombstones.expired(now + Duration::from_secs(6)), ["a/b"]);
        assert!(!tombstones.hides("a/b"));
        assert!(tombstones.next().is_none());
    }
}
