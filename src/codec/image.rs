//! Pictures of palette indices, to PNG and from it.
//!
//! Any PNG is taken: other sizes are rescaled by area, other colours become the nearest of the
//! palette, and what is transparent lies over black. A PNG with just the palette and the size is
//! taken index by index, so that a picture survives even when palette entries are equal.

mod rescale;
#[cfg(test)]
mod tests;

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, Encoder, Reader, Transformations};

use super::palette::{Matcher, Palette, Rgb};

/// Largest width and height that is read.
pub const LARGEST_SIDE: u32 = 16_384;
/// Largest number of pixels that is read.
pub const LARGEST_AREA: u64 = 64 << 20;

/// Deflate gives at most this many bytes for one.
const HIGHEST_EXPANSION: u64 = 1032;

/// Why a picture is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    #[error("not a PNG that can be read: {0}")]
    NotReadable(String),
    #[error(
        "expected a PNG of at most {LARGEST_SIDE} x {LARGEST_SIDE} and {LARGEST_AREA} pixels, \
         found {width} x {height}"
    )]
    TooLarge { width: u32, height: u32 },
    #[error("expected the pixels of {width} x {height}, found a PNG of only {bytes} bytes")]
    TooShort {
        width: u32,
        height: u32,
        bytes: usize,
    },
    #[error("expected {expected} palette indices, found {found}")]
    WrongCount { expected: u64, found: usize },
    #[error("a PNG cannot be made: {0}")]
    NotWritable(String),
}

impl From<png::DecodingError> for ImageError {
    fn from(error: png::DecodingError) -> Self {
        Self::NotReadable(error.to_string())
    }
}

impl From<png::EncodingError> for ImageError {
    fn from(error: png::EncodingError) -> Self {
        Self::NotWritable(error.to_string())
    }
}

/// The size of a picture in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Size {
    fn area(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// An indexed PNG with all 256 colours of `palette`. `indices` are rows from the top.
///
/// # Errors
/// The number of indices is not that of `size`, or a side is 0.
pub fn png_of_indices(
    indices: &[u8],
    palette: &Palette,
    size: Size,
) -> Result<Vec<u8>, ImageError> {
    if indices.len() as u64 != size.area() {
        return Err(ImageError::WrongCount {
            expected: size.area(),
            found: indices.len(),
        });
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size.width, size.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.colours().as_flattened());
    let mut writer = encoder.write_header()?;
    writer.write_image_data(indices)?;
    writer.finish()?;
    Ok(file)
}

/// The picture of any PNG in `size` and the colours of `palette`: rows of indices from the top.
///
/// A damaged or unfinished PNG is refused, and one that is too large before its pixels are
/// allocated.
///
/// # Errors
/// No PNG, a damaged or unfinished one, or one beyond [`LARGEST_SIDE`] and [`LARGEST_AREA`].
pub fn indices_of_png(file: &[u8], palette: &Palette, size: Size) -> Result<Vec<u8>, ImageError> {
    if let Some(indices) = indices_as_they_are(file, palette, size)? {
        return Ok(indices);
    }
    let picture = Picture::read(file)?;
    let mut matcher = Matcher::new(palette);
    let mut indices = Vec::new();
    rescale::by_area(&picture, size, |colour| {
        indices.push(matcher.nearest(colour))
    });
    Ok(indices)
}

/// The indices of a PNG of that size whose palette is ours, or the beginning of ours.
fn indices_as_they_are(
    file: &[u8],
    palette: &Palette,
    size: Size,
) -> Result<Option<Vec<u8>>, ImageError> {
    let mut reader = open(file, Transformations::IDENTITY)?;
    let info = reader.info();
    let colours = info.palette.as_deref().unwrap_or_default();
    let same = (info.color_type, info.bit_depth) == (ColorType::Indexed, BitDepth::Eight)
        && (info.width, info.height) == (size.width, size.height)
        && palette.colours().as_flattened().starts_with(colours)
        && info.trns.is_none();
    if !same {
        return Ok(None);
    }
    let known = colours.len() / 3;
    let indices = all_pixels(&mut reader)?;
    let legal = indices.iter().all(|&index| usize::from(index) < known);
    Ok(legal.then_some(indices))
}

/// A decoded PNG of 8 bits a sample: grey and alpha, or red, green, blue and alpha.
struct Picture {
    size: Size,
    samples: Vec<u8>,
    in_colour: bool,
}

impl Picture {
    fn read(file: &[u8]) -> Result<Self, ImageError> {
        let to_8_bits_with_alpha =
            Transformations::EXPAND | Transformations::STRIP_16 | Transformations::ALPHA;
        let mut reader = open(file, to_8_bits_with_alpha)?;
        let in_colour = match reader.output_color_type() {
            (ColorType::Rgba, BitDepth::Eight) => true,
            (ColorType::GrayscaleAlpha, BitDepth::Eight) => false,
            other => return Err(ImageError::NotReadable(format!("pixels of {other:?}"))),
        };
        Ok(Self {
            size: size_of(&reader),
            samples: all_pixels(&mut reader)?,
            in_colour,
        })
    }

    /// The colours of a row, over black.
    fn row(&self, y: u32) -> impl Iterator<Item = Rgb> {
        let sample_count = if self.in_colour { 4 } else { 2 };
        let length = self.size.width as usize * sample_count;
        let row = self.samples.chunks_exact(length.max(1)).nth(y as usize);
        let pixels = row.unwrap_or_default().chunks_exact(sample_count);
        pixels.map(|pixel| match *pixel {
            [red, green, blue, alpha] => [red, green, blue].map(|part| over_black(part, alpha)),
            [grey, alpha] => [over_black(grey, alpha); 3],
            _ => [0; 3],
        })
    }
}

fn over_black(part: u8, alpha: u8) -> u8 {
    ((u32::from(part) * u32::from(alpha) + 127) / 255) as u8
}

type PngReader<'a> = Reader<Cursor<&'a [u8]>>;

/// Reads up to the pixels, and sees that their number is in bounds and can be in the file.
fn open(file: &[u8], transformations: Transformations) -> Result<PngReader<'_>, ImageError> {
    let mut decoder = Decoder::new(Cursor::new(file));
    decoder.set_transformations(transformations);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let info = decoder.read_header_info()?;
    let (width, height) = (info.width, info.height);
    let area = Size { width, height }.area();
    if width.max(height) > LARGEST_SIDE || area > LARGEST_AREA {
        return Err(ImageError::TooLarge { width, height });
    }
    let unpacked = area.saturating_mul(info.bits_per_pixel() as u64) / 8;
    if unpacked / HIGHEST_EXPANSION > file.len() as u64 {
        return Err(ImageError::TooShort {
            width,
            height,
            bytes: file.len(),
        });
    }
    Ok(decoder.read_info()?)
}

fn size_of(reader: &PngReader) -> Size {
    Size {
        width: reader.info().width,
        height: reader.info().height,
    }
}

/// The first image of the file, which is then read to its end mark.
fn all_pixels(reader: &mut PngReader) -> Result<Vec<u8>, ImageError> {
    let Size { width, height } = size_of(reader);
    let length = reader
        .output_buffer_size()
        .ok_or(ImageError::TooLarge { width, height })?;
    let mut pixels = vec![0; length];
    let frame = reader.next_frame(&mut pixels)?;
    pixels.truncate(frame.buffer_size());
    reader.finish()?;
    Ok(pixels)
}
