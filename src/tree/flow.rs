//! Records of variable size: reading forward through bytes, each length and count bounded by what is left before
//! anything is done with it. Nothing that is read is kept; a walk leaves the places it wants to come back to.

use super::kind::integer;
use super::node::Span;
use super::record::{Rec, Shape};
use super::refusal::Fault;

/// Where and why a walk could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The field, in the words of the specification.
    pub field: &'static str,
    pub offset: usize,
    pub expected: String,
    pub found: String,
}

impl Stop {
    pub fn new(
        field: &'static str,
        offset: usize,
        expected: impl Into<String>,
        found: impl ToString,
    ) -> Self {
        Stop {
            field,
            offset,
            expected: expected.into(),
            found: found.to_string(),
        }
    }
    /// The same as the reason why a file is no save of a format.
    pub fn fault(self, format: &'static str) -> Fault {
        Fault::new(format, self.field, self.offset, self.expected, self.found)
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: expected {}, found {}",
            self.field, self.expected, self.found
        )
    }
}

/// How the number before a list or a string is stored.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    pub width: u8,
    pub signed: bool,
}

/// A place in bytes that only moves forward.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at `at`, which may be past the end: then nothing can be read.
    pub fn at(bytes: &'a [u8], at: usize) -> Self {
        Cursor { bytes, at }
    }
    pub fn offset(&self) -> usize {
        self.at
    }
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }
    /// Steps over `length` bytes and gives their place.
    pub fn skip(&mut self, field: &'static str, length: usize) -> Result<Span, Stop> {
        if length > self.left() {
            let found = format!("{} before the end", self.left());
            return Err(Stop::new(field, self.at, format!("{length} bytes"), found));
        }
        let span = Span::new(self.at, length);
        self.at += length;
        Ok(span)
    }
    pub fn bytes(&mut self, field: &'static str, length: usize) -> Result<&'a [u8], Stop> {
        let span = self.skip(field, length)?;
        Ok(self
            .bytes
            .get(span.offset..span.offset + length)
            .unwrap_or_default())
    }
    /// A little-endian integer of up to 8 bytes.
    pub fn number(&mut self, field: &'static str, width: u8, signed: bool) -> Result<i128, Stop> {
        Ok(integer(
            self.bytes(field, usize::from(width))?,
            width,
            signed,
        ))
    }
    /// A number of elements that take at least `smallest` bytes each. Whatever it claims, that many can follow.
    pub fn count(
        &mut self,
        field: &'static str,
        counter: Counter,
        smallest: usize,
    ) -> Result<usize, Stop> {
        let start = self.at;
        let given = self.number(field, counter.width, counter.signed)?;
        let most = self.left() / smallest.max(1);
        let count = usize::try_from(given).ok().filter(|count| *count <= most);
        count.ok_or_else(|| {
            self.at = start;
            Stop::new(field, start, format!("a count of 0..{most}"), given)
        })
    }
    /// Bytes behind their length.
    pub fn string(&mut self, field: &'static str, counter: Counter) -> Result<Span, Stop> {
        let length = self.count(field, counter, 1)?;
        self.skip(field, length)
    }
    /// A record of fixed size.
    pub fn record(&mut self, shape: &'static Shape, layout: usize) -> Result<Rec, Stop> {
        let rec = Rec::new(shape, self.at, layout);
        self.skip(shape.name, rec.size())?;
        Ok(rec)
    }
    /// The end of the bytes must be here.
    pub fn end(&self, field: &'static str) -> Result<(), Stop> {
        match self.left() {
            0 => Ok(()),
            more => Err(Stop::new(
                field,
                self.at,
                "the end of the file",
                format!("{more} more bytes"),
            )),
        }
    }
}

/// The bytes of a place; none where it is not inside.
pub fn slice(bytes: &[u8], span: Span) -> &[u8] {
    bytes
        .get(span.offset..span.offset.saturating_add(span.length))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const U16: Counter = Counter {
        width: 2,
        signed: false,
    };
    const S64: Counter = Counter {
        width: 8,
        signed: true,
    };

    #[test]
    fn a_count_is_never_more_than_the_bytes_left_can_hold() {
        let bytes = [2, 0, 9, 9, 9, 9];
        assert_eq!(Cursor::at(&bytes, 0).count("list", U16, 2), Ok(2));
        let mut cursor = Cursor::at(&bytes, 0);
        let stop = cursor.count("list", U16, 3).unwrap_err();
        assert_eq!(stop, Stop::new("list", 0, "a count of 0..1", 2));
        assert_eq!(cursor.offset(), 0, "a count that does not fit is not read");
        assert!(Cursor::at(&[0xff; 8], 0).count("list", S64, 1).is_err());
    }

    #[test]
    fn nothing_is_read_past_the_end() {
        let bytes = [3, 0, b'a', b'b', b'c'];
        let mut cursor = Cursor::at(&bytes, 0);
        let span = cursor.string("name", U16).unwrap();
        assert_eq!(slice(&bytes, span), b"abc");
        assert_eq!(cursor.end("file"), Ok(()));
        assert_eq!(
            cursor.number("next", 1, false),
            Err(Stop::new("next", 5, "1 bytes", "0 before the end"))
        );
        assert!(Cursor::at(&bytes, 9).skip("far", 1).is_err());
        assert_eq!(slice(&bytes, Span::new(4, 2)), b"");
    }
}
