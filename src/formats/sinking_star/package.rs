//! `simp` packages: an archive of members, back to back. Section 7.1. A member is a view of the file's bytes; none is
//! copied or looked into.

use super::save::{self, Content, Reading, StarSave};
use super::types::{S64, U32, escaped};
use crate::formats::{Likeness, Options, Probe};
use crate::record;
use crate::tree::build::Slice;
use crate::tree::flow::{Cursor, Stop, slice};
use crate::tree::node::Each;
use crate::tree::record::{Raw, Rec};
use crate::tree::{About, Dir, Fault, Finding, Node, NodeKind, Span, Weight, names};
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

/// The folders and members of a package.
pub struct Package {
    folders: Vec<Folder>,
    members: usize,
}

/// What a folder holds, in the order of the file.
#[derive(Default)]
struct Folder {
    entries: Vec<(Vec<u8>, Held)>,
    inner: HashMap<Vec<u8>, usize>,
    names: Vec<String>,
    index: HashMap<String, usize>,
}

#[derive(Clone, Copy)]
enum Held {
    Folder(usize),
    Member(Span),
}

impl Package {
    fn empty() -> Self {
        Package {
            folders: vec![Folder::default()],
            members: 0,
        }
    }

    /// Puts a member below the folders that its name says.
    fn add(&mut self, name: &[u8], member: Span) {
        let mut parts: Vec<&[u8]> = name.split(|byte| *byte == b'/').collect();
        let last = parts.pop().unwrap_or_default();
        let folder = parts
            .into_iter()
            .fold(0, |at, part| self.folder_in(at, part));
        if let Some(folder) = self.folders.get_mut(folder) {
            folder.entries.push((last.to_vec(), Held::Member(member)));
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
        folder.entries.push((part.to_vec(), Held::Folder(next)));
        self.folders.push(Folder::default());
        next
    }

    /// Gives all entries their file names.
    fn name_all(&mut self) {
        for folder in &mut self.folders {
            folder.names = names::unique(folder.entries.iter().map(|(name, _)| name.as_slice()));
            let numbered = folder.names.iter().cloned().enumerate();
            folder.index = numbered.map(|(index, name)| (name, index)).collect();
        }
    }

    /// Reads the table's entries; members that lie elsewhere than they may are told of and left out.
    fn entries(
        &mut self,
        image: &[u8],
        contents: usize,
        cursor: &mut Cursor,
        count: usize,
    ) -> Result<Vec<Finding>, Stop> {
        let mut findings = Vec::new();
        for _ in 0..count {
            let name = cursor.string("member name", U32)?;
            let place = cursor.record(Place::SHAPE, 0)?;
            let size = place.get(image, Place::size);
            let offset = place.get(image, Place::offset);
            let name = slice(image, name);
            match member(offset, size, contents) {
                Some(span) => self.add(name, span),
                None => findings.push(
                    Finding::new(
                        "member",
                        Weight::Warning,
                        format!(
                            "{} has {size} bytes at {offset}, not between 64 and {contents}",
                            escaped(name)
                        ),
                    )
                    .offset(place.at),
                ),
            }
        }
        cursor.end("the last member")?;
        Ok(findings)
    }
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
        let stopped = |stop: Stop| stop.fault(Self::FORMAT);
        let mut cursor = Cursor::at(image, 0);
        let magic = cursor.bytes("magic", MAGIC.len()).map_err(stopped)?;
        if magic != MAGIC {
            return Err(stopped(Stop::new("magic", 0, "simp", escaped(magic))));
        }
        let mut cursor = Cursor::at(image, 0);
        let head = cursor.record(Head::SHAPE, 0).map_err(stopped)?;
        let version = head.get(image, Head::version);
        if version != 1 {
            return Err(stopped(Stop::new("version", 4, "1", version)));
        }
        let (contents, count) = table(image, head).map_err(stopped)?;
        let mut package = Package::empty();
        let mut cursor = Cursor::at(image, contents + ENTRIES_AT);
        let walked = package.entries(image, contents, &mut cursor, count);
        package.name_all();
        let mut reading = Reading::whole(package).closed("packages are for reading");
        match walked {
            Ok(findings) => reading.findings = findings,
            Err(stop) => {
                let text = format!("{stop}; members before are shown");
                let finding = Finding::new("layout", Weight::Damage, text).offset(stop.offset);
                reading = reading.finding(finding);
            }
        }
        Ok(reading)
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

/// Where the table of contents is and how many entries it claims.
fn table(image: &[u8], head: Rec) -> Result<(usize, usize), Stop> {
    let given = head.get(image, Head::contents);
    let field = head.offset(Head::contents.field()).unwrap_or(0);
    let inside = usize::try_from(given).ok();
    let inside = inside.filter(|at| (Head::SIZE[0]..image.len()).contains(at));
    let at = inside.ok_or_else(|| {
        let expected = format!("an offset of 64..{}", image.len());
        Stop::new("offset of the table of contents", field, expected, given)
    })?;
    let mut cursor = Cursor::at(image, at);
    let magic = cursor.bytes("table of contents", CONTENTS_MAGIC.len())?;
    if magic != CONTENTS_MAGIC {
        return Err(Stop::new("table of contents", at, "toc!", escaped(magic)));
    }
    let mut cursor = Cursor::at(image, at);
    cursor.record(Contents::SHAPE, 0)?;
    let counted = cursor.offset();
    let claimed = cursor.number("members", S64.width, S64.signed)?;
    cursor.skip(
        "table of contents",
        (at + ENTRIES_AT).saturating_sub(cursor.offset()),
    )?;
    let most = cursor.left() / SMALLEST_ENTRY;
    let count = usize::try_from(claimed).ok().filter(|count| *count <= most);
    let count = count
        .ok_or_else(|| Stop::new("members", counted, format!("a count of 0..{most}"), claimed))?;
    Ok((at, count))
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
        let (_, held) = folder.entries.get(*folder.index.get(name)?)?;
        Some(match held {
            Held::Folder(inner) => Node::dir(FolderDir {
                save: Arc::clone(&self.save),
                folder: *inner,
            }),
            Held::Member(span) => Slice::node(&self.save, *span, "a member of the package", None),
        })
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        let Some(folder) = self.folder() else {
            return ControlFlow::Continue(());
        };
        let named = folder.names.iter().zip(&folder.entries);
        named.into_iter().try_for_each(|(name, (_, held))| {
            let kind = match held {
                Held::Folder(_) => NodeKind::Dir,
                Held::Member(_) => NodeKind::Leaf,
            };
            each(name, kind)
        })
    }
}
