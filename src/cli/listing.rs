//! `savefs ls` and `savefs tree`: what is in a save.

use super::get::line;
use super::opening::Reading;
use super::{Failure, Outcome, print};
use crate::tree::{Access, Node, NodeKind, walk};
use clap::Args;
use std::path::PathBuf;

/// List a directory of a save
#[derive(Args)]
pub struct Ls {
    #[command(flatten)]
    reading: Reading,
    /// With access, type, size and meaning
    #[arg(short)]
    long: bool,
    /// The save
    file: PathBuf,
    /// The directory, e.g. actors/purs
    #[arg(default_value = "")]
    path: String,
}

impl Ls {
    pub fn run(self) -> Outcome {
        let session = self.reading.open(&self.file)?;
        let node = session
            .resolve(&self.path)
            .map_err(|refusal| Failure::on(&self.file, refusal))?;
        let Node::Dir(dir) = &node else {
            let (_, name) = walk::split(&self.path);
            print(self.entry(name, &node))?;
            return Ok(0);
        };
        let mut out = String::new();
        for (name, _) in walk::entries(dir) {
            if let Some(node) = dir.get(&name) {
                out.push_str(&self.entry(&name, &node));
            }
        }
        print(out)?;
        Ok(0)
    }

    fn entry(&self, name: &str, node: &Node) -> String {
        let mark = match node.kind() {
            NodeKind::Dir => "/",
            _ => "",
        };
        if !self.long {
            return format!("{name}{mark}\n");
        }
        let about = node.about();
        let (access, size) = match node {
            Node::Dir(_) => ("d", String::new()),
            Node::Link(_) => ("l", String::new()),
            Node::Leaf(leaf) => match leaf.access() {
                Access::ReadWrite => ("rw", leaf.size().to_string()),
                Access::ReadOnly => ("r", leaf.size().to_string()),
            },
        };
        let name = match node {
            Node::Link(target) => format!("{name} -> {target}"),
            _ => format!("{name}{mark}"),
        };
        format!(
            "{access:<2} {:<10} {size:>6} {name:<24} {}\n",
            about.type_name, about.doc
        )
    }
}

/// Show a save, or a part of it, as a tree with its values
#[derive(Args)]
pub struct Tree {
    #[command(flatten)]
    reading: Reading,
    /// One line a value, `path=value`, for grep and diff
    #[arg(long)]
    flat: bool,
    /// The save
    file: PathBuf,
    /// Where to begin
    #[arg(default_value = "")]
    path: String,
}

impl Tree {
    pub fn run(self) -> Outcome {
        let session = self.reading.open(&self.file)?;
        let node = session
            .resolve(&self.path)
            .map_err(|refusal| Failure::on(&self.file, refusal))?;
        let mut out = String::new();
        let start = walk::parts(&self.path).collect::<Vec<_>>().join("/");
        walk::walk(&node, &start, &mut |path, node| {
            if self.flat {
                flat(&mut out, path, node)
            } else {
                indented(&mut out, path, node)
            }
            true
        });
        print(out)?;
        Ok(0)
    }
}

fn flat(out: &mut String, path: &str, node: &Node) {
    match node {
        Node::Dir(_) => {}
        Node::Leaf(leaf) => out.push_str(&line(path, &**leaf)),
        Node::Link(target) => out.push_str(&format!("{path} -> {target}\n")),
    }
}

fn indented(out: &mut String, path: &str, node: &Node) {
    let depth = walk::parts(path).count();
    let (_, name) = walk::split(path);
    if name.is_empty() {
        return;
    }
    let indent = "  ".repeat(depth - 1);
    match node {
        Node::Dir(_) => out.push_str(&format!("{indent}{name}/\n")),
        Node::Leaf(leaf) => out.push_str(&format!(
            "{indent}{}\n",
            shortened(line(name, &**leaf).trim_end())
        )),
        Node::Link(target) => out.push_str(&format!("{indent}{name} -> {target}\n")),
    }
}

/// At most a screen's width or so of a long value.
fn shortened(line: &str) -> String {
    const WIDTH: usize = 120;
    match line.char_indices().nth(WIDTH) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or(line)),
    }
}
