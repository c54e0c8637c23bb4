//! DreamFactory: the saves of Titanic (`.ti`, engine 4) and of Dust (`.rtd`, engine 1).
//!
//! [`envelope`] finds and moves containers, [`map`] says which is what, [`records`] what is in them. Each other room
//! shows one part of a save and keeps its rules.

mod actors;
mod containers;
mod envelope;
mod findings;
mod globals;
mod location;
mod manifest;
mod map;
mod pool;
mod props;
mod records;
mod room;
mod route;
mod save;
mod scheduler;
mod sounds;
#[cfg(test)]
mod tests;
mod variable;
mod walks;

use super::{Format, Likeness, Options, Probe};
use crate::tree::{Fault, Save};
use map::Engine;
use save::DreamSave;
use std::sync::Arc;

/// The format's name in faults and in `savefs formats`.
pub const FORMAT: &str = "dreamfactory";

pub struct Dreamfactory;

pub static DREAMFACTORY: Dreamfactory = Dreamfactory;

impl Format for Dreamfactory {
    fn name(&self) -> &'static str {
        FORMAT
    }
    fn title(&self) -> &'static str {
        "DreamFactory: Titanic (.ti) and Dust (.rtd)"
    }
    fn page(&self) -> &'static str {
        include_str!("page.md")
    }
    /// By the signature. A file that only has the name is taken too, so that a broken one is refused with the reason.
    fn recognise(&self, probe: &Probe) -> Likeness {
        let end = envelope::SIGNATURE_AT + envelope::SIGNATURE.len();
        let signature = probe.head.get(envelope::SIGNATURE_AT..end);
        let magic = probe.head.get(..4) == Some(envelope::MAGIC.to_le_bytes().as_slice());
        let by_signature = signature == Some(envelope::SIGNATURE);
        let extension = probe
            .name
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension);
        let named = [Engine::Titanic, Engine::Dust]
            .iter()
            .any(|engine| extension.eq_ignore_ascii_case(engine.extension()));
        match (
            by_signature || (magic && signature == Some(b"LPPALPPA")),
            named,
        ) {
            (true, _) => Likeness::Sure,
            (false, true) => Likeness::ByName,
            (false, false) => Likeness::No,
        }
    }
    fn open(&self, file: &[u8], _: &Options) -> Result<Arc<dyn Save>, Fault> {
        Ok(Arc::new(DreamSave::open(file.to_vec())?))
    }
}
