//! Tests from outside: the walls of the house, the fixtures, the command line, mounts.

mod cli;
mod comings;
mod dust_and_titanic;
mod editors;
mod faults;
mod fixtures;
mod killed;
mod lba2;
mod mount;
mod packages;
mod random;
mod readme;
mod sentences;
mod sinking_star;
mod starlancer;
mod support;
mod walls;
