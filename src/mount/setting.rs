//! Attributes that are set.

use super::attr::last_change;
use super::core::{Core, Entry, node_in, spans_of};
use super::errno::{ENOTSUP, EPERM, ESTALE, Outcome};
use super::handles::staged_length;
use super::inodes::{Root, ScratchId, Target};
use super::scratch::File;
use std::time::SystemTime;

/// What chmod, chown, truncate and utimens ask for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wish {
    pub mode: Option<u32>,
    pub uid: Option<u32>,
    pub gid: Option<u32>,
    pub size: Option<u64>,
    pub accessed: Option<SystemTime>,
    pub modified: Option<SystemTime>,
    pub handle: Option<u64>,
}

impl Core {
    pub fn setattr(&self, number: u64, wish: Wish, pid: u32) -> Outcome<Entry> {
        let target = self.target(number)?;
        if let Target::Scratch(id) = target {
            self.set_scratch(id, wish)?;
        } else {
            self.set_node(&target, wish)?;
        }
        let mut entry = self.getattr(number, pid)?;
        if let (Some(handle), Some(_)) = (wish.handle, wish.size) {
            entry.attributes.size = self.size(handle)?;
        }
        Ok(entry)
    }

    fn set_time(&self, path: &str, time: SystemTime) {
        let snapshot = self.session.now();
        // What is being made has no time yet.
        let Some(node) = node_in(&snapshot, path) else {
            return;
        };
        let spans = spans_of(&node).unwrap_or_default();
        let own = last_change(path, &snapshot, &spans);
        self.state().times.insert(path.to_owned(), (time, own));
    }

    /// fallocate: scratch files grow, nodes have no blocks to reserve.
    pub fn allocate(&self, number: u64, end: u64, mode: i32) -> Outcome<()> {
        match self.target(number)? {
            Target::Scratch(id) if mode == 0 || mode == libc::FALLOC_FL_KEEP_SIZE => {
                let mut state = self.state();
                let size = state.scratch.get(id).ok_or(ESTALE)?.data().len() as u64;
                if mode == 0 && end > size {
                    state.scratch.truncate(id, end)?;
                }
                Ok(())
            }
            _ => Err(ENOTSUP),
        }
    }

    fn set_scratch(&self, id: ScratchId, wish: Wish) -> Outcome<()> {
        let mut state = self.state();
        if let Some(size) = wish.size {
            state.scratch.truncate(id, size)?;
        }
        let file: &mut File = state.scratch.get_mut(id).ok_or(ESTALE)?;
        if let Some(mode) = wish.mode {
            file.mode = mode & 0o7777;
        }
        file.uid = wish.uid.unwrap_or(file.uid);
        file.gid = wish.gid.unwrap_or(file.gid);
        file.accessed = wish.accessed.unwrap_or(file.accessed);
        file.modified = wish.modified.unwrap_or(file.modified);
        file.changed = SystemTime::now();
        Ok(())
    }

    /// Modes are forgotten and times kept until the next change; another owner is refused. A truncation without a
    /// handle is no edit, like every bare truncation.
    fn set_node(&self, target: &Target, wish: Wish) -> Outcome<()> {
        let Target::Node(Root::Live, path) = target else {
            return match target {
                // A shell's `>` may truncate the control file.
                Target::Control(_) if wish.uid.is_none() && wish.gid.is_none() => Ok(()),
                _ => Err(EPERM),
            };
        };
        let other = |wanted: Option<u32>, is: u32| wanted.is_some_and(|wanted| wanted != is);
        if other(wish.uid, self.owner.uid) || other(wish.gid, self.owner.gid) {
            return Err(EPERM);
        }
        match (wish.handle, wish.size) {
            (Some(handle), Some(size)) => self.truncate_handle(handle, size)?,
            (None, Some(size)) => drop(staged_length(size)?),
            (_, None) => {}
        }
        if let Some(time) = wish.modified {
            self.set_time(path, time);
        }
        Ok(())
    }
}
