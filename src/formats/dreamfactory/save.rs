//! An open save: its bytes, which are the model, and the map of its containers.

use super::envelope::Envelope;
use super::map::{ACTORS, CASTS, Engine, LOCATION, Map, PROPS, SHOPS, TRACKS};
use super::records::{
    Actor, File, GlobalsHeader, Location, ManifestHead, OpenFile, Prop, TitanicView, Track,
};
use super::{actors, containers, findings, globals, location, manifest, props, scheduler, sounds};
use crate::tree::build::{Branch, Entry, Naming};
use crate::tree::record::{FieldType, Rec, Shape, Token};
use crate::tree::{Fault, Finding, Node, Save};
use std::sync::{Arc, OnceLock};

/// What the rooms of this format hand to each other.
pub type Handle = Arc<DreamSave>;

pub struct DreamSave {
    image: Vec<u8>,
    pub map: Map,
    /// File names of the records of containers 2 to 6, made when first asked for.
    names: [OnceLock<Naming>; 5],
    variables: OnceLock<Naming>,
}

impl DreamSave {
    pub fn open(image: Vec<u8>) -> Result<DreamSave, Fault> {
        let map = Map::of(&image, Envelope::parse(&image)?)?;
        Ok(DreamSave {
            image,
            map,
            names: Default::default(),
            variables: OnceLock::new(),
        })
    }
    pub fn bytes(&self) -> &[u8] {
        &self.image
    }
    pub fn engine(&self) -> Engine {
        self.map.engine
    }
    pub fn get<T: FieldType>(&self, rec: Rec, token: Token<T>) -> T::Value {
        rec.get(&self.image, token)
    }
    pub fn location(&self) -> Rec {
        self.map.rec(Location::SHAPE, LOCATION, 0, 0)
    }
    /// Another record over the bytes of the location.
    pub fn standpoint(&self, shape: &'static Shape) -> Rec {
        self.map.rec(shape, LOCATION, 0, 0)
    }
    pub fn actor(&self, index: usize) -> Rec {
        self.map.rec(Actor::SHAPE, ACTORS, 0, index)
    }
    pub fn prop(&self, index: usize) -> Rec {
        self.map.rec(Prop::SHAPE, PROPS, 0, index)
    }
    pub fn open_file(&self, container: usize, index: usize) -> Rec {
        self.map.rec(OpenFile::SHAPE, container, 0, index)
    }
    pub fn track(&self, index: usize) -> Rec {
        self.map.rec(Track::SHAPE, TRACKS, 0, index)
    }
    pub fn actors(&self) -> impl Iterator<Item = Rec> + '_ {
        (0..self.map.records(ACTORS)).map(|index| self.actor(index))
    }
    pub fn props(&self) -> impl Iterator<Item = Rec> + '_ {
        (0..self.map.records(PROPS)).map(|index| self.prop(index))
    }
    pub fn files(&self) -> impl Iterator<Item = Rec> + '_ {
        (0..self.map.files(&self.image)).map(|index| self.map.file(index))
    }
    /// The manifest record that a handle names.
    pub fn file_of(&self, handle: u32) -> Option<Rec> {
        self.files()
            .find(|file| handle != 0 && self.get(*file, File::handle) == handle)
    }
    /// The actor of that name, case ignored, and its number.
    pub fn find_actor(&self, name: &str) -> Option<(usize, Rec)> {
        let mut all = self.actors().enumerate();
        all.find(|(_, rec)| self.get(*rec, Actor::name).eq_ignore_ascii_case(name))
    }

    /// File names of the records of container 2, 3, 4, 5 or 6.
    pub fn names(&self, container: usize) -> Naming {
        let make = || {
            let name = |index| match container {
                ACTORS => self.get(self.actor(index), Actor::name),
                PROPS => self.get(self.prop(index), Prop::name),
                TRACKS => self.get(self.track(index), Track::name),
                _ => self.get(self.open_file(container, index), OpenFile::name),
            };
            let all: Vec<String> = (0..self.map.records(container)).map(name).collect();
            Naming::identities(all.iter().map(String::as_str), true)
        };
        let slot = container
            .checked_sub(ACTORS)
            .and_then(|index| self.names.get(index));
        slot.map_or_else(make, |slot| slot.get_or_init(make).clone())
    }
    /// File names of the variables.
    pub fn variable_names(&self) -> Naming {
        let make = || {
            let all: Vec<String> = globals::live(self)
                .map(|rec| globals::name(self, rec))
                .collect();
            Naming::identities(all.iter().map(String::as_str), true)
        };
        self.variables.get_or_init(make).clone()
    }
    /// The file name of one record, for findings.
    pub fn path_of(&self, container: usize, directory: &str, index: usize) -> String {
        format!("{directory}/{}", self.names(container).name(index))
    }
}

const ROOT: &[Entry<Handle>] = &[
    ("version", |s| manifest::head(s, "version")),
    ("disk", |s| manifest::head(s, "disk")),
    ("paths", manifest::paths),
    ("palette", manifest::palette),
    ("theme", manifest::theme),
    ("files", manifest::files),
    ("location", location::node),
    ("actors", actors::node),
    ("props", props::node),
    ("casts", |s| manifest::open_files(s, CASTS)),
    ("shops", |s| manifest::open_files(s, SHOPS)),
    ("tracks", sounds::node),
    ("globals", globals::node),
    ("stale", globals::stale),
    ("loops", scheduler::loops),
    ("crickets", scheduler::crickets),
    ("walks", super::walks::node),
    ("envelope", containers::envelope),
    ("containers", containers::node),
];

impl Save for DreamSave {
    fn image(&self) -> &[u8] {
        &self.image
    }
    fn root(self: Arc<Self>) -> Node {
        Branch::node(&self, "a save of a DreamFactory game", ROOT)
    }
    fn reopen(&self, image: Vec<u8>) -> Result<Arc<dyn Save>, Fault> {
        Ok(Arc::new(DreamSave::open(image)?))
    }
    fn encode(&self) -> Result<Vec<u8>, Fault> {
        Ok(self.image.clone())
    }
    fn findings(&self) -> Vec<Finding> {
        findings::all(self)
    }
    fn summary(&self) -> Vec<(String, String)> {
        summary(self)
    }
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn summary(save: &DreamSave) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut say = |label: &str, value: String| lines.push((label.to_owned(), value));
    say(
        "title",
        save.get(save.map.manifest(), ManifestHead::version),
    );
    say("set", save.get(save.location(), Location::set));
    let clock: &[&str] = match save.engine() {
        Engine::Titanic => {
            say("disk", save.get(save.map.manifest(), ManifestHead::disk));
            let view = save.standpoint(TitanicView::SHAPE);
            say("scene", save.get(view, TitanicView::scene));
            say("view", save.get(view, TitanicView::view));
            &["mission", "clock"]
        }
        Engine::Dust => &["day", "phase"],
    };
    for name in clock {
        if let Some(rec) = globals::find(save, name) {
            say(name, globals::text(save, rec));
        }
    }
    say("actors", save.map.records(ACTORS).to_string());
    say("props", save.map.records(PROPS).to_string());
    let header = save.map.globals_header();
    let count = save.get(header, GlobalsHeader::count);
    let capacity = save.get(header, GlobalsHeader::capacity);
    let free = capacity.saturating_sub(count);
    say("variables", format!("{count} of {capacity}, {free} free"));
    lines
}
