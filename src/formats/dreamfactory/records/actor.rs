//! Container 2. dreamfactory.md 6.

use super::Pstr16;
use crate::record;
use crate::tree::record::Flag;

// `visible` stands last, although it comes first in the file: it needs the set, and so an actor can be copied over
// another field by field in the order of the listing.
record! {
    /// An actor. dreamfactory.md 6.
    pub Actor [160, 164] {
        /// manifest handle of its cast file
        cast: u32 = key @ 2, 2;
        /// rebuilt by the loader
        member: u32 = ptr @ 6, _;
        /// container of its logic in the cast; tells which member it is
        logic: u16 = read @ 10, _;
        /// container of its script in the cast
        script: u16 = read @ 14, _;
        /// placed in the world; follows the set
        is3d: i16 = derived @ 18, 18;
        /// place on the screen, down; only used when it is not in the world
        screen_y: i16 = read @ 20, 20;
        /// place on the screen, across; only used when it is not in the world
        screen_x: i16 = read @ 22, 22;
        /// facing, 256 to the turn
        deg: i16 = edit(0..=255) @ 24, 24;
        /// place in the set, across
        x: i16 = edit @ 26, 26;
        /// place in the set, into the picture
        y: i16 = edit @ 28, 28;
        /// place in the set, up
        z: i16 = edit @ 30, 30;
        /// how fast it turns
        turn: i16 = edit(0..=32767) @ 32, 36;
        /// step of the pose; back to 0 when the pose changes
        step: i16 = derived @ 34, _;
        /// steps of the pose
        steps: i16 = read @ 36, _;
        /// how fast it walks
        speed: i16 = edit(0..=32767) @ 38, 40;
        /// distance when it was last drawn, -1 when it was not
        draw_distance: i16 = read @ 40, _;
        /// size, 1000 is natural, 0 is never drawn
        scale: i16 = edit(0..=32767) @ 42, 44;
        /// grows by one for each actor that is made
        serial: i16 = derived @ 46, _;
        /// rectangle it was last drawn in
        rectangle: [i16; 4] = junk @ 54, 56;
        /// more of what was last drawn
        drawn: [i16; 3] = junk @ 62, 64;
        /// what scripts count, mostly conversations
        value: i32 = edit @ 72, _;
        /// nearest distance at which it is drawn
        zclip: i16 = edit @ 76, _;
        /// resource lock
        lock: i16 = read @ 78, _;
        /// its name
        name: Pstr16 = read @ 80, 84;
        /// set it is in, empty when it was never placed
        set: Pstr16 = edit @ 96, 100;
        /// star of the set it stands on, or a word like `custom`
        star: Pstr16 = edit @ 112, 116;
        /// what it does: `stand`, `walk`, `dead`
        pose: Pstr16 = edit(nonempty) @ 128, 132;
        /// who has it; `none` for nobody
        owner: Pstr16 = edit(nonempty) @ 144, 148;
        /// drawn; needs a set
        visible: Flag = edit @ 0, 0;
    }
}
