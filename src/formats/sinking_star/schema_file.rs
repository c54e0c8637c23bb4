//! Reading a schema: JSON in the layout of section 6, and what is refused in it.

use super::schema::{Enum, GivenWidths, Member, PLAIN, Schema, Struct, Type};
use crate::tree::kind::Kind;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// What is wrong with a schema.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Where, in words or as a path.
    pub place: String,
    pub expected: String,
    pub found: String,
}

fn wrong(place: impl Into<String>, expected: impl Into<String>, found: impl ToString) -> Wrong {
    Wrong {
        place: place.into(),
        expected: expected.into(),
        found: found.to_string(),
    }
}

const HIGHEST_INDEX: i64 = 0xFFF;
/// Suffixes of one type, and structures inside structures; more is no description of a game.
const DEEPEST: usize = 16;
/// Elements of a fixed array and bytes of `raw`.
const LARGEST: usize = 1 << 24;
/// Bytes of a move that are certain, its element count included.
const SMALLEST_MOVE: i64 = 19;

/// Reads the text of a schema.
///
/// # Errors
/// No JSON, another layout, or one of the refusals of section 6.
pub fn parse(text: &str) -> Result<Schema, Wrong> {
    let file: Value =
        serde_json::from_str(text).map_err(|error| wrong("the file", "JSON", error))?;
    let file = object(&file, "the file")?;
    expect(file, "savefs_schema", &Value::from("sinking-star-entities"))?;
    expect(file, "schema_version", &Value::from(1))?;
    let names = Names {
        structs: keys(file, "structs")?,
        enums: keys(file, "enums")?,
    };
    let mut schema = Schema {
        widths: widths(file)?,
        ..Schema::default()
    };
    for (name, value) in entries(file, "enums")? {
        schema.enums.push(enumeration(name, value)?);
    }
    for (name, value) in entries(file, "structs")? {
        schema.structs.push(structure(name, value, &names)?);
    }
    check_structs(&schema.structs)?;
    if let Some(base) = file.get("base") {
        schema.base = members(object(base, "base")?, "base", &names)?;
    }
    for (number, one) in list(file, "types", "the file")?.iter().enumerate() {
        let place = format!("types/{number}");
        let one = object(one, &place)?;
        let name = text_of(one, "name", &place)?;
        let own = members(one, &place, &names)?;
        if schema.types.insert(name.to_owned(), own).is_some() {
            return Err(wrong(
                place,
                "one entry for each type",
                format!("{name} again"),
            ));
        }
    }
    Ok(schema)
}

/// What a type may refer to.
struct Names {
    structs: Vec<String>,
    enums: Vec<String>,
}

fn object<'v>(value: &'v Value, place: &str) -> Result<&'v Map<String, Value>, Wrong> {
    value
        .as_object()
        .ok_or_else(|| wrong(place, "an object", value))
}

fn expect(file: &Map<String, Value>, key: &str, value: &Value) -> Result<(), Wrong> {
    match file.get(key) {
        Some(found) if found == value => Ok(()),
        Some(found) => Err(wrong(key, value.to_string(), found)),
        None => Err(wrong(key, value.to_string(), "nothing")),
    }
}

fn entries<'v>(
    file: &'v Map<String, Value>,
    key: &str,
) -> Result<impl Iterator<Item = (&'v String, &'v Value)>, Wrong> {
    let all = file.get(key).map(|value| object(value, key)).transpose()?;
    Ok(all.into_iter().flatten())
}

fn keys(file: &Map<String, Value>, key: &str) -> Result<Vec<String>, Wrong> {
    Ok(entries(file, key)?.map(|(name, _)| name.clone()).collect())
}

fn list<'v>(of: &'v Map<String, Value>, key: &str, place: &str) -> Result<&'v [Value], Wrong> {
    match of.get(key) {
        None => Ok(&[]),
        Some(Value::Array(all)) => Ok(all),
        Some(other) => Err(wrong(format!("{place}/{key}"), "a list", other)),
    }
}

fn text_of<'v>(of: &'v Map<String, Value>, key: &str, place: &str) -> Result<&'v str, Wrong> {
    let found = of.get(key);
    let text = found.and_then(Value::as_str);
    text.ok_or_else(|| {
        let found = found.map_or("nothing".to_owned(), Value::to_string);
        wrong(format!("{place}/{key}"), "a text", found)
    })
}

fn number_of(of: &Map<String, Value>, key: &str, place: &str) -> Result<Option<i64>, Wrong> {
    match of.get(key) {
        None => Ok(None),
        Some(value) => value
            .as_i64()
            .map(Some)
            .ok_or_else(|| wrong(format!("{place}/{key}"), "a whole number", value)),
    }
}

fn flag_of(of: &Map<String, Value>, key: &str, place: &str) -> Result<bool, Wrong> {
    match of.get(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(wrong(format!("{place}/{key}"), "true or false", other)),
    }
}

fn widths(file: &Map<String, Value>) -> Result<GivenWidths, Wrong> {
    let Some(given) = file.get("widths") else {
        return Ok(GivenWidths::default());
    };
    let given = object(given, "widths")?;
    let width = |key: &str, low: i64, high: i64| {
        let found = number_of(given, key, "widths")?;
        match found {
            Some(width) if !(low..=high).contains(&width) => Err(wrong(
                format!("widths/{key}"),
                format!("{low}..{high} bytes"),
                width,
            )),
            _ => Ok(found.and_then(|width| usize::try_from(width).ok())),
        }
    };
    Ok(GivenWidths {
        single_move: width("single_move", SMALLEST_MOVE, 0xFFFF)?,
        deprecated: width("deprecated_move_info", 1, 0xFFFF)?,
        ocean_change: width("ocean_change", 10, 11)?,
    })
}

fn members(of: &Map<String, Value>, place: &str, names: &Names) -> Result<Vec<Member>, Wrong> {
    let mut indexes = HashSet::new();
    let mut all = Vec::new();
    for (number, one) in list(of, "members", place)?.iter().enumerate() {
        let place = format!("{place}/members/{number}");
        let member = member(object(one, &place)?, &place, names)?;
        if let Some(index) = member.index.filter(|index| !indexes.insert(*index)) {
            let place = format!("{place}/index");
            return Err(wrong(place, "an index that no other has", index));
        }
        all.push(member);
    }
    Ok(all)
}

fn member(of: &Map<String, Value>, place: &str, names: &Names) -> Result<Member, Wrong> {
    let name = text_of(of, "name", place)?.to_owned();
    let value = type_of(text_of(of, "type", place)?, names)
        .map_err(|(expected, found)| wrong(format!("{place}/type"), expected, found))?;
    let since = number_of(of, "since", place)?.unwrap_or(1);
    let until = number_of(of, "until", place)?.unwrap_or(i64::MAX);
    if since < 0 || until < since {
        let found = format!("{since}..{until}");
        return Err(wrong(place, "versions from `since` up to `until`", found));
    }
    let index = number_of(of, "index", place)?;
    let index = match index {
        Some(index) if !(0..=HIGHEST_INDEX).contains(&index) => {
            return Err(wrong(format!("{place}/index"), "0..4095", index));
        }
        index => index.and_then(|index| u16::try_from(index).ok()),
    };
    Ok(Member {
        name,
        value,
        since,
        until,
        index,
    })
}

/// The type behind its text; what was expected and found where there is none.
fn type_of(text: &str, names: &Names) -> Result<Type, (String, String)> {
    let (base, suffixes) = text.split_at(text.find('[').unwrap_or(text.len()));
    let mut value = base_type(base, names)?;
    let mut rest = suffixes;
    let mut depth = 0;
    while let Some(open) = rest.strip_prefix('[') {
        let unclosed = || ("a ] behind each [".to_owned(), text.to_owned());
        let (count, after) = open.split_once(']').ok_or_else(unclosed)?;
        value = match count {
            "" => Type::Dynamic(Box::new(value)),
            count => Type::Fixed(Box::new(value), length(count)?),
        };
        rest = after;
        depth += 1;
        if depth > DEEPEST {
            return Err((format!("at most {DEEPEST} brackets"), text.to_owned()));
        }
    }
    match rest {
        "" => Ok(value),
        other => Err(("brackets or nothing".to_owned(), other.to_owned())),
    }
}

fn base_type(word: &str, names: &Names) -> Result<Type, (String, String)> {
    if let Some(plain) = PLAIN.iter().position(|(name, _)| *name == word) {
        return Ok(Type::Plain(plain));
    }
    let named = |all: &[String], name: &str| all.iter().position(|one| one == name);
    let found = match word.split_once(':') {
        None if word == "string" => Some(Type::Text),
        Some(("raw", size)) => return length(size).map(Type::Raw),
        Some(("enum", name)) => named(&names.enums, name).map(Type::Enum),
        Some(("struct", name)) => named(&names.structs, name).map(Type::Struct),
        _ => None,
    };
    found.ok_or_else(|| {
        let expected = "a type: bool u8 s8 u16 s16 u32 s32 u64 s64 f32 f64 pid string raw:N, or enum: or struct: \
                        and a name that the schema has";
        (expected.to_owned(), word.to_owned())
    })
}

fn length(digits: &str) -> Result<usize, (String, String)> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let count = digits
        .parse()
        .ok()
        .filter(|n| plain && (1..=LARGEST).contains(n));
    count.ok_or_else(|| (format!("a number of 1..{LARGEST}"), digits.to_owned()))
}

fn enumeration(name: &str, value: &Value) -> Result<Enum, Wrong> {
    let place = format!("enums/{name}");
    let of = object(value, &place)?;
    let repr = text_of(of, "repr", &place)?;
    let repr = PLAIN
        .iter()
        .find(|(word, _)| *word == repr)
        .map(|(_, kind)| *kind);
    let repr = repr.filter(|kind| matches!(kind, Kind::Int { .. }));
    let repr = repr.ok_or_else(|| wrong(format!("{place}/repr"), "an integer's type", value))?;
    let mut values = Vec::new();
    if let Some(given) = of.get("values") {
        for (word, number) in object(given, &format!("{place}/values"))? {
            let number = number
                .as_i64()
                .map(i128::from)
                .or(number.as_u64().map(i128::from));
            let place = format!("{place}/values/{word}");
            let number = number.ok_or_else(|| wrong(place, "a whole number", given))?;
            values.push((word.clone(), number));
        }
    }
    Ok(Enum {
        name: name.to_owned(),
        repr,
        flags: flag_of(of, "flags", &place)?,
        values,
    })
}

fn structure(name: &str, value: &Value, names: &Names) -> Result<Struct, Wrong> {
    let place = format!("structs/{name}");
    let of = object(value, &place)?;
    let versioned = flag_of(of, "versioned", &place)?;
    let members = members(of, &place, names)?;
    if members.is_empty() && !versioned {
        return Err(wrong(
            place,
            "members, or a version word",
            "an empty structure",
        ));
    }
    Ok(Struct {
        name: name.to_owned(),
        versioned,
        members,
    })
}

/// Refuses structures that hold themselves, and those nested too deep to be walked over safely.
fn check_structs(structs: &[Struct]) -> Result<(), Wrong> {
    let mut depths = HashMap::new();
    for index in 0..structs.len() {
        depth(structs, index, 0, &mut depths)?;
    }
    Ok(())
}

fn depth(
    structs: &[Struct],
    index: usize,
    above: usize,
    depths: &mut HashMap<usize, usize>,
) -> Result<usize, Wrong> {
    let Some(structure) = structs.get(index) else {
        return Ok(0);
    };
    let too_deep = |found: &str| {
        let place = format!("structs/{}", structure.name);
        Err(wrong(
            place,
            format!("structures at most {DEEPEST} deep"),
            found,
        ))
    };
    if let Some(known) = depths.get(&index) {
        return match above + known > DEEPEST {
            true => too_deep("one inside the other"),
            false => Ok(*known),
        };
    }
    if above >= DEEPEST {
        return too_deep("one that holds itself, or more");
    }
    let mut deepest = 0;
    for member in &structure.members {
        let mut value = &member.value;
        while let Type::Fixed(inner, _) | Type::Dynamic(inner) = value {
            value = inner;
        }
        if let Type::Struct(inner) = value {
            deepest = deepest.max(depth(structs, *inner, above + 1, depths)?);
        }
    }
    depths.insert(index, deepest + 1);
    Ok(deepest + 1)
}
