//! How long a mount takes to be there, and how much memory it takes.

use super::place::{Outcome, Places, about, files, run};
use super::table::{Row, Table, shown, times};
use super::timing::{Candidate, in_turn, timed};
use std::fs;
use std::process::Command;
use std::time::Duration;

const ROUNDS: usize = 21;
const LONGEST: Duration = Duration::from_millis(10);

pub fn rows(places: &Places, table: &mut Table) -> Outcome<()> {
    let mut candidates: Vec<Candidate> = vec![Box::new(|| {
        let mut mounted = None;
        let time = timed(|| {
            mounted = Some(places.mount(&[])?);
            Ok(())
        })?;
        drop(mounted);
        Ok(time)
    })];
    if let Ok(peer) = &places.peer {
        let at = places.memory.join("peer");
        candidates.push(Box::new(move || {
            let mut mounted = None;
            let time = timed(|| {
                mounted = Some(peer.mount(&at)?);
                Ok(())
            })?;
            drop(mounted);
            Ok(time)
        }));
    }
    let medians = in_turn(ROUNDS, candidates)?;
    let Some((savefs, peer)) = medians.split_first() else {
        return Ok(());
    };
    let below_peer = peer.first().is_none_or(|peer| savefs.mul_f64(2.0) <= *peer);
    let size = fs::metadata(&places.save)
        .map_err(about(&places.save))?
        .len();
    table.push(Row {
        what: format!(
            "`savefs mount` of a save of {} KB until the prompt returns",
            size / 1000
        ),
        goal: "≤ 10 ms, ≤ ½ of ffs".to_owned(),
        savefs: shown(*savefs),
        baseline: String::new(),
        peer: peer.first().map_or_else(String::new, |peer| {
            format!("{} ({:.2}×)", shown(*peer), times(*savefs, *peer))
        }),
        met: Some(*savefs <= LONGEST && below_peer),
    });
    Ok(())
}

/// Resident memory after everything has been listed and read once.
pub fn memory(places: &Places, table: &mut Table) -> Outcome<()> {
    let mounted = places.mount(&[])?;
    let fresh = resident(&mounted.said("pid")?)?;
    run(Command::new("ls").arg("-lR").arg(mounted.at()))?;
    for file in files(mounted.at())? {
        fs::read(&file).map_err(about(&file))?;
    }
    let used = resident(&mounted.said("pid")?)?;
    let size = fs::metadata(&places.save)
        .map_err(about(&places.save))?
        .len();
    let bound = (8 << 20) + 8 * size;
    table.push(Row {
        what: "resident memory, one save mounted and read in full".to_owned(),
        goal: "≤ 8 MB + 8 × the file".to_owned(),
        savefs: format!("{} KB (fresh: {} KB)", used >> 10, fresh >> 10),
        baseline: format!("{} KB", bound >> 10),
        peer: String::new(),
        met: Some(used <= bound),
    });
    Ok(())
}

/// Bytes of a process in memory.
fn resident(pid: &str) -> Outcome<u64> {
    let path = format!("/proc/{pid}/status");
    let status = fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes
        .map(|k| k << 10)
        .ok_or(format!("{path}: no VmRSS"))
}
