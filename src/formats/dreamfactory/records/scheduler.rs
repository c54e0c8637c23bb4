//! Loops, crickets, walks and the routes of walks. dreamfactory.md 11.

use super::{LOOP_KIND, Pstr16, WALK_TYPE};
use crate::record;
use crate::tree::record::Flag;

record! {
    /// A handler that runs again and again. dreamfactory.md 11.1.
    pub Loop [42] {
        /// in use
        active: Flag = edit @ 0;
        /// 0
        busy: u16 = read @ 2;
        /// what it belongs to
        kind: u16 = edit(names LOOP_KIND) @ 4;
        /// ticks of 50 ms until it runs
        period: u32 = edit(1..=4294967295) @ 6;
        /// the actor, prop, scene or flat
        name: Pstr16 = edit(nonempty) @ 10;
        /// name of the handler
        handler: Pstr16 = edit(nonempty) @ 26;
    }
    /// A sound that comes back by chance, in Titanic. dreamfactory.md 11.2.
    pub Cricket [74] {
        /// in use
        active: Flag = edit @ 0;
        /// 0
        busy: u16 = read @ 2;
        /// place, across
        x: i16 = edit @ 4;
        /// place, into the picture
        y: i16 = edit @ 6;
        /// how far it is heard
        radius: u32 = edit @ 8;
        /// ticks between two sounds
        base: u32 = edit @ 12;
        /// chance added to that, -1 for a sound that plays once
        jitter: i32 = edit(-1..=2147483647) @ 16;
        /// ticks until the next sound
        next: u32 = edit @ 20;
        /// the listener, across; computed anew
        listener_x: i16 = read @ 24;
        /// the listener, into the picture; computed anew
        listener_y: i16 = read @ 26;
        /// distance to the listener; computed anew
        distance: u32 = read @ 28;
        /// 128 is the centre; computed anew
        pan: u16 = read @ 32;
        /// armed or playing
        armed: u16 = derived @ 34;
        /// loudness of this moment, -1 in a save
        loudness: i16 = derived @ 36;
        /// rebuilt by the loader
        sound: u32 = ptr @ 38;
        /// set it belongs to
        set: Pstr16 = edit(nonempty) @ 42;
        /// sound of an open track
        name: Pstr16 = edit(nonempty) @ 58;
    }
    /// A sound that comes back by chance, in Dust, mostly unmapped. dreamfactory.md 11.2.
    pub DustCricket [48] {
        /// in use; can only be ended
        active: Flag = edit @ 0;
        /// the sound
        name: Pstr16 = read @ 32;
    }
    /// An actor on its way, in Titanic. dreamfactory.md 11.3.
    pub Walk [110] {
        /// in use; ending it frees the actor
        active: Flag = edit @ 0;
        /// waits
        paused: Flag = edit @ 2;
        /// what it does
        r#type: i16 = edit(names WALK_TYPE) @ 4;
        /// facing at the end, -1 when done
        turn_to: i16 = edit(-1..=255) @ 8;
        /// facing of the walker, 256 to the turn
        deg: i16 = edit(0..=255) @ 10;
        /// start, across
        x: i16 = edit @ 12;
        /// start, into the picture
        y: i16 = edit @ 14;
        /// start, up
        z: i16 = edit @ 16;
        /// not 0 where the walk has a route
        payload: u32 = derived @ 18;
        /// way covered
        progress: i32 = edit @ 22;
        /// start minus destination, across; only for a line
        dx: i32 = edit @ 26;
        /// start minus destination, into the picture; only for a line
        dy: i32 = edit @ 30;
        /// start minus destination, up; only for a line
        dz: i32 = edit @ 34;
        /// length of the way; only for a line
        dist: i32 = edit @ 38;
        /// the actor's number in the list of actors
        actor_index: u32 = derived @ 42;
        /// the actor
        actor: Pstr16 = edit(nonempty) @ 46;
        /// star it arrives at
        star: Pstr16 = edit @ 62;
    }
    /// An actor on its way, in Dust. dreamfactory.md 11.4.
    pub DustWalk [82] {
        /// in use; ending it frees the actor
        active: Flag = edit @ 0;
        /// 1
        r#type: u16 = read @ 2;
        /// facing at the end, -1 when done
        turn_to: i32 = edit(-1..=255) @ 4;
        /// destination minus start, across
        dx: i32 = edit @ 8;
        /// destination minus start, into the picture
        dy: i32 = edit @ 12;
        /// destination minus start, up
        dz: i32 = edit @ 16;
        /// length of the way, not above 0 for a turn
        dist: i32 = edit @ 20;
        /// facing of the walker, 256 to the turn
        deg: u16 = edit(0..=255) @ 24;
        /// destination, across
        x: i16 = edit @ 26;
        /// destination, into the picture
        y: i16 = edit @ 28;
        /// destination, up
        z: i16 = edit @ 30;
        /// cell of the destination, across
        column: i16 = derived @ 32;
        /// cell of the destination, into the picture
        row: i16 = derived @ 34;
        /// not 0 where the walk has a route, whose layout is not known
        payload: u32 = derived @ 36;
        /// way that is left
        remaining: i32 = edit @ 40;
        /// the actor
        actor: Pstr16 = read @ 50;
        /// star it arrives at
        star: Pstr16 = edit @ 66;
    }
    /// The head of a route. dreamfactory.md 11.3.
    pub RouteHead [20] {
        /// sum of the legs
        total: u32 = derived @ 0;
        /// 0
        zero: u32 = read @ 4;
        /// points
        count: u32 = derived @ 8;
        /// box around the path as it was made: least y and x, greatest y and x
        bounds: [i16; 4] = derived @ 12;
    }
    /// A point of a route. dreamfactory.md 11.3.
    pub Waypoint [8] {
        /// across
        x: i16 = edit @ 0;
        /// into the picture
        y: i16 = edit @ 2;
        /// up
        z: i16 = edit @ 4;
        /// length of the leg that ends here; 0 for the first point
        length: u16 = edit @ 6;
    }
}
