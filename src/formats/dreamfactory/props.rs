//! `props/`. dreamfactory.md 7.

use super::map::PROPS;
use super::records::Prop;
use super::save::{DreamSave, Handle};
use crate::tree::build::{Listing, RecordDir, View};
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{Draft, Node, Refusal};

pub fn node(save: &Handle) -> Option<Node> {
    let make = |save: &Handle, index: usize| {
        Some(RecordDir::node(
            save,
            save.prop(index),
            View::Editable,
            rule,
        ))
    };
    Some(Listing::fixed(
        save,
        "things, on the screen or in the world",
        save.names(PROPS),
        make,
    ))
}

/// Another view begins with its first frame.
pub fn rule(
    save: &DreamSave,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    if field.is(Prop::view) {
        draft.set(rec, Prop::frame, 0);
    }
    plain(save, rec, field, bytes, draft)
}
