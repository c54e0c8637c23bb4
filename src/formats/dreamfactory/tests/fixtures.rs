//! Every value that the makers of the fixtures put in is shown.

use super::{fixture, folder, saved};
use crate::tree::{Access, Weight, walk};
use std::sync::Arc;

const ALL: [&str; 9] = [
    "START.RTD",
    "DOG.RTD",
    "HELP.RTD",
    "GOTBONE.RTD",
    "AFTERDOG.RTD",
    "QUIT.RTD",
    "FULL.ti",
    "LEFTOVER.ti",
    "WALKER.ti",
];

#[test]
fn every_value_of_every_fixture_is_shown() {
    for name in ALL {
        let save = saved(name);
        let values = std::fs::read_to_string(folder().join(format!("{name}.values"))).unwrap();
        let mut seen = 0;
        let mut wrong = Vec::new();
        for line in values.lines() {
            let (path, expected) = line.split_once('=').unwrap();
            seen += 1;
            match save.get(path) {
                Ok(value) if value == expected => {}
                Ok(value) => wrong.push(format!("{path}: {value:?}, not {expected:?}")),
                Err(refusal) => wrong.push(format!("{path}: {refusal}")),
            }
        }
        assert!(seen > 500, "{name}: {seen} values");
        assert_eq!(wrong, Vec::<String>::new(), "{name}");
        let palette = std::fs::read_to_string(folder().join(format!("{name}.palette"))).unwrap();
        assert_eq!(save.get("palette").unwrap() + "\n", palette, "{name}");
    }
}

#[test]
fn fixtures_have_no_damage_and_no_warning() {
    for name in ALL {
        let save = saved(name);
        let heavy: Vec<String> = save
            .0
            .findings()
            .iter()
            .filter(|finding| finding.weight >= Weight::Warning)
            .map(ToString::to_string)
            .collect();
        assert_eq!(heavy, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn writing_what_a_leaf_shows_changes_nothing() {
    for name in ALL {
        let save = saved(name);
        let mut written = 0;
        walk::leaves(&Arc::clone(&save.0).root(), "", &mut |path, leaf| {
            if leaf.access() == Access::ReadOnly {
                return;
            }
            let value = leaf.read().into_owned();
            leaf.feasible(&value)
                .unwrap_or_else(|refusal| panic!("{name} {path}: {refusal}"));
            let mut draft = crate::tree::Draft::new(save.image().to_vec(), false);
            leaf.write(&value, &mut draft)
                .unwrap_or_else(|refusal| panic!("{name} {path}: {refusal}"));
            assert!(draft.is_clean(), "{name} {path}");
            written += 1;
        });
        assert!(written > 1000, "{name}: {written}");
    }
}

#[test]
fn encoding_is_the_file() {
    for name in ALL {
        assert_eq!(saved(name).0.encode().unwrap(), fixture(name), "{name}");
    }
}

#[test]
fn every_leaf_takes_its_legal_extremes_or_says_why_not() {
    for name in ["WALKER.ti", "AFTERDOG.RTD"] {
        let save = saved(name);
        let mut ranges = Vec::new();
        walk::leaves(&Arc::clone(&save.0).root(), "", &mut |path, leaf| {
            let about = leaf.about();
            let range = about.range.unwrap_or_default();
            let ends = range.split_once("..").and_then(|(low, high)| {
                Some((low.parse::<i64>().ok()?, high.parse::<i64>().ok()?))
            });
            if let Some((low, high)) = ends
                .filter(|_| !path.starts_with("containers") && leaf.access() == Access::ReadWrite)
            {
                ranges.push((path.to_owned(), low, high));
            }
        });
        assert!(ranges.len() > 450, "{name}: {}", ranges.len());
        let mut taken = 0;
        for (path, low, high) in ranges.iter().step_by(3) {
            for (value, legal) in [
                (low, true),
                (high, true),
                (&(low - 1), false),
                (&(high + 1), false),
            ] {
                match save.set(path, &value.to_string()) {
                    Ok(after) => {
                        assert!(legal, "{name} {path}={value}");
                        assert_eq!(after.get(path).unwrap(), value.to_string(), "{name} {path}");
                        taken += 1;
                    }
                    Err(refusal) => {
                        assert_ne!(
                            refusal.errno,
                            crate::tree::Errno::Damaged,
                            "{name} {path}={value}: {refusal}"
                        );
                        assert!(!refusal.why.is_empty());
                    }
                }
            }
        }
        assert!(taken > 250, "{name}: {taken} of {}", ranges.len());
    }
}
