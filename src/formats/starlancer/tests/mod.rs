//! The whole of a save, through the session as users reach it.

mod damaged;
mod edits;
mod every_leaf;
mod expected;
mod forced;
mod refusals;
mod rules;
mod touched;
mod worked;

use crate::session::{Commit, Edit, NotEdited, Options, Session};
use crate::store;
use crate::tree::{Refusal, Save, walk};
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/starlancer")
        .join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).expect("a fixture")
}

/// A save in a folder of its own, open for editing.
struct Desk {
    session: Session,
    _folder: tempfile::TempDir,
}

/// What an edit came to: the bytes before and after, and what the user was told.
struct Done {
    before: Vec<u8>,
    after: Vec<u8>,
    told: Vec<String>,
}

impl Done {
    /// Offsets of the bytes that differ; both must be of one length.
    fn changed(&self) -> Vec<usize> {
        assert_eq!(self.before.len(), self.after.len());
        let pairs = self.before.iter().zip(&self.after).enumerate();
        pairs
            .filter(|(_, (a, b))| a != b)
            .map(|(at, _)| at)
            .collect()
    }
    fn is_told(&self, code: &str) -> bool {
        self.told
            .iter()
            .any(|text| text.starts_with(&format!("{code}: ")))
    }
}

impl Desk {
    fn of(name: &str) -> Desk {
        let file = Path::new(name)
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        Desk::with(&file, &bytes(name), &[], false)
    }
    fn forced(name: &str) -> Desk {
        Desk::with("ACEGAME01.IFF", &bytes(name), &[], true)
    }
    fn with(name: &str, bytes: &[u8], beside: &[&str], force: bool) -> Desk {
        let folder = tempfile::tempdir().expect("a folder");
        for other in beside {
            std::fs::write(folder.path().join(other), b"").expect("written");
        }
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        let options = Options {
            commit: Commit::Manual,
            store: store::Options::default(),
            force,
            ..Options::default()
        };
        let session = Session::open(&path, options).expect("a save");
        Desk {
            session,
            _folder: folder,
        }
    }
    fn current(&self) -> Vec<u8> {
        self.session.current().expect("encodes").to_vec()
    }
    fn get(&self, path: &str) -> String {
        let node = self.session.resolve(path).expect(path);
        let text = node.as_leaf().expect(path).read().into_owned();
        String::from_utf8(text)
            .expect("text")
            .trim_end_matches('\n')
            .to_owned()
    }
    fn has(&self, path: &str) -> bool {
        self.session.resolve(path).is_ok()
    }
    fn try_all(&self, edits: &[(&str, &str)]) -> Result<Done, Refusal> {
        let edits: Vec<Edit> = edits
            .iter()
            .map(|(path, value)| Edit::set(*path, format!("{value}\n")))
            .collect();
        let before = self.current();
        let told = self.session.cautions(&edits);
        match self.session.edit(&edits) {
            Ok(_) => Ok(Done {
                before,
                after: self.current(),
                told,
            }),
            Err(NotEdited::Refused(refusal)) => {
                assert_eq!(self.current(), before, "a refused edit changes nothing");
                Err(refusal)
            }
            Err(NotEdited::Pending(error)) => panic!("{error}"),
        }
    }
    fn set(&self, path: &str, value: &str) -> Done {
        self.try_all(&[(path, value)]).expect(path)
    }
    fn refusal(&self, path: &str, value: &str) -> Refusal {
        match self.try_all(&[(path, value)]) {
            Ok(_) => panic!("{path} took {value}"),
            Err(refusal) => refusal,
        }
    }
    fn finding(&self, code: &str) -> Option<String> {
        let now = self.session.now();
        let finding = now.findings().iter().find(|f| f.code == code)?;
        Some(finding.to_string())
    }
    fn state(&self) -> String {
        summary(&*self.session.now().save, "container")
    }
}

fn summary(save: &dyn Save, label: &str) -> String {
    let lines = save.summary();
    let line = lines.iter().find(|(own, _)| own == label);
    line.map(|(_, value)| value.clone()).unwrap_or_default()
}

/// Every leaf of a save with its value, as one text.
fn listing(save: &std::sync::Arc<dyn Save>) -> String {
    let mut text = String::new();
    walk::leaves(&save.clone().root(), "", &mut |path, leaf| {
        text.push_str(&format!("{path}={}\n", walk::one_line(&**leaf)));
    });
    text
}
