//! What the five kinds of file have in common: the image, how far it can be trusted, and the bytes alone where it
//! cannot be read at all.

use crate::formats::{Format, Likeness, Options, Probe};
use crate::tree::build::{Branch, FieldLeaf, Listing, Naming, Slice};
use crate::tree::record::{Field, Rec, Shape, plain};
use crate::tree::source::Source;
use crate::tree::{Fault, Finding, Node, Save, Span};
use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

/// One kind of file: how its bytes are read and what tree they make.
pub trait Content: Send + Sync + Sized + 'static {
    /// The format's name for users.
    const FORMAT: &'static str;
    const TITLE: &'static str;
    /// The one directory at the root of the tree.
    const ROOT: &'static str;
    /// Whether `--force` opens a readable file for writing although it is closed.
    const YIELDS_TO_FORCE: bool = false;

    fn recognise(probe: &Probe) -> Likeness;
    /// Walks over the whole file.
    fn read(image: &[u8], options: &Options) -> Result<Reading<Self>, Fault>;
    /// The same for a file that is left where it is; None where that is not done.
    fn read_in_place(_file: &Arc<dyn Source>) -> Option<Result<Reading<Self>, Fault>> {
        None
    }
    /// The file, where it was left in its place.
    fn source(&self) -> Option<&dyn Source> {
        None
    }
    /// The directory [`Content::ROOT`].
    fn tree(save: &Arc<StarSave<Self>>) -> Node;
    /// Label and value of what a user wants to know first.
    fn summary(save: &StarSave<Self>) -> Vec<(String, String)>;
}

/// What became of a file.
pub struct Reading<C> {
    /// The skeleton; None where no more than the bytes can be shown.
    pub content: Option<C>,
    pub findings: Vec<Finding>,
    /// Why nothing may be written, where nothing is damaged.
    pub closed: Option<String>,
}

impl<C> Reading<C> {
    pub fn whole(content: C) -> Self {
        Reading {
            content: Some(content),
            findings: Vec::new(),
            closed: None,
        }
    }
    pub fn raw(finding: Finding) -> Self {
        Reading {
            closed: Some(finding.text.clone()),
            content: None,
            findings: vec![finding],
        }
    }
    pub fn closed(mut self, why: impl Into<String>) -> Self {
        self.closed = Some(why.into());
        self
    }
    pub fn finding(mut self, finding: Finding) -> Self {
        self.findings.push(finding);
        self
    }
}

/// An open file of one kind.
pub struct StarSave<C> {
    pub image: Vec<u8>,
    pub content: Option<C>,
    findings: Vec<Finding>,
    closed: Option<String>,
    options: Arc<Options>,
}

impl<C: Content> StarSave<C> {
    fn open(image: Vec<u8>, options: Arc<Options>) -> Result<Arc<Self>, Fault> {
        let reading = C::read(&image, &options)?;
        Ok(Self::of(image, reading, options))
    }
    fn of(image: Vec<u8>, reading: Reading<C>, options: Arc<Options>) -> Arc<Self> {
        Arc::new(StarSave {
            image,
            content: reading.content,
            findings: reading.findings,
            closed: reading.closed,
            options,
        })
    }
}

impl<C: Content> Save for StarSave<C> {
    fn image(&self) -> &[u8] {
        &self.image
    }
    fn root(self: Arc<Self>) -> Node {
        // One entry, whose name the kind of file gives.
        Branch::node(&self, C::TITLE, const { &[(C::ROOT, tree::<C>)] })
    }
    fn reopen(&self, image: Vec<u8>) -> Result<Arc<dyn Save>, Fault> {
        Ok(Self::open(image, Arc::clone(&self.options))?)
    }
    fn encode(&self) -> Result<Vec<u8>, Fault> {
        let source = self.content.as_ref().and_then(C::source);
        Ok(match source {
            Some(file) => file.read_at(0, usize::try_from(file.length()).unwrap_or(usize::MAX)),
            None => self.image.clone(),
        })
    }
    fn findings(&self) -> Vec<Finding> {
        self.findings.clone()
    }
    fn summary(&self) -> Vec<(String, String)> {
        C::summary(self)
    }
    fn read_only(&self) -> Option<String> {
        self.closed.clone()
    }
    fn yields_to_force(&self) -> bool {
        C::YIELDS_TO_FORCE && self.content.is_some()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn tree<C: Content>(save: &Arc<StarSave<C>>) -> Option<Node> {
    Some(match save.content {
        Some(_) => C::tree(save),
        None => Branch::node(
            save,
            "a file that cannot be read further",
            const { &[("data", whole::<C>)] },
        ),
    })
}

fn whole<C: Content>(save: &Arc<StarSave<C>>) -> Option<Node> {
    bytes(save, 0, save.image.len(), "the whole file as it is")
}

/// A node of bytes that nothing else shows; None where there are none.
pub fn bytes<C: Content>(
    save: &Arc<StarSave<C>>,
    at: usize,
    length: usize,
    doc: &'static str,
) -> Option<Node> {
    (length > 0).then(|| Slice::node(save, Span::new(at, length), doc, None))
}

/// An array field as a directory, each element a value; `element` declares one of them. `names` are those of the
/// elements, numbers if there are none. What the end of the file cuts off is left out.
pub fn elements<C: Content>(
    save: &Arc<StarSave<C>>,
    rec: Rec,
    field: &Field,
    element: &'static Shape,
    names: &[&str],
) -> Option<Node> {
    let size = element.size.first().copied().filter(|size| *size > 0)?;
    let at = field.at(rec.layout)?;
    let held = rec.size().min(save.image.len().saturating_sub(rec.at));
    let whole = held.checked_sub(at)?.min(field.kind(rec.layout).size()) / size;
    let naming = match names {
        [] => Naming::numbers(whole),
        names => Naming::identities(names.iter().copied().take(whole), false),
    };
    let first = Rec::new(element, rec.offset(field)?, 0);
    let make = |(save, first): &(Arc<StarSave<C>>, Rec), index: usize| {
        let at = index.checked_mul(first.size())?.checked_add(first.at)?;
        let value = first.shape.fields.first()?;
        let rec = Rec { at, ..*first };
        Some(FieldLeaf::node(save, rec, value, plain))
    };
    (whole > 0).then(|| Listing::values(&(Arc::clone(save), first), field.doc, naming, make))
}

/// A kind of file in the register.
pub struct StarFormat<C>(PhantomData<fn() -> C>);

impl<C> StarFormat<C> {
    pub const fn new() -> Self {
        StarFormat(PhantomData)
    }
}

impl<C: Content> Format for StarFormat<C> {
    fn name(&self) -> &'static str {
        C::FORMAT
    }
    fn title(&self) -> &'static str {
        C::TITLE
    }
    fn page(&self) -> &'static str {
        include_str!("page.md")
    }
    fn recognise(&self, probe: &Probe) -> Likeness {
        // The game's own name for a file that it has not finished writing.
        if probe.name.starts_with("_temp_") {
            return Likeness::No;
        }
        C::recognise(probe)
    }
    fn open(&self, file: &[u8], options: &Options) -> Result<Arc<dyn Save>, Fault> {
        Ok(StarSave::<C>::open(
            file.to_vec(),
            Arc::new(options.clone()),
        )?)
    }
    fn open_in_place(
        &self,
        file: &Arc<dyn Source>,
        options: &Options,
    ) -> Option<Result<Arc<dyn Save>, Fault>> {
        let reading = C::read_in_place(file)?;
        let options = Arc::new(options.clone());
        Some(reading.map(|reading| StarSave::of(Vec::new(), reading, options) as Arc<dyn Save>))
    }
}

/// By the end of its name: these files begin with no more than a small number.
pub fn by_name(probe: &Probe, ending: &str) -> Likeness {
    let head = probe.name.len().checked_sub(ending.len());
    let tail = head.and_then(|at| probe.name.get(at..)).unwrap_or_default();
    match tail.eq_ignore_ascii_case(ending) {
        true => Likeness::ByName,
        false => Likeness::No,
    }
}

/// The version word that every one of these files begins with.
pub fn version<C: Content>(image: &[u8]) -> Result<u32, Fault> {
    let word: Option<[u8; 4]> = image.get(..4).and_then(|word| word.try_into().ok());
    word.map(u32::from_le_bytes).ok_or_else(|| {
        Fault::new(
            C::FORMAT,
            "version",
            0,
            "4 bytes, as the file's name promises",
            format!("a file of {} bytes", image.len()),
        )
    })
}
