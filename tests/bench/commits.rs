//! Writing: one value to the disk, and a hundred at once.

use super::place::{Mounted, Outcome, Places, about, copy_file, run};
use super::table::{Row, Table, shown, times};
use super::timing::{Candidate, in_turn, timed};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn rows(places: &Places, table: &mut Table) -> Outcome<()> {
    one_value(places, table)?;
    hundred_values(places, table)
}

fn one_value(places: &Places, table: &mut Table) -> Outcome<()> {
    const GOAL: f64 = 1.3;
    let mounted = places.mount(&[])?;
    let node = mounted.node(places.value("deg")?);
    // In a folder of its own: the mount watches that of its save.
    let plain = places.disk.join("plain/file");
    fs::create_dir_all(places.disk.join("plain")).map_err(about(&plain))?;
    let bytes = fs::read(&places.save).map_err(about(&places.save))?;
    // The first commit of a mount keeps a backup, which is not what is measured here.
    fs::write(&node, "99\n").map_err(about(&node))?;
    let mut value = 0;
    let candidates: Vec<Candidate> = vec![
        Box::new(|| {
            value = (value + 1) % 100;
            let text = format!("{value}\n");
            timed(|| fs::write(&node, &text).map_err(about(&node)))
        }),
        Box::new(|| timed(|| replace(&plain, &bytes))),
    ];
    let medians = in_turn(201, candidates)?;
    let [savefs, plain] = medians.as_slice() else {
        return Ok(());
    };
    let ratio = times(*savefs, *plain);
    table.push(Row {
        what: "`echo v > node`, commit with both fsyncs included".to_owned(),
        goal: format!("≤ {GOAL} × write + fsync + rename + fsync"),
        savefs: shown(*savefs),
        baseline: format!("{} ({ratio:.2}×)", shown(*plain)),
        peer: String::new(),
        met: Some(ratio <= GOAL),
    });
    Ok(())
}

/// What any program does that replaces a file safely.
fn replace(path: &Path, bytes: &[u8]) -> Outcome<()> {
    let temporary = path.with_extension("new");
    let folder = path.parent().unwrap_or(path);
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        File::open(folder)?.sync_all()
    };
    write().map_err(about(path))
}

/// A hundred variables of a save that has them are copied in, then committed.
fn hundred_values(places: &Places, table: &mut Table) -> Outcome<()> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/lba2/PLAIN32U.LBA");
    let save = places.disk.join("hundred.lba");
    copy_file(&fixture, &save)?;
    let mounted = Mounted::new(&save, &places.disk.join("mnt"), &["--commit", "manual"])?;
    let folder = mounted.node("lba/vars");
    let fields: Vec<String> = (100..200).map(|n| n.to_string()).collect();
    let changed = places.memory.join("vars");
    fs::create_dir_all(&changed).map_err(about(&changed))?;
    for field in &fields {
        fs::write(changed.join(field), "77\n").map_err(about(&changed))?;
    }
    let time = timed(|| {
        run(Command::new("cp")
            .args(["-r", "."])
            .arg(&folder)
            .current_dir(&changed))?;
        let control = mounted.node(".savefs/control");
        fs::write(&control, "commit\n").map_err(about(&control))
    })?;
    let versions = mounted.node(".savefs/versions");
    let commits = fs::read_dir(&versions).map_err(about(&versions))?.count() - 1;
    let is_changed = |path: PathBuf| fs::read_to_string(path).is_ok_and(|text| text == "77\n");
    let arrived = fields.iter().all(|field| is_changed(folder.join(field)));
    let there = if arrived {
        ""
    } else {
        ", not all of them arrived"
    };
    table.push(Row {
        what: "`cp -r` of a hundred fields into a mount with `--commit manual`".to_owned(),
        goal: "one commit".to_owned(),
        savefs: format!("{commits} commit{there} ({})", shown(time)),
        baseline: String::new(),
        peer: String::new(),
        met: Some(commits == 1 && arrived),
    });
    Ok(())
}
