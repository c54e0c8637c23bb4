//! Encodings that several formats share: bytes in, values out. No format is named here.

pub mod codepage;
pub mod float;
pub mod iff;
pub mod image;
pub mod lzss;
pub mod palette;
pub mod time;
