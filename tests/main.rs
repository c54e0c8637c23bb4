//! Tests from outside: the walls of the house, the fixtures, the command line, mounts.

mod dust_and_titanic;
mod faults;
mod fixtures;
mod killed;
mod lba2;
mod mount;
mod readme;
mod support;
mod walls;
