//! `*.sokoban_status`: a campaign. Layout and walk, section 4.1 and 4.2.

use super::save::{self, Content, Reading, StarSave};
use super::types::{
    ACHIEVEMENTS, ARTIFACTS, Instant, Pid, Played, RANKS, TREASURES, U16, U32, pid_text,
};
use crate::formats::{Likeness, Options, Probe};
use crate::record;
use crate::tree::build::NameIndex;
use crate::tree::flow::{Cursor, Stop, slice};
use crate::tree::record::{Bool, Raw, Rec};
use crate::tree::{Fault, Finding, Node, Span, Weight, names};
use std::collections::HashSet;
use std::sync::Arc;

record! {
    /// what stands before the strings and lists; the second layout has no `reserved`
    pub Head [152, 148] {
        /// version of the file, 5..33; the game raises it when it saves
        version: u32 = derived @ 0, 0;
        /// kept
        reserved: u32 = read @ 4, _;
        /// when the game saved last
        last_saved: Instant = edit @ 8, 4;
        /// rank of the player; the game only ever raises it
        rank: u8 = edit(names RANKS) @ 24, 20;
        /// time played
        play_time: Played = edit @ 25, 21;
        /// achievements, by number; bit 0 stays as it is
        achievements: i64 = edit(bits ACHIEVEMENTS) @ 41, 37;
        /// Skipping Stones treasures
        treasures: u32 = edit(bits TREASURES) @ 49, 45;
        /// counters that the game only saves and loads
        counters: [u32; 10] = edit @ 53, 49;
        /// artifacts, of which this build has none
        artifacts: i64 = edit(bits ARTIFACTS) @ 93, 89;
        /// area of the hero, found anew in every frame
        current_area_pin: Pid = edit @ 101, 97;
        /// levels solved, counted anew on the overworld
        levels_solved: i32 = edit(0..=i32::MAX as i128) @ 105, 101;
        /// tower levels solved, counted anew on the overworld
        tower_levels_solved: i32 = edit(0..=i32::MAX as i128) @ 109, 105;
        /// towers activated, counted anew on the overworld
        towers_activated: i32 = edit(0..=i32::MAX as i128) @ 113, 109;
        /// the map shows the names of areas
        overhead_map_area_names: Bool = edit @ 117, 113;
        /// the menu speaks of the overworld and not of the lobby
        overworld_reached: Bool = edit @ 118, 114;
        /// of older versions, kept
        legacy_flag: u8 = read @ 119, 115;
        /// of older versions, kept
        legacy_bytes: Raw<32> = read @ 120, 116;
    }
}

/// A list behind its count.
pub struct List<T> {
    pub count_at: usize,
    pub items: Vec<T>,
    /// Where the next item would begin.
    pub end: usize,
}

/// An entry of the list of levels; its flags follow its name.
pub struct Level {
    pub name: Span,
}

impl Level {
    pub fn flags_at(&self) -> usize {
        self.name.offset + self.name.length
    }
    /// Length word, name and flags.
    pub fn span(&self) -> Span {
        Span::new(self.name.offset.saturating_sub(2), self.name.length + 3)
    }
}

/// An entry of the string table.
pub struct Pair {
    pub key: Span,
    pub number_at: usize,
    pub value: Span,
}

/// Where everything of a campaign is; what the file is too short for is missing.
#[derive(Default)]
pub struct Status {
    pub version: u32,
    pub head: Option<Rec>,
    pub current_level: Option<Span>,
    pub menu_level: Option<Span>,
    pub levels: Option<List<Level>>,
    /// File names of the levels.
    pub level_names: Option<Arc<NameIndex>>,
    pub string_table: Option<List<Pair>>,
    /// Places of the ids of opened gates, on the overworld and elsewhere.
    pub gates: [Option<List<usize>>; 2],
    /// Everything before this offset is in the tree.
    pub end: usize,
}

/// The only version whose layout is certain.
const CERTAIN: u32 = 33;
const WAY_ROUND: &str =
    "to edit it, load the campaign in the game once, which saves it as version 33";

impl Status {
    /// Layout of the head and how much of it there is (section 4.2).
    fn head_of(version: u32) -> Rec {
        let layout = usize::from(version < 30);
        let head = Rec::new(Head::SHAPE, 0, layout);
        match (23..=31).contains(&version) {
            true => head,
            false => head.cut(head.offset(Head::legacy_flag.field()).unwrap_or(0)),
        }
    }

    /// Walks as far as the layout holds, and says where it stopped.
    fn walk(&mut self, image: &[u8]) -> Result<(), Stop> {
        let mut cursor = Cursor::at(image, 0);
        let result = self.walk_with(image, &mut cursor);
        self.end = self.end.max(cursor.offset());
        result
    }

    fn walk_with(&mut self, image: &[u8], cursor: &mut Cursor) -> Result<(), Stop> {
        let head = Self::head_of(self.version);
        let held = head.cut(head.size().min(image.len()));
        self.head = Some(held);
        let ends = held
            .fields()
            .map(|field| held.offset(field).unwrap_or(0) + field.kind(held.layout).size());
        self.end = ends.max().unwrap_or(0);
        cursor.skip("the fields before the strings", head.size())?;
        self.current_level = Some(string(cursor, "current_level")?);
        self.menu_level = Some(string(cursor, "menu_level")?);
        let levels = list(cursor, "levels", 3, &mut self.levels, |cursor| {
            let name = string(cursor, "level")?;
            cursor.skip("flags", 1)?;
            Ok(Level { name })
        });
        self.level_names = Some(Arc::new(NameIndex::new(self.name_levels(image))));
        levels?;
        list(cursor, "string_table", 12, &mut self.string_table, |c| {
            let key = string(c, "key")?;
            let number_at = c.skip("number", 8)?.offset;
            let value = string(c, "value")?;
            Ok(Pair {
                key,
                number_at,
                value,
            })
        })?;
        let [overworld, levels] = &mut self.gates;
        for (field, gates) in [
            ("ice_gates_overworld", overworld),
            ("ice_gates_levels", levels),
        ] {
            list(cursor, field, 4, gates, |c| Ok(c.skip("gate", 4)?.offset))?;
        }
        cursor.end("the last ice gate")
    }

    /// File names of the levels. What a name cannot address is reached by its number, `~3` for the entry 3
    /// (section 4.1).
    fn name_levels(&self, image: &[u8]) -> Vec<String> {
        let names: Vec<&[u8]> = self.levels().iter().map(|l| slice(image, l.name)).collect();
        let mut files = names::unique(names.iter().copied());
        let mut seen = HashSet::new();
        for (index, (name, file)) in names.iter().zip(&mut files).enumerate() {
            let plain = !name.is_empty() && !name.contains(&b'/') && !name.contains(&0);
            if !seen.insert(name) || !plain {
                *file = format!("~{index}");
            }
        }
        files
    }

    pub fn levels(&self) -> &[Level] {
        self.levels.as_ref().map_or(&[], |list| &list.items)
    }

    /// The first thing that a reading by guess may not hold (section 4.2).
    fn oddity(&self, image: &[u8]) -> Option<String> {
        let head = self.head?;
        let field = |name: &str| head.field(name).map(|field| head.bytes(image, field));
        let byte = |name: &str| field(name).and_then(|bytes| bytes.first().copied());
        if byte("rank").is_some_and(|rank| rank > 5) {
            return Some("a rank above 5".to_owned());
        }
        let booleans = ["overhead_map_area_names", "overworld_reached"];
        if let Some(name) = booleans.iter().find(|n| byte(n).is_some_and(|b| b > 1)) {
            return Some(format!("{name} is neither 0 nor 1"));
        }
        let counts = [
            Head::levels_solved,
            Head::tower_levels_solved,
            Head::towers_activated,
        ];
        if counts.iter().any(|count| head.get(image, *count) < 0) {
            return Some("a negative count of levels".to_owned());
        }
        if field("reserved").is_some_and(|bytes| bytes.iter().any(|b| *b != 0)) {
            return Some("reserved is not 0".to_owned());
        }
        self.odd_text(image)
    }

    fn odd_text(&self, image: &[u8]) -> Option<String> {
        let table = self.string_table.as_ref().map_or(&[][..], |t| &t.items);
        let pairs = table.iter().flat_map(|pair| [pair.key, pair.value]);
        let names = self.levels().iter().map(|level| level.name);
        let strings = [self.current_level, self.menu_level];
        let mut all = strings.into_iter().flatten().chain(names).chain(pairs);
        let clean = |text: Span| {
            std::str::from_utf8(slice(image, text)).is_ok_and(|t| !t.contains(char::is_control))
        };
        if let Some(bad) = all.find(|text| !clean(*text)) {
            return Some(format!("no text at offset {}", bad.offset));
        }
        let mut seen = HashSet::new();
        let mut levels = self.levels().iter().map(|level| slice(image, level.name));
        levels
            .any(|name| name.is_empty() || !seen.insert(name))
            .then(|| "a level without a name or with another's".to_owned())
    }
}

fn string(cursor: &mut Cursor, field: &'static str) -> Result<Span, Stop> {
    cursor.string(field, U16)
}

/// Reads items until the list is complete or one does not fit; those before stay.
fn list<T>(
    cursor: &mut Cursor,
    field: &'static str,
    smallest: usize,
    into: &mut Option<List<T>>,
    mut item: impl FnMut(&mut Cursor) -> Result<T, Stop>,
) -> Result<(), Stop> {
    let count_at = cursor.offset();
    let count = cursor.count(field, U32, smallest)?;
    let list = into.insert(List {
        count_at,
        items: Vec::new(),
        end: cursor.offset(),
    });
    for _ in 0..count {
        let start = cursor.clone();
        match item(cursor) {
            Ok(one) => list.items.push(one),
            Err(stop) => {
                *cursor = start;
                return Err(stop);
            }
        }
        list.end = cursor.offset();
    }
    Ok(())
}

impl Content for Status {
    const FORMAT: &'static str = "sinking-star-status";
    const TITLE: &'static str = "Order of the Sinking Star, campaign (*.sokoban_status)";
    const ROOT: &'static str = "status";

    fn recognise(probe: &Probe) -> Likeness {
        save::by_name(probe, ".sokoban_status")
    }

    fn read(image: &[u8], _: &Options) -> Result<Reading<Self>, Fault> {
        let version = save::version::<Self>(image)?;
        if !(5..=CERTAIN).contains(&version) {
            let why = format!(
                "version {version} is one that the game refuses, it takes 5..33; the bytes are shown as they are"
            );
            return Ok(Reading::raw(Finding::new("version", Weight::Damage, why)));
        }
        let mut status = Status {
            version,
            ..Status::default()
        };
        let walked = status.walk(image);
        if version == CERTAIN {
            return Ok(certain(status, walked));
        }
        let odd = match walked {
            Err(stop) => Some((Some(stop.offset), stop.to_string())),
            Ok(()) => status.oddity(image).map(|why| (None, why)),
        };
        Ok(match odd {
            Some((offset, why)) => {
                let text = format!(
                    "the layout of version {version} is not known, and what is known of it does not fit ({why}); \
                     the bytes are shown as they are; {WAY_ROUND}"
                );
                let finding = Finding::new("layout", Weight::Damage, text);
                Reading::raw(match offset {
                    Some(offset) => finding.offset(offset),
                    None => finding,
                })
            }
            None => {
                let text = format!(
                    "the layout of version {version} is partly a guess: values may be wrong, and nothing can be \
                     written; {WAY_ROUND}"
                );
                let finding = Finding::new("tentative", Weight::Warning, text.clone());
                Reading::whole(status).finding(finding).closed(text)
            }
        })
    }

    fn tree(save: &Arc<StarSave<Self>>) -> Node {
        super::status_tree::root(save)
    }

    fn summary(save: &StarSave<Self>) -> Vec<(String, String)> {
        let line = |label: &str, value: String| (label.to_owned(), value);
        let Some((status, head)) = save.content.as_ref().and_then(|s| Some((s, s.head?))) else {
            return Vec::new();
        };
        let shown = |name: &str| {
            let field = head.field(name)?;
            let kind = field.kind(head.layout);
            let text = kind.show(head.bytes(&save.image, field), &field.legal);
            Some(String::from_utf8_lossy(&text).into_owned())
        };
        let lines = ["version", "last_saved", "rank", "play_time"];
        let mut all: Vec<_> = lines
            .iter()
            .filter_map(|name| Some(line(name, shown(name)?)))
            .collect();
        all.push(line("levels", status.levels().len().to_string()));
        all
    }
}

fn certain(status: Status, walked: Result<(), Stop>) -> Reading<Status> {
    let reading = Reading::whole(status);
    match walked {
        Ok(()) => reading,
        Err(stop) => reading.finding(
            Finding::new(
                "layout",
                Weight::Damage,
                format!("{stop}; what reads before is shown"),
            )
            .offset(stop.offset),
        ),
    }
}

/// The id at a place of the image.
pub fn gate_text(image: &[u8], at: usize) -> String {
    use crate::tree::record::FieldType;
    pid_text(Pid::value(slice(image, Span::new(at, 4))))
}
