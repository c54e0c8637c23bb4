//! `commit FILE NEW`: makes the bytes of NEW the content of FILE, by a commit. Exit 1 if that was refused.

use savefs::store::{Options, Store};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [file, new] = arguments.as_slice() else {
        eprintln!("usage: commit FILE NEW");
        return ExitCode::from(2);
    };
    match run(Path::new(file), Path::new(new)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("commit: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(file: &Path, new: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let new = std::fs::read(new)?;
    let (store, _) = Store::open(file, Options::default())?;
    for warning in store.commit(new, |_| Ok(()))?.warnings {
        eprintln!("commit: {warning}");
    }
    Ok(())
}
