//! Little Big Adventure 2: `.lba` saves, compressed or not, of the game (wire32) and of a 64-bit port
//! (native64). The facts are in lba2.md; `page.md` is what a user reads.
//!
//! The image is the file with its payload expanded and without the size field of a compressed one; bit 7 of
//! the version byte stays in it and is `lba/compressed`. Bytes behind a stream end the image.
//!
//! - `envelope`: a file taken apart and put together
//! - `walk`: the skeleton of offsets and counts, and which layout it is
//! - `records`: every record, a line a field
//! - `tree`, `lists`, `leaves`, `screenshot`, `move_to_scene`: the nodes
//! - `rules`: what changes together, and what is refused
//! - `findings`: what a check says

mod envelope;
mod findings;
mod leaves;
mod lists;
mod move_to_scene;
mod names;
mod records;
mod rules;
mod save;
mod screenshot;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

use super::{Format, Likeness, Options, Probe};
use crate::tree::{Fault, Save};
use envelope::Envelope;
use save::Saved;
use std::sync::Arc;

/// The word by which a user calls the format.
pub const FORMAT: &str = "lba2";

/// Saves of Little Big Adventure 2.
pub struct Lba2;

impl Format for Lba2 {
    fn name(&self) -> &'static str {
        FORMAT
    }
    fn title(&self) -> &'static str {
        "Little Big Adventure 2 (.lba)"
    }
    fn page(&self) -> &'static str {
        include_str!("page.md")
    }
    fn recognise(&self, probe: &Probe) -> Likeness {
        let by_name = probe.name.to_ascii_lowercase().ends_with(".lba");
        let unsure = if by_name {
            Likeness::ByName
        } else {
            Likeness::No
        };
        match Envelope::read(probe.head) {
            Ok(head) if head.revision() == envelope::REVISION && fits(probe, head) => {
                Likeness::Sure
            }
            _ => unsure,
        }
    }
    fn open(&self, file: &[u8], _options: &Options) -> Result<Arc<dyn Save>, Fault> {
        Ok(Arc::new(Saved::open(file)?))
    }
}

/// Scene and size are possible (lba2.md 2).
fn fits(probe: &Probe, head: Envelope) -> bool {
    let scene = envelope::scene(probe.head);
    let size = match head.is_compressed() {
        true => envelope::size_field(probe.head, head.payload).ok(),
        false => usize::try_from(probe.length)
            .ok()
            .map(|length| length.saturating_sub(head.payload)),
    };
    (0..=222).contains(&scene)
        && size.is_some_and(|size| (walk::SMALLEST..=envelope::LOADER).contains(&size))
}
