//! `savefs completions` and `savefs man`: made from the same declarations as the help texts.

use super::{Failure, Outcome, print};
use clap::{Args, Command};
use clap_complete::Shell;

/// Print a script that completes savefs's commands in a shell
#[derive(Args)]
pub struct Completions {
    shell: Shell,
}

impl Completions {
    pub fn run(self, command: &mut Command) -> Outcome {
        let mut out = Vec::new();
        clap_complete::generate(self.shell, command, "savefs", &mut out);
        print(out)?;
        Ok(0)
    }
}

/// Print the manual page of savefs or of one of its commands, for man(1)
#[derive(Args)]
pub struct Man {
    /// A command, e.g. mount
    name: Option<String>,
}

impl Man {
    pub fn run(self, command: Command) -> Outcome {
        let page = match &self.name {
            None => command,
            Some(name) => command
                .find_subcommand(name)
                .cloned()
                .map(|found| found.name(format!("savefs-{name}").leak() as &str))
                .ok_or_else(|| Failure::new(format!("there is no command {name}")))?,
        };
        let mut out = Vec::new();
        clap_mangen::Man::new(page)
            .render(&mut out)
            .map_err(|error| Failure::new(error.to_string()))?;
        print(out)?;
        Ok(0)
    }
}
