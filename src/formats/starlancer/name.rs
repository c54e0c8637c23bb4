//! The save's name: the only value whose length is the file's to give. starlancer.md 2.2 and 3.

use super::Campaign;
use super::records::{NAME, Windows};
use crate::codec::iff::{Chunk, HEADER};
use crate::tree::build::line;
use crate::tree::kind::{Kind, Legal, terminated};
use crate::tree::record::Script;
use crate::tree::{About, Access, Draft, Errno, Leaf, Node, Refusal, Span, lenient};
use std::borrow::Cow;
use std::sync::Arc;

/// Bytes of a name that the list screen has room for.
const ROOM: usize = 47;
/// Bytes that the game has room for while a name is typed.
pub const TYPED: usize = 19;

/// A text of at most [`ROOM`] bytes and its NUL.
const LISTED: Kind = of_size(ROOM as u16 + 1);
/// A text that only the file's form bounds.
const FORCED: Kind = of_size(u16::MAX).with_controls();

const fn of_size(size: u16) -> Kind {
    Kind::Terminated {
        size,
        alphabet: Windows::ALPHABET,
    }
}

impl Campaign {
    /// The bytes of the save's name, if it has one.
    pub fn name(&self) -> Option<&[u8]> {
        let body = self.container.first(NAME)?.body();
        self.image.get(body).map(terminated)
    }
}

/// The leaf of the name; None where the file has none.
pub fn node(save: &Arc<Campaign>) -> Option<Node> {
    let chunk = *save.container.first(NAME)?;
    Some(Node::leaf(NameLeaf {
        save: Arc::clone(save),
        chunk,
    }))
}

struct NameLeaf {
    save: Arc<Campaign>,
    chunk: Chunk,
}

impl NameLeaf {
    fn body(&self) -> &[u8] {
        self.save.image.get(self.chunk.body()).unwrap_or_default()
    }

    /// Whether the file lets its name change its length. starlancer.md 2.3.
    fn may_resize(&self) -> Result<(), Refusal> {
        let state = self.save.container.state;
        if state.may_resize() {
            return Ok(());
        }
        let why = format!(
            "the file is {}, so its name cannot change its length",
            state.word()
        );
        let legal = format!("a name of {} bytes", terminated(self.body()).len());
        Err(Refusal::not_permitted(why).legal(legal))
    }

    /// Puts a name of another length in place of the one that is there. What follows its NUL is kept.
    fn resize(&self, text: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        self.may_resize()?;
        let container = &self.save.container;
        let tail = self.body().get(terminated(self.body()).len()..);
        let tail = tail.filter(|tail| !tail.is_empty()).unwrap_or(&[0]);
        let body = [text, tail].concat();
        let pad: &[u8] = if body.len() % 2 == 1 { &[0] } else { &[] };
        let old = self.chunk.end().saturating_sub(self.chunk.body().start);
        let grown = i128::try_from(body.len() + pad.len()).unwrap_or(i128::MAX)
            - i128::try_from(old).unwrap_or(0);
        let form_length = u32::try_from(i128::from(container.form_length) + grown);
        let (Ok(length), Ok(form_length)) = (u32::try_from(body.len()), form_length) else {
            return Err(Refusal::new(Errno::TooLong, "longer than a file can be"));
        };
        let put_length = |draft: &mut Draft, header: usize, length: u32| {
            draft.put(header.saturating_add(4), &length.to_be_bytes());
        };
        put_length(draft, container.form.start, form_length);
        put_length(draft, self.chunk.at, length);
        let padded = [&body, pad].concat();
        draft.splice(self.chunk.at.saturating_add(HEADER), old, &padded);
        Ok(())
    }
}

impl Leaf for NameLeaf {
    fn about(&self) -> About {
        About::of("string", "name of the save, as the game lists it")
            .range(LISTED.legal_words(&Legal::Any))
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        let body = self.chunk.body();
        vec![Span::new(body.start, body.len())]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        line(LISTED.show(self.body(), &Legal::Any))
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        let feasible = |kind: Kind| kind.feasible(so_far, &Legal::Any, self.body());
        if let Err(refusal) = feasible(LISTED) {
            return Err(match feasible(FORCED) {
                Ok(()) => refusal.forcible(),
                Err(_) => refusal,
            });
        }
        // Bytes are not characters: what is cut in the middle of one cannot be counted yet.
        let text = FORCED.parse(so_far, &Legal::Any, self.body());
        match text.is_ok_and(|text| terminated(&text).len() > terminated(self.body()).len()) {
            true => self.may_resize(),
            false => Ok(()),
        }
    }
    fn out_of_range(&self) -> Option<Refusal> {
        LISTED.parse(&self.read(), &Legal::Any, &[]).err()
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let now = terminated(self.body());
        let parsed = lenient::parse_as([LISTED, FORCED], whole, self.body(), draft)?;
        let text = terminated(&parsed);
        if text == now {
            return Ok(());
        }
        if text.len() != now.len() {
            return self.resize(text, draft);
        }
        draft.put(self.chunk.body().start, text);
        Ok(())
    }
}
