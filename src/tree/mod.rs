//! What a tree is: nodes, records, values and their text, drafts. It knows no format, no kernel and no file.

pub mod array;
pub mod build;
pub mod draft;
pub mod flow;
pub mod kind;
pub mod leaves;
pub mod lenient;
pub mod linked;
pub mod names;
pub mod node;
pub mod notation;
pub mod record;
pub mod refusal;
mod scalar;
pub mod source;
pub mod table;
pub mod walk;

pub use draft::{Change, Draft, Splice};
pub use node::{About, Access, Creation, Dir, Leaf, Node, NodeKind, Save, Span};
pub use refusal::{Errno, Fault, Finding, Refusal, Repair, Weight};
