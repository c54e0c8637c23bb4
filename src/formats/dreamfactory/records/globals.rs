//! The script variables. dreamfactory.md 10.1.

use super::{Pstr16, VARIABLE_TYPE};
use crate::record;

record! {
    /// Counts of the variable list and of the string pool. dreamfactory.md 10.1.
    pub GlobalsHeader [20] {
        /// variables
        count: u16 = derived @ 0;
        /// elements there is room for
        capacity: u16 = read @ 2;
        /// bytes of the pool that no variable uses any more
        dead: u32 = derived @ 4;
        /// next free byte of the pool
        mark: u32 = derived @ 8;
        /// bytes of the pool
        pool_size: u32 = read @ 12;
        /// rebuilt by the loader
        pool: u32 = ptr @ 16;
    }
    /// An element of the variable list. dreamfactory.md 10.1.
    pub Element [32] {
        /// type of the value
        r#type: u16 = derived(names VARIABLE_TYPE) @ 0;
        /// number, 0 or 1, or place in the string pool
        value: i32 = derived @ 2;
        /// bytes between value and name that mean nothing
        scratch: [u16; 5] = junk @ 6;
        /// name of the variable
        name: Pstr16 = read @ 16;
    }
}
