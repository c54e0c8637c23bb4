//! `savefs formats`: the formats and their pages.

use super::{Failure, Outcome, print};
use crate::formats::{REGISTER, by_name};
use clap::Args;

/// List the formats that savefs knows, or print the page of one
#[derive(Args)]
pub struct Formats {
    /// The format whose page is wanted
    name: Option<String>,
}

impl Formats {
    pub fn run(self) -> Outcome {
        let Some(name) = self.name else {
            let names = REGISTER.iter().map(|format| format.name().len());
            let width = names.max().unwrap_or(0);
            for format in REGISTER {
                print(format!("{:<width$}  {}\n", format.name(), format.title()))?;
            }
            return Ok(0);
        };
        let format = by_name(&name).ok_or_else(|| {
            Failure::new(format!(
                "there is no format {name}; `savefs formats` lists them"
            ))
        })?;
        print(format.page())?;
        Ok(0)
    }
}
