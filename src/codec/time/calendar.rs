//! The proleptic Gregorian calendar, years 1..=9999, as a count of days.

use std::fmt;

pub const SECONDS_IN_DAY: i128 = 86_400;
pub const FIRST_YEAR: u32 = 1;
pub const LAST_YEAR: u32 = 9999;
pub const MONTHS: u32 = 12;

const DAYS_IN_400_YEARS: i32 = 146_097;

/// A day that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    year: i32,
    month: u32,
    day: u32,
}

impl Date {
    /// `year`, `month` and `day` are in range: see [`days_in_month`].
    pub fn new(year: u32, month: u32, day: u32) -> Self {
        Self {
            year: year as i32,
            month,
            day,
        }
    }

    /// Days since 0001-01-01.
    pub fn day_number(self) -> i32 {
        let before_month: u32 = (1..self.month)
            .map(|month| days_in_month(self.year as u32, month))
            .sum();
        days_before_year(self.year) + before_month as i32 + self.day as i32 - 1
    }

    /// The date that many days after 0001-01-01, if its year is 1..=9999.
    pub fn of_day(number: i32) -> Option<Self> {
        if !(0..days_before_year(LAST_YEAR as i32 + 1)).contains(&number) {
            return None;
        }
        // The mean year is right or one too late.
        let mut year = (i64::from(number) * 400 / i64::from(DAYS_IN_400_YEARS)) as i32 + 2;
        while days_before_year(year) > number {
            year -= 1;
        }
        let mut month = 1;
        let mut left = (number - days_before_year(year)) as u32;
        while left >= days_in_month(year as u32, month) {
            left -= days_in_month(year as u32, month);
            month += 1;
        }
        Some(Self {
            year,
            month,
            day: left + 1,
        })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn days_before_year(year: i32) -> i32 {
    let whole = year - 1;
    whole * 365 + whole / 4 - whole / 100 + whole / 400
}

pub fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}
