//! `location/room`: all that makes a room, written as one edit. dreamfactory.md 5.4, 5.5.

use super::location::Standpoint;
use super::manifest::{
    base_name, check_colour, colour, complete_lines, parse_rgb, put_colour, put_fixed_colours,
};
use super::map::Engine;
use super::records::{ALPHABET, DustView, File, Location, TitanicView};
use super::save::{DreamSave, Handle};
use crate::tree::build::line;
use crate::tree::kind::{Kind, pascal};
use crate::tree::record::{Field, Rec};
use crate::tree::{About, Access, Draft, Errno, Leaf, Node, Refusal, Span};
use std::borrow::Cow;

/// The line that names the set's file.
const SET_FILE: &str = "set_file";
/// A line that gives one colour of the set: index, red, green, blue.
const PALETTE: &str = "palette";
const EXTENSION: &str = ".set";
const LONGEST_PATH: usize = 255;

/// Why a part of a room is refused alone.
pub const ONLY_AS_A_WHOLE: &str =
    "this belongs to the room and changes only together with the rest of it: write location/room";

struct Room(Handle);

/// The name of the set's file, which only the whole room may change.
struct SetFile(Handle);

pub fn set_file(save: &Handle) -> Option<Node> {
    Some(Node::leaf(SetFile(Handle::clone(save))))
}

impl Leaf for SetFile {
    fn about(&self) -> About {
        About::of("string", "name of the set's file, which decides the room")
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        let at = Room(Handle::clone(&self.0))
            .set_file()
            .and_then(|file| file.offset(File::path.field()));
        at.map(|at| Span::new(at, LONGEST_PATH + 1))
            .into_iter()
            .collect()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let file = Room(Handle::clone(&self.0)).set_file();
        let path = file
            .map(|file| self.0.get(file, File::path))
            .unwrap_or_default();
        line(base_name(&path).as_bytes().into())
    }
    fn write(&self, whole: &[u8], _: &mut Draft) -> Result<(), Refusal> {
        if whole.strip_suffix(b"\n").unwrap_or(whole)
            == self.read().strip_suffix(b"\n").unwrap_or_default()
        {
            return Ok(());
        }
        Err(Refusal::not_permitted(ONLY_AS_A_WHOLE))
    }
}

pub fn node(save: &Handle) -> Option<Node> {
    Some(Node::leaf(Room(Handle::clone(save))))
}

/// A line of the room: a field of a record.
type Line = (Rec, &'static Field);

impl Room {
    fn lines(&self) -> Vec<Line> {
        let location = self.0.location();
        let titanic = self.0.standpoint(TitanicView::SHAPE);
        let dust = self.0.standpoint(DustView::SHAPE);
        match self.0.engine() {
            Engine::Titanic => vec![
                (location, Location::set.field()),
                (titanic, TitanicView::scene.field()),
                (titanic, TitanicView::view.field()),
                (location, Location::actor_register.field()),
                (titanic, TitanicView::scene_register.field()),
                (titanic, TitanicView::scene_count.field()),
            ],
            Engine::Dust => vec![
                (location, Location::set.field()),
                (dust, DustView::transition_register.field()),
                (location, Location::actor_register.field()),
                (dust, DustView::setback.field()),
                (dust, DustView::eye_height.field()),
                (dust, DustView::column.field()),
                (dust, DustView::row.field()),
                (dust, DustView::facing.field()),
            ],
        }
    }
    fn set_file(&self) -> Option<Rec> {
        self.0
            .file_of(self.0.get(self.0.location(), Location::set_handle))
    }
    fn legal(&self) -> String {
        let lines = self.lines();
        let names: Vec<&str> = lines.iter().map(|(_, field)| field.name).collect();
        format!(
            "a line `key value` for each of {SET_FILE}, {}; lines `{PALETTE} index red green blue` as needed",
            names.join(", ")
        )
    }
    fn refuse(&self, why: impl Into<String>) -> Refusal {
        Refusal::invalid(why).legal(self.legal())
    }
    /// Colours that belong to a set: the rest is the stage's, or fixed.
    fn colours(&self) -> std::ops::RangeInclusive<usize> {
        match self.0.engine() {
            Engine::Titanic => 0..=127,
            Engine::Dust => 1..=254,
        }
    }
    fn parse_colour(&self, value: &str) -> Result<(usize, [u16; 3]), Refusal> {
        let words: Vec<&str> = value.split_whitespace().collect();
        let (index, rgb) = words
            .split_first()
            .ok_or_else(|| self.refuse("palette: four numbers are needed"))?;
        let index = index
            .parse()
            .ok()
            .filter(|index| self.colours().contains(index));
        let index = index.ok_or_else(|| {
            let (first, last) = self.colours().into_inner();
            self.refuse(format!("palette: a set has the colours {first} to {last}"))
        })?;
        let rgb = parse_rgb(rgb).map_err(|why| self.refuse(format!("palette {index}: {why}")))?;
        check_colour(&self.0, index, rgb)?;
        Ok((index, rgb))
    }
    /// Replaces what follows the last colon of the set file's path.
    fn put_file(&self, name: &str, draft: &mut Draft) -> Result<(), Refusal> {
        let file = self.set_file().ok_or_else(|| {
            Refusal::new(Errno::Damaged, "the set's handle names no file of the save")
        })?;
        let path = self.0.get(file, File::path);
        let old = base_name(&path);
        if old.eq_ignore_ascii_case(name) {
            return Ok(());
        }
        let stem = name.to_ascii_lowercase();
        let shaped = stem
            .strip_suffix(EXTENSION)
            .is_some_and(|stem| !stem.is_empty())
            && !name.contains(':');
        if !shaped {
            return Err(self.refuse(format!(
                "{SET_FILE}: the name of a file of a set is needed, like lounge1c.set"
            )));
        }
        let prefix = path.strip_suffix(old).unwrap_or_default();
        let bytes = ALPHABET
            .page
            .encode(&format!("{prefix}{stem}"))
            .unwrap_or_default();
        ALPHABET.check(&ALPHABET.page.encode(&stem).unwrap_or_default())?;
        if bytes.len() > LONGEST_PATH {
            let why = format!(
                "the path would be {} characters long, and there is room for {LONGEST_PATH}",
                bytes.len()
            );
            return Err(Refusal::new(Errno::TooLong, why));
        }
        let field: Vec<u8> = std::iter::once(bytes.len() as u8).chain(bytes).collect();
        if let Some(at) = file.offset(File::path.field()) {
            draft.put(at, &field);
        }
        Ok(())
    }
}

/// The lines of a text as key and value.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| {
        line.trim_start()
            .split_once([' ', '\t'])
            .unwrap_or((line.trim(), ""))
    })
}

/// The set's file and its name agree in Titanic. dreamfactory.md 5.4.
fn check_names(save: &DreamSave, file: &str, set: &str) -> Result<(), Refusal> {
    let stem = file.to_ascii_lowercase();
    let stem = stem.strip_suffix(EXTENSION).unwrap_or(&stem);
    if save.engine() == Engine::Dust || stem.eq_ignore_ascii_case(set) {
        return Ok(());
    }
    Err(Refusal::invalid(format!(
        "the file {file} holds the set {stem}, not {set}"
    )))
}

impl Leaf for Room {
    fn about(&self) -> About {
        About::of("room", "the set and the place in it, changed as one").range(self.legal())
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        let lines = self
            .lines()
            .into_iter()
            .chain(self.set_file().map(|file| (file, File::path.field())));
        let span =
            |(rec, field): Line| Some(Span::new(rec.offset(field)?, field.kind(rec.layout).size()));
        lines.filter_map(span).collect()
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let path = self
            .set_file()
            .map(|file| self.0.get(file, File::path))
            .unwrap_or_default();
        let mut text = format!("{SET_FILE} {}\n", base_name(&path));
        for (rec, field) in self.lines() {
            let shown = field
                .kind(rec.layout)
                .show(rec.bytes(self.0.bytes(), field), &field.legal);
            text.push_str(&format!(
                "{} {}\n",
                field.name,
                String::from_utf8_lossy(&shown)
            ));
        }
        text.into_bytes().into()
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        let mut draft = Draft::new(self.0.bytes().to_vec(), false);
        let plan = self.take_lines(complete_lines(so_far), &mut draft)?;
        match plan.missing.is_empty() && plan.file.is_some() {
            true => self.finish(&plan, &mut draft),
            false => Ok(()),
        }
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let plan = self.take_lines(whole, draft)?;
        self.finish(&plan, draft)
    }
}

/// What the lines of a room said, beside what they have already written.
struct Plan<'a> {
    file: Option<&'a str>,
    set: String,
    stand: Standpoint,
    missing: Vec<Line>,
}

impl Room {
    /// Writes the fields and colours of the lines onto the draft.
    fn take_lines<'a>(&self, text: &'a [u8], draft: &mut Draft) -> Result<Plan<'a>, Refusal> {
        let text = std::str::from_utf8(text).map_err(|_| self.refuse("not text"))?;
        let mut plan = Plan {
            file: None,
            set: String::new(),
            stand: Standpoint::of(&self.0),
            missing: self.lines(),
        };
        for (key, value) in pairs(text) {
            if key == PALETTE {
                let (index, rgb) = self.parse_colour(value)?;
                put_colour(draft, colour(&self.0, index), rgb);
            } else if key == SET_FILE && plan.file.is_none() {
                plan.file = Some(value.trim());
            } else {
                self.take_field(key, value, &mut plan, draft)?;
            }
        }
        Ok(plan)
    }
    fn take_field(
        &self,
        key: &str,
        value: &str,
        plan: &mut Plan<'_>,
        draft: &mut Draft,
    ) -> Result<(), Refusal> {
        let at = plan.missing.iter().position(|(_, field)| field.name == key);
        let at = at
            .ok_or_else(|| self.refuse(format!("{key} is given twice or is not part of a room")))?;
        let (rec, field) = plan.missing.remove(at);
        let bytes = self.parse_line(rec, field, value)?;
        if field.is(Location::set) {
            plan.set = ALPHABET.page.decode(pascal(&bytes));
        }
        plan.stand.take(field, &bytes);
        if let Some(at) = rec.offset(field) {
            draft.put(at, &bytes);
        }
        Ok(())
    }
    /// Checks that all is there and agrees, and writes what follows from it.
    fn finish(&self, plan: &Plan<'_>, draft: &mut Draft) -> Result<(), Refusal> {
        if let Some((_, field)) = plan.missing.first() {
            return Err(self.refuse(format!("{} is missing", field.name)));
        }
        let file = plan
            .file
            .ok_or_else(|| self.refuse(format!("{SET_FILE} is missing")))?;
        self.put_file(file, draft)?;
        if draft.bytes() == self.0.bytes() {
            return Ok(());
        }
        check_names(&self.0, file, &plan.set)?;
        match self.0.engine() {
            Engine::Titanic => Ok(()),
            Engine::Dust => {
                put_fixed_colours(&self.0, draft);
                plan.stand.put(&self.0, draft)
            }
        }
    }
    fn parse_line(&self, rec: Rec, field: &'static Field, value: &str) -> Result<Vec<u8>, Refusal> {
        let kind = field.kind(rec.layout);
        let value = if matches!(kind, Kind::Pascal { .. }) {
            value
        } else {
            value.trim()
        };
        let parsed = kind.parse(
            value.as_bytes(),
            &field.legal,
            rec.bytes(self.0.bytes(), field),
        );
        let bytes = parsed.map_err(|mut refusal| {
            refusal.why = format!("{}: {}", field.name, refusal.why);
            refusal
        })?;
        if field.is(TitanicView::scene_count) && bytes.iter().all(|b| *b == 0) {
            return Err(self.refuse("scene_count: a set has at least one scene"));
        }
        Ok(bytes)
    }
}

impl Standpoint {
    /// A field of the room that the place in the set depends on.
    fn take(&mut self, field: &Field, bytes: &[u8]) {
        let word = || <u16 as crate::tree::record::FieldType>::value(bytes);
        let signed = || <i16 as crate::tree::record::FieldType>::value(bytes);
        if field.is(DustView::column) {
            self.column = word();
        } else if field.is(DustView::row) {
            self.row = word();
        } else if field.is(DustView::facing) {
            self.facing = word();
        } else if field.is(DustView::setback) {
            self.setback = signed();
        } else if field.is(DustView::eye_height) {
            self.eye_height = signed();
        }
    }
}
