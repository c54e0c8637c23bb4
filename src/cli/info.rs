//! `savefs info`: what a save is, and the saves of a folder.

use super::opening::Reading;
use super::{Failure, Outcome, print};
use crate::formats;
use crate::session::Session;
use crate::tree::{Weight, walk};
use clap::Args;
use std::path::{Path, PathBuf};

/// Say what a save is and where its game stands; for a folder, of every save in it
#[derive(Args)]
pub struct Info {
    #[command(flatten)]
    reading: Reading,
    /// Saves or folders
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Info {
    pub fn run(self) -> Outcome {
        let mut failed = 0;
        for (at, file) in self.files.iter().enumerate() {
            if at > 0 {
                print("\n")?;
            }
            if file.is_dir() {
                self.folder(file)?;
            } else if let Err(Failure(text)) = self.file(file) {
                eprintln!("savefs: {text}");
                failed = 1;
            }
        }
        Ok(failed)
    }

    fn file(&self, file: &Path) -> Result<(), Failure> {
        let session = self.reading.open(file)?;
        print(describe(file, &session))
    }

    fn folder(&self, folder: &Path) -> Result<(), Failure> {
        let entries = std::fs::read_dir(folder).map_err(|error| Failure::on(folder, error))?;
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        let mut names = Vec::new();
        for file in files.iter().filter(|file| recognised(file)) {
            match self.reading.open(file) {
                Ok(session) => print(one_line(file, &session))?,
                Err(Failure(text)) => print(format!("{text}\n"))?,
            }
            names.push(name_of(file));
        }
        for note in formats::folder_notes(&names) {
            print(format!("note: {note}\n"))?;
        }
        Ok(())
    }
}

fn name_of(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Whether any format likes the file by its name and first bytes.
fn recognised(file: &Path) -> bool {
    use std::io::Read;
    let Ok(opened) = std::fs::File::open(file) else {
        return false;
    };
    let length = opened.metadata().map_or(0, |metadata| metadata.len());
    let mut head = Vec::new();
    let read = opened.take(formats::HEAD as u64).read_to_end(&mut head);
    let probe = formats::Probe {
        name: &name_of(file),
        head: &head,
        length,
    };
    read.is_ok() && formats::recognise(&probe).is_some()
}

fn describe(file: &Path, session: &Session) -> String {
    let now = session.now();
    let mut lines = vec![
        ("file".to_owned(), file.display().to_string()),
        ("format".to_owned(), session.format().title().to_owned()),
    ];
    lines.extend(now.save.summary());
    let serious = now
        .findings()
        .iter()
        .filter(|finding| finding.weight >= Weight::Caution)
        .count();
    let findings = match serious {
        0 => "none".to_owned(),
        count => format!("{count} (savefs check shows them)"),
    };
    lines.push(("findings".to_owned(), findings));
    if let Some(reason) = session.read_only() {
        lines.push(("read-only".to_owned(), reason));
    }
    let width = lines
        .iter()
        .map(|(label, _)| label.chars().count())
        .max()
        .unwrap_or(0);
    lines
        .iter()
        .map(|(label, value)| format!("{label:<width$}  {}\n", walk::escaped(value)))
        .collect()
}

fn one_line(file: &Path, session: &Session) -> String {
    let summary = session.now().save.summary();
    let values: Vec<String> = summary
        .iter()
        .map(|(label, value)| format!("{label} {}", walk::escaped(value)))
        .collect();
    let saved = crate::session::stamp(session.now().touched.loaded());
    format!("{}  {saved}  {}\n", name_of(file), values.join(", "))
}
