//! savefs mounts a game save as a directory of typed, writable nodes.
//!
//! The rooms, and who may use whom:
//!
//! * [`codec`]: encodings that several formats share. Uses nobody.
//! * [`tree`]: what a tree is: nodes, records, values and their text, drafts. Uses `codec`.
//! * [`formats`]: one folder a format. Uses `tree` and `codec`; knows neither the disk nor FUSE.
//! * [`store`]: the file on disk, as bytes. Uses nobody.
//! * [`session`]: an open save: store, decoded model, pending edits, versions. The only room that knows both a
//!   format and a store, and the only way to change a save.
//! * [`mount`]: FUSE. Uses `session` and `tree`; names no format.
//! * [`cli`]: one file a command. Uses `session`, `tree` and `mount`.
//!
//! `tests/walls.rs` keeps it so.

pub mod cli;
pub mod codec;
pub mod formats;
#[cfg(feature = "mount")]
pub mod mount;
pub mod session;
pub mod store;
pub mod tree;
