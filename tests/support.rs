//! What several tests need: fixtures and corpus, copies of saves, the program itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file under `fixtures/`.
pub fn fixture(name: &str) -> PathBuf {
    root().join("fixtures").join(name)
}

/// A file of the corpus of real saves, or None, said aloud, where there is no corpus.
pub fn corpus(name: &str) -> Option<PathBuf> {
    match std::env::var_os("SAVEFS_CORPUS") {
        Some(corpus) => Some(root().join(corpus).join(name)),
        None => {
            eprintln!(
                "SKIPPED: SAVEFS_CORPUS is not set, so nothing is tested on the real save {name}"
            );
            None
        }
    }
}

/// A folder of its own for a test, removed afterwards. Not under /tmp: some editors behave differently there.
pub fn scratch() -> tempfile::TempDir {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let parent = match target.starts_with(std::env::temp_dir()) {
        true => Path::new("/var/tmp"),
        false => target,
    };
    tempfile::TempDir::new_in(parent).expect("a folder for a test")
}

/// A copy of a save in a folder of its own.
pub fn copy_of(save: &Path) -> (tempfile::TempDir, PathBuf) {
    let folder = scratch();
    let copy = folder.path().join(save.file_name().expect("a file name"));
    std::fs::copy(save, &copy).expect("a copy of the save");
    (folder, copy)
}

/// Runs savefs and waits for it.
pub fn savefs(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_savefs"))
        .args(arguments)
        .output()
        .expect("savefs runs")
}

/// What savefs printed, having succeeded.
pub fn printed(arguments: &[&str]) -> String {
    let output = savefs(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "savefs {arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What savefs said on standard error, having failed with this status.
pub fn refused(status: i32, arguments: &[&str]) -> String {
    let output = savefs(arguments);
    assert_eq!(
        output.status.code(),
        Some(status),
        "savefs {arguments:?}: {output:?}"
    );
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Runs a test in a process of its own, given its name. A test that holds files of a mount open for writing needs that:
/// whenever another test starts a program, that program's copies of all open files are closed, which flushes them.
pub fn alone(name: &str, test: impl FnOnce()) {
    const ALONE: &str = "SAVEFS_TEST_ALONE";
    if std::env::var_os(ALONE).is_some_and(|alone| alone == name) {
        return test();
    }
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env(ALONE, name);
    command.args(["--exact", name, "--nocapture"]);
    let output = command.output().expect("this program once more");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    print!("{text}");
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name} failed");
    assert!(text.contains("1 passed"), "there is no test {name}");
}

/// Offsets at which two files of one length differ.
pub fn differences(a: &[u8], b: &[u8]) -> Vec<usize> {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .enumerate()
        .filter(|(_, (a, b))| a != b)
        .map(|(at, _)| at)
        .collect()
}

/// A save that is mounted for the length of a test.
pub struct Mounted {
    at: PathBuf,
    alive: bool,
}

impl Mounted {
    /// Mounts `save` at `folder`/mnt; None, said aloud, where nothing can be mounted. In CI that is a failure.
    pub fn new(save: &Path, folder: &Path, options: &[&str]) -> Option<Mounted> {
        Self::with_state(save, folder, options, &folder.join("state"))
    }
    /// The same, with the user's state directory elsewhere.
    pub fn with_state(
        save: &Path,
        folder: &Path,
        options: &[&str],
        state: &Path,
    ) -> Option<Mounted> {
        if !Path::new("/dev/fuse").exists() {
            assert!(std::env::var_os("CI").is_none(), "no /dev/fuse in CI");
            eprintln!("SKIPPED: there is no /dev/fuse, so nothing was mounted");
            return None;
        }
        let at = folder.join("mnt");
        let output = Command::new(env!("CARGO_BIN_EXE_savefs"))
            .env("XDG_STATE_HOME", state)
            .arg("mount")
            .args(options)
            .arg(save)
            .arg(&at)
            .output()
            .expect("savefs runs");
        assert!(
            output.status.success(),
            "mount: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Some(Mounted { at, alive: true })
    }
    pub fn path(&self) -> &Path {
        &self.at
    }
    /// The text of a node.
    pub fn read(&self, node: &str) -> String {
        std::fs::read_to_string(self.at.join(node)).unwrap_or_else(|e| panic!("{node}: {e}"))
    }
    /// Runs a shell script in the mount; its exit status, output and errors.
    pub fn sh(&self, shell: &str, script: &str) -> (i32, String, String) {
        let output = Command::new(shell)
            .arg("-c")
            .arg(script)
            .current_dir(&self.at)
            .output()
            .expect("a shell");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code().unwrap_or(-1),
            text(&output.stdout),
            text(&output.stderr),
        )
    }
    /// The process that serves the mount.
    pub fn daemon(&self) -> u32 {
        let processes = std::fs::read_dir("/proc").expect("/proc");
        let serves = |pid: &u32| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains("savefs mount") && line.contains(&self.at.display().to_string())
        };
        let mut pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        pids.find(serves).expect("the daemon")
    }
    /// Kills the daemon with SIGKILL and clears the dead mount away.
    pub fn kill(mut self) {
        let pid = self.daemon().to_string();
        let killed = Command::new("kill")
            .args(["-9", &pid])
            .status()
            .expect("kill");
        assert!(killed.success());
        self.clear();
    }
    /// Unmounts and waits for the daemon's end.
    pub fn unmount(mut self) {
        printed(&["umount", &self.at.display().to_string()]);
        self.alive = false;
    }
    fn clear(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.at).output();
        self.alive = false;
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        if self.alive {
            let _ = savefs(&["umount", &self.at.display().to_string()]);
            self.clear();
        }
    }
}
