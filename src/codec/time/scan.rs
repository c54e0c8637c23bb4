//! Reading the text of a time from left to right.

use std::ops::RangeInclusive;

use super::calendar::{Date, FIRST_YEAR, LAST_YEAR, MONTHS, days_in_month};
use super::{FRACTION_DIGITS, TimeError};

pub struct Scanner<'a> {
    rest: &'a str,
    position: usize,
}

impl<'a> Scanner<'a> {
    pub fn of(text: &'a str) -> Self {
        Self {
            rest: text,
            position: 0,
        }
    }

    pub fn date(&mut self) -> Result<Date, TimeError> {
        let year = self.number("year", "a year of four digits", 4, FIRST_YEAR..=LAST_YEAR)?;
        self.expect('-', "a hyphen")?;
        let month = self.two_digits("month", 1..=MONTHS)?;
        self.expect('-', "a hyphen")?;
        let day = self.two_digits("day", 1..=days_in_month(year, month))?;
        Ok(Date::new(year, month, day))
    }

    pub fn minute_and_second(&mut self) -> Result<(u32, u32), TimeError> {
        let minute = self.two_digits("minute", 0..=59)?;
        self.expect(':', "a colon")?;
        Ok((minute, self.two_digits("second", 0..=59)?))
    }

    pub fn two_digits(
        &mut self,
        field: &'static str,
        range: RangeInclusive<u32>,
    ) -> Result<u32, TimeError> {
        self.number(field, "two digits", 2, range)
    }

    /// The femtoseconds behind a point, if there is one: 0..10^15.
    pub fn fraction(&mut self) -> Result<u64, TimeError> {
        if !self.skip('.') {
            return Ok(0);
        }
        let position = self.position;
        let digits = self.digits("a digit behind the point")?;
        if digits.len() > FRACTION_DIGITS {
            return Err(TimeError::TooFine {
                position: position + FRACTION_DIGITS,
            });
        }
        let padded = format!("{digits:0<FRACTION_DIGITS$}");
        padded
            .parse()
            .map_err(|_| self.unexpected("a fraction of a second"))
    }

    /// One digit or more.
    pub fn digits(&mut self, expected: &'static str) -> Result<&'a str, TimeError> {
        let end = self.rest.find(|found: char| !found.is_ascii_digit());
        match self.rest.split_at_checked(end.unwrap_or(self.rest.len())) {
            Some((digits, rest)) if !digits.is_empty() => {
                self.position += digits.len();
                self.rest = rest;
                Ok(digits)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    pub fn skip(&mut self, character: char) -> bool {
        let Some(rest) = self.rest.strip_prefix(character) else {
            return false;
        };
        self.position += character.len_utf8();
        self.rest = rest;
        true
    }

    pub fn expect(&mut self, character: char, expected: &'static str) -> Result<(), TimeError> {
        if self.skip(character) {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    pub fn end(&self) -> Result<(), TimeError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.unexpected("nothing more"))
        }
    }

    fn number(
        &mut self,
        field: &'static str,
        expected: &'static str,
        count: usize,
        range: RangeInclusive<u32>,
    ) -> Result<u32, TimeError> {
        let before = self.unexpected(expected);
        let digits = self.digits(expected)?;
        let found = match digits.parse() {
            Ok(found) if digits.len() == count => found,
            _ => return Err(before),
        };
        if !range.contains(&found) {
            return Err(TimeError::OutOfRange {
                field,
                lowest: *range.start(),
                highest: *range.end(),
                found,
            });
        }
        Ok(found)
    }

    fn unexpected(&self, expected: &'static str) -> TimeError {
        TimeError::Unexpected {
            position: self.position,
            expected,
            found: self.rest.to_owned(),
        }
    }
}
