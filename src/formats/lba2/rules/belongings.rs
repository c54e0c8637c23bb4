//! What Twinsen owns: money, weapon, items, darts. lba2.md 5, 7.2, 12.

use super::{Done, check_range, index_of, number};
use crate::formats::lba2::names::{Planet, planet};
use crate::formats::lba2::records::{Dart, Globals, Item, Object, Variable};
use crate::formats::lba2::save::Saved;
use crate::formats::lba2::tree::{DARTS_CARRIED, HORN, OTHER_MONEY, TUNIC};
use crate::formats::lba2::walk::{Context, ITEMS_AT};
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{Draft, Save};
use std::ops::RangeInclusive;

/// The body that the game replaces by what suits, and none.
const TUNIC_BODY: u8 = 1;
const NO_BODY: u8 = 255;
/// What the horn holds (lba2.md 5.3).
pub const HORN_CHARGE: RangeInclusive<i128> = 0..=100;

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
pub(super) fn dress(context: &Context, draft: &mut Draft) {
    if let Some(hero) = context.object(0)
        && draft.get(hero, Object::gen_body) != NO_BODY
    {
        draft.set(hero, Object::gen_body, TUNIC_BODY);
    }
}

/// Variable 8 holds the currency that this planet does not spend (lba2.md 5.1).
pub(super) fn other_money_follows(
    save: &Saved,
    context: &Context,
    field: &Field,
    draft: &mut Draft,
) {
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

pub(super) fn tell_of_checkpoint(save: &Saved, context: &Context, draft: &mut Draft) {
    let nested = save.skeleton.nested.as_ref();
    if nested.is_some_and(|nested| nested.at != context.at) {
        draft.caution(
            "the checkpoint keeps its own value, which comes back if Twinsen dies at once",
        );
    }
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
pub(super) fn take_darts(context: &Context, wanted: i128, draft: &mut Draft) {
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
    if index == HORN && field.is(Item::charge) {
        let charge = number(field, rec, bytes);
        check_range(&HORN_CHARGE, charge, "the horn cannot hold this charge")?;
    }
    plain(save, rec, field, bytes, draft)?;
    if index == TUNIC && field.is(Item::state) {
        dress(context, draft);
    }
    Ok(())
}
