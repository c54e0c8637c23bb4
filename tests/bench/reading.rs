//! Reading one node again and again, and the whole of a save once.

use super::place::{Outcome, Places, about};
use super::table::{Row, Table, shown, times};
use super::timing::{Candidate, each, in_turn, timed};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

pub fn rows(places: &Places, table: &mut Table) -> Outcome<()> {
    one_node(places, table)?;
    let tools: [(&str, f64, &[&str]); 5] = [
        ("find", 2.0, &["find", "."]),
        ("ls -lR", 2.0, &["ls", "-lR"]),
        ("grep -r .", 5.0, &["grep", "-r", "."]),
        ("tar c", 4.0, &["tar", "cf", "-", "."]),
        ("cp -r", 2.0, &["cp", "-r", "."]),
    ];
    tools
        .iter()
        .try_for_each(|(name, goal, words)| whole_tree(places, table, name, *goal, words))
}

fn one_node(places: &Places, table: &mut Table) -> Outcome<()> {
    const REPEATED: u32 = 2000;
    let value = places.value("deg")?;
    let mounted = places.mount(&[])?;
    let peer = match &places.peer {
        Ok(peer) => Some(peer.mount(&places.memory.join("peer"))?),
        Err(_) => None,
    };
    let mut files = vec![mounted.node(&value), places.tree.join(&value)];
    files.extend(peer.iter().map(|peer| peer.at().join(&value)));
    let candidates = files
        .iter()
        .map(|file| -> Candidate { Box::new(|| each(REPEATED, || open_read_close(file))) });
    let medians = in_turn(15, candidates.collect())?;
    table.push(compared(
        "open + read + close of a node, hot",
        8.0,
        &medians,
    ));
    Ok(())
}

fn open_read_close(path: &Path) -> Outcome<()> {
    let mut bytes = [0; 64];
    File::open(path)
        .and_then(|mut file| file.read(&mut bytes))
        .map(drop)
        .map_err(about(path))
}

/// A tool over the whole tree of a mount that is new each time.
fn whole_tree(
    places: &Places,
    table: &mut Table,
    name: &str,
    goal: f64,
    words: &[&str],
) -> Outcome<()> {
    let output = places.memory.join("output");
    let tool = |folder: &Path| {
        let _ = fs::remove_dir_all(&output).or_else(|_| fs::remove_file(&output));
        timed(|| run_tool(words, folder, &output))
    };
    let mut candidates: Vec<Candidate> = vec![
        Box::new(|| tool(places.mount(&[])?.at())),
        Box::new(|| tool(&places.tree)),
    ];
    if let Ok(peer) = &places.peer {
        candidates.push(Box::new(|| {
            tool(peer.mount(&places.memory.join("peer"))?.at())
        }));
    }
    let medians = in_turn(11, candidates)?;
    table.push(compared(
        &format!("`{name}` of a whole save, cold"),
        goal,
        &medians,
    ));
    Ok(())
}

/// Output goes to a file: grep and tar do less when they see /dev/null.
fn run_tool(words: &[&str], folder: &Path, output: &Path) -> Outcome<()> {
    let Some((name, arguments)) = words.split_first() else {
        return Ok(());
    };
    let mut command = Command::new(name);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        // grep tells of binary files here.
        .stderr(Stdio::null());
    match *name {
        "cp" => command.arg(output),
        _ => command.stdout(File::create(output).map_err(about(output))?),
    };
    let status = command.status().map_err(|e| format!("{name}: {e}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{command:?} in {}: {status}", folder.display())),
    }
}

/// A row of savefs, tmpfs and perhaps ffs, in this order.
fn compared(what: &str, goal: f64, medians: &[Duration]) -> Row {
    let at = |index: usize| medians.get(index).copied();
    let savefs = at(0).unwrap_or_default();
    let tmpfs = at(1).unwrap_or_default();
    let against = |other: Duration| format!("{} ({:.2}×)", shown(other), times(savefs, other));
    Row {
        what: what.to_owned(),
        goal: format!("≤ {goal} × tmpfs, below ffs"),
        savefs: shown(savefs),
        baseline: against(tmpfs),
        peer: at(2).map_or_else(String::new, against),
        met: Some(times(savefs, tmpfs) <= goal && at(2).is_none_or(|peer| savefs < peer)),
    }
}
