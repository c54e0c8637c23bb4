//! The view: cells, the point looked at, and the hero's place along each axis. lba2.md 5, 7.3, 7.10.

use super::Done;
use crate::formats::lba2::records::{Camera, Globals, Object};
use crate::formats::lba2::save::Saved;
use crate::formats::lba2::walk::Context;
use crate::tree::record::{Field, Rec, Token, plain};
use crate::tree::{Draft, Refusal, Save};

/// One axis of the view: cell, point looked at, size of a cell, and the hero's place along it.
pub(super) struct Axis {
    pub cell: Token<i32>,
    pub target: Token<i32>,
    pub size: i32,
    pub place: Token<i32>,
    pub old_place: Token<i32>,
}

pub(super) const fn axes() -> [Axis; 3] {
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
pub(super) fn target_follows(
    save: &Saved,
    context: &Context,
    axis: Axis,
    draft: &mut Draft,
) -> Done {
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
