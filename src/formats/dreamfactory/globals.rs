//! `globals/` and `stale/`: the list of script variables, how one is made, and its leftovers. dreamfactory.md 10.

use super::map::is_name;
use super::pool::{self, Pool};
use super::records::{ALPHABET, Element, GlobalsHeader, VARIABLE_TYPE};
use super::save::{DreamSave, Handle};
use super::variable::{Value, Variable};
use crate::tree::build::{Branch, Derived, Entry, ListRules, Listing, Naming};
use crate::tree::kind::pascal;
use crate::tree::names::meant;
use crate::tree::node::{About, Creation, NodeKind};
use crate::tree::record::Rec;
use crate::tree::{Draft, Errno, Node, Refusal, Span};

pub const BOOLEAN: u16 = 2;
pub const STRING: u16 = 3;
pub const NUMBER: u16 = 4;

/// Where the name lies in an element, and in it the dword by which other tools find the list. 10.2, 10.5.
const NAME_AT: usize = 16;
const COMMON_AT: usize = NAME_AT + 12;
/// Longest name that leaves that dword alone.
const SHORT: usize = 11;
const LONGEST: usize = 15;

/// Elements that the header declares and the container has.
pub fn capacity(save: &DreamSave) -> usize {
    let declared = save.get(save.map.globals_header(), GlobalsHeader::capacity);
    let room = save
        .map
        .room(Element::SHAPE, save.map.globals(), GlobalsHeader::SIZE[0]);
    usize::from(declared).min(room)
}

/// Variables.
pub fn count(save: &DreamSave) -> usize {
    usize::from(save.get(save.map.globals_header(), GlobalsHeader::count)).min(capacity(save))
}

/// Elements that carry a name, from the first on, the leftovers included (10.3).
pub fn named(save: &DreamSave, image: &[u8]) -> usize {
    let has_name =
        |index: &usize| is_name(save.map.element(*index).bytes(image, Element::name.field()));
    (0..capacity(save)).take_while(has_name).count()
}

/// The elements that are variables.
pub fn live(save: &DreamSave) -> impl Iterator<Item = Rec> + '_ {
    (0..count(save)).map(|index| save.map.element(index))
}

pub fn name(save: &DreamSave, rec: Rec) -> String {
    save.get(rec, Element::name)
}

/// The variable of that name, case ignored.
pub fn find(save: &DreamSave, wanted: &str) -> Option<Rec> {
    live(save).find(|rec| name(save, *rec).eq_ignore_ascii_case(wanted))
}

/// The value of an element as text; empty where a string does not decode.
pub fn text(save: &DreamSave, rec: Rec) -> String {
    shown(save, rec).unwrap_or_default()
}

fn shown(save: &DreamSave, rec: Rec) -> Option<String> {
    let value = save.get(rec, Element::value);
    Some(match (save.get(rec, Element::r#type), value) {
        (STRING, offset) => ALPHABET.page.decode(pool::text(save, offset)?.0),
        (BOOLEAN, 0) => "false".into(),
        (BOOLEAN, 1) => "true".into(),
        _ => value.to_string(),
    })
}

pub fn node(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, index: usize| {
        Some(Node::leaf(Variable {
            save: Handle::clone(save),
            index,
        }))
    };
    Some(Node::dir(Listing {
        context: Handle::clone(save),
        doc: "the variables of the game's scripts; a new name makes a new one",
        naming: save.variable_names(),
        kind: NodeKind::Leaf,
        make,
        rules: &Variables,
    }))
}

/// How variables are made. None is ever removed: only the game does that.
struct Variables;

impl ListRules<Handle> for Variables {
    fn about(&self, save: &Handle, about: About) -> About {
        let free = capacity(save).saturating_sub(count(save));
        let shown = capacity(save)
            .saturating_sub(1)
            .saturating_sub(named(save, save.bytes()));
        about
            .extra("free", free)
            .extra("free_shown", shown.min(free))
    }
    fn creates(&self, _: &Handle, _: &str, what: NodeKind) -> Creation {
        match what {
            NodeKind::Leaf => Creation::WithFirstValue,
            _ => Creation::No,
        }
    }
    fn create(
        &self,
        save: &Handle,
        file_name: &str,
        value: Option<&[u8]>,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        let value = value.ok_or_else(|| Refusal::not_permitted("a variable is a file"))?;
        let name = new_name(save, file_name)?;
        let value = Value::guess(value)?;
        append(save, &name, &value, draft)
    }
    fn remove(&self, _: &Handle, _: usize, _: &mut Draft) -> Result<(), Refusal> {
        let why = "the game's scripts expect their variables, so none can be removed";
        Err(Refusal::not_permitted(why))
    }
}

/// The characters of a new variable's name (10.5, step 1).
fn new_name(save: &DreamSave, file_name: &str) -> Result<Vec<u8>, Refusal> {
    let legal = "1..15 printable ASCII characters";
    let name = meant(file_name)?;
    if name.chars().count() > LONGEST {
        let why = format!(
            "{} characters are too long for a variable's name",
            name.chars().count()
        );
        return Err(Refusal::new(Errno::TooLong, why).legal(legal));
    }
    if name.is_empty() || !name.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        return Err(Refusal::invalid("not the name of a variable").legal(legal));
    }
    match find(save, &name) {
        Some(_) => Err(Refusal::new(Errno::Exists, "there is such a variable")),
        None => Ok(name.into_bytes()),
    }
}

/// Makes a variable (10.5).
fn append(save: &DreamSave, name: &[u8], value: &Value, draft: &mut Draft) -> Result<(), Refusal> {
    let (count, capacity) = (count(save), capacity(save));
    if count >= capacity {
        let why = format!("all {capacity} variables that the save has room for are in use");
        return Err(Refusal::new(Errno::NoSpace, why));
    }
    let common = common_dword(save);
    move_leftovers_up(save, count, capacity, draft);
    let element = save.map.element(count);
    match value {
        Value::Number(number) => set_plain(draft, element, NUMBER, *number),
        Value::Boolean(value) => set_plain(draft, element, BOOLEAN, i32::from(*value)),
        Value::Text(text) => {
            Pool::of(save, draft, Some(count)).store(save, count, false, text, draft)?;
        }
    }
    let field: Vec<u8> = std::iter::once(name.len() as u8)
        .chain(name.iter().copied())
        .collect();
    let name_at = element.at.saturating_add(NAME_AT);
    draft.put(name_at, &field);
    if let Some(common) = common {
        let covered = field.len().saturating_sub(COMMON_AT - NAME_AT);
        let at = element.at.saturating_add(COMMON_AT).saturating_add(covered);
        draft.put(at, common.get(covered..).unwrap_or_default());
        mend_last(save, count, &common, draft);
    }
    let count = u16::try_from(count.saturating_add(1)).unwrap_or(u16::MAX);
    draft.set(save.map.globals_header(), GlobalsHeader::count, count);
    Ok(())
}

pub fn set_plain(draft: &mut Draft, element: Rec, kind: u16, value: i32) {
    draft.set(element, Element::r#type, kind);
    draft.set(element, Element::value, value);
}

/// Step 3: leftovers make room, so that tools which list them still do.
fn move_leftovers_up(save: &DreamSave, count: usize, capacity: usize, draft: &mut Draft) {
    let named = named(save, save.bytes());
    if named <= count {
        return;
    }
    if named == capacity {
        let last = name_of_last(save, capacity);
        draft.caution(format!(
            "the leftover {last} of the variable list gave way to the new variable"
        ));
    }
    let (from, to) = (
        save.map.element(count).at,
        save.map.element(named.min(capacity - 1)).at,
    );
    let moved = save.bytes().get(from..to).unwrap_or_default().to_vec();
    draft.put(save.map.element(count.saturating_add(1)).at, &moved);
}

fn name_of_last(save: &DreamSave, capacity: usize) -> String {
    name(save, save.map.element(capacity.saturating_sub(1)))
}

fn dword(save: &DreamSave, index: usize) -> Option<[u8; 4]> {
    let element = save.map.element(index);
    let length = pascal(element.bytes(save.bytes(), Element::name.field())).len();
    let at = element.at.checked_add(COMMON_AT)?;
    let bytes = save.bytes().get(at..at.checked_add(4)?)?;
    (1..=SHORT)
        .contains(&length)
        .then(|| bytes.try_into().ok())?
}

/// The dword behind most short names; the first of those that are equally frequent.
fn common_dword(save: &DreamSave) -> Option<[u8; 4]> {
    let mut votes: Vec<([u8; 4], usize)> = Vec::new();
    for word in (0..named(save, save.bytes())).filter_map(|index| dword(save, index)) {
        match votes.iter_mut().find(|(seen, _)| *seen == word) {
            Some((_, count)) => *count += 1,
            None => votes.push((word, 1)),
        }
    }
    let most = votes.iter().map(|(_, count)| *count).max()?;
    votes
        .iter()
        .find(|(_, count)| *count == most)
        .map(|(word, _)| *word)
}

/// Step 5: the element before the new one must show the dword too.
fn mend_last(save: &DreamSave, count: usize, common: &[u8; 4], draft: &mut Draft) {
    let Some(last) = count.checked_sub(1) else {
        return;
    };
    if dword(save, last).is_some() {
        draft.put(save.map.element(last).at.saturating_add(COMMON_AT), common);
    }
}

/// `stale/`: elements after the last variable, which the game does not look at.
pub fn stale(save: &Handle) -> Option<Node> {
    let first = count(save);
    let leftovers = named(save, save.bytes()).saturating_sub(first);
    let make: fn(&(Handle, usize), usize) -> Option<Node> = |(save, first), index| {
        let context = (
            Handle::clone(save),
            save.map.element(first.saturating_add(index)),
        );
        Some(Branch::node(
            &context,
            "a leftover of the variable list",
            STALE,
        ))
    };
    let context = (Handle::clone(save), first);
    let doc = "leftovers of variables that the game has dropped";
    Some(Listing::fixed(
        &context,
        doc,
        Naming::numbers(leftovers),
        make,
    ))
}

const STALE: &[Entry<(Handle, Rec)>] = &[
    ("name", |(save, rec)| {
        let at = rec.at.saturating_add(NAME_AT);
        Some(Derived::node(
            name(save, *rec),
            "string",
            "its name",
            vec![Span::new(at, 16)],
        ))
    }),
    ("type", |(save, rec)| {
        let kind = VARIABLE_TYPE.show(save.get(*rec, Element::r#type).into());
        Some(Derived::node(
            kind,
            "name",
            "its type",
            vec![Span::new(rec.at, 2)],
        ))
    }),
    ("value", |(save, rec)| {
        let value = shown(save, *rec)?;
        Some(Derived::node(
            value,
            "value",
            "its last value",
            vec![Span::new(rec.at.saturating_add(2), 4)],
        ))
    }),
];
