//! The records that the chunks hold. starlancer.md 4 to 8.

use crate::codec::codepage::CodePage;
use crate::record;
use crate::tree::array::Array;
use crate::tree::kind::Alphabet;
use crate::tree::record::{Script, Terminated};
use crate::tree::table::{NameFile, Names};

/// The game's six chunks in the game's order, with the sizes of those that are records.
pub const KNOWN: [([u8; 4], Option<usize>); 6] = [
    (NAME, None),
    (MISS, Some(Miss::SIZE[0])),
    (VERS, Some(4)),
    (VARS, Some(Vars::SIZE[0])),
    (PILO, Some(Pilo::SIZE[0])),
    (ALPH, Some(Alph::SIZE[0])),
];

pub const NAME: [u8; 4] = *b"NAME";
pub const MISS: [u8; 4] = *b"MISS";
pub const VERS: [u8; 4] = *b"VERS";
pub const VARS: [u8; 4] = *b"VARS";
pub const PILO: [u8; 4] = *b"PILO";
pub const ALPH: [u8; 4] = *b"ALPH";

static FILE: NameFile = NameFile::new(include_str!("names.tsv"));

/// The missions that the story flies.
pub static MISSION: Names = FILE.table("mission", 1, 28);
pub static RANK: Names = FILE.table("rank", 0, 8);
pub static TIER: Names = FILE.table("tier", 0, 3);
pub static DIFFICULTY: Names = FILE.table("difficulty", 0, 2);
pub static RATING: Names = FILE.table("rating", -1, 4);
pub static LAST_RATING: Names = FILE.table("rating", 0, 4);
pub static MEDAL: Names = FILE.table("medal", 1, 6);
pub static RIBBON: Names = FILE.table("ribbon", 1, 6);
pub static SHIP: Names = FILE.table("ship", 0, 11);
pub static MISSILE: Names = FILE.table("missile", -1, 9);
pub static PILOT: Names = FILE.table("pilot", 0, 193);
pub static WINGMAN: Names = FILE.table("pilot", -1, 193);
pub static STATUS: Names = FILE.table("pilot_status", 0, 2);

/// The number that a table gives for an index, e.g. the kills that earn a rank.
pub fn number(table: &str, index: i64) -> Option<i64> {
    let row = FILE.rows(table).iter().find(|row| row.index == index)?;
    row.name.parse().ok()
}

/// The rows of a table of numbers.
pub fn numbers(table: &str) -> impl Iterator<Item = (i64, i64)> {
    let rows = FILE.rows(table).iter();
    rows.filter_map(|row| Some((row.index, row.name.parse().ok()?)))
}

/// What a table says of an index, for people.
pub fn meaning(table: &'static Names, index: i64) -> String {
    let row = table.rows().iter().find(|row| row.index == index);
    row.map_or_else(|| index.to_string(), |row| row.meaning.to_owned())
}

/// The texts of the Western releases. starlancer.md 3.
pub struct Windows;

impl Script for Windows {
    const ALPHABET: Alphabet = Alphabet {
        page: CodePage::Windows1252,
        highest: 0xFF,
        controls: false,
    };
}

record! {
    /// A medal. starlancer.md 4.
    pub Medal [4] {
        /// 1 where the medal is awarded
        awarded: i32 = edit(0..=1);
    }
    /// A ribbon. starlancer.md 4.
    pub Ribbon [4] {
        /// 1 where the ribbon is awarded; the sixth never is
        awarded: i32 = edit(0..=1);
    }
    /// How a mission ended. starlancer.md 4.
    pub Rating [2] {
        /// how the mission ended, none before it was flown
        rating: i16 = edit(names RATING);
    }
    /// Kills of a mission. starlancer.md 4.
    pub Kills [2] {
        /// kills in this mission; none are kept of mission 28
        kills: i16 = edit(0..=32767);
    }
    /// Rescue in a mission. starlancer.md 4.
    pub Pickup [2] {
        /// pickups of the campaign when a nanny ship picked the pilot up in this mission, else 0
        pickup: i16 = edit(0..=2);
    }
    /// Promotion by a mission. starlancer.md 4.
    pub Promotion [2] {
        /// number of the rank that the end of this mission promoted to, 0 for none
        promotion: i16 = edit(0..=8);
    }
    /// A missile rack. starlancer.md 4.
    pub Rack [2] {
        /// what hangs on the rack
        missile: i16 = edit(names MISSILE);
    }
    /// A place in the wing. starlancer.md 8.
    pub Wingman [2] {
        /// pilot of this place, player_or_empty where he has died
        pilot: i16 = edit(names WINGMAN);
    }

    /// The campaign and its pilot. starlancer.md 4.
    pub Miss [380] {
        /// mission to fly next, by the game's own numbers
        mission: i32 = edit(listed MISSION) @ 0x000;
        /// the pilot's call sign, which is also the beginning of the file's name
        call_sign: Terminated<32, Windows> = edit(nonempty) @ 0x004;
        /// the pilot's rank
        rank: i32 = edit(names RANK) @ 0x024;
        /// level of ships and missiles that the campaign offers
        tier: i32 = edit(names TIER) @ 0x028;
        /// kills over the whole campaign
        kills: i32 = edit(0..=2147483647) @ 0x02C;
        /// deaths in a multiplayer mission, 0 in single player
        deaths: i32 = edit(0..=2147483647) @ 0x030;
        medals: Array<Medal, 6> = read @ 0x034;
        ribbons: Array<Ribbon, 6> = read @ 0x04C;
        /// the first is mission 1
        ratings: Array<Rating, 28> = read @ 0x064;
        /// the second is mission 1
        mission_kills: Array<Kills, 28> = read @ 0x09C;
        /// the first is mission 1
        mission_pickups: Array<Pickup, 28> = read @ 0x0D4;
        /// times the pilot was picked up so far; a third ends the career
        pickups: i16 = edit(0..=2) @ 0x10C;
        /// the first is mission 1
        promotions: Array<Promotion, 28> = read @ 0x10E;
        unused_146: u16 = junk @ 0x146;
        /// seed of the killboard's other pilots
        killboard_seed: i32 = edit @ 0x148;
        /// difficulty of the campaign
        difficulty: i16 = edit(names DIFFICULTY) @ 0x14C;
        /// 1 where the pilot is a woman
        female: i16 = edit(0..=1) @ 0x14E;
        /// ship that the loadout starts on
        ship: i16 = edit(names SHIP) @ 0x150;
        racks: Array<Rack, 20> = read @ 0x152;
        unused_17a: u16 = junk @ 0x17A;
    }

    /// Variables of the campaign's scripts. starlancer.md 6.
    pub Vars [120] {
        /// script variable 16, named by no script of the game
        var_16: i32 = edit(0..=1);
        /// 1: the Krasnaya got away in mission 8
        krasnaya_alive: i32 = edit(0..=1);
        /// 1: the Rameses came through mission 7
        rameses_alive: i32 = edit(0..=1);
        /// 1: Kozah is alive; nothing asks for it
        kozah_alive: i32 = edit(0..=1);
        /// script variable 20, unused
        var_20: i32 = edit(0..=1);
        /// script variable 21, unused
        var_21: i32 = edit(0..=1);
        /// 1: McGann is alive
        mcgann_alive: i32 = edit(0..=1);
        /// 1: the gate of mission 3 stands; missions 4, 11, 20 and 26 depend on it
        fixed_gate_alive: i32 = edit(0..=1);
        /// 1: the gate of mission 16 stands
        warp_gate_alive: i32 = edit(0..=1);
        /// script variable 6, of unknown meaning; mission 27 clears it
        var_06: i32 = edit(0..=1);
        /// 1: Ivan Petrov is alive; chooses a news report at the end of the story
        ivan_petrov_alive: i32 = edit(0..=1);
        /// 1: Kulov is alive; chooses a news report at the end of the story
        kulov_alive: i32 = edit(0..=1);
        /// 1: Al-Rahan is alive; 0 in a new campaign
        al_rahan_alive: i32 = edit(0..=1);
        /// 1: Sharif is alive; 0 in a new campaign, nothing asks for it
        sharif_alive: i32 = edit(0..=1);
        /// 1: Steiner is alive; chooses between two news reports
        steiner_alive: i32 = edit(0..=1);
        /// script variable 24, unused
        var_24: i32 = edit(0..=1);
        /// script variable 25, unused
        var_25: i32 = edit(0..=1);
        /// script variable 26, unused
        var_26: i32 = edit(0..=1);
        /// how the last mission that the pilot came through ended
        last_success: i32 = edit(names LAST_RATING);
        /// 1: the Czar came through mission 11
        czar_alive: i32 = edit(0..=1);
        /// 1: Ghost is alive
        ghost_alive: i32 = edit(0..=1);
        /// script variable 31, unused
        var_31: i32 = edit(0..=1);
        /// 1: the Reliant flies; decides where one lands and how a failure ends
        reliant_alive: i32 = edit(0..=1);
        /// 1: the third report of chapter 2 was shown; cleared before each attempt at a mission
        chapter2_thread3_shown: i32 = edit(0..=1);
        /// 1: the Yamato is alive
        yamato_alive: i32 = edit(0..=1);
        /// written by no version of the game
        unwritten_25: i32 = read;
        /// written by no version of the game
        unwritten_26: i32 = read;
        /// written by no version of the game
        unwritten_27: i32 = read;
        /// written by no version of the game
        unwritten_28: i32 = read;
        /// written by no version of the game
        unwritten_29: i32 = read;
    }

    /// The first of the pilots that replace dead wingmen. starlancer.md 7.
    pub Pilo [4] {
        /// the pilot, ego in the game as it was sold
        pilot: i16 = edit(names PILOT);
        /// whether he is dead, in the wing or free
        status: u8 = edit(names STATUS);
        unused: u8 = junk;
    }

    /// The player's wing. starlancer.md 8.
    pub Alph [12] {
        /// the player, always -1
        alpha_1: i16 = read;
        wing: Array<Wingman, 5> = read;
    }
}
