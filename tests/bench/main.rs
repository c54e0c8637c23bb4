//! Measures what savefs promises to reach and prints it as a table. `scripts/bench.sh` runs it: pinned to one core with
//! everything that it starts, so that no round trip crosses cores.

mod commits;
mod in_memory;
mod later;
mod mounting;
mod peer;
mod place;
mod reading;
mod requests;
mod table;
mod timing;

use place::Places;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(places) = Places::from_environment() else {
        println!("nothing is measured: run scripts/bench.sh");
        return ExitCode::SUCCESS;
    };
    let mut table = table::Table::default();
    let measured = mounting::rows(&places, &mut table)
        .and_then(|()| requests::rows(&places, &mut table))
        .and_then(|()| reading::rows(&places, &mut table))
        .and_then(|()| commits::rows(&places, &mut table))
        .and_then(|()| in_memory::rows(&places, &mut table))
        .and_then(|()| mounting::memory(&places, &mut table))
        .and_then(|()| later::rows(&places, &mut table));
    print!("{table}");
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}
