//! Single-byte code pages, both ways and without loss.
//!
//! The bytes 0x00..=0x7F are the code points of the same number in every page, control bytes
//! included: a newline or a NUL inside a text survives, and no page's pictures for control bytes
//! are used.

/// One byte a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodePage {
    /// Every byte is the code point of the same number.
    Latin1,
    /// The five bytes without a character (81, 8D, 8F, 90, 9D) are the controls of the same number.
    Windows1252,
    /// The DOS page of Western Europe.
    Cp850,
}

/// A character that the code page lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{character:?} at character {position} does not exist in {page}")]
pub struct CannotEncode {
    pub character: char,
    /// Counted in characters from 0.
    pub position: usize,
    pub page: CodePage,
}

impl std::fmt::Display for CodePage {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Latin1 => "Latin-1",
            Self::Windows1252 => "Windows-1252",
            Self::Cp850 => "CP850",
        })
    }
}

impl CodePage {
    /// The text of `bytes`. Every byte has a character, and [`CodePage::encode`] gives it back.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> String {
        bytes.iter().map(|&byte| self.character(byte)).collect()
    }

    /// The bytes of `text`.
    ///
    /// # Errors
    /// The first character that the page lacks. Nothing is replaced or transliterated.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, CannotEncode> {
        let bytes = text.chars().enumerate().map(|(position, character)| {
            self.byte(character).ok_or(CannotEncode {
                character,
                position,
                page: self,
            })
        });
        bytes.collect()
    }

    fn character(self, byte: u8) -> char {
        let index = byte.checked_sub(FIRST_SPECIAL).map(usize::from);
        let special = index.and_then(|index| self.special().get(index));
        special.copied().unwrap_or(char::from(byte))
    }

    fn byte(self, character: char) -> Option<u8> {
        let mut special = self.special().iter();
        if let Some(index) = special.position(|&special| special == character) {
            return FIRST_SPECIAL.checked_add(u8::try_from(index).ok()?);
        }
        let same_number = u8::try_from(character).ok()?;
        (self.character(same_number) == character).then_some(same_number)
    }

    /// The characters of [`FIRST_SPECIAL`] and the bytes after it; all others are the code points
    /// of their byte's number.
    fn special(self) -> &'static [char] {
        match self {
            Self::Latin1 => &[],
            Self::Windows1252 => &WINDOWS_1252,
            Self::Cp850 => &CP850,
        }
    }
}

const FIRST_SPECIAL: u8 = 0x80;

/// Bytes 0x80..=0x9F.
#[rustfmt::skip]
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Bytes 0x80..=0xFF.
#[rustfmt::skip]
const CP850: [char; 128] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å',
    'É', 'æ', 'Æ', 'ô', 'ö', 'ò', 'û', 'ù', 'ÿ', 'Ö', 'Ü', 'ø', '£', 'Ø', '×', 'ƒ',
    'á', 'í', 'ó', 'ú', 'ñ', 'Ñ', 'ª', 'º', '¿', '®', '¬', '½', '¼', '¡', '«', '»',
    '░', '▒', '▓', '│', '┤', 'Á', 'Â', 'À', '©', '╣', '║', '╗', '╝', '¢', '¥', '┐',
    '└', '┴', '┬', '├', '─', '┼', 'ã', 'Ã', '╚', '╔', '╩', '╦', '╠', '═', '╬', '¤',
    'ð', 'Ð', 'Ê', 'Ë', 'È', 'ı', 'Í', 'Î', 'Ï', '┘', '┌', '█', '▄', '¦', 'Ì', '▀',
    'Ó', 'ß', 'Ô', 'Ò', 'õ', 'Õ', 'µ', 'þ', 'Þ', 'Ú', 'Û', 'Ù', 'ý', 'Ý', '¯', '´',
    '\u{ad}', '±', '‗', '¾', '¶', '§', '÷', '¸', '°', '¨', '·', '¹', '³', '²', '■', '\u{a0}',
];

#[cfg(test)]
mod tests {
    use super::*;

    const PAGES: [CodePage; 3] = [CodePage::Latin1, CodePage::Windows1252, CodePage::Cp850];

    #[test]
    fn every_byte_survives_alone_and_in_company() {
        let all: Vec<u8> = (0..=255).collect();
        for page in PAGES {
            let text = page.decode(&all);
            assert_eq!(text.chars().count(), 256, "{page}");
            assert_eq!(page.encode(&text), Ok(all.clone()), "{page}");
            for byte in 0..=255 {
                let text = page.decode(&[byte]);
                assert_eq!(page.encode(&text), Ok(vec![byte]), "{page} {byte:#04x}");
            }
        }
    }

    #[test]
    fn no_two_bytes_share_a_character() {
        for page in PAGES {
            let all: std::collections::BTreeSet<char> =
                (0..=255).map(|byte| page.character(byte)).collect();
            assert_eq!(all.len(), 256, "{page}");
        }
    }

    #[test]
    fn ascii_and_controls_are_themselves() {
        let ascii: String = (0..128u8).map(char::from).collect();
        for page in PAGES {
            assert_eq!(page.decode(ascii.as_bytes()), ascii, "{page}");
        }
    }

    #[test]
    fn characters_of_the_pages() {
        assert_eq!(
            CodePage::Cp850.decode(b"Zo\x82 \x9b\xe1\xff"),
            "Zoé øß\u{a0}"
        );
        assert_eq!(CodePage::Cp850.decode(b"\x80\xb0\xd5\xfe"), "Ç░ı■");
        assert_eq!(
            CodePage::Windows1252.decode(b"\x80\x9f\xa0\xe9\xff"),
            "€Ÿ\u{a0}éÿ"
        );
        assert_eq!(
            CodePage::Windows1252.decode(b"\x81\x8d\x8f\x90\x9d"),
            "\u{81}\u{8d}\u{8f}\u{90}\u{9d}"
        );
        assert_eq!(CodePage::Latin1.decode(b"\x80\x9f\xe9"), "\u{80}\u{9f}é");
    }

    #[test]
    fn a_lacking_character_is_refused_with_its_place() {
        for (page, text, character, position) in [
            (CodePage::Latin1, "né€", '€', 2),
            (CodePage::Windows1252, "é\u{80}", '\u{80}', 1),
            (CodePage::Windows1252, "ąb", 'ą', 0),
            (CodePage::Cp850, "ab€", '€', 2),
            (CodePage::Cp850, "\u{81}", '\u{81}', 0),
            (CodePage::Cp850, "x\u{263a}", '\u{263a}', 1),
        ] {
            let refusal = CannotEncode {
                character,
                position,
                page,
            };
            assert_eq!(page.encode(text), Err(refusal), "{page} {text}");
        }
        let refusal = CodePage::Cp850.encode("ab€").unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "'€' at character 2 does not exist in CP850"
        );
    }
}
