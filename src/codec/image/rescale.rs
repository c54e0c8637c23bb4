//! Rescaling by area: a target pixel is the mean of the source that it covers, parts of pixels by
//! their part. The arithmetic is exact, so the same size gives the same picture.

use std::ops::Range;

use super::{Picture, Rgb, Size};

/// Calls `put` with the colour of each pixel of `target`, row by row from the top.
pub fn by_area(source: &Picture, target: Size, mut put: impl FnMut(Rgb)) {
    let columns = Axis::new(source.size.width, target.width);
    let rows = Axis::new(source.size.height, target.height);
    let whole = source.size.area();
    for y in 0..target.height {
        let mut sums = vec![[0u64; 3]; target.width as usize];
        for (row, height) in rows.covered(y) {
            let colours: Vec<Rgb> = source.row(row).collect();
            for (x, sum) in (0..).zip(&mut sums) {
                for (column, width) in columns.covered(x) {
                    let colour = colours.get(column as usize).copied().unwrap_or_default();
                    for (part, sample) in sum.iter_mut().zip(colour) {
                        *part += u64::from(sample) * width * height;
                    }
                }
            }
        }
        for sum in sums {
            put(sum.map(|part| ((part + whole / 2) / whole.max(1)) as u8));
        }
    }
}

/// One direction, in a unit of which a source pixel has `target` and a target pixel `source`.
struct Axis {
    source: u64,
    target: u64,
}

impl Axis {
    fn new(source: u32, target: u32) -> Self {
        Self {
            source: u64::from(source),
            target: u64::from(target),
        }
    }

    /// The source pixels under a target pixel, each with the length that is covered.
    fn covered(&self, pixel: u32) -> impl Iterator<Item = (u32, u64)> {
        let (source, target) = (self.source, self.target);
        let pixel = u64::from(pixel);
        let Range { start, end } = pixel * source..(pixel + 1) * source;
        let touched = start / target..end.div_ceil(target);
        touched.map(move |at| {
            let covered = end.min((at + 1) * target) - start.max(at * target);
            (at as u32, covered)
        })
    }
}
