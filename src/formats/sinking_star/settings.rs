//! `*.menu_state`: the settings. Section 3.

use super::save::{self, Content, Reading, StarSave};
use crate::formats::{Likeness, Options, Probe};
use crate::record;
use crate::tree::build::{Branch, Entry, Joined, RecordDir, View};
use crate::tree::record::{Bool, Field, Rec, plain};
use crate::tree::{Draft, Fault, Finding, Node, Refusal, Weight};
use std::sync::Arc;

record! {
    /// the settings of the menu; a file holds the fields up to its version
    pub Menu [77] {
        /// version of the file, 1..9; the game raises it when it saves
        version: u32 = derived @ 0x00;
        /// volume of the music
        music_volume: f32 = edit(floats 0.0, 1.0) @ 0x04;
        /// volume of the effects
        sfx_volume: f32 = edit(floats 0.0, 1.0) @ 0x08;
        /// the game's number of a rendering resolution
        render_resolution: i8 = edit @ 0x0C;
        /// the game's number of a graphics mode
        graphics_mode: u8 = edit @ 0x0D;
        /// fills the screen
        fullscreen: Bool = edit @ 0x0E;
        /// the window is maximized
        window_maximized: Bool = edit @ 0x0F;
        /// the window's rectangle
        window_rect: [i32; 4] = edit @ 0x10;
        /// volume of the voices
        voice_volume: f32 = edit(floats 0.0, 1.0) @ 0x20;
        /// volume of everything
        overall_volume: f32 = edit(floats 0.0, 1.0) @ 0x24;
        /// the game's number of the language of its texts
        text_language: u16 = edit @ 0x28;
        /// the player chose the language of the texts
        text_language_chosen: Bool = edit @ 0x2A;
        /// shows subtitles
        subtitles: Bool = edit @ 0x2B;
        /// waits for the screen
        vsync: Bool = edit @ 0x2C;
        /// frames a second, 0 for no limit
        target_frame_rate: i64 = edit(0..=i64::MAX as i128) @ 0x2D;
        /// a flag of unknown meaning
        unknown_since_6: u8 = read @ 0x35;
        /// screen refreshes to a frame
        vsync_interval_divisor: i64 = edit(1..=i64::MAX as i128) @ 0x36;
        /// of unknown meaning
        unknown_since_7: u32 = read @ 0x3E;
        /// the game's number of an antialiasing mode
        msaa_mode: i64 = edit @ 0x42;
        /// the game's number of the language of its voices
        voice_language: u16 = edit @ 0x4A;
        /// the player chose the language of the voices
        voice_language_chosen: Bool = edit @ 0x4C;
    }

    /// one number of the window's rectangle
    RectPart [4] {
        /// left, top, and then either the size or the far corner, in pixels
        part: i32 = edit @ 0;
    }
}

/// Length of a file of each version from 1 on.
const SIZES: [usize; 9] = [13, 13, 14, 32, 43, 54, 66, 74, 77];

/// A readable file; `known` bytes of it are fields.
pub struct Settings {
    known: usize,
}

impl Content for Settings {
    const FORMAT: &'static str = "sinking-star-settings";
    const TITLE: &'static str = "Order of the Sinking Star, settings (*.menu_state)";
    const ROOT: &'static str = "settings";

    fn recognise(probe: &Probe) -> Likeness {
        save::by_name(probe, ".menu_state")
    }

    fn read(image: &[u8], _: &Options) -> Result<Reading<Self>, Fault> {
        let version = save::version::<Self>(image)?;
        let size = usize::try_from(version)
            .ok()
            .and_then(|v| SIZES.get(v.checked_sub(1)?));
        let Some(&size) = size else {
            return Ok(Reading::raw(Finding::new(
                "version",
                Weight::Damage,
                format!(
                    "version {version} is not known, only 1..9 are; the bytes are shown as they are"
                ),
            )));
        };
        let reading = Reading::whole(Settings {
            known: size.min(image.len()),
        });
        Ok(match image.len().checked_sub(size) {
            Some(0) => reading,
            Some(more) => reading.finding(
                Finding::new(
                    "tail",
                    Weight::Warning,
                    format!("{more} bytes follow the fields of version {version}; they are kept"),
                )
                .path("settings/tail.bin")
                .offset(size),
            ),
            None => reading.finding(
                Finding::new(
                    "short",
                    Weight::Damage,
                    format!(
                        "version {version} takes {size} bytes, the file has {}; what is whole is shown",
                        image.len()
                    ),
                )
                .offset(image.len()),
            ),
        })
    }

    fn tree(save: &Arc<StarSave<Self>>) -> Node {
        let known = save.content.as_ref().map_or(0, |s| s.known);
        let rec = Rec::new(Menu::SHAPE, 0, 0).cut(known);
        let fields = RecordDir::with(save, rec, View::Everything, write, WINDOW_RECT);
        let rest = Branch::node(save, "", TAIL);
        Joined::node(Menu::SHAPE.doc, [fields, rest])
    }

    fn summary(save: &StarSave<Self>) -> Vec<(String, String)> {
        let version = save::version::<Self>(&save.image).unwrap_or_default();
        vec![("version".to_owned(), version.to_string())]
    }
}

type Save = Arc<StarSave<Settings>>;

const WINDOW_RECT: &[Entry<(Save, Rec)>] = &[("window_rect", |(save, rec)| {
    let field = Menu::window_rect.field();
    save::elements(save, *rec, field, RectPart::SHAPE, &[])
})];

const TAIL: &[Entry<Save>] = &[("tail.bin", |save| {
    let known = save.content.as_ref()?.known;
    let length = save.image.len().saturating_sub(known);
    save::bytes(save, known, length, "bytes behind the known fields, kept")
})];

fn write(
    save: &StarSave<Settings>,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let unnamed = field.is(Menu::render_resolution)
        || field.is(Menu::graphics_mode)
        || field.is(Menu::text_language)
        || field.is(Menu::voice_language)
        || field.is(Menu::msaa_mode);
    if unnamed {
        draft.caution("any number is taken; the game may not know this one");
    }
    plain(save, rec, field, bytes, draft)
}
