//! Nodes that were unlinked. `mv`, `install` and `git` unlink a file before they write it, and nothing tells their request
//! from that of `rm`: so a node is hidden for a moment. Is it written meanwhile, then it is that write that counts; else
//! what a format can remove is removed, and what cannot go is back.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long a node that cannot go stays hidden.
pub const HIDDEN: Duration = Duration::from_secs(5);
/// How long a removal waits for the write that it may be the beginning of.
pub const REMOVAL: Duration = Duration::from_secs(1);

/// What becomes of a hidden node that nobody writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Back,
    Removed,
}

/// The hidden nodes, by path.
#[derive(Default)]
pub struct Tombstones {
    hidden: HashMap<String, (Instant, Fate)>,
}

impl Tombstones {
    pub fn hide(&mut self, path: &str, fate: Fate) {
        let wait = match fate {
            Fate::Back => HIDDEN,
            Fate::Removed => REMOVAL,
        };
        self.hidden
            .insert(path.to_owned(), (Instant::now() + wait, fate));
    }
    pub fn hides(&self, path: &str) -> bool {
        !self.hidden.is_empty() && self.hidden.contains_key(path)
    }
    /// Brings a node back; false if it was not hidden.
    pub fn raise(&mut self, path: &str) -> bool {
        self.hidden.remove(path).is_some()
    }
    /// Forgets those below a directory that is gone.
    pub fn forget_below(&mut self, directory: &str) {
        let below = format!("{directory}/");
        self.hidden.retain(|path, _| !path.starts_with(&below));
    }
    /// Those whose time has come, sorted.
    pub fn due(&self, now: Instant) -> Vec<(String, Fate)> {
        self.chosen(|until, _| until <= now)
    }
    pub fn all(&self) -> Vec<(String, Fate)> {
        self.chosen(|_, _| true)
    }
    pub fn removals(&self) -> Vec<(String, Fate)> {
        self.chosen(|_, fate| fate == Fate::Removed)
    }
    fn chosen(&self, choose: impl Fn(Instant, Fate) -> bool) -> Vec<(String, Fate)> {
        let chosen = self
            .hidden
            .iter()
            .filter(|(_, (until, fate))| choose(*until, *fate));
        let mut chosen: Vec<(String, Fate)> = chosen
            .map(|(path, (_, fate))| (path.clone(), *fate))
            .collect();
        chosen.sort_by(|a, b| a.0.cmp(&b.0));
        chosen
    }
    /// When the next one's time comes.
    pub fn next(&self) -> Option<Instant> {
        self.hidden.values().map(|(until, _)| *until).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_hidden_for_five_seconds_and_a_removal_waits_for_one() {
        let mut tombstones = Tombstones::default();
        let now = Instant::now();
        tombstones.hide("a/b", Fate::Back);
        tombstones.hide("a/c", Fate::Removed);
        assert!(tombstones.hides("a/b") && tombstones.hides("a/c"));
        assert_eq!(tombstones.due(now), []);
        let removed = ("a/c".to_owned(), Fate::Removed);
        assert_eq!(tombstones.due(now + Duration::from_secs(2)), [removed]);
        assert!(tombstones.raise("a/c"));
        let back = ("a/b".to_owned(), Fate::Back);
        assert_eq!(tombstones.due(now + Duration::from_secs(6)), [back]);
        tombstones.forget_below("a");
        assert!(tombstones.next().is_none());
    }
}
