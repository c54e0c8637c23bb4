use proptest::prelude::*;

use super::*;

fn of_bytes(hex: &str) -> i128 {
    let bytes: Vec<u8> = hex
        .split(' ')
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect();
    i128::from_le_bytes(bytes.try_into().unwrap())
}

#[test]
fn instants() {
    for (text, count, bytes) in [
        (
            "1969-07-20T20:17:39Z",
            0,
            "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
        ),
        (
            "1970-01-01T00:00:00Z",
            14182941000000000000000,
            "00 80 7c db 0e 7f d8 db 00 03 00 00 00 00 00 00",
        ),
        (
            "2000-01-01T00:00:00Z",
            960867741000000000000000,
            "00 80 3c b2 05 f8 9e be 78 cb 00 00 00 00 00 00",
        ),
        (
            "2026-01-15T08:30:00.5Z",
            1782648741500000000000000,
            "00 c0 d3 a7 6d 6c f8 94 7d 79 01 00 00 00 00 00",
        ),
        (
            "2026-10-09T12:34:56.7890123Z",
            1805732237789012300000000,
            "00 eb b1 19 ae 71 d5 f0 60 7e 01 00 00 00 00 00",
        ),
        (
            "1969-07-20T20:17:38.5Z",
            -500000000000000,
            "00 c0 9c ad 40 39 fe ff ff ff ff ff ff ff ff ff",
        ),
        (
            "1601-01-01T00:00:00Z",
            -11630290659000000000000000,
            "00 80 fc 6c 52 58 17 ae 30 61 f6 ff ff ff ff ff",
        ),
    ] {
        assert_eq!(of_bytes(bytes), count, "{text}");
        assert_eq!(instant_to_text(count), text);
        assert_eq!(instant_from_text(text), Ok(count), "{text}");
    }
}

#[test]
fn durations() {
    for (text, count, bytes) in [
        (
            "0:00:01",
            1_000_000_000_000_000,
            "00 80 c6 a4 7e 8d 03 00 00 00 00 00 00 00 00 00",
        ),
        (
            "1:23:45.67890123456789",
            5025678901234567890,
            "d2 0a 43 5f 55 cc be 45 00 00 00 00 00 00 00 00",
        ),
        (
            "99:59:59.999999999999999",
            359999999999999999999,
            "ff ff 9f 64 a3 ec 00 84 13 00 00 00 00 00 00 00",
        ),
        (
            "1000:00:00",
            3600000000000000000000,
            "00 00 40 ee 61 3e 09 28 c3 00 00 00 00 00 00 00",
        ),
        (
            "-0:00:01.5",
            -1500000000000000,
            "00 40 d6 08 c2 ab fa ff ff ff ff ff ff ff ff ff",
        ),
    ] {
        assert_eq!(of_bytes(bytes), count, "{text}");
        assert_eq!(duration_to_text(count), text);
        assert_eq!(duration_from_text(text), Ok(count), "{text}");
    }
}

#[test]
fn the_ends_of_the_calendar() {
    let first = -62121413859 * FEMTOSECONDS_IN_SECOND;
    let last = 253416483740999999999999999;
    for (text, count) in [
        ("0001-01-01T00:00:00Z", first),
        ("9999-12-31T23:59:59.999999999999999Z", last),
    ] {
        assert_eq!(instant_to_text(count), text);
        assert_eq!(instant_from_text(text), Ok(count));
    }
    for outside in [first - 1, last + 1, i128::MIN, i128::MAX] {
        assert_eq!(instant_to_text(outside), outside.to_string());
        assert_eq!(instant_from_text(&outside.to_string()), Ok(outside));
    }
}

#[test]
fn the_ends_of_a_duration() {
    for (text, count) in [
        ("47261439850130342147:41:27.303715884105727", i128::MAX),
        ("-47261439850130342147:41:27.303715884105728", i128::MIN),
        ("0:00:00", 0),
        ("0:00:00.000000000000001", 1),
        ("-0:00:00.000000000000001", -1),
    ] {
        assert_eq!(duration_to_text(count), text);
        assert_eq!(duration_from_text(text), Ok(count));
    }
    for text in [
        "47261439850130342147:41:27.303715884105728",
        "-47261439850130342147:41:27.303715884105729",
        "340282366920938463463374607431768211455:00:00",
        "340282366920938463463374607431768211456:00:00",
    ] {
        assert_eq!(duration_from_text(text), Err(too_large(text)));
    }
}

#[test]
fn other_spellings_are_read() {
    assert_eq!(duration_from_text("-0:00:00"), Ok(0));
    assert_eq!(
        duration_from_text("001:00:00.500"),
        Ok(3_600_500_000_000_000_000)
    );
    assert_eq!(
        instant_from_text("1970-01-01T00:00:00.000000000000000Z"),
        Ok(14182941000000000000000)
    );
    for read in [instant_from_text, duration_from_text] {
        assert_eq!(read("17"), Ok(17));
        assert_eq!(read("-17"), Ok(-17));
        assert_eq!(read("+17"), Ok(17));
        assert_eq!(read("0x10"), Ok(16));
        assert_eq!(read("-0XfF"), Ok(-255));
        assert_eq!(read(&i128::MAX.to_string()), Ok(i128::MAX));
        assert_eq!(read(&i128::MIN.to_string()), Ok(i128::MIN));
        for text in [
            "170141183460469231731687303715884105728",
            "-170141183460469231731687303715884105729",
            "0x80000000000000000000000000000000",
            "0x100000000000000000000000000000000",
        ] {
            assert_eq!(read(text), Err(too_large(text)));
        }
    }
}

fn unexpected(position: usize, expected: &'static str, found: &str) -> TimeError {
    TimeError::Unexpected {
        position,
        expected,
        found: found.to_owned(),
    }
}

fn out_of_range(field: &'static str, lowest: u32, highest: u32, found: u32) -> TimeError {
    TimeError::OutOfRange {
        field,
        lowest,
        highest,
        found,
    }
}

#[test]
fn instants_that_do_not_exist_are_refused() {
    for (text, refusal) in [
        ("0000-01-01T00:00:00Z", out_of_range("year", 1, 9999, 0)),
        ("2023-00-01T00:00:00Z", out_of_range("month", 1, 12, 0)),
        ("2023-13-01T00:00:00Z", out_of_range("month", 1, 12, 13)),
        ("2023-01-00T00:00:00Z", out_of_range("day", 1, 31, 0)),
        ("2023-04-31T00:00:00Z", out_of_range("day", 1, 30, 31)),
        ("2023-02-29T00:00:00Z", out_of_range("day", 1, 28, 29)),
        ("1900-02-29T00:00:00Z", out_of_range("day", 1, 28, 29)),
        ("2000-02-30T00:00:00Z", out_of_range("day", 1, 29, 30)),
        ("2023-01-01T24:00:00Z", out_of_range("hour", 0, 23, 24)),
        ("2023-01-01T00:60:00Z", out_of_range("minute", 0, 59, 60)),
        ("2016-12-31T23:59:60Z", out_of_range("second", 0, 59, 60)),
        (
            "2023-01-01T00:00:00.1234567890123450Z",
            TimeError::TooFine { position: 35 },
        ),
        (
            "2023-01-01T00:00:00",
            unexpected(19, "a Z (no other offset)", ""),
        ),
        (
            "2023-01-01T00:00:00+00:00",
            unexpected(19, "a Z (no other offset)", "+00:00"),
        ),
        (
            "2023-01-01T00:00:00.5z",
            unexpected(21, "a Z (no other offset)", "z"),
        ),
        (
            "2023-01-01T00:00:00.Z",
            unexpected(20, "a digit behind the point", "Z"),
        ),
        ("2023-01-01T00:00:00ZZ", unexpected(20, "nothing more", "Z")),
        ("2023-01-01T00:00Z", unexpected(16, "a colon", "Z")),
        (
            "2023-01-01T0:00:00Z",
            unexpected(11, "two digits", "0:00:00Z"),
        ),
        (
            "2023-01-01 00:00:00Z",
            unexpected(10, "a T before the time of day", " 00:00:00Z"),
        ),
        (
            "2023-1-01T00:00:00Z",
            unexpected(5, "two digits", "1-01T00:00:00Z"),
        ),
        (
            "2023-01-01",
            unexpected(10, "a T before the time of day", ""),
        ),
        (
            "10000-01-01T00:00:00Z",
            unexpected(0, "a year of four digits", "10000-01-01T00:00:00Z"),
        ),
        (
            "-001-01-01T00:00:00Z",
            unexpected(0, "a year of four digits", "-001-01-01T00:00:00Z"),
        ),
        ("", unexpected(0, "a year of four digits", "")),
        ("0x", unexpected(0, "a year of four digits", "0x")),
        (
            "٢٠٢٣-01-01T00:00:00Z",
            unexpected(0, "a year of four digits", "٢٠٢٣-01-01T00:00:00Z"),
        ),
    ] {
        assert_eq!(instant_from_text(text), Err(refusal), "{text}");
    }
}

#[test]
fn durations_that_do_not_exist_are_refused() {
    for (text, refusal) in [
        ("0:60:00", out_of_range("minute", 0, 59, 60)),
        ("0:00:60", out_of_range("second", 0, 59, 60)),
        (
            "0:00:00.0000000000000000",
            TimeError::TooFine { position: 23 },
        ),
        ("0:00", unexpected(4, "a colon", "")),
        ("0:0:00", unexpected(2, "two digits", "0:00")),
        ("0:00:000", unexpected(5, "two digits", "000")),
        ("0:00:00.", unexpected(8, "a digit behind the point", "")),
        ("0:00:00Z", unexpected(7, "nothing more", "Z")),
        ("--0:00:00", unexpected(1, "hours", "-0:00:00")),
        ("+0:00:00", unexpected(0, "hours", "+0:00:00")),
        ("0:-1:00", unexpected(2, "two digits", "-1:00")),
        (":00:00", unexpected(0, "hours", ":00:00")),
        (" 0:00:00", unexpected(0, "hours", " 0:00:00")),
        ("1.5", unexpected(1, "a colon", ".5")),
        ("", unexpected(0, "hours", "")),
    ] {
        assert_eq!(duration_from_text(text), Err(refusal), "{text}");
    }
}

#[test]
fn a_refusal_says_what_is_legal() {
    let message = |text| instant_from_text(text).unwrap_err().to_string();
    assert_eq!(
        message("2023-02-29T00:00:00Z"),
        "expected a day of 1 to 28, found 29"
    );
    assert_eq!(
        message("2023-01-01T00:00:00+01:00"),
        "at byte 19: expected a Z (no other offset), found \"+01:00\""
    );
}

/// A calendar that only knows how to turn a page.
#[test]
fn every_first_and_last_of_a_month_by_counting_days() {
    let mut day = 0i128;
    for year in 1..=9999u32 {
        let leap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0;
        let february = if leap { 29 } else { 28 };
        let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in (1..).zip(months) {
            for (date, at) in [(1, day), (length, day + length - 1)] {
                let text = format!("{year:04}-{month:02}-{date:02}T00:00:00Z");
                let count = (at * SECONDS_IN_DAY - ZERO_IN_CALENDAR) * FEMTOSECONDS_IN_SECOND;
                assert_eq!(instant_from_text(&text), Ok(count));
                assert_eq!(instant_to_text(count), text);
            }
            day += length;
        }
    }
    assert_eq!(day, 3_652_059);
}

/// Sign, seconds and digits of the fraction, by cutting the decimal digits of the count before the
/// fifteenth from the right.
fn split_decimal(count: i128) -> (bool, u128, String) {
    let digits = count.to_string();
    let digits = format!("{:0>16}", digits.trim_start_matches('-'));
    let (seconds, fraction) = digits.split_at(digits.len() - 15);
    (
        count < 0,
        seconds.parse().unwrap(),
        fraction.trim_end_matches('0').to_owned(),
    )
}

fn counts() -> impl Strategy<Value = i128> {
    // Any width of number, so that small ones are met as often as those of all 128 bits.
    (any::<i128>(), 0u32..128).prop_map(|(count, shift)| count >> shift)
}

proptest! {
    #[test]
    fn every_duration_survives(count in counts()) {
        let text = duration_to_text(count);
        prop_assert_eq!(duration_from_text(&text), Ok(count), "{}", text);
        let (negative, seconds, fraction) = split_decimal(count);
        let expected = format!(
            "{}{}:{:02}:{:02}{}{}",
            if negative { "-" } else { "" },
            seconds / 3600,
            seconds % 3600 / 60,
            seconds % 60,
            if fraction.is_empty() { "" } else { "." },
            fraction
        );
        prop_assert_eq!(text, expected);
    }

    #[test]
    fn every_instant_survives(count in counts()) {
        let text = instant_to_text(count);
        prop_assert_eq!(instant_from_text(&text), Ok(count), "{}", text);
    }

    #[test]
    fn an_instant_is_its_day_and_the_duration_since(
        day in 0i128..3_652_059,
        since in 0i128..86_400_000_000_000_000_000,
    ) {
        let midnight = (day * SECONDS_IN_DAY - ZERO_IN_CALENDAR) * FEMTOSECONDS_IN_SECOND;
        let text = instant_to_text(midnight);
        let date = text.strip_suffix("T00:00:00Z");
        prop_assert!(date.is_some(), "{}", text);
        let date = date.unwrap_or_default();
        let (hours, rest) = (since / 3_600_000_000_000_000_000, duration_to_text(since));
        let rest = rest.split_once(':').unwrap().1.to_owned();
        let clock = format!("{hours:02}:{rest}");
        prop_assert_eq!(instant_to_text(midnight + since), format!("{date}T{clock}Z"));
    }

    #[test]
    fn no_text_is_read_as_another(text in "[-0-9TZ:.x]{0,24}") {
        if let Ok(count) = instant_from_text(&text) {
            prop_assert_eq!(instant_from_text(&instant_to_text(count)), Ok(count));
        }
        if let Ok(count) = duration_from_text(&text) {
            prop_assert_eq!(duration_from_text(&duration_to_text(count)), Ok(count));
        }
    }
}
