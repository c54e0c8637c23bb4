//! Times as a signed 128-bit count of femtoseconds, and their exact text.
//!
//! An instant counts from 1969-07-20T20:17:39Z and is written `YYYY-MM-DDTHH:MM:SS[.f]Z`, in the
//! proleptic Gregorian calendar, without leap seconds, years 0001..=9999. A duration is written
//! `[-]H:MM:SS[.f]`, hours unbounded. `f` has 1 to 15 digits, and no trailing zero on output.
//! Input may also be the count itself, decimal or `0x` hex. All arithmetic is on integers.

mod calendar;
mod scan;
#[cfg(test)]
mod tests;

use calendar::{Date, SECONDS_IN_DAY};
use scan::Scanner;

const FEMTOSECONDS_IN_SECOND: i128 = 1_000_000_000_000_000;
const FRACTION_DIGITS: usize = 15;
const SECONDS_IN_HOUR: u128 = 3600;
const SECONDS_IN_MINUTE: u128 = 60;
/// From 0001-01-01T00:00:00Z to the zero of the count.
const ZERO_IN_CALENDAR: i128 = 62_121_413_859;

/// Why a text is no time. Positions count bytes of the text from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    #[error("at byte {position}: expected {expected}, found {found:?}")]
    Unexpected {
        position: usize,
        expected: &'static str,
        found: String,
    },
    #[error("expected a {field} of {lowest} to {highest}, found {found}")]
    OutOfRange {
        field: &'static str,
        lowest: u32,
        highest: u32,
        found: u32,
    },
    #[error("at byte {position}: expected at most 15 digits behind the point, found more")]
    TooFine { position: usize },
    #[error("expected a count of femtoseconds that fits 128 bits, found {found:?}")]
    TooLarge { found: String },
}

/// The date and time of an instant; the bare count when that lies outside the years 0001..=9999.
#[must_use]
pub fn instant_to_text(femtoseconds: i128) -> String {
    let seconds = femtoseconds.div_euclid(FEMTOSECONDS_IN_SECOND) + ZERO_IN_CALENDAR;
    let fraction = femtoseconds
        .rem_euclid(FEMTOSECONDS_IN_SECOND)
        .unsigned_abs();
    let days = seconds.div_euclid(SECONDS_IN_DAY);
    let Some(date) = i32::try_from(days).ok().and_then(Date::of_day) else {
        return femtoseconds.to_string();
    };
    let (hour, minute, second) = clock(seconds.rem_euclid(SECONDS_IN_DAY).unsigned_abs());
    let fraction = fraction_text(fraction);
    format!("{date}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// The instant of a date and time, or of a bare count.
///
/// # Errors
/// Another shape; a month, day, hour, minute or second (60 included) that does not exist; a year
/// outside 0001..=9999; an offset other than `Z`; a 16th digit of a second; a count that does not
/// fit 128 bits.
pub fn instant_from_text(text: &str) -> Result<i128, TimeError> {
    if is_count(text) {
        return count_from_text(text);
    }
    let mut scan = Scanner::of(text);
    let date = scan.date()?;
    scan.expect('T', "a T before the time of day")?;
    let hour = scan.two_digits("hour", 0..=23)?;
    scan.expect(':', "a colon")?;
    let (minute, second) = scan.minute_and_second()?;
    let fraction = scan.fraction()?;
    scan.expect('Z', "a Z (no other offset)")?;
    scan.end()?;
    let of_day = (i128::from(hour) * 60 + i128::from(minute)) * 60 + i128::from(second);
    let seconds = i128::from(date.day_number()) * SECONDS_IN_DAY + of_day - ZERO_IN_CALENDAR;
    Ok(seconds * FEMTOSECONDS_IN_SECOND + i128::from(fraction))
}

/// Hours, minutes and seconds of a duration.
#[must_use]
pub fn duration_to_text(femtoseconds: i128) -> String {
    let sign = if femtoseconds < 0 { "-" } else { "" };
    let magnitude = femtoseconds.unsigned_abs();
    let second = FEMTOSECONDS_IN_SECOND.unsigned_abs();
    let (hour, minute, seconds) = clock(magnitude / second);
    let fraction = fraction_text(magnitude % second);
    format!("{sign}{hour}:{minute:02}:{seconds:02}{fraction}")
}

/// The duration of hours, minutes and seconds, or of a bare count. A minus zero is zero.
///
/// # Errors
/// Another shape; minutes or seconds above 59; a 16th digit of a second; what does not fit 128
/// bits.
pub fn duration_from_text(text: &str) -> Result<i128, TimeError> {
    if is_count(text) {
        return count_from_text(text);
    }
    let mut scan = Scanner::of(text);
    let negative = scan.skip('-');
    let hours = scan.digits("hours")?;
    scan.expect(':', "a colon")?;
    let (minute, second) = scan.minute_and_second()?;
    let fraction = scan.fraction()?;
    scan.end()?;
    let within_hour = u128::from(minute) * SECONDS_IN_MINUTE + u128::from(second);
    let magnitude = hours
        .parse::<u128>()
        .ok()
        .and_then(|hours| hours.checked_mul(SECONDS_IN_HOUR))
        .and_then(|seconds| seconds.checked_add(within_hour))
        .and_then(|seconds| seconds.checked_mul(FEMTOSECONDS_IN_SECOND.unsigned_abs()))
        .and_then(|femtoseconds| femtoseconds.checked_add(u128::from(fraction)));
    magnitude
        .and_then(|magnitude| signed(negative, magnitude))
        .ok_or_else(|| too_large(text))
}

fn clock(seconds: u128) -> (u128, u128, u128) {
    (
        seconds / SECONDS_IN_HOUR,
        seconds / SECONDS_IN_MINUTE % 60,
        seconds % SECONDS_IN_MINUTE,
    )
}

/// Nothing, or a point and the digits up to the last that is not zero.
fn fraction_text(femtoseconds: u128) -> String {
    if femtoseconds == 0 {
        return String::new();
    }
    let digits = format!(".{femtoseconds:0FRACTION_DIGITS$}");
    digits.trim_end_matches('0').to_owned()
}

/// Whether `text` can only be meant as a bare count: neither a date nor a clock time.
fn is_count(text: &str) -> bool {
    let (_, digits, radix) = sign_digits_radix(text);
    !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
}

fn count_from_text(text: &str) -> Result<i128, TimeError> {
    let (negative, digits, radix) = sign_digits_radix(text);
    u128::from_str_radix(digits, radix)
        .ok()
        .and_then(|magnitude| signed(negative, magnitude))
        .ok_or_else(|| too_large(text))
}

fn sign_digits_radix(text: &str) -> (bool, &str, u32) {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(magnitude) => (true, magnitude),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hex = magnitude
        .strip_prefix("0x")
        .or(magnitude.strip_prefix("0X"));
    match hex {
        Some(digits) => (negative, digits, 16),
        None => (negative, magnitude, 10),
    }
}

fn signed(negative: bool, magnitude: u128) -> Option<i128> {
    if negative {
        0i128.checked_sub_unsigned(magnitude)
    } else {
        i128::try_from(magnitude).ok()
    }
}

fn too_large(text: &str) -> TimeError {
    TimeError::TooLarge {
        found: text.to_owned(),
    }
}
