//! What needs a folder mount or a format of histories. Measured as soon as this build has them.

use super::place::{Mounted, Outcome, Places, about, copy_file};
use super::table::{Row, Table, shown};
use super::timing::timed;
use std::fs;
use std::path::Path;
use std::time::Duration;

pub fn rows(places: &Places, table: &mut Table) -> Outcome<()> {
    folder(places, table)?;
    history(table);
    Ok(())
}

fn folder(places: &Places, table: &mut Table) -> Outcome<()> {
    const WHAT: &str = "folder of 10,000 saves: mount, then one `cat`";
    const GOAL: Duration = Duration::from_secs(1);
    let saves = places.memory.join("saves");
    fs::create_dir_all(&saves).map_err(about(&saves))?;
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lba2/ONEOBJ32.LBA");
    let save = |n: u32| saves.join(format!("{n}.lba"));
    copy_file(&fixture, &save(0))?;
    let at = places.disk.join("mnt");
    if Mounted::new(&saves, &at, &[]).is_err() {
        table.skip(WHAT, "≤ 1 s", "folders cannot be mounted yet");
        return Ok(());
    }
    (1..10_000).try_for_each(|n| copy_file(&fixture, &save(n)))?;
    let mut mounted = None;
    let time = timed(|| {
        let mount = mounted.insert(Mounted::new(&saves, &at, &[])?);
        let node = mount.node("5000.lba/lba/chapter");
        fs::read(&node).map(drop).map_err(about(&node))
    })?;
    table.push(Row {
        what: WHAT.to_owned(),
        goal: "≤ 1 s".to_owned(),
        savefs: shown(time),
        baseline: String::new(),
        peer: String::new(),
        met: Some(time <= GOAL),
    });
    Ok(())
}

fn history(table: &mut Table) {
    const WHAT: &str = "history of 100,000 nodes: mount, then one `cat`; `find`";
    let registered = savefs::formats::by_name("sinking_star").is_some();
    let why = match registered {
        false => "histories are not read yet",
        true => "not measured yet",
    };
    table.skip(WHAT, "≤ 50 ms; ≤ 3 × tmpfs", why);
}
