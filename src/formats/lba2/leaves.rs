//! Leaves that are no plain field of a record.

use super::envelope::{COMPRESSED, LONGEST_NAME, NAME_AT};
use super::names::HOLOMAP_STATE;
use super::save::Saved;
use crate::codec::codepage::CodePage;
use crate::tree::build::line;
use crate::tree::kind::{Alphabet, Kind, Legal};
use crate::tree::{About, Access, Draft, Leaf, Node, Refusal, Save, Span};
use std::borrow::Cow;
use std::sync::Arc;

/// A leaf that says more of itself than its field does.
pub struct Described {
    inner: Arc<dyn Leaf>,
    more: Box<dyn Fn(About) -> About + Send + Sync>,
}

impl Described {
    pub fn node(node: Node, more: impl Fn(About) -> About + Send + Sync + 'static) -> Option<Node> {
        let Node::Leaf(inner) = node else { return None };
        Some(Node::leaf(Described {
            inner,
            more: Box::new(more),
        }))
    }
}

impl Leaf for Described {
    fn about(&self) -> About {
        (self.more)(self.inner.about())
    }
    fn access(&self) -> Access {
        self.inner.access()
    }
    fn spans(&self) -> Vec<Span> {
        self.inner.spans()
    }
    fn is_binary(&self) -> bool {
        self.inner.is_binary()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        self.inner.read()
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        self.inner.feasible(so_far)
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        self.inner.write(whole, draft)
    }
}

/// Bytes of a length that the file fixes.
pub struct FixedBytes {
    save: Arc<Saved>,
    span: Span,
    doc: &'static str,
}

impl FixedBytes {
    pub fn node(save: &Arc<Saved>, span: Span, doc: &'static str) -> Node {
        let save = Arc::clone(save);
        Node::leaf(FixedBytes { save, span, doc })
    }
    fn refuse(&self, given: usize) -> Refusal {
        let legal = format!("{} bytes", self.span.length);
        Refusal::invalid(format!("{given} bytes given")).legal(legal)
    }
}

impl Leaf for FixedBytes {
    fn about(&self) -> About {
        About::of("bytes", self.doc).range(format!("{} bytes", self.span.length))
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        vec![self.span]
    }
    fn is_binary(&self) -> bool {
        true
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let end = self.span.offset.saturating_add(self.span.length);
        let bytes = self.save.image().get(self.span.offset..end);
        bytes.unwrap_or_default().into()
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        if so_far.len() > self.span.length {
            return Err(self.refuse(so_far.len()));
        }
        Ok(())
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        if whole.len() != self.span.length {
            return Err(self.refuse(whole.len()));
        }
        draft.put(self.span.offset, whole);
        Ok(())
    }
}

/// An arrow of the holomap: two bits of a byte whose other bits stay (lba2.md 5.2).
pub struct Arrow {
    pub save: Arc<Saved>,
    pub at: usize,
}

impl Arrow {
    const STATE: u8 = 3;
    const KIND: Kind = Kind::Int {
        width: 1,
        signed: false,
    };
    const LEGAL: Legal = Legal::Names(&HOLOMAP_STATE);

    fn byte(&self) -> u8 {
        self.save.image().get(self.at).copied().unwrap_or(0)
    }
    fn state(&self) -> [u8; 1] {
        [self.byte() & Self::STATE]
    }
}

impl Leaf for Arrow {
    fn about(&self) -> About {
        About::of("name", "whether the holomap shows the arrow")
            .values(Self::KIND.legal_words(&Self::LEGAL))
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(self.at, 1)]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        line(Self::KIND.show(&self.state(), &Self::LEGAL))
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        Self::KIND.feasible(so_far, &Self::LEGAL, &self.state())
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let state = Self::KIND.parse(whole, &Self::LEGAL, &self.state())?;
        for state in state {
            draft.put(self.at, &[self.byte() & !Self::STATE | state]);
        }
        Ok(())
    }
}

/// Whether the file is compressed: bit 7 of the version. lba2.md 2.
pub struct Compressed {
    pub save: Arc<Saved>,
}

impl Compressed {
    fn now(&self) -> [u8; 1] {
        [u8::from(self.save.head.is_compressed())]
    }
}

impl Leaf for Compressed {
    fn about(&self) -> About {
        let doc = "the file holds its payload compressed; the game reads both";
        About::of("boolean", doc).values(Kind::Bool.legal_words(&Legal::Any))
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(0, 1)]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let now = self.now();
        line(Kind::Bool.show(&now, &Legal::Any))
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        Kind::Bool.feasible(so_far, &Legal::Any, &self.now())
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let wanted = Kind::Bool.parse(whole, &Legal::Any, &self.now())?;
        if wanted == self.now() {
            return Ok(());
        }
        if wanted == [1] {
            self.save.compressed_file().map_err(|_| {
                Refusal::invalid("the save does not get smaller, and the game could not read it")
                    .legal("false")
            })?;
        }
        draft.put(0, &[self.save.head.version ^ COMPRESSED]);
        Ok(())
    }
}

/// The name that the game's menu shows. lba2.md 2.
pub struct Name {
    pub save: Arc<Saved>,
}

impl Name {
    const KIND: Kind = Kind::Terminated {
        size: LONGEST_NAME as u16 + 1,
        alphabet: Alphabet {
            page: CodePage::Cp850,
            highest: 0xFF,
            controls: false,
        },
    };
    const FORBIDDEN: &str = "<>:\"|\\/";

    /// The name with its NUL.
    fn field(&self) -> Vec<u8> {
        let name = self.save.name_bytes().iter().copied();
        name.chain(std::iter::once(0)).collect()
    }
    /// What the keyboard of the game does not take; what is there already stays legal.
    fn check(&self, text: &[u8]) -> Result<(), Refusal> {
        let bad = |byte: &&u8| Self::FORBIDDEN.as_bytes().contains(byte);
        match text.iter().find(bad) {
            Some(byte) if text != self.field().as_slice() => {
                let why = format!("a name cannot have the character {:?}", char::from(*byte));
                Err(Refusal::invalid(why).legal(format!("no {}", Self::FORBIDDEN)))
            }
            _ => Ok(()),
        }
    }
}

impl Leaf for Name {
    fn about(&self) -> About {
        let words = Self::KIND.legal_words(&Legal::Any);
        let legal = format!("{words}, none of {}", Self::FORBIDDEN);
        About::of("string", "name of the save in the game's menu").range(legal)
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(NAME_AT, self.save.head.name)]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        line(Self::KIND.show(&self.field(), &Legal::Any))
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        Self::KIND.feasible(so_far, &Legal::Any, &self.field())?;
        let text = so_far.strip_suffix(b"\n").unwrap_or(so_far);
        if self.read().starts_with(text) {
            return Ok(());
        }
        self.check(text)
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let field = Self::KIND.parse(whole, &Legal::Any, &self.field())?;
        self.check(&field)?;
        if field == self.field() {
            return Ok(());
        }
        let name = field.strip_suffix(&[0]).unwrap_or(&field);
        draft.splice(NAME_AT, self.save.head.name, name);
        if let Some(why) = reserved(name) {
            draft.caution(why);
        }
        Ok(())
    }
}

/// Why the game keeps a name for itself, where it does.
fn reserved(name: &[u8]) -> Option<&'static str> {
    let is = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
    if is("CURRENT") || is("AUTOSAVE") {
        return Some("the game keeps this name for its own saves");
    }
    let tail = name
        .len()
        .checked_sub(DATE.len())
        .and_then(|start| name.split_at_checked(start));
    let (head, tail) = tail?;
    let date = tail.iter().zip(DATE).all(|(byte, shape)| match shape {
        b'd' => byte.is_ascii_digit(),
        shape => byte == shape,
    });
    (date && (head.is_empty() || head.ends_with(b" - ")))
        .then_some("the port keeps names that end in a date for its own saves")
}

/// `d` is any digit.
const DATE: &[u8] = b"dddd-dd-dd dd-dd-dd";

#[cfg(test)]
mod tests {
    use super::reserved;

    #[test]
    fn reserved_names_are_known() {
        for name in [
            "CURRENT",
            "autosave",
            "2024-01-31 23-59-58",
            "Sewers - 2024-01-31 23-59-58",
        ] {
            assert!(reserved(name.as_bytes()).is_some(), "{name}");
        }
        for name in [
            "",
            "Currents",
            "x2024-01-31 23-59-58",
            "2024-01-31 23:59-58",
        ] {
            assert!(reserved(name.as_bytes()).is_none(), "{name}");
        }
    }
}
