//! Numbers of a field: their little-endian bytes, and how far a text is one.

use crate::codec::float;

/// The smallest and the largest integer of `width` bytes.
pub fn bounds(width: u8, signed: bool) -> (i128, i128) {
    let bits = u32::from(width.min(8)) * 8;
    match signed {
        true => (
            -(1i128 << bits.saturating_sub(1)),
            (1i128 << bits.saturating_sub(1)) - 1,
        ),
        false => (0, (1i128 << bits) - 1),
    }
}

pub(super) fn unsigned(bytes: &[u8], width: u8) -> u64 {
    bytes
        .iter()
        .take(usize::from(width.min(8)))
        .rev()
        .fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// The little-endian integer in the first `width` bytes; bytes that are missing read as 0.
pub fn integer(bytes: &[u8], width: u8, signed: bool) -> i128 {
    let value = i128::from(unsigned(bytes, width));
    let (_, high) = bounds(width, signed);
    if signed && value > high {
        value - (1i128 << (u32::from(width) * 8))
    } else {
        value
    }
}

/// The little-endian bytes of an integer; None where it does not fit.
pub fn pack(value: i128, width: u8, signed: bool) -> Option<Vec<u8>> {
    let (low, high) = bounds(width, signed);
    (low..=high).contains(&value).then(|| {
        value
            .to_le_bytes()
            .into_iter()
            .take(usize::from(width))
            .collect()
    })
}

/// A decimal or `0x` integer, with an optional sign.
pub fn parse_integer(word: &str) -> Result<i128, String> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    let (radix, digits) = hex.map_or((10, digits), |rest| (16, rest));
    let clean = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    let value = clean.then(|| i128::from_str_radix(digits, radix));
    match value {
        Some(Ok(value)) => Ok(if negative { -value } else { value }),
        Some(Err(_)) => Err("out of range".into()),
        None => Err("not a whole number".into()),
    }
}

/// Whether more digits after `word` can give a number from `low` to `high`.
pub(super) fn number_begins(word: &str, low: i128, high: i128) -> bool {
    if matches!(
        word,
        "+" | "-" | "0x" | "0X" | "-0x" | "-0X" | "+0x" | "+0X"
    ) {
        return !word.starts_with('-') || low <= 0;
    }
    match parse_integer(word) {
        Ok(value) => {
            if value < 0 || word.starts_with('-') {
                value >= low
            } else {
                value <= high
            }
        }
        Err(_) => false,
    }
}

/// Whether more characters after `word` can give a float: digits, signs, and the letters of `nan:0x..`, `inf`, `1e9`.
pub(super) fn float_begins(word: &str) -> bool {
    word.len() < 400
        && word
            .chars()
            .all(|c| c.is_ascii_hexdigit() || ".+-:xXnNiIfFtTyY".contains(c))
}

pub(super) fn parse_float(word: &str, width: u8) -> Option<Vec<u8>> {
    match width {
        4 => float::f32_from_text(word)
            .map(|value| value.to_le_bytes().to_vec())
            .ok(),
        _ => float::f64_from_text(word)
            .map(|value| value.to_le_bytes().to_vec())
            .ok(),
    }
}

pub(super) fn float_value(bytes: &[u8]) -> f64 {
    match bytes.len() {
        4 => f64::from(float_value_32(bytes)),
        _ => f64::from_bits(unsigned(bytes, 8)),
    }
}

pub(super) fn float_value_32(bytes: &[u8]) -> f32 {
    f32::from_bits(unsigned(bytes, 4) as u32)
}
