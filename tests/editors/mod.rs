//! Other people's tools, many of them at once, and many paths to one value: real saves on real mounts.

mod coherence;
mod concurrency;
mod matrix;
mod shell;
mod tools;

use crate::support::{Mounted, copy_of, fixture, printed, root};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const GOTBONE: &str = "dreamfactory/GOTBONE.RTD";

/// A copy of a fixture, mounted, in a folder of its own that holds nothing else.
pub struct Room {
    mounted: Mounted,
    pub save: PathBuf,
    folder: tempfile::TempDir,
}

impl Room {
    /// None, said aloud, where nothing can be mounted.
    pub fn new(name: &str) -> Option<Room> {
        let (folder, save) = copy_of(&fixture(name));
        let mounted = Mounted::new(&save, folder.path(), &[])?;
        fs::create_dir(folder.path().join("home")).unwrap();
        Some(Room {
            mounted,
            save,
            folder,
        })
    }
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
    pub fn at(&self, node: &str) -> PathBuf {
        self.mounted.path().join(node)
    }
    pub fn daemon(&self) -> u32 {
        self.mounted.daemon()
    }
    pub fn unmount(self) -> (tempfile::TempDir, PathBuf) {
        self.mounted.unmount();
        (self.folder, self.save)
    }
    /// The value of a node as the mount shows it.
    pub fn shown(&self, node: &str) -> String {
        self.mounted.read(node).trim_end_matches('\n').to_owned()
    }
    /// The value of a node in the file on disk.
    pub fn stored(&self, node: &str) -> String {
        stored(&self.save, node)
    }
    pub fn on_disk(&self) -> Vec<u8> {
        fs::read(&self.save).unwrap()
    }
    /// What a rewrite of the save would change: its inode and its time.
    pub fn identity(&self) -> (u64, i64, i64) {
        identity(&self.save)
    }
    /// Names in a directory of the mount, sorted.
    pub fn names(&self, directory: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(directory)).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.unwrap().file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }
    /// Runs a script in the folder that holds the save and `mnt`, for at most a minute.
    pub fn run(&self, shell: &str, script: &str, variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new("timeout");
        command.args(["-k", "1", "60", shell, "-c", script]);
        command
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path().join("home"))
            .env("KEYS", root().join("tests/editors/keys.py"))
            .env("SAVEFS", env!("CARGO_BIN_EXE_savefs"))
            .envs([("LC_ALL", "C.UTF-8"), ("TERM", "xterm")])
            .envs(variables.iter().copied());
        command.output().unwrap()
    }
    /// What a bash script printed, having succeeded.
    pub fn ok(&self, script: &str) -> String {
        let output = self.run("bash", script, &[]);
        assert!(output.status.success(), "{script}: {output:?}");
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }
}

pub fn stored(save: &Path, node: &str) -> String {
    printed(&["get", &save.display().to_string(), node])
        .trim_end_matches('\n')
        .to_owned()
}

pub fn identity(save: &Path) -> (u64, i64, i64) {
    let meta = fs::metadata(save).unwrap();
    (meta.ino(), meta.mtime(), meta.mtime_nsec())
}

/// Waits until something holds.
pub fn eventually(seconds: u64, what: &str, holds: impl Fn() -> bool) {
    assert!(comes(seconds, holds), "not within {seconds} s: {what}");
}

/// Whether something holds within some seconds.
pub fn comes(seconds: u64, holds: impl Fn() -> bool) -> bool {
    let limit = Instant::now() + Duration::from_secs(seconds);
    loop {
        if holds() {
            return true;
        }
        if Instant::now() > limit {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a program is installed. In CI all are.
pub fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|folder| folder.join(program).exists());
    assert!(
        found || std::env::var_os("CI").is_none(),
        "{program} is not installed in CI"
    );
    if !found {
        eprintln!("SKIPPED: {program} is not installed");
    }
    found
}
