//! savefs mounts a game save as a directory of typed, writable nodes.
pub mod codec;
pub mod formats;
#[cfg(feature = "mount")]
pub mod mount;
pub mod session;
pub mod store;
pub mod tree;
