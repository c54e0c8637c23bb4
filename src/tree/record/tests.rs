use super::*;

record! {
    /// Two layouts.
    Two [8, 10] {
        /// first
        lit: Flag = edit @ 0, 0;
        /// second
        reach: u16 = edit(1..=500) @ 4, 6;
        wick: u16 = ptr @ _, 8;
    }
    /// Packed. Its end is open. format.md 2.1, 3.
    Packed [9, 13] {
        a: u8 = read;
        b: Slot = edit;
        c: [u16; 2] = edit;
    }
}

#[test]
fn offsets_follow_the_layout_and_sum_where_packed() {
    let at = |s: &Shape, layout| s.fields.iter().map(|f| f.at(layout)).collect::<Vec<_>>();
    assert_eq!(at(Two::SHAPE, 0), [Some(0), Some(4), None]);
    assert_eq!(at(Two::SHAPE, 1), [Some(0), Some(6), Some(8)]);
    assert_eq!(at(Packed::SHAPE, 0), [Some(0), Some(1), Some(5)]);
    assert_eq!(at(Packed::SHAPE, 1), [Some(0), Some(1), Some(9)]);
    assert_eq!(Two::SHAPE.fields[1].doc, "second");
}

#[test]
fn what_a_record_is_leaves_out_where_that_was_read() {
    assert_eq!(Two::SHAPE.doc, "Two layouts.");
    assert_eq!(Packed::SHAPE.doc, "Packed. Its end is open.");
}

#[test]
fn tokens_read_and_write_their_own_field_only() {
    let rec = Rec::new(Packed::SHAPE, 1, 1);
    let mut draft = Draft::new((0..16).collect(), false);
    assert_eq!(draft.get(rec, Packed::a), 1);
    draft.set(rec, Packed::b, -2);
    assert_eq!(draft.get(rec, Packed::c), [0x0b0a, 0x0d0c]);
    let (bytes, ..) = draft.finish();
    assert_eq!(
        bytes,
        [
            0, 1, 0xfe, 0xff, 0xff, 0xff, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        ]
    );
}

#[test]
fn a_pointer_is_shown_in_hexadecimal() {
    let rec = Rec::new(Two::SHAPE, 0, 1);
    let image = [0, 0, 0, 0, 0, 0, 0, 0, 0x34, 0x12];
    let field = Two::wick.field();
    let shown = field
        .kind(1)
        .show(rec.bytes(&image, field), &field.legal)
        .into_owned();
    assert_eq!(shown, b"0x1234");
}
