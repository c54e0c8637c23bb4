//! The tables of names: what numbers and bits mean. The rows are in `names.tsv`.

use crate::tree::table::{NameFile, Names};

pub static FILE: NameFile = NameFile::new(include_str!("names.tsv"));

macro_rules! tables {
    ($($(#[doc = $doc:literal])* $name:ident = $table:literal $low:literal ..= $high:literal;)*) => {$(
        $(#[doc = $doc])*
        pub static $name: Names = Names { file: &FILE, table: $table, low: $low, high: $high };
    )*};
}

tables! {
    BOOLEAN = "boolean" 0..=1;
    /// lba2.md 13, 5: the game indexes a table of 14 with it.
    BEHAVIOUR = "behaviour" 0..=13;
    WEAPON = "weapon" 1..=40;
    BODY = "body" 0..=255;
    ANIM = "anim" 0..=65535;
    MOVE = "move" 0..=13;
    ANIM_MODE = "anim_mode" 0..=4;
    CLIMBING = "climbing" 0..=2;
    /// A dead dot is never stored (lba2.md 7.9).
    DOT_MODE = "dot_mode" 1..=2;
    SWITCH_FUNC = "switch_func" 0..=255;
    SWITCH_TYPE = "switch_type" 0..=4;
    SLATE_IMAGE = "slate_image" -1..=127;
    HOLOMAP_STATE = "holomap_state" 0..=2;
    ITEM_FLAG = "item_flag" 0..=31;
    OPTION_FLAG = "option_flag" 0..=15;
    BALL_FLAG = "ball_flag" 0..=31;
    DART_FLAG = "dart_flag" 0..=31;
    FLOW_FLAG = "flow_flag" 0..=31;
    OBJECT_FLAG = "object_flag" 0..=31;
    WORK_FLAG = "work_flag" 0..=31;
    EXTRA_FLAG = "extra_flag" 0..=31;
    /// Game variables; the first 40 are the items of the inventory.
    VARIABLE = "variable" 0..=255;
    SCENE = "scene" 0..=222;
}

/// The scene's name and number, or its number alone.
pub fn scene_title(scene: i32) -> String {
    match SCENE.name_of(i128::from(scene)) {
        Some(name) => format!("{scene} ({name})"),
        None => scene.to_string(),
    }
}

/// Where a scene is, as far as money goes (lba2.md 5: kashes on islands 0 to 3, zlitos on 4 to 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planet {
    Twinsun,
    Zeelich,
}

/// The planet of a scene; None for the special scenes, which are nowhere.
pub fn planet(scene: i32) -> Option<Planet> {
    const TWINSUN: [&str; 4] = [
        "citadel_island_",
        "white_leaf_desert_",
        "emerald_moon_",
        "protection_spell_cave_",
    ];
    let name = SCENE.name_of(i128::from(scene))?;
    let place = name.strip_prefix("demo_").unwrap_or(name);
    match place {
        _ if place.starts_with("special_") => None,
        _ if TWINSUN.iter().any(|island| name_begins(place, island)) => Some(Planet::Twinsun),
        _ => Some(Planet::Zeelich),
    }
}

fn name_begins(place: &str, island: &str) -> bool {
    place.starts_with(island) || place == island.trim_end_matches('_')
}

/// What is constant for a scene (lba2.md 5.4, 7.3, 7.4), where the tables know it: the checksum, the numbers of
/// objects and zones, the number and the bytes of its patches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneFacts {
    pub checksum: Option<u32>,
    pub counts: Option<(usize, usize)>,
    pub patches: Option<(usize, usize)>,
}

pub fn scene_facts(scene: i32) -> SceneFacts {
    let text = |table| {
        let row = FILE
            .rows(table)
            .iter()
            .find(|row| row.index == i64::from(scene));
        row.map(|row| row.name)
    };
    let pair = |table| {
        let (first, second) = text(table)?.split_once(',')?;
        Some((first.parse().ok()?, second.parse().ok()?))
    };
    SceneFacts {
        checksum: text("scene_checksum").and_then(|word| word.parse().ok()),
        counts: pair("scene_counts"),
        patches: pair("scene_patches"),
    }
}
