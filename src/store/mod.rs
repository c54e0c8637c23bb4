//! The file on disk: bytes only.
