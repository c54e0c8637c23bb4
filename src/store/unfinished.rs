//! Edits that could not be committed when their process had to end, kept for the user.

use super::error::{Failure, Step};
use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File};
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Writes the lines, each ended by a newline, to a new file `<name>-XXXXXX.edits` in the user's state directory
/// (`$XDG_STATE_HOME/savefs`, else `~/.local/state/savefs`), and returns its path. Only the user can read it.
///
/// # Errors
/// There is no home directory (`ENOENT`), or the file cannot be written.
pub fn save_unfinished(name: &OsStr, lines: &[String]) -> Result<PathBuf, Failure> {
    let directory = state_directory(|variable| std::env::var_os(variable));
    let directory = directory.ok_or_else(|| {
        Failure::new(
            Step::SaveUnfinished,
            Path::new("$HOME"),
            rustix::io::Errno::NOENT,
        )
    })?;
    save_in(&directory, name, lines)
}

/// A variable that holds a relative path is ignored, as the XDG base directory specification asks.
pub(super) fn state_directory(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let state =
        absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(state.join("savefs"))
}

pub(super) fn save_in(
    directory: &Path,
    name: &OsStr,
    lines: &[String],
) -> Result<PathBuf, Failure> {
    let failed = |e: &std::io::Error| Failure::io(Step::SaveUnfinished, directory, e);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|e| failed(&e))?;
    let name = Path::new(name).file_name().unwrap_or(OsStr::new("save"));
    let mut prefix = name.to_owned();
    prefix.push("-");
    let file = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".edits")
        .tempfile_in(directory);
    let (mut file, path) = file
        .and_then(|file| file.keep().map_err(|e| e.error))
        .map_err(|e| failed(&e))?;
    let text: String = lines
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect();
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(|e| failed(&e))?;
    File::open(directory)
        .and_then(|d| d.sync_all())
        .map_err(|e| failed(&e))?;
    Ok(path)
}
