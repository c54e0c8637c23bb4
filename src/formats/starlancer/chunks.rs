//! Every chunk as it lies in the file, and what lies outside all of them.

use super::{Campaign, edits, records::Windows};
use crate::codec::iff::Chunk;
use crate::tree::build::{Branch, Derived, Entry, Slice};
use crate::tree::node::Each;
use crate::tree::record::Script;
use crate::tree::{About, Dir, Node, NodeKind, Span};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

pub fn node(save: &Arc<Campaign>) -> Node {
    Node::dir(Chunks(Arc::clone(save)))
}

struct Chunks(Arc<Campaign>);

/// A stretch outside every chunk: its name, where it is, what it is.
type Stretch = (&'static str, fn(&Campaign) -> Range<usize>, &'static str);

const STRETCHES: [Stretch; 3] = [
    (
        "before.bin",
        |save| 0..save.container.form.start,
        "bytes before the form",
    ),
    (
        "rest.bin",
        |save| save.container.walk.rest.clone(),
        "bytes of the form that no chunk holds",
    ),
    (
        "after.bin",
        |save| save.container.form.end..save.image.len(),
        "bytes after the form",
    ),
];

impl Dir for Chunks {
    fn about(&self) -> About {
        About::dir("the chunks of the file in their order, the unknown and the unread included")
    }
    fn get(&self, name: &str) -> Option<Node> {
        let save = &self.0;
        if let Some((_, range, doc)) = STRETCHES.iter().find(|(own, ..)| *own == name) {
            let range = range(save);
            let span = Span::new(range.start, range.len());
            return (!range.is_empty()).then(|| Slice::node(save, span, doc, None));
        }
        let index: usize = name.parse().ok()?;
        let chunk = save.container.chunks().get(index)?;
        (index.to_string() == name).then(|| {
            let context = (Arc::clone(save), *chunk);
            Branch::node(&context, "a chunk", &CHUNK)
        })
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        for index in 0..self.0.container.chunks().len() {
            each(&index.to_string(), NodeKind::Dir)?;
        }
        for (name, range, _) in STRETCHES {
            if !range(&self.0).is_empty() {
                each(name, NodeKind::Leaf)?;
            }
        }
        ControlFlow::Continue(())
    }
}

type Context = (Arc<Campaign>, Chunk);

static CHUNK: [Entry<Context>; 4] = [
    ("id", |(_, chunk)| {
        let text = Windows::ALPHABET.page.decode(&chunk.id);
        let span = Span::new(chunk.at, chunk.id.len());
        Some(Derived::node(
            text,
            "string",
            "what the chunk holds",
            vec![span],
        ))
    }),
    ("offset", |(_, chunk)| {
        let doc = "where the chunk's header is in the file";
        Some(Derived::node(chunk.at, "u32", doc, Vec::new()))
    }),
    ("size", |(_, chunk)| {
        let doc = "length of the body as the header says it, without a pad byte";
        let span = Span::new(chunk.at.saturating_add(chunk.id.len()), 4);
        Some(Derived::node(chunk.length, "u32", doc, vec![span]))
    }),
    ("data", |(save, chunk)| {
        let body = chunk.body();
        let span = Span::new(body.start, body.len());
        let doc = "the body as bytes; written in the same length, and only with force";
        let why = "raw bytes are not checked; write the values under campaign instead";
        Some(Slice::reserved(save, span, doc, why, edits::raw))
    }),
];
