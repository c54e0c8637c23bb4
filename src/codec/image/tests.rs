use std::borrow::Cow;

use png::Info;
use png::chunk::IDAT;
use proptest::prelude::*;

use super::*;

const SMALL: Size = Size {
    width: 5,
    height: 3,
};

/// Sixteen colours, sixteen times over.
fn repeating() -> Palette {
    Palette::new(std::array::from_fn(|index| {
        let step = (index % 16) as u8;
        [step * 17, 255 - step * 17, step * 3]
    }))
}

fn info(size: Size, color_type: ColorType, bit_depth: BitDepth) -> Info<'static> {
    let mut info = Info::with_size(size.width, size.height);
    (info.color_type, info.bit_depth) = (color_type, bit_depth);
    info
}

fn png_of(info: Info, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = Encoder::with_info(&mut file, info)
        .unwrap()
        .write_header()
        .unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

/// The colours of a picture of two pixels side by side.
fn pair(color_type: ColorType, bit_depth: BitDepth, data: &[u8]) -> Vec<Rgb> {
    pair_with(color_type, bit_depth, data, &[], None)
}

fn pair_with(
    color_type: ColorType,
    bit_depth: BitDepth,
    data: &[u8],
    palette: &'static [u8],
    transparent: Option<&'static [u8]>,
) -> Vec<Rgb> {
    let size = Size {
        width: 2,
        height: 1,
    };
    let mut info = info(size, color_type, bit_depth);
    info.palette = (!palette.is_empty()).then_some(Cow::Borrowed(palette));
    info.trns = transparent.map(Cow::Borrowed);
    let picture = Picture::read(&png_of(info, data)).unwrap();
    assert_eq!(picture.size, size);
    picture.row(0).collect()
}

#[test]
fn every_colour_type_and_depth_is_read() {
    use BitDepth::*;
    use ColorType::*;
    assert_eq!(pair(Grayscale, One, &[0b1000_0000]), [[255; 3], [0; 3]]);
    assert_eq!(pair(Grayscale, Two, &[0b0110_0000]), [[85; 3], [170; 3]]);
    assert_eq!(pair(Grayscale, Four, &[0x3C]), [[51; 3], [204; 3]]);
    assert_eq!(pair(Grayscale, Eight, &[7, 201]), [[7; 3], [201; 3]]);
    assert_eq!(
        pair(Grayscale, Sixteen, &[0x12, 0x34, 0xFE, 0xDC]),
        [[0x12; 3], [0xFE; 3]]
    );
    assert_eq!(
        pair(GrayscaleAlpha, Eight, &[200, 255, 200, 128]),
        [[200; 3], [100; 3]]
    );
    assert_eq!(
        pair(GrayscaleAlpha, Sixteen, &[200, 1, 255, 2, 200, 3, 0, 4]),
        [[200; 3], [0; 3]]
    );
    assert_eq!(
        pair(Rgb, Eight, &[1, 2, 3, 4, 5, 6]),
        [[1, 2, 3], [4, 5, 6]]
    );
    assert_eq!(
        pair(Rgb, Sixteen, &[1, 9, 2, 9, 3, 9, 4, 9, 5, 9, 6, 9]),
        [[1, 2, 3], [4, 5, 6]]
    );
    assert_eq!(
        pair(Rgba, Eight, &[10, 20, 30, 255, 10, 20, 30, 51]),
        [[10, 20, 30], [2, 4, 6]]
    );
    assert_eq!(
        pair(
            Rgba,
            Sixteen,
            &[10, 0, 20, 0, 30, 0, 255, 0, 10, 0, 20, 0, 30, 0, 51, 0]
        ),
        [[10, 20, 30], [2, 4, 6]]
    );
    let colours = &[9, 8, 7, 60, 50, 40];
    for (depth, data) in [
        (One, &[0b0100_0000][..]),
        (Two, &[0b0001_0000]),
        (Four, &[0x01]),
        (Eight, &[0, 1]),
    ] {
        let row = pair_with(Indexed, depth, data, colours, None);
        assert_eq!(row, [[9, 8, 7], [60, 50, 40]], "{depth:?}");
    }
}

#[test]
fn what_is_transparent_lies_over_black() {
    use BitDepth::*;
    use ColorType::*;
    let colours = &[100, 100, 100, 60, 50, 40];
    assert_eq!(
        pair_with(Indexed, Eight, &[0, 1], colours, Some(&[0])),
        [[0; 3], [60, 50, 40]]
    );
    assert_eq!(
        pair_with(Grayscale, Eight, &[7, 8], &[], Some(&[0, 8])),
        [[7; 3], [0; 3]]
    );
    assert_eq!(
        pair_with(
            Rgb,
            Eight,
            &[1, 2, 3, 4, 5, 6],
            &[],
            Some(&[0, 1, 0, 2, 0, 3])
        ),
        [[0; 3], [4, 5, 6]]
    );
}

/// Stored blocks only.
fn zlib(data: &[u8]) -> Vec<u8> {
    let (mut low, mut high) = (1u32, 0u32);
    for &byte in data {
        low = (low + u32::from(byte)) % 65521;
        high = (high + low) % 65521;
    }
    let length = u16::try_from(data.len()).unwrap();
    let mut packed = vec![0x78, 0x01, 0x01];
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(data);
    packed.extend((high << 16 | low).to_be_bytes());
    packed
}

fn interlaced(indices: &[u8], palette: &Palette, size: Size) -> Vec<u8> {
    let mut data = Vec::new();
    for (left, top, right, down) in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ] {
        let (width, height) = (size.width as usize, size.height as usize);
        for y in (top..height).step_by(down).filter(|_| left < width) {
            data.push(0);
            data.extend((left..width).step_by(right).map(|x| indices[y * width + x]));
        }
    }
    let mut info = info(size, ColorType::Indexed, BitDepth::Eight);
    info.interlaced = true;
    info.palette = Some(Cow::Borrowed(palette.colours().as_flattened()));
    let mut file = Vec::new();
    let mut writer = Encoder::with_info(&mut file, info)
        .unwrap()
        .write_header()
        .unwrap();
    writer.write_chunk(IDAT, &zlib(&data)).unwrap();
    drop(writer);
    file
}

#[test]
fn an_interlaced_picture_is_read() {
    let size = Size {
        width: 13,
        height: 11,
    };
    let indices: Vec<u8> = (0..13 * 11).collect();
    let file = interlaced(&indices, &repeating(), size);
    assert_eq!(indices_of_png(&file, &repeating(), size), Ok(indices));
}

#[test]
fn a_picture_with_equal_colours_survives() {
    let size = Size {
        width: 160,
        height: 120,
    };
    let indices: Vec<u8> = (0..size.area()).map(|at| (at * 7 % 251) as u8).collect();
    let file = png_of_indices(&indices, &repeating(), size).unwrap();
    assert_eq!(file.get(..8), Some(&b"\x89PNG\r\n\x1a\n"[..]));
    assert_eq!(indices_of_png(&file, &repeating(), size), Ok(indices));
}

#[test]
fn a_shortened_palette_is_still_ours() {
    let mut info = info(SMALL, ColorType::Indexed, BitDepth::Eight);
    let palette = repeating();
    info.palette = Some(Cow::Borrowed(&palette.colours().as_flattened()[..40 * 3]));
    let indices: Vec<u8> = (25..40).collect();
    let file = png_of(info, &indices);
    assert_eq!(indices_of_png(&file, &palette, SMALL), Ok(indices));
}

#[test]
fn other_palettes_and_colour_types_are_matched_to_the_lowest_index() {
    let palette = repeating();
    let indices: Vec<u8> = (100..115).collect();
    let lowest: Vec<u8> = indices.iter().map(|index| index % 16).collect();
    let colours = indices.iter().flat_map(|&index| palette.colour(index));
    let in_rgb = png_of(
        info(SMALL, ColorType::Rgb, BitDepth::Eight),
        &colours.collect::<Vec<u8>>(),
    );
    assert_eq!(indices_of_png(&in_rgb, &palette, SMALL), Ok(lowest.clone()));

    let mut other = *palette.colours();
    other[255] = [1, 2, 3];
    let file = png_of_indices(&indices, &Palette::new(other), SMALL).unwrap();
    assert_eq!(indices_of_png(&file, &palette, SMALL), Ok(lowest));
}

fn greys() -> Palette {
    Palette::new(std::array::from_fn(|index| [index as u8; 3]))
}

fn rescaled(data: &[u8], from: (u32, u32), to: (u32, u32)) -> Vec<u8> {
    let size = |(width, height)| Size { width, height };
    let info = info(size(from), ColorType::Grayscale, BitDepth::Eight);
    indices_of_png(&png_of(info, data), &greys(), size(to)).unwrap()
}

#[test]
fn rescaling_weighs_by_area() {
    assert_eq!(rescaled(&[10, 20, 30, 41], (2, 2), (1, 1)), [25]);
    assert_eq!(rescaled(&[0, 90, 180], (3, 1), (2, 1)), [30, 150]);
    assert_eq!(rescaled(&[0, 90, 180], (1, 3), (1, 2)), [30, 150]);
    assert_eq!(
        rescaled(&[10, 20], (2, 1), (3, 2)),
        [10, 15, 20, 10, 15, 20]
    );
    assert_eq!(rescaled(&[77], (1, 1), (3, 2)), [77; 6]);
    assert_eq!(
        rescaled(&[1, 2, 3, 4, 5, 6], (3, 2), (3, 2)),
        [1, 2, 3, 4, 5, 6]
    );
}

#[test]
fn a_huge_picture_is_refused_before_its_pixels_are_allocated() {
    let file = |width, height| {
        let size = Size { width, height };
        let mut info = info(size, ColorType::Grayscale, BitDepth::Eight);
        info.palette = None;
        let mut file = Vec::new();
        let encoder = Encoder::with_info(&mut file, info).unwrap();
        let mut writer = encoder.write_header().unwrap();
        writer.write_chunk(IDAT, &zlib(&[0; 9])).unwrap();
        drop(writer);
        file
    };
    let refusal = |width, height| {
        let file = file(width, height);
        (
            indices_of_png(&file, &greys(), SMALL).unwrap_err(),
            file.len(),
        )
    };
    for (width, height) in [(16_385, 1), (1, 16_385), (16_384, 4097), (u32::MAX >> 1, 9)] {
        assert_eq!(
            refusal(width, height).0,
            ImageError::TooLarge { width, height }
        );
    }
    let (width, height) = (16_384, 4096);
    let (error, bytes) = refusal(width, height);
    assert_eq!(
        error,
        ImageError::TooShort {
            width,
            height,
            bytes
        }
    );
}

#[test]
fn a_wrong_number_of_indices_is_refused() {
    assert_eq!(
        png_of_indices(&[0; 14], &greys(), SMALL),
        Err(ImageError::WrongCount {
            expected: 15,
            found: 14
        })
    );
}

#[test]
fn a_damaged_or_unfinished_png_is_refused() {
    let indices: Vec<u8> = (0..15).collect();
    let file = png_of_indices(&indices, &greys(), SMALL).unwrap();
    for length in 0..file.len() {
        let cut = indices_of_png(&file[..length], &greys(), SMALL);
        assert!(
            matches!(cut, Err(ImageError::NotReadable(_))),
            "{length}: {cut:?}"
        );
    }
    for bit in 0..file.len() * 8 {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let read = indices_of_png(&damaged, &greys(), SMALL);
        assert!(read.is_err(), "bit {bit} of {}: {read:?}", file.len() * 8);
    }
}

proptest! {
    #[test]
    fn what_is_no_png_is_refused(file in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(indices_of_png(&file, &greys(), SMALL).is_err());
        let with_signature = [b"\x89PNG\r\n\x1a\n", &file[..]].concat();
        prop_assert!(indices_of_png(&with_signature, &greys(), SMALL).is_err());
    }

    #[test]
    fn a_mean_lies_between_the_darkest_and_the_brightest(
        data in prop::collection::vec(any::<u8>(), 12),
        width in 1u32..9,
        height in 1u32..9,
    ) {
        let result = rescaled(&data, (4, 3), (width, height));
        prop_assert_eq!(result.len(), (width * height) as usize);
        let (least, most) = (data.iter().min().unwrap(), data.iter().max().unwrap());
        prop_assert!(result.iter().all(|grey| (least..=most).contains(&grey)));
    }
}
