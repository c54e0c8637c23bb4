//! An open save.

use super::envelope::{self, COMPRESSED, Envelope, Opened, REVISION};
use super::records::{Globals, Object};
use super::walk::{self, Context, Skeleton};
use super::{FORMAT, findings, names, tree};
use crate::codec::codepage::CodePage;
use crate::tree::{Draft, Fault, Finding, Node, Save};
use std::sync::{Arc, OnceLock};

/// Names of the layouts (lba2.md 10), in the order of the records' offsets.
pub const LAYOUTS: [&str; 2] = ["wire32", "native64"];

pub struct Saved {
    image: Vec<u8>,
    pub head: Envelope,
    /// Bytes at the image's end that follow the stream in the file.
    after_stream: usize,
    pub skeleton: Skeleton,
    /// None where a damaged file does not tell.
    pub layout: Option<usize>,
    /// Why the payload is shorter than the file says.
    pub cut: Option<Fault>,
    /// The stream as loaded; None after an edit and in a plain file.
    stream: Option<Vec<u8>>,
    /// The stream as the game makes it, made once.
    game_stream: OnceLock<Result<Vec<u8>, Fault>>,
    png: OnceLock<Vec<u8>>,
}

impl Saved {
    pub fn open(file: &[u8]) -> Result<Self, Fault> {
        Self::of(envelope::open(file)?)
    }

    fn of(opened: Opened) -> Result<Self, Fault> {
        let Opened {
            image,
            after_stream,
            stream,
            cut,
        } = opened;
        let head = Envelope::read(&image)?;
        // What follows a stream follows the payload once the file is plain.
        let end = match head.is_compressed() {
            true => image.len().saturating_sub(after_stream),
            false => image.len(),
        };
        let (skeleton, layout) = walk::walk(&image, head.payload, end);
        Ok(Saved {
            image,
            head,
            after_stream,
            skeleton,
            layout,
            cut,
            stream,
            game_stream: OnceLock::new(),
            png: OnceLock::new(),
        })
    }

    pub fn scene(&self) -> i32 {
        envelope::scene(&self.image)
    }
    /// The bytes of the name, the NUL not counted.
    pub fn name_bytes(&self) -> &[u8] {
        let start = envelope::NAME_AT;
        self.image
            .get(start..start.saturating_add(self.head.name))
            .unwrap_or_default()
    }
    /// Where the payload ends.
    pub fn payload_end(&self) -> usize {
        self.image.len().saturating_sub(self.after_stream)
    }
    /// The contexts with their paths.
    pub fn contexts(&self) -> impl Iterator<Item = (&'static str, &Context)> {
        let nested = self.skeleton.nested.iter();
        std::iter::once(("lba", &self.skeleton.main)).chain(nested.map(|c| ("lba/checkpoint", c)))
    }
    /// The context that a place of the image is in.
    pub fn context_at(&self, at: usize) -> &Context {
        let nested = self.skeleton.nested.as_ref();
        nested
            .filter(|nested| nested.holds(at))
            .unwrap_or(&self.skeleton.main)
    }
    /// The scene of a context.
    pub fn scene_of(&self, context: &Context) -> i32 {
        let checkpoint = self.skeleton.checkpoint.as_ref();
        match checkpoint.filter(|checkpoint| checkpoint.at == context.at) {
            Some(checkpoint) => {
                let token = super::records::CheckpointHead::checkpoint_scene;
                checkpoint.head.get(&self.image, token)
            }
            None => self.scene(),
        }
    }
    /// Whether the game's encoder would have written another stream (lba2.md 3.3). What is cut does not tell.
    pub fn is_foreign(&self) -> bool {
        let Some(stream) = self.stream.as_ref().filter(|_| self.cut.is_none()) else {
            return false;
        };
        self.game_stream().as_ref().ok() != Some(stream)
    }
    fn game_stream(&self) -> &Result<Vec<u8>, Fault> {
        self.game_stream.get_or_init(|| {
            let payload = self.image.get(self.head.payload..self.payload_end());
            envelope::compress(payload.unwrap_or_default())
        })
    }
    /// The file as it is when compressed; only the version byte is as the save has it.
    pub fn compressed_file(&self) -> Result<Vec<u8>, Fault> {
        let stream = self.game_stream().as_ref().map_err(Clone::clone)?;
        envelope::compressed(&self.image, self.payload_end(), stream)
    }
    /// The screenshot as a file, made once.
    pub fn png(&self, make: impl FnOnce() -> Vec<u8>) -> &[u8] {
        self.png.get_or_init(make)
    }
}

impl Save for Saved {
    fn image(&self) -> &[u8] {
        &self.image
    }
    fn root(self: Arc<Self>) -> Node {
        tree::root(&self)
    }
    fn reopen(&self, image: Vec<u8>) -> Result<Arc<dyn Save>, Fault> {
        let next = Self::of(Opened {
            image,
            after_stream: self.after_stream,
            stream: None,
            cut: None,
        })?;
        if let Some(fault) = &next.skeleton.fault {
            return Err(fault.clone());
        }
        if next.layout != self.layout {
            let name =
                |layout: Option<usize>| layout.and_then(|l| LAYOUTS.get(l)).unwrap_or(&"none");
            let (expected, found) = (*name(self.layout), *name(next.layout));
            return Err(envelope::fault(
                "layout",
                next.head.payload,
                expected,
                found,
            ));
        }
        Ok(Arc::new(next))
    }
    fn encode(&self) -> Result<Vec<u8>, Fault> {
        match self.head.is_compressed() {
            true => self.compressed_file(),
            false => envelope::plain(&self.image),
        }
    }
    fn settle(&self, draft: &mut Draft) {
        if self.head.is_compressed() && self.compressed_file().is_err() {
            draft.put(0, &[self.head.version & !COMPRESSED]);
            draft.caution(
                "the save no longer gets smaller by compression: it is stored uncompressed",
            );
        }
    }
    fn findings(&self) -> Vec<Finding> {
        findings::of(self)
    }
    fn summary(&self) -> Vec<(String, String)> {
        let mut lines = vec![
            ("name".to_owned(), CodePage::Cp850.decode(self.name_bytes())),
            ("scene".to_owned(), names::scene_title(self.scene())),
        ];
        let mut add = |label: &str, value: String| lines.push((label.to_owned(), value));
        let main = &self.skeleton.main;
        if let Some(globals) = main.globals() {
            let chapter = main.variable(tree::CHAPTER).map_or(0, |rec| {
                rec.get(&self.image, super::records::Variable::value)
            });
            add("chapter", chapter.to_string());
            if let Some(hero) = main.object(0) {
                add("life", hero.get(&self.image, Object::life).to_string());
            }
            let kashes = globals.get(&self.image, Globals::kashes);
            let zlitos = globals.get(&self.image, Globals::zlitos);
            add("money", format!("{kashes} kashes, {zlitos} zlitos"));
            let level = globals.get(&self.image, Globals::magic_level);
            let points = globals.get(&self.image, Globals::magic_points);
            add("magic", format!("{points} points, level {level}"));
        }
        let layout = self.layout.and_then(|layout| LAYOUTS.get(layout));
        add("layout", layout.unwrap_or(&"unknown").to_string());
        add("compressed", self.head.is_compressed().to_string());
        lines
    }
    fn read_only(&self) -> Option<String> {
        let revision = self.head.revision();
        (revision != REVISION).then(|| {
            format!("{FORMAT} layout revision {revision} is unknown, only {REVISION} is written")
        })
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}
