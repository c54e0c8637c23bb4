//! Edits played on a save without a session, for the tests of formats.

use crate::tree::node::{Creation, NodeKind};
use crate::tree::{Draft, Errno, Fault, Node, Refusal, Save, Weight, walk};
use std::collections::HashSet;
use std::sync::Arc;

fn broken(fault: &Fault) -> Refusal {
    Refusal::new(Errno::Damaged, fault.to_string())
}

/// The save with what its format adds at the end of a batch.
fn settled(save: Arc<dyn Save>) -> Result<Arc<dyn Save>, Refusal> {
    let mut draft = Draft::new(save.image().to_vec(), false);
    save.settle(&mut draft);
    save.reopen(draft.finish().0)
        .map_err(|fault| broken(&fault))
}

/// An open save and what has become of it.
#[derive(Clone)]
pub struct Played(pub Arc<dyn Save>);

impl Played {
    pub fn image(&self) -> &[u8] {
        self.0.image()
    }
    pub fn node(&self, path: &str) -> Result<Node, Refusal> {
        walk::resolve(&Arc::clone(&self.0).root(), path)
    }
    /// What a leaf gives, without its last newline.
    pub fn get(&self, path: &str) -> Result<String, Refusal> {
        let node = self.node(path)?;
        let value = node.as_leaf()?.read().into_owned();
        let value = value
            .strip_suffix(b"\n")
            .map(<[u8]>::to_vec)
            .unwrap_or(value);
        Ok(String::from_utf8_lossy(&value).into_owned())
    }
    /// Writes a leaf, or makes it where its directory makes new ones of a first value.
    pub fn set(&self, path: &str, value: &str) -> Result<Played, Refusal> {
        self.write(path, format!("{value}\n").as_bytes())
    }
    pub fn write(&self, path: &str, value: &[u8]) -> Result<Played, Refusal> {
        match self.node(path) {
            Ok(node) => {
                let leaf = node.as_leaf()?;
                if leaf.access() == crate::tree::Access::ReadOnly && *leaf.read() != *value {
                    return Err(Refusal::not_permitted("read-only"));
                }
                self.play(|draft| leaf.write(value, draft))
            }
            Err(refusal) if refusal.errno == Errno::NotFound => self.create(path, Some(value)),
            Err(refusal) => Err(refusal),
        }
    }
    pub fn create(&self, path: &str, value: Option<&[u8]>) -> Result<Played, Refusal> {
        let (parent, name) = walk::split(path);
        let node = self.node(&parent)?;
        let dir = node.as_dir()?;
        let kind = if value.is_some() {
            NodeKind::Leaf
        } else {
            NodeKind::Dir
        };
        if dir.creates(name, kind) == Creation::No {
            return Err(Refusal::not_permitted("no such node"));
        }
        self.play(|draft| dir.create(name, value, draft))
    }
    pub fn remove(&self, path: &str) -> Result<Played, Refusal> {
        let (parent, name) = walk::split(path);
        let node = self.node(&parent)?;
        self.play(|draft| node.as_dir()?.remove(name, draft))
    }
    pub fn retype(&self, path: &str, to: &str) -> Result<Played, Refusal> {
        let node = self.node(path)?;
        self.play(|draft| node.as_leaf()?.retype(to, draft))
    }
    /// Plays an edit, opens the result again, and refuses what adds a finding that no edit may add.
    fn play(
        &self,
        edit: impl FnOnce(&mut Draft) -> Result<(), Refusal>,
    ) -> Result<Played, Refusal> {
        let mut draft = Draft::new(self.image().to_vec(), false);
        edit(&mut draft)?;
        let (bytes, _, _) = draft.finish();
        let after = self.0.reopen(bytes);
        let after = settled(after.map_err(|fault| broken(&fault))?)?;
        let heavy = |save: &Arc<dyn Save>| -> Vec<String> {
            let found = save.findings();
            let heavy = found
                .iter()
                .filter(|finding| finding.weight >= Weight::Warning);
            heavy
                .map(|finding| format!("{} {}", finding.code, finding.path))
                .collect()
        };
        let known: HashSet<String> = heavy(&self.0).into_iter().collect();
        match heavy(&after)
            .into_iter()
            .find(|finding| !known.contains(finding))
        {
            Some(finding) => Err(Refusal::new(
                Errno::Damaged,
                format!("new finding {finding}"),
            )),
            None => Ok(Played(after)),
        }
    }
}
