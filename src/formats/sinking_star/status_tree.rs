//! The tree of a campaign.

use super::save::{self, StarSave};
use super::status::{Head, Status, gate_text};
use super::status_edit::{self, GATES, LEVELS};
use super::types::{LEVEL_FLAGS, PID, escaped};
use crate::record;
use crate::tree::build::{Branch, Derived, Entry, Joined, Listing, Naming, RecordDir, View, line};
use crate::tree::flow::slice;
use crate::tree::kind::{Kind, Legal};
use crate::tree::record::Rec;
use crate::tree::{About, Access, Draft, Leaf, Node, NodeKind, Refusal, Span};
use std::borrow::Cow;
use std::sync::Arc;

pub type Save = Arc<StarSave<Status>>;

record! {
    /// one counter
    Counter [4] {
        /// a number that the game only saves and loads
        counter: u32 = edit @ 0;
    }
    /// a level that was loaded at least once
    pub LevelState [1] {
        /// what the game knows of the level
        flags: u8 = edit(bits LEVEL_FLAGS) @ 0;
    }
    /// a number of the string table
    Number [8] {
        /// a number, kept
        number: i64 = read @ 0;
    }
}

pub fn root(save: &Save) -> Node {
    let head = content(save).and_then(|status| status.head);
    let fields =
        head.map(|head| RecordDir::with(save, head, View::Everything, status_edit::head, COUNTERS));
    let lists = Branch::node(save, "", LISTS);
    Joined::node("a campaign", fields.into_iter().chain([lists]))
}

pub fn content(save: &Save) -> Option<&Status> {
    save.content.as_ref()
}

const COUNTERS: &[Entry<(Save, Rec)>] = &[("counters", |(save, head)| {
    let field = Head::counters.field();
    save::elements(save, *head, field, Counter::SHAPE, &[])
})];

const LISTS: &[Entry<Save>] = &[
    ("current_level", |save| {
        let name = content(save)?.current_level?;
        Some(level_name(
            save,
            name,
            "level that the player is in, or empty",
        ))
    }),
    ("menu_level", |save| {
        let name = content(save)?.menu_level?;
        Some(level_name(
            save,
            name,
            "level behind the main menu, or empty",
        ))
    }),
    ("levels", levels),
    ("string_table", string_table),
    ("ice_gates", ice_gates),
    ("rest.bin", |save| {
        let end = content(save)?.end;
        let doc = "bytes from where the file stops making sense";
        save::bytes(save, end, save.image.len().saturating_sub(end), doc)
    }),
];

fn levels(save: &Save) -> Option<Node> {
    let status = content(save)?;
    status.levels.as_ref()?;
    Some(Node::dir(Listing {
        context: Arc::clone(save),
        doc: "levels that were loaded at least once",
        naming: Naming::Indexed(Arc::clone(status.level_names.as_ref()?)),
        kind: NodeKind::Dir,
        make: level,
        rules: &LEVELS,
    }))
}

fn level(save: &Save, index: usize) -> Option<Node> {
    let level = content(save)?.levels().get(index)?;
    let rec = Rec::new(LevelState::SHAPE, level.flags_at(), 0);
    let bits = Listing::values(
        &(Arc::clone(save), rec),
        "",
        Naming::identities(LEVEL_FLAGS.rows().iter().map(|row| row.name), false),
        |(save, rec), bit| {
            let row = LEVEL_FLAGS.rows().get(bit)?;
            Some(Node::leaf(LevelFlag {
                save: Arc::clone(save),
                rec: *rec,
                bit: u8::try_from(row.index).ok()?,
                doc: row.meaning,
            }))
        },
    );
    let flags = RecordDir::node(save, rec, View::Everything, status_edit::flags);
    let span = Some(level.span());
    Some(Joined::at(span, LevelState::SHAPE.doc, [bits, flags]))
}

/// One bit of a level's flags.
struct LevelFlag {
    save: Save,
    rec: Rec,
    bit: u8,
    doc: &'static str,
}

impl LevelFlag {
    fn flags(&self) -> u8 {
        self.rec.get(&self.save.image, LevelState::flags)
    }
    fn state(&self) -> [u8; 1] {
        [self.flags() >> self.bit & 1]
    }
}

impl Leaf for LevelFlag {
    fn about(&self) -> About {
        About::of("boolean", self.doc).values(Kind::Bool.legal_words(&Legal::Any))
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(self.rec.at, 1)]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let shown = Kind::Bool.show(&self.state(), &Legal::Any).into_owned();
        line(shown.into())
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        Kind::Bool.feasible(so_far, &Legal::Any, &self.state())
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let state = Kind::Bool.parse(whole, &Legal::Any, &self.state())?;
        let set = state.first().is_some_and(|byte| *byte != 0);
        let flags = self.flags() & !(1 << self.bit) | u8::from(set) << self.bit;
        if flags == self.flags() {
            return Ok(());
        }
        let field = LevelState::flags.field();
        status_edit::flags(&self.save, self.rec, field, &[flags], draft)
    }
}

fn string_table(save: &Save) -> Option<Node> {
    let count = content(save)?.string_table.as_ref()?.items.len();
    let doc = "strings that the game only loads and saves";
    Some(Listing::fixed(
        save,
        doc,
        Naming::numbers(count),
        |save, index| {
            let pair = content(save)?.string_table.as_ref()?.items.get(index)?;
            let rec = Rec::new(Number::SHAPE, pair.number_at, 0);
            let key = Branch::node(&(Arc::clone(save), pair.key), "", &[("key", text)]);
            let number = RecordDir::node(save, rec, View::Everything, crate::tree::record::plain);
            let value = Branch::node(&(Arc::clone(save), pair.value), "", &[("value", text)]);
            Some(Joined::node("a legacy string", [key, number, value]))
        },
    ))
}

fn text((save, span): &(Save, Span)) -> Option<Node> {
    let text = escaped(slice(&save.image, *span));
    Some(Derived::node(text, "string", "kept", vec![*span]))
}

fn ice_gates(save: &Save) -> Option<Node> {
    let [first, _] = &content(save)?.gates;
    first.as_ref()?;
    const ENTRIES: &[Entry<Save>] = &[
        ("overworld", |save| gates(save, 0)),
        ("levels", |save| gates(save, 1)),
    ];
    Some(Branch::node(save, "ice gates that were opened", ENTRIES))
}

fn gates(save: &Save, which: usize) -> Option<Node> {
    let places = &content(save)?.gates.get(which)?.as_ref()?.items;
    let ids: Vec<String> = places
        .iter()
        .map(|at| gate_text(&save.image, *at))
        .collect();
    Some(Node::dir(Listing {
        context: (Arc::clone(save), which),
        doc: "an entry for each opened gate",
        naming: Naming::identities(ids.iter().map(String::as_str), false),
        kind: NodeKind::Leaf,
        make: |(save, which), index| {
            let places = &content(save)?.gates.get(*which)?.as_ref()?.items;
            Some(Node::leaf(Gate(*places.get(index)?)))
        },
        rules: &GATES,
    }))
}

/// An opened gate; being there is all it says.
struct Gate(usize);

impl Leaf for Gate {
    fn about(&self) -> About {
        About::of(PID.type_name, "an opened ice gate; the file is empty")
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(self.0, 4)]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(b"")
    }
}

fn level_name(save: &Save, name: Span, doc: &'static str) -> Node {
    Node::leaf(LevelName {
        save: Arc::clone(save),
        name,
        doc,
    })
}

/// A string that names a level.
struct LevelName {
    save: Save,
    name: Span,
    doc: &'static str,
}

impl LevelName {
    fn shown(&self) -> String {
        escaped(slice(&self.save.image, self.name))
    }
}

impl Leaf for LevelName {
    fn about(&self) -> About {
        About::of("string", self.doc).range(status_edit::NAME_WORDS)
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        let length_word = self.name.offset.saturating_sub(2);
        vec![Span::new(length_word, self.name.length + 2)]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        line(self.shown().into_bytes().into())
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        let text = so_far.strip_suffix(b"\n").unwrap_or(so_far);
        if self.shown().as_bytes().starts_with(text) {
            return Ok(());
        }
        let whole_characters = match std::str::from_utf8(text) {
            Err(cut) if cut.error_len().is_none() => cut.valid_up_to(),
            _ => text.len(),
        };
        status_edit::check_name(text.get(..whole_characters).unwrap_or_default(), true).map(drop)
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let text = whole.strip_suffix(b"\n").unwrap_or(whole);
        if self.shown().as_bytes() == text {
            return Ok(());
        }
        status_edit::rename(&self.save, self.name, text, draft)
    }
}
