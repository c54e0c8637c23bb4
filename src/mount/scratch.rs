//! Files that live in memory only: what editors and tools make beside a node on their way to rewriting it.

use super::errno::{Code, ENOSPC, Outcome};
use super::inodes::ScratchId;
use std::collections::{BTreeMap, HashMap};
use std::time::SystemTime;

/// Bytes that all scratch files together may hold, and how many of them, and names of them, there may be.
const ROOM: usize = 256 << 20;
const FILES: usize = 16_384;

/// What a scratch file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Data(Vec<u8>),
    Link(String),
}

#[derive(Clone, Debug)]
pub struct File {
    pub content: Content,
    /// Permission bits.
    pub mode: u32,
    pub uid: u32,
    pub gid: u32,
    pub accessed: SystemTime,
    pub modified: SystemTime,
    pub changed: SystemTime,
    /// Names it has.
    pub links: u32,
    pub opens: u32,
    /// The node that it was renamed to while somebody still held it open: what is written later goes there.
    pub became: Option<String>,
    /// Written since it became a node.
    pub unsaved: bool,
    /// Made under this plain name, which no tool's scratch file has.
    pub plain: bool,
}

impl File {
    pub fn data(&self) -> &[u8] {
        match &self.content {
            Content::Data(data) => data,
            Content::Link(target) => target.as_bytes(),
        }
    }
}

/// The scratch files of a mount and their names.
pub struct Scratch {
    files: HashMap<ScratchId, File>,
    /// By directory, then name.
    names: HashMap<String, BTreeMap<String, ScratchId>>,
    next: ScratchId,
    used: usize,
    room: usize,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch::with_room(ROOM)
    }
}

impl Scratch {
    pub fn with_room(room: usize) -> Self {
        Scratch {
            files: HashMap::new(),
            names: HashMap::new(),
            next: 1,
            used: 0,
            room,
        }
    }

    /// A file without a name.
    pub fn make(&mut self, content: Content, mode: u32, owner: (u32, u32)) -> Outcome<ScratchId> {
        let now = SystemTime::now();
        let file = File {
            content,
            mode: mode & 0o7777,
            uid: owner.0,
            gid: owner.1,
            accessed: now,
            modified: now,
            changed: now,
            links: 0,
            opens: 0,
            became: None,
            unsaved: false,
            plain: false,
        };
        let size = file.data().len();
        if self.files.len() >= FILES {
            return Err(ENOSPC);
        }
        self.grow(0, size)?;
        let id = self.next;
        self.next += 1;
        self.files.insert(id, file);
        Ok(id)
    }

    /// Whether there is room for one more name.
    pub fn has_name_left(&self) -> bool {
        self.names.values().map(BTreeMap::len).sum::<usize>() < FILES
    }
    pub fn get(&self, id: ScratchId) -> Option<&File> {
        self.files.get(&id)
    }
    pub fn get_mut(&mut self, id: ScratchId) -> Option<&mut File> {
        self.files.get_mut(&id)
    }
    pub fn named(&self, directory: &str, name: &str) -> Option<ScratchId> {
        self.names.get(directory)?.get(name).copied()
    }
    /// A name of a file, with its directory.
    pub fn name(&self, id: ScratchId) -> Option<String> {
        self.names.iter().find_map(|(directory, names)| {
            let (name, _) = names.iter().find(|(_, file)| **file == id)?;
            Some(crate::tree::walk::join(directory, name))
        })
    }
    /// Names and files of a directory.
    pub fn list(&self, directory: &str) -> Vec<(String, ScratchId)> {
        let names = self.names.get(directory);
        names
            .into_iter()
            .flatten()
            .map(|(n, id)| (n.clone(), *id))
            .collect()
    }

    /// Gives a file a name; a file that had it loses it.
    pub fn link(&mut self, directory: &str, name: &str, id: ScratchId) {
        self.unlink(directory, name);
        self.names
            .entry(directory.to_owned())
            .or_default()
            .insert(name.to_owned(), id);
        if let Some(file) = self.files.get_mut(&id) {
            file.links += 1;
            file.changed = SystemTime::now();
        }
    }
    /// Takes a name away. The file goes when it has no name and nobody holds it.
    pub fn unlink(&mut self, directory: &str, name: &str) -> Option<ScratchId> {
        let names = self.names.get_mut(directory)?;
        let id = names.remove(name)?;
        if names.is_empty() {
            self.names.remove(directory);
        }
        if let Some(file) = self.files.get_mut(&id) {
            file.links = file.links.saturating_sub(1);
            file.changed = SystemTime::now();
        }
        self.reap(id);
        Some(id)
    }
    /// Drops the names in and below a directory that is gone.
    pub fn unlink_below(&mut self, directory: &str) {
        let below = format!("{directory}/");
        let gone = |path: &&String| *path == directory || path.starts_with(&below);
        let directories: Vec<String> = self.names.keys().filter(gone).cloned().collect();
        for path in directories {
            for (name, _) in self.list(&path) {
                self.unlink(&path, &name);
            }
        }
    }
    pub fn open(&mut self, id: ScratchId) {
        if let Some(file) = self.files.get_mut(&id) {
            file.opens += 1;
        }
    }
    pub fn close(&mut self, id: ScratchId) {
        if let Some(file) = self.files.get_mut(&id) {
            file.opens = file.opens.saturating_sub(1);
        }
        self.reap(id);
    }
    fn reap(&mut self, id: ScratchId) {
        let idle = |file: &&File| file.links == 0 && file.opens == 0;
        if let Some(file) = self.files.get(&id).filter(idle) {
            self.used = self.used.saturating_sub(file.data().len());
            self.files.remove(&id);
        }
    }

    fn grow(&mut self, from: usize, to: usize) -> Outcome<()> {
        let used = self.used.saturating_sub(from).saturating_add(to);
        if to > from && used > self.room {
            return Err(ENOSPC);
        }
        self.used = used;
        Ok(())
    }

    pub fn write(&mut self, id: ScratchId, offset: u64, bytes: &[u8]) -> Outcome<()> {
        let start = usize::try_from(offset).map_err(|_| ENOSPC)?;
        let end = start.checked_add(bytes.len()).ok_or(ENOSPC)?;
        let size = self.data_mut(id)?.len();
        self.grow(size, size.max(end))?;
        let data = self.data_mut(id)?;
        overwrite(data, start, bytes);
        self.touch(id);
        Ok(())
    }
    pub fn truncate(&mut self, id: ScratchId, size: u64) -> Outcome<()> {
        let size = usize::try_from(size).map_err(|_| ENOSPC)?;
        let old = self.data_mut(id)?.len();
        self.grow(old, size)?;
        self.data_mut(id)?.resize(size, 0);
        self.touch(id);
        Ok(())
    }
    fn data_mut(&mut self, id: ScratchId) -> Outcome<&mut Vec<u8>> {
        match self.files.get_mut(&id).map(|file| &mut file.content) {
            Some(Content::Data(data)) => Ok(data),
            _ => Err(Code(libc::EINVAL)),
        }
    }
    fn touch(&mut self, id: ScratchId) {
        if let Some(file) = self.files.get_mut(&id) {
            file.modified = SystemTime::now();
            file.changed = file.modified;
            file.unsaved = true;
        }
    }
}

/// Writes bytes at an offset; a gap before them is filled with zeros.
pub fn overwrite(data: &mut Vec<u8>, start: usize, bytes: &[u8]) {
    let end = start.saturating_add(bytes.len());
    if data.len() < end {
        data.resize(end, 0);
    }
    if let Some(place) = data.get_mut(start..end) {
        place.copy_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(scratch: &mut Scratch, data: &[u8]) -> ScratchId {
        scratch
            .make(Content::Data(data.to_vec()), 0o600, (0, 0))
            .unwrap()
    }

    #[test]
    fn a_file_lives_as_long_as_a_name_or_a_handle() {
        let mut scratch = Scratch::default();
        let id = file(&mut scratch, b"x");
        scratch.link("a", "one", id);
        scratch.link("a", "two", id);
        scratch.open(id);
        scratch.unlink("a", "one");
        scratch.unlink("a", "two");
        assert_eq!(scratch.get(id).unwrap().data(), b"x");
        scratch.close(id);
        assert!(scratch.get(id).is_none());
        assert_eq!(scratch.used, 0);
    }

    #[test]
    fn names_are_bounded_like_files() {
        let mut scratch = Scratch::default();
        let id = file(&mut scratch, b"x");
        for name in 1..FILES {
            scratch.link("a", &name.to_string(), id);
        }
        assert!(scratch.has_name_left());
        scratch.link("b", "x", id);
        assert!(!scratch.has_name_left());
        scratch.unlink("a", "1");
        assert!(scratch.has_name_left());
    }

    #[test]
    fn the_room_is_bounded_and_comes_back() {
        let mut scratch = Scratch::with_room(10);
        let id = file(&mut scratch, b"12345678");
        scratch.link("", "x", id);
        assert_eq!(scratch.write(id, 8, b"abc"), Err(ENOSPC));
        assert_eq!(scratch.get(id).unwrap().data(), b"12345678");
        scratch.truncate(id, 2).unwrap();
        scratch.write(id, 8, b"ab").unwrap();
        assert_eq!(scratch.get(id).unwrap().data(), b"12\0\0\0\0\0\0ab");
        scratch.unlink("", "x");
        assert_eq!(scratch.used, 0);
    }
}
