//! What a schema says of the members of entities, and how much room a value takes. Section 6; the file itself is read
//! in `schema_file.rs`.

use super::types::{Pid, S64};
use crate::formats::Options;
use crate::tree::Fault;
use crate::tree::flow::{Cursor, Stop};
use crate::tree::kind::Kind;
use crate::tree::record::{Bool, FieldType};
use std::collections::HashMap;
use std::sync::Arc;

/// The values that have a width of their own.
pub const PLAIN: &[(&str, Kind)] = &[
    ("bool", Bool::KIND[0]),
    ("u8", <u8 as FieldType>::KIND[0]),
    ("s8", <i8 as FieldType>::KIND[0]),
    ("u16", <u16 as FieldType>::KIND[0]),
    ("s16", <i16 as FieldType>::KIND[0]),
    ("u32", <u32 as FieldType>::KIND[0]),
    ("s32", <i32 as FieldType>::KIND[0]),
    ("u64", <u64 as FieldType>::KIND[0]),
    ("s64", <i64 as FieldType>::KIND[0]),
    ("f32", <f32 as FieldType>::KIND[0]),
    ("f64", <f64 as FieldType>::KIND[0]),
    ("pid", Pid::KIND[0]),
];

/// The type of a member. Every value takes at least one byte.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A position in [`PLAIN`].
    Plain(usize),
    /// A position in [`Schema::enums`].
    Enum(usize),
    Text,
    Raw(usize),
    /// A position in [`Schema::structs`].
    Struct(usize),
    Fixed(Box<Type>, usize),
    Dynamic(Box<Type>),
}

/// A leaf of a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub name: String,
    pub value: Type,
    /// First version that has it.
    pub since: i64,
    /// Last version that uses it.
    pub until: i64,
    pub index: Option<u16>,
}

/// Names of the values of a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    pub name: String,
    pub repr: Kind,
    /// The values are bits that go together.
    pub flags: bool,
    pub values: Vec<(String, i128)>,
}

/// The element of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    pub name: String,
    /// A version word stands first.
    pub versioned: bool,
    pub members: Vec<Member>,
}

/// Widths of the history's structures that the schema settles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenWidths {
    pub single_move: Option<usize>,
    pub deprecated: Option<usize>,
    pub ocean_change: Option<usize>,
}

/// Members of entity types, as a user described them.
#[derive(Debug, Default, PartialEq)]
pub struct Schema {
    /// What all entities have.
    pub base: Vec<Member>,
    /// What each type has of its own.
    pub types: HashMap<String, Vec<Member>>,
    pub structs: Vec<Struct>,
    pub enums: Vec<Enum>,
    pub widths: GivenWidths,
}

impl Schema {
    /// The schema that the user gave, if one was given.
    ///
    /// # Errors
    /// A schema that breaks the rules of section 6.
    pub fn of(options: &Options, format: &'static str) -> Result<Option<Arc<Schema>>, Fault> {
        let Some(text) = &options.schema else {
            return Ok(None);
        };
        let schema = super::schema_file::parse(text).map_err(|wrong| {
            let field = format!("the schema: {}", wrong.place);
            Fault::new(format, field, 0, wrong.expected, wrong.found)
        })?;
        Ok(Some(Arc::new(schema)))
    }

    /// What a type has of its own; nothing if the schema does not know it.
    pub fn own(&self, type_name: &[u8]) -> &[Member] {
        let name = std::str::from_utf8(type_name).unwrap_or_default();
        self.types.get(name).map_or(&[], Vec::as_slice)
    }

    /// The smallest number of bytes that a value takes.
    pub fn smallest(&self, value: &Type) -> usize {
        match value {
            Type::Plain(_) | Type::Enum(_) => self.width(value),
            Type::Raw(size) => *size,
            Type::Text | Type::Dynamic(_) => usize::from(S64.width),
            // Whatever it holds, it is not empty; a finer bound would buy nothing.
            Type::Struct(_) => 1,
            Type::Fixed(element, count) => self.smallest(element).saturating_mul(*count),
        }
    }

    fn width(&self, value: &Type) -> usize {
        self.kind(value).map_or(1, Kind::size)
    }

    /// How a single number is stored.
    pub fn kind(&self, value: &Type) -> Option<Kind> {
        match value {
            Type::Plain(index) => Some(PLAIN.get(*index)?.1),
            Type::Enum(index) => Some(self.enums.get(*index)?.repr),
            _ => None,
        }
    }

    /// Steps over a value.
    pub fn skip(&self, value: &Type, cursor: &mut Cursor) -> Result<(), Stop> {
        match value {
            Type::Plain(_) | Type::Enum(_) => cursor.skip("value", self.width(value)).map(drop),
            Type::Raw(size) => cursor.skip("value", *size).map(drop),
            Type::Text => cursor.string("string", S64).map(drop),
            Type::Struct(index) => self.members(*index, cursor, &mut |_, _| ()),
            Type::Fixed(element, count) => self.elements(element, *count, cursor, &mut |_| ()),
            Type::Dynamic(element) => {
                let count = cursor.count("elements", S64, self.smallest(element))?;
                self.elements(element, count, cursor, &mut |_| ())
            }
        }
    }

    /// Steps over the elements of an array and says where each begins.
    pub fn elements(
        &self,
        element: &Type,
        count: usize,
        cursor: &mut Cursor,
        each: &mut dyn FnMut(usize),
    ) -> Result<(), Stop> {
        for _ in 0..count {
            each(cursor.offset());
            self.skip(element, cursor)?;
        }
        Ok(())
    }

    /// Steps over the members of a structure and says where each begins.
    pub fn members<'s>(
        &'s self,
        index: usize,
        cursor: &mut Cursor,
        each: &mut dyn FnMut(&'s Member, usize),
    ) -> Result<(), Stop> {
        let Some(structure) = self.structs.get(index) else {
            return Ok(());
        };
        let version = match structure.versioned {
            true => Some(cursor.number("version of a structure", 2, false)?),
            false => None,
        };
        for member in &structure.members {
            let range = i128::from(member.since)..=i128::from(member.until);
            if version.is_none_or(|version| range.contains(&version)) {
                each(member, cursor.offset());
                self.skip(&member.value, cursor)?;
            }
        }
        Ok(())
    }
}

/// The numbers that fields have in a blob of this version (section 6, rules). A number that two members would have is
/// nobody's.
pub fn numbered(members: &[Member], version: i64) -> HashMap<u16, Option<&Member>> {
    let mut numbers = HashMap::with_capacity(members.len());
    let mut counter = 0u16;
    for member in members {
        let late = member.since > version;
        counter = member.index.unwrap_or(counter);
        if late && member.index.is_none() {
            continue;
        }
        if !late {
            numbers
                .entry(counter)
                .and_modify(|taken| *taken = None)
                .or_insert(Some(member));
        }
        counter = counter.saturating_add(1);
    }
    numbers
}

impl Enum {
    /// The name of a value; of a set of flags, the names joined by `,`.
    pub fn show(&self, value: i128) -> String {
        let name_of = |value| {
            let named = self.values.iter().find(|(_, number)| *number == value);
            named.map(|(name, _)| name.clone())
        };
        if let Some(name) = name_of(value) {
            return name;
        }
        if !self.flags {
            return value.to_string();
        }
        let bits = (0..self.repr.size() * 8).filter(|bit| value >> bit & 1 == 1);
        let names: Vec<String> = bits
            .map(|bit| name_of(1 << bit).unwrap_or_else(|| format!("bit{bit}")))
            .collect();
        match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(","),
        }
    }
}
