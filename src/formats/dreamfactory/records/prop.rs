//! Container 4. dreamfactory.md 7.

use super::Pstr16;
use crate::record;
use crate::tree::record::Flag;

record! {
    /// A prop. dreamfactory.md 7.
    pub Prop [158, 158] {
        /// drawn
        visible: Flag = edit @ 0, 0;
        /// manifest handle of its shop file
        shop: u32 = key @ 2, 2;
        /// rebuilt by the loader
        group: u32 = ptr @ 6, _;
        /// container of its logic in the shop
        logic: u16 = read @ 10, _;
        /// container of its script in the shop
        script: u16 = read @ 14, _;
        /// 0 on the screen, 1 in the world
        is3d: Flag = edit @ 18, 18;
        /// place on the screen, down
        screen_y: i16 = edit @ 20, 20;
        /// place on the screen, across
        screen_x: i16 = edit @ 22, 22;
        /// selects a frame
        deg: i16 = edit(0..=32767) @ 24, 24;
        /// place in the world, across
        x: i16 = edit @ 26, 26;
        /// place in the world, into the picture
        y: i16 = edit @ 28, 28;
        /// place in the world, up
        z: i16 = edit @ 30, 30;
        /// frame of the view; back to 0 when the view changes
        frame: i16 = derived @ 32, _;
        /// frames of the view
        frames: i16 = read @ 34, _;
        /// always 4
        speed: i16 = read @ 36, _;
        /// depth: more negative is nearer
        dist: i16 = edit @ 38, 40;
        /// size, 1000 is natural
        scale: i16 = edit(0..=32767) @ 40, 42;
        /// number of creation
        serial: i16 = read @ 44, _;
        /// a small number for pieces of the interface
        constant: i16 = read @ 48, _;
        /// rectangle it was last drawn in
        rectangle: [i16; 4] = junk @ 52, 52;
        /// another rectangle
        rectangle_2: [i16; 4] = junk @ 60, 60;
        /// what scripts keep
        value: i32 = edit @ 70, _;
        /// nearest distance at which it is drawn
        zclip: i16 = edit @ 74, _;
        /// its name
        name: Pstr16 = read @ 78, 78;
        /// set it is in, for a prop in the world
        set: Pstr16 = edit @ 94, 94;
        /// star of the set it lies on, or `custom`
        star: Pstr16 = edit @ 110, 110;
        /// state that is shown
        view: Pstr16 = edit(nonempty) @ 126, 126;
        /// who has it: `frank` is the player in Titanic, `stranger` in Dust
        owner: Pstr16 = edit(nonempty) @ 142, 142;
    }
}
