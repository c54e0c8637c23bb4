//! `savefs explain`: what a node is, what may be written, and where its bytes are.

use super::opening::Reading;
use super::{Failure, Outcome, print};
use crate::tree::{Access, Node};
use clap::Args;
use std::path::PathBuf;

/// Say what a node of a save means and what may be written to it
#[derive(Args)]
pub struct Explain {
    #[command(flatten)]
    reading: Reading,
    /// The save
    file: PathBuf,
    /// The node, e.g. actors/purs/deg
    #[arg(default_value = "")]
    path: String,
}

impl Explain {
    pub fn run(self) -> Outcome {
        let session = self.reading.open(&self.file)?;
        let node = session
            .resolve(&self.path)
            .map_err(|refusal| Failure::on(&self.file, refusal))?;
        let mut lines: Vec<(&str, String)> = vec![("path", self.path.clone())];
        lines.extend(attributes(&node));
        print(
            lines
                .iter()
                .map(|(name, value)| format!("{name:<8} {value}\n"))
                .collect::<String>(),
        )?;
        Ok(0)
    }
}

/// The attributes of a node: those that a mount shows as `user.savefs.*`.
pub fn attributes(node: &Node) -> Vec<(&'static str, String)> {
    let about = node.about();
    let mut all = vec![("type", about.type_name.into_owned())];
    all.extend(about.range.map(|range| ("range", range)));
    all.extend(about.values.map(|values| ("values", values)));
    all.push(("doc", about.doc.into_owned()));
    let spans = match node {
        Node::Dir(dir) => dir.spans(),
        Node::Leaf(leaf) => leaf.spans(),
        Node::Link(_) => Vec::new(),
    };
    let numbers = |of: fn(&crate::tree::Span) -> usize| {
        spans
            .iter()
            .map(|s| of(s).to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    if !spans.is_empty() {
        all.push(("offset", numbers(|span| span.offset)));
        all.push(("size", numbers(|span| span.length)));
    }
    if let Node::Leaf(leaf) = node {
        let access = match leaf.access() {
            Access::ReadWrite => "read-write",
            Access::ReadOnly => "read-only",
        };
        all.push(("access", access.to_owned()));
    }
    all.extend(about.extras);
    all
}
