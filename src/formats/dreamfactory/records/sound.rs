//! Container 6 and the three lists of each track. dreamfactory.md 9.

use super::Pstr16;
use crate::record;

record! {
    /// An open track, a bank of sounds. dreamfactory.md 9.
    pub Track [40, 38] {
        /// manifest handle of the bank's file
        handle: u32 = key @ 0, 0;
        /// records of the registered list
        registered_count: u16 = derived @ 4, 4;
        /// records of the playing list
        playing_count: u16 = derived @ 6, 6;
        /// records of the looping list
        looping_count: u16 = derived @ 8, 8;
        /// rebuilt by the loader
        registered_memory: u32 = ptr @ 10, 10;
        /// rebuilt by the loader
        playing_memory: u32 = ptr @ 14, 14;
        /// rebuilt by the loader
        looping_memory: u32 = ptr @ 18, 18;
        /// name of the bank; in Dust it may be that of another file
        name: Pstr16 = read @ 22, 22;
        /// 1 for the bank of the inventory
        word: u16 = read @ 38, _;
    }
    /// A sound of a track. dreamfactory.md 9.
    pub Sound [104] {
        /// container of the sound in its bank
        location: u16 = read @ 0;
        /// index of the track, in the registered list
        track: u16 = junk @ 2;
        /// loudness
        volume: u16 = edit(0..=255) @ 4;
        /// 0 left, 128 centre, 255 right
        pan: u16 = edit(0..=255) @ 6;
        /// identifier of the sound
        name: Pstr16 = read @ 8;
        /// what the game had in memory
        memory: [u32; 20] = junk @ 24;
    }
}
