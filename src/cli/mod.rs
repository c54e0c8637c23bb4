//! The command line: one file a command. All of them work on the same paths, values and rules as a mount.

mod check;
mod convert;
mod explain;
mod formats;
mod get;
mod info;
mod listing;
#[cfg(feature = "mount")]
mod mount;
mod opening;
mod pages;
mod restore;
mod set;

use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Paths are those of the mounted tree: globals/day, actors/purs/owner, lba/inventory/12. Values are written as they are \
shown. Every change is checked first, written in one step, and keeps the old file as FILE.bak.

`savefs formats NAME` prints what a save of that format holds; `savefs man COMMAND | man -l -` shows the manual page of a \
command.

Exit status: 0 fine, 1 failed, 2 wrong usage. SAVEFS_LOG=debug in the environment makes savefs talk.";

/// Look into game saves and change them, as files in a directory.
#[derive(Parser)]
#[command(name = "savefs", version, after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "mount")]
    Mount(mount::Mount),
    #[cfg(feature = "mount")]
    Umount(mount::Umount),
    Info(info::Info),
    Ls(listing::Ls),
    Tree(listing::Tree),
    Get(get::Get),
    Set(set::Set),
    Batch(set::Batch),
    Check(check::Check),
    Explain(explain::Explain),
    Screenshot(get::Screenshot),
    Compress(convert::Compress),
    Decompress(convert::Decompress),
    Restore(restore::Restore),
    Formats(formats::Formats),
    Completions(pages::Completions),
    Man(pages::Man),
}

/// Why a command failed, in one or more lines without the leading `savefs: `.
#[derive(Debug)]
pub struct Failure {
    text: String,
    status: u8,
}

impl Failure {
    fn new(text: impl Into<String>) -> Self {
        Failure {
            text: text.into(),
            status: 1,
        }
    }
    /// The same as a mistake in the call, not in what it is about.
    fn of_usage(mut self) -> Self {
        self.status = 2;
        self
    }
    /// About a file.
    fn on(file: &std::path::Path, text: impl fmt::Display) -> Self {
        Failure::new(format!("{}: {text}", file.display()))
    }
}

/// Exit status of a command that did what it was asked.
type Outcome = Result<u8, Failure>;

/// Runs the program with these arguments, the first being its own name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::new().filter_or("SAVEFS_LOG", "warn"))
        .format_target(false)
        .init();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(feature = "mount")]
    let arguments = mount::as_mount_helper(arguments);
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match run(cli.command) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            for line in failure.text.lines() {
                eprintln!("savefs: {line}");
            }
            ExitCode::from(failure.status)
        }
    }
}

fn run(command: Command) -> Outcome {
    match command {
        #[cfg(feature = "mount")]
        Command::Mount(it) => it.run(),
        #[cfg(feature = "mount")]
        Command::Umount(it) => it.run(),
        Command::Info(it) => it.run(),
        Command::Ls(it) => it.run(),
        Command::Tree(it) => it.run(),
        Command::Get(it) => it.run(),
        Command::Set(it) => it.run(),
        Command::Batch(it) => it.run(),
        Command::Check(it) => it.run(),
        Command::Explain(it) => it.run(),
        Command::Screenshot(it) => it.run(),
        Command::Compress(it) => it.run(),
        Command::Decompress(it) => it.run(),
        Command::Restore(it) => it.run(),
        Command::Formats(it) => it.run(),
        Command::Completions(it) => it.run(&mut Cli::command()),
        Command::Man(it) => it.run(Cli::command()),
    }
}

/// Writes to standard output. A reader that went away (`| head`) is no failure.
fn print(bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}
