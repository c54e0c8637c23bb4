//! Container 1: where the player stands. dreamfactory.md 5.

use super::Pstr16;
use crate::record;

record! {
    /// Where the player is. dreamfactory.md 5.1, 5.2.
    pub Location [786, 542] {
        /// counter of displayed frames, 20 a second
        frame: u32 = edit @ 442, 248;
        /// frame rate
        framerate: u32 = read @ 446, 252;
        /// name of the set, without extension; the file decides the room, not this
        set: Pstr16 = edit(nonempty) @ 596, 482;
        /// manifest handle of the set's file
        set_handle: u32 = key @ 544, 396;
        /// container of the set's file that lists its actors
        actor_register: u32 = edit @ 644, 416;
    }
    /// What the player looks at in Titanic. dreamfactory.md 5.1.
    pub TitanicView [786] {
        /// the stage that is open
        stage: Pstr16 = read @ 520;
        /// manifest handle of the stage's file
        stage_handle: u32 = key @ 500;
        /// scene of the set
        scene: Pstr16 = edit(nonempty) @ 612;
        /// view of the scene
        view: Pstr16 = edit(nonempty) @ 628;
        /// container of the set's file that lists its scenes
        scene_register: u32 = edit @ 652;
        /// scenes in that list
        scene_count: u32 = edit @ 656;
        /// heading of the camera, 256 to the turn
        camera_heading: u16 = read @ 580;
        /// camera, across
        camera_x: i16 = read @ 582;
        /// camera, into the picture
        camera_y: i16 = read @ 584;
        /// camera, up
        camera_z: i16 = read @ 586;
    }
    /// What the player looks at in Dust. dreamfactory.md 5.2, 5.5.
    pub DustView [542] {
        /// the flat that is open
        flat: Pstr16 = read @ 372;
        /// manifest handle of the flat's file
        flat_handle: u32 = key @ 356;
        /// container of the set's file that lists its transitions
        transition_register: u32 = edit @ 404;
        /// how far the eye is behind the camera's place
        setback: i16 = edit @ 428;
        /// height of the eye in this set
        eye_height: i16 = edit @ 430;
        /// cell of the set, across
        column: u16 = edit(0..=255) @ 446;
        /// cell of the set, into the picture
        row: u16 = edit(0..=255) @ 448;
        /// 1 north, 2 south, 3 east, 4 west
        facing: u16 = edit(1..=4) @ 450;
        /// second copy of the column
        column_copy: u16 = junk @ 452;
        /// second copy of the row
        row_copy: u16 = junk @ 454;
        /// second copy of the facing
        facing_copy: u16 = junk @ 456;
        /// heading, 256 to the turn: 192 north, 64 south, 0 east, 128 west; anything else is a camera caught mid-turn
        heading: u16 = edit(0..=255) @ 458;
        /// camera, across; follows the cell
        camera_x: u16 = derived @ 460;
        /// camera, into the picture; follows the cell
        camera_y: u16 = derived @ 462;
        /// eye, across
        eye_x: u16 = junk @ 472;
        /// eye, into the picture
        eye_y: u16 = junk @ 474;
        /// height of the eye, a copy
        eye_z: i16 = junk @ 476;
        /// the puppet that is open
        puppet: Pstr16 = read @ 526;
        /// manifest handle of the puppet's file, 0 when none is open
        puppet_handle: u32 = key @ 506;
    }
    /// The lists of open things, each a handle and a count. dreamfactory.md 5.3.
    pub Lists [786, 542] {
        /// rebuilt by the loader
        actors: u32 = ptr @ 452, 312;
        /// records of container 2; takes only that number
        actor_count: u32 = edit @ 456, 316;
        /// rebuilt by the loader
        casts: u32 = ptr @ 460, 320;
        /// records of container 3; takes only that number
        cast_count: u32 = edit @ 464, 324;
        /// rebuilt by the loader
        props: u32 = ptr @ 468, 328;
        /// records of container 4; takes only that number
        prop_count: u32 = edit @ 472, 332;
        /// rebuilt by the loader
        shops: u32 = ptr @ 476, 336;
        /// records of container 5; takes only that number
        shop_count: u32 = edit @ 480, 340;
        /// rebuilt by the loader
        tracks: u32 = ptr @ 484, 344;
        /// records of container 6; takes only that number
        track_count: u32 = edit @ 488, 348;
    }
    /// Words of Titanic's location whose meaning is not known, pointers and sizes. dreamfactory.md 5.1.
    pub TitanicRest [786] {
        /// 1 1 1 1
        stage_flags: [u16; 4] = read @ 492;
        /// rebuilt by the loader
        stage_memory: u32 = ptr @ 512;
        /// 1
        stage_open: u32 = read @ 516;
        /// 1 1 1 1
        set_flags: [u16; 4] = read @ 536;
        /// rebuilt by the loader
        set_memory: u32 = ptr @ 548;
        /// 1 688 16520
        set_words: [u32; 3] = read @ 552;
        /// width and height of the set's viewport
        viewport: [u16; 2] = read @ 566;
        /// centre of the viewport
        viewport_centre: [u16; 2] = read @ 574;
        /// second copy of the camera
        camera_copy: [i16; 4] = read @ 588;
        /// rebuilt by the loader
        actor_register_memory: u32 = ptr @ 648;
        /// rebuilt by the loader
        scene_memory: u32 = ptr @ 660;
        /// rebuilt by the loader
        view_memory: u32 = ptr @ 668;
        /// 4
        view_word: u32 = read @ 672;
        /// six pointers, rebuilt by the loader
        memory: [u32; 6] = junk @ 676;
        /// `untitled`
        text: Pstr16 = read @ 700;
        /// unknown
        words: [u16; 10] = read @ 718;
        /// sizes of the screen and of the viewport
        screen: [u16; 4] = read @ 770;
        /// not restored
        unrestored: u32 = junk @ 778;
        /// manifest handle of the file that the game started with; not restored
        boot_handle: u32 = key @ 782;
    }
}
