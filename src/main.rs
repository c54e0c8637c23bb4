//! Parse, run, exit code.

fn main() -> std::process::ExitCode {
    savefs::cli::main(std::env::args_os())
}
