//! `version`, `disk`, `paths`, `palette`, `theme`, `files`, `casts` and `shops`. dreamfactory.md 4, 8.

use super::map::{Engine, MANIFEST};
use super::records::{Colour, File, ManifestHead, OpenFile, PALETTE_AT};
use super::save::{DreamSave, Handle};
use crate::tree::build::{Branch, Derived, Entry, FieldLeaf, Listing, Naming, RecordDir, View};
use crate::tree::kind::{bounds, parse_integer, pascal};
use crate::tree::record::{Field, Rec, Token, plain};
use crate::tree::{About, Access, Draft, Errno, Leaf, Node, Refusal, Span};
use std::borrow::Cow;

/// A field of the manifest's head; None where the engine lacks it.
pub fn head(save: &Handle, name: &str) -> Option<Node> {
    let rec = save.map.manifest();
    Some(FieldLeaf::node(save, rec, rec.field(name)?, rule))
}

/// Couplings of the manifest's head: the gate of 4.1 and the label of 4.2.
pub fn rule(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let old = pascal(rec.bytes(save.bytes(), field));
    let new = pascal(bytes);
    if field.is(ManifestHead::version) && !new.eq_ignore_ascii_case(old) {
        let why = "the game loads a save only when this is its own version, so nothing but upper and lower case may change";
        let spellings: &[&str] = match save.engine() {
            Engine::Titanic => &["Titanic 1.0"],
            Engine::Dust => &["dust 0.3", "Dust 0.3"],
        };
        return Err(Refusal::invalid(why).legal(spellings.join(", ")));
    }
    if field.is(ManifestHead::disk) && new.len() > old.len() {
        let why = format!(
            "the label may not be longer than the one there, {} characters",
            old.len()
        );
        return Err(Refusal::new(Errno::TooLong, why));
    }
    plain(save, rec, field, bytes, draft)
}

const PATHS: [Token<super::records::Pstr256>; 9] = [
    ManifestHead::path_0,
    ManifestHead::path_1,
    ManifestHead::path_2,
    ManifestHead::path_3,
    ManifestHead::path_4,
    ManifestHead::path_5,
    ManifestHead::path_6,
    ManifestHead::path_7,
    ManifestHead::path_8,
];

pub fn paths(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, index: usize| {
        let field = PATHS.get(index)?.field();
        Some(FieldLeaf::node(save, save.map.manifest(), field, rule))
    };
    let names = Naming::numbers(PATHS.len());
    Some(Listing::values(
        save,
        "resource paths of the game",
        names,
        make,
    ))
}

const THEME: &[Entry<Handle>] = &[
    ("loop_bank", |s| head(s, "loop_bank")),
    ("playing_bank", |s| head(s, "playing_bank")),
    ("chunk", |s| head(s, "chunk")),
];

pub fn theme(save: &Handle) -> Option<Node> {
    Some(Branch::node(save, "the music that is playing", THEME))
}

pub fn files(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, index: usize| {
        let rec = save.map.file(index);
        Some(RecordDir::node(save, rec, View::Everything, plain))
    };
    let names = Naming::numbers(save.map.files(save.bytes()));
    Some(Listing::fixed(
        save,
        "files that were open, each named by a handle",
        names,
        make,
    ))
}

/// `casts` or `shops`, by their container.
pub fn open_files(save: &Handle, container: usize) -> Option<Node> {
    let make: fn(&(Handle, usize), usize) -> Option<Node> = |(save, container), index| {
        let rec = save.open_file(*container, index);
        Some(RecordDir::with(save, rec, View::Readable, plain, OPEN_FILE))
    };
    let context = (Handle::clone(save), container);
    Some(Listing::fixed(
        &context,
        "open files",
        save.names(container),
        make,
    ))
}

const OPEN_FILE: &[Entry<(Handle, Rec)>] = &[("file", |(save, rec)| {
    Some(file_path(save, save.get(*rec, OpenFile::handle)))
})];

/// The path of the file with this handle.
pub fn file_path(save: &DreamSave, handle: u32) -> Node {
    let file = save.file_of(handle);
    let path = file
        .map(|file| save.get(file, File::path))
        .unwrap_or_default();
    Derived::node(path, "string", "path of its file", path_span(file))
}

/// The name of the file with this handle, without its path; empty when there is none.
pub fn file_name(save: &DreamSave, handle: u32) -> Node {
    let file = save.file_of(handle);
    let path = file
        .map(|file| save.get(file, File::path))
        .unwrap_or_default();
    Derived::node(
        base_name(&path),
        "string",
        "name of its file",
        path_span(file),
    )
}

fn path_span(file: Option<Rec>) -> Vec<Span> {
    let at = file.and_then(|file| file.offset(File::path.field()));
    at.map(|at| Span::new(at, 256)).into_iter().collect()
}

/// What follows the last colon: all that the game uses to open a file.
pub fn base_name(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or_default()
}

pub const COLOURS: usize = 256;
const PALETTE_LEGAL: &str = "256 lines of three numbers 0..65535";

pub fn colour(save: &DreamSave, index: usize) -> Rec {
    let base = PALETTE_AT.get(save.map.layout()).copied().unwrap_or(0);
    save.map.rec(Colour::SHAPE, MANIFEST, base, index)
}

/// Writes one entry of the palette.
pub fn put_colour(draft: &mut Draft, rec: Rec, [red, green, blue]: [u16; 3]) {
    draft.set(rec, Colour::red, red);
    draft.set(rec, Colour::green, green);
    draft.set(rec, Colour::blue, blue);
}

pub fn rgb(save: &DreamSave, index: usize) -> [u16; 3] {
    let rec = colour(save, index);
    [
        save.get(rec, Colour::red),
        save.get(rec, Colour::green),
        save.get(rec, Colour::blue),
    ]
}

/// Dust's palette begins with black and ends with white. dreamfactory.md 4.
const FIXED: [(usize, [u16; 3]); 2] = [(0, [0; 3]), (COLOURS - 1, [u16::MAX; 3])];

/// Another room of Dust has these whatever the palette held. dreamfactory.md 5.5.
pub fn put_fixed_colours(save: &DreamSave, draft: &mut Draft) {
    for (index, rgb) in FIXED {
        put_colour(draft, colour(save, index), rgb);
    }
}

pub fn check_colour(save: &DreamSave, index: usize, new: [u16; 3]) -> Result<(), Refusal> {
    let Some((_, fixed)) = FIXED.into_iter().find(|(fixed, _)| *fixed == index) else {
        return Ok(());
    };
    if save.engine() == Engine::Titanic || new == fixed || new == rgb(save, index) {
        return Ok(());
    }
    let legal = fixed.map(|part| part.to_string()).join(" ");
    Err(Refusal::invalid(format!("colour {index} is fixed in Dust")).legal(legal))
}

/// `r g b`, each 0..65535.
pub fn parse_rgb(words: &[&str]) -> Result<[u16; 3], String> {
    let (_, high) = bounds(2, false);
    let mut parts = [0; 3];
    if words.len() != parts.len() {
        return Err(format!(
            "three numbers from 0 to {high} are needed, red green blue"
        ));
    }
    for (part, word) in parts.iter_mut().zip(words) {
        let value = parse_integer(word)?;
        *part = u16::try_from(value).map_err(|_| format!("{word} is not from 0 to {high}"))?;
    }
    Ok(parts)
}

/// All 256 colours, a line each.
struct Palette(Handle);

pub fn palette(save: &Handle) -> Option<Node> {
    Some(Node::leaf(Palette(Handle::clone(save))))
}

impl Leaf for Palette {
    fn about(&self) -> About {
        About::of(
            "palette",
            "the 256 colours of the screen, a line each: red green blue",
        )
        .range(PALETTE_LEGAL)
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        vec![Span::new(colour(&self.0, 0).at, COLOURS * Colour::SIZE[0])]
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let line = |index| rgb(&self.0, index).map(|part| part.to_string()).join(" ") + "\n";
        (0..COLOURS)
            .map(line)
            .collect::<String>()
            .into_bytes()
            .into()
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        self.parse(complete_lines(so_far)).map(drop)
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        let colours = self.parse(whole)?;
        if colours.len() != COLOURS {
            let why = format!("{} lines given", colours.len());
            return Err(Refusal::invalid(why).legal(PALETTE_LEGAL));
        }
        for (index, rgb) in colours.into_iter().enumerate() {
            put_colour(draft, colour(&self.0, index), rgb);
        }
        Ok(())
    }
}

impl Palette {
    /// The colours of the lines, at most all of them.
    fn parse(&self, text: &[u8]) -> Result<Vec<[u16; 3]>, Refusal> {
        let refuse = |why: String| Refusal::invalid(why).legal(PALETTE_LEGAL);
        let text = std::str::from_utf8(text).map_err(|_| refuse("not text".into()))?;
        let mut colours = Vec::with_capacity(COLOURS);
        for (index, line) in text.trim_end().lines().enumerate() {
            if index >= COLOURS {
                return Err(refuse(format!("there are no more than {COLOURS} colours")));
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let rgb =
                parse_rgb(&words).map_err(|why| refuse(format!("line {}: {why}", index + 1)))?;
            check_colour(&self.0, index, rgb)?;
            colours.push(rgb);
        }
        Ok(colours)
    }
}

/// The lines that are ended, of a text that may go on.
pub fn complete_lines(so_far: &[u8]) -> &[u8] {
    let end = so_far
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at.saturating_add(1));
    so_far.get(..end).unwrap_or_default()
}
