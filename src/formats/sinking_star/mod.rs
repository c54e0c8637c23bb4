//! Order of the Sinking Star: settings, campaigns, undo histories, packages and levels. The numbers of sections in
//! this folder are those of `sinking-star.md`.

mod save;
mod settings;
mod status;
mod status_edit;
mod status_tree;
mod types;

#[cfg(test)]
mod tests;

use save::StarFormat;

pub static SETTINGS: StarFormat<settings::Settings> = StarFormat::new();
pub static STATUS: StarFormat<status::Status> = StarFormat::new();
