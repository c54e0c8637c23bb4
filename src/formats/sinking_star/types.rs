//! The types of the specification's section 1 that other games do not have: entity ids and Apollo times; and the
//! tables of names.

use crate::codec::time;
use crate::tree::flow::Counter;
use crate::tree::kind::{Kind, integer, parse_integer};
use crate::tree::notation::Notation;
use crate::tree::record::{FieldType, LAYOUTS};
use crate::tree::table::{NameFile, Names};

static NAMES: NameFile = NameFile::new(include_str!("names.tsv"));

pub static RANKS: Names = NAMES.table("rank", 0, 5);
pub static LEVEL_FLAGS: Names = NAMES.table("level_flag", 0, 0xFF);
pub static ACTIONS: Names = NAMES.table("action", 1, 4);
pub static RECORD_FLAGS: Names = NAMES.table("record_flag", 0, 0xFFFF);
pub static TREASURES: Names = NAMES.table("treasure", 0, 0x3F);
pub static ARTIFACTS: Names = NAMES.table("artifact", 0, 0x78);
/// Achievements have numbers only (section 9, 6).
pub static ACHIEVEMENTS: Names = NAMES.table("achievement", 0, i64::MAX);

const fn counter(width: u8, signed: bool) -> Counter {
    Counter { width, signed }
}

pub const S8: Counter = counter(1, true);
pub const U16: Counter = counter(2, false);
pub const U32: Counter = counter(4, false);
pub const S64: Counter = counter(8, true);

/// An entity's id, `namespace << 20 | serial`.
pub struct Pid;

impl FieldType for Pid {
    type Value = u32;
    const KIND: [Kind; LAYOUTS] = [Kind::Own(&PID); LAYOUTS];
    fn value(bytes: &[u8]) -> u32 {
        integer(bytes, 4, false) as u32
    }
    fn bytes(value: &u32) -> Vec<u8> {
        value.to_le_bytes().to_vec()
    }
}

pub static PID: Notation = Notation {
    type_name: "entity",
    legal: "#namespace-serial, 0..4095 and 0..1048575, or the whole as a number",
    size: 4,
    show: |bytes| pid_text(Pid::value(bytes)),
    parse: |text| {
        let id = match text.starts_with('#') {
            true => pid_of(text).ok_or_else(|| "no #namespace-serial".to_owned())?,
            false => u32::try_from(parse_integer(text)?).map_err(|_| "out of range".to_owned())?,
        };
        Ok(Pid::bytes(&id))
    },
    check: |_| Ok(()),
    begins: |text| {
        let most = "#4095-1048575".len();
        text.len() <= most
            && text
                .chars()
                .all(|c| c.is_ascii_hexdigit() || "#-xX+".contains(c))
    },
};

const SERIAL_BITS: u32 = 20;
const SERIALS: u32 = 1 << SERIAL_BITS;

/// `#namespace-serial`.
pub fn pid_text(id: u32) -> String {
    format!("#{}-{}", id >> SERIAL_BITS, id % SERIALS)
}

/// The id of `#namespace-serial`, spelled as [`pid_text`] does.
pub fn pid_of(text: &str) -> Option<u32> {
    let (namespace, serial) = text.strip_prefix('#')?.split_once('-')?;
    let (namespace, serial): (u32, u32) = (namespace.parse().ok()?, serial.parse().ok()?);
    let id = (namespace < 1 << (32 - SERIAL_BITS) && serial < SERIALS)
        .then_some(namespace << SERIAL_BITS | serial)?;
    (pid_text(id) == text).then_some(id)
}

fn femtoseconds(bytes: &[u8]) -> i128 {
    let mut whole = [0; 16];
    for (to, from) in whole.iter_mut().zip(bytes) {
        *to = *from;
    }
    i128::from_le_bytes(whole)
}

fn time_begins(text: &str) -> bool {
    text.len() <= 64
        && text
            .chars()
            .all(|c| c.is_ascii_hexdigit() || "-+:.TZxX".contains(c))
}

/// A point in time (section 2), the value femtoseconds.
pub struct Instant;

pub static INSTANT: Notation = Notation {
    type_name: "time",
    legal: "YYYY-MM-DDTHH:MM:SS[.f]Z with up to 15 digits f, years 0001..9999, or femtoseconds since \
            1969-07-20T20:17:39Z",
    size: 16,
    show: |bytes| time::instant_to_text(femtoseconds(bytes)),
    parse: |text| match time::instant_from_text(text) {
        Ok(value) => Ok(value.to_le_bytes().to_vec()),
        Err(error) => Err(error.to_string()),
    },
    check: |_| Ok(()),
    begins: time_begins,
};

impl FieldType for Instant {
    type Value = i128;
    const KIND: [Kind; LAYOUTS] = [Kind::Own(&INSTANT); LAYOUTS];
    fn value(bytes: &[u8]) -> i128 {
        femtoseconds(bytes)
    }
    fn bytes(value: &i128) -> Vec<u8> {
        value.to_le_bytes().to_vec()
    }
}

/// A time that somebody played, never negative when written.
pub struct Played;

pub static PLAYED: Notation = Notation {
    type_name: "duration",
    legal: "H:MM:SS[.f] with up to 15 digits f, or femtoseconds; not negative",
    size: 16,
    show: |bytes| time::duration_to_text(femtoseconds(bytes)),
    parse: |text| match time::duration_from_text(text) {
        Ok(value) => Ok(value.to_le_bytes().to_vec()),
        Err(error) => Err(error.to_string()),
    },
    check: |bytes| match femtoseconds(bytes) {
        0.. => Ok(()),
        _ => Err("a time played is not negative".to_owned()),
    },
    begins: time_begins,
};

impl FieldType for Played {
    type Value = i128;
    const KIND: [Kind; LAYOUTS] = [Kind::Own(&PLAYED); LAYOUTS];
    fn value(bytes: &[u8]) -> i128 {
        femtoseconds(bytes)
    }
    fn bytes(value: &i128) -> Vec<u8> {
        value.to_le_bytes().to_vec()
    }
}

/// The text of a string: UTF-8, and `\xNN` for each byte that is not.
pub fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}
