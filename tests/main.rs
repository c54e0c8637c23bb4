//! Tests from outside: the walls of the house, the fixtures, the command line, mounts.

mod cli;
mod dust_and_titanic;
mod editors;
mod faults;
mod fixtures;
mod killed;
mod mount;
mod readme;
mod sinking_star;
mod starlancer;
mod support;
mod walls;
