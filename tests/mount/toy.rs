//! A save of no game: everything that a mount has to do with a tree, in a few hundred bytes.
//!
//! `TOY1`, a hero (32 bytes), the number of variables (1 byte), each variable as an 8-byte name and a value byte, and 6000
//! bytes behind them.

use savefs::codec::codepage::CodePage;
use savefs::formats::{Format, Likeness, Options, Probe};
use savefs::record;
use savefs::tree::build::{Branch, Entry, RecordDir};
use savefs::tree::kind::Alphabet;
use savefs::tree::node::Each;
use savefs::tree::record::{Field, Flag, Pascal, Rec, Script};
use savefs::tree::{
    About, Access, Creation, Dir, Draft, Errno, Fault, Finding, Leaf, Node, NodeKind, Refusal,
    Save, Span,
};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

pub struct Latin;
impl Script for Latin {
    const ALPHABET: Alphabet = Alphabet {
        page: CodePage::Latin1,
        highest: 0x7E,
        controls: false,
    };
}

record! {
    /// The hero.
    Hero [32] {
        /// how strong
        level: u16 = edit(0..=10) @ 0;
        /// life
        hp: u16 = edit(0..=200) @ 2;
        /// drawn; needs a name
        visible: Flag = edit @ 4;
        /// the level once more
        mirror: u16 = derived @ 6;
        /// what they are called
        name: Pascal<16, Latin> = edit @ 8;
    }
}

const HERO: usize = 4;
const COUNT: usize = HERO + 32;
const VARIABLES: usize = COUNT + 1;
const VARIABLE: usize = 9;
const BLOB: usize = 6000;

/// Bytes of a save with these variables.
pub fn bytes(variables: &[(&str, u8)]) -> Vec<u8> {
    let mut file = b"TOY1".to_vec();
    let mut hero = [0; 32];
    (hero[0], hero[2], hero[6]) = (5, 100, 5);
    hero[8..14].copy_from_slice(b"\x05Conan");
    file.extend(hero);
    file.push(variables.len() as u8);
    for (name, value) in variables {
        let mut record = [0; VARIABLE];
        record[..name.len()].copy_from_slice(name.as_bytes());
        record[8] = *value;
        file.extend(record);
    }
    file.extend((0..BLOB).map(|n| (n % 251) as u8));
    file
}

pub struct Toy;
pub static TOY: Toy = Toy;

impl Format for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }
    fn title(&self) -> &'static str {
        "a save of no game"
    }
    fn page(&self) -> &'static str {
        ""
    }
    fn recognise(&self, probe: &Probe) -> Likeness {
        match probe.head.starts_with(b"TOY1") {
            true => Likeness::Sure,
            false => Likeness::No,
        }
    }
    fn open(&self, file: &[u8], _: &Options) -> Result<Arc<dyn Save>, Fault> {
        open(file.to_vec())
    }
}

fn open(image: Vec<u8>) -> Result<Arc<dyn Save>, Fault> {
    let count = image.get(COUNT).copied().unwrap_or(0);
    let expected = VARIABLES + usize::from(count) * VARIABLE + BLOB;
    if !image.starts_with(b"TOY1") || image.len() != expected {
        let found = format!("{} bytes", image.len());
        return Err(Fault::new("toy", "length", 0, expected.to_string(), found));
    }
    Ok(Arc::new(ToySave { image }))
}

pub struct ToySave {
    image: Vec<u8>,
}

impl ToySave {
    fn variables(&self) -> Vec<(String, usize)> {
        let count = usize::from(self.image[COUNT]);
        let at = (0..count).map(|n| VARIABLES + n * VARIABLE);
        let name = |at: usize| {
            let name = self.image[at..at + 8].split(|b| *b == 0).next().unwrap();
            (String::from_utf8_lossy(name).into_owned(), at)
        };
        at.map(name).collect()
    }
}

const TOP: &[Entry<Arc<ToySave>>] = &[
    ("hero", |save| {
        let rec = Rec::new(Hero::SHAPE, HERO, 0);
        Some(RecordDir::with(
            save,
            rec,
            savefs::tree::build::View::Readable,
            coupled,
            LINKS,
        ))
    }),
    ("life", |save| {
        let rec = Rec::new(Hero::SHAPE, HERO, 0);
        let Node::Dir(hero) =
            RecordDir::node(save, rec, savefs::tree::build::View::Readable, coupled)
        else {
            return None;
        };
        hero.get("hp")
    }),
    ("vars", |save| Some(Node::dir(Variables(Arc::clone(save))))),
    ("count", |save| Some(Node::leaf(Count(Arc::clone(save))))),
    ("blob.bin", |save| Some(Node::leaf(Blob(Arc::clone(save))))),
];
const LINKS: &[Entry<(Arc<ToySave>, Rec)>] =
    &[("strength", |_| Some(Node::Link("level".to_owned())))];

/// The mirror follows the level, and who has no name is not drawn.
fn coupled(
    save: &ToySave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    if field.is(Hero::visible) && rec.get(&save.image, Hero::name).is_empty() && bytes != [0, 0] {
        return Err(Refusal::new(Errno::Busy, "has no name"));
    }
    draft.put(rec.offset(field).unwrap(), bytes);
    if field.is(Hero::level) {
        draft.put(rec.offset(Hero::mirror.field()).unwrap(), bytes);
    }
    Ok(())
}

impl Save for ToySave {
    fn image(&self) -> &[u8] {
        &self.image
    }
    fn root(self: Arc<Self>) -> Node {
        Branch::node(&self, "a toy", TOP)
    }
    fn reopen(&self, image: Vec<u8>) -> Result<Arc<dyn Save>, Fault> {
        open(image)
    }
    fn encode(&self) -> Result<Vec<u8>, Fault> {
        Ok(self.image.clone())
    }
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

struct Variables(Arc<ToySave>);

impl Dir for Variables {
    fn about(&self) -> About {
        About::dir("variables")
    }
    fn get(&self, name: &str) -> Option<Node> {
        let (_, at) = self.0.variables().into_iter().find(|(n, _)| n == name)?;
        Some(Node::leaf(Variable(Arc::clone(&self.0), at)))
    }
    fn spelling(&self, name: &str) -> Option<String> {
        let all = self.0.variables().into_iter();
        all.map(|(n, _)| n).find(|n| n.eq_ignore_ascii_case(name))
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        let mut all = self.0.variables().into_iter();
        all.try_for_each(|(name, _)| each(&name, NodeKind::Leaf))
    }
    fn creates(&self, _: &str, kind: NodeKind) -> Creation {
        match kind {
            NodeKind::Leaf => Creation::WithFirstValue,
            _ => Creation::No,
        }
    }
    fn create(&self, name: &str, value: Option<&[u8]>, draft: &mut Draft) -> Result<(), Refusal> {
        let Some(value) = value else {
            return Err(Refusal::not_permitted("variables have values"));
        };
        if name.len() > 8 {
            return Err(Refusal::new(Errno::TooLong, "at most 8 letters"));
        }
        let count = self.0.image[COUNT];
        let mut record = [0; VARIABLE];
        record[..name.len()].copy_from_slice(name.as_bytes());
        record[8] = number(value)?;
        draft.put(COUNT, &[count + 1]);
        draft.splice(VARIABLES + usize::from(count) * VARIABLE, 0, &record);
        Ok(())
    }
    fn removes(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
    fn remove(&self, name: &str, draft: &mut Draft) -> Result<(), Refusal> {
        let (_, at) = self
            .0
            .variables()
            .into_iter()
            .find(|(n, _)| n == name)
            .unwrap();
        draft.put(COUNT, &[self.0.image[COUNT] - 1]);
        draft.splice(at, VARIABLE, b"");
        Ok(())
    }
}

fn number(text: &[u8]) -> Result<u8, Refusal> {
    let text = String::from_utf8_lossy(text);
    let wrong = |_| Refusal::invalid("not a number").legal("0..255");
    text.trim().parse().map_err(wrong)
}

struct Variable(Arc<ToySave>, usize);

impl Leaf for Variable {
    fn about(&self) -> About {
        About::of("number", "a variable").range("0..255")
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(self.1, VARIABLE)]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        format!("{}\n", self.0.image[self.1 + 8])
            .into_bytes()
            .into()
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        draft.put(self.1 + 8, &[number(whole)?]);
        Ok(())
    }
    fn retype(&self, to: &str, draft: &mut Draft) -> Result<(), Refusal> {
        if to != "zero" {
            return Err(Refusal::invalid("no such type").legal("zero"));
        }
        draft.put(self.1 + 8, &[0]);
        Ok(())
    }
}

/// A value that is stored nowhere of its own.
struct Count(Arc<ToySave>);

impl Leaf for Count {
    fn about(&self) -> About {
        About::of("number", "how many variables")
    }
    fn spans(&self) -> Vec<Span> {
        Vec::new()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let names: Vec<String> = self.0.variables().into_iter().map(|(n, _)| n).collect();
        format!("{} {}\n", names.len(), names.join(" "))
            .into_bytes()
            .into()
    }
}

struct Blob(Arc<ToySave>);

impl Leaf for Blob {
    fn about(&self) -> About {
        About::of("bytes", "what lies behind")
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn is_binary(&self) -> bool {
        true
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(self.0.image.len() - BLOB, BLOB)]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        self.0.image[self.0.image.len() - BLOB..].into()
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        if whole.len() != BLOB {
            return Err(Refusal::invalid("not 6000 bytes"));
        }
        draft.put(self.0.image.len() - BLOB, whole);
        Ok(())
    }
}
