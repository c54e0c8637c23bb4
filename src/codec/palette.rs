//! Palettes of 256 colours and the nearest colour in them.

use std::collections::HashMap;

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// 256 colours, some of which may be equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    colours: [Rgb; 256],
}

impl Palette {
    #[must_use]
    pub const fn new(colours: [Rgb; 256]) -> Self {
        Self { colours }
    }

    #[must_use]
    pub const fn colours(&self) -> &[Rgb; 256] {
        &self.colours
    }

    #[must_use]
    pub fn colour(&self, index: u8) -> Rgb {
        self.colours[usize::from(index)]
    }

    /// The index of the colour with the least squared distance in red, green and blue; the lowest
    /// of several.
    #[must_use]
    pub fn nearest(&self, colour: Rgb) -> u8 {
        let indices = 0..=u8::MAX;
        let distance = |&index: &u8| squared_distance(self.colour(index), colour);
        indices.min_by_key(distance).unwrap_or_default()
    }
}

fn squared_distance(one: Rgb, other: Rgb) -> u32 {
    let channels = one.into_iter().zip(other);
    channels
        .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
        .sum()
}

/// [`Palette::nearest`] that remembers: a picture has few colours and many pixels.
#[derive(Debug)]
pub struct Matcher<'a> {
    palette: &'a Palette,
    known: HashMap<Rgb, u8>,
}

impl<'a> Matcher<'a> {
    #[must_use]
    pub fn new(palette: &'a Palette) -> Self {
        Self {
            palette,
            known: HashMap::new(),
        }
    }

    #[must_use]
    pub fn nearest(&mut self, colour: Rgb) -> u8 {
        let palette = self.palette;
        *self
            .known
            .entry(colour)
            .or_insert_with(|| palette.nearest(colour))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn greys_twice() -> Palette {
        Palette::new(std::array::from_fn(|index| [(index % 128 * 2) as u8; 3]))
    }

    #[test]
    fn the_lowest_of_equal_colours_wins() {
        let palette = greys_twice();
        assert_eq!(palette.colour(130), [4; 3]);
        assert_eq!(palette.nearest([4; 3]), 2);
    }

    #[test]
    fn the_lowest_of_equally_near_colours_wins() {
        assert_eq!(greys_twice().nearest([5; 3]), 2);
        assert_eq!(greys_twice().nearest([255; 3]), 127);
    }

    #[test]
    fn distance_is_squared_and_over_all_channels() {
        let mut colours = [[255; 3]; 256];
        colours[7] = [10, 0, 0];
        colours[9] = [6, 6, 6];
        // 100 against 108; unsquared it would be 10 against 18, and by the largest channel 10
        // against 6.
        assert_eq!(Palette::new(colours).nearest([0; 3]), 7);
        colours[9] = [5, 5, 5];
        assert_eq!(Palette::new(colours).nearest([0; 3]), 9);
    }

    proptest! {
        #[test]
        fn a_matcher_gives_what_the_palette_gives(
            seed in any::<[u8; 3]>(),
            colours in prop::collection::vec(any::<Rgb>(), 1..40),
        ) {
            let palette = Palette::new(std::array::from_fn(|index| {
                seed.map(|part| part.wrapping_mul(index as u8).wrapping_add(part))
            }));
            let mut matcher = Matcher::new(&palette);
            for colour in colours.iter().chain(&colours) {
                let index = matcher.nearest(*colour);
                prop_assert_eq!(index, palette.nearest(*colour));
                let far = |of: u8| -> i32 {
                    (0..3).map(|part| (i32::from(palette.colour(of)[part]) - i32::from(colour[part])).pow(2)).sum()
                };
                prop_assert!((0..=255).all(|other| far(other) >= far(index)));
                prop_assert!((0..index).all(|lower| far(lower) > far(index)));
            }
        }
    }
}
