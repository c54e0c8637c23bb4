//! The envelope: header, position table and containers, and how containers change their size, come and go without
//! anything else being written anew. dreamfactory.md 1 and 2.

use super::FORMAT;
use crate::record;
use crate::tree::record::{Rec, Token};
use crate::tree::{Draft, Errno, Fault, Refusal, Span};

record! {
    /// The header of the file. dreamfactory.md 1.1.
    pub Header [40] {
        /// 65536
        magic: u32 = read @ 0;
        /// length of the file
        file_size: u32 = derived @ 4;
        /// positions that the table has room for
        capacity: u32 = read @ 16;
        /// containers
        count: u32 = derived @ 20;
        /// 0 in a save
        gap_type: u32 = read @ 24;
        /// 0 in a save
        gap_position: u32 = read @ 28;
    }
}

pub const MAGIC: u32 = 0x0001_0000;
pub const SIGNATURE: &[u8] = b"ODTRTRFD";
/// What stands in the signature's place in a data file of the game.
const DATA_FILE: &[u8] = b"LPPALPPA";
pub const SIGNATURE_AT: usize = 32;
/// Where the position table begins.
pub const TABLE: usize = 1024;
/// Id and size before each container's data.
pub const CONTAINER_HEADER: usize = 8;
/// Containers begin and the file ends at multiples of this.
pub const GRAIN: usize = 64;

/// Where the containers are.
#[derive(Clone, Debug)]
pub struct Envelope {
    pub capacity: usize,
    /// Position of each container, its header included.
    pub positions: Vec<usize>,
    /// Bytes of each container's data.
    pub sizes: Vec<usize>,
    /// Bytes of the file.
    pub length: usize,
}

pub fn round_up(value: usize, grain: usize) -> usize {
    value.div_ceil(grain).saturating_mul(grain)
}

pub fn header() -> Rec {
    Rec::new(Header::SHAPE, 0, 0)
}

fn word(image: &[u8], at: usize) -> Option<u32> {
    let bytes = image.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn fault(
    field: impl Into<String>,
    offset: usize,
    expected: impl Into<String>,
    found: impl ToString,
) -> Fault {
    Fault::new(FORMAT, field, offset, expected, found.to_string())
}

/// The file's own beginning: magic number and signature.
fn check_beginning(image: &[u8]) -> Result<(), Fault> {
    if image.len() < TABLE {
        let words = format!("a header of {TABLE} bytes");
        return Err(fault(
            "E1 header",
            0,
            words,
            format!("{} bytes", image.len()),
        ));
    }
    let magic = header().get(image, Header::magic);
    let signature = image
        .get(SIGNATURE_AT..SIGNATURE_AT + SIGNATURE.len())
        .unwrap_or_default();
    if signature == DATA_FILE {
        let found = "LPPALPPA, a data file of the game, not a saved game";
        return Err(fault("E1 signature", SIGNATURE_AT, "ODTRTRFD", found));
    }
    if magic != MAGIC {
        let found = format!("0x{magic:08x}");
        return Err(fault("E1 magic number", 0, "0x00010000", found));
    }
    if signature != SIGNATURE {
        let found = signature.escape_ascii();
        return Err(fault("E1 signature", SIGNATURE_AT, "ODTRTRFD", found));
    }
    Ok(())
}

impl Envelope {
    /// Reads the header and the table. Everything it names lies inside the file afterwards.
    ///
    /// # Errors
    /// E1 and E2 of dreamfactory.md 13.
    pub fn parse(image: &[u8]) -> Result<Envelope, Fault> {
        check_beginning(image)?;
        let count = header().get(image, Header::count) as usize;
        let capacity = header().get(image, Header::capacity) as usize;
        if count == 0 || count > capacity {
            let expected = format!("1..{capacity} (the table's capacity)");
            return Err(fault("E2 container count", 20, expected, count));
        }
        let end = capacity.saturating_mul(4).saturating_add(TABLE);
        if end > image.len() {
            let expected = format!("a table that ends inside the {} bytes", image.len());
            return Err(fault("E2 table capacity", 16, expected, capacity));
        }
        let mut envelope = Envelope {
            capacity,
            positions: Vec::with_capacity(count),
            sizes: Vec::with_capacity(count),
            length: image.len(),
        };
        for index in 0..count {
            let entry = TABLE + index * 4;
            let at = word(image, entry).unwrap_or(0) as usize;
            let size = word(image, at.saturating_add(4)).map(|size| size as usize);
            let inside = size.filter(|size| {
                at.saturating_add(CONTAINER_HEADER).saturating_add(*size) <= image.len()
            });
            let Some(size) = inside else {
                let expected = format!("a container inside the {} bytes", image.len());
                let found = match size {
                    Some(size) => format!("{size} bytes at {at}"),
                    None => format!("position {at}"),
                };
                return Err(fault(
                    format!("E2 container {index}"),
                    entry,
                    expected,
                    found,
                ));
            };
            envelope.positions.push(at);
            envelope.sizes.push(size);
        }
        Ok(envelope)
    }

    pub fn count(&self) -> usize {
        self.positions.len()
    }
    pub fn position(&self, index: usize) -> usize {
        self.positions.get(index).copied().unwrap_or(self.length)
    }
    /// The data of a container; empty past the last one.
    pub fn data(&self, index: usize) -> Span {
        match (self.positions.get(index), self.sizes.get(index)) {
            (Some(at), Some(size)) => Span::new(at.saturating_add(CONTAINER_HEADER), *size),
            _ => Span::new(self.length, 0),
        }
    }
    /// Where a container's padding ends.
    pub fn end(&self, index: usize) -> usize {
        let data = self.data(index);
        round_up(data.offset.saturating_add(data.length), GRAIN)
    }
}

/// The draft's own envelope; an edit that breaks it stops here.
fn read(draft: &Draft) -> Result<Envelope, Refusal> {
    Envelope::parse(draft.bytes()).map_err(|fault| Refusal::new(Errno::Damaged, fault.to_string()))
}

fn put_word(draft: &mut Draft, at: usize, value: usize) -> Result<(), Refusal> {
    let value = u32::try_from(value)
        .map_err(|_| Refusal::new(Errno::NoSpace, "the save would pass 4 GiB"))?;
    draft.put(at, &value.to_le_bytes());
    Ok(())
}

fn put_header(draft: &mut Draft, token: Token<u32>, value: usize) -> Result<(), Refusal> {
    let at = header().offset(token.field()).unwrap_or(0);
    put_word(draft, at, value)
}

/// Fills up the last container's padding where a file ends early.
fn complete(draft: &mut Draft, end: usize) {
    let length = draft.bytes().len();
    if length < end {
        draft.splice(length, 0, &vec![0; end - length]);
    }
}

/// Gives container `index` another size (rule 2): padding is used or given back, and what follows moves by whole
/// grains. New bytes are 0 where they are not old padding.
pub fn resize(draft: &mut Draft, index: usize, size: usize) -> Result<(), Refusal> {
    let envelope = read(draft)?;
    let data = envelope.data(index);
    let old_end = envelope.end(index);
    let new_end = round_up(data.offset.saturating_add(size), GRAIN);
    complete(draft, old_end);
    put_word(draft, data.offset.saturating_sub(4), size)?;
    if new_end > old_end {
        draft.splice(old_end, 0, &vec![0; new_end - old_end]);
    } else {
        draft.splice(new_end, old_end - new_end, &[]);
    }
    for later in index.saturating_add(1)..envelope.count() {
        let moved = envelope
            .position(later)
            .saturating_add(new_end)
            .saturating_sub(old_end);
        put_word(draft, TABLE + later * 4, moved)?;
    }
    put_header(draft, Header::file_size, draft.bytes().len())
}

/// Puts a new container before container `index`, or at the end (rule 3).
///
/// # Errors
/// No room in the position table.
pub fn insert(draft: &mut Draft, index: usize, data: &[u8]) -> Result<(), Refusal> {
    let envelope = read(draft)?;
    let count = envelope.count();
    if count >= envelope.capacity {
        let why = format!(
            "the save has room for {} containers and no more",
            envelope.capacity
        );
        return Err(Refusal::new(Errno::NoSpace, why));
    }
    complete(draft, envelope.end(count.saturating_sub(1)));
    let at = if index < count {
        envelope.position(index)
    } else {
        draft.bytes().len()
    };
    let span = round_up(data.len().saturating_add(CONTAINER_HEADER), GRAIN);
    let mut bytes = Vec::with_capacity(span);
    bytes.extend((index as u32).to_le_bytes());
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    bytes.resize(span, 0);
    draft.splice(at, 0, &bytes);
    for old in index..count {
        let moved = envelope.position(old).saturating_add(span);
        put_word(draft, TABLE + (old + 1) * 4, moved)?;
        put_word(draft, moved, old + 1)?;
    }
    put_word(draft, TABLE + index * 4, at)?;
    put_header(draft, Header::count, count + 1)?;
    put_header(draft, Header::file_size, draft.bytes().len())
}

/// Takes container `index` out (rule 3). The table's last entry keeps its old value.
pub fn remove(draft: &mut Draft, index: usize) -> Result<(), Refusal> {
    let envelope = read(draft)?;
    let count = envelope.count();
    if index >= count {
        return Err(Refusal::new(
            Errno::Damaged,
            format!("there is no container {index}"),
        ));
    }
    let at = envelope.position(index);
    let span = envelope
        .end(index)
        .min(draft.bytes().len())
        .saturating_sub(at);
    draft.splice(at, span, &[]);
    for old in index + 1..count {
        let moved = envelope.position(old).saturating_sub(span);
        put_word(draft, TABLE + (old - 1) * 4, moved)?;
        put_word(draft, moved, old - 1)?;
    }
    put_header(draft, Header::count, count - 1)?;
    put_header(draft, Header::file_size, draft.bytes().len())
}
