//! The tree of a save. A context is one list of parts, shown at `lba/` and again at `lba/checkpoint/`.

use super::leaves::{Arrow, Compressed, Described, FixedBytes, Name};
use super::lists::{self, Linked, Overridden};
use super::move_to_scene::MoveToScene;
use super::names::{SCENE, VARIABLE};
use super::records::{
    Chapter, Copied, Films, HeroBody, HeroLife, Item, Object, Restart, SceneVariable, Variable,
};
use super::rules::{HORN_CHARGE, INCRUST_PLACES, WORLD};
use super::save::{LAYOUTS, Saved};
use super::screenshot::{self, Screenshot};
use super::walk::{
    ARROWS, Context, HOLOMAP_AT, ITEMS, ITEMS_AT, LATE_AT, RESTART_AT, Run, SCENE_VARIABLES,
    SCENE_VARIABLES_AT, VARIABLES,
};
use super::{envelope, names, records, rules};
use crate::tree::build::{
    Branch, Derived, Entry, FieldLeaf, Listing, Naming, RecordDir, Slice, View,
};
use crate::tree::node::Each;
use crate::tree::record::{Rec, Rule, Token, plain};
use crate::tree::{About, Dir, Node, NodeKind, Save, Span};
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

/// Game variables with a meaning of their own. lba2.md 5.1.
pub const DARTS_CARRIED: usize = 2;
pub const TUNIC: usize = 4;
pub const OTHER_MONEY: usize = 8;
pub const HORN: usize = 22;
pub const THE_END: usize = 157;
const FIRST_FILMS: usize = 235;
const LAST_FILMS: usize = 237;
pub const CLOVERS: usize = 251;
pub const CHAPTER: usize = 253;
/// The arrow of scene 0 in the holomap. lba2.md 5.2.
const FIRST_SCENE_ARROW: i64 = 50;

/// A context of a save.
#[derive(Clone)]
pub struct Here {
    pub save: Arc<Saved>,
    nested: bool,
}

impl Here {
    /// The context of a save that a place of its image is in.
    pub fn at(save: &Arc<Saved>, at: usize) -> Self {
        let nested = save
            .skeleton
            .nested
            .as_ref()
            .is_some_and(|nested| nested.holds(at));
        Here {
            save: Arc::clone(save),
            nested,
        }
    }
    pub fn context(&self) -> Option<&Context> {
        match self.nested {
            true => self.save.skeleton.nested.as_ref(),
            false => Some(&self.save.skeleton.main),
        }
    }
}

/// A part of a directory: one entry, or a leaf for each field of a record.
enum Part {
    Entry(&'static str, fn(&Here) -> Option<Node>),
    Fields(fn(&Context) -> Option<Rec>, Rule<Saved>),
}
use Part::{Entry as One, Fields};

/// A directory made of parts.
struct Room {
    here: Here,
    doc: &'static str,
    parts: &'static [&'static [Part]],
}

impl Room {
    fn parts(&self) -> impl Iterator<Item = &'static Part> + use<> {
        self.parts.iter().flat_map(|parts| parts.iter())
    }
    fn record(&self, of: &fn(&Context) -> Option<Rec>) -> Option<Rec> {
        self.here.context().and_then(of)
    }
}

impl Dir for Room {
    fn about(&self) -> About {
        About::dir(self.doc)
    }
    fn get(&self, name: &str) -> Option<Node> {
        self.parts().find_map(|part| match part {
            One(own, make) => (*own == name).then(|| make(&self.here)).flatten(),
            Fields(of, rule) => {
                let rec = self.record(of)?;
                let field = rec.field(name)?;
                Some(FieldLeaf::node(&self.here.save, rec, field, *rule))
            }
        })
    }
    fn list(&self, each: Each<'_>) -> ControlFlow<()> {
        for part in self.parts() {
            match part {
                One(name, make) => {
                    if let Some(node) = make(&self.here) {
                        each(name, node.kind())?;
                    }
                }
                Fields(of, _) => {
                    for field in self.record(of).iter().flat_map(Rec::fields) {
                        each(field.name, NodeKind::Leaf)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

pub fn root(save: &Arc<Saved>) -> Node {
    let here = Here {
        save: Arc::clone(save),
        nested: false,
    };
    Branch::node(&here, "a save of Little Big Adventure 2", &[("lba", lba)])
}

fn lba(here: &Here) -> Option<Node> {
    Some(Node::dir(Room {
        here: here.clone(),
        doc: "the save",
        parts: &[ENVELOPE, CONTEXT, TAIL],
    }))
}

const ENVELOPE: &[Part] = &[
    One("version", version),
    One("compressed", |here| {
        Some(Node::leaf(Compressed {
            save: Arc::clone(&here.save),
        }))
    }),
    One("layout", layout),
    One("name", |here| {
        Some(Node::leaf(Name {
            save: Arc::clone(&here.save),
        }))
    }),
    One("scene", scene),
    One("move_to_scene", |here| MoveToScene::node(&here.save)),
    One("screenshot.png", |here| Screenshot::node(&here.save)),
    One("screenshot.bin", pixels),
];

const CONTEXT: &[Part] = &[
    One("vars", vars),
    One("scene_vars", scene_vars),
    Fields(Context::globals, rules::globals),
    One("clovers", |here| variable(here, CLOVERS)),
    One("chapter", |here| variable(here, CHAPTER)),
    One("life", life),
    One("position", position),
    One("restart", |here| {
        record(
            here,
            |c| c.fixed_rec(Restart::SHAPE, RESTART_AT),
            rules::restart,
        )
    }),
    One("holomap", holomap),
    One("inventory", inventory),
    One("items", items),
    Fields(
        |context| context.fixed_rec(records::Late::SHAPE, LATE_AT),
        plain,
    ),
    One("darts", |here| run(here, "the darts", |c| c.darts(), dart)),
    One("objects", |here| {
        run(
            here,
            "what moves in the scene; 0 is Twinsen",
            |c| c.objects,
            object,
        )
    }),
    One("patch_count", patch_count),
    One("patches.bin", patches),
    One("extras", lists::extras),
    One("zones", |here| {
        run(here, "zones of the scene", |c| c.zones, zone)
    }),
    One("incrusts", lists::incrusts),
    One("flows", lists::flows),
    One("camera", |here| {
        record(here, Context::camera_rec, rules::camera)
    }),
    Fields(Context::view, rules::view),
    One("cars", |here| {
        run(here, "cars; the game uses 0 only", |c| c.cars(), car)
    }),
    One("slate", slate),
    Fields(Context::preset, plain),
];

const TAIL: &[Part] = &[
    One("position_valid", |here| ground(here, "position_valid")),
    One("last_position_valid", |here| {
        ground(here, "last_position_valid")
    }),
    One("checkpoint_scene", |here| {
        checkpoint_head(here, "checkpoint_scene")
    }),
    One("checkpoint_size", |here| {
        checkpoint_head(here, "checkpoint_size")
    }),
    One("checkpoint", checkpoint),
    One("trailing.bin", trailing),
];

fn version(here: &Here) -> Option<Node> {
    let revision = here.save.head.revision();
    let spans = vec![Span::new(0, 1)];
    Some(Derived::node(revision, "u8", "layout revision", spans))
}

fn layout(here: &Here) -> Option<Node> {
    let layout = here.save.layout.and_then(|layout| LAYOUTS.get(layout));
    let doc = "wire32: the game; native64: a port with pointers of 8 bytes";
    Some(Derived::node(
        layout.unwrap_or(&"unknown"),
        "name",
        doc,
        Vec::new(),
    ))
}

fn scene(here: &Here) -> Option<Node> {
    let number = here.save.scene();
    let spans = vec![Span::new(envelope::SCENE_AT, 4)];
    let leaf = Derived::node(
        number,
        "i32",
        "scene; write move_to_scene to change it",
        spans,
    );
    Described::node(leaf, move |about| {
        about.extra("scene", names::scene_title(number))
    })
}

fn pixels(here: &Here) -> Option<Node> {
    let span = screenshot::span(&here.save)?;
    let doc = "160 x 120 pixels, rows from the top, each an index of the palette";
    Some(FixedBytes::node(&here.save, span, doc))
}

/// A list with a directory for each record.
fn run(
    here: &Here,
    doc: &'static str,
    of: fn(&Context) -> Option<Run>,
    make: fn(&Here, usize) -> Option<Node>,
) -> Option<Node> {
    let run = here.context().and_then(of)?;
    Some(Listing::fixed(here, doc, Naming::numbers(run.count), make))
}

/// A directory with the fields of one record.
fn record(here: &Here, of: fn(&Context) -> Option<Rec>, rule: Rule<Saved>) -> Option<Node> {
    let rec = here.context().and_then(of)?;
    Some(RecordDir::node(&here.save, rec, View::Everything, rule))
}

pub fn dir_of(here: &Here, run: Option<Run>, index: usize, rule: Rule<Saved>) -> Option<Node> {
    let rec = run?.rec(index)?;
    Some(RecordDir::node(&here.save, rec, View::Everything, rule))
}

fn dart(here: &Here, index: usize) -> Option<Node> {
    dir_of(here, here.context()?.darts(), index, rules::dart)
}

fn zone(here: &Here, index: usize) -> Option<Node> {
    dir_of(here, here.context()?.zones, index, plain)
}

fn car(here: &Here, index: usize) -> Option<Node> {
    dir_of(here, here.context()?.cars(), index, plain)
}

fn object(here: &Here, index: usize) -> Option<Node> {
    let objects = here.context()?.objects?;
    let (dir, rec) = (
        dir_of(here, Some(objects), index, rules::object)?,
        objects.rec(index)?,
    );
    let narrowed = |token, legal| narrowed(here, rec, token, rules::object, legal);
    let own = match index {
        0 => {
            let body = Rec::new(HeroBody::SHAPE, rec.offset(Object::gen_body.field())?, 0);
            let body = FieldLeaf::node(&here.save, body, HeroBody::gen_body.field(), plain);
            let (x, z) = (narrowed(Object::x, &WORLD)?, narrowed(Object::z, &WORLD)?);
            vec![
                ("gen_body", body),
                ("life", life(here)?),
                ("x", x),
                ("z", z),
            ]
        }
        rules::PENGUIN => vec![("info1", narrowed(Object::info1, &INCRUST_PLACES)?)],
        _ => return Some(dir),
    };
    Overridden::node(dir, own)
}

/// A field that may hold less in this record than in others of its shape, as its rule has it.
fn narrowed(
    here: &Here,
    rec: Rec,
    token: Token<i32>,
    rule: Rule<Saved>,
    legal: &RangeInclusive<i128>,
) -> Option<Node> {
    let words = rules::range_words(legal);
    let leaf = FieldLeaf::node(&here.save, rec, token.field(), rule);
    Described::node(leaf, move |about| about.range(words.clone()))
}

fn life(here: &Here) -> Option<Node> {
    let hero = here.context()?.object(0)?;
    let rec = Rec::new(HeroLife::SHAPE, hero.offset(Object::life.field())?, 0);
    Some(FieldLeaf::node(
        &here.save,
        rec,
        HeroLife::life.field(),
        plain,
    ))
}

fn position(here: &Here) -> Option<Node> {
    fn hero(here: &Here, field: &str) -> Option<Node> {
        object(here, 0)?.as_dir().ok()?.get(field)
    }
    const ENTRIES: &[Entry<Here>] = &[
        ("x", |here| hero(here, "x")),
        ("y", |here| hero(here, "y")),
        ("z", |here| hero(here, "z")),
        ("facing", |here| hero(here, "beta")),
    ];
    here.context()?.object(0)?;
    Some(Branch::node(
        here,
        "where Twinsen stands and looks",
        ENTRIES,
    ))
}

/// A game variable by its number, with what is known of its meaning.
fn variable(here: &Here, index: usize) -> Option<Node> {
    let mut rec = here.context()?.variable(index)?;
    let (shape, field) = match index {
        OTHER_MONEY => (Copied::SHAPE, Copied::value.field()),
        CHAPTER => (Chapter::SHAPE, Chapter::value.field()),
        FIRST_FILMS..=LAST_FILMS => (Films::SHAPE, Films::value.field()),
        _ => (Variable::SHAPE, Variable::value.field()),
    };
    rec.shape = shape;
    let leaf = FieldLeaf::node(&here.save, rec, field, rules::variable);
    let number = i64::try_from(index).ok()?;
    let row = VARIABLE.rows().iter().find(|row| row.index == number);
    match row {
        Some(row) if index != OTHER_MONEY => Described::node(leaf, |mut about| {
            about.doc = row.meaning.into();
            about
        }),
        _ => Some(leaf),
    }
}

fn vars(here: &Here) -> Option<Node> {
    here.context()?.globals()?;
    let doc = "game variables; the first 40 are the inventory";
    let list = Listing::values(here, doc, Naming::numbers(VARIABLES), variable);
    Linked::node(list, &VARIABLE, 0, VARIABLES)
}

fn inventory(here: &Here) -> Option<Node> {
    here.context()?.globals()?;
    let doc = "quantity of each item, the game variable of its number: 0 not owned, 1 owned";
    let list = Listing::values(here, doc, Naming::numbers(ITEMS), variable);
    Linked::node(list, &VARIABLE, 0, ITEMS)
}

fn scene_vars(here: &Here) -> Option<Node> {
    fn one(here: &Here, index: usize) -> Option<Node> {
        let context = here.context()?;
        let run = context.fixed_run(SceneVariable::SHAPE, SCENE_VARIABLES_AT, SCENE_VARIABLES)?;
        let field = SceneVariable::value.field();
        Some(FieldLeaf::node(&here.save, run.rec(index)?, field, plain))
    }
    here.context()?.globals()?;
    let naming = Naming::numbers(SCENE_VARIABLES);
    Some(Listing::values(
        here,
        "variables of this scene's scripts",
        naming,
        one,
    ))
}

fn holomap(here: &Here) -> Option<Node> {
    fn one(here: &Here, index: usize) -> Option<Node> {
        let at = here
            .context()?
            .at
            .checked_add(HOLOMAP_AT)?
            .checked_add(index)?;
        Some(Node::leaf(Arrow {
            save: Arc::clone(&here.save),
            at,
        }))
    }
    here.context()?.globals()?;
    let doc = "arrows of the holomap; 50 and above are scene 0 and above";
    let list = Listing::values(here, doc, Naming::numbers(ARROWS), one);
    Linked::node(list, &SCENE, FIRST_SCENE_ARROW, ARROWS)
}

fn items(here: &Here) -> Option<Node> {
    fn one(here: &Here, index: usize) -> Option<Node> {
        let run = here.context()?.fixed_run(Item::SHAPE, ITEMS_AT, ITEMS)?;
        let dir = dir_of(here, Some(run), index, rules::item)?;
        if index != HORN {
            return Some(dir);
        }
        let charge = narrowed(
            here,
            run.rec(index)?,
            Item::charge,
            rules::item,
            &HORN_CHARGE,
        )?;
        Overridden::node(dir, vec![("charge", charge)])
    }
    here.context()?.globals()?;
    let doc = "charge, flags and look of each item";
    Some(Listing::fixed(here, doc, Naming::numbers(ITEMS), one))
}

fn patch_count(here: &Here) -> Option<Node> {
    let patches = here.context()?.patches?;
    let spans = vec![Span::new(patches.at.checked_sub(8)?, 4)];
    let doc = "places where the scene's scripts have changed themselves";
    Some(Derived::node(patches.count, "i32", doc, spans))
}

fn patches(here: &Here) -> Option<Node> {
    let patches = here.context()?.patches?;
    let span = Span::new(patches.at, patches.bytes);
    let doc = "values of the patches; only the scene file tells where one ends";
    Some(FixedBytes::node(&here.save, span, doc))
}

fn slate(here: &Here) -> Option<Node> {
    fn place(here: &Here, index: usize) -> Option<Node> {
        let rec = here.context()?.slate_places()?.rec(index)?;
        let field = records::SlatePlace::image.field();
        Some(FieldLeaf::node(&here.save, rec, field, rules::slate_place))
    }
    const PARTS: &[Part] = &[
        One("0", |here| place(here, 0)),
        One("1", |here| place(here, 1)),
        One("2", |here| place(here, 2)),
        One("3", |here| place(here, 3)),
        One("4", |here| place(here, 4)),
        Fields(Context::slate, rules::slate),
    ];
    here.context()?.slate()?;
    let (here, doc) = (here.clone(), "pictures of the magic slate");
    Some(Node::dir(Room {
        here,
        doc,
        parts: &[PARTS],
    }))
}

fn ground(here: &Here, name: &str) -> Option<Node> {
    let rec = here.save.skeleton.ground?;
    Some(FieldLeaf::node(
        &here.save,
        rec,
        rec.field(name)?,
        rules::ground,
    ))
}

fn checkpoint_head(here: &Here, name: &str) -> Option<Node> {
    let rec = here.save.skeleton.checkpoint?.head;
    Some(FieldLeaf::node(&here.save, rec, rec.field(name)?, plain))
}

fn checkpoint(here: &Here) -> Option<Node> {
    here.save.skeleton.nested.as_ref()?;
    Some(Node::dir(Room {
        here: Here {
            save: Arc::clone(&here.save),
            nested: true,
        },
        doc: "the state that comes back when Twinsen dies before he stands on safe ground again",
        parts: &[CONTEXT],
    }))
}

fn trailing(here: &Here) -> Option<Node> {
    let (start, length) = (here.save.skeleton.end, here.save.image().len());
    let span = Span::new(start, length.checked_sub(start)?);
    (span.length > 0)
        .then(|| Slice::node(&here.save, span, "bytes that the game does not read", None))
}
