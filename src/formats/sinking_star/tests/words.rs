//! What a user is told: legal values in words, and warnings.

use super::support::{edited, fixture, open};
use crate::session::Edit;
use crate::tree::walk;

const STATUS: &str = "campaign/Status.sokoban_status";

fn legal(path: &str) -> String {
    let save = open(STATUS, &fixture(STATUS), None).unwrap();
    let node = walk::resolve(&save.root(), path).unwrap();
    let about = node.as_leaf().unwrap().about();
    about.values.or(about.range).unwrap_or_default()
}

#[test]
fn bits_without_names_are_called_by_their_numbers() {
    assert_eq!(legal("status/achievements"), "none or bit<n> joined by ,");
}

#[test]
fn every_namespace_that_is_taken_is_named_as_legal() {
    assert_eq!(
        legal("status/current_area_pin"),
        "#namespace-serial, 0..4095 and 0..1048575, or the whole as a number"
    );
}

#[test]
fn removing_the_level_that_the_player_is_in_is_told() {
    let gone = [Edit::Remove {
        path: "status/levels/intro".to_owned(),
    }];
    let (_, said) = edited(STATUS, &fixture(STATUS), &gone).unwrap();
    assert!(said.contains("current_level names this level"), "{said}");
    assert!(!said.contains("menu_level"), "{said}");
}
