//! `savefs get` and `savefs screenshot`: values out of a save.

use super::opening::Reading;
use super::{Failure, Outcome, print};
use crate::tree::{Leaf, Node, walk};
use clap::Args;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Print values of a save
#[derive(Args)]
pub struct Get {
    #[command(flatten)]
    reading: Reading,
    /// The save
    file: PathBuf,
    /// Nodes, e.g. globals/day; a directory prints everything below it
    #[arg(required = true)]
    paths: Vec<String>,
}

impl Get {
    pub fn run(self) -> Outcome {
        let session = self.reading.open(&self.file)?;
        for path in &self.paths {
            match session
                .resolve(path)
                .map_err(|refusal| Failure::on(&self.file, refusal))?
            {
                Node::Leaf(leaf) => print(leaf.read())?,
                node => print(below(&node, path))?,
            }
        }
        Ok(0)
    }
}

/// `path=value` lines of everything below a directory.
pub fn below(node: &Node, path: &str) -> String {
    let mut lines = String::new();
    let path = walk::parts(path).collect::<Vec<_>>().join("/");
    walk::leaves(node, &path, &mut |path, leaf| {
        lines.push_str(&line(path, &**leaf))
    });
    lines
}

/// One line of a listing: path, `=`, the value with what would break a line escaped.
pub fn line(path: &str, leaf: &dyn Leaf) -> String {
    format!("{path}={}\n", walk::one_line(leaf))
}

/// Write a save's picture as a PNG file
#[derive(Args)]
pub struct Screenshot {
    #[command(flatten)]
    reading: Reading,
    /// The save
    file: PathBuf,
    /// The PNG file; `-` for standard output
    picture: PathBuf,
}

impl Screenshot {
    pub fn run(self) -> Outcome {
        let session = self.reading.open(&self.file)?;
        let mut found = None;
        walk::leaves(&session.now().root(), "", &mut |path, leaf| {
            if found.is_none() && path.ends_with("screenshot.png") {
                found = Some(leaf.read().into_owned());
            }
        });
        let picture =
            found.ok_or_else(|| Failure::on(&self.file, "saves of this game hold no picture"))?;
        if self.picture.as_os_str() == "-" {
            print(picture)?;
        } else {
            if holds_something_else(&self.picture, &picture) {
                return Err(Failure::on(
                    &self.picture,
                    "is there already and is no picture",
                ));
            }
            std::fs::write(&self.picture, picture)
                .map_err(|error| Failure::on(&self.picture, error))?;
        }
        Ok(0)
    }
}

/// Bytes by which a picture file is known.
const SIGNATURE: usize = 8;

/// Whether a file is there that is no picture: a save, most likely, given by mistake.
fn holds_something_else(file: &Path, picture: &[u8]) -> bool {
    let is_file = std::fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.len() > 0);
    let mut start = [0; SIGNATURE];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    is_file && (read.is_err() || !picture.starts_with(&start))
}
