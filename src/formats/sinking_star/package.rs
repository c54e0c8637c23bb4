//! `simp` packages: an archive of members, back to back. Section 7.1. Only the table of contents is read; a member is a
//! place in the file, whether that is held in memory or left where it is.

use super::save::{self, Content, Reading, StarSave};
use super::types::{S64, U32, escaped};
use crate::formats::{Likeness, Options, Probe};
use crate::record;
use crate::tree::build::{NameIndex, Naming};
use crate::tree::flow::{Cursor, Stop, slice};
use crate::tree::node::Each;
use crate::tree::record::Raw;
use crate::tree::source::Source;
use crate::tree::{About, Dir, Fault, Finding, Leaf, Node, NodeKind, Span, Weight, names};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

record! {
    /// the beginning of the file
    Head [64] {
        /// `simp`
        magic: Raw<4> = derived @ 0;
        /// version of the file, 1
        version: u32 = derived @ 4;
        /// 0
        flags: u64 = read @ 8;
        /// where the table of contents is
        contents: u64 = derived @ 16;
        /// not described
        unknown: Raw<40> = read @ 24;
    }
    /// the beginning of the table of contents
    Contents [8] {
        /// `toc!`
        magic: Raw<4> = derived @ 0;
        /// 0
        zero: u32 = read @ 4;
    }
    /// what follows a member's name
    Place [17] {
        /// 0
        zero: u8 = read @ 0;
        /// bytes of the member
        size: i64 = derived @ 1;
        /// where it begins in the file
        offset: i64 = derived @ 9;
    }
}

const MAGIC: &[u8] = b"simp";
const CONTENTS_MAGIC: &[u8] = b"toc!";
/// From the beginning of the table to its first entry.
const ENTRIES_AT: usize = 0x40;
/// An entry with an empty name.
const SMALLEST_ENTRY: usize = 21;

/// The table is all that is held of a file in its place; one larger belongs to no package of a game.
const LARGEST_TABLE: usize = 1 << 26;
/// Folders one inside the other, the member included; of a longer name the rest is one part, its slashes escaped.
const DEEPEST: usize = 32;

/// The folders and members of a package.
pub struct Package {
    folders: Vec<Folder>,
    members: usize,
    /// The file, where it was left in its place; else it is the save's image.
    file: Option<Arc<dyn Source>>,
}

/// What a folder holds, in the order of the file.
#[derive(Default)]
struct Folder {
    entries: Vec<(Vec<u8>, Entry)>,
    inner: HashMap<Vec<u8>, usize>,
    naming: Option<Naming>,
}

#[derive(Clone, Copy)]
enum Entry {
    Folder(usize),
    Member(Span),
}

impl Package {
    /// Puts a member below the folders that its name says.
    fn add(&mut self, name: &[u8], member: Span) {
        let mut parts: Vec<&[u8]> = name.splitn(DEEPEST, |byte| *byte == b'/').collect();
        let last = parts.pop().unwrap_or_default();
        let folder = parts
            .into_iter()
            .fold(0, |at, part| self.folder_in(at, part));
        if let Some(folder) = self.folders.get_mut(folder) {
            folder.entries.push((last.to_vec(), Entry::Member(member)));
            self.members += 1;
        }
    }

    fn folder_in(&mut self, at: usize, part: &[u8]) -> usize {
        let next = self.folders.len();
        let Some(folder) = self.folders.get_mut(at) else {
            return at;
        };
        if let Some(known) = folder.inner.get(part) {
            return *known;
        }
        folder.inner.insert(part.to_vec(), next);
        folder.entries.push((part.to_vec(), Entry::Folder(next)));
        self.folders.push(Folder::default());
        next
    }

    /// Gives all entries their file names.
    fn name_all(&mut self) {
        for folder in &mut self.folders {
            let names = names::unique(folder.entries.iter().map(|(name, _)| name.as_slice()));
            folder.naming = Some(Naming::Indexed(Arc::new(NameIndex::new(names))));
        }
    }

    /// Reads the table's entries; members that lie elsewhere than they may are told of and left out.
    fn entries(&mut self, table: &Table) -> Result<Vec<Finding>, Stop> {
        let mut cursor = Cursor::at(&table.bytes, ENTRIES_AT);
        let mut findings = Vec::new();
        for _ in 0..table.count {
            let name = cursor.string("member name", U32)?;
            let place = cursor.record(Place::SHAPE, 0)?;
            let size = place.get(&table.bytes, Place::size);
            let offset = place.get(&table.bytes, Place::offset);
            let name = slice(&table.bytes, name);
            match member(offset, size, table.at) {
                Some(span) => self.add(name, span),
                None => {
                    let name = escaped(name);
                    let at = table.at;
                    let text =
                        format!("{name} has {size} bytes at {offset}, not between 64 and {at}");
                    let finding = Finding::new("member", Weight::Warning, text);
                    findings.push(finding.offset(at.saturating_add(place.at)));
                }
            }
        }
        cursor.end("the last member")?;
        Ok(findings)
    }

    fn read_from(file: &dyn Source, kept: Option<Arc<dyn Source>>) -> Result<Reading<Self>, Fault> {
        let table = Table::read(file).map_err(|stop| stop.fault(Self::FORMAT))?;
        let mut package = Package {
            folders: vec![Folder::default()],
            members: 0,
            file: kept,
        };
        let walked = package.entries(&table);
        package.name_all();
        let mut reading = Reading::whole(package).closed("packages are for reading");
        match walked {
            Ok(findings) => reading.findings = findings,
            Err(stop) => {
                let text = format!("{stop}; members before are shown");
                let finding = Finding::new("layout", Weight::Damage, text);
                reading = reading.finding(finding.offset(table.at.saturating_add(stop.offset)));
            }
        }
        Ok(reading)
    }
}

/// The table of contents.
struct Table {
    /// Where it begins; members end before.
    at: usize,
    bytes: Vec<u8>,
    count: usize,
}

impl Table {
    fn read(file: &dyn Source) -> Result<Self, Stop> {
        let start = file.read_at(0, Head::SIZE[0]);
        let magic = Cursor::at(&start, 0).bytes("magic", MAGIC.len())?;
        if magic != MAGIC {
            return Err(Stop::new("magic", 0, "simp", escaped(magic)));
        }
        let head = Cursor::at(&start, 0).record(Head::SHAPE, 0)?;
        let version = head.get(&start, Head::version);
        if version != 1 {
            return Err(Stop::new("version", 4, "1", version));
        }
        let given = head.get(&start, Head::contents);
        let at = usize::try_from(given).ok();
        let at = at.filter(|at| *at >= Head::SIZE[0] && given < file.length());
        let at = at.ok_or_else(|| {
            let field = head.offset(Head::contents.field()).unwrap_or(0);
            let expected = format!("an offset of 64..{}", file.length());
            Stop::new("offset of the table of contents", field, expected, given)
        })?;
        let length = usize::try_from(file.length().saturating_sub(given)).unwrap_or(usize::MAX);
        if length > LARGEST_TABLE {
            let expected = format!("at most {LARGEST_TABLE} bytes up to the end of the file");
            return Err(Stop::new("table of contents", at, expected, length));
        }
        let bytes = file.read_at(given, length);
        let count = contents(&bytes).map_err(|stop| Stop {
            offset: at.saturating_add(stop.offset),
            ..stop
        })?;
        Ok(Table { at, bytes, count })
    }
}

/// How many entries the table of contents has.
fn contents(table: &[u8]) -> Result<usize, Stop> {
    let magic = Cursor::at(table, 0).bytes("table of contents", CONTENTS_MAGIC.len())?;
    if magic != CONTENTS_MAGIC {
        return Err(Stop::new("table of contents", 0, "toc!", escaped(magic)));
    }
    let mut cursor = Cursor::at(table, 0);
    cursor.record(Contents::SHAPE, 0)?;
    let counted = cursor.offset();
    let claimed = cursor.number("members", S64.width, S64.signed)?;
    cursor.skip(
        "table of contents",
        ENTRIES_AT.saturating_sub(cursor.offset()),
    )?;
    let most = cursor.left() / SMALLEST_ENTRY;
    let count = usize::try_from(claimed).ok().filter(|count| *count <= most);
    count.ok_or_else(|| Stop::new("members", counted, format!("a count of 0..{most}"), claimed))
}

/// A member's place, if it lies between the header and the table.
fn member(offset: i64, size: i64, contents: usize) -> Option<Span> {
    let offset = usize::try_from(offset).ok()?;
    let size = usize::try_from(size).ok()?;
    let end = offset.checked_add(size)?;
    let held = (Head::SIZE[0]..=contents).contains(&offset) && end <= contents;
    held.then(|| Span::new(offset, size))
}

impl Content for Package {
    const FORMAT: &'static str = "sinking-star-package";
    const TITLE: &'static str = "Order of the Sinking Star, package (simp)";
    const ROOT: &'static str = "package";

    fn recognise(probe: &Probe) -> Likeness {
        match probe.head.starts_with(MAGIC) {
            true => Likeness::Sure,
            false => save::by_name(probe, ".package"),
        }
    }

    fn read(image: &[u8], _: &Options) -> Result<Reading<Self>, Fault> {
        Self::read_from(&Image(image), None)
    }

    fn read_in_place(file: &Arc<dyn Source>) -> Option<Result<Reading<Self>, Fault>> {
        Some(Self::read_from(&**file, Some(Arc::clone(file))))
    }

    fn source(&self) -> Option<&dyn Source> {
        self.file.as_deref()
    }

    fn tree(save: &Arc<StarSave<Self>>) -> Node {
        Node::dir(FolderDir {
            save: Arc::clone(save),
            folder: 0,
        })
    }

    fn summary(save: &StarSave<Self>) -> Vec<(String, String)> {
        let members = save.content.as_ref().map_or(0, |package| package.members);
        vec![("members".to_owned(), members.to_string())]
    }
}

/// A folder of the package.
struct FolderDir {
    save: Arc<StarSave<Package>>,
    folder: usize,
}

impl FolderDir {
    fn folder(&self) -> Option<&Folder> {
        self.save.content.as_ref()?.folders.get(self.folder)
    }
}

impl Dir for FolderDir {
    fn about(&self) -> About {
        About::dir("members of a package")
    }
    fn get(&self, name: &str) -> Option<Node> {
        let folder = self.folder()?;
        let (_, held) = folder.entries.get(folder.naming.as_ref()?.index(name)?)?;
        Some(match held {
            Entry::Folder(inner) => Node::dir(FolderDir {
                save: Arc::clone(&self.save),
                folder: *inner,
            }),
            Entry::Member(span) => Node::leaf(Member {
                save: Arc::clone(&self.save),
                span: *span,
            }),
        })
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        let Some((folder, naming)) = self.folder().and_then(|f| Some((f, f.naming.as_ref()?)))
        else {
            return ControlFlow::Continue(());
        };
        let mut entries = folder.entries.iter().enumerate();
        entries.try_for_each(|(index, (_, held))| {
            let kind = match held {
                Entry::Folder(_) => NodeKind::Dir,
                Entry::Member(_) => NodeKind::Leaf,
            };
            each(&naming.name(index), kind)
        })
    }
}

/// A member of the package.
struct Member {
    save: Arc<StarSave<Package>>,
    span: Span,
}

impl Member {
    fn file(&self) -> Option<&dyn Source> {
        self.save.content.as_ref()?.source()
    }
}

impl Leaf for Member {
    fn about(&self) -> About {
        About::of("bytes", "a member of the package")
    }
    fn spans(&self) -> Vec<Span> {
        vec![self.span]
    }
    fn is_binary(&self) -> bool {
        true
    }
    fn read(&self) -> Cow<'_, [u8]> {
        match self.file() {
            Some(file) => file
                .read_at(self.span.offset as u64, self.span.length)
                .into(),
            None => slice(&self.save.image, self.span).into(),
        }
    }
    fn size(&self) -> u64 {
        self.span.length as u64
    }
    fn read_at(&self, offset: u64, length: usize) -> Vec<u8> {
        let left = self.size().saturating_sub(offset);
        let length = length.min(usize::try_from(left).unwrap_or(usize::MAX));
        let at = (self.span.offset as u64).saturating_add(offset);
        match self.file() {
            Some(file) => file.read_at(at, length),
            None => Image(&self.save.image).read_at(at, length),
        }
    }
}

/// A file that is held in memory.
struct Image<'a>(&'a [u8]);

impl Source for Image<'_> {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }
    fn read_at(&self, offset: u64, length: usize) -> Vec<u8> {
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let length = length.min(self.0.len().saturating_sub(at));
        slice(self.0, Span::new(at, length)).to_vec()
    }
}
