//! The fixtures are what their makers make, and the tree of each is what its golden listing says.

use crate::support::{fixture, printed, root, scratch};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every file below a folder, by its path from there.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in std::fs::read_dir(&at).expect("a folder of fixtures") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .expect("below the folder")
                    .to_owned();
                found.insert(name, std::fs::read(&path).expect("a fixture"));
            }
        }
    }
    found
}

/// Whether a file comes from this project's own listing and not from a maker.
fn is_golden(name: &Path) -> bool {
    name.extension().is_some_and(|e| e == "tree")
}

fn made_again(maker: &str, folder: &str) {
    let out = scratch();
    let script = root().join("scripts/fixtures").join(maker);
    let status = Command::new("python3")
        .arg("-B")
        .arg(script)
        .arg(out.path())
        .status()
        .expect("python3 runs");
    assert!(status.success(), "{maker} failed");
    let made = files(out.path());
    let mut kept = files(&fixture(folder));
    kept.retain(|name, _| !is_golden(name));
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&made), names(&kept));
    for (name, bytes) in &made {
        assert_eq!(
            Some(bytes),
            kept.get(name),
            "{folder}/{} is not what {maker} makes",
            name.display()
        );
    }
}

#[test]
fn dreamfactory_fixtures_are_what_their_maker_makes() {
    made_again("dreamfactory.py", "dreamfactory");
}

#[test]
fn lba2_fixtures_are_what_their_maker_makes() {
    made_again("lba2.py", "lba2");
}

#[test]
fn starlancer_fixtures_are_what_their_maker_makes() {
    made_again("starlancer.py", "starlancer");
}

#[test]
fn sinking_star_fixtures_are_what_their_maker_makes() {
    made_again("sinking_star.py", "sinking_star");
}

/// Compares `savefs tree --flat` with the listing beside each save. SAVEFS_GOLDEN=write writes the listings instead;
/// read the difference before committing it.
#[test]
fn golden_listings_hold() {
    let write = std::env::var_os("SAVEFS_GOLDEN").is_some_and(|word| word == "write");
    let mut compared = 0;
    for folder in ["dreamfactory", "lba2", "starlancer", "sinking_star"] {
        for save in files(&fixture(folder))
            .into_keys()
            .filter(|name| is_save(name))
        {
            let save = fixture(folder).join(save);
            let golden = PathBuf::from(format!("{}.tree", save.display()));
            let output = crate::support::savefs(&["tree", "--flat", &save.display().to_string()]);
            let shown = match output.status.success() {
                true => output.stdout,
                false => told(&output.stderr, &save),
            };
            if write {
                std::fs::write(&golden, &shown).expect("the listing is written");
            }
            let expected =
                std::fs::read(&golden).unwrap_or_else(|e| panic!("{}: {e}", golden.display()));
            let same = shown == expected;
            assert!(
                same,
                "{}: the tree is not what {} says:\n{}",
                save.display(),
                golden.display(),
                first_difference(&expected, &shown)
            );
            compared += 1;
        }
    }
    assert!(compared >= 200, "only {compared} listings were compared");
}

/// What was said of a save that was not opened, without the place of the project.
fn told(stderr: &[u8], save: &Path) -> Vec<u8> {
    let name = save.file_name().expect("a name").to_string_lossy();
    String::from_utf8_lossy(stderr)
        .replace(&save.display().to_string(), &name)
        .into_bytes()
}

fn is_save(name: &Path) -> bool {
    let beside = ["values", "tree", "tsv", "palette", "json", "gitattributes"];
    name.extension()
        .is_none_or(|e| !beside.iter().any(|b| e == *b))
        && name.file_name().is_some_and(|n| n != ".gitattributes")
}

fn first_difference(a: &[u8], b: &[u8]) -> String {
    let (a, b) = (
        String::from_utf8_lossy(a).into_owned(),
        String::from_utf8_lossy(b).into_owned(),
    );
    let pairs = a
        .lines()
        .map(Some)
        .chain(std::iter::repeat(None))
        .zip(b.lines().map(Some).chain(std::iter::repeat(None)));
    let limit = a.lines().count().max(b.lines().count());
    let found = pairs.take(limit).find(|(a, b)| a != b);
    found.map_or_else(String::new, |(a, b)| {
        format!("expected {a:?}\nfound    {b:?}")
    })
}

/// Every `path=value` line that a maker wrote beside a save is what the tree shows.
fn values_hold(folder: &str) {
    let mut compared = 0;
    for (name, text) in files(&fixture(folder))
        .into_iter()
        .filter(|(name, _)| name.extension().is_some_and(|e| e == "values"))
    {
        let save = fixture(folder).join(name.with_extension(""));
        let shown = printed(&["tree", "--flat", &save.display().to_string()]);
        let shown: BTreeMap<&str, &str> = shown
            .lines()
            .filter_map(|line| line.split_once('='))
            .collect();
        for line in String::from_utf8(text).expect("UTF-8").lines() {
            let (path, value) = line.split_once('=').expect("path=value");
            let value = value.replace('\\', "\\\\");
            assert_eq!(
                shown.get(path),
                Some(&value.as_str()),
                "{}: {path}",
                save.display()
            );
            compared += 1;
        }
    }
    assert!(compared > 500, "only {compared} values were compared");
}

#[test]
fn dreamfactory_values_are_those_that_the_maker_put_in() {
    values_hold("dreamfactory");
}

#[test]
fn lba2_values_are_those_that_the_maker_put_in() {
    values_hold("lba2");
}
