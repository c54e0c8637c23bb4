//! `savefs check`: what is wrong with a save, and whether savefs would give it back as it is.

use super::opening::Reading;
use super::{Failure, Outcome, print};
use crate::session::Session;
use crate::tree::Weight;
use clap::Args;
use std::path::{Path, PathBuf};

/// Check saves and say what is wrong with them
///
/// Prints each finding with its code, node and offset, and the change that would mend it where there is one. Exit status 1 if
/// a save is damaged or inconsistent, or cannot be read.
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    reading: Reading,
    /// The saves
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Check {
    pub fn run(self) -> Outcome {
        let mut worst = 0;
        for file in &self.files {
            let bad = match self.reading.open(file) {
                Ok(session) => report(file, &session)?,
                Err(Failure { text, .. }) => {
                    eprintln!("savefs: {text}");
                    true
                }
            };
            worst = worst.max(u8::from(bad));
        }
        Ok(worst)
    }
}

/// Prints the findings; whether the save is bad.
fn report(file: &Path, session: &Session) -> Result<bool, Failure> {
    let now = session.now();
    let mut bad = false;
    for finding in now.findings() {
        bad |= finding.weight >= Weight::Warning;
        print(format!(
            "{}: {}: {finding}\n",
            file.display(),
            word(finding.weight)
        ))?;
    }
    if let Some(difference) = round_trip(session) {
        bad = true;
        print(format!("{}: error: {difference}\n", file.display()))?;
    }
    if !bad {
        let fine = match now.findings().iter().all(|f| f.weight == Weight::Note) {
            true => "fine",
            false => "nothing in the way of playing or editing it",
        };
        print(format!("{}: {fine}\n", file.display()))?;
    }
    Ok(bad)
}

fn word(weight: Weight) -> &'static str {
    match weight {
        Weight::Damage => "damage",
        Weight::Warning => "warning",
        Weight::Caution => "caution",
        Weight::Note => "note",
    }
}

/// Decoding what the decoded save encodes to must give the same save.
fn round_trip(session: &Session) -> Option<String> {
    match session.comes_back() {
        Ok(true) => None,
        Ok(false) => Some("written again, it would not read back the same".to_owned()),
        Err(fault) => Some(format!("cannot be written again: {fault}")),
    }
}
