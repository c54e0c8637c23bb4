//! Random writes, legal or not: each is refused and changes nothing, or gives a save that opens again the same.

use super::*;
use crate::tree::{Access, walk};
use proptest::prelude::*;
use std::sync::OnceLock;

/// The writable leaves of a save.
fn writable(name: &str) -> (Played, Vec<String>) {
    let save = opened(name);
    let mut paths = Vec::new();
    walk::leaves(&Arc::clone(&save.0).root(), "", &mut |path, leaf| {
        if leaf.access() == Access::ReadWrite && !path.ends_with(".png") {
            paths.push(path.to_owned());
        }
    });
    (save, paths)
}

fn saves() -> &'static [(Played, Vec<String>)] {
    static SAVES: OnceLock<Vec<(Played, Vec<String>)>> = OnceLock::new();
    SAVES.get_or_init(|| {
        ["PLAIN32U", "MINIMAL", "PLAIN64U", "TRAILRAW"]
            .map(writable)
            .into()
    })
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (-3i64..300).prop_map(|n| n.to_string()),
        2 => any::<i32>().prop_map(|n| n.to_string()),
        1 => any::<i64>().prop_map(|n| format!("{n:#x}")),
        1 => prop::sample::select(vec![
            "true", "none", "car", "horn", "taken", "shown", "tunic", "empty", "dead", "normal", "", " 7 ", "-",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,120}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_writes_are_refused_or_give_a_save(
        which in 0usize..4,
        edits in prop::collection::vec((any::<prop::sample::Index>(), value()), 1..8),
    ) {
        let (start, paths) = &saves()[which];
        let mut save = start.clone();
        for (index, value) in &edits {
            let path = &paths[index.index(paths.len())];
            let Ok(after) = save.set(path, value) else { continue };
            let shown = get(&after, path);
            let again = after.set(path, &shown).unwrap();
            prop_assert_eq!(again.image(), after.image(), "{}={}", path, shown);
            let reopened = open(&file_of(&after));
            prop_assert_eq!(reopened.image(), after.image(), "{}={}", path, value);
            save = after;
        }
    }

    #[test]
    fn what_is_taken_whole_was_feasible_from_its_first_byte(
        index in any::<prop::sample::Index>(),
        value in value(),
    ) {
        let (save, paths) = &saves()[0];
        let path = &paths[index.index(paths.len())];
        let node = save.node(path).unwrap();
        let leaf = node.as_leaf().unwrap();
        let text = format!("{value}\n").into_bytes();
        let mut draft = crate::tree::Draft::new(save.image().to_vec(), false);
        if leaf.write(&text, &mut draft).is_ok() {
            for length in 0..=text.len() {
                prop_assert!(leaf.feasible(&text[..length]).is_ok(), "{} {:?} cut to {}", path, value, length);
            }
        }
    }
}
