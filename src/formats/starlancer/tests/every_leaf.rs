//! Every writable leaf at the ends of its range and beyond.

use super::{Desk, bytes};
use crate::session::Edit;
use crate::tree::{Access, Span, walk};

struct Writable {
    path: String,
    spans: Vec<Span>,
    /// Legal and, as the save is, allowed or forbidden by a rule over several values.
    legal: Vec<String>,
    illegal: Vec<String>,
}

fn writable(desk: &Desk) -> Vec<Writable> {
    let mut all = Vec::new();
    walk::leaves(&desk.session.now().root(), "", &mut |path, leaf| {
        let is_text = leaf.about().type_name == "string";
        if leaf.access() == Access::ReadWrite && !leaf.is_binary() && !is_text {
            let (legal, illegal) = values(leaf.about().legal());
            all.push(Writable {
                path: path.to_owned(),
                spans: leaf.spans(),
                legal,
                illegal,
            });
        }
    });
    all
}

/// The first and the last legal value of every range or of a list of names, one between, and the ones beside a range.
fn values(legal: &str) -> (Vec<String>, Vec<String>) {
    if legal.contains("..") {
        let (mut inside, mut beside) = (Vec::new(), Vec::new());
        for range in legal.split(", ") {
            let (low, high) = range.split_once("..").expect("a range");
            let (low, high): (i64, i64) = (low.parse().expect("low"), high.parse().expect("high"));
            let between = low + (high - low) / 3;
            inside.extend([low, high, between].map(|number| number.to_string()));
            beside.extend([low - 1, high + 1].map(|number| number.to_string()));
        }
        return (inside, beside);
    }
    let names: Vec<&str> = legal.split(", ").collect();
    let picked = [names[0], names[names.len() - 1], names[names.len() / 2]];
    (
        picked.map(str::to_owned).to_vec(),
        vec!["no_such_name".to_owned()],
    )
}

/// Writes values and gives how many were taken and how many a rule over several values forbade.
fn write_all(desk: &Desk, leaf: &Writable) -> (usize, usize) {
    let whole = desk.current();
    let (mut taken, mut forbidden) = (0, 0);
    for value in &leaf.legal {
        let before = desk.current();
        let path = &leaf.path;
        match desk.session.edit(&[Edit::set(path, value.as_str())]) {
            Ok(changes) => {
                let after = desk.current();
                assert_eq!(changes, before != after, "{path}={value}");
                let node = desk.session.resolve(path).expect(path);
                let again = desk.session.edit(&[Edit::set(path, desk.get(path))]);
                assert_eq!(again.ok(), Some(false), "{path}={value} reads back");
                assert_eq!(node.as_leaf().expect(path).spans(), leaf.spans);
                let inside = |at: usize| {
                    leaf.spans
                        .iter()
                        .any(|s| (s.offset..s.offset + s.length).contains(&at))
                };
                let pairs = whole.iter().zip(&after).enumerate();
                let mut differ = pairs.filter(|(_, (a, b))| a != b);
                assert!(differ.all(|(at, _)| inside(at)), "{path}={value}");
                taken += 1;
            }
            Err(error) => {
                let refusal = error.refusal();
                assert!(refusal.forcible && refusal.why.ends_with(')'), "{refusal}");
                assert_eq!(desk.current(), before);
                forbidden += 1;
            }
        }
    }
    let before = desk.current();
    for value in &leaf.illegal {
        let refused = desk.session.edit(&[Edit::set(&leaf.path, value.as_str())]);
        assert!(refused.is_err(), "{}={value}", leaf.path);
        assert_eq!(desk.current(), before);
    }
    (taken, forbidden)
}

#[test]
fn what_is_legal_is_taken_and_changes_its_own_bytes_and_what_is_not_changes_nothing() {
    for (name, leaves, forbidden) in [
        ("ACEGAME01.IFF", 185, 3),
        ("awkward/permuted/ACEGAME01.IFF", 185, 3),
        ("awkward/miss_half_kills/ACEGAME01.IFF", 81, 1),
    ] {
        let all = writable(&Desk::of(name));
        assert_eq!(all.len(), leaves, "{name}");
        let mut refused = 0;
        for leaf in &all {
            let desk = Desk::with("ACEGAME01.IFF", &bytes(name), &[], false);
            refused += write_all(&desk, leaf).1;
        }
        assert_eq!(refused, forbidden, "{name}");
    }
}
