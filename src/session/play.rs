//! Playing edits: the one way from a version of a save to the next.

use super::{Session, Snapshot};
use crate::tree::{
    Access, Change, Creation, Draft, Errno, Fault, Finding, Leaf, Node, NodeKind, Refusal, Save,
    Weight, walk,
};
use std::collections::HashMap;
use std::sync::Arc;

/// One edit, by path from the root of the save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Writes a whole value; makes the node where its directory takes new values.
    Set {
        path: String,
        value: Vec<u8>,
    },
    /// Makes an entry that has no value: a directory, a member of a set.
    Create {
        path: String,
        kind: NodeKind,
    },
    Remove {
        path: String,
    },
    /// Gives a value another type, by the type's name.
    Retype {
        path: String,
        to: String,
    },
}

impl Edit {
    pub fn set(path: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Edit::Set {
            path: path.into(),
            value: value.into(),
        }
    }
    pub fn path(&self) -> &str {
        match self {
            Edit::Set { path, .. }
            | Edit::Create { path, .. }
            | Edit::Remove { path }
            | Edit::Retype { path, .. } => path,
        }
    }
    fn given(&self) -> &[u8] {
        match self {
            Edit::Set { value, .. } => value,
            Edit::Retype { to, .. } => to.as_bytes(),
            _ => b"",
        }
    }
}

/// What edits came to.
pub(super) struct Played {
    pub save: Arc<dyn Save>,
    pub change: Change,
    pub cautions: Vec<String>,
}

impl Session {
    /// Plays edits one after the other, each on what the one before left, and checks the whole. None where nothing
    /// changed.
    pub(super) fn play(&self, base: &Snapshot, edits: &[Edit]) -> Result<Option<Played>, Refusal> {
        let mut played = Played {
            save: Arc::clone(&base.save),
            change: Change::default(),
            cautions: Vec::new(),
        };
        for edit in edits {
            self.step(&mut played, edit)
                .map_err(|refusal| refusal.at(edit.path(), edit.given()))?;
        }
        if played.change.is_empty() {
            return Ok(None);
        }
        self.settle(&mut played)?;
        let blame = |refusal: Refusal| match edits {
            [only] => refusal.at(only.path(), only.given()),
            _ => refusal,
        };
        self.check_findings(base, &mut played).map_err(blame)?;
        let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
        let warnings = played
            .save
            .review(&*base.save, &paths, self.options.force)
            .map_err(blame)?;
        played.cautions.extend(warnings);
        Ok(Some(played))
    }

    fn step(&self, played: &mut Played, edit: &Edit) -> Result<(), Refusal> {
        let mut draft = Draft::new(played.save.image().to_vec(), self.options.force);
        play_on(&played.save, edit, &mut draft)?;
        if draft.is_clean() {
            return Ok(());
        }
        if let Some(reason) = self.read_only() {
            return Err(Refusal::new(Errno::ReadOnly, reason));
        }
        let (image, change, cautions) = draft.finish();
        let next = played.save.reopen(image).map_err(|fault| broken(&fault))?;
        reads_back(&next, edit)?;
        played.save = next;
        played.change.append(change);
        played.cautions.extend(
            cautions
                .into_iter()
                .map(|text| format!("{}: {text}", edit.path())),
        );
        Ok(())
    }

    /// What the format adds once all is played.
    fn settle(&self, played: &mut Played) -> Result<(), Refusal> {
        let mut draft = Draft::new(played.save.image().to_vec(), self.options.force);
        played.save.settle(&mut draft);
        if draft.is_clean() {
            return Ok(());
        }
        let (image, change, cautions) = draft.finish();
        played.save = played.save.reopen(image).map_err(|fault| broken(&fault))?;
        played.change.append(change);
        played.cautions.extend(cautions);
        Ok(())
    }

    /// An edit may leave the save no worse than it was.
    fn check_findings(&self, base: &Snapshot, played: &mut Played) -> Result<(), Refusal> {
        let mut known: HashMap<(&str, &str), usize> = HashMap::new();
        for finding in base.findings() {
            *known.entry((finding.code, &finding.path)).or_default() += 1;
        }
        for finding in &played.save.findings() {
            match known.get_mut(&(finding.code, finding.path.as_str())) {
                Some(count) if *count > 0 => *count -= 1,
                _ => admit(finding, self.options.force, &mut played.cautions)?,
            }
        }
        Ok(())
    }
}

/// A finding that was not there before the edit.
fn admit(finding: &Finding, force: bool, cautions: &mut Vec<String>) -> Result<(), Refusal> {
    match finding.weight {
        Weight::Damage => Err(inconsistent(finding)),
        Weight::Warning if !force => Err(inconsistent(finding).forcible()),
        Weight::Warning | Weight::Caution => {
            cautions.push(finding.to_string());
            Ok(())
        }
        Weight::Note => Ok(()),
    }
}

fn inconsistent(finding: &Finding) -> Refusal {
    Refusal::invalid(format!("the save would be inconsistent: {finding}"))
}

fn broken(fault: &Fault) -> Refusal {
    Refusal::new(
        Errno::Damaged,
        format!("the save would not decode any more: {fault}"),
    )
}

/// Plays one edit on a draft of `save`.
fn play_on(save: &Arc<dyn Save>, edit: &Edit, draft: &mut Draft) -> Result<(), Refusal> {
    let root = Arc::clone(save).root();
    match edit {
        Edit::Set { path, value } => set(&root, path, value, draft),
        Edit::Create { path, kind } => {
            let (parent, name) = walk::split(path);
            let parent = walk::resolve(&root, &parent)?;
            let dir = parent.as_dir()?;
            if walk::lookup(dir, name).is_some() {
                return Err(Refusal::new(Errno::Exists, "is there already"));
            }
            match dir.creates(name, *kind) {
                Creation::AtOnce => dir.create(name, None, draft),
                _ => dir
                    .create(name, None, draft)
                    .and(Err(Refusal::not_permitted("nothing can be made here"))),
            }
        }
        Edit::Remove { path } => {
            let (parent, name) = walk::split(path);
            walk::resolve(&root, path)?;
            walk::resolve(&root, &parent)?.as_dir()?.remove(name, draft)
        }
        Edit::Retype { path, to } => walk::resolve(&root, path)?.as_leaf()?.retype(to, draft),
    }
}

fn set(root: &Node, path: &str, value: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
    let missing = match walk::resolve(root, path) {
        Ok(node) => return write(&**node.as_leaf()?, value, draft),
        Err(missing) => missing,
    };
    let (parent, name) = walk::split(path);
    let parent = walk::resolve(root, &parent).map_err(|_| missing.clone())?;
    let dir = parent.as_dir()?;
    match dir.creates(name, NodeKind::Leaf) {
        Creation::No => Err(missing),
        _ => {
            dir.create(name, Some(value), draft)?;
            let known = walk::nearest(dir, name).filter(|known| !is_numbered_alike(known, name));
            if let Some(known) = known {
                draft.caution(format!("is new; did you mean {known}?"));
            }
            Ok(())
        }
    }
}

/// Whether two names differ in their digits only: a series is no slip of the finger.
fn is_numbered_alike(a: &str, b: &str) -> bool {
    let letters = |name: &str| {
        name.chars()
            .filter(|c| !c.is_ascii_digit())
            .collect::<String>()
    };
    letters(a) == letters(b)
}

/// Writes a leaf; what a read-only one holds already is no edit.
fn write(leaf: &dyn Leaf, value: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
    match leaf.access() {
        Access::ReadWrite => leaf.write(value, draft),
        Access::ReadOnly if holds(leaf, value) => Ok(()),
        Access::ReadOnly => match leaf.write(value, draft) {
            Err(refusal) => Err(refusal),
            Ok(()) => Err(Refusal::not_permitted("read-only")),
        },
    }
}

/// Whether a leaf shows this value already, with or without its final newline.
pub fn holds(leaf: &dyn Leaf, value: &[u8]) -> bool {
    let shown = leaf.read();
    if leaf.is_binary() {
        return *shown == *value;
    }
    let bare = |text: &[u8]| text.strip_suffix(b"\n").unwrap_or(text).to_vec();
    bare(&shown) == bare(value)
}

/// What was written must be what is there: writing it again changes nothing.
fn reads_back(save: &Arc<dyn Save>, edit: &Edit) -> Result<(), Refusal> {
    let Edit::Set { path, value } = edit else {
        return Ok(());
    };
    let mut again = Draft::new(save.image().to_vec(), true);
    let lost = || Refusal::new(Errno::Damaged, "the value would not read back as given");
    let root = Arc::clone(save).root();
    let node = walk::resolve(&root, path).map_err(|_| lost())?;
    write(&**node.as_leaf()?, value, &mut again).map_err(|_| lost())?;
    if again.is_clean() {
        Ok(())
    } else {
        Err(lost())
    }
}
