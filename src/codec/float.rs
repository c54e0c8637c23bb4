//! Floats as the shortest text that reads back to the same bits.
//!
//! The text is the fewest decimal digits that do it, with an exponent only below 1e-5 and from 1e16
//! on (`0.1`, `1000`, `1e30`), or `-0`, `inf`, `-inf`, `nan` for the quiet NaN 0x7fc00000 (0x7ff8000000000000 in double
//! precision), or `nan:0x…` with all the bits of any other NaN. On input the exponent, a sign and
//! either form are free, and `inf` and `nan` may be in any case; a number whose magnitude is beyond
//! the largest finite one is refused and never becomes `inf`.

/// Why a text is no float.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FloatError {
    #[error("expected a number, inf, -inf, nan or nan:0x<bits>, found {0:?}")]
    NotANumber(String),
    #[error("expected a magnitude of at most {largest}, found {found:?}")]
    TooLarge {
        largest: &'static str,
        found: String,
    },
    #[error("expected the bits of a NaN, found {0:?}")]
    NotANan(String),
}

/// Magnitudes that are written without an exponent.
const PLAIN: std::ops::Range<f64> = 1e-5..1e16;

const LARGEST_F32: &str = "3.4028235e38";
const LARGEST_F64: &str = "1.7976931348623157e308";

/// The shortest text of `value`.
#[must_use]
pub fn f32_to_text(value: f32) -> String {
    if value.is_nan() {
        return nan_to_text(u64::from(value.to_bits()), u64::from(f32::NAN.to_bits()), 8);
    }
    if value == 0.0 || PLAIN.contains(&f64::from(value.abs())) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// The shortest text of `value`.
#[must_use]
pub fn f64_to_text(value: f64) -> String {
    if value.is_nan() {
        return nan_to_text(value.to_bits(), f64::NAN.to_bits(), 16);
    }
    if value == 0.0 || PLAIN.contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// The value of `text`, without white space around it; the nearest one when it has more digits than
/// the precision.
///
/// # Errors
/// No float, or one that is out of range.
pub fn f32_from_text(text: &str) -> Result<f32, FloatError> {
    if let Some(bits) = nan_bits(text)? {
        let value = u32::try_from(bits).ok().map(f32::from_bits);
        return value
            .filter(|value| value.is_nan())
            .ok_or_else(|| FloatError::NotANan(text.to_owned()));
    }
    match text.parse::<f32>() {
        Ok(value) => finite_or_spelled_out(value, value.is_infinite(), text, LARGEST_F32),
        Err(_) => Err(FloatError::NotANumber(text.to_owned())),
    }
}

/// The value of `text`, as [`f32_from_text`] in double precision.
///
/// # Errors
/// No float, or one that is out of range.
pub fn f64_from_text(text: &str) -> Result<f64, FloatError> {
    if let Some(bits) = nan_bits(text)? {
        return Some(f64::from_bits(bits))
            .filter(|value| value.is_nan())
            .ok_or_else(|| FloatError::NotANan(text.to_owned()));
    }
    match text.parse::<f64>() {
        Ok(value) => finite_or_spelled_out(value, value.is_infinite(), text, LARGEST_F64),
        Err(_) => Err(FloatError::NotANumber(text.to_owned())),
    }
}

fn nan_to_text(bits: u64, quiet: u64, digits: usize) -> String {
    if bits == quiet {
        "nan".to_owned()
    } else {
        format!("nan:0x{bits:0digits$x}")
    }
}

/// The bits behind `nan:`, if the text is of that form.
fn nan_bits(text: &str) -> Result<Option<u64>, FloatError> {
    let Some((word, bits)) = text.split_once(':') else {
        return Ok(None);
    };
    let digits = bits.strip_prefix("0x").or(bits.strip_prefix("0X"));
    let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let bits = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    match bits {
        Some(bits) if word.eq_ignore_ascii_case("nan") => Ok(Some(bits)),
        _ => Err(FloatError::NotANumber(text.to_owned())),
    }
}

/// A literal that overflows is read as infinite; an infinity that was meant has no digit.
fn finite_or_spelled_out<F>(
    value: F,
    infinite: bool,
    text: &str,
    largest: &'static str,
) -> Result<F, FloatError> {
    if infinite && text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err(FloatError::TooLarge {
            largest,
            found: text.to_owned(),
        });
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn single_precision() {
        for (bits, text) in [
            (0x0000_0000, "0"),
            (0x8000_0000, "-0"),
            (0x3f80_0000, "1"),
            (0xbfc0_0000, "-1.5"),
            (0x3dcc_cccd, "0.1"),
            (0x0000_0001, "1e-45"),
            (0x7f7f_ffff, LARGEST_F32),
            (0x4b80_0000, "16777216"),
            (0x447a_0000, "1000"),
            (0x42c8_0000, "100"),
            (0x7149_f2ca, "1e30"),
            (0x7f80_0000, "inf"),
            (0xff80_0000, "-inf"),
            (0x7fc0_0000, "nan"),
            (0x7fc0_0001, "nan:0x7fc00001"),
            (0x7f80_0001, "nan:0x7f800001"),
            (0xffc0_0000, "nan:0xffc00000"),
        ] {
            assert_eq!(f32_to_text(f32::from_bits(bits)), text);
            assert_eq!(f32_from_text(text).map(f32::to_bits), Ok(bits), "{text}");
        }
    }

    #[test]
    fn double_precision() {
        for (bits, text) in [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "-0"),
            (0x3fb9_9999_9999_999a, "0.1"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x4341_c379_37e0_8000, "1e16"),
            (0x4341_c379_37e0_7fff, "9999999999999998"),
            (0x7fef_ffff_ffff_ffff, LARGEST_F64),
            (0x7ff0_0000_0000_0000, "inf"),
            (0xfff0_0000_0000_0000, "-inf"),
            (0x7ff8_0000_0000_0000, "nan"),
            (0xfff8_0000_0000_0000, "nan:0xfff8000000000000"),
            (0x7ff0_0000_0000_0001, "nan:0x7ff0000000000001"),
        ] {
            assert_eq!(f64_to_text(f64::from_bits(bits)), text);
            assert_eq!(f64_from_text(text).map(f64::to_bits), Ok(bits), "{text}");
        }
    }

    #[test]
    fn other_spellings_are_read() {
        for (text, value) in [
            ("1.0", 1.0),
            ("+1", 1.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("1E3", 1000.0),
            ("0.1000000000000000001", 0.1),
            ("INF", f32::INFINITY),
            ("-Infinity", f32::NEG_INFINITY),
        ] {
            assert_eq!(f32_from_text(text), Ok(value), "{text}");
            assert_eq!(
                f64_from_text(text).map(|wide| wide as f32),
                Ok(value),
                "{text}"
            );
        }
        assert_eq!(f32_from_text("NaN").map(f32::to_bits), Ok(0x7fc0_0000));
        assert_eq!(
            f32_from_text("NAN:0X7FC00001").map(f32::to_bits),
            Ok(0x7fc0_0001)
        );
    }

    #[test]
    fn what_is_no_float_is_refused() {
        for text in [
            "", " 1", "1 ", "one", "1,5", "0x10", "--1", "1e", "nan:1", "nan:0x", "nan:0x+1",
            "inf:0x1",
        ] {
            let refusal = FloatError::NotANumber(text.to_owned());
            assert_eq!(f32_from_text(text), Err(refusal.clone()), "{text}");
            assert_eq!(f64_from_text(text), Err(refusal), "{text}");
        }
        for text in ["nan:0x7f800000", "nan:0x1", "nan:0x7ff8000000000000"] {
            assert_eq!(
                f32_from_text(text),
                Err(FloatError::NotANan(text.to_owned()))
            );
        }
        assert_eq!(
            f64_from_text("nan:0x7fc00000"),
            Err(FloatError::NotANan("nan:0x7fc00000".to_owned()))
        );
    }

    #[test]
    fn a_number_never_becomes_infinite() {
        let too_large = |largest, found: &str| FloatError::TooLarge {
            largest,
            found: found.to_owned(),
        };
        assert_eq!(
            f32_from_text("3.5e38"),
            Err(too_large(LARGEST_F32, "3.5e38"))
        );
        assert_eq!(f32_from_text("-1e39"), Err(too_large(LARGEST_F32, "-1e39")));
        assert_eq!(f64_from_text("1e309"), Err(too_large(LARGEST_F64, "1e309")));
        assert_eq!(f64_from_text("3.5e38"), Ok(3.5e38));
    }

    proptest! {
        #[test]
        fn every_f32_survives(bits in any::<u32>()) {
            let text = f32_to_text(f32::from_bits(bits));
            prop_assert_eq!(f32_from_text(&text).map(f32::to_bits), Ok(bits), "{}", text);
        }

        #[test]
        fn every_f64_survives(bits in any::<u64>()) {
            let text = f64_to_text(f64::from_bits(bits));
            prop_assert_eq!(f64_from_text(&text).map(f64::to_bits), Ok(bits), "{}", text);
            prop_assert!(text.len() <= 24);
        }
    }
}
