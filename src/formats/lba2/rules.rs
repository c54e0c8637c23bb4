//! What changes together with a field, and what is refused although the type holds it. lba2.md 7, 11, 12.

use super::lists::stored_dots;
use super::names::{Planet, WEAPON, planet};
use super::records::{
    Camera, CheckpointHead, Dart, Extra, Flow, Globals, Ground, Incrust, Item, Late, Object, Slate,
    SlatePlace, Variable, View,
};
use super::save::Saved;
use super::tree::{DARTS_CARRIED, HORN, OTHER_MONEY, TUNIC};
use super::walk::{Context, ITEMS_AT, LATE_AT};
use crate::tree::kind::integer;
use crate::tree::record::{Field, Rec, Token, plain};
use crate::tree::{Draft, Errno, Refusal, Save};

/// The object that is the Nitro-Meca-Penguin.
pub const PENGUIN: usize = 1;
/// Movements of driving.
pub const DRIVING: [u8; 2] = [12, 13];
/// The body that the game replaces by what suits, and none.
const TUNIC_BODY: u8 = 1;
const NO_BODY: u8 = 255;
/// Added to `car_object` when the car is in this scene.
const CAR_HERE: u8 = 0x80;
/// Added to `carried_by` for scenery.
const SCENERY: i16 = 1024;

type Done = Result<(), Refusal>;

fn number(field: &Field, rec: Rec, bytes: &[u8]) -> i128 {
    let signed = field.kind(rec.layout);
    match signed {
        crate::tree::kind::Kind::Int { width, signed } => integer(bytes, width, signed),
        _ => integer(bytes, 1, false),
    }
}

pub fn globals(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    let context = save.context_at(rec.at);
    let value = number(field, rec, bytes);
    if field.is(Globals::weapon) && WEAPON.name_of(value).is_none() {
        return Err(Refusal::invalid("no weapon has this number").legal(WEAPON.words()));
    }
    if field.is(Globals::followed_object) {
        check_object(context, value)?;
    }
    plain(save, rec, field, bytes, draft)?;
    if field.is(Globals::behaviour) {
        if weapon_follows(rec, draft) {
            dress(context, draft);
        }
    } else if field.is(Globals::weapon) {
        dress(context, draft);
    } else if field.is(Globals::kashes) || field.is(Globals::zlitos) {
        other_money_follows(save, context, field, draft);
        tell_of_checkpoint(save, context, draft);
    } else if field.is(Globals::game_time) {
        draft.caution("other times count on this clock and stay as they are: pending events move");
    }
    for axis in axes() {
        if field.is(axis.cell) {
            target_follows(save, context, axis, draft)?;
        }
    }
    Ok(())
}

/// What the game puts in hand when it applies a behaviour (lba2.md 5, offset 626).
pub fn forced_weapon(behaviour: u8, weapon: u8) -> u8 {
    match (behaviour, weapon) {
        (4 | 8 | 12, _) => 1,
        (6, _) => 22,
        (7 | 9 | 10 | 11, _) => 40,
        (0..=3, 22 | 40) => 1,
        _ => weapon,
    }
}

/// Brings the weapon in line with the behaviour; whether it changed.
pub fn weapon_follows(globals: Rec, draft: &mut Draft) -> bool {
    let weapon = draft.get(globals, Globals::weapon);
    let forced = forced_weapon(draft.get(globals, Globals::behaviour), weapon);
    draft.set(globals, Globals::weapon, forced);
    forced != weapon
}

/// The hero wears what suits when his body is the tunic (lba2.md 7.3); a hidden one stays hidden.
fn dress(context: &Context, draft: &mut Draft) {
    if let Some(hero) = context.object(0)
        && draft.get(hero, Object::gen_body) != NO_BODY
    {
        draft.set(hero, Object::gen_body, TUNIC_BODY);
    }
}

/// Variable 8 holds the currency that this planet does not spend (lba2.md 5.1).
fn other_money_follows(save: &Saved, context: &Context, field: &Field, draft: &mut Draft) {
    let (Some(globals), Some(copy)) = (context.globals(), context.variable(OTHER_MONEY)) else {
        return;
    };
    let other = match planet(save.scene_of(context)) {
        Some(Planet::Twinsun) => Globals::zlitos,
        Some(Planet::Zeelich) => Globals::kashes,
        None => {
            return draft
                .caution("variable 8, a copy of a currency, stays: this scene is on no planet");
        }
    };
    if field.is(other) {
        let money = draft.get(globals, other);
        draft.set(
            copy,
            Variable::value,
            i16::from_le_bytes(money.to_le_bytes()),
        );
    }
}

fn tell_of_checkpoint(save: &Saved, context: &Context, draft: &mut Draft) {
    let nested = save.skeleton.nested.as_ref();
    if nested.is_some_and(|nested| nested.at != context.at) {
        draft.caution(
            "the checkpoint keeps its own value, which comes back if Twinsen dies at once",
        );
    }
}

fn check_object(context: &Context, index: i128) -> Done {
    let count = context.objects.map_or(0, |objects| objects.count);
    let count = i128::try_from(count).unwrap_or(0);
    if (0..count.max(1)).contains(&index) {
        return Ok(());
    }
    let why = format!("there is no object {index} in this scene");
    Err(Refusal::invalid(why).legal(format!("0..{}", count.max(1) - 1)))
}

/// One axis of the view: cell, point looked at, size of a cell, and the hero's place along it.
struct Axis {
    cell: Token<i32>,
    target: Token<i32>,
    size: i32,
    place: Token<i32>,
    old_place: Token<i32>,
}

const fn axes() -> [Axis; 3] {
    [
        Axis {
            cell: Globals::camera_cell_x,
            target: Camera::target_x,
            size: 512,
            place: Object::x,
            old_place: Object::old_x,
        },
        Axis {
            cell: Globals::camera_cell_y,
            target: Camera::target_y,
            size: 256,
            place: Object::y,
            old_place: Object::old_y,
        },
        Axis {
            cell: Globals::camera_cell_z,
            target: Camera::target_z,
            size: 512,
            place: Object::z,
            old_place: Object::old_z,
        },
    ]
}

/// Whether each cell of the view holds the point looked at.
pub fn view_agrees(image: &[u8], context: &Context) -> bool {
    let (Some(globals), Some(camera)) = (context.globals(), context.camera_rec()) else {
        return true;
    };
    axes().iter().all(|axis| {
        let target = camera.get(image, axis.target);
        globals.get(image, axis.cell) == target.div_euclid(axis.size)
    })
}

/// The point looked at moves with its cell and keeps its place in it.
fn target_follows(save: &Saved, context: &Context, axis: Axis, draft: &mut Draft) -> Done {
    let (Some(globals), Some(camera)) = (context.globals(), context.camera_rec()) else {
        return Ok(());
    };
    let old = globals.get(save.image(), axis.cell);
    let target = draft.get(camera, axis.target);
    let agreed = target.div_euclid(axis.size) == old;
    let within = if agreed {
        target.rem_euclid(axis.size)
    } else {
        0
    };
    let corner = draft.get(globals, axis.cell).checked_mul(axis.size);
    let moved = corner.and_then(|corner| corner.checked_add(within));
    let moved = moved.ok_or_else(|| Refusal::invalid("too far from the world"))?;
    draft.set(camera, axis.target, moved);
    Ok(())
}

pub fn camera(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    plain(save, rec, field, bytes, draft)?;
    if let Some(globals) = save.context_at(rec.at).globals() {
        for axis in axes() {
            if field.is(axis.target) {
                let target = draft.get(rec, axis.target);
                draft.set(globals, axis.cell, target.div_euclid(axis.size));
            }
        }
    }
    Ok(())
}

pub fn restart(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    if field.name == "x" && number(field, rec, bytes) == i128::from(super::move_to_scene::COMMAND) {
        let why = "-1 tells the game to begin the scene anew; write lba/move_to_scene for that";
        return Err(Refusal::invalid(why));
    }
    plain(save, rec, field, bytes, draft)
}

pub fn variable(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    let context = save.context_at(rec.at);
    plain(save, rec, field, bytes, draft)?;
    let is = |index| {
        context
            .variable(index)
            .is_some_and(|variable| variable.at == rec.at)
    };
    if is(DARTS_CARRIED) {
        take_darts(context, number(field, rec, bytes), draft);
    }
    if is(TUNIC) {
        dress(context, draft);
    }
    tell_of_checkpoint(save, context, draft);
    Ok(())
}

/// The bit of a dart that Twinsen carries.
const TAKEN: u32 = 1;

/// Darts that are carried, by their flags.
pub fn darts_taken(image: &[u8], context: &Context) -> i128 {
    let darts = context.darts().into_iter().flat_map(|darts| darts.recs());
    darts
        .map(|dart| i128::from(dart.get(image, Dart::flags) & TAKEN))
        .sum()
}

/// Marks as many darts as taken as are carried: free ones from the first on, or frees from the last on.
fn take_darts(context: &Context, wanted: i128, draft: &mut Draft) {
    let darts: Vec<Rec> = context
        .darts()
        .into_iter()
        .flat_map(|darts| darts.recs())
        .collect();
    let mut taken = darts_taken(draft.bytes(), context);
    for dart in &darts {
        let flags = draft.get(*dart, Dart::flags);
        if taken < wanted && flags & TAKEN == 0 {
            draft.set(*dart, Dart::flags, flags | TAKEN);
            taken += 1;
        }
    }
    for dart in darts.iter().rev() {
        let flags = draft.get(*dart, Dart::flags);
        if taken > wanted && flags & TAKEN != 0 {
            draft.set(*dart, Dart::flags, flags & !TAKEN);
            taken -= 1;
        }
    }
}

/// The number carried follows the flags where it agreed with them before.
pub fn dart(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    plain(save, rec, field, bytes, draft)?;
    let context = save.context_at(rec.at);
    let (before, after) = (
        darts_taken(save.image(), context),
        darts_taken(draft.bytes(), context),
    );
    if let Some(carried) = context.variable(DARTS_CARRIED)
        && i128::from(draft.get(carried, Variable::value)) == before
    {
        draft.set(carried, Variable::value, i16::try_from(after).unwrap_or(0));
    }
    Ok(())
}

pub fn item(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    let context = save.context_at(rec.at);
    let index = index_of(rec, context.at.saturating_add(ITEMS_AT));
    if index == HORN && field.is(Item::charge) && !(0..=100).contains(&number(field, rec, bytes)) {
        return Err(Refusal::invalid("the horn cannot hold this charge").legal("0..100"));
    }
    plain(save, rec, field, bytes, draft)?;
    if index == TUNIC && field.is(Item::state) {
        dress(context, draft);
    }
    Ok(())
}

/// The number of a record in its list.
fn index_of(rec: Rec, first: usize) -> usize {
    rec.at
        .saturating_sub(first)
        .checked_div(rec.size())
        .unwrap_or(0)
}

pub fn object(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    let context = save.context_at(rec.at);
    let index = index_of(rec, context.objects.map_or(rec.at, |objects| objects.at));
    let value = number(field, rec, bytes);
    if index == 0 {
        return hero(save, rec, field, bytes, draft);
    }
    if index == PENGUIN && field.is(Object::info1) && !(-1..=9).contains(&value) {
        let why = "the game uses this as a place among the incrusts";
        return Err(Refusal::invalid(why).legal("-1..9"));
    }
    check_carrier(context, field, value)?;
    plain(save, rec, field, bytes, draft)
}

/// The loader looks up what carries an object without a test (lba2.md 7.3, offset 107).
fn check_carrier(context: &Context, field: &Field, value: i128) -> Done {
    if !field.is(Object::carried_by) {
        return Ok(());
    }
    match i16::try_from(value).ok().and_then(carrier) {
        Some(index) => check_object(context, i128::from(index)),
        None => Ok(()),
    }
}

/// The object that the loader looks up for a value of `carried_by`.
pub fn carrier(value: i16) -> Option<u8> {
    let low = value.to_le_bytes();
    (value != -1 && value & SCENERY == 0).then_some(low[0])
}

/// To move him is to move his old place and the view; to turn him, all that turns (lba2.md 7.3).
fn hero(save: &Saved, rec: Rec, field: &'static Field, bytes: &[u8], draft: &mut Draft) -> Done {
    let context = save.context_at(rec.at);
    check_carrier(context, field, number(field, rec, bytes))?;
    let place = axes().into_iter().find(|axis| field.is(axis.place));
    let turns = field.is(Object::beta);
    if (place.is_some() || turns) && DRIVING.contains(&draft.get(rec, Object::r#move)) {
        let why = "Twinsen is driving: the car and he would part";
        return Err(Refusal::new(Errno::Busy, why));
    }
    if let Some(axis) = &place
        && axis.size == 512
        && !(0..=32767).contains(&number(field, rec, bytes))
    {
        return Err(Refusal::invalid("outside the world").legal("0..32767"));
    }
    plain(save, rec, field, bytes, draft)?;
    if turns {
        let facing = draft.get(rec, Object::beta);
        draft.set(rec, Object::old_beta, facing);
        draft.set(rec, Object::turn_current, facing);
        draft.set(rec, Object::turn_end, facing);
    }
    let (Some(axis), Some(globals)) = (place, context.globals()) else {
        return Ok(());
    };
    let here = draft.get(rec, axis.place);
    draft.set(rec, axis.old_place, here);
    draft.set(globals, axis.cell, here.div_euclid(axis.size));
    target_follows(save, context, axis, draft)
}

/// A slot that is free is never stored (lba2.md 7.5, 7.8).
fn refuse_free(value: i128) -> Done {
    match value {
        -1 => Err(Refusal::invalid(
            "-1 marks what is not there; rmdir removes it",
        )),
        _ => Ok(()),
    }
}

pub fn extra(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    if field.is(Extra::sprite) {
        refuse_free(number(field, rec, bytes))?;
    }
    plain(save, rec, field, bytes, draft)
}

pub fn incrust(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    if field.is(Incrust::number) {
        refuse_free(number(field, rec, bytes))?;
    }
    plain(save, rec, field, bytes, draft)
}

pub fn flow(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    let stored = stored_dots(save, rec).max(1);
    let few = usize::try_from(number(field, rec, bytes)).is_ok_and(|dots| dots < stored);
    if field.is(Flow::dots_allocated) && few {
        let legal = format!("{stored}..100");
        return Err(Refusal::invalid("fewer than the dots stored").legal(legal));
    }
    plain(save, rec, field, bytes, draft)
}

pub fn view(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    let value = bytes.first().copied().unwrap_or(0);
    if field.is(View::car_object) && value & CAR_HERE != 0 {
        let index = i128::from(value & !CAR_HERE);
        check_object(save.context_at(rec.at), index)?;
    }
    plain(save, rec, field, bytes, draft)
}

/// Whether the car's object is there, where the car is in this scene.
pub fn car_agrees(image: &[u8], context: &Context) -> bool {
    let Some(view) = context.view() else {
        return true;
    };
    let value = view.get(image, View::car_object);
    value & CAR_HERE == 0 || check_object(context, i128::from(value & !CAR_HERE)).is_ok()
}

/// Places of the slate that hold a picture.
pub fn slate_pictures(image: &[u8], context: &Context) -> u8 {
    let places = context
        .slate_places()
        .into_iter()
        .flat_map(|places| places.recs());
    let used = places.filter(|place| place.get(image, SlatePlace::image) != EMPTY);
    u8::try_from(used.count()).unwrap_or(u8::MAX)
}

/// A place of the slate without a picture.
pub const EMPTY: i8 = -1;

pub fn slate_place(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    plain(save, rec, field, bytes, draft)?;
    let context = save.context_at(rec.at);
    let Some(slate) = context.slate() else {
        return Ok(());
    };
    let count = slate_pictures(draft.bytes(), context);
    draft.set(slate, Slate::count, count);
    if draft.get(slate, Slate::current) >= count.max(1) {
        draft.set(slate, Slate::current, count.saturating_sub(1));
    }
    Ok(())
}

pub fn slate(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    let count = draft.get(rec, Slate::count).max(1);
    if field.is(Slate::current) && bytes.first().is_some_and(|current| *current >= count) {
        let legal = format!("0..{}", count.saturating_sub(1));
        return Err(Refusal::invalid("the slate has no such picture").legal(legal));
    }
    plain(save, rec, field, bytes, draft)
}

/// Safe ground and a checkpoint exclude each other (lba2.md 8).
pub fn ground(
    save: &Saved,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Done {
    plain(save, rec, field, bytes, draft)?;
    if !field.is(Ground::position_valid) {
        return Ok(());
    }
    let safe = draft.get(rec, Ground::position_valid) != 0;
    let behind = rec.at.saturating_add(rec.size());
    match &save.skeleton.checkpoint {
        Some(checkpoint) if safe => {
            let bytes = checkpoint.head.size().saturating_add(checkpoint.bytes);
            draft.splice(behind, bytes, &[]);
            draft.caution("the checkpoint is dropped: Twinsen stands on safe ground");
        }
        None if !safe => {
            let scene = save.scene().to_le_bytes();
            draft.splice(behind, 0, &[scene, [0; 4]].concat());
        }
        _ => {}
    }
    Ok(())
}

/// Takes bytes out of a context; the size of a checkpoint follows.
pub fn cut(save: &Saved, context: &Context, at: usize, bytes: usize, draft: &mut Draft) {
    draft.splice(at, bytes, &[]);
    if let Some(checkpoint) = save.skeleton.checkpoint.filter(|c| c.at == context.at) {
        let left = checkpoint.bytes.saturating_sub(bytes);
        let left = i32::try_from(left).unwrap_or(i32::MAX);
        draft.set(checkpoint.head, CheckpointHead::checkpoint_size, left);
    }
}

/// The late globals of a context, for findings.
pub fn late(context: &Context) -> Option<Rec> {
    context.fixed_rec(Late::SHAPE, LATE_AT)
}
