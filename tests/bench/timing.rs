//! Medians of what is measured in turn.

use super::place::Outcome;
use std::time::{Duration, Instant};

pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Something to measure: prepares itself, and says how long the thing itself took.
pub type Candidate<'a> = Box<dyn FnMut() -> Outcome<Duration> + 'a>;

/// Runs all candidates in turn, `rounds` times, and gives the median of each.
pub fn in_turn(rounds: usize, mut candidates: Vec<Candidate>) -> Outcome<Vec<Duration>> {
    let mut times = vec![Vec::new(); candidates.len()];
    for _ in 0..rounds {
        for (candidate, times) in candidates.iter_mut().zip(&mut times) {
            times.push(candidate()?);
        }
    }
    Ok(times.into_iter().map(median).collect())
}

/// How long something takes.
pub fn timed<T>(does: impl FnOnce() -> Outcome<T>) -> Outcome<Duration> {
    let start = Instant::now();
    does()?;
    Ok(start.elapsed())
}

/// How long one of `count` repetitions takes.
pub fn each(count: u32, mut does: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
    let start = Instant::now();
    for _ in 0..count {
        does()?;
    }
    Ok(start.elapsed() / count)
}
