//! The walk over a payload: a skeleton of offsets and counts, and the rule that tells the two layouts apart.
//! lba2.md 5 to 8, 10, 11.

use super::envelope::fault;
use super::records::{
    Camera, Car, CheckpointHead, Dart, Dot, Extra, Flow, Globals, Ground, Incrust, Late, Object,
    Preset, SceneVariable, Slate, SlatePlace, Variable, View, Zone,
};
use crate::tree::Fault;
use crate::tree::kind::integer;
use crate::tree::record::{FieldType, Rec, Shape, Token};

pub const SCREENSHOT: usize = 160 * 120;
pub const VARIABLES: usize = 256;
pub const SCENE_VARIABLES: usize = 80;
pub const ARROWS: usize = 305;
pub const ITEMS: usize = 40;
pub const DARTS: usize = 3;
pub const CARS: usize = 2;
pub const SLATE_PLACES: usize = 5;
/// Most bytes of a checkpoint.
const CHECKPOINT: i128 = 50_000;

/// Offsets in the fixed part of a context. lba2.md 5.
pub const SCENE_VARIABLES_AT: usize = VARIABLES * Variable::SIZE[0];
pub const RESTART_AT: usize = 602;
pub const HOLOMAP_AT: usize = 634;
pub const ITEMS_AT: usize = HOLOMAP_AT + ARROWS;
pub const LATE_AT: usize = 1343;
pub const DARTS_AT: usize = LATE_AT + Late::SIZE[0];
/// Bytes of the fixed part, the number of objects included.
const FIXED: usize = Globals::SIZE[0];
const _: () = assert!(DARTS_AT + DARTS * Dart::SIZE[0] + 4 == FIXED);
const _: () = assert!(SCENE_VARIABLES_AT + SCENE_VARIABLES * SceneVariable::SIZE[0] == 592);

/// Records of one kind, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub shape: &'static Shape,
    pub at: usize,
    pub count: usize,
    pub layout: usize,
}

impl Run {
    pub fn rec(&self, index: usize) -> Option<Rec> {
        let size = self.shape.size.get(self.layout).copied()?;
        let at = self.at.checked_add(index.checked_mul(size)?)?;
        (index < self.count).then(|| Rec::new(self.shape, at, self.layout))
    }
    pub fn recs(&self) -> impl Iterator<Item = Rec> + use<> {
        let run = *self;
        (0..run.count).filter_map(move |index| run.rec(index))
    }
    fn end(&self) -> usize {
        let size = self.shape.size.get(self.layout).copied().unwrap_or(0);
        self.at.saturating_add(self.count.saturating_mul(size))
    }
}

/// A flow, its dots behind it.
#[derive(Clone, Copy, Debug)]
pub struct Jet {
    pub flow: Rec,
    pub dots: Run,
}

#[derive(Clone, Copy, Debug)]
pub struct Patches {
    pub count: usize,
    pub at: usize,
    pub bytes: usize,
}

/// A context: where it begins and what is in it. What a damaged one lacks is None.
#[derive(Clone, Debug, Default)]
pub struct Context {
    pub at: usize,
    pub layout: usize,
    /// The fixed part is there.
    pub fixed: bool,
    pub objects: Option<Run>,
    pub patches: Option<Patches>,
    pub extras: Option<Run>,
    pub zones: Option<Run>,
    pub incrusts: Option<Run>,
    pub flows: Option<Vec<Jet>>,
    /// Where the camera is; the rest has fixed places behind it.
    pub camera: Option<usize>,
    pub end: usize,
}

impl Context {
    pub fn globals(&self) -> Option<Rec> {
        self.fixed_rec(Globals::SHAPE, 0)
    }
    pub fn fixed_rec(&self, shape: &'static Shape, offset: usize) -> Option<Rec> {
        let at = self.at.checked_add(offset).filter(|_| self.fixed)?;
        Some(Rec::new(shape, at, self.layout))
    }
    pub fn variable(&self, index: usize) -> Option<Rec> {
        let offset = index.checked_mul(Variable::SIZE[0])?;
        (index < VARIABLES)
            .then(|| self.fixed_rec(Variable::SHAPE, offset))
            .flatten()
    }
    pub fn darts(&self) -> Option<Run> {
        self.fixed_run(Dart::SHAPE, DARTS_AT, DARTS)
    }
    pub fn fixed_run(&self, shape: &'static Shape, offset: usize, count: usize) -> Option<Run> {
        let at = self.fixed_rec(shape, offset)?.at;
        let layout = self.layout;
        Some(Run {
            shape,
            at,
            count,
            layout,
        })
    }
    pub fn object(&self, index: usize) -> Option<Rec> {
        self.objects?.rec(index)
    }
    pub fn view(&self) -> Option<Rec> {
        self.behind_camera(View::SHAPE, VIEW)
    }
    pub fn camera_rec(&self) -> Option<Rec> {
        self.behind_camera(Camera::SHAPE, 0)
    }
    pub fn cars(&self) -> Option<Run> {
        let at = self.camera?.checked_add(CARS_BEHIND)?;
        let (shape, layout) = (Car::SHAPE, self.layout);
        Some(Run {
            shape,
            at,
            count: CARS,
            layout,
        })
    }
    pub fn slate_places(&self) -> Option<Run> {
        let at = self.camera?.checked_add(SLATE_BEHIND)?;
        let (shape, layout) = (SlatePlace::SHAPE, self.layout);
        Some(Run {
            shape,
            at,
            count: SLATE_PLACES,
            layout,
        })
    }
    pub fn slate(&self) -> Option<Rec> {
        self.behind_camera(Slate::SHAPE, SLATE_BEHIND + SLATE_PLACES)
    }
    pub fn preset(&self) -> Option<Rec> {
        self.behind_camera(Preset::SHAPE, PRESET)
    }
    fn behind_camera(&self, shape: &'static Shape, offset: usize) -> Option<Rec> {
        Some(Rec::new(
            shape,
            self.camera?.checked_add(offset)?,
            self.layout,
        ))
    }
    /// Whether a place of the image is in this context.
    pub fn holds(&self, at: usize) -> bool {
        (self.at..self.end).contains(&at)
    }
}

/// Offsets from the camera on. lba2.md 7.10.
const VIEW: usize = Camera::SIZE[0];
const CARS_BEHIND: usize = VIEW + View::SIZE[0];
const SLATE_BEHIND: usize = CARS_BEHIND + CARS * Car::SIZE[0];
const PRESET: usize = SLATE_BEHIND + SLATE_PLACES + Slate::SIZE[0];
const CAMERA_PART: usize = PRESET + Preset::SIZE[0];
const _: () = assert!(CAMERA_PART == 306);

/// The smallest payload: screenshot, a context without a single record, a tail. lba2.md 2.
pub const SMALLEST: usize = SCREENSHOT + FIXED + 8 + 1 + 4 + 1 + 1 + CAMERA_PART + Ground::SIZE[0];
const _: () = assert!(SMALLEST == 19_200 + 1803 + 8);

/// The checkpoint's place in the tail.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    pub head: Rec,
    pub at: usize,
    pub bytes: usize,
}

/// A whole payload as one layout has it.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    pub main: Context,
    pub ground: Option<Rec>,
    pub checkpoint: Option<Checkpoint>,
    pub nested: Option<Context>,
    /// Where the walk ended.
    pub end: usize,
    /// What stopped it.
    pub fault: Option<Fault>,
    /// Parts that were walked, to compare two attempts.
    depth: usize,
}

/// Walks `image` from `payload`, once in each layout, and takes the one that fits (lba2.md 10). None for the
/// layout where neither does or both do; the skeleton then has what both agree on.
pub fn walk(image: &[u8], payload: usize, end: usize) -> (Skeleton, Option<usize>) {
    let image = image.get(..end).unwrap_or(image);
    let attempts = [0, 1].map(|layout| attempt(image, payload, layout));
    let [narrow, wide] = attempts;
    let exact = |s: &Skeleton| s.fault.is_none() && s.end == image.len();
    match (narrow.fault.is_none(), wide.fault.is_none()) {
        _ if exact(&narrow) => (narrow, Some(0)),
        _ if exact(&wide) => (wide, Some(1)),
        (true, false) => (narrow, Some(0)),
        (false, true) => (wide, Some(1)),
        (true, true) => (undecided(image, payload, narrow.end), None),
        (false, false) if narrow.depth > wide.depth => (narrow, Some(0)),
        (false, false) if wide.depth > narrow.depth => (wide, Some(1)),
        (false, false) => (without_objects(narrow), None),
    }
}

fn undecided(image: &[u8], payload: usize, end: usize) -> Skeleton {
    let mut skeleton = without_objects(attempt(image, payload, 0));
    let found = "both layouts fit and leave bytes over";
    skeleton.fault = Some(fault(
        "layout",
        end,
        "one layout that ends with the payload",
        found,
    ));
    skeleton
}

fn without_objects(narrow: Skeleton) -> Skeleton {
    let main = Context {
        at: narrow.main.at,
        fixed: narrow.main.fixed,
        end: narrow.main.at + FIXED * usize::from(narrow.main.fixed),
        ..Context::default()
    };
    Skeleton {
        end: main.end,
        main,
        fault: narrow.fault,
        ..Skeleton::default()
    }
}

fn attempt(image: &[u8], payload: usize, layout: usize) -> Skeleton {
    let mut skeleton = Skeleton::default();
    let at = payload.saturating_add(SCREENSHOT);
    let mut cursor = Cursor {
        image,
        at,
        layout,
        part: "",
        depth: 0,
    };
    skeleton.fault = payload_parts(&mut skeleton, &mut cursor).err();
    skeleton.end = cursor.at.min(image.len());
    skeleton.main.end = skeleton.main.end.max(skeleton.main.at);
    skeleton.depth = cursor.depth;
    skeleton
}

fn payload_parts(skeleton: &mut Skeleton, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    context(&mut skeleton.main, cursor)?;
    cursor.part = "";
    let ground = cursor.record("tail", Ground::SHAPE)?;
    skeleton.ground = Some(ground);
    if ground.get(cursor.image, Ground::position_valid) != 0 {
        return Ok(());
    }
    let head = cursor.record("checkpoint", CheckpointHead::SHAPE)?;
    let size = cursor.limited(head, CheckpointHead::checkpoint_size, 0..=CHECKPOINT)?;
    let start = cursor.at;
    skeleton.checkpoint = Some(Checkpoint {
        head,
        at: start,
        bytes: size,
    });
    let end = cursor.take("checkpoint", size)?;
    if size == 0 {
        return Ok(());
    }
    let mut inner = Cursor {
        image: cursor.image.get(..end).unwrap_or_default(),
        at: start,
        layout: cursor.layout,
        part: "checkpoint: ",
        depth: 0,
    };
    let mut nested = Context::default();
    let walked = context(&mut nested, &mut inner);
    nested.end = nested.end.max(start);
    skeleton.nested = Some(nested);
    cursor.depth += inner.depth;
    walked?;
    if inner.at == end {
        return Ok(());
    }
    let found = format!("{} bytes left over", end.saturating_sub(inner.at));
    Err(fault(
        "checkpoint",
        inner.at,
        "the end of the checkpoint",
        found,
    ))
}

/// Walks a context, filling in what it finds.
fn context(out: &mut Context, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    (out.at, out.layout) = (cursor.at, cursor.layout);
    let walked = context_parts(out, cursor);
    out.end = cursor.at.min(cursor.image.len());
    walked
}

fn context_parts(out: &mut Context, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
    cursor.take("fixed part", FIXED - 4)?;
    let count_at = cursor.at;
    cursor.take("number of objects", 4)?;
    out.fixed = true;
    let objects = cursor.count_at("number of objects", count_at, 4, 0..=100)?;
    out.objects = Some(cursor.objects(objects)?);
    let count_at = cursor.at;
    cursor.take("patches", 8)?;
    let count = cursor.count_at("number of patches", count_at, 4, 0..=500)?;
    let least = i128::try_from(count).unwrap_or(0);
    let left = i128::try_from(cursor.left()).unwrap_or(0);
    let bytes = cursor.count_at("bytes of patches", count_at + 4, 4, least..=left)?;
    out.patches = Some(Patches {
        count,
        at: cursor.at,
        bytes,
    });
    cursor.take("patches", bytes)?;
    out.extras = Some(cursor.list("extras", Extra::SHAPE, 1, 50)?);
    out.zones = Some(cursor.list("zones", Zone::SHAPE, 4, 255)?);
    out.incrusts = Some(cursor.list("incrusts", Incrust::SHAPE, 1, 10)?);
    out.flows = Some(cursor.flows()?);
    let camera = cursor.at;
    cursor.take("camera", CAMERA_PART)?;
    out.camera = Some(camera);
    Ok(())
}

/// A place in the image, moving on.
struct Cursor<'a> {
    image: &'a [u8],
    at: usize,
    layout: usize,
    /// Begins the names of fields in faults.
    part: &'static str,
    depth: usize,
}

impl Cursor<'_> {
    fn left(&self) -> usize {
        self.image.len().saturating_sub(self.at)
    }
    fn fault(&self, field: &str, at: usize, expected: String, found: String) -> Fault {
        let field = format!("{}{field} (uncompressed)", self.part);
        fault(&field, at, expected, found)
    }
    /// Goes over `bytes` and gives their end.
    fn take(&mut self, field: &str, bytes: usize) -> Result<usize, Fault> {
        let left = self.left();
        if bytes > left {
            let (expected, found) = (format!("{bytes} bytes"), format!("{left} bytes"));
            return Err(self.fault(field, self.at, expected, found));
        }
        self.at += bytes;
        self.depth += 1;
        Ok(self.at)
    }
    fn record(&mut self, field: &str, shape: &'static Shape) -> Result<Rec, Fault> {
        let rec = Rec::new(shape, self.at, self.layout);
        self.take(field, rec.size())?;
        Ok(rec)
    }
    /// The count of `width` bytes at `at`, which was gone over.
    fn count_at(
        &self,
        field: &str,
        at: usize,
        width: u8,
        legal: std::ops::RangeInclusive<i128>,
    ) -> Result<usize, Fault> {
        let value = integer(self.image.get(at..).unwrap_or_default(), width, width > 1);
        let usable = usize::try_from(value)
            .ok()
            .filter(|_| legal.contains(&value));
        usable.ok_or_else(|| {
            let expected = format!("{}..{}", legal.start(), legal.end());
            self.fault(field, at, expected, value.to_string())
        })
    }
    fn limited<T: FieldType>(
        &self,
        rec: Rec,
        token: Token<T>,
        legal: std::ops::RangeInclusive<i128>,
    ) -> Result<usize, Fault> {
        let at = rec.offset(token.field()).unwrap_or(rec.at);
        self.count_at(token.field().name, at, 4, legal)
    }
    fn run(&mut self, field: &str, shape: &'static Shape, count: usize) -> Result<Run, Fault> {
        let run = Run {
            shape,
            at: self.at,
            count,
            layout: self.layout,
        };
        self.take(field, run.end() - run.at)?;
        Ok(run)
    }
    /// A count of `width` bytes and its records.
    fn list(
        &mut self,
        field: &str,
        shape: &'static Shape,
        width: u8,
        most: i128,
    ) -> Result<Run, Fault> {
        let at = self.at;
        self.take(field, usize::from(width))?;
        let count = self.count_at(&format!("number of {field}"), at, width, 0..=most)?;
        self.run(field, shape, count)
    }
    fn objects(&mut self, count: usize) -> Result<Run, Fault> {
        let run = self.run("objects", Object::SHAPE, count)?;
        for (index, rec) in run.recs().enumerate() {
            let value = rec.get(self.image, Object::file3d_index);
            if !(-1..=100_000).contains(&value) {
                let field = format!("file3d_index of object {index}");
                let at = rec.offset(Object::file3d_index.field()).unwrap_or(rec.at);
                return Err(self.fault(&field, at, "-1..100000".into(), value.to_string()));
            }
        }
        Ok(run)
    }
    fn flows(&mut self) -> Result<Vec<Jet>, Fault> {
        let at = self.at;
        self.take("flows", 1)?;
        let count = self.count_at("number of flows", at, 1, 0..=10)?;
        let mut flows = Vec::with_capacity(count);
        for _ in 0..count {
            let flow = self.record("flow", Flow::SHAPE)?;
            let dots = self.list("dots", Dot::SHAPE, 1, 100)?;
            flows.push(Jet { flow, dots });
        }
        Ok(flows)
    }
}
