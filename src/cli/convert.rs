//! `savefs compress` and `savefs decompress`: a whole save from one form to the other.

use super::opening::{Reading, Writing};
use super::{Failure, Outcome};
use crate::session::{Edit, NotEdited};
use clap::Args;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

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
    /// Write the result into this new file and leave the save alone
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
        let Some(output) = &self.output else {
            self.convert(&self.file, &self.writing, compressed)?;
            return Ok(0);
        };
        let save = std::fs::read(&self.file).map_err(|error| Failure::on(&self.file, error))?;
        let unwritten = |error| Failure::on(output, error);
        let mut copy = File::create_new(output).map_err(unwritten)?;
        copy.write_all(&save)
            .map_err(unwritten)
            .and_then(|()| self.convert(output, &self.writing.without_backup(), compressed))
            .inspect_err(|_| {
                let _ = std::fs::remove_file(output);
            })?;
        Ok(0)
    }
    fn convert(&self, file: &Path, writing: &Writing, compressed: &str) -> Result<(), Failure> {
        let session = self.reading.open_for(writing, file)?;
        let path = switch(&session)
            .ok_or_else(|| Failure::on(&self.file, "saves of this game are never compressed"))?;
        session
            .edit(&[Edit::set(path, compressed)])
            .map_err(|error: NotEdited| Failure::on(&self.file, error.refusal()))?;
        Ok(())
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
