//! Real mounts, in a directory that no tool takes for a temporary one.

mod control;
mod creating;
mod ends;
mod extremes;
mod mapping;
mod reading;
mod scratch;
mod times;
mod tools;
mod toy;
mod writing;

use savefs::mount::{MountOptions, Mounted};
use savefs::session::{Commit, Options, Session};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A mounted toy save and the directory that it is in.
pub struct Bench {
    folder: tempfile::TempDir,
    mounted: Option<Mounted>,
}

/// Whether this machine can mount; says so if not, and fails where tests must not be left out.
pub fn can_mount() -> bool {
    if Path::new("/dev/fuse").exists() {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "no /dev/fuse");
    eprintln!("SKIPPED: no /dev/fuse, so nothing is tested on a real mount");
    false
}

impl Bench {
    /// None where this machine cannot mount.
    pub fn new() -> Option<Bench> {
        Bench::with(Commit::Flush)
    }
    pub fn with(commit: Commit) -> Option<Bench> {
        if !can_mount() {
            return None;
        }
        let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        std::fs::write(
            folder.path().join("save"),
            toy::bytes(&[("alpha", 1), ("Beta", 22)]),
        )
        .unwrap();
        let mut bench = Bench {
            folder,
            mounted: None,
        };
        bench.mount(commit);
        Some(bench)
    }
    fn mount(&mut self, commit: Commit) {
        let mut options = Options {
            commit,
            ..Options::default()
        };
        options.store.lock_wait = Duration::from_millis(100);
        let session = Session::open_as(&self.save(), Some(&toy::TOY), options).unwrap();
        let options = MountOptions::default();
        self.mounted = Some(Mounted::start(session, &self.at(""), &options).unwrap());
    }
    pub fn stop(&mut self) {
        if let Some(mounted) = self.mounted.take() {
            mounted.stop();
        }
    }
    pub fn save(&self) -> PathBuf {
        self.folder.path().join("save")
    }
    /// A path in the mount.
    pub fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join("mnt").join(path)
    }
    pub fn session(&self) -> &Session {
        self.mounted.as_ref().unwrap().session()
    }
    /// The save's bytes on disk.
    pub fn on_disk(&self) -> Vec<u8> {
        std::fs::read(self.save()).unwrap()
    }
    /// The value of a node in the file on disk.
    pub fn stored(&self, path: &str) -> String {
        let session = Session::open_as(&self.save(), Some(&toy::TOY), Options::default()).unwrap();
        let node = session.resolve(path).unwrap();
        String::from_utf8_lossy(&node.as_leaf().unwrap().read())
            .trim_end()
            .to_owned()
    }
    pub fn get(&self, path: &str) -> String {
        std::fs::read_to_string(self.at(path))
            .unwrap()
            .trim_end()
            .to_owned()
    }

    /// Runs a bash script in the folder that holds the save and `mnt`, for at most twenty seconds.
    pub fn run(&self, script: &str) -> Output {
        let mut command = Command::new("timeout");
        command.args(["-k", "1", "20", "bash", "-c", script]);
        command.current_dir(self.folder.path());
        command.env("HOME", self.folder.path()).env("LC_ALL", "C");
        command.output().unwrap()
    }
    /// What a script printed, having succeeded.
    pub fn ok(&self, script: &str) -> String {
        let output = self.run(script);
        assert!(output.status.success(), "{script}: {output:?}");
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }
    /// What a script said on standard error, having failed.
    pub fn fails(&self, script: &str) -> String {
        let output = self.run(script);
        let status = output.status.code();
        assert!(
            status.is_some_and(|code| code != 0 && code != 124 && code != 137),
            "{script}: {output:?}"
        );
        String::from_utf8_lossy(&output.stderr)
            .trim_end()
            .to_owned()
    }
    /// Names in a directory of the mount, sorted.
    pub fn names(&self, path: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.at(path)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
    pub fn errors(&self) -> String {
        self.get(".savefs/errors")
    }
    /// Requests so far by kind; waits for those that nobody waits for.
    pub fn requests(&self) -> u64 {
        let total = || {
            let text = self.mounted.as_ref().unwrap().requests();
            text.split(' ').next().unwrap().parse::<u64>().unwrap()
        };
        let mut last = total();
        loop {
            std::thread::sleep(Duration::from_millis(30));
            let now = total();
            if now == last {
                return now;
            }
            last = now;
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Waits until something is so, at most for some seconds.
pub fn eventually(seconds: u64, what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(
            start.elapsed() < Duration::from_secs(seconds),
            "never: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
