//! Which container is what. dreamfactory.md 3.

use super::FORMAT;
use super::envelope::{Envelope, round_up};
use super::records::{
    Actor, Cricket, DustCricket, DustWalk, Element, File, GlobalsHeader, Lists, Loop, ManifestHead,
    OpenFile, Prop, Sound, Track, Walk,
};
use crate::tree::record::{Rec, Shape, Token};
use crate::tree::{Fault, Span};

/// The engine that wrote a save, by the order of a record's layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Engine 4.
    Titanic = 0,
    /// Engine 1.
    Dust = 1,
}

impl Engine {
    pub fn layout(self) -> usize {
        self as usize
    }
    /// The file name's extension.
    pub fn extension(self) -> &'static str {
        match self {
            Engine::Titanic => "ti",
            Engine::Dust => "rtd",
        }
    }
}

pub const MANIFEST: usize = 0;
pub const LOCATION: usize = 1;
pub const ACTORS: usize = 2;
pub const CASTS: usize = 3;
pub const PROPS: usize = 4;
pub const SHOPS: usize = 5;
pub const TRACKS: usize = 6;
const SOUNDS: usize = 7;
/// Containers after the sound lists and before the routes.
const SERVICE: usize = 5;
/// Fewest containers of a save.
const FEWEST: usize = 12;

pub const LOOPS: usize = 32;
pub const CRICKETS: usize = 16;
pub const WALKS: usize = 16;

/// The lists of a track, in the order of their containers.
pub const SOUND_LISTS: [(&str, Token<u16>); 3] = [
    ("registered", Track::registered_count),
    ("playing", Track::playing_count),
    ("looping", Track::looping_count),
];

/// What a container is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Manifest,
    Location,
    Actors,
    Casts,
    Props,
    Shops,
    Tracks,
    Sounds { track: usize, list: usize },
    Globals,
    Pool,
    Loops,
    Crickets,
    Walks,
    Payload(usize),
}

/// A list of records that stands in its own container and is counted in the location.
#[derive(Clone, Copy)]
pub struct Counted {
    pub container: usize,
    pub shape: &'static Shape,
    pub count: Token<u32>,
    /// Directory of the tree.
    pub directory: &'static str,
}

/// The five lists, in the order of their containers.
pub const COUNTED: [Counted; 5] = [
    counted(ACTORS, Actor::SHAPE, Lists::actor_count, "actors"),
    counted(CASTS, OpenFile::SHAPE, Lists::cast_count, "casts"),
    counted(PROPS, Prop::SHAPE, Lists::prop_count, "props"),
    counted(SHOPS, OpenFile::SHAPE, Lists::shop_count, "shops"),
    counted(TRACKS, Track::SHAPE, Lists::track_count, "tracks"),
];

const fn counted(
    container: usize,
    shape: &'static Shape,
    count: Token<u32>,
    directory: &'static str,
) -> Counted {
    Counted {
        container,
        shape,
        count,
        directory,
    }
}

/// The containers of one save.
#[derive(Clone, Debug)]
pub struct Map {
    pub engine: Engine,
    pub envelope: Envelope,
    /// Open tracks.
    pub tracks: usize,
    /// Records of containers 2 to 6, see [`Map::records`].
    records: [usize; 5],
}

impl Map {
    /// # Errors
    /// E3 to E5 of dreamfactory.md 13.
    pub fn of(image: &[u8], envelope: Envelope) -> Result<Map, Fault> {
        if envelope.count() < FEWEST {
            let found = envelope.count().to_string();
            return Err(Fault::new(
                FORMAT,
                "E3 container count",
                20,
                "12 or more",
                found,
            ));
        }
        let engine = engine(&envelope)?;
        let tracks = tracks(image, engine, &envelope)?;
        let mut map = Map {
            engine,
            envelope,
            tracks,
            records: [0; 5],
        };
        for (index, list) in COUNTED.iter().enumerate() {
            let count = map.count(image, list);
            if let Some(slot) = map.records.get_mut(index) {
                *slot = count;
            }
        }
        Ok(map)
    }

    pub fn layout(&self) -> usize {
        self.engine.layout()
    }
    pub fn data(&self, container: usize) -> Span {
        self.envelope.data(container)
    }
    pub fn sounds(&self, track: usize, list: usize) -> usize {
        SOUNDS
            .saturating_add(track.saturating_mul(3))
            .saturating_add(list)
    }
    pub fn globals(&self) -> usize {
        self.sounds(self.tracks, 0)
    }
    pub fn pool(&self) -> usize {
        self.globals() + 1
    }
    pub fn loops(&self) -> usize {
        self.globals() + 2
    }
    pub fn crickets(&self) -> usize {
        self.globals() + 3
    }
    pub fn walks(&self) -> usize {
        self.globals() + 4
    }
    pub fn payload(&self, rank: usize) -> usize {
        (self.globals() + SERVICE).saturating_add(rank)
    }
    /// Containers that hold routes.
    pub fn payloads(&self) -> usize {
        self.envelope.count().saturating_sub(self.payload(0))
    }

    pub fn role(&self, container: usize) -> Role {
        match container {
            MANIFEST => Role::Manifest,
            LOCATION => Role::Location,
            ACTORS => Role::Actors,
            CASTS => Role::Casts,
            PROPS => Role::Props,
            SHOPS => Role::Shops,
            TRACKS => Role::Tracks,
            n if n < self.globals() => Role::Sounds {
                track: (n - SOUNDS) / 3,
                list: (n - SOUNDS) % 3,
            },
            n => match n - self.globals() {
                0 => Role::Globals,
                1 => Role::Pool,
                2 => Role::Loops,
                3 => Role::Crickets,
                4 => Role::Walks,
                rank => Role::Payload(rank - SERVICE),
            },
        }
    }

    /// Record `index` of a container whose records begin at `base`.
    pub fn rec(&self, shape: &'static Shape, container: usize, base: usize, index: usize) -> Rec {
        let rec = Rec::new(
            shape,
            self.data(container).offset.saturating_add(base),
            self.layout(),
        );
        Rec {
            at: rec.at.saturating_add(rec.size().saturating_mul(index)),
            ..rec
        }
    }
    /// How many whole records a container has room for.
    pub fn room(&self, shape: &'static Shape, container: usize, base: usize) -> usize {
        let size = shape.size.get(self.layout()).copied().unwrap_or(0).max(1);
        self.data(container).length.saturating_sub(base) / size
    }
    /// Records of container 2, 3, 4, 5 or 6.
    pub fn records(&self, container: usize) -> usize {
        let index = container.checked_sub(ACTORS);
        index
            .and_then(|index| self.records.get(index))
            .copied()
            .unwrap_or(0)
    }
    pub fn lists(&self) -> Rec {
        self.rec(Lists::SHAPE, LOCATION, 0, 0)
    }
    pub fn manifest(&self) -> Rec {
        self.rec(ManifestHead::SHAPE, MANIFEST, 0, 0)
    }
    pub fn globals_header(&self) -> Rec {
        self.rec(GlobalsHeader::SHAPE, self.globals(), 0, 0)
    }
    /// A file record of the manifest.
    pub fn file(&self, index: usize) -> Rec {
        self.rec(File::SHAPE, MANIFEST, self.manifest().size(), index)
    }
    /// File records of the manifest.
    pub fn files(&self, image: &[u8]) -> usize {
        let count = self.manifest().get(image, ManifestHead::file_count) as usize;
        count.min(self.room(File::SHAPE, MANIFEST, self.manifest().size()))
    }
    pub fn sound(&self, track: usize, list: usize, index: usize) -> Rec {
        self.rec(Sound::SHAPE, self.sounds(track, list), 0, index)
    }
    /// Sounds of one of a track's lists.
    pub fn sound_count(&self, image: &[u8], track: usize, list: usize) -> usize {
        let room = self.room(Sound::SHAPE, self.sounds(track, list), 0);
        match (self.engine, SOUND_LISTS.get(list)) {
            (Engine::Dust, Some((_, count))) => {
                let track = self.rec(Track::SHAPE, TRACKS, 0, track);
                usize::from(track.get(image, *count)).min(room)
            }
            _ => room,
        }
    }
    /// Element `index` of the variable list.
    pub fn element(&self, index: usize) -> Rec {
        self.rec(
            Element::SHAPE,
            self.globals(),
            GlobalsHeader::SIZE[0],
            index,
        )
    }
    pub fn cricket_shape(&self) -> &'static Shape {
        match self.engine {
            Engine::Titanic => Cricket::SHAPE,
            Engine::Dust => DustCricket::SHAPE,
        }
    }
    pub fn walk_shape(&self) -> &'static Shape {
        match self.engine {
            Engine::Titanic => Walk::SHAPE,
            Engine::Dust => DustWalk::SHAPE,
        }
    }
    pub fn walk(&self, slot: usize) -> Rec {
        self.rec(self.walk_shape(), self.walks(), 0, slot)
    }

    /// Section 5.3: by size in Titanic; by count in Dust, and where that does not fit, as long as names are valid.
    fn count(&self, image: &[u8], list: &Counted) -> usize {
        let room = self.room(list.shape, list.container, 0);
        if self.engine == Engine::Titanic {
            return room;
        }
        if list.container == TRACKS {
            return self.tracks.min(room);
        }
        let count = self.lists().get(image, list.count) as usize;
        if count > 0 && count <= room {
            return count;
        }
        let named = |index: &usize| {
            let rec = self.rec(list.shape, list.container, 0, *index);
            let name = rec.field("name").map(|field| rec.bytes(image, field));
            name.is_some_and(is_name)
        };
        (0..room).take_while(named).count()
    }
}

/// Whether a `pstr16` field holds 1 to 15 printable characters.
pub fn is_name(field: &[u8]) -> bool {
    let Some((length, text)) = field.split_first() else {
        return false;
    };
    let text = text.get(..usize::from(*length));
    text.is_some_and(|text| !text.is_empty() && text.iter().all(|b| (b' '..=b'~').contains(b)))
}

/// Section 3.1, step 2.
fn engine(envelope: &Envelope) -> Result<Engine, Fault> {
    let size = envelope.data(LOCATION).length;
    match size {
        786 => Ok(Engine::Titanic),
        542..576 => Ok(Engine::Dust),
        _ => Err(Fault::new(
            FORMAT,
            "E4 size of container 1",
            envelope.position(LOCATION).saturating_add(4),
            "786 (Titanic) or 542..575 (Dust)",
            size.to_string(),
        )),
    }
}

/// Sizes of loops, crickets and walks.
fn service_sizes(engine: Engine) -> [usize; 3] {
    match engine {
        Engine::Titanic => [
            LOOPS * Loop::SIZE[0],
            CRICKETS * Cricket::SIZE[0],
            WALKS * Walk::SIZE[0],
        ],
        Engine::Dust => [
            LOOPS * Loop::SIZE[1],
            CRICKETS * DustCricket::SIZE[0],
            WALKS * DustWalk::SIZE[0],
        ],
    }
}

/// Whether `n` tracks put the service tables where they are.
fn places(envelope: &Envelope, engine: Engine, n: usize) -> bool {
    let Some(first) = n.checked_mul(3).and_then(|n| n.checked_add(SOUNDS + 2)) else {
        return false;
    };
    let sizes = first
        .checked_add(3)
        .and_then(|end| envelope.sizes.get(first..end));
    sizes == Some(service_sizes(engine).as_slice())
}

/// Sections 3.1, step 3, and 3.2.
fn tracks(image: &[u8], engine: Engine, envelope: &Envelope) -> Result<usize, Fault> {
    let most = envelope.count() / 3;
    let candidates: Vec<usize> = (0..=most)
        .filter(|n| places(envelope, engine, *n))
        .collect();
    let data = envelope.data(TRACKS);
    let stride = Track::SIZE.get(engine.layout()).copied().unwrap_or(1);
    let Some(first) = candidates.first() else {
        let [loops, crickets, walks] = service_sizes(engine);
        let expected =
            format!("loops, crickets and walks of {loops}, {crickets} and {walks} bytes");
        return Err(Fault::new(
            FORMAT,
            "E4 service tables",
            1024,
            expected,
            "no such containers",
        ));
    };
    let stored = match engine {
        Engine::Titanic if data.length.is_multiple_of(stride) => Some(data.length / stride),
        Engine::Titanic => None,
        Engine::Dust => {
            let lists = Rec::new(
                Lists::SHAPE,
                envelope.data(LOCATION).offset,
                engine.layout(),
            );
            Some(lists.get(image, Lists::track_count) as usize)
        }
    };
    let fitting = stored.filter(|n| candidates.contains(n));
    let other = (engine == Engine::Dust && candidates.len() == 1).then_some(*first);
    let n = fitting
        .or(other)
        .filter(|n| n.saturating_mul(stride) <= data.length);
    n.ok_or_else(|| {
        let expected = format!("{first} tracks of {stride} bytes");
        let found = format!("{} bytes", data.length);
        let at = data.offset.saturating_sub(4);
        Fault::new(FORMAT, "E5 size of container 6", at, expected, found)
    })
}

/// The size Dust gives a block that uses `used` bytes; Titanic stores exact sizes.
pub fn block_size(engine: Engine, used: usize) -> usize {
    match engine {
        Engine::Titanic => used,
        Engine::Dust => round_up(used, 32).max(32),
    }
}
