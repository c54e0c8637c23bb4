//! What changes together with a field, and what is refused although the type holds it. lba2.md 7, 11, 12.

mod belongings;
mod objects;
mod slate;
mod view;

pub use belongings::{
    HORN_CHARGE, dart, darts_taken, forced_weapon, item, variable, weapon_follows,
};
pub use objects::{
    DRIVING, INCRUST_PLACES, PENGUIN, WORLD, car_agrees, carrier, extra, flow, incrust, object,
    view,
};
pub use slate::{EMPTY, slate, slate_pictures, slate_place};
pub use view::{camera, view_agrees};

use super::names::WEAPON;
use super::records::{CheckpointHead, Globals, Ground, Late};
use super::save::Saved;
use super::walk::{Context, LATE_AT};
use crate::tree::kind::{Kind, integer};
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{Draft, Refusal};
use belongings::{dress, other_money_follows, tell_of_checkpoint};
use std::ops::RangeInclusive;
use view::{axes, target_follows};

type Done = Result<(), Refusal>;

/// The number that these bytes are in a field.
fn number(field: &Field, rec: Rec, bytes: &[u8]) -> i128 {
    match field.kind(rec.layout) {
        Kind::Int { width, signed } => integer(bytes, width, signed),
        _ => integer(bytes, 1, false),
    }
}

/// The number of a record in its list.
fn index_of(rec: Rec, first: usize) -> usize {
    rec.at
        .saturating_sub(first)
        .checked_div(rec.size())
        .unwrap_or(0)
}

fn check_range(legal: &RangeInclusive<i128>, value: i128, why: &str) -> Done {
    if legal.contains(&value) {
        return Ok(());
    }
    Err(Refusal::invalid(why).legal(range_words(legal)))
}

/// A range as it is told to a user.
pub fn range_words(range: &RangeInclusive<i128>) -> String {
    format!("{}..{}", range.start(), range.end())
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
