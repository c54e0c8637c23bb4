//! The versions of a session that can still be looked at.

use super::snapshot::Snapshot;
use std::sync::Arc;

/// Bytes of images and files that are kept.
const KEPT: usize = 64 << 20;

/// 0: as loaded; then one a commit or reload. Old ones go when their sum passes [`KEPT`]; the first and the newest
/// stay.
pub struct Versions {
    all: Vec<(u64, Arc<Snapshot>)>,
    next: u64,
}

impl Versions {
    pub fn starting_with(first: Arc<Snapshot>) -> Self {
        Versions {
            all: vec![(0, first)],
            next: 1,
        }
    }
    pub fn push(&mut self, snapshot: Arc<Snapshot>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.all.push((number, snapshot));
        self.shrink(KEPT);
        number
    }
    fn shrink(&mut self, kept: usize) {
        let weight =
            |s: &Snapshot| s.save.image().len() + s.file.as_ref().map_or(0, |file| file.len());
        let size = |all: &[(u64, Arc<Snapshot>)]| all.iter().map(|(_, s)| weight(s)).sum::<usize>();
        while self.all.len() > 2 && size(&self.all) > kept {
            self.all.remove(1);
        }
    }
    pub fn all(&self) -> Vec<(u64, Arc<Snapshot>)> {
        self.all.clone()
    }
    pub fn get(&self, number: u64) -> Option<&Arc<Snapshot>> {
        self.all
            .iter()
            .find(|(n, _)| *n == number)
            .map(|(_, snapshot)| snapshot)
    }
    /// The version that is, or was last, on disk.
    pub fn newest(&self) -> Option<&Arc<Snapshot>> {
        self.all.last().map(|(_, snapshot)| snapshot)
    }
    /// The version before the newest.
    pub fn previous(&self) -> Option<(u64, &Arc<Snapshot>)> {
        let (number, snapshot) = self.all.iter().rev().nth(1)?;
        Some((*number, snapshot))
    }
    /// The file bytes of a version with exactly this image.
    pub fn file_of(&self, image: &[u8]) -> Option<Arc<[u8]>> {
        let same = |s: &&(u64, Arc<Snapshot>)| s.1.save.image() == image;
        self.all
            .iter()
            .rev()
            .find(same)
            .and_then(|(_, snapshot)| snapshot.file.clone())
    }
}
