//! The table that is printed.

use std::fmt;
use std::time::Duration;

/// One thing that is measured.
pub struct Row {
    pub what: String,
    pub goal: String,
    pub savefs: String,
    /// What it is compared with.
    pub baseline: String,
    /// The nearest peer.
    pub peer: String,
    /// None where it cannot be measured.
    pub met: Option<bool>,
}

#[derive(Default)]
pub struct Table(Vec<Row>);

impl Table {
    pub fn push(&mut self, row: Row) {
        eprintln!("{row}");
        self.0.push(row);
    }
    /// A row that cannot be measured, with the reason.
    pub fn skip(&mut self, what: &str, goal: &str, why: &str) {
        self.push(Row {
            what: what.to_owned(),
            goal: goal.to_owned(),
            savefs: why.to_owned(),
            baseline: String::new(),
            peer: String::new(),
            met: None,
        });
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let met = match self.met {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "–",
        };
        let cells = [
            &self.what,
            &self.goal,
            &self.savefs,
            &self.baseline,
            &self.peer,
        ];
        let cells: Vec<&str> = cells.iter().map(|cell| cell.as_str()).collect();
        write!(f, "| {} | {met} |", cells.join(" | "))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "| What | Goal | savefs | baseline | ffs | Met |")?;
        writeln!(f, "|---|---|---|---|---|---|")?;
        self.0.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// A time with three digits that count.
pub fn shown(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        _ if micros < 100.0 => format!("{micros:.1} µs"),
        _ if micros < 1000.0 => format!("{micros:.0} µs"),
        _ if micros < 100_000.0 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.0} ms", micros / 1e3),
    }
}

pub fn times(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}
