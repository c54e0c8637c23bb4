//! How many requests the kernel sends: exact, from the daemon's own counter.

use super::place::{Mounted, Outcome, Places, run};
use super::table::{Row, Table};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// A file is released after its close has returned.
const RELEASE: Duration = Duration::from_millis(30);

type Counts = BTreeMap<String, u64>;

pub fn rows(places: &Places, table: &mut Table) -> Outcome<()> {
    let mounted = places.mount(&[])?;
    let deg = mounted.node(places.value("deg")?);
    let cat = || run(Command::new("cat").arg(&deg));
    cat()?;
    cat()?;
    row(
        &mounted,
        table,
        "`cat node`, from the third time on",
        2,
        &cat,
    )?;
    for (shell, goal) in [("dash", 5), ("bash", 7)] {
        let what = format!("`echo v > node` from {shell}");
        if Command::new(shell).arg("-c").arg(":").status().is_err() {
            let why = format!("there is no {shell}");
            table.skip(&what, &goal.to_string(), &why);
            continue;
        }
        // Three different values, so that each is an edit: the first two let the kernel learn what it caches.
        for value in [11, 12] {
            echo(shell, value, &deg)?;
        }
        row(&mounted, table, &what, goal, &|| echo(shell, 13, &deg))?;
    }
    Ok(())
}

fn echo(shell: &str, value: u8, node: &Path) -> Outcome<()> {
    let script = format!("echo {value} > '{}'", node.display());
    run(Command::new(shell).arg("-c").arg(script))
}

fn row(
    mounted: &Mounted,
    table: &mut Table,
    what: &str,
    goal: u64,
    does: &dyn Fn() -> Outcome<()>,
) -> Outcome<()> {
    thread::sleep(RELEASE);
    let before = counts(mounted)?;
    does()?;
    thread::sleep(RELEASE);
    let mut kinds = Vec::new();
    let mut total = 0;
    for (kind, after) in counts(mounted)? {
        let mut more = after - before.get(&kind).copied().unwrap_or(0);
        if kind == "getxattr" {
            // The asking for the counter itself.
            more = more.saturating_sub(1);
        }
        total += more;
        match more {
            0 => {}
            1 => kinds.push(kind),
            _ => kinds.push(format!("{more} {kind}")),
        }
    }
    table.push(Row {
        what: format!("requests of {what}"),
        goal: goal.to_string(),
        savefs: format!("{total} ({})", kinds.join(", ")),
        baseline: String::new(),
        peer: String::new(),
        met: Some(total <= goal),
    });
    Ok(())
}

/// `17 lookup=3 open=14`, by kind.
fn counts(mounted: &Mounted) -> Outcome<Counts> {
    let said = mounted.said("requests")?;
    let pair = |word: &str| {
        let (kind, count) = word.split_once('=')?;
        Some((kind.to_owned(), count.parse().ok()?))
    };
    Ok(said.split_whitespace().filter_map(pair).collect())
}
