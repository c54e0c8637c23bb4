//! Why a mount did not come about or did not end, in plain words.

/// Why a mount could not be made or ended.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{text}")]
pub struct MountError {
    text: String,
}

impl MountError {
    pub fn new(text: impl Into<String>) -> Self {
        MountError { text: text.into() }
    }
}
