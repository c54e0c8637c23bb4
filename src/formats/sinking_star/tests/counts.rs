//! Counts whose bound depends on a width that is still being tried. Section 5.8.

use super::support::{open, value, verdict};

/// A history with one record, which holds one transaction of these bytes of moves behind their count.
fn history(moves: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(73u32.to_le_bytes());
    file.extend(0u32.to_le_bytes());
    file.extend(25i64.to_le_bytes());
    file.extend([0; 8]);
    file.extend([0; 24]);
    file.push(1);
    file.extend(1u16.to_le_bytes());
    file.extend(400u32.to_le_bytes());
    file.extend([0; 8]);
    file.extend(1i64.to_le_bytes());
    file.extend([0; 44]);
    file.extend(1u32.to_le_bytes());
    file.extend(3u16.to_le_bytes());
    file.extend([0; 33]);
    file.extend(moves);
    file.extend([0; 5]);
    file.extend([0; 53]);
    file.extend([0; 16]);
    file
}

/// A move of this width, its elements behind it.
fn single_move(width: usize, elements: i64, element: usize) -> Vec<u8> {
    let mut bytes = 8u16.to_le_bytes().to_vec();
    bytes.resize(width - 8, 0xEE);
    bytes.extend(elements.to_le_bytes());
    bytes.resize(width + usize::try_from(elements).unwrap() * element, 0xFD);
    bytes
}

const MOVES: &str = "history/mips/0/records/0/transactions/0/moves";

#[test]
fn many_moves_do_not_hide_the_narrower_widths() {
    for width in [155, 156, 158, 164, 166] {
        for count in [1i64, 100, 1000] {
            let mut moves = count.to_le_bytes().to_vec();
            for _ in 0..count {
                moves.extend(single_move(width, 0, 0));
            }
            let save = open("a.history", &history(&moves), None);
            assert_eq!(verdict(&save), "read-only", "{count} moves of {width}");
            let last = format!("{MOVES}/{}/version", count - 1);
            assert_eq!(value(&save.unwrap(), &last), "8", "{count} of {width}");
        }
    }
}

#[test]
fn many_deprecated_elements_do_not_hide_the_narrower_width() {
    for element in [78, 80, 82] {
        for count in [1i64, 1000] {
            let mut moves = 1i64.to_le_bytes().to_vec();
            moves.extend(single_move(156, count, element));
            let save = open("a.history", &history(&moves), None);
            assert_eq!(verdict(&save), "read-only", "{count} of {element}");
            let last = format!("{MOVES}/0/deprecated/{}", count - 1);
            let save = save.unwrap();
            let node = crate::tree::walk::resolve(&save.root(), &last).unwrap();
            assert_eq!(node.as_leaf().unwrap().read(), vec![0xFD; element]);
        }
    }
}
