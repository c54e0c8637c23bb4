//! What operations on open files have to give.

use super::model::{Found, Handle, Model, Writer};
use super::ops::{How, Op};
use super::real::Seen;
use super::steps::{Judged, is, refused};
use super::value::Verdict;
use libc::{EBADF, EEXIST, EINVAL, ENOENT, EPERM};

/// Puts bytes at an offset; a gap before them is zeros.
fn overlay(data: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    data.resize(data.len().max(at + bytes.len()), 0);
    data[at..at + bytes.len()].copy_from_slice(bytes);
}

impl Model {
    /// Whether the design says what an operation on an open file gives.
    pub fn defined_handle(&self, slot: usize, op: &Op) -> bool {
        let Some(handle) = &self.handles[slot] else {
            return false;
        };
        match (handle, op) {
            (_, Op::Close { .. }) => true,
            (Handle::Writer(writer), Op::Size { .. }) => {
                !writer.refused && self.writers(writer.cell) == 1
            }
            (Handle::Writer(writer), _) => !writer.refused,
            // The attributes are those of the newest version.
            (Handle::Reader { cell, text, moved }, Op::Size { .. }) => {
                !moved && self.cells[*cell].text == *text && self.writers(*cell) == 0
            }
            (Handle::File { id, .. }, Op::Size { .. } | Op::Cut { .. } | Op::Read { .. }) => {
                self.files[*id].became.is_none()
            }
            _ => true,
        }
    }
    pub fn writers(&self, of: usize) -> usize {
        let writes = |h: &&Handle| matches!(h, Handle::Writer(Writer { cell, .. }) if *cell == of);
        self.handles.iter().flatten().filter(writes).count()
    }

    pub fn open(&mut self, slot: usize, path: &str, how: How, seen: &Seen) -> Judged {
        match self.found(path) {
            Found::Nothing => refused(seen, &[ENOENT]),
            Found::Value(cell) | Found::NameLink(_, cell) => {
                is(seen, Seen::Done)?;
                self.open_cell(slot, cell, how);
                Ok(())
            }
            Found::File(id) => {
                is(seen, Seen::Done)?;
                self.open_file(slot, id, how);
                Ok(())
            }
            Found::Link(_) | Found::Dangling(_) => unreachable!("not defined"),
        }
    }
    fn open_cell(&mut self, slot: usize, cell: usize, how: How) {
        let text = self.cells[cell].text.clone();
        self.handles[slot] = Some(match how {
            How::Read => Handle::Reader {
                cell,
                text,
                moved: false,
            },
            _ => Handle::Writer(Writer {
                cell,
                data: if how == How::Truncate {
                    Vec::new()
                } else {
                    text.into_bytes()
                },
                dirty: false,
                sequential: how == How::Truncate,
                appends: how == How::Append,
                refused: false,
            }),
        });
    }
    fn open_file(&mut self, slot: usize, id: usize, how: How) {
        self.files[id].opens += 1;
        if how == How::Truncate {
            self.files[id].data.clear();
        }
        let (appends, writes) = (how == How::Append, how != How::Read);
        self.handles[slot] = Some(Handle::File {
            id,
            appends,
            writes,
        });
    }

    pub fn make(
        &mut self,
        slot: usize,
        path: &str,
        exclusive: bool,
        mode: u32,
        seen: &Seen,
    ) -> Judged {
        if let Some(cell) = self.behind_hidden(path) {
            is(seen, Seen::Done)?;
            self.hidden.remove(path);
            self.open_cell(slot, cell, How::Truncate);
            return Ok(());
        }
        match self.found(path) {
            Found::Nothing if self.is_scratch(path, exclusive, mode) => {
                is(seen, Seen::Done)?;
                let id = self.new_file(path, Vec::new());
                self.open_file(slot, id, How::Write);
                Ok(())
            }
            Found::Nothing => refused(seen, &[EPERM]),
            _ if exclusive => refused(seen, &[EEXIST]),
            _ => self.open(slot, path, How::Truncate, seen),
        }
    }

    pub fn write(&mut self, slot: usize, at: u64, bytes: &[u8], seen: &Seen) -> Judged {
        let at = at as usize;
        match self.handles[slot].as_mut().expect("open") {
            Handle::Reader { .. } => refused(seen, &[EBADF]),
            Handle::File { writes: false, .. } => refused(seen, &[EBADF]),
            _ if bytes.is_empty() => is(seen, Seen::Done),
            Handle::File { id, appends, .. } => {
                let file = &mut self.files[*id];
                let at = if *appends { file.data.len() } else { at };
                overlay(&mut file.data, at, bytes);
                file.unsaved = true;
                is(seen, Seen::Done)
            }
            Handle::Writer(writer) => {
                let cell = &self.cells[writer.cell];
                let at = if writer.appends {
                    writer.data.len()
                } else {
                    at
                };
                writer.sequential &= at == writer.data.len();
                overlay(&mut writer.data, at, bytes);
                let verdict = match writer.sequential {
                    true => cell.legal.verdict(&cell.text, &writer.data),
                    false => Verdict::Either,
                };
                let codes = cell.legal.parse(&cell.text, &writer.data).err();
                let codes = codes.unwrap_or(&[EINVAL, EPERM, libc::EILSEQ]);
                writer.refused = matches!(seen, Seen::Refused(_));
                writer.dirty = !writer.refused;
                match (verdict, seen) {
                    (Verdict::Taken, _) | (Verdict::Either, Seen::Done) => is(seen, Seen::Done),
                    _ => refused(seen, codes),
                }
            }
        }
    }

    pub fn cut(&mut self, slot: usize, size: u64, seen: &Seen) -> Judged {
        let size = size as usize;
        match self.handles[slot].as_mut().expect("open") {
            Handle::Reader { .. } | Handle::File { writes: false, .. } => refused(seen, &[EINVAL]),
            Handle::File { id, .. } => {
                self.files[*id].data.resize(size, 0);
                self.files[*id].unsaved = true;
                is(seen, Seen::Done)
            }
            Handle::Writer(writer) => {
                writer.sequential = size == 0 || (writer.sequential && size == writer.data.len());
                writer.dirty &= size > 0;
                writer.data.resize(size, 0);
                is(seen, Seen::Done)
            }
        }
    }

    /// What a flush makes of what was written: fsync does it, and closing.
    pub fn flush(&mut self, slot: usize, seen: &Seen) -> Judged {
        let pending = match self.handles[slot].as_mut().expect("open") {
            Handle::Writer(writer) => {
                let dirty = std::mem::take(&mut writer.dirty) && !writer.refused;
                dirty.then(|| (writer.cell, writer.data.clone()))
            }
            Handle::File { id, .. } => {
                let file = &mut self.files[*id];
                let became = file.became.filter(|_| file.unsaved);
                file.unsaved &= became.is_none();
                became.map(|cell| (cell, file.data.clone()))
            }
            Handle::Reader { .. } => None,
        };
        let Some((cell, value)) = pending else {
            return is(seen, Seen::Done);
        };
        match self.set(cell, &value) {
            Ok(()) => is(seen, Seen::Done),
            Err(codes) => {
                if let Some(Handle::Writer(writer)) = &mut self.handles[slot] {
                    writer.refused = true;
                }
                refused(seen, codes)
            }
        }
    }
    pub fn close(&mut self, slot: usize, seen: &Seen) -> Judged {
        let judged = self.flush(slot, seen);
        if let Some(Handle::File { id, .. }) = self.handles[slot].take() {
            self.files[id].opens -= 1;
        }
        judged
    }

    pub fn read(&self, slot: usize, seen: &Seen) -> Judged {
        is(
            seen,
            Seen::Bytes(match self.handles[slot].as_ref().expect("open") {
                Handle::Reader { text, .. } => text.clone().into_bytes(),
                Handle::Writer(writer) => writer.data.clone(),
                Handle::File { id, .. } => self.files[*id].data.clone(),
            }),
        )
    }
    pub fn size(&self, slot: usize, seen: &Seen) -> Judged {
        let Seen::Stat(size, links, ..) = seen else {
            return is(seen, Seen::Done);
        };
        let (should, names) = match self.handles[slot].as_ref().expect("open") {
            Handle::Reader { text, .. } => (text.len(), 1),
            Handle::Writer(writer) => (writer.data.len(), 1),
            Handle::File { id, .. } => (self.files[*id].data.len(), self.files[*id].links),
        };
        match (*size, *links) == (should as u64, names as u64) {
            true => Ok(()),
            false => Err(format!("size {should} and {names} links")),
        }
    }

    /// A shell's `>`.
    pub fn put(&mut self, path: &str, bytes: &[u8], exclusive: bool, seen: &Seen) -> Judged {
        if let Some(cell) = self.behind_hidden(path) {
            self.hidden.remove(path);
            return self.put_cell(cell, bytes, seen);
        }
        match self.found(path) {
            Found::Nothing if self.is_scratch(path, exclusive, 0o644) => {
                is(seen, Seen::Done)?;
                self.new_file(path, bytes.to_vec());
                Ok(())
            }
            Found::Nothing => match self.room(path) {
                None => refused(seen, &[EPERM]),
                Some(_) if bytes.is_empty() => is(seen, Seen::Done),
                Some(_) => self.judge_creation(path, bytes, seen),
            },
            _ if exclusive => refused(seen, &[EEXIST]),
            Found::Value(cell) | Found::NameLink(_, cell) => self.put_cell(cell, bytes, seen),
            Found::File(id) => {
                self.files[id].data = bytes.to_vec();
                is(seen, Seen::Done)
            }
            Found::Link(_) | Found::Dangling(_) => unreachable!("not defined"),
        }
    }
    fn put_cell(&mut self, cell: usize, bytes: &[u8], seen: &Seen) -> Judged {
        if bytes.is_empty() {
            return is(seen, Seen::Done);
        }
        match self.set(cell, bytes) {
            Ok(()) => is(seen, Seen::Done),
            Err(codes) => refused(seen, codes),
        }
    }
    /// A number under a new name: made, or no room for it.
    pub fn judge_creation(&mut self, path: &str, bytes: &[u8], seen: &Seen) -> Judged {
        let text = super::model::VARIABLE
            .parse("", bytes)
            .expect("only numbers are made");
        if self.room(path) == Some(0) {
            return refused(seen, &[libc::ENOSPC]);
        }
        is(seen, Seen::Done)?;
        self.create(path, text);
        Ok(())
    }
}
