//! Objects: everything in a scene that moves. lba2.md 7.3. Object 0 is the hero, object 1 the penguin.

use crate::formats::lba2::names::{
    ANIM, ANIM_MODE, BODY, MOVE, OBJECT_FLAG, OPTION_FLAG, SWITCH_FUNC, SWITCH_TYPE, WORK_FLAG,
};
use crate::record;
use crate::tree::record::Slot;

record! {
    /// The hero's body, by name. lba2.md 7.3.
    pub HeroBody [1] {
        /// what he wears; after an edit write tunic, which the game replaces by what suits
        gen_body: u8 = edit(names BODY) @ 0;
    }
    /// The hero's life. lba2.md 7.3.
    pub HeroLife [2] {
        /// life points; at 0 a clover goes
        life: i16 = edit(1..=255) @ 0;
    }
    /// An object of the scene. lba2.md 7.3.
    pub Object [276, 304] {
        /// body of its kind, 255 none
        gen_body: u8 = edit @ 0;
        /// last collision with the scenery
        collision: u8 = edit @ 1;
        /// animation that runs
        gen_anim: u16 = edit(names ANIM) @ 2;
        /// animation that follows
        next_gen_anim: u16 = edit(names ANIM) @ 4;
        /// X in the frame before
        old_x: i32 = edit @ 6;
        /// Y in the frame before
        old_y: i32 = edit @ 10;
        /// Z in the frame before
        old_z: i32 = edit @ 14;
        /// by movement: left edge of the clip, radius, a time, side of a turn
        info0: i32 = edit @ 18;
        /// by movement: top edge of the clip, starting angle; of the penguin its counter among the incrusts
        info1: i32 = edit @ 22;
        /// by movement: right edge of the clip, starting time
        info2: i32 = edit @ 26;
        /// by movement: object that it follows, track point, frames a second, top of a ladder
        info3: i32 = edit @ 30;
        /// X of the great blow or the push, or the number of a 3DS animation
        coord_x: i32 = edit @ 34;
        /// Y of the great blow or the push, or the first frame
        coord_y: i32 = edit @ 38;
        /// Z of the great blow or the push, or the last frame
        coord_z: i32 = edit @ 42;
        /// half the box of the great blow
        hit_size: i16 = edit @ 46;
        /// object that hit it in this frame, 255 none
        hit_by: u8 = edit @ 48;
        /// strength of its own blow in this frame
        hit_force: u8 = edit @ 49;
        /// life points, 0 dead
        life: i16 = edit(0..=255) @ 50;
        /// bonus that it leaves
        option_flags: i16 = edit(bits OPTION_FLAG) @ 52;
        /// number of its sprite, where it is one
        sprite: i16 = edit @ 54;
        /// place of the last label that its track script passed
        track_label_offset: i16 = edit @ 56;
        /// entry of the 3D descriptions
        file3d_index: i32 = edit(-1..=100000) @ 58;
        /// resistance to blows
        armour: u8 = edit @ 62;
        /// box around it, from its position
        box_x_min: i16 = edit @ 63;
        /// box around it, from its position
        box_x_max: i16 = edit @ 65;
        /// box around it, from its position
        box_y_min: i16 = edit @ 67;
        /// box around it, from its position
        box_y_max: i16 = edit @ 69;
        /// box around it, from its position
        box_z_min: i16 = edit @ 71;
        /// box around it, from its position
        box_z_max: i16 = edit @ 73;
        /// facing in the frame before
        old_beta: i32 = edit @ 75;
        /// speed of the turn in progress
        turn_speed: i32 = edit @ 79;
        /// rest of the turn in progress
        turn_acc: i32 = edit @ 83;
        /// game clock of the turn's last step, ms
        turn_time_ms: u32 = edit @ 87;
        /// angle now; what is not steered faces there in the next frame
        turn_current: i32 = edit(0..=4095) @ 91;
        /// angle at the end of the turn
        turn_end: i32 = edit(0..=4095) @ 95;
        /// place in its track script, -1 stopped
        track_offset: i16 = edit @ 99;
        /// rate of turning; speed of sprites and wagons
        turn_rate: i16 = edit @ 101;
        /// place in its life script, -1 stopped
        life_offset: i16 = edit @ 103;
        /// animation of speaking
        talk_anim: u16 = edit(names ANIM) @ 105;
        /// what carries it: an object, scenery with 1024 added, -1 nobody
        carried_by: i16 = edit @ 107;
        /// kind of movement
        r#move: u8 = edit(names MOVE) @ 109;
        /// object that it touches, 255 none
        touching: u8 = edit @ 110;
        /// scenaric zone that it stands in, -1 none
        scenaric_zone: i16 = edit @ 111;
        /// last label that its track script passed, -1 none
        track_label: i16 = edit @ 113;
        /// place in the track script that a script put aside
        saved_track_offset: i16 = edit @ 115;
        /// place in the life script that a script put aside
        saved_life_offset: i16 = edit @ 117;
        /// what it is
        flags: u32 = edit(bits OBJECT_FLAG) @ 119;
        /// what goes on in this frame
        work_flags: u32 = edit(bits WORK_FLAG) @ 123;
        /// how far a sliding door is open
        door_width: i16 = edit @ 127;
        /// how its animation goes on
        anim_mode: u8 = edit(names ANIM_MODE) @ 129;
        /// ground below it: kind of floor times 16, and the sound of a step
        floor_code: u8 = edit @ 130;
        /// what a SWITCH of its script is about
        switch_func: u8 = edit(names SWITCH_FUNC) @ 131;
        /// type of the SWITCH's value
        switch_type: u8 = edit(names SWITCH_TYPE) @ 132;
        /// value of the SWITCH
        switch_value: i16 = edit @ 133;
        /// handle of its lasting sound, 0 none
        loop_sample: i32 = edit @ 135;
        /// volume of the lasting sound
        loop_volume: u8 = edit(0..=127) @ 139;
        /// X in the world
        x: i32 = edit @ 140;
        /// Y in the world, up
        y: i32 = edit @ 144;
        /// Z in the world
        z: i32 = edit @ 148;
        /// pitch
        alpha: i32 = edit @ 152;
        /// facing, 4096 to the turn: 0 +Z, 1024 +X, 2048 -Z, 3072 -X
        beta: i32 = edit(0..=4095) @ 156;
        /// roll
        gamma: i32 = edit @ 160;
        /// body file or sprite, -1 not shown; a load finds it again from gen_body
        body: i32 = edit @ 164, 164;
        /// upper half of the slot, no part of the number
        body_high: u32 = junk @ _, 168;
        /// body that it changes to
        next_body: i32 = edit @ 168, 172;
        /// upper half of the slot, no part of the number
        next_body_high: u32 = junk @ _, 176;
        /// animation file, -1 none; a load finds it again from gen_anim
        anim: i32 = edit @ 172, 180;
        /// upper half of the slot, no part of the number
        anim_high: u32 = junk @ _, 184;
        /// address, made again by a load
        texture_ptr: Slot = ptr @ 176, 188;
        /// address, made again by a load
        next_texture_ptr: Slot = ptr @ 180, 196;
        /// 1 when last_frame_offset is an address
        last_frame_is_ptr: u32 = edit(0..=1) @ 184, 204;
        /// frame that it comes from, -1 a pose of its own
        last_frame: i32 = edit @ 188, 208;
        /// place of that frame in the animation, or an address
        last_frame_offset: u32 = edit @ 192, 212;
        /// upper half of the slot, dropped by a load
        last_frame_offset_high: u32 = junk @ _, 216;
        /// game clock at that frame, ms
        last_frame_time_ms: u32 = edit @ 196, 220;
        /// bones of that frame
        last_groups: u32 = edit @ 200, 224;
        /// frame that it goes to
        next_frame: i32 = edit @ 204, 228;
        /// place of that frame in the animation
        next_frame_offset: u32 = edit @ 208, 232;
        /// upper half of the slot, dropped by a load
        next_frame_offset_high: u32 = junk @ _, 236;
        /// game clock at that frame, ms
        next_frame_time_ms: u32 = edit @ 212, 240;
        /// bones of that frame
        next_groups: u32 = edit @ 216, 244;
        /// frame to begin again at
        loop_frame: i32 = edit @ 220, 248;
        /// place of that frame in the animation
        loop_frame_offset: u32 = edit @ 224, 252;
        /// frames of the animation
        frames: u32 = edit @ 228, 256;
        /// movement done in this frame; of a door its closed place
        step_x: i32 = edit @ 232, 260;
        /// movement done in this frame; of a door its closed place
        step_y: i32 = edit @ 236, 264;
        /// movement done in this frame; of a door its closed place
        step_z: i32 = edit @ 240, 268;
        /// turn done in this frame
        step_alpha: i32 = edit @ 244, 272;
        /// turn done in this frame
        step_beta: i32 = edit @ 248, 276;
        /// turn done in this frame
        step_gamma: i32 = edit @ 252, 280;
        /// how far between the two frames, of 65536
        interpolator: u32 = edit(0..=65535) @ 256, 284;
        /// game clock of the last change, ms
        time_ms: u32 = edit @ 260, 288;
        /// 1 frame reached, 2 last frame, 4 changed, 8 body changed
        status: u32 = edit @ 264, 292;
        /// what the animation moves
        master: u32 = edit @ 268, 296;
        /// bones of the pose now
        groups: u32 = edit @ 272, 300;
    }
}
