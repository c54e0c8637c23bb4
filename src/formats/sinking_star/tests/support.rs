//! Fixtures and edits for the tests of this folder.

use crate::formats::{self, Options};
use crate::session::{Commit, Edit, Session};
use crate::tree::{Fault, Save, Weight, walk};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub type Opened = Result<Arc<dyn Save>, Fault>;

pub fn path(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("fixtures/sinking_star").join(name)
}

pub fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap()
}

pub fn schema() -> String {
    String::from_utf8(fixture("schema.json")).unwrap()
}

pub fn open(name: &str, image: &[u8], schema: Option<String>) -> Opened {
    let path = Path::new(name);
    let options = Options {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        siblings: Vec::new(),
        schema,
    };
    formats::open(path, image, &options).map(|(_, save)| save)
}

/// What became of a file, in the words of `expect.tsv`.
pub fn verdict(save: &Opened) -> &'static str {
    let Ok(save) = save else {
        return "refused";
    };
    let findings = save.findings();
    let found = |code: &str| findings.iter().any(|finding| finding.code == code);
    let damaged = findings.iter().any(|f| f.weight == Weight::Damage);
    let entries = walk::entries(&only_directory(save));
    if entries.len() == 1 && entries[0].0 == "data" {
        "raw"
    } else if found("ambiguous") {
        "ambiguous"
    } else if found("tentative") {
        "tentative"
    } else if damaged || save.read_only().is_some() {
        "read-only"
    } else {
        "editable"
    }
}

fn only_directory(save: &Arc<dyn Save>) -> Arc<dyn crate::tree::Dir> {
    let root = save.clone().root().as_dir().unwrap().clone();
    let [(name, _)] = &walk::entries(&root)[..] else {
        panic!("a save has one directory at its root");
    };
    root.get(name).unwrap().as_dir().unwrap().clone()
}

/// The value of a node, without the final newline.
pub fn value(save: &Arc<dyn Save>, path: &str) -> String {
    let node = walk::resolve(&save.clone().root(), path).unwrap();
    let bytes = node.as_leaf().unwrap().read().into_owned();
    let text = String::from_utf8(bytes).unwrap();
    text.strip_suffix('\n').unwrap_or(&text).to_owned()
}

/// A session on a copy of a file, which is gone with the folder.
pub fn session(name: &str, image: &[u8]) -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(Path::new(name).file_name().unwrap());
    std::fs::write(&copy, image).unwrap();
    let options = crate::session::Options {
        commit: Commit::Manual,
        ..Default::default()
    };
    (folder, Session::open(&copy, options).unwrap())
}

/// What edits made of a file: its bytes and what was said of them, or why they were refused.
pub fn edited(name: &str, image: &[u8], edits: &[Edit]) -> Result<(Vec<u8>, String), String> {
    let (_folder, session) = session(name, image);
    let before = session.log().text().len();
    match session.edit(edits) {
        Ok(_) => {
            let said = session.log().text().split_off(before);
            Ok((session.now().save.image().to_vec(), said))
        }
        Err(refused) => {
            assert_eq!(
                session.now().save.image(),
                image,
                "a refused edit changes nothing"
            );
            Err(refused.refusal().to_string())
        }
    }
}
