//! Bytes that stay where they are: a file too large to be held, read where a node asks.

/// Bytes that are read piece by piece.
pub trait Source: Send + Sync {
    fn length(&self) -> u64;
    /// The bytes from `offset` on; fewer than `length` where they end or cannot be read.
    fn read_at(&self, offset: u64, length: usize) -> Vec<u8>;
}
