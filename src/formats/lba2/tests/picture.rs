//! The screenshot, both ways.

use super::*;
use crate::codec::lzss;
use png::{BitDepth, ColorType, Decoder, Encoder};

fn png_of(save: &Played) -> Vec<u8> {
    save.node("lba/screenshot.png")
        .unwrap()
        .as_leaf()
        .unwrap()
        .read()
        .into_owned()
}

fn pixels_of(save: &Played) -> Vec<u8> {
    save.node("lba/screenshot.bin")
        .unwrap()
        .as_leaf()
        .unwrap()
        .read()
        .into_owned()
}

fn png(width: u32, height: u32, colour: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

#[test]
fn the_screenshot_is_a_real_png_with_the_games_palette() {
    let save = opened("PLAIN32C");
    let file = png_of(&save);
    let mut reader = Decoder::new(std::io::Cursor::new(&file))
        .read_info()
        .unwrap();
    let info = reader.info();
    assert_eq!((info.width, info.height), (160, 120));
    assert_eq!(info.color_type, ColorType::Indexed);
    let line = include_str!("../palette.txt").lines().nth(64).unwrap();
    let palette = info.palette.clone().unwrap();
    let [r, g, b] = palette[64 * 3..64 * 3 + 3] else {
        panic!()
    };
    assert_eq!(line, format!("64 {r} {g} {b}"));
    let mut pixels = vec![0; 160 * 120];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels, pixels_of(&save));
    // The fixture's picture: block x, y has the colour 64 * y + 4 * (7 * x mod 16).
    assert_eq!(pixels[119 * 160 + 159], 64 * 3 + 4 * (7 * 15 % 16));
}

#[test]
fn any_png_becomes_the_screenshot() {
    let save = opened("PLAIN32C");
    let red = |depth: usize| [vec![0xFC; depth], vec![0; depth], vec![0; depth]].concat();
    for (width, height) in [(160, 120), (1, 1), (320, 200), (33, 7)] {
        let count = (width * height) as usize;
        for (colour, depth, data) in [
            (ColorType::Rgb, BitDepth::Eight, red(1).repeat(count)),
            (ColorType::Rgb, BitDepth::Sixteen, red(2).repeat(count)),
            (
                ColorType::Rgba,
                BitDepth::Eight,
                [red(1), vec![0xFF]].concat().repeat(count),
            ),
        ] {
            let after = save
                .write(
                    "lba/screenshot.png",
                    &png(width, height, colour, depth, &data),
                )
                .unwrap();
            let pixels = pixels_of(&after);
            assert_eq!(pixels.len(), 19_200);
            let index = usize::from(pixels[0]);
            let line = include_str!("../palette.txt").lines().nth(index).unwrap();
            let numbers: Vec<i32> = line.split(' ').map(|n| n.parse().unwrap()).collect();
            assert!(
                numbers[1] > 200 && numbers[2] < 40 && numbers[3] < 40,
                "{line}"
            );
            assert!(pixels.iter().all(|pixel| *pixel == pixels[0]));
            assert_eq!(get(&after, "lba/kashes"), "123");
        }
        let grey = png(
            width,
            height,
            ColorType::Grayscale,
            BitDepth::Eight,
            &vec![0; count],
        );
        save.write("lba/screenshot.png", &grey).unwrap();
    }
}

#[test]
fn pixels_go_there_and_back() {
    let (file, save) = (fixture("PLAIN32C"), opened("PLAIN32C"));
    let (png, pixels) = (png_of(&save), pixels_of(&save));
    let black = save.write("lba/screenshot.bin", &[0; 19_200]).unwrap();
    assert_ne!(png_of(&black), png);
    assert_eq!(
        file_of(&black.write("lba/screenshot.bin", &pixels).unwrap()),
        file
    );
    assert_eq!(
        file_of(&black.write("lba/screenshot.png", &png).unwrap()),
        file
    );
    for length in [0, 19_199, 19_201] {
        assert!(save.write("lba/screenshot.bin", &vec![0; length]).is_err());
    }
    let node = save.node("lba/screenshot.bin").unwrap();
    assert!(node.as_leaf().unwrap().feasible(&[0; 19_201]).is_err());
}

#[test]
fn what_is_no_png_is_refused_at_once() {
    let save = opened("PLAIN32C");
    let node = save.node("lba/screenshot.png").unwrap();
    let leaf = node.as_leaf().unwrap();
    assert!(leaf.feasible(b"\x89PNG\r\n\x1a\nand so on").is_ok());
    assert!(leaf.feasible(b"\x89P").is_ok());
    assert!(leaf.feasible(b"GIF89a").is_err());
    let mut cut = png_of(&save);
    cut.truncate(cut.len() / 2);
    assert!(save.write("lba/screenshot.png", &cut).is_err());
    assert!(save.write("lba/screenshot.png", b"").is_err());
}

/// Bytes without a pattern.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn a_save_that_does_not_get_smaller_is_stored_plain() {
    let save = opened("PLAIN32C");
    let pixels = noise(19_200);
    assert!(lzss::encode(&pixels).len() > pixels.len());
    let after = save.write("lba/screenshot.bin", &pixels).unwrap();
    assert_eq!(get(&after, "lba/compressed"), "false");
    assert_eq!(pixels_of(&open(&file_of(&after))), pixels);
    assert_eq!(refused(&after, "lba/compressed", "true"), Errno::Invalid);
}
