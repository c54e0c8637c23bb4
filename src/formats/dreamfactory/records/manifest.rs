//! Container 0, and the lists of containers 3 and 5. dreamfactory.md 4, 8.

use super::{Pstr16, Pstr256};
use crate::record;

record! {
    /// The manifest's fixed part, before its file records. dreamfactory.md 4.
    pub ManifestHead [4880, 4624] {
        /// what the game compares, byte for byte, before it loads the save
        version: Pstr256 = edit @ 0, 0;
        /// label of the disc that was mounted
        disk: Pstr256 = edit(nonempty) @ 256, _;
        /// resource path 0
        path_0: Pstr256 = edit @ 512, 256;
        /// resource path 1
        path_1: Pstr256 = edit @ 768, 512;
        /// resource path 2
        path_2: Pstr256 = edit @ 1024, 768;
        /// resource path 3: the data directory of the mounted disc
        path_3: Pstr256 = edit @ 1280, 1024;
        /// resource path 4
        path_4: Pstr256 = edit @ 1536, 1280;
        /// resource path 5
        path_5: Pstr256 = edit @ 1792, 1536;
        /// resource path 6
        path_6: Pstr256 = edit @ 2048, 1792;
        /// resource path 7
        path_7: Pstr256 = edit @ 2304, 2048;
        /// resource path 8
        path_8: Pstr256 = edit @ 2560, 2304;
        /// handle of the bank whose theme is playing, 0 for none
        loop_bank: u32 = key @ 2816, 2560;
        /// handle of the bank of the single sound that is playing, 0 for none
        playing_bank: u32 = key @ 2820, 2564;
        /// container of that sound in its bank
        chunk: u32 = read @ 2824, 2568;
        /// file records that follow
        file_count: u32 = derived @ 4876, 4620;
    }
    /// A colour of the palette. dreamfactory.md 4.
    pub Colour [8] {
        /// the entry's own number
        index: i16 = read @ 0;
        /// red, 16 bits
        red: u16 = edit @ 2;
        /// green, 16 bits
        green: u16 = edit @ 4;
        /// blue, 16 bits
        blue: u16 = edit @ 6;
    }
    /// A file that was open when the game was saved. dreamfactory.md 4.
    pub File [260] {
        /// old heap handle, by which everything else names this file
        handle: u32 = key @ 0;
        /// resource path and file name; the game uses only what follows the last colon
        path: Pstr256 = read @ 4;
    }
    /// An open file of actors or of props. dreamfactory.md 8.
    pub OpenFile [28] {
        /// manifest handle of the file
        handle: u32 = key @ 0;
        /// rebuilt by the loader
        memory: u32 = ptr @ 4;
        /// always 1
        opened: u32 = read @ 8;
        /// the file's name, in Titanic with its extension
        name: Pstr16 = read @ 12;
    }
}

/// Where the palette begins in container 0.
pub const PALETTE_AT: [usize; 2] = [2828, 2572];
