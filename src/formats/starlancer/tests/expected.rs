//! Every fixture against the table that its maker wrote.

use super::{Desk, bytes, fixture};
use crate::formats::{self, Options};
use std::collections::BTreeMap;
use std::path::Path;

type Rows = Vec<(String, String)>;

fn table() -> BTreeMap<String, Rows> {
    let text = std::fs::read_to_string(fixture("expect.tsv")).expect("the table");
    let mut table: BTreeMap<String, Rows> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split('\t').map(str::to_owned);
        let mut next = || columns.next().unwrap_or_default();
        let (file, key, value) = (next(), next(), next());
        table.entry(file).or_default().push((key, value));
    }
    table
}

fn check(desk: &Desk, key: &str, wanted: &str) -> Result<(), String> {
    let seen = match key {
        "state" => desk.state(),
        "present" | "absent" if desk.has(wanted) == (key == "present") => return Ok(()),
        "rename" => {
            let longer = format!("{}!", "x".repeat(desk.get_name().len()));
            let renamed = desk.try_all(&[("campaign/name", &longer)]);
            let renamed = if longer.len() > 47 {
                desk.try_all(&[("campaign/name", "x")])
            } else {
                renamed
            };
            if renamed.is_ok() { "yes" } else { "no" }.to_owned()
        }
        path if desk.has(path) => desk.get(path),
        _ => "(not as said)".to_owned(),
    };
    if wanted.split('|').any(|choice| choice == seen) || seen == wanted {
        return Ok(());
    }
    Err(format!("{key}: wanted {wanted}, found {seen}"))
}

impl Desk {
    fn get_name(&self) -> String {
        if self.has("campaign/name") {
            self.get("campaign/name")
        } else {
            String::new()
        }
    }
}

#[test]
fn every_fixture_is_what_its_maker_says() {
    let table = table();
    assert_eq!(table.len(), 78);
    let (mut rows, mut wrong) = (0, Vec::new());
    for (file, expected) in &table {
        rows += expected.len();
        if expected.contains(&("state".into(), "not-a-save".into())) {
            let opened = formats::open(Path::new(file), &bytes(file), &Options::default());
            assert!(opened.is_err(), "{file} opens");
            continue;
        }
        let desk = Desk::of(file);
        assert_eq!(desk.current(), bytes(file), "{file} does not come back");
        for (key, value) in expected {
            if let Err(text) = check(&desk, key, value) {
                wrong.push(format!("{file}: {text}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(rows, 2699);
}
