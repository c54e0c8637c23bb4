//! The screenshot as a picture file. lba2.md 4.

use super::save::Saved;
use super::walk::SCREENSHOT;
use crate::codec::image::{Size, indices_of_png, png_of_indices};
use crate::codec::palette::Palette;
use crate::tree::{About, Access, Draft, Leaf, Node, Refusal, Save, Span};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

const SIZE: Size = Size {
    width: 160,
    height: 120,
};
/// Every PNG begins with these bytes.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Bytes of a file that is taken.
const LARGEST_FILE: usize = 64 << 20;

/// The game's colours; the table is in `palette.txt`, a line of index, red, green and blue a colour.
fn palette() -> &'static Palette {
    static PALETTE: OnceLock<Palette> = OnceLock::new();
    PALETTE.get_or_init(|| {
        let mut colours = [[0; 3]; 256];
        let lines = include_str!("palette.txt").lines();
        for (colour, line) in colours.iter_mut().zip(lines) {
            let numbers = line.split_whitespace().skip(1);
            for (part, number) in colour.iter_mut().zip(numbers) {
                *part = number.parse().unwrap_or(0);
            }
        }
        Palette::new(colours)
    })
}

/// Where the pixels are, where the file has them all.
pub fn span(save: &Saved) -> Option<Span> {
    let start = save.head.payload;
    (start.checked_add(SCREENSHOT)? <= save.payload_end()).then(|| Span::new(start, SCREENSHOT))
}

/// The screenshot as a PNG.
pub struct Screenshot {
    save: Arc<Saved>,
    span: Span,
}

impl Screenshot {
    pub fn node(save: &Arc<Saved>) -> Option<Node> {
        let (save, span) = (Arc::clone(save), span(save)?);
        Some(Node::leaf(Screenshot { save, span }))
    }
    fn pixels(&self) -> &[u8] {
        let end = self.span.offset.saturating_add(self.span.length);
        let pixels = self.save.image().get(self.span.offset..end);
        pixels.unwrap_or_default()
    }
    fn refuse(why: impl Into<String>) -> Refusal {
        Refusal::invalid(why).legal("a PNG of any size, at most 64 MiB")
    }
}

impl Leaf for Screenshot {
    fn about(&self) -> About {
        let doc =
            "the screenshot; a PNG that is written is brought to 160 x 120 and the game's colours";
        About::of("png", doc).range("a PNG of any size and colour type")
    }
    fn access(&self) -> Access {
        Access::ReadWrite
    }
    fn spans(&self) -> Vec<Span> {
        vec![self.span]
    }
    fn is_binary(&self) -> bool {
        true
    }
    fn read(&self) -> Cow<'_, [u8]> {
        let make = || png_of_indices(self.pixels(), palette(), SIZE).unwrap_or_default();
        self.save.png(make).into()
    }
    fn feasible(&self, so_far: &[u8]) -> Result<(), Refusal> {
        let start = so_far.get(..SIGNATURE.len()).unwrap_or(so_far);
        match SIGNATURE.starts_with(start) && so_far.len() <= LARGEST_FILE {
            true => Ok(()),
            false => Err(Self::refuse("not a PNG that can be taken")),
        }
    }
    fn write(&self, whole: &[u8], draft: &mut Draft) -> Result<(), Refusal> {
        if whole == self.read().as_ref() {
            return Ok(());
        }
        self.feasible(whole)?;
        let pixels = indices_of_png(whole, palette(), SIZE)
            .map_err(|error| Self::refuse(error.to_string()))?;
        draft.put(self.span.offset, &pixels);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::palette;

    #[test]
    fn the_palette_has_the_colours_of_the_specification() {
        assert_eq!(include_str!("palette.txt").lines().count(), 256);
        for (line, index) in include_str!("palette.txt").lines().zip(0..=255u8) {
            let [r, g, b] = palette().colour(index);
            assert_eq!(line, format!("{index} {r} {g} {b}"));
            assert!([r, g, b].iter().all(|part| part % 4 == 0), "{line}");
        }
    }
}
