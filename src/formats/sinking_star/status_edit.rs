//! What may be done to a campaign. Section 4.3.

use super::save;
use super::status::{Head, Status};
use super::status_tree::{LevelState, Save, content};
use super::types::{ARTIFACTS, LEVEL_FLAGS, TREASURES, pid_of};
use crate::tree::build::ListRules;
use crate::tree::flow::slice;
use crate::tree::record::{Field, Rec, plain};
use crate::tree::table::Names;
use crate::tree::{Creation, Draft, Errno, NodeKind, Refusal, Span, names};

/// Why an edit of a value that the game computes is pointless.
const RECOUNTED: &str = "the game counts this anew on the overworld; mark the levels instead";

/// Writes a field of the head.
pub fn head(
    save: &save::StarSave<Status>,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let (new, old) = (mask(bytes), mask(rec.bytes(&save.image, field)));
    if field.is(Head::achievements) && (new ^ old) & 1 != 0 {
        return Err(Refusal::invalid("bit 0 stays as it is"));
    }
    if field.is(Head::treasures) {
        check_bits(new, old, &TREASURES)?;
    }
    if field.is(Head::artifacts) {
        check_bits(new, old, &ARTIFACTS)?;
        draft.caution("this build of the game has no artifacts");
    }
    if field.is(Head::current_area_pin) {
        draft.caution("the game finds this anew in every frame");
    }
    if field.is(Head::levels_solved)
        || field.is(Head::tower_levels_solved)
        || field.is(Head::towers_activated)
    {
        draft.caution(RECOUNTED);
    }
    plain(save, rec, field, bytes, draft)
}

fn mask(bytes: &[u8]) -> u64 {
    let word = bytes.iter().take(8).rev();
    word.fold(0, |mask, byte| mask << 8 | u64::from(*byte))
}

/// Refuses bits that the game does not know, unless the field holds them already.
fn check_bits(new: u64, old: u64, known: &'static Names) -> Result<(), Refusal> {
    let known = known
        .rows()
        .iter()
        .fold(0, |mask, row| mask | 1u64 << row.index);
    match new & !known & !old {
        0 => Ok(()),
        strange => Err(Refusal::invalid(format!(
            "the game has no bit {}",
            strange.trailing_zeros()
        ))),
    }
}

/// Writes a level's flags; the bits without a meaning stay as they are.
pub fn flags(
    save: &save::StarSave<Status>,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let status = save.content.as_ref();
    let levels = status.map_or(&[][..], Status::levels);
    let name_of = |span: Span| slice(&save.image, span);
    let mine = levels.iter().find(|level| level.flags_at() == rec.at);
    if let Some(mine) = mine {
        let name = name_of(mine.name);
        if levels.iter().filter(|l| name_of(l.name) == name).count() > 1 {
            return Err(Refusal::invalid(
                "several entries have this level's name, and which of them the game goes by is not known",
            )
            .legal("remove all but one"));
        }
    }
    let (new, old) = (mask(bytes), mask(rec.bytes(&save.image, field)));
    check_bits(new, old, &LEVEL_FLAGS)?;
    let named = LEVEL_FLAGS
        .rows()
        .iter()
        .fold(0, |all, row| all | 1 << row.index);
    let kept = u8::try_from(old & !named).unwrap_or_default();
    let written = bytes.first().copied().unwrap_or_default() | kept;
    if written & 1 != 0 && old & 1 == 0 {
        draft.caution("the level's history stays; the game deletes it only when the level is won");
    }
    draft.set(rec, LevelState::flags, written);
    Ok(())
}

/// The naming rule of levels, in words.
pub const NAME_WORDS: &str = "up to 65535 bytes of UTF-8 without control characters, / and \\";

/// The naming rule of levels.
pub fn check_name(name: &[u8], may_be_empty: bool) -> Result<(), Refusal> {
    let refuse = |errno, why: &str| Err(Refusal::new(errno, why).legal(NAME_WORDS));
    let Ok(text) = std::str::from_utf8(name) else {
        return refuse(Errno::Unencodable, "not UTF-8 text");
    };
    if name.len() > usize::from(u16::MAX) {
        return refuse(Errno::TooLong, "too long");
    }
    if text.is_empty() && !may_be_empty {
        return refuse(Errno::Invalid, "a level has a name");
    }
    match text.chars().find(|c| c.is_control() || "/\\".contains(*c)) {
        Some(bad) => refuse(
            Errno::Invalid,
            &format!("no level's name has the character {bad:?}"),
        ),
        None => Ok(()),
    }
}

/// Gives a string that names a level another text.
pub fn rename(save: &Save, old: Span, new: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
    check_name(new, true)?;
    let levels = content(save).map_or(&[][..], Status::levels);
    if !new.is_empty() && !levels.iter().any(|l| slice(&save.image, l.name) == new) {
        draft.caution("there is no entry of that name in levels");
    }
    let length = u16::try_from(new.len()).unwrap_or(u16::MAX);
    draft.put(old.offset.saturating_sub(2), &length.to_le_bytes());
    draft.splice(old.offset, old.length, new);
    Ok(())
}

/// Writes the count of a list.
fn recount(draft: &mut Draft, count_at: usize, count: usize) -> Result<(), Refusal> {
    let count = u32::try_from(count)
        .map_err(|_| Refusal::new(Errno::NoSpace, "the list cannot hold more"))?;
    draft.put(count_at, &count.to_le_bytes());
    Ok(())
}

fn missing() -> Refusal {
    Refusal::not_permitted("the file breaks off before this list")
}

fn no_entry() -> Refusal {
    Refusal::new(Errno::NotFound, "no such entry")
}

/// Levels come at the end of their list, with no flags, and go from anywhere in it.
pub struct Levels;
pub static LEVELS: Levels = Levels;

impl ListRules<Save> for Levels {
    fn creates(&self, _: &Save, _: &str, what: NodeKind) -> Creation {
        match what {
            NodeKind::Dir => Creation::AtOnce,
            _ => Creation::No,
        }
    }
    fn create(
        &self,
        save: &Save,
        file: &str,
        _: Option<&[u8]>,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        let list = content(save).and_then(|status| status.levels.as_ref());
        let list = list.ok_or_else(missing)?;
        let name = names::unescape_bytes(file)
            .ok_or_else(|| Refusal::invalid("a % in a name is written %25"))?;
        check_name(&name, false)?;
        let listed = names::escape_bytes(&name);
        if listed != file {
            return Err(Refusal::invalid(format!("this name is spelled {listed}")));
        }
        if list
            .items
            .iter()
            .any(|l| slice(&save.image, l.name) == name)
        {
            return Err(Refusal::new(Errno::Exists, "the level has an entry"));
        }
        let length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        let mut entry = length.to_le_bytes().to_vec();
        entry.extend(name);
        entry.push(0);
        recount(draft, list.count_at, list.items.len() + 1)?;
        draft.splice(list.end, 0, &entry);
        Ok(())
    }
    fn removes(&self, _: &Save, _: usize) -> bool {
        true
    }
    fn remove(&self, save: &Save, index: usize, draft: &mut Draft) -> Result<(), Refusal> {
        let list = content(save).and_then(|status| status.levels.as_ref());
        let list = list.ok_or_else(missing)?;
        let level = list.items.get(index).ok_or_else(no_entry)?;
        let span = level.span();
        warn_of_loss(save, level.name, draft);
        recount(draft, list.count_at, list.items.len().saturating_sub(1))?;
        draft.splice(span.offset, span.length, &[]);
        Ok(())
    }
}

/// Tells of a removal that leaves `current_level` or `menu_level` without an entry.
fn warn_of_loss(save: &Save, name: Span, draft: &mut Draft) {
    let Some(status) = content(save) else { return };
    let gone = slice(&save.image, name);
    let alike = |span: Span| slice(&save.image, span) == gone;
    let others = status.levels().iter().filter(|level| alike(level.name));
    let named = [
        ("current_level", status.current_level),
        ("menu_level", status.menu_level),
    ];
    if others.count() == 1 {
        for (field, _) in named.iter().filter(|(_, at)| at.is_some_and(alike)) {
            draft.caution(format!("{field} names this level"));
        }
    }
}

/// A gate is made by its name alone.
pub struct Gates;
pub static GATES: Gates = Gates;

impl ListRules<(Save, usize)> for Gates {
    fn creates(&self, _: &(Save, usize), name: &str, what: NodeKind) -> Creation {
        match what {
            NodeKind::Leaf if pid_of(name).is_some() => Creation::AtOnce,
            _ => Creation::No,
        }
    }
    fn create(
        &self,
        (save, which): &(Save, usize),
        name: &str,
        value: Option<&[u8]>,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        let refuse = |why| Err(Refusal::invalid(why).legal("#namespace-serial, an empty file"));
        let list = content(save).and_then(|status| status.gates.get(*which)?.as_ref());
        let list = list.ok_or_else(missing)?;
        let Some(id) = pid_of(name) else {
            return refuse("a gate is named by its id");
        };
        if value.is_some_and(|value| !value.trim_ascii().is_empty()) {
            return refuse("a gate has no value");
        }
        let at = |at: &usize| slice(&save.image, Span::new(*at, 4)) == id.to_le_bytes();
        if list.items.iter().any(at) {
            return Err(Refusal::new(Errno::Exists, "the gate is in the list"));
        }
        recount(draft, list.count_at, list.items.len() + 1)?;
        draft.splice(list.end, 0, &id.to_le_bytes());
        Ok(())
    }
    fn removes(&self, _: &(Save, usize), _: usize) -> bool {
        true
    }
    fn remove(
        &self,
        (save, which): &(Save, usize),
        index: usize,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        let list = content(save).and_then(|status| status.gates.get(*which)?.as_ref());
        let list = list.ok_or_else(missing)?;
        let at = *list.items.get(index).ok_or_else(no_entry)?;
        recount(draft, list.count_at, list.items.len().saturating_sub(1))?;
        draft.splice(at, 4, &[]);
        Ok(())
    }
}
