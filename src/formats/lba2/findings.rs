//! What a check says of a save. Where the game would go astray it is a warning, which no edit may add; what is
//! merely odd is a caution. lba2.md 11, 12.

use super::envelope::{MENU, fits_menu};
use super::move_to_scene::is_pending;
use super::names::{SceneFacts, VARIABLE, scene_facts};
use super::records::{Globals, Item, Late, Object, Slate, SlatePlace, Variable};
use super::rules;
use super::save::Saved;
use super::tree::{CHAPTER, CLOVERS, DARTS_CARRIED, HORN, OTHER_MONEY, THE_END};
use super::walk::{Context, ITEMS, ITEMS_AT};
use crate::tree::record::{FieldType, Rec, Token};
use crate::tree::{Finding, Save, Weight};

/// Items that are counted.
const COUNTED: [usize; 3] = [DARTS_CARRIED, 14, 21];
const CHAPTERS: std::ops::RangeInclusive<i16> = 0..=19;
const DRIVES: u8 = 12;

pub fn of(save: &Saved) -> Vec<Finding> {
    let mut all = Vec::new();
    for fault in save.cut.iter().chain(&save.skeleton.fault) {
        let text = format!(
            "{}: expected {}, found {}",
            fault.field, fault.expected, fault.found
        );
        let at = usize::try_from(fault.offset).unwrap_or(usize::MAX);
        all.push(Finding::new("damage", Weight::Damage, text).offset(at));
    }
    if save.is_foreign() {
        let text =
            "another program compressed this file; after an edit it is as the game compresses";
        all.push(Finding::new("stream", Weight::Caution, text).path("lba/compressed"));
    }
    if !fits_menu(save.head, save.image().len()) {
        let text = format!("more than {MENU} bytes: the game's menu cannot list it");
        all.push(Finding::new("menu", Weight::Warning, text));
    }
    if !(0..=222).contains(&save.scene()) {
        let text = "the game has no such scene";
        all.push(Finding::new("scene", Weight::Warning, text).path("lba/scene"));
    }
    let left = save.image().len().saturating_sub(save.skeleton.end);
    if save.skeleton.fault.is_none() && left > 0 {
        let text = format!("{left} bytes that the game does not read");
        let note = Finding::new("trailing", Weight::Note, text).path("lba/trailing.bin");
        all.push(note.offset(save.skeleton.end));
    }
    for (path, context) in save.contexts() {
        Check {
            save,
            context,
            path,
            all: &mut all,
        }
        .run();
    }
    all
}

/// The checks of one context.
struct Check<'a> {
    save: &'a Saved,
    context: &'a Context,
    path: &'static str,
    all: &'a mut Vec<Finding>,
}

impl Check<'_> {
    fn image(&self) -> &[u8] {
        self.save.image()
    }
    fn get<T: FieldType>(&self, rec: Rec, token: Token<T>) -> T::Value {
        rec.get(self.image(), token)
    }
    fn variable(&self, index: usize) -> i16 {
        let rec = self.context.variable(index);
        rec.map_or(0, |rec| self.get(rec, Variable::value))
    }
    fn add(&mut self, weight: Weight, code: &'static str, node: &str, text: impl Into<String>) {
        let path = format!("{}/{node}", self.path);
        self.all.push(Finding::new(code, weight, text).path(path));
    }
    fn when(&mut self, wrong: bool, weight: Weight, code: &'static str, node: &str, text: &str) {
        if wrong {
            self.add(weight, code, node, text);
        }
    }

    fn run(&mut self) {
        let Some(globals) = self.context.globals() else {
            return;
        };
        self.hero(globals);
        self.purse(globals);
        self.variables();
        self.items();
        let pending = is_pending(self.image(), self.context);
        let scene = self.save.scene_of(self.context);
        let checksum = self.get(globals, Globals::scene_checksum);
        let facts = scene_facts(scene);
        let foreign = facts.checksum.is_some_and(|known| known != checksum);
        let text = "the game begins this scene anew at its entrance";
        self.when(pending || foreign, Weight::Note, "anew", "restart/x", text);
        if !pending && !foreign {
            self.scene_state(globals);
            self.constants(facts);
        }
    }

    fn warn(&mut self, wrong: bool, code: &'static str, node: &str, text: &str) {
        self.when(wrong, Weight::Warning, code, node, text);
    }
    fn caution(&mut self, odd: bool, code: &'static str, node: &str, text: &str) {
        self.when(odd, Weight::Caution, code, node, text);
    }

    fn hero(&mut self, globals: Rec) {
        let behaviour = self.get(globals, Globals::behaviour);
        let text = "the game has no such behaviour and goes astray";
        self.warn(behaviour > 13, "behaviour", "behaviour", text);
        let weapon = self.get(globals, Globals::weapon);
        let other = behaviour <= 13 && rules::forced_weapon(behaviour, weapon) != weapon;
        let text = "this behaviour has another weapon in hand, which a load brings back";
        self.caution(other, "weapon", "weapon", text);
        let missing = usize::from(weapon) < ITEMS && self.variable(usize::from(weapon)) == 0;
        self.caution(missing, "weapon", "weapon", "Twinsen does not own it");
        let level = self.get(globals, Globals::magic_level);
        let text = "above 4 the game goes astray";
        self.warn(level > 4, "magic", "magic_level", text);
        let points = self.get(globals, Globals::magic_points);
        let text = "above 80 the ball goes astray";
        self.warn(points > 80, "magic", "magic_points", text);
        let many = points <= 80 && u16::from(points) > u16::from(level) * 20;
        let text = "more than 20 times magic_level";
        self.caution(many, "magic", "magic_points", text);
    }

    fn purse(&mut self, globals: Rec) {
        let boxes = self.get(globals, Globals::clover_boxes);
        let clovers = self.variable(CLOVERS);
        let text = "more than clover_boxes";
        self.caution(clovers > boxes, "clovers", "clovers", text);
        self.caution(clovers < 0, "clovers", "clovers", "less than none");
        for (money, node) in [(Globals::kashes, "kashes"), (Globals::zlitos, "zlitos")] {
            let much = self.get(globals, money) > 999;
            let text = "above 999; the game cuts it at the next gain";
            self.caution(much, "money", node, text);
        }
    }

    fn variables(&mut self) {
        let chapter = self.variable(CHAPTER);
        let text = "outside 0 to 19 the game goes astray";
        self.warn(!CHAPTERS.contains(&chapter), "chapter", "chapter", text);
        let ended = self.variable(THE_END) > 0;
        let text = "above 0 the credits run and the game refuses to save";
        self.caution(ended, "end", "vars/157", text);
        for index in (0..ITEMS).filter(|index| *index != OTHER_MONEY) {
            let quantity = self.variable(index);
            let counted = COUNTED.contains(&index);
            let usual = if counted {
                quantity >= 0
            } else {
                matches!(quantity, 0 | 1)
            };
            if !usual {
                let name = VARIABLE.show(i128::try_from(index).unwrap_or(0));
                let text = format!("{name}: the game gives 1, other values work by half");
                self.add(
                    Weight::Caution,
                    "quantity",
                    &format!("inventory/{index}"),
                    text,
                );
            }
        }
    }

    fn items(&mut self) {
        let run = self.context.fixed_run(Item::SHAPE, ITEMS_AT, ITEMS);
        for (index, item) in run.into_iter().flat_map(|run| run.recs()).enumerate() {
            let state = self.get(item, Item::state);
            let node = format!("items/{index}/state");
            if !(0..=3).contains(&state) {
                self.add(
                    Weight::Warning,
                    "look",
                    &node,
                    "outside 0 to 3 the game goes astray",
                );
            } else if state > best_look(index) {
                self.add(
                    Weight::Caution,
                    "look",
                    &node,
                    "the item would look like the holomap",
                );
            }
            let charge = i128::from(self.get(item, Item::charge));
            if index == HORN && !rules::HORN_CHARGE.contains(&charge) {
                self.add(
                    Weight::Caution,
                    "charge",
                    "items/22/charge",
                    "outside 0 to 100",
                );
            }
        }
    }

    /// What is restored with the scene, so of no weight where it begins anew.
    fn scene_state(&mut self, globals: Rec) {
        let carried = i128::from(self.variable(DARTS_CARRIED));
        let taken = rules::darts_taken(self.image(), self.context);
        let text = format!("{carried} carried, but {taken} darts are marked as taken");
        self.caution(carried != taken, "darts", "inventory/2", &text);
        let agrees = rules::view_agrees(self.image(), self.context);
        self.caution(
            !agrees,
            "view",
            "camera",
            "camera_cell_x, y, z are not those of target_x, y, z",
        );
        self.slate();
        let agrees = rules::car_agrees(self.image(), self.context);
        self.warn(
            !agrees,
            "object",
            "car_object",
            "there is no such object in this scene",
        );
        let followed = usize::from(self.get(globals, Globals::followed_object));
        let count = self.context.objects.map(|objects| objects.count.max(1));
        let lost = count.is_some_and(|count| followed >= count);
        self.warn(
            lost,
            "object",
            "followed_object",
            "there is no such object in this scene",
        );
        if let Some(late) = rules::late(self.context) {
            let pointer = self.get(late, Late::ladder_zone_pointer) != 0;
            let text = "an address of another run; 0 is safe";
            self.warn(pointer, "pointer", "ladder_zone_pointer", text);
        }
        self.objects(globals);
    }

    /// What the scene fixes (lba2.md 7.3, 7.4).
    fn constants(&mut self, facts: SceneFacts) {
        let context = self.context;
        let counts = context.objects.zip(context.zones);
        let counts = counts.map(|(objects, zones)| (objects.count, zones.count));
        let text = "not the objects and zones that this scene has";
        let differ = facts.counts.zip(counts).is_some_and(|(a, b)| a != b);
        self.when(differ, Weight::Note, "counts", "objects", text);
        let patches = context.patches.map(|p| (p.count, p.bytes));
        let text = "not the patches that this scene has";
        let differ = facts.patches.zip(patches).is_some_and(|(a, b)| a != b);
        self.when(differ, Weight::Note, "patches", "patches.bin", text);
    }

    fn slate(&mut self) {
        let (Some(slate), Some(places)) = (self.context.slate(), self.context.slate_places())
        else {
            return;
        };
        let pictures = rules::slate_pictures(self.image(), self.context);
        let count = self.get(slate, Slate::count);
        let text = "not the number of pictures";
        self.warn(count != pictures, "slate", "slate/count", text);
        let lost = self.get(slate, Slate::current) >= count.max(1);
        let text = "the slate has no such picture";
        self.warn(lost, "slate", "slate/current", text);
        let behind = places.recs().skip(usize::from(pictures));
        let gap = behind
            .map(|place| self.get(place, SlatePlace::image))
            .any(|image| image != rules::EMPTY);
        let text = "the game fills the slate from place 0 on";
        self.caution(gap, "slate", "slate", text);
    }

    fn objects(&mut self, globals: Rec) {
        if let Some(hero) = self.context.object(0) {
            let drives = rules::DRIVING.contains(&self.get(hero, Object::r#move));
            let in_car = self.get(globals, Globals::behaviour) == DRIVES;
            let text = "behaviour car goes with movement car or car_manual of objects/0";
            self.warn(drives != in_car, "car", "behaviour", text);
        }
        if let Some(penguin) = self.context.object(rules::PENGUIN) {
            let place = i128::from(self.get(penguin, Object::info1));
            let wrong = !rules::INCRUST_PLACES.contains(&place);
            let text = "the game uses this as a place among the incrusts: -1 to 9";
            self.warn(wrong, "penguin", "objects/1/info1", text);
        }
        let Some(objects) = self.context.objects else {
            return;
        };
        for (index, object) in objects.recs().enumerate() {
            let carrier = rules::carrier(self.get(object, Object::carried_by));
            if carrier.is_some_and(|carrier| usize::from(carrier) >= objects.count) {
                let node = format!("objects/{index}/carried_by");
                self.add(
                    Weight::Warning,
                    "object",
                    &node,
                    "there is no such object in this scene",
                );
            }
        }
    }
}

/// The last look that an item has (lba2.md 5.3).
fn best_look(item: usize) -> i16 {
    match item {
        1 | 19 => 3,
        9 => 2,
        4 | 5 | 8 | 12 | 23 | 31 => 1,
        _ => 0,
    }
}
