//! Leaves that every format's tree is built of: fields of records, computed texts, stretches of the image.

use super::draft::Draft;
use super::lenient;
use super::node::{About, Access, Leaf, Node, Save, Span};
use super::record::{Field, Rec, Role, Rule};
use super::refusal::Refusal;
use std::borrow::Cow;
use std::sync::Arc;

/// One field of a record.
pub struct FieldLeaf<S: Save + 'static> {
    save: Arc<S>,
    rec: Rec,
    field: &'static Field,
    rule: Rule<S>,
}

impl<S: Save + 'static> FieldLeaf<S> {
    pub fn node(save: &Arc<S>, rec: Rec, field: &'static Field, rule: Rule<S>) -> Node {
        Node::leaf(FieldLeaf {
            save: Arc::clone(save),
            rec,
            field,
            rule,
        })
    }
    fn bytes(&self) -> &[u8] {
        self.rec.bytes(self.save.image(), self.field)
    }
    fn kind(&self) -> super::kind::Kind {
        self.field.kind(self.rec.layout)
    }
}

impl<S: Save + 'static> Leaf for FieldLeaf<S> {
    fn about(&self) -> About {
        let (kind, legal) = (self.kind(), &self.field.legal);
        let about = About::of(kind.type_name(legal), self.field.doc);
        match (self.access(), legal) {
            (Access::ReadOnly, _) => about,
            (_, super::kind::Legal::Names(_) | super::kind::Legal::Bits(_)) => {
                about.values(kind.legal_words(legal))
            }
            _ => about.range(kind.legal_words(legal)),
        }
    }
    fn access(&self) -> Access {
        match self.field.role {
            Role::Edit => Access::ReadWrite,
            _ => Access::ReadOnly,
        }
    }
    fn spans(&self) -> Vec<Span> {
        let at = self.rec.offset(self.field).unwrap_or(0);
        vec![Span::new(at, self.bytes().len())]
    }
    fn is_binary(&self) -> bool {
        self.kind().is_binary()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let shown = self.kind().show(self.bytes(), &self.field.legal);
        if self.is_binary() { shown } else { line(shown) }
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        let (kind, legal, now) = (self.kind(), &self.field.legal, self.bytes());
        let forcible = |refusal| match self.save.ranges_forcible() {
            true => lenient::feasible(kind, so_far, legal, now, refusal),
            false => refusal,
        };
        kind.feasible(so_far, legal, now).map_err(forcible)
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let (kind, legal, now) = (self.kind(), &self.field.legal, self.bytes());
        let bytes = match self.save.ranges_forcible() {
            true => lenient::parse(kind, whole, legal, now, draft)?,
            false => kind.parse(whole, legal, now)?,
        };
        if self.bytes().starts_with(&bytes) {
            return Ok(());
        }
        (self.rule)(&self.save, self.rec, self.field, &bytes, draft)
    }
    fn out_of_range(&self) -> Option<Refusal> {
        let (kind, legal) = (self.kind(), &self.field.legal);
        let found = kind.show(self.bytes(), legal);
        kind.parse(&found, legal, &[])
            .err()
            .filter(|_| self.field.role == Role::Edit)
    }
}

/// A text line: the value and one newline.
pub fn line<'a>(value: Cow<'_, [u8]>) -> Cow<'a, [u8]> {
    let mut text = value.into_owned();
    text.push(b'\n');
    Cow::Owned(text)
}

/// A text that is computed and never written.
pub struct Derived {
    pub text: String,
    pub type_name: &'static str,
    pub doc: &'static str,
    pub spans: Vec<Span>,
}

impl Derived {
    pub fn node(
        text: impl ToString,
        type_name: &'static str,
        doc: &'static str,
        spans: Vec<Span>,
    ) -> Node {
        Node::leaf(Derived {
            text: text.to_string(),
            type_name,
            doc,
            spans,
        })
    }
}

impl Leaf for Derived {
    fn about(&self) -> About {
        About::of(self.type_name, self.doc)
    }
    fn spans(&self) -> Vec<Span> {
        self.spans.clone()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        line(self.text.as_bytes().into())
    }
}

/// A stretch of the image as it is. `write` is None for what may not be written as bytes.
pub struct Slice<S: Save + 'static> {
    pub save: Arc<S>,
    pub span: Span,
    pub doc: &'static str,
    pub write: Option<SliceRule<S>>,
    /// Why these bytes are written only where that is forced.
    pub reserved: Option<&'static str>,
}

/// Plays the write of a whole slice.
pub type SliceRule<S> = fn(&Arc<S>, Span, &[u8], &mut Draft) -> Result<(), Refusal>;

impl<S: Save + 'static> Slice<S> {
    pub fn node(save: &Arc<S>, span: Span, doc: &'static str, write: Option<SliceRule<S>>) -> Node {
        Node::leaf(Slice {
            save: Arc::clone(save),
            span,
            doc,
            write,
            reserved: None,
        })
    }
    /// Bytes that are written only where the user insists; `why` tells him what to do instead.
    pub fn reserved(
        save: &Arc<S>,
        span: Span,
        doc: &'static str,
        why: &'static str,
        write: SliceRule<S>,
    ) -> Node {
        Node::leaf(Slice {
            save: Arc::clone(save),
            span,
            doc,
            write: Some(write),
            reserved: Some(why),
        })
    }
    fn bytes(&self) -> &[u8] {
        let end = self.span.offset.saturating_add(self.span.length);
        self.save
            .image()
            .get(self.span.offset..end)
            .unwrap_or_default()
    }
}

impl<S: Save + 'static> Leaf for Slice<S> {
    fn about(&self) -> About {
        About::of("bytes", self.doc)
    }
    fn access(&self) -> Access {
        if self.write.is_some() {
            Access::ReadWrite
        } else {
            Access::ReadOnly
        }
    }
    fn spans(&self) -> Vec<Span> {
        vec![self.span]
    }
    fn is_binary(&self) -> bool {
        true
    }
    fn read(&self) -> Cow<'_, [u8]> {
        self.bytes().into()
    }
    fn size(&self) -> u64 {
        self.bytes().len() as u64
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        match self.reserved {
            Some(why) if !self.bytes().starts_with(so_far) => {
                Err(Refusal::not_permitted(why).forcible())
            }
            _ => Ok(()),
        }
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        match self.write {
            _ if whole == self.bytes() => Ok(()),
            Some(rule) => {
                rule(&self.save, self.span, whole, draft)?;
                let refusal = self.reserved.map(Refusal::not_permitted);
                refusal.map_or(Ok(()), |refusal| lenient::overridable(draft, refusal))
            }
            None => Err(Refusal::not_permitted(
                "these bytes are read-only; edit the values they hold",
            )),
        }
    }
}
