//! What is in the scene: the hero, other objects, extras, incrusts, flows, the car. lba2.md 7.3 to 7.10.

use super::view::{axes, target_follows};
use super::{Done, check_object, check_range, index_of, number};
use crate::formats::lba2::lists::stored_dots;
use crate::formats::lba2::records::{Extra, Flow, Incrust, Object, View};
use crate::formats::lba2::save::Saved;
use crate::formats::lba2::walk::Context;
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{Draft, Errno, Refusal};
use std::ops::RangeInclusive;

/// The object that is the Nitro-Meca-Penguin.
pub const PENGUIN: usize = 1;
/// Where the hero may be along X and Z (lba2.md 7.3).
pub const WORLD: RangeInclusive<i128> = 0..=32_767;
/// Places among the incrusts, -1 none: what `info1` of the penguin is (lba2.md 11).
pub const INCRUST_PLACES: RangeInclusive<i128> = -1..=9;
/// Movements of driving.
pub const DRIVING: [u8; 2] = [12, 13];

/// Added to `car_object` when the car is in this scene.
const CAR_HERE: u8 = 0x80;
/// Added to `carried_by` for scenery.
const SCENERY: i16 = 1024;

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
    if index == PENGUIN && field.is(Object::info1) {
        let why = "the game uses this as a place among the incrusts";
        check_range(&INCRUST_PLACES, value, why)?;
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
    let [low, _] = value.to_le_bytes();
    (value != -1 && value & SCENERY == 0).then_some(low)
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
    {
        check_range(&WORLD, number(field, rec, bytes), "outside the world")?;
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
