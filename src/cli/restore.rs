//! `savefs restore`: an old version back in its place.

use super::{Failure, Outcome, print};
use crate::store::{self, Store};
use clap::Args;
use std::path::PathBuf;

/// Put back the version that the last change of a save kept
///
/// The save takes the place of the version that is put back, so a second restore undoes the first.
#[derive(Args)]
pub struct Restore {
    /// List the versions that are kept, newest first
    #[arg(long)]
    list: bool,
    /// The save
    file: PathBuf,
    /// Which of them, counted from the newest
    #[arg(default_value_t = 1)]
    number: usize,
}

impl Restore {
    pub fn run(self) -> Outcome {
        let backups = store::backups(&self.file);
        if self.list {
            for (at, backup) in backups.iter().enumerate() {
                print(format!("{} {}\n", at + 1, backup.path.display()))?;
            }
            return Ok(0);
        }
        let chosen = self.number.checked_sub(1).and_then(|at| backups.get(at));
        let backup = chosen.ok_or_else(|| {
            let why = match backups.len() {
                0 => "no old version of it is kept".to_owned(),
                kept => format!("there is no old version {}, only 1..{kept}", self.number),
            };
            Failure::on(&self.file, why)
        })?;
        let options = store::Options::default();
        let restored = if self.file.exists() {
            let opened = Store::open(&self.file, options);
            let (store, _) = opened.map_err(|error| Failure::new(error.to_string()))?;
            store.restore(backup).map(drop)
        } else {
            store::put_back(&self.file, backup, &options)
        };
        restored.map_err(|error| Failure::new(error.to_string()))?;
        Ok(0)
    }
}
