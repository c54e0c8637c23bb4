//! Order of the Sinking Star: settings, campaigns, undo histories, packages and levels. The numbers of sections in
//! this folder are those of `sinking-star.md`.

mod blob;
mod history;
mod history_tree;
mod level;
mod package;
mod save;
mod schema;
mod schema_file;
mod settings;
mod status;
mod status_edit;
mod status_tree;
mod type_table;
mod types;
mod undo;

#[cfg(test)]
mod tests;

use save::StarFormat;

pub static SETTINGS: StarFormat<settings::Settings> = StarFormat::new();
pub static STATUS: StarFormat<status::Status> = StarFormat::new();
pub static HISTORY: StarFormat<history::History> = StarFormat::new();
pub static PACKAGE: StarFormat<package::Package> = StarFormat::new();
pub static LEVEL: StarFormat<level::Level> = StarFormat::new();
