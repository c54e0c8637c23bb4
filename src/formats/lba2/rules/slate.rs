//! The magic slate: pictures, their number, the one shown. lba2.md 7.10.

use super::Done;
use crate::formats::lba2::records::{Slate, SlatePlace};
use crate::formats::lba2::save::Saved;
use crate::formats::lba2::walk::Context;
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{Draft, Refusal};

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
