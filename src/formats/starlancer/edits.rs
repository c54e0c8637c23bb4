//! What a write does beyond storing a value. starlancer.md 4 and 10; rules over values are in `rules`.

use super::Campaign;
use super::records::Miss;
use crate::tree::record::{Field, Rec, plain};
use crate::tree::{Draft, Errno, Refusal, Span};
use std::sync::Arc;

/// The rule of every field.
pub fn write(
    save: &Campaign,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    if field.is(Miss::call_sign) {
        call_sign(save, rec, field, bytes, draft)
    } else {
        plain(save, rec, field, bytes, draft)
    }
}

/// The characters, the NUL, and zeros to the end of the field.
fn call_sign(
    save: &Campaign,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    let room = rec.bytes(&save.image, field).len();
    if bytes.len() > room {
        let why = format!("longer than this file's field, which is cut to {room} bytes");
        return Err(Refusal::new(Errno::TooLong, why));
    }
    let mut whole = bytes.to_vec();
    whole.resize(room, 0);
    plain(save, rec, field, &whole, draft)
}

/// The rule of a chunk's bytes: as many as there are. starlancer.md 10.
pub fn raw(_: &Arc<Campaign>, span: Span, bytes: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
    if bytes.len() != span.length {
        let why = format!(
            "{} bytes given, a chunk never changes its size",
            bytes.len()
        );
        return Err(Refusal::not_permitted(why).legal(format!("{} bytes", span.length)));
    }
    draft.put(span.offset, bytes);
    Ok(())
}
