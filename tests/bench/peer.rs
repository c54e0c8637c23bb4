//! ffs, which mounts a JSON document as a tree of files: the nearest peer. It is only run, and only where it is there.

use super::place::{Outcome, about};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The program and the tree as JSON.
pub struct Peer {
    program: PathBuf,
    document: PathBuf,
}

impl Peer {
    pub fn over(tree: &Path, folder: &Path) -> Result<Peer, String> {
        let program = env::var_os("SAVEFS_BENCH_FFS").ok_or("it is not installed")?;
        let document = folder.join("tree.json");
        fs::write(&document, as_json(tree)?.to_string()).map_err(about(&document))?;
        let peer = Peer {
            program: program.into(),
            document,
        };
        let mount = peer.mount(&folder.join("tried"))?;
        drop(mount);
        Ok(peer)
    }

    /// Mounts the document and waits until it is there.
    pub fn mount(&self, at: &Path) -> Outcome<PeerMount> {
        fs::create_dir_all(at).map_err(about(at))?;
        let device = |path: &Path| rustix::fs::stat(path).map(|s| s.st_dev).ok();
        let before = device(at);
        let mut process = Command::new(&self.program)
            .args(["--quiet", "--no-output", "--mount"])
            .args([at, &self.document])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(about(&self.program))?;
        let deadline = Instant::now() + Duration::from_secs(10);
        while device(at) == before {
            let ended = process.try_wait().map_err(about(&self.program))?;
            if ended.is_some() || Instant::now() > deadline {
                return Err("ffs did not mount".to_owned());
            }
            thread::sleep(Duration::from_micros(200));
        }
        Ok(PeerMount {
            at: at.to_owned(),
            process,
        })
    }
}

/// The same tree as a document: directories as objects, values as strings. Other bytes than text become text of their
/// length.
fn as_json(path: &Path) -> Outcome<Value> {
    if !path.is_dir() {
        let mut bytes = fs::read(path).map_err(about(path))?;
        if std::str::from_utf8(&bytes).is_err() {
            bytes.fill(b'x');
        }
        let text = String::from_utf8_lossy(&bytes);
        return Ok(text.strip_suffix('\n').unwrap_or(&text).into());
    }
    let mut object = Map::new();
    for entry in fs::read_dir(path).map_err(about(path))? {
        let entry = entry.map_err(about(path))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        object.insert(name, as_json(&entry.path())?);
    }
    Ok(Value::Object(object))
}

pub struct PeerMount {
    at: PathBuf,
    process: Child,
}

impl PeerMount {
    pub fn at(&self) -> &Path {
        &self.at
    }
}

impl Drop for PeerMount {
    fn drop(&mut self) {
        // As root with umount, else with the helper; it ends when it is unmounted.
        let root = rustix::process::geteuid().is_root();
        let mut unmount = match root {
            true => Command::new("umount"),
            false => Command::new("fusermount3"),
        };
        if !root {
            unmount.arg("-u");
        }
        let done = unmount.arg(&self.at).status();
        if !done.is_ok_and(|status| status.success()) {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}
