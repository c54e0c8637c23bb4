//! Sections 5 and 6: readings of a history, its blobs with and without a schema, and what force lets through.

use super::support::{Opened, fixture, open, path, schema, value, verdict};
use crate::session::{Commit, Edit, Options, Session};
use crate::tree::{Node, NodeKind, Save, walk};
use std::sync::Arc;

fn load(case: &str) -> Opened {
    let name = format!("{case}/intro.history");
    open(&name, &fixture(&name), None)
}

fn bytes(save: &Arc<dyn Save>, path: &str) -> Vec<u8> {
    let node = walk::resolve(&save.clone().root(), path).unwrap();
    node.as_leaf().unwrap().read().into_owned()
}

fn entries(save: &Arc<dyn Save>, path: &str) -> Vec<String> {
    let node = walk::resolve(&save.clone().root(), path).unwrap();
    let entries = walk::entries(node.as_dir().unwrap());
    entries.into_iter().map(|(name, _)| name).collect()
}

const FIRST: &str = "history/mips/0/records/0";

#[test]
fn the_widths_of_moves_and_ocean_changes_are_found_by_trying() {
    for (case, rest, ocean) in [
        ("history/moves_156_ocean_11", 137, Some("3")),
        ("history/moves_156_ocean_10", 137, None),
        ("history/moves_155_ocean_11", 136, Some("3")),
        ("history/moves_155_ocean_10", 136, None),
        ("history/moves_158", 139, Some("3")),
        ("history/moves_164", 145, Some("3")),
        ("history/moves_166", 147, Some("3")),
    ] {
        let save = load(case).unwrap();
        let first = format!("{FIRST}/transactions/0/moves/1/rest.bin");
        assert_eq!(bytes(&save, &first).len(), rest, "{case}");
        assert_eq!(
            value(&save, &format!("{FIRST}/actions/2/new")),
            "2",
            "{case}"
        );
        let old = format!("{FIRST}/actions/2/old");
        let old = walk::resolve(&save.clone().root(), &old).map(|_| value(&save, &old));
        assert_eq!(old.ok().as_deref(), ocean, "{case}");
    }
}

#[test]
fn every_part_of_a_record_is_in_the_tree() {
    let save = load("campaign").unwrap();
    let record = "history/mips/0/records";
    assert_eq!(
        entries(&save, FIRST),
        [
            "first_move",
            "span",
            "hero",
            "flags",
            "unknown_a",
            "unknown_b",
            "time",
            "unknown_f32",
            "position",
            "transactions",
            "lily_groups",
            "actions"
        ]
    );
    assert_eq!(
        entries(&save, &format!("{FIRST}/actions/1")),
        [
            "type",
            "entity_id",
            "type_index",
            "type_name",
            "base_version",
            "type_version",
            "blob.bin",
            "created"
        ]
    );
    assert_eq!(
        value(&save, &format!("{FIRST}/actions/1/type_name")),
        "Freezer"
    );
    assert_eq!(
        value(&save, &format!("{FIRST}/actions/1/base_version")),
        "25"
    );
    let blob = bytes(&save, &format!("{FIRST}/actions/1/blob.bin"));
    assert_eq!(blob[..7], [25, 0, 3, 0, 0, 0x10, 1]);
    assert_eq!(
        entries(&save, &format!("{record}/1/lily_groups")),
        ["0", "1"]
    );
    let group = format!("{record}/1/lily_groups/1");
    assert_eq!(value(&save, &format!("{group}/unknown_u8")), "3");
    assert_eq!(bytes(&save, &format!("{group}/elements_12/0")), [b'c'; 12]);
    assert_eq!(bytes(&save, &format!("{group}/elements_16/1")), [b'e'; 16]);
    let old = format!("{record}/2/transactions/1/moves/0/deprecated");
    assert_eq!(entries(&save, &old), ["0", "1"]);
    assert_eq!(bytes(&save, &format!("{old}/0")), [0xfd; 80]);
    assert_eq!(bytes(&save, "history/data"), save.image());
}

#[test]
fn an_ambiguous_file_shows_what_is_certain_and_the_rest_as_bytes() {
    let save = load("history/ambiguous").unwrap();
    assert_eq!(verdict(&Ok(save.clone())), "ambiguous");
    assert_eq!(entries(&save, "history/mips"), ["0"]);
    assert_eq!(entries(&save, "history/mips/0/records"), [""; 0]);
    let rest = bytes(&save, "history/rest.bin");
    assert!(save.image().ends_with(&rest) && rest.len() > 175 + 53);
    let finding = &save.findings()[0];
    assert!(
        finding.text.contains("ocean changes of 11; "),
        "{}",
        finding.text
    );
    assert!(
        finding.text.contains("ocean changes of 10)"),
        "{}",
        finding.text
    );
}

#[test]
fn a_schema_settles_the_widths() {
    let widths = r#"{ "savefs_schema": "sinking-star-entities", "schema_version": 1, "widths": { "ocean_change": 10 } }"#;
    let name = "history/ambiguous/intro.history";
    let save = open(name, &fixture(name), Some(widths.to_owned()));
    assert_eq!(verdict(&save), "read-only");
    let kinds =
        (0..16).map(|n| value(save.as_ref().unwrap(), &format!("{FIRST}/actions/{n}/type")));
    assert_eq!(kinds.filter(|kind| kind == "change").count(), 1);
}

#[test]
fn versions_that_nobody_described_are_marked() {
    for (case, word) in [
        (
            "history/version_70",
            "what differs in version 70 is not known",
        ),
        (
            "history/version_72",
            "what differs in version 72 is not known",
        ),
        ("history/transaction_2", "of an older version"),
        ("history/move_7", "of an older version"),
        (
            "history/version_71",
            "version 71 is one that the game refuses",
        ),
        ("history/action_5", "action type: expected 1..4, found 5"),
        (
            "history/type_outside",
            "type index: expected a type of the table, found 3",
        ),
        (
            "history/byte_more",
            "expected the end of the file, found 1 more bytes",
        ),
        (
            "history/records_huge",
            "records: expected a count of 0..4, found 4611686018427387904",
        ),
    ] {
        let findings = load(case).unwrap().findings();
        assert!(
            findings[0].text.contains(word),
            "{case}: {}",
            findings[0].text
        );
    }
}

#[test]
fn a_blob_without_its_last_mark_reads_with_a_schema() {
    let name = "history/blob_no_last_mark/intro.history";
    let save = open(name, &fixture(name), Some(schema())).unwrap();
    let action = format!("{FIRST}/actions/0");
    assert_eq!(value(&save, &format!("{action}/start_marker/old")), "start");
    assert_eq!(value(&save, &format!("{action}/start_marker/new")), "");
    let names = entries(&save, &action);
    assert!(!names.contains(&"opaque.bin".to_owned()), "{names:?}");
}

#[test]
fn arrays_structures_and_bytes_of_a_blob() {
    let name = "campaign/intro.history";
    let save = open(name, &fixture(name), Some(schema())).unwrap();
    let guy = format!("{FIRST}/actions/0");
    assert_eq!(entries(&save, &format!("{guy}/steps/old")), [""; 0]);
    assert_eq!(entries(&save, &format!("{guy}/steps/new")), ["0", "1"]);
    assert_eq!(value(&save, &format!("{guy}/steps/new/0")), "4261281277");
    assert_eq!(value(&save, &format!("{guy}/tint/new/3")), "4");
    assert_eq!(entries(&save, &format!("{guy}/trail/new/0")), ["x", "y"]);
    assert_eq!(value(&save, &format!("{guy}/trail/new/0/y")), "-1");
    assert_eq!(value(&save, &format!("{guy}/trail/new/1/x")), "253");
    let ocean = "history/current/actions/0";
    assert_eq!(bytes(&save, &format!("{ocean}/seed/new")), [0xfd; 3]);
    let created = format!("{FIRST}/actions/1");
    assert_eq!(entries(&save, &format!("{created}/frozen")), ["new"]);
}

#[test]
fn what_a_schema_does_not_explain_stays_bytes() {
    let partial = r#"{ "savefs_schema": "sinking-star-entities", "schema_version": 1,
        "base": { "name": "Undoable_Entity_Data", "members": [
            { "name": "position.x", "type": "f32" }, { "name": "type", "type": "f32" } ] } }"#;
    let name = "campaign/intro.history";
    let save = open(name, &fixture(name), Some(partial.to_owned())).unwrap();
    let guy = format!("{FIRST}/actions/0");
    assert_eq!(value(&save, &format!("{guy}/position.x/new")), "4");
    assert_eq!(
        value(&save, &format!("{guy}/type")),
        "change",
        "a member keeps clear of the action's own names"
    );
    assert_eq!(value(&save, &format!("{guy}/type~2/old")), "-0");
    let rest = bytes(&save, &format!("{guy}/opaque.bin"));
    assert_eq!(
        rest[..2],
        [9, 0],
        "from the first unknown field, orientation.w"
    );
    let wrong = partial.replace("f32", "u16");
    let save = open(name, &fixture(name), Some(wrong)).unwrap();
    let blob = entries(&save, &guy);
    assert_eq!(blob.last().unwrap(), "opaque.bin", "a missing mark");
    assert_eq!(bytes(&save, &format!("{guy}/opaque.bin"))[..2], [0, 0]);
}

fn session(force: bool) -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("intro.history");
    std::fs::copy(path("campaign/intro.history"), &copy).unwrap();
    let options = Options {
        commit: Commit::Manual,
        force,
        ..Options::default()
    };
    (folder, Session::open(&copy, options).unwrap())
}

#[test]
fn a_history_is_closed_unless_it_is_forced() {
    let image = fixture("campaign/intro.history");
    let (_folder, closed) = session(false);
    let edit = |session: &Session, path: &str, bytes: &[u8]| {
        let refused = session
            .edit(&[Edit::set(path, bytes)])
            .map_err(|e| e.refusal().to_string());
        (refused, session.now().save.image().to_vec())
    };
    for (path, bytes) in [
        ("history/level_data_version", &b"8"[..]),
        ("history/next_move_index", b"8"),
        ("history/data", b""),
        ("history/current/time", b"1"),
    ] {
        let (refused, now) = edit(&closed, path, bytes);
        assert!(refused.is_err() && now == image, "{path}");
    }
    let (_folder, forced) = session(true);
    assert!(edit(&forced, "history/next_move_index", b"8").0.is_err());
    assert!(
        edit(&forced, "history/data", &image[..50]).0.is_err(),
        "does not decode"
    );
    let (done, now) = edit(&forced, "history/level_data_version", b"8");
    assert_eq!(done, Ok(true));
    assert_eq!((now[4], &now[8..]), (8, &image[8..]));
    let empty = fixture("campaign/overworld.history");
    let (done, now) = edit(&forced, "history/data", &empty);
    assert_eq!((done, now), (Ok(true), empty));
}

#[test]
fn what_was_forced_on_a_history_is_told() {
    let (_folder, forced) = session(true);
    let empty = fixture("campaign/overworld.history");
    for (path, bytes) in [
        ("history/level_data_version", &b"8"[..]),
        ("history/data", &empty),
    ] {
        let told = forced.cautions(&[Edit::set(path, bytes)]);
        assert!(
            told.iter().any(|line| line.contains("forced: ")),
            "{path} {told:?}"
        );
    }
    let node = forced.resolve("history/data").unwrap();
    let refusal = node.as_leaf().unwrap().feasible(b"x").unwrap_err();
    assert!(refusal.forcible);
}

#[test]
fn kinds_of_nodes_are_told_without_reading_them() {
    let save = load("campaign").unwrap();
    let root = save.root();
    let mut dirs = 0;
    walk::walk(&root, "", &mut |_, node| {
        dirs += usize::from(node.kind() == NodeKind::Dir);
        !matches!(node, Node::Link(_))
    });
    assert!(dirs > 50);
}

/// Of this process, in KiB.
fn memory(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap();
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// `cargo test --release --lib a_large_history -- --ignored --nocapture` prints how long a history of 100,000 nodes
/// takes to open and one leaf of it to read, and what walking over all of it leaves in memory.
#[test]
#[ignore = "a measurement"]
fn a_large_history_in_figures() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.history");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = std::process::Command::new("python3")
        .arg(root.join("scripts/fixtures/sinking_star_history.py"))
        .arg(&file)
        .args(["--nodes", "100000"])
        .status()
        .unwrap();
    assert!(made.success());
    let image = std::fs::read(&file).unwrap();
    for with in [None, Some(schema())] {
        let start = std::time::Instant::now();
        let save = open("large.history", &image, with).unwrap();
        let opened = start.elapsed();
        let start = std::time::Instant::now();
        let leaf = "history/mips/1/records/100/actions/1/type_name";
        assert_eq!(value(&save, leaf), "Freezer");
        let read = start.elapsed();
        let before = memory("VmRSS");
        let start = std::time::Instant::now();
        let (mut nodes, mut bytes) = (0u64, 0u64);
        walk::walk(&save.clone().root(), "", &mut |_, node| {
            nodes += 1;
            if let Node::Leaf(leaf) = node {
                bytes += leaf.read().len() as u64;
            }
            true
        });
        println!(
            "{} bytes: opened in {opened:?}, one leaf in {read:?}; {nodes} nodes of {bytes} bytes walked in {:?}, \
             resident {before} KiB before, {} after, {} at most",
            image.len(),
            start.elapsed(),
            memory("VmRSS"),
            memory("VmHWM")
        );
        assert!(nodes > 100_000);
    }
}
