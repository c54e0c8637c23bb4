//! `savefs set` and `savefs batch`: changes, each call one commit.

use super::opening::{Reading, Writing};
use super::{Failure, Outcome};
use crate::session::{Edit, NotEdited, Session};
use crate::tree::{Node, walk};
use clap::Args;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Change values of a save, all of them or none
#[derive(Args)]
pub struct Set {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    writing: Writing,
    /// Say what would be refused or warned of, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// The save
    file: PathBuf,
    /// PATH=VALUE, or PATH:TYPE=VALUE to give a script variable another type
    #[arg(required = true, value_name = "PATH=VALUE")]
    assignments: Vec<String>,
}

impl Set {
    pub fn run(self) -> Outcome {
        let session = self.reading.open_for(&self.writing, &self.file)?;
        let mut edits = Vec::new();
        for assignment in &self.assignments {
            edits.extend(parse(&session, assignment).ok_or_else(|| usage(&self.file, assignment))?);
        }
        apply(&session, &self.file, &edits, self.dry_run)
    }
}

/// Change a save by lines of PATH=VALUE from standard input or a file, all of them or none
#[derive(Args)]
pub struct Batch {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    writing: Writing,
    /// Say what would be refused or warned of, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// The lines are an edited listing of `savefs tree --flat`: pass over those that say what the save holds
    #[arg(long)]
    listing: bool,
    /// The save
    file: PathBuf,
    /// Lines of PATH=VALUE with the escapes of `savefs tree --flat` (`\n` for a new line, `\\` for a backslash), `mkdir PATH`
    /// or `rm PATH`; empty lines and those beginning with # are passed over
    #[arg(default_value = "-")]
    script: PathBuf,
}

impl Batch {
    pub fn run(self) -> Outcome {
        let session = self.reading.open_for(&self.writing, &self.file)?;
        let script = read_script(&self.script)?;
        let mut edits = Vec::new();
        for (line, number) in script
            .lines()
            .zip(1..)
            .filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'))
        {
            if self.listing && is_as_listed(&session, line) {
                continue;
            }
            let plain = unescaped(line).ok_or_else(|| misspelt(&self.file, number, line))?;
            let edit = command(&session, &plain);
            edits.extend(edit.ok_or_else(|| unknown(&self.file, number, line))?);
        }
        apply(&session, &self.file, &edits, self.dry_run)
    }
}

fn read_script(script: &Path) -> Result<String, Failure> {
    if script.as_os_str() != "-" {
        return std::fs::read_to_string(script).map_err(|error| Failure::on(script, error));
    }
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Failure::new(format!("standard input: {error}")))?;
    Ok(text)
}

fn usage(file: &Path, given: &str) -> Failure {
    Failure::on(
        file,
        format!("\"{given}\": expected PATH=VALUE, e.g. globals/phase=2"),
    )
    .of_usage()
}

fn unknown(file: &Path, number: usize, line: &str) -> Failure {
    Failure::on(
        file,
        format!("line {number}: \"{line}\": expected PATH=VALUE, mkdir PATH or rm PATH"),
    )
    .of_usage()
}

/// A line whose value is written as in a listing; paths have no escapes there.
fn unescaped(line: &str) -> Option<String> {
    let value = line.find('=').map_or(line.len(), |at| at + 1);
    let (path, value) = line.split_at(value);
    Some(format!("{path}{}", walk::unescape_line(value)?))
}

fn misspelt(file: &Path, number: usize, line: &str) -> Failure {
    let legal = r"`\n` for a new line, `\\` for a backslash, `\u{7f}` for a character by its code";
    Failure::on(
        file,
        format!("line {number}: \"{line}\": a backslash that stands for nothing (legal: {legal})"),
    )
}

/// A line of a batch.
fn command(session: &Session, line: &str) -> Option<Vec<Edit>> {
    if let Some(path) = line.strip_prefix("mkdir ") {
        let path = path.trim().to_owned();
        return Some(vec![Edit::Create {
            path,
            kind: crate::tree::NodeKind::Dir,
        }]);
    }
    if let Some(path) = line.strip_prefix("rm ") {
        return Some(vec![Edit::Remove {
            path: path.trim().to_owned(),
        }]);
    }
    parse(session, line)
}

/// Whether a line is one that `savefs tree --flat` prints of the save now.
fn is_as_listed(session: &Session, line: &str) -> bool {
    if let Some((path, value)) = split(session, line) {
        let node = session.resolve(path).ok();
        return matches!(node, Some(Node::Leaf(leaf)) if walk::one_line(&*leaf) == value);
    }
    let Some((path, target)) = line.split_once(" -> ") else {
        return false;
    };
    let (parent, name) = walk::split(path);
    let link = session
        .resolve(&parent)
        .ok()
        .and_then(|parent| walk::lookup(parent.as_dir().ok()?, name));
    matches!(link, Some(Node::Link(there)) if there == target)
}

/// `PATH=VALUE` or `PATH:TYPE=VALUE`.
fn parse(session: &Session, assignment: &str) -> Option<Vec<Edit>> {
    let (path, value) = split(session, assignment)?;
    let typed = path
        .rsplit_once(':')
        .filter(|_| session.resolve(path).is_err());
    let Some((bare, to)) = typed else {
        return Some(vec![Edit::set(path, value)]);
    };
    let retype = Edit::Retype {
        path: bare.to_owned(),
        to: to.to_owned(),
    };
    let set = Edit::set(bare, value);
    let (before, after) = (vec![retype.clone(), set.clone()], vec![set, retype]);
    // A text that is to become a number has to be one first, and a number that is to become a text cannot hold it yet.
    Some(
        if session.rehearse(&before).is_ok() || session.rehearse(&after).is_err() {
            before
        } else {
            after
        },
    )
}

/// Path and value: at the first `=` behind a path that is there, for names may hold one; else at the first of all.
fn split<'a>(session: &Session, assignment: &'a str) -> Option<(&'a str, &'a str)> {
    let (first, value) = assignment
        .split_once('=')
        .filter(|(path, _)| !path.is_empty())?;
    let there = |(at, _): &(usize, &str)| {
        let path = assignment.get(..*at).unwrap_or_default();
        session.resolve(path).is_ok()
    };
    let found = assignment.match_indices('=').find(there);
    Some(found.map_or((first, value), |(at, _)| {
        let (path, rest) = assignment.split_at(at);
        (path, rest.get(1..).unwrap_or_default())
    }))
}

fn apply(session: &Session, file: &Path, edits: &[Edit], dry_run: bool) -> Outcome {
    let cautions = session.cautions(edits);
    for caution in &cautions {
        eprintln!("savefs: {}: warning: {caution}", file.display());
    }
    if dry_run {
        return session
            .rehearse(edits)
            .map(|()| 0)
            .map_err(|refusal| Failure::on(file, refusal));
    }
    match session.edit(edits) {
        Ok(_) => Ok(0),
        Err(NotEdited::Refused(refusal)) => Err(Failure::on(file, refusal)),
        Err(NotEdited::Pending(error)) => {
            Err(Failure::new(format!("nothing was written: {error}")))
        }
    }
}
