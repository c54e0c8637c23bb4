//! Every file of `fixtures/sinking_star` against the expectations that its maker wrote.

use super::support::{Opened, fixture, open, schema};
use crate::tree::flow::slice;
use crate::tree::{Node, NodeKind, Save, walk};
use std::collections::BTreeMap;

/// Rows of `expect.tsv` by file.
fn expectations() -> BTreeMap<String, Vec<(String, String)>> {
    let text = String::from_utf8(fixture("expect.tsv")).unwrap();
    let mut table: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, key, value] = columns[..] else {
            panic!("no row: {line}");
        };
        let row = (key.to_owned(), value.to_owned());
        table.entry(file.to_owned()).or_default().push(row);
    }
    table
}

fn text(node: &Node) -> String {
    let bytes = node.as_leaf().unwrap().read().into_owned();
    let text = String::from_utf8(bytes).unwrap();
    text.strip_suffix('\n').map(str::to_owned).unwrap_or(text)
}

fn bytes(root: &Node, path: &str) -> Option<Vec<u8>> {
    let node = walk::resolve(root, path).ok()?;
    Some(node.as_leaf().ok()?.read().into_owned())
}

/// One row against an open save; None where it holds.
fn missed(save: &Opened, with_schema: &Opened, key: &str, wanted: &str) -> Option<String> {
    let root = |save: &Opened| save.clone().ok().map(Save::root);
    let found = match key.split_once(':') {
        Some(("size", path)) => bytes(&root(save)?, path)?.len().to_string(),
        Some(("sha256", path)) => sha256(&bytes(&root(save)?, path).unwrap_or_default()),
        Some((schema @ ("schema-old" | "schema-new"), path)) => {
            let when = schema.strip_prefix("schema-").unwrap();
            let node = walk::resolve(&root(with_schema)?, &format!("{path}/{when}"));
            node.map_or_else(|e| e.to_string(), |node| text(&node))
        }
        _ => match key {
            "state" => {
                let found = super::support::verdict(save);
                let held = wanted.split('|').any(|one| one == found);
                return (!held).then_some(found.to_owned());
            }
            "present" | "absent" => {
                let there = root(save).is_some_and(|root| walk::resolve(&root, wanted).is_ok());
                return (there != (key == "present")).then(|| format!("present: {there}"));
            }
            path => match walk::resolve(&root(save)?, path) {
                Ok(node) => text(&node),
                Err(error) => error.to_string(),
            },
        },
    };
    (found != wanted).then_some(found)
}

#[test]
fn every_expectation_holds() {
    let (mut held, mut wrong) = (0, Vec::new());
    for (file, rows) in expectations() {
        if file == "schema.json" {
            continue;
        }
        let image = fixture(&file);
        let save = open(&file, &image, None);
        let with_schema = open(&file, &image, Some(schema()));
        for (key, wanted) in rows {
            match missed(&save, &with_schema, &key, &wanted) {
                None => held += 1,
                Some(found) => wrong.push(format!("{file}: {key}: {wanted:?}, found {found:?}")),
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(held > 5000, "only {held} rows");
}

/// What opens gives its bytes back, lists itself as it answers, and shows only what lies in it.
#[test]
fn every_fixture_is_given_back_and_its_nodes_lie_in_it() {
    for file in expectations().into_keys() {
        let image = fixture(&file);
        for schema in [None, Some(schema())] {
            let Ok(save) = open(&file, &image, schema) else {
                continue;
            };
            assert_eq!(save.encode().unwrap(), image, "{file}");
            assert_eq!(save.image(), image, "{file}");
            let mut nodes = 0;
            walk::walk(&save.clone().root(), "", &mut |path, node| {
                nodes += 1;
                if let Node::Leaf(leaf) = node {
                    assert_eq!(leaf.size(), leaf.read().len() as u64, "{file} {path}");
                    for span in leaf.spans() {
                        let inside = slice(&image, span).len() == span.length;
                        assert!(inside, "{file}: {path}: {span:?}");
                    }
                }
                if let Node::Dir(dir) = node {
                    for (name, kind) in walk::entries(dir) {
                        let found = dir.get(&name).map(|node| node.kind());
                        assert_eq!(found, Some(kind), "{file}: {path}/{name}");
                        assert_ne!(kind, NodeKind::Link);
                    }
                }
                true
            });
            assert!(nodes > 1, "{file}");
        }
    }
}

/// Bytes that no node shows are lengths and counts, at most two words of 8 bytes one after the other. (A package shows
/// its members and nothing else.)
#[test]
fn no_byte_of_a_file_is_out_of_reach() {
    for file in expectations().into_keys() {
        if file.ends_with(".package") {
            continue;
        }
        let image = fixture(&file);
        let Ok(save) = open(&file, &image, None) else {
            continue;
        };
        let mut shown = vec![false; image.len()];
        walk::walk(&save.clone().root(), "", &mut |path, node| {
            let spans = match node {
                // The whole file, beside what it is made of.
                Node::Leaf(_)
                    if path == "history/data"
                        && super::support::verdict(&Ok(save.clone())) != "raw" =>
                {
                    Vec::new()
                }
                Node::Leaf(leaf) => leaf.spans(),
                Node::Dir(dir) => dir.spans(),
                Node::Link(_) => Vec::new(),
            };
            for span in spans {
                shown[span.offset..span.offset + span.length].fill(true);
            }
            true
        });
        let mut hidden = 0;
        for (at, seen) in shown.iter().chain([&true]).enumerate() {
            match seen {
                false => hidden += 1,
                true => {
                    assert!(
                        hidden <= 16,
                        "{file}: {hidden} bytes before {at} are hidden"
                    );
                    hidden = 0;
                }
            }
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
