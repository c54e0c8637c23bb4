//! `savefs info`: what a save is, and the saves of a folder.

use super::opening::Reading;
use super::{Failure, Outcome, print};
use crate::formats;
use crate::session::Session;
use crate::tree::{Weight, walk};
use clap::Args;
use std::path::{Path, PathBuf};

/// Say what a save is and where its game stands; for a folder, of every save directly in it
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
            } else if let Err(Failure { text, .. }) = self.file(file) {
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
        let paths = entries.flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
        files.sort();
        // Saves of one kind say the same of themselves and make one table.
        let mut tables: Vec<Vec<Row>> = Vec::new();
        for file in files.iter().filter(|file| recognised(file)) {
            match self.reading.open(file) {
                Ok(session) => {
                    let row = row(file, &session);
                    let labels = |row: &Row| {
                        row.iter()
                            .map(|(label, _)| label.clone())
                            .collect::<Vec<_>>()
                    };
                    match tables.iter_mut().find(|table| {
                        table
                            .first()
                            .is_some_and(|first| labels(first) == labels(&row))
                    }) {
                        Some(table) => table.push(row),
                        None => tables.push(vec![row]),
                    }
                }
                Err(Failure { text, .. }) => eprintln!("savefs: {text}"),
            }
        }
        if tables.is_empty() {
            eprintln!("savefs: {}: no save in this folder", folder.display());
        }
        let tables: Vec<String> = tables.iter().map(|rows| table(rows)).collect();
        print(tables.join("\n"))
    }
}

/// Labels and values of one save.
type Row = Vec<(String, String)>;

fn row(file: &Path, session: &Session) -> Row {
    let mut row = vec![
        ("file".to_owned(), name_of(file)),
        ("saved".to_owned(), saved(session)),
    ];
    let summary = session.now().save.summary();
    row.extend(
        summary
            .into_iter()
            .map(|(label, value)| (label, walk::escaped(&value))),
    );
    row.push(("findings".to_owned(), findings(session)));
    row
}

/// When the file was written, as a game's own list of saves would say.
fn saved(session: &Session) -> String {
    crate::session::stamp(session.now().touched.loaded())
}

/// Rows under their labels, in columns.
fn table(rows: &[Row]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let heads = first
        .iter()
        .map(|(label, _)| label.as_str())
        .collect::<Vec<_>>();
    let all: Vec<Vec<&str>> = std::iter::once(heads)
        .chain(
            rows.iter()
                .map(|row| row.iter().map(|(_, value)| value.as_str()).collect()),
        )
        .collect();
    let width = |column: usize| {
        all.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..first.len()).map(width).collect();
    let line = |row: &Vec<&str>| {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    all.iter().map(line).collect()
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

/// What there is to say of a save's health.
fn findings(session: &Session) -> String {
    let now = session.now();
    let of = |weight| now.findings().iter().filter(|f| f.weight >= weight).count();
    match (of(Weight::Caution), of(Weight::Damage)) {
        (0, _) => "none".to_owned(),
        (count, 0) => format!("{count} (savefs check shows them)"),
        (count, _) => format!("{count}, damaged (savefs check shows them)"),
    }
}

fn describe(file: &Path, session: &Session) -> String {
    let now = session.now();
    let mut lines = vec![
        ("file".to_owned(), file.display().to_string()),
        ("format".to_owned(), session.format().title().to_owned()),
        ("saved".to_owned(), saved(session)),
    ];
    lines.extend(now.save.summary());
    lines.push(("findings".to_owned(), findings(session)));
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
