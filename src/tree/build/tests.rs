//! Directories over a save of a few bytes.

use super::*;
use crate::record;
use crate::tree::record::plain;
use crate::tree::{Fault, Finding, walk};
use std::any::Any;

struct Bytes(Vec<u8>);

impl Save for Bytes {
    fn image(&self) -> &[u8] {
        &self.0
    }
    fn root(self: Arc<Self>) -> Node {
        Derived::node("", "string", "", Vec::new())
    }
    fn reopen(&self, image: Vec<u8>) -> Result<Arc<dyn Save>, Fault> {
        Ok(Arc::new(Bytes(image)))
    }
    fn encode(&self) -> Result<Vec<u8>, Fault> {
        Ok(self.0.clone())
    }
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

record! {
    /// Four fields.
    Four [6] {
        /// first
        a: u8 = edit;
        /// second
        b: u16 = edit;
        /// third
        c: u8 = junk;
        /// fourth
        d: u16 = edit;
    }
}

fn names(node: &Node) -> Vec<String> {
    let entries = walk::entries(node.as_dir().unwrap());
    entries.into_iter().map(|(name, _)| name).collect()
}

fn text(node: &Node, path: &str) -> Option<Vec<u8>> {
    let leaf = walk::resolve(node, path).ok()?;
    Some(leaf.as_leaf().ok()?.read().into_owned())
}

const MORE: &[Entry<(Arc<Bytes>, Rec)>] = &[
    ("after", |_| {
        Some(Derived::node("z", "string", "", Vec::new()))
    }),
    ("b", |_| {
        Some(Derived::node("instead", "string", "", Vec::new()))
    }),
    ("d", |_| None),
];

#[test]
fn an_entry_stands_in_the_place_of_the_field_of_its_name() {
    let save = Arc::new(Bytes(vec![1, 2, 0, 3, 4, 0]));
    let rec = Rec::new(Four::SHAPE, 0, 0);
    let dir = RecordDir::with(&save, rec, View::Everything, plain, MORE);
    assert_eq!(names(&dir), ["a", "b", "c", "after"]);
    assert_eq!(text(&dir, "b").as_deref(), Some(&b"instead\n"[..]));
    assert_eq!(text(&dir, "d"), None);
}

#[test]
fn a_record_that_is_cut_has_its_whole_fields_only() {
    let save = Arc::new(Bytes(vec![1, 2, 0, 3, 4]));
    for (room, fields) in [
        (0, &[][..]),
        (1, &["a"]),
        (2, &["a"]),
        (5, &["a", "b", "c"]),
    ] {
        let rec = Rec::new(Four::SHAPE, 0, 0).cut(room);
        let dir = RecordDir::node(&save, rec, View::Everything, plain);
        assert_eq!(names(&dir), fields, "{room}");
        assert_eq!(rec.size(), room);
        assert_eq!(text(&dir, "d"), None);
    }
}

#[test]
fn joined_directories_are_one_in_order() {
    let save = Arc::new(Bytes(vec![1, 2, 0, 3, 4, 0]));
    let part = |at, view| RecordDir::node(&save, Rec::new(Four::SHAPE, at, 0).cut(2), view, plain);
    let leaf = Derived::node("", "string", "", Vec::new());
    let more = Branch::node(
        &(),
        "",
        &[("x", |()| Some(Derived::node(7, "u8", "", Vec::new())))],
    );
    let dir = Joined::at(
        Some(Span::new(0, 2)),
        "both",
        [part(0, View::Everything), leaf, more],
    );
    assert_eq!(names(&dir), ["a", "x"]);
    assert_eq!(text(&dir, "a").as_deref(), Some(&b"1\n"[..]));
    assert_eq!(text(&dir, "x").as_deref(), Some(&b"7\n"[..]));
    assert_eq!(dir.as_dir().unwrap().spans(), [Span::new(0, 2)]);
}

#[test]
fn long_lists_answer_to_their_names() {
    let names_of = ["b", "a", "c"].map(str::to_owned).to_vec();
    let naming = Naming::Indexed(Arc::new(NameIndex::new(names_of)));
    assert_eq!(naming.index("a"), Some(1));
    assert_eq!(naming.index("d"), None);
    let list = Listing::values(&(), "", naming, |(), index| {
        Some(Derived::node(index, "u8", "", Vec::new()))
    });
    assert_eq!(names(&list), ["b", "a", "c"]);
    assert_eq!(text(&list, "c").as_deref(), Some(&b"2\n"[..]));
}
