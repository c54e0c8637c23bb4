//! The records of a context that do not change with the layout. lba2.md 5, 7.1, 7.2, 7.7 to 7.10.

mod object;
mod particles;

pub use object::{HeroBody, HeroLife, Object};
pub use particles::{Dot, Extra, Flow, Incrust, Zone};

use super::names::{
    BALL_FLAG, BEHAVIOUR, BODY, BOOLEAN, CLIMBING, DART_FLAG, ITEM_FLAG, SLATE_IMAGE, WEAPON,
};
use crate::record;
use crate::tree::record::Bool;

record! {
    /// A game variable. lba2.md 5.1.
    pub Variable [2] {
        /// value
        value: i16 = edit @ 0;
    }
    /// The chapter, a game variable that indexes a table of 20. lba2.md 5.1.
    pub Chapter [2] {
        /// chapter of the story
        value: i16 = edit(0..=19) @ 0;
    }
    /// A variable that is a set of 16 films. lba2.md 5.1.
    pub Films [2] {
        /// films seen, a bit each
        value: u16 = edit @ 0;
    }
    /// A variable that savefs keeps. lba2.md 5.1, variable 8.
    pub Copied [2] {
        /// copy of the currency that this planet does not spend; edit kashes or zlitos
        value: i16 = derived @ 0;
    }
    /// A variable of the present scene's scripts. lba2.md 5.
    pub SceneVariable [1] {
        /// value
        value: u8 = edit @ 0;
    }
    /// The state of an item. lba2.md 5.3.
    pub Item [10] {
        /// cost or charge; of use for the horn (22) only, 0..100
        charge: i32 = edit @ 0;
        /// how the inventory treats it
        flags: i32 = edit(bits ITEM_FLAG) @ 4;
        /// which of its looks it has
        state: i16 = edit(0..=3) @ 8;
    }
    /// The values before and between the tables, at their context offsets. lba2.md 5.
    pub Globals [1482] {
        /// how Twinsen moves
        behaviour: u8 = edit(names BEHAVIOUR) @ 592;
        /// money of Twinsun; the game cuts it to 999 at the next gain
        kashes: u16 = edit @ 593;
        /// money of Zeelich; the game cuts it to 999 at the next gain
        zlitos: u16 = edit @ 595;
        /// level of the magic ball
        magic_level: u8 = edit(0..=4) @ 597;
        /// magic, in the game at most 20 times the level
        magic_points: u8 = edit(0..=80) @ 598;
        /// small keys held in this scene
        keys: u8 = edit @ 599;
        /// clover boxes owned
        clover_boxes: i16 = edit(0..=10) @ 600;
        /// cell at the origin of the view; camera/target_x follows
        camera_cell_x: i32 = edit(-4194304..=4194303) @ 614;
        /// cell at the origin of the view; camera/target_y follows
        camera_cell_y: i32 = edit(-8388608..=8388607) @ 618;
        /// cell at the origin of the view; camera/target_z follows
        camera_cell_z: i32 = edit(-4194304..=4194303) @ 622;
        /// weapon in hand
        weapon: u8 = edit(names WEAPON) @ 626;
        /// game clock in ms; other times count on it, so do not shift it alone
        game_time: i32 = edit @ 627;
        /// object that the camera follows
        followed_object: u8 = edit @ 631;
        /// behaviour that a script put aside
        saved_behaviour: u8 = edit(names BEHAVIOUR) @ 632;
        /// body that a script put aside
        saved_body: u8 = edit(names BODY) @ 633;
        /// constant of the scene, not computed over the save
        scene_checksum: u32 = derived @ 1339;
    }
    /// Where the hero came into the scene. lba2.md 5.
    pub Restart [12] {
        /// X; -1 is a command, which move_to_scene gives
        x: i32 = edit @ 0;
        /// Y, up
        y: i32 = edit @ 4;
        /// Z
        z: i32 = edit @ 8;
    }
    /// The late globals. lba2.md 7.1.
    pub Late [51] {
        /// action buttons of the frame before
        last_fire_input: i32 = edit @ 0;
        /// direction buttons of the frame before
        last_direction_input: i32 = edit @ 4;
        /// all buttons of the frame before
        last_input: i32 = edit @ 8;
        /// a direction was held in the frame before
        last_direction_flag: i32 = edit(names BOOLEAN) @ 12;
        /// speech balloons are shown
        speech_bubbles: Bool = edit @ 16;
        /// the action key acts in this frame
        action_pressed: u8 = edit(0..=1) @ 17;
        /// item just used, -1 none
        inventory_action: i32 = edit(-1..=39) @ 18;
        /// slot of the flying ball among the extras, -1 none
        magic_ball_extra: i32 = edit(-1..=49) @ 22;
        /// last throw: 0 straight, 1 bouncing, 5 to a key
        magic_ball_type: u8 = edit(0..=5) @ 26;
        /// bounces left, runs through 0 to 255
        magic_ball_bounces: u8 = edit @ 27;
        /// state of the ball
        magic_ball_flags: i32 = edit(bits BALL_FLAG) @ 28;
        /// on a ladder
        climbing: u8 = edit(names CLIMBING) @ 32;
        /// height where the present fall began
        fall_start_y: i32 = edit @ 33;
        /// 1 when a camera zone held the view
        camera_zone: u8 = edit(0..=1) @ 37;
        /// selected box of the inventory
        inventory_cursor: i32 = edit(0..=34) @ 38;
        /// slot of the extra that a horn bonus chases, -1 none
        horn_extra: i32 = edit(-1..=49) @ 42;
        /// a penguin runs
        penguin_active: Bool = edit @ 46;
        /// address of the ladder zone: may be set to 0 and to nothing else
        ladder_zone_pointer: u32 = edit(0..=0) @ 47;
    }
    /// A dart. lba2.md 7.2.
    pub Dart [28] {
        /// X in the world
        x: i32 = edit @ 0;
        /// Y in the world, up
        y: i32 = edit @ 4;
        /// Z in the world
        z: i32 = edit @ 8;
        /// pitch, 4096 to the turn
        alpha: i32 = edit(0..=4095) @ 12;
        /// facing, 4096 to the turn
        beta: i32 = edit(0..=4095) @ 16;
        /// scene that it lies in, -1 not found yet
        cube: i32 = edit(-1..=222) @ 20;
        /// whether Twinsen carries it; variable 2 follows
        flags: u32 = edit(bits DART_FLAG) @ 24;
    }
    /// The camera. lba2.md 7.10.
    pub Camera [32] {
        /// distance of the camera
        distance: i32 = edit @ 0;
        /// pitch
        alpha: i32 = edit @ 4;
        /// yaw, 4096 to the turn
        beta: i32 = edit(0..=4095) @ 8;
        /// roll
        gamma: i32 = edit @ 12;
        /// yaw off the hero's facing
        beta_offset: i32 = edit @ 16;
        /// point looked at; camera_cell_x follows, 512 to the cell
        target_x: i32 = edit @ 20;
        /// point looked at; camera_cell_y follows, 256 to the cell
        target_y: i32 = edit @ 24;
        /// point looked at; camera_cell_z follows, 512 to the cell
        target_z: i32 = edit @ 28;
    }
    /// What follows the camera, up to the cars. lba2.md 7.10.
    pub View [39] {
        /// black bands
        cinema_mode: Bool = edit @ 0;
        /// when the bands began to move, ms
        cinema_time_ms: i32 = edit @ 1;
        /// where the bands were
        cinema_last_y: i32 = edit @ 5;
        /// height of the bands at the start, pixels
        cinema_start_y: i32 = edit @ 9;
        /// how long they move, ms
        cinema_duration_ms: i32 = edit @ 13;
        /// top of the play window
        clip_y_min: i32 = edit @ 17;
        /// bottom of the play window
        clip_y_max: i32 = edit @ 21;
        /// textures move
        animate_textures: Bool = edit @ 25;
        /// pitch of the scripts' sounds
        sample_pitch_shift: i32 = edit @ 26;
        /// frequency of the scripts' sounds
        sample_frequency: i32 = edit @ 30;
        /// volume of the scripts' sounds
        sample_volume: i32 = edit @ 34;
        /// object that is the car; 128 added when the car is in this scene
        car_object: u8 = edit @ 38;
    }
    /// A car; the game uses the first only. lba2.md 7.10.
    pub Car [112] {
        /// X in the world
        x: i32 = edit;
        /// Y in the world, up
        y: i32 = edit;
        /// Z in the world
        z: i32 = edit;
        /// scene that it is in
        cube: i32 = edit(0..=222);
        /// facing, 4096 to the turn
        beta: i32 = edit;
        /// pitch
        alpha: i32 = edit;
        /// roll
        gamma: i32 = edit;
        /// how far wheel 0 has rolled
        wheel0_angle: i32 = edit;
        /// place of wheel 0
        wheel0_x: i32 = edit;
        /// place of wheel 0
        wheel0_y: i32 = edit;
        /// place of wheel 0
        wheel0_z: i32 = edit;
        /// how far wheel 1 has rolled
        wheel1_angle: i32 = edit;
        /// place of wheel 1
        wheel1_x: i32 = edit;
        /// place of wheel 1
        wheel1_y: i32 = edit;
        /// place of wheel 1
        wheel1_z: i32 = edit;
        /// how far wheel 2 has rolled
        wheel2_angle: i32 = edit;
        /// place of wheel 2
        wheel2_x: i32 = edit;
        /// place of wheel 2
        wheel2_y: i32 = edit;
        /// place of wheel 2
        wheel2_z: i32 = edit;
        /// how far wheel 3 has rolled
        wheel3_angle: i32 = edit;
        /// place of wheel 3
        wheel3_x: i32 = edit;
        /// place of wheel 3
        wheel3_y: i32 = edit;
        /// place of wheel 3
        wheel3_z: i32 = edit;
        /// angle of the front wheels
        steering: i32 = edit;
        /// gain of speed
        acceleration: i32 = edit;
        /// speed of the steering
        steering_speed: i32 = edit;
        /// speed
        speed: i32 = edit;
        /// game clock of its last move, ms
        time_ms: i32 = edit;
    }
    /// A place of the slate. lba2.md 7.10.
    pub SlatePlace [1] {
        /// picture on the magic slate; slate/count follows
        image: i8 = edit(names SLATE_IMAGE) @ 0;
    }
    /// What follows the pictures of the slate. lba2.md 7.10.
    pub Slate [2] {
        /// picture shown, below the number of pictures
        current: u8 = edit(0..=4) @ 0;
        /// number of pictures
        count: u8 = derived @ 1;
    }
    /// The last value of a context. lba2.md 7.10.
    pub Preset [4] {
        /// camera: 0 near, 1 far
        camera_preset: i32 = edit(0..=1) @ 0;
    }
    /// What follows the context. lba2.md 8.
    pub Ground [8] {
        /// other than 0: the hero stands on safe ground, and there is no checkpoint
        position_valid: i32 = edit @ 0;
        /// the same for the frame before
        last_position_valid: i32 = edit @ 4;
    }
    /// What follows where the ground is not safe. lba2.md 8.
    pub CheckpointHead [8] {
        /// scene of the checkpoint
        checkpoint_scene: i32 = edit(0..=222) @ 0;
        /// bytes of the checkpoint
        checkpoint_size: i32 = derived @ 4;
    }
}
