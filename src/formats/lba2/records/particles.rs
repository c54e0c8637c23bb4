//! What comes and goes in a scene: extras, zones, incrusts, flows and their dots. lba2.md 7.5 to 7.9.

use crate::formats::lba2::names::{DOT_MODE, EXTRA_FLAG, FLOW_FLAG};
use crate::record;
use crate::tree::record::Slot;

record! {
    /// A projectile, a bonus or debris. lba2.md 7.5.
    pub Extra [68, 80] {
        /// X in the world
        x: i32 = edit @ 0;
        /// Y in the world, up
        y: i32 = edit @ 4;
        /// Z in the world
        z: i32 = edit @ 8;
        /// X of the start of a flight, else speed
        u0: i32 = edit @ 12;
        /// Y of the start of a flight, else rest of the movement
        u1: i32 = edit @ 16;
        /// Z of the start of a flight, else time of the last step
        u2: i32 = edit @ 20;
        /// of an outline: scale now
        info: i32 = edit @ 24;
        /// padding of the wide layout
        pad_before: u32 = junk @ _, 28;
        /// address; of an outline (sprite -32768) how long it grows, ms
        body_ptr: Slot = ptr @ 28, 32;
        /// sprite, or -32768 outline, -32765 3D object, -32764 brick of the maze
        sprite: i16 = edit @ 32, 40;
        /// speed
        vx: i16 = edit @ 34, 42;
        /// speed
        vy: i16 = edit @ 36, 44;
        /// speed
        vz: i16 = edit @ 38, 46;
        /// what it is
        flags: u32 = edit(bits EXTRA_FLAG) @ 40, 48;
        /// game clock of its birth, ms
        time_ms: u32 = edit @ 44, 52;
        /// outline or 3D object, -1 a plain sprite
        body: i16 = edit @ 48, 56;
        /// facing; of an outline: last scale
        beta: i16 = edit @ 50, 58;
        /// life time, -1 none
        timeout: i16 = edit @ 52, 60;
        /// amount of a bonus; of an outline: time of a turn, ms
        count: i16 = edit @ 54, 62;
        /// gravity
        weight: u8 = edit @ 56, 64;
        /// damage
        hit_force: u8 = edit @ 57, 65;
        /// object that it came from
        owner: u8 = edit @ 58, 66;
        /// damage when the glove has sent it back
        returned_force: u8 = edit @ 59, 67;
        /// number of the impact; of an outline: angle now
        impact: i32 = edit @ 60, 68;
        /// size, 65536 is 1; of an outline: first scale
        scale: i32 = edit @ 64, 72;
        /// padding of the wide layout
        pad_after: u32 = junk @ _, 76;
    }
    /// What a zone of the scene remembers; its type is in the scene file. lba2.md 7.7.
    pub Zone [16] {
        /// by type: arrival Y, view origin, amount, ladder usable, conveyor runs, damage
        info1: i32 = edit;
        /// by type: arrival Z, view origin, taken, direction, pause
        info2: i32 = edit;
        /// by type: quarter turns, pitch, end of a pause
        info3: i32 = edit;
        /// by type: flags, 1 on at start, 2 on, 4 applied, 8 every frame
        info7: i32 = edit;
    }
    /// A text, counter or item drawn over the scene. lba2.md 7.8.
    pub Incrust [16] {
        /// text, value, sprite or object
        number: i16 = edit @ 0;
        /// X on the screen
        x: i16 = edit @ 2;
        /// Y on the screen; of a counter the value shown
        y: i16 = edit @ 4;
        /// kind in the low byte: 0 sprite, 1 number, 2 counter, 3 object, 4 text, 5 item, 6 system text, 7 lightning, 8 rain; 256 added: y counts from the window's top
        r#type: i16 = edit @ 6;
        /// colour or owner
        info: i16 = edit @ 8;
        /// low byte: 0 waits then goes, 1 follows object info, 2 counts down following the object in the high byte
        r#move: i16 = edit @ 10;
        /// game clock of its end, ms
        end_time_ms: u32 = edit @ 12;
    }
    /// A jet of particles. lba2.md 7.9.
    pub Flow [60, 64] {
        /// what it is
        flags: i32 = edit(bits FLOW_FLAG) @ 0;
        /// object that it comes from
        owner: i32 = edit @ 4;
        /// point of that object's body
        point: i32 = edit @ 8;
        /// particles that it was made with, at least those stored
        dots_allocated: i32 = edit(1..=100) @ 12;
        /// X in the world
        origin_x: i32 = edit @ 16;
        /// Y in the world, up
        origin_y: i32 = edit @ 20;
        /// Z in the world
        origin_z: i32 = edit @ 24;
        /// box around it
        box_x_min: i32 = edit @ 28;
        /// box around it
        box_y_min: i32 = edit @ 32;
        /// box around it
        box_z_min: i32 = edit @ 36;
        /// box around it
        box_x_max: i32 = edit @ 40;
        /// box around it
        box_y_max: i32 = edit @ 44;
        /// box around it
        box_z_max: i32 = edit @ 48;
        /// game clock of its start, ms
        start_time_ms: u32 = edit @ 52;
        /// address, made again by a load
        dots_ptr: Slot = ptr @ 56, 56;
    }
    /// A particle of a jet. lba2.md 7.9.
    pub Dot [40] {
        /// X in the world
        x: i32 = edit;
        /// Y in the world, up
        y: i32 = edit;
        /// Z in the world
        z: i32 = edit;
        /// speed
        vx: i32 = edit;
        /// speed
        vy: i32 = edit;
        /// speed
        vz: i32 = edit;
        /// ms before it starts
        delay: i32 = edit;
        /// gravity
        weight: i32 = edit;
        /// colour of the palette
        colour: i32 = edit(0..=255);
        /// what it does
        mode: i32 = edit(names DOT_MODE);
    }
}
