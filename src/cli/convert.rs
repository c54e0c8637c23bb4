//! `savefs compress` and `savefs decompress`: a whole save from one form to the other.

use super::opening::{Reading, Writing};
use super::{Failure, Outcome};
use crate::session::{Edit, NotEdited};
use clap::Args;
use std::path::PathBuf;

/// Compress a save as the game does
#[derive(Args)]
pub struct Compress {
    #[command(flatten)]
    conversion: Conversion,
}

/// Write a save without compression
#[derive(Args)]
pub struct Decompress {
    #[command(flatten)]
    conversion: Conversion,
}

#[derive(Args)]
struct Conversion {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    writing: Writing,
    /// The save
    file: PathBuf,
    /// Write the result here and leave the save alone
    output: Option<PathBuf>,
}

impl Compress {
    pub fn run(self) -> Outcome {
        self.conversion.run("true")
    }
}

impl Decompress {
    pub fn run(self) -> Outcome {
        self.conversion.run("false")
    }
}

impl Conversion {
    fn run(self, compressed: &str) -> Outcome {
        let file = match &self.output {
            None => self.file.clone(),
            Some(output) => {
                std::fs::copy(&self.file, output).map_err(|error| Failure::on(output, error))?;
                output.clone()
            }
        };
        let session = self.reading.open_for(&self.writing, &file)?;
        let path = switch(&session)
            .ok_or_else(|| Failure::on(&file, "saves of this game are never compressed"))?;
        session
            .edit(&[Edit::set(path, compressed)])
            .map_err(|error: NotEdited| Failure::on(&file, error.refusal()))?;
        Ok(0)
    }
}

/// The node that says whether the save is compressed.
fn switch(session: &crate::session::Session) -> Option<String> {
    let mut found = None;
    crate::tree::walk::leaves(&session.now().root(), "", &mut |path, _| {
        if found.is_none() && path.rsplit('/').next() == Some("compressed") {
            found = Some(path.to_owned());
        }
    });
    found
}
