//! The envelope: version, scene, name, and where the payload begins. lba2.md 2.

use super::FORMAT;
use crate::codec::lzss::{self, LzssError};
use crate::tree::Fault;

/// The only layout revision there is. lba2.md 9.
pub const REVISION: u8 = 36;
/// Set in the version byte of a file whose payload is compressed.
pub const COMPRESSED: u8 = 0x80;
/// Where the scene's number is, an i32.
pub const SCENE_AT: usize = 1;
/// Where the name begins.
pub const NAME_AT: usize = 5;
/// Bytes of a name at most, the NUL not counted.
pub const LONGEST_NAME: usize = 100;
/// Bytes of the field that a compressed file has before its stream.
const SIZE_FIELD: usize = 4;
/// The loader's buffer. lba2.md 2.1.
pub const LOADER: usize = 307_712;
/// The same for the list of saves in the menu.
pub const MENU: usize = 257_712;
/// What the loader keeps free between the payload and the stream that it expands.
const GAP: usize = 512;

/// A file taken apart: the image, which is the uncompressed twin of the file with bit 7 of the version byte
/// kept, and what the image cannot tell.
pub struct Opened {
    pub image: Vec<u8>,
    /// Bytes of the file behind its stream; they end the image. Of a plain file 0.
    pub after_stream: usize,
    /// The stream as found.
    pub stream: Option<Vec<u8>>,
    /// Why the payload is shorter than the file says.
    pub cut: Option<Fault>,
}

/// Where things are in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    pub version: u8,
    pub name: usize,
    /// Where the payload begins.
    pub payload: usize,
}

impl Envelope {
    /// Reads the head of a file or an image; they are alike up to the name's end.
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let version = *bytes
            .first()
            .ok_or_else(|| fault("version", 0, "a byte", "an empty file"))?;
        if bytes.len() <= NAME_AT {
            let found = format!("{} bytes", bytes.len());
            return Err(fault("scene", SCENE_AT, "4 bytes and a name", found));
        }
        let room = bytes.get(NAME_AT..).unwrap_or_default();
        let name = room
            .iter()
            .take(LONGEST_NAME + 1)
            .position(|byte| *byte == 0);
        let name = name.ok_or_else(|| {
            let found = format!("{} bytes without one", room.len().min(LONGEST_NAME + 1));
            fault("name", NAME_AT, "a NUL within 101 bytes", found)
        })?;
        Ok(Envelope {
            version,
            name,
            payload: NAME_AT + name + 1,
        })
    }
    pub fn is_compressed(self) -> bool {
        self.version & COMPRESSED != 0
    }
    pub fn revision(self) -> u8 {
        self.version & !COMPRESSED
    }
}

/// A fault of the envelope, at an offset in the file.
pub fn fault(
    field: &str,
    offset: usize,
    expected: impl Into<String>,
    found: impl Into<String>,
) -> Fault {
    Fault::new(FORMAT, field, offset, expected, found)
}

/// Takes a file apart.
pub fn open(file: &[u8]) -> Result<Opened, Fault> {
    let head = Envelope::read(file)?;
    if !head.is_compressed() {
        check_room(file.len())?;
        return Ok(Opened {
            image: file.to_vec(),
            after_stream: 0,
            stream: None,
            cut: None,
        });
    }
    let size = size_field(file, head.payload)?;
    let start = head.payload + SIZE_FIELD;
    let stream = file.get(start..).unwrap_or_default();
    check_room(
        start
            .saturating_add(size)
            .saturating_add(GAP)
            .max(file.len()),
    )?;
    let mut image = file.get(..head.payload).unwrap_or_default().to_vec();
    let (payload, used, cut) = expand(stream, size, start);
    image.extend_from_slice(&payload);
    let used = used.min(stream.len());
    let (stream, rest) = stream.split_at(used);
    image.extend_from_slice(rest);
    Ok(Opened {
        image,
        after_stream: rest.len(),
        stream: Some(stream.to_vec()),
        cut,
    })
}

fn check_room(needed: usize) -> Result<(), Fault> {
    if needed <= LOADER {
        return Ok(());
    }
    let expected = format!("at most {LOADER} bytes, the game's buffer");
    Err(fault("size of the save", 0, expected, needed.to_string()))
}

/// The expanded size, which a compressed file has before its stream.
pub fn size_field(file: &[u8], at: usize) -> Result<usize, Fault> {
    let field = file.get(at..).and_then(|rest| rest.first_chunk::<4>());
    let field = field.ok_or_else(|| {
        let found = format!("{} bytes", file.len().saturating_sub(at));
        fault("expanded size", at, "4 bytes", found)
    })?;
    let size = i32::from_le_bytes(*field);
    usize::try_from(size)
        .ok()
        .filter(|size| *size <= LOADER)
        .ok_or_else(|| {
            fault(
                "expanded size",
                at,
                format!("0..{LOADER}"),
                size.to_string(),
            )
        })
}

/// The payload of a stream, or as much of it as the stream gives and why.
fn expand(stream: &[u8], size: usize, at: usize) -> (Vec<u8>, usize, Option<Fault>) {
    let error = match lzss::decode(stream, size) {
        Ok((payload, used)) => return (payload, used, None),
        Err(error) => error,
    };
    let payload = begin(stream, &error);
    let expected = format!("a stream of {size} bytes");
    let found = format!("{} bytes, then: {error}", payload.len());
    let cut = fault("compressed payload", at, expected, found);
    (payload, stream.len(), Some(cut))
}

/// What a stream gives before the error.
fn begin(stream: &[u8], error: &LzssError) -> Vec<u8> {
    let good = match error {
        LzssError::SizeUnreachable { at_most, .. } => *at_most,
        LzssError::Exhausted { produced, .. } => *produced,
        LzssError::DistanceBeforeStart { produced, .. } => *produced,
    };
    match lzss::decode(stream, good) {
        Ok((payload, _)) => payload,
        // The most that a stream of this length could give is seldom what it does give.
        Err(nearer) if matches!(error, LzssError::SizeUnreachable { .. }) => begin(stream, &nearer),
        Err(_) => Vec::new(),
    }
}

/// The file of an image that is stored plain.
pub fn plain(image: &[u8]) -> Result<Vec<u8>, Fault> {
    check_room(image.len())?;
    Ok(image.to_vec())
}

/// The file of an image whose payload, up to `payload_end`, is this stream.
pub fn compressed(image: &[u8], payload_end: usize, stream: &[u8]) -> Result<Vec<u8>, Fault> {
    let head = Envelope::read(image)?;
    let payload = payload_end.saturating_sub(head.payload);
    let start = head.payload + SIZE_FIELD;
    check_room(start + payload + GAP + stream.len())?;
    let size = u32::try_from(payload).unwrap_or(u32::MAX);
    let mut file = image.get(..head.payload).unwrap_or_default().to_vec();
    file.extend_from_slice(&size.to_le_bytes());
    file.extend_from_slice(stream);
    file.extend_from_slice(image.get(payload_end..).unwrap_or_default());
    Ok(file)
}

/// The stream of a payload. The game stores a broken file where that does not get shorter (lba2.md 3.3).
pub fn compress(payload: &[u8]) -> Result<Vec<u8>, Fault> {
    let stream = lzss::encode(payload);
    if stream.len() < payload.len() {
        return Ok(stream);
    }
    let expected = format!("a payload that gets shorter than {} bytes", payload.len());
    let found = format!("{} bytes; write false to lba/compressed", stream.len());
    Err(fault("compressed payload", 0, expected, found))
}

/// Whether the menu can list the save (lba2.md 2.1), the stream taken at its longest.
pub fn fits_menu(head: Envelope, image: usize) -> bool {
    let payload = image.saturating_sub(head.payload);
    let needed = match head.is_compressed() {
        false => image,
        true => image + SIZE_FIELD + GAP + payload,
    };
    needed <= MENU
}

/// The scene's number in a file or an image; -1 where there is none.
pub fn scene(bytes: &[u8]) -> i32 {
    let field = bytes
        .get(SCENE_AT..)
        .and_then(|rest| rest.first_chunk::<4>());
    field.map_or(-1, |field| i32::from_le_bytes(*field))
}
