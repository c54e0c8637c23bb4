//! What operations on names have to give.

use super::model::{Found, Handle, Model, Name, Scratch, is_number, split};
use super::ops::{Op, Over};
use super::real::Seen;
use libc::{EEXIST, EINVAL, ENOENT, EPERM};

/// Fine, or what should have been seen.
pub type Judged = Result<(), String>;

pub fn is(seen: &Seen, should: Seen) -> Judged {
    if *seen == should {
        Ok(())
    } else {
        Err(format!("{should:?}"))
    }
}
pub fn refused(seen: &Seen, codes: &[i32]) -> Judged {
    match seen {
        Seen::Refused(code) if codes.contains(code) => Ok(()),
        _ => Err(format!("refused with {codes:?}")),
    }
}

impl Model {
    /// Whether the design says what an operation gives in this state.
    pub fn is_defined(&self, op: &Op) -> bool {
        let no_link = |path: &str| !matches!(self.found(path), Found::Link(_) | Found::Dangling(_));
        match op {
            Op::Open { slot, path, .. } => self.handles[*slot].is_none() && no_link(path),
            Op::Make {
                slot,
                path,
                exclusive,
                ..
            } => {
                let new = matches!(self.found(path), Found::Nothing)
                    && self.behind_hidden(path).is_none();
                // What is being made has no defined state before its first value.
                let coming =
                    new && self.room(path).is_some() && !self.is_scratch(path, true, 0o600);
                self.handles[*slot].is_none()
                    && !coming
                    && (no_link(path) || *exclusive)
                    && (!new || self.room(path).is_none() || self.is_tools_name(path))
            }
            Op::Put {
                path,
                bytes,
                exclusive,
            } => {
                let fresh = matches!(self.found(path), Found::Nothing)
                    && self.behind_hidden(path).is_none();
                let made =
                    fresh && self.room(path).is_some() && !self.is_scratch(path, *exclusive, 0o644);
                (no_link(path) || *exclusive) && (!made || is_number(bytes))
            }
            Op::Get { path } => !matches!(self.found(path), Found::Link(_)),
            Op::CutPath { path, .. } | Op::Chmod { path } | Op::Touch { path } => no_link(path),
            Op::Stat { path } => match self.found(path) {
                Found::Value(cell) => self.writers(cell) == 0,
                Found::File(id) => self.files[id].became.is_none(),
                _ => true,
            },
            Op::Unlink { path } => match self.found(path) {
                Found::Value(cell) => !self.is_busy(cell),
                _ => true,
            },
            Op::Rename { from, to, over } => self.defined_rename(from, to, *over),
            Op::Link { from, to } => self.defined_link(from, to),
            Op::Write { slot, .. }
            | Op::Cut { slot, .. }
            | Op::Read { slot }
            | Op::Sync { slot }
            | Op::Size { slot }
            | Op::Close { slot } => self.defined_handle(*slot, op),
            Op::Symlink { .. } | Op::Readlink { .. } | Op::List { .. } => true,
        }
    }
    /// A file becomes an entry: its bytes have to be a number, for nothing else is made here.
    fn makes_number(&self, to: &str, data: &[u8]) -> bool {
        self.room(to).is_none() || self.is_tools_name(to) || is_number(data)
    }
    fn defined_rename(&self, from: &str, to: &str, over: Over) -> bool {
        let target = self.found(to);
        if matches!(target, Found::Dangling(_)) && over == Over::Replace {
            return from == to;
        }
        if over == Over::Exchange || (over == Over::NoReplace && !matches!(target, Found::Nothing))
        {
            return true;
        }
        let cell = match target {
            Found::Value(cell) | Found::NameLink(_, cell) => Some(cell),
            _ => self.behind_hidden(to),
        };
        let new = cell.is_none() && matches!(target, Found::Nothing);
        match self.found(from) {
            Found::File(id) => {
                let file = &self.files[id];
                let fits = !new || self.makes_number(to, &file.data);
                let becomes =
                    cell.is_some() || (new && self.room(to).is_some() && !self.is_tools_name(to));
                fits && file.became.is_none() && (!becomes || file.links == 1)
            }
            Found::Value(source) => {
                let elsewhere = new
                    && !self.is_tools_name(to)
                    && self.room(to).is_some()
                    && self.room(from).is_none();
                !self.is_busy(source) && !elsewhere && cell != Some(source)
            }
            Found::NameLink(..) | Found::Dangling(_) => from == to,
            _ => true,
        }
    }
    fn defined_link(&self, from: &str, to: &str) -> bool {
        if !matches!(self.found(to), Found::Nothing) {
            return true;
        }
        if split(to).1 == "4913" {
            return false;
        }
        let fits = |data: &[u8]| self.behind_hidden(to).is_some() || self.makes_number(to, data);
        match self.found(from) {
            Found::Nothing => true,
            Found::File(id) => fits(&self.files[id].data),
            Found::Value(cell) => fits(self.cells[cell].text.as_bytes()),
            _ => false,
        }
    }

    /// Judges what was seen and takes the operation's effect.
    pub fn step(&mut self, op: &Op, seen: &Seen) -> Judged {
        match op {
            Op::Open { slot, path, how } => self.open(*slot, path, *how, seen),
            Op::Make {
                slot,
                path,
                exclusive,
                mode,
            } => self.make(*slot, path, *exclusive, *mode, seen),
            Op::Write { slot, at, bytes } => self.write(*slot, *at, bytes, seen),
            Op::Cut { slot, size } => self.cut(*slot, *size, seen),
            Op::Read { slot } => self.read(*slot, seen),
            Op::Sync { slot } => self.flush(*slot, seen),
            Op::Size { slot } => self.size(*slot, seen),
            Op::Close { slot } => self.close(*slot, seen),
            Op::Put {
                path,
                bytes,
                exclusive,
            } => self.put(path, bytes, *exclusive, seen),
            Op::Get { path } => self.get(path, seen),
            Op::Stat { path } => self.stat(path, seen),
            Op::CutPath { path, size } => self.cut_path(path, *size, seen),
            Op::Unlink { path } => self.unlink(path, seen),
            Op::Rename { from, to, over } => self.rename(from, to, *over, seen),
            Op::Link { from, to } => self.link(from, to, seen),
            Op::Symlink { to, path } => self.symlink(to, path, seen),
            Op::Readlink { path } => match self.found(path) {
                Found::Nothing => refused(seen, &[ENOENT]),
                Found::Link(to) | Found::NameLink(to, _) | Found::Dangling(to) => {
                    is(seen, Seen::Bytes(to.into_bytes()))
                }
                Found::Value(_) | Found::File(_) => refused(seen, &[EINVAL]),
            },
            Op::List { directory } => self.list(directory, seen),
            Op::Chmod { path } | Op::Touch { path } => match self.found(path) {
                Found::Nothing => refused(seen, &[ENOENT]),
                _ => is(seen, Seen::Done),
            },
        }
    }

    pub fn get(&self, path: &str, seen: &Seen) -> Judged {
        match self.found(path) {
            Found::Value(cell) | Found::NameLink(_, cell) => is(
                seen,
                Seen::Bytes(self.cells[cell].text.clone().into_bytes()),
            ),
            Found::File(id) => is(seen, Seen::Bytes(self.files[id].data.clone())),
            _ => refused(seen, &[ENOENT]),
        }
    }
    pub fn stat(&self, path: &str, seen: &Seen) -> Judged {
        let Seen::Stat(size, links, mode, link) = *seen else {
            return match self.found(path) {
                Found::Nothing => refused(seen, &[ENOENT]),
                _ => Err("something".to_owned()),
            };
        };
        let should = match self.found(path) {
            Found::Nothing => return refused(seen, &[ENOENT]),
            Found::Value(cell) => {
                let fixed = matches!(self.cells[cell].legal, super::value::Legal::Fixed);
                (
                    self.cells[cell].text.len(),
                    1,
                    if fixed { 0o444 } else { 0o644 },
                    false,
                )
            }
            // Their modes are their own affair.
            Found::File(id) => (self.files[id].data.len(), self.files[id].links, mode, false),
            Found::NameLink(to, _) | Found::Link(to) | Found::Dangling(to) => {
                (to.len(), 1, mode, true)
            }
        };
        match (size, links, mode, link) == (should.0 as u64, should.1 as u64, should.2, should.3) {
            true => Ok(()),
            false => Err(format!("size, links, mode, link {should:?}")),
        }
    }
    fn cut_path(&mut self, path: &str, size: u64, seen: &Seen) -> Judged {
        match self.found(path) {
            Found::Nothing => return refused(seen, &[ENOENT]),
            Found::File(id) => self.files[id].data.resize(size as usize, 0),
            // A bare truncation is no edit.
            _ => {}
        }
        is(seen, Seen::Done)
    }
    fn unlink(&mut self, path: &str, seen: &Seen) -> Judged {
        match self.found(path) {
            Found::Nothing => return refused(seen, &[ENOENT]),
            Found::Value(_) | Found::NameLink(..) | Found::Dangling(_) => self.hide(path),
            Found::File(_) | Found::Link(_) => drop(self.drop_scratch(path)),
        }
        is(seen, Seen::Done)
    }

    fn rename(&mut self, from: &str, to: &str, over: Over, seen: &Seen) -> Judged {
        let (source, target) = (self.found(from), self.found(to));
        match (&source, &target, over) {
            (Found::Nothing, ..) | (_, Found::Nothing, Over::Exchange) => {
                return refused(seen, &[ENOENT]);
            }
            // The kernel itself finds that nothing is to be done.
            (Found::File(one), Found::File(other), Over::Exchange) if one == other => {
                return is(seen, Seen::Done);
            }
            (_, _, Over::Exchange) if from == to => return is(seen, Seen::Done),
            (_, _, Over::Exchange) => return refused(seen, &[EINVAL]),
            (_, found, Over::NoReplace) if !matches!(found, Found::Nothing) => {
                return refused(seen, &[EEXIST]);
            }
            _ if from == to => return is(seen, Seen::Done),
            _ => {}
        }
        match source {
            Found::File(id) => self.rename_file(from, to, id, target, seen),
            Found::Link(text) => self.rename_link(from, to, text, target, seen),
            Found::Value(cell) => self.rename_value(from, to, cell, target, seen),
            Found::NameLink(..) | Found::Dangling(_) | Found::Nothing => {
                unreachable!("not defined")
            }
        }
    }
    fn rename_file(
        &mut self,
        from: &str,
        to: &str,
        id: usize,
        target: Found,
        seen: &Seen,
    ) -> Judged {
        let cell = match target {
            Found::File(other) if other == id => return is(seen, Seen::Done),
            Found::File(_) | Found::Link(_) => None,
            Found::Value(cell) | Found::NameLink(_, cell) => Some(cell),
            Found::Dangling(_) => unreachable!("not defined"),
            Found::Nothing => match self.behind_hidden(to) {
                Some(cell) => Some(cell),
                None if self.is_tools_name(to) => None,
                None if self.room(to).is_none() => return refused(seen, &[EPERM]),
                None => {
                    let data = self.files[id].data.clone();
                    self.judge_creation(to, &data, seen)?;
                    let Some(Name::Value(cell)) = self.names.get(to) else {
                        return Ok(());
                    };
                    self.files[id].became = Some(*cell);
                    self.files[id].unsaved = false;
                    self.drop_scratch(from);
                    return Ok(());
                }
            },
        };
        let Some(cell) = cell else {
            is(seen, Seen::Done)?;
            self.put_scratch(to, Scratch::File(id));
            self.drop_scratch(from);
            return Ok(());
        };
        let data = self.files[id].data.clone();
        if let Err(codes) = self.set(cell, &data) {
            return refused(seen, codes);
        }
        self.hidden.remove(to);
        self.drop_scratch(from);
        let file = &mut self.files[id];
        (file.became, file.unsaved) = (Some(cell), false);
        is(seen, Seen::Done)
    }
    fn rename_link(
        &mut self,
        from: &str,
        to: &str,
        text: String,
        target: Found,
        seen: &Seen,
    ) -> Judged {
        let same = match self.names.get(to) {
            Some(Name::Link(link, _)) => *link == text,
            _ => false,
        };
        match target {
            Found::File(_) | Found::Link(_) => {}
            Found::Nothing if self.is_tools_name(to) && self.behind_hidden(to).is_none() => {}
            // The same link once more is nothing.
            _ if same => {
                self.hidden.remove(to);
                self.drop_scratch(from);
                return is(seen, Seen::Done);
            }
            _ => return refused(seen, &[EPERM]),
        }
        is(seen, Seen::Done)?;
        self.drop_scratch(from);
        self.put_scratch(to, Scratch::Link(text));
        Ok(())
    }
    fn rename_value(
        &mut self,
        from: &str,
        to: &str,
        cell: usize,
        target: Found,
        seen: &Seen,
    ) -> Judged {
        let over = match target {
            Found::Value(cell) | Found::NameLink(_, cell) => Some(cell),
            _ => self.behind_hidden(to),
        };
        let text = self.cells[cell].text.clone().into_bytes();
        if let Some(over) = over {
            if let Err(codes) = self.set(over, &text) {
                return refused(seen, codes);
            }
            self.hidden.remove(to);
        } else if matches!(target, Found::Nothing)
            && !self.is_tools_name(to)
            && self.room(to).is_some()
        {
            // There is no rule by which an entry goes.
            return refused(seen, &[EPERM]);
        } else {
            self.drop_scratch(to);
            self.new_file(to, text);
        }
        for handle in self.handles.iter_mut().flatten() {
            if let Handle::Reader {
                cell: read, moved, ..
            } = handle
            {
                *moved |= *read == cell;
            }
        }
        self.hide(from);
        is(seen, Seen::Done)
    }

    fn link(&mut self, from: &str, to: &str, seen: &Seen) -> Judged {
        let source = self.found(from);
        let data = match &source {
            Found::Nothing => return refused(seen, &[ENOENT]),
            _ if !matches!(self.found(to), Found::Nothing) => return refused(seen, &[EEXIST]),
            Found::File(id) => self.files[*id].data.clone(),
            Found::Value(cell) => self.cells[*cell].text.clone().into_bytes(),
            Found::NameLink(..) | Found::Dangling(_) | Found::Link(_) => {
                unreachable!("not defined")
            }
        };
        if let Some(cell) = self.behind_hidden(to) {
            if let Err(codes) = self.set(cell, &data) {
                return refused(seen, codes);
            }
            self.hidden.remove(to);
            return is(seen, Seen::Done);
        }
        if !self.is_tools_name(to) {
            return match self.room(to) {
                None => refused(seen, &[EPERM]),
                Some(_) => self.judge_creation(to, &data, seen),
            };
        }
        match source {
            Found::File(id) => self.put_scratch(to, Scratch::File(id)),
            _ => drop(self.new_file(to, data)),
        }
        is(seen, Seen::Done)
    }
    fn symlink(&mut self, text: &str, path: &str, seen: &Seen) -> Judged {
        if !matches!(self.found(path), Found::Nothing) {
            return refused(seen, &[EEXIST]);
        }
        if self.hidden.contains_key(path) {
            return match self.names.get(path) {
                Some(Name::Link(link, _)) if link == text => {
                    self.hidden.remove(path);
                    is(seen, Seen::Done)
                }
                _ => refused(seen, &[EPERM]),
            };
        }
        if !self.is_tools_name(path) {
            return refused(seen, &[EPERM]);
        }
        is(seen, Seen::Done)?;
        self.put_scratch(path, Scratch::Link(text.to_owned()));
        Ok(())
    }
    /// Names of the save come in the order of the file, those of scratch files anywhere.
    fn list(&self, directory: &str, seen: &Seen) -> Judged {
        let Seen::Names(seen) = seen else {
            return Err("names".to_owned());
        };
        let (nodes, mut scratch) = self.listing(directory);
        let of_save: Vec<&String> = seen.iter().filter(|name| nodes.contains(name)).collect();
        let mut rest: Vec<String> = seen
            .iter()
            .filter(|name| !nodes.contains(name))
            .cloned()
            .collect();
        rest.sort();
        scratch.sort();
        match of_save.into_iter().eq(&nodes) && rest == scratch {
            true => Ok(()),
            false => Err(format!("{nodes:?} in this order, and {scratch:?}")),
        }
    }
}
