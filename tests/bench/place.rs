//! Where things are measured: a folder on disk and one in memory, both given and cleaned up by the script, and mounts.

use super::peer::Peer;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

pub type Outcome<T> = Result<T, String>;

const SAVEFS: &str = env!("CARGO_BIN_EXE_savefs");

/// Says of an I/O error what it was about.
pub fn about(path: &Path) -> impl Fn(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

pub struct Places {
    /// On the disk that commits are measured on.
    pub disk: PathBuf,
    /// On a tmpfs.
    pub memory: PathBuf,
    /// The save that is measured: a copy.
    pub save: PathBuf,
    /// A copy of its tree in `memory`.
    pub tree: PathBuf,
    /// The nearest peer over the same tree, or why it is missing.
    pub peer: Result<Peer, String>,
}

impl Places {
    /// None where the script has not made the folders.
    pub fn from_environment() -> Option<Places> {
        let folder = |name| env::var_os(name).map(PathBuf::from);
        let disk = folder("SAVEFS_BENCH_DISK")?;
        let memory = folder("SAVEFS_BENCH_MEMORY")?;
        let original = folder("SAVEFS_BENCH_SAVE")?;
        match Self::prepare(disk, memory, &original) {
            Ok(places) => Some(places),
            Err(error) => {
                eprintln!("bench: {error}");
                None
            }
        }
    }

    fn prepare(disk: PathBuf, memory: PathBuf, original: &Path) -> Outcome<Places> {
        let save = disk.join(original.file_name().unwrap_or_default());
        copy_file(original, &save)?;
        let tree = memory.join("tree");
        let mounted = Mounted::new(&save, &disk.join("first"), &[])?;
        run(Command::new("cp").arg("-r").args([mounted.at(), &tree]))?;
        drop(mounted);
        let peer = Peer::over(&tree, &memory);
        if let Err(why) = &peer {
            eprintln!("bench: without ffs: {why}");
        }
        Ok(Places {
            disk,
            memory,
            save,
            tree,
            peer,
        })
    }

    /// Mounts the save; with `--commit flush` unless the options say otherwise.
    pub fn mount(&self, options: &[&str]) -> Outcome<Mounted> {
        Mounted::new(&self.save, &self.disk.join("mnt"), options)
    }

    /// The first value of the tree of that file name, e.g. `deg`.
    pub fn value(&self, name: &str) -> Outcome<PathBuf> {
        let found = files(&self.tree)?
            .into_iter()
            .find(|path| path.file_name().is_some_and(|n| n == name));
        let found = found.ok_or_else(|| format!("the save has no value called {name}"))?;
        let relative = found.strip_prefix(&self.tree);
        relative.map(Path::to_owned).map_err(|e| e.to_string())
    }
}

/// Files below a folder, directories in the order of their names, links left out.
pub fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut all = Vec::new();
    let mut entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(about(folder))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(about(&entry.path()))?;
        if kind.is_dir() {
            all.extend(files(&entry.path())?);
        } else if kind.is_file() {
            all.push(entry.path());
        }
    }
    Ok(all)
}

/// A copy that can be written, whatever the original's mode.
pub fn copy_file(from: &Path, to: &Path) -> Outcome<()> {
    let bytes = fs::read(from).map_err(about(from))?;
    fs::write(to, bytes).map_err(about(to))
}

/// Runs a command that must succeed, silently.
pub fn run(command: &mut Command) -> Outcome<()> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let output = command
        .stderr(Stdio::piped())
        .output()
        .map_err(|e| format!("{command:?}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}

/// A mounted save.
pub struct Mounted(PathBuf);

impl Mounted {
    pub fn new(save: &Path, at: &Path, options: &[&str]) -> Outcome<Mounted> {
        let mut mount = Command::new(SAVEFS);
        run(mount.arg("mount").args(options).args([save, at]))?;
        Ok(Mounted(at.to_owned()))
    }
    pub fn at(&self) -> &Path {
        &self.0
    }
    pub fn node(&self, path: impl AsRef<Path>) -> PathBuf {
        self.0.join(path)
    }
    /// What the root says of itself.
    pub fn said(&self, name: &str) -> Outcome<String> {
        let mut text = [0; 4096];
        let name = format!("user.savefs.{name}");
        let length = rustix::fs::getxattr(&self.0, &name, &mut text)
            .map_err(|errno| format!("{name}: {errno}"))?;
        Ok(String::from_utf8_lossy(text.get(..length).unwrap_or_default()).into_owned())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        if let Err(error) = run(Command::new(SAVEFS).arg("umount").arg(&self.0)) {
            eprintln!("bench: {error}");
        }
    }
}
