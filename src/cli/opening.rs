//! Options that every command on a save takes, and the session they open.

use super::Failure;
use crate::session::{self, Session};
use crate::store;
use clap::Args;
use std::path::{Path, PathBuf};

/// How a save is read.
#[derive(Args, Clone, Debug, Default)]
pub struct Reading {
    /// Treat the file as this format (see `savefs formats`) instead of recognising it
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Names of fields for formats that need them, as JSON (see `savefs formats sinking-star-history`)
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
}

/// How a save is written.
#[derive(Args, Clone, Debug, Default)]
pub struct Writing {
    /// Let through what the game's rules advise against but can take
    #[arg(long)]
    pub force: bool,
    /// Keep N old versions beside the save instead of one
    #[arg(long, value_name = "N", conflicts_with = "no_backup")]
    backup: Option<usize>,
    /// Keep no old version
    #[arg(long)]
    no_backup: bool,
    /// Write into the file itself: needed for hard links and directories that cannot be written
    #[arg(long)]
    in_place: bool,
}

impl Writing {
    /// The same for a file that is new itself.
    pub fn without_backup(&self) -> Self {
        Writing {
            no_backup: true,
            ..self.clone()
        }
    }
    fn store(&self) -> store::Options {
        let kept = if self.no_backup {
            0
        } else {
            self.backup.unwrap_or(1)
        };
        store::Options {
            backups: kept,
            in_place: self.in_place,
            ..store::Options::default()
        }
    }
}

impl Reading {
    /// The session options of a command that only reads.
    pub fn options(&self) -> Result<session::Options, Failure> {
        let schema = match &self.schema {
            None => None,
            Some(path) => {
                Some(std::fs::read_to_string(path).map_err(|error| Failure::on(path, error))?)
            }
        };
        Ok(session::Options {
            format: self.format.clone(),
            schema,
            ..session::Options::default()
        })
    }
    /// The session options of a command that writes.
    pub fn options_for(&self, writing: &Writing) -> Result<session::Options, Failure> {
        Ok(session::Options {
            force: writing.force,
            store: writing.store(),
            ..self.options()?
        })
    }
    /// Opens a save to read it.
    pub fn open(&self, file: &Path) -> Result<Session, Failure> {
        open(file, self.options()?)
    }
    /// Opens a save to change it.
    pub fn open_for(&self, writing: &Writing, file: &Path) -> Result<Session, Failure> {
        open(file, self.options_for(writing)?)
    }
}

fn open(file: &Path, options: session::Options) -> Result<Session, Failure> {
    Session::open(file, options).map_err(|error| Failure::new(error.to_string()))
}
