//! Random edits one after the other: a check finds nothing afterwards, and what was written is there.

use super::saved;
use crate::formats::testing::Played;
use crate::tree::{Errno, Weight};
use proptest::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Debug)]
enum Step {
    Variable(u8, String),
    Number(u8, i32),
    Retype(u8, &'static str),
    Clone(u8),
    Remove(u8),
    Route(u8, Vec<(i16, i16)>),
    Line(u8),
    End(u8),
    Place(u8, i16),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..12u8, "[ -~]{0,40}").prop_map(|(n, text)| Step::Variable(n, text)),
        2 => (0..12u8, any::<i32>()).prop_map(|(n, value)| Step::Number(n, value)),
        1 => (0..12u8, prop::sample::select(vec!["string", "number", "boolean"])).prop_map(|(n, kind)| Step::Retype(n, kind)),
        2 => (0..6u8).prop_map(Step::Clone),
        2 => (0..6u8).prop_map(Step::Remove),
        2 => (0..16u8, prop::collection::vec((-9000..9000i16, -9000..9000i16), 2..9)).prop_map(|(slot, points)| Step::Route(slot, points)),
        1 => (0..16u8).prop_map(Step::Line),
        3 => (0..16u8).prop_map(Step::End),
        1 => (0..6u8, any::<i16>()).prop_map(|(n, x)| Step::Place(n, x)),
    ];
    prop::collection::vec(step, 1..30)
}

fn apply(save: &Played, step: &Step) -> Result<Played, crate::tree::Refusal> {
    match step {
        Step::Variable(n, text) => save.set(&format!("globals/random{n}"), text),
        Step::Number(n, value) => save.set(&format!("globals/random{n}"), &value.to_string()),
        Step::Retype(n, kind) => save.retype(&format!("globals/random{n}"), kind),
        Step::Clone(n) => save.create(&format!("actors/purs{n}x"), None),
        Step::Remove(n) => save.remove(&format!("actors/purs{n}x")),
        Step::Route(slot, points) => {
            let lines: String = points.iter().map(|(x, y)| format!("{x} {y} 0\n")).collect();
            let ready = save.set(&format!("walks/{slot}/progress"), "0")?;
            let ready = ready.set(
                &format!("walks/{slot}/actor"),
                &format!("purs{}x", slot % 6),
            )?;
            ready.write(&format!("walks/{slot}/route"), lines.as_bytes())
        }
        Step::Line(slot) => {
            let path = |name: &str| format!("walks/{slot}/{name}");
            let ready = save.set(&path("type"), "line")?.set(&path("dist"), "9")?;
            let ready = ready
                .set(&path("progress"), "3")?
                .set(&path("actor"), "purs")?;
            ready.set(&path("active"), "1")
        }
        Step::End(slot) => save.set(&format!("walks/{slot}/active"), "0"),
        Step::Place(n, x) => save.set(&format!("actors/purs{n}x/x"), &x.to_string()),
    }
}

/// What a step that went through should show.
fn remember(step: &Step, model: &mut HashMap<String, String>) {
    match step {
        Step::Variable(n, text) => model.insert(format!("globals/random{n}"), text.clone()),
        Step::Number(n, value) => model.insert(format!("globals/random{n}"), value.to_string()),
        Step::Retype(n, _) => model.remove(&format!("globals/random{n}")),
        Step::Clone(n) => model.insert(format!("actors/purs{n}x/visible"), "0".into()),
        Step::Remove(n) => {
            model.retain(|path, _| !path.starts_with(&format!("actors/purs{n}x/")));
            None
        }
        Step::Route(slot, points) => {
            model.insert(format!("walks/{slot}/active"), "1".into());
            let first = points.first().map(|(x, y)| format!("{x} {y}"));
            model.insert(format!("walks/{slot}/first"), first.unwrap_or_default())
        }
        Step::Line(slot) => {
            model.remove(&format!("walks/{slot}/first"));
            model.insert(format!("walks/{slot}/active"), "1".into())
        }
        Step::End(slot) => {
            model.remove(&format!("walks/{slot}/first"));
            model.insert(format!("walks/{slot}/active"), "0".into())
        }
        Step::Place(n, x) => model.insert(format!("actors/purs{n}x/x"), x.to_string()),
    };
}

/// A number that spells another way, like `007` in a number variable, reads as its value.
fn same(shown: &str, given: &str) -> bool {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let boolean = matches!((shown, given.trim()), ("true", "1") | ("false", "0"));
    shown == given
        || boolean
        || shown == given.trim()
        || (number(shown).is_some() && number(shown) == number(given))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_save_stays_whole(steps in steps(), name in prop::sample::select(vec!["WALKER.ti", "LEFTOVER.ti", "FULL.ti"])) {
        let mut save = saved(name);
        let mut model = HashMap::new();
        for step in &steps {
            match apply(&save, step) {
                Ok(after) => {
                    save = after;
                    remember(step, &mut model);
                }
                Err(refusal) => prop_assert_ne!(refusal.errno, Errno::Damaged, "{:?}: {}", step, refusal),
            }
            let heavy: Vec<String> = save.0.findings().iter().filter(|f| f.weight >= Weight::Warning).map(ToString::to_string).collect();
            prop_assert_eq!(heavy, Vec::<String>::new(), "{:?}", step);
            for (path, value) in &model {
                let shown = match path.strip_suffix("/first") {
                    Some(walk) => {
                        let place = |axis: &str| save.get(&format!("{walk}/waypoints/0/{axis}")).unwrap();
                        format!("{} {}", place("x"), place("y"))
                    }
                    None => save.get(path).unwrap(),
                };
                prop_assert!(same(&shown, value), "{}: {:?}, not {:?}", path, shown, value);
            }
        }
        prop_assert_eq!(save.image().len() % 64, 0);
    }
}
