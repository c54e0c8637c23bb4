//! LZSS with a 4096-byte window, matches of 2 to 17 bytes, and one flag byte before each group of
//! up to eight tokens.
//!
//! The flag byte is consumed bit 0 first. A set bit is a literal byte; a clear bit is a match, two
//! bytes `b0 b1` of a word `w = b0 | b1 << 8` with length `(w & 15) + 2` and distance
//! `(w >> 4) + 1` back from the next output byte. There is no end mark: the expanded size is known
//! from elsewhere.

mod encoder;
#[cfg(test)]
mod tests;

pub use encoder::encode;

const WINDOW: usize = 4096;
const SHORTEST_MATCH: usize = 2;
const LONGEST_MATCH: usize = 17;
const TOKENS_IN_GROUP: u8 = 8;
const ALL_LITERALS: u8 = 0xFF;
/// A full group of the longest matches: 17 stream bytes give 136. Nothing expands further.
const HIGHEST_EXPANSION: usize = 8;
/// Room behind the output, so that every copy may write a whole longest match and be cut later.
const SLACK: usize = 2 * LONGEST_MATCH;

/// Why a stream does not expand. Offsets count from the first byte of the stream.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LzssError {
    #[error(
        "offset 0: expected a stream that expands to {size} bytes, found {stream} bytes, \
         which expand to {at_most} at most"
    )]
    SizeUnreachable {
        size: usize,
        stream: usize,
        at_most: usize,
    },
    #[error(
        "offset {offset}: expected {expected} with {produced} of {size} bytes expanded, \
         found the end of the stream"
    )]
    Exhausted {
        offset: usize,
        expected: &'static str,
        produced: usize,
        size: usize,
    },
    #[error("offset {offset}: expected a match distance of at most {produced}, found {distance}")]
    DistanceBeforeStart {
        offset: usize,
        distance: usize,
        produced: usize,
    },
}

/// Expands `stream` until `size` bytes are out, even inside a group or a match, and gives them
/// with the number of stream bytes used.
///
/// Linear in `size`. At most `size` bytes and a small slack are allocated, and never more than
/// eight times the stream, which is what a stream can reach.
///
/// # Errors
/// The stream ends early, or a match reaches before the first output byte.
pub fn decode(stream: &[u8], size: usize) -> Result<(Vec<u8>, usize), LzssError> {
    let at_most = stream.len().saturating_mul(HIGHEST_EXPANSION);
    if size > at_most {
        return Err(LzssError::SizeUnreachable {
            size,
            stream: stream.len(),
            at_most,
        });
    }
    let mut decoder = Decoder {
        stream,
        offset: 0,
        out: vec![0; size.saturating_add(SLACK)],
        produced: 0,
        size,
    };
    while decoder.produced < size {
        decoder.group()?;
    }
    decoder.out.truncate(size);
    Ok((decoder.out, decoder.offset))
}

struct Decoder<'a> {
    stream: &'a [u8],
    offset: usize,
    out: Vec<u8>,
    produced: usize,
    size: usize,
}

impl Decoder<'_> {
    #[inline]
    fn group(&mut self) -> Result<(), LzssError> {
        let [mut flags] = self.take::<1>("a flag byte")?;
        if flags == ALL_LITERALS && self.eight_literals() {
            return Ok(());
        }
        for _ in 0..TOKENS_IN_GROUP {
            if self.produced >= self.size {
                break;
            }
            if flags & 1 == 1 {
                let literal = self.take::<1>("a literal")?;
                self.put(literal);
                self.produced += 1;
            } else {
                self.copy_match()?;
            }
            flags >>= 1;
        }
        Ok(())
    }

    /// The common group without a match, in one copy. Says no when the output or the stream ends
    /// inside it.
    #[inline]
    fn eight_literals(&mut self) -> bool {
        const COUNT: usize = TOKENS_IN_GROUP as usize;
        let literals = tail(self.stream, self.offset).first_chunk::<COUNT>();
        match literals {
            Some(literals) if self.size - self.produced >= COUNT => {
                self.put(*literals);
                self.produced += COUNT;
                self.offset += COUNT;
                true
            }
            _ => false,
        }
    }

    #[inline]
    fn copy_match(&mut self) -> Result<(), LzssError> {
        let offset = self.offset;
        let word = usize::from(u16::from_le_bytes(self.take::<2>("a match")?));
        let distance = (word >> 4) + 1;
        let length = ((word & 15) + SHORTEST_MATCH).min(self.size - self.produced);
        let Some(from) = self.produced.checked_sub(distance) else {
            return Err(LzssError::DistanceBeforeStart {
                offset,
                distance,
                produced: self.produced,
            });
        };
        // A near match repeats its own output: each pass doubles the stretch that is right. The
        // stretch stays a multiple of the distance, so that the source can stay where it is.
        let mut right = 0;
        let mut stretch = distance;
        loop {
            self.copy_longest(from, self.produced + right);
            right += stretch;
            if right >= length {
                break;
            }
            stretch = right + distance;
        }
        self.produced += length;
        Ok(())
    }

    #[inline]
    fn copy_longest(&mut self, from: usize, to: usize) {
        if let Some(source) = tail(&self.out, from).first_chunk::<LONGEST_MATCH>() {
            let source = *source;
            if let Some(target) = self
                .out
                .get_mut(to..)
                .and_then(<[u8]>::first_chunk_mut::<LONGEST_MATCH>)
            {
                *target = source;
            }
        }
    }

    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some(target) = self
            .out
            .get_mut(self.produced..)
            .and_then(<[u8]>::first_chunk_mut::<N>)
        {
            *target = bytes;
        }
    }

    #[inline]
    fn take<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], LzssError> {
        match tail(self.stream, self.offset).first_chunk::<N>() {
            Some(bytes) => {
                self.offset += N;
                Ok(*bytes)
            }
            None => Err(LzssError::Exhausted {
                offset: self.offset,
                expected,
                produced: self.produced,
                size: self.size,
            }),
        }
    }
}

#[inline]
fn tail(bytes: &[u8], from: usize) -> &[u8] {
    bytes.get(from..).unwrap_or_default()
}
