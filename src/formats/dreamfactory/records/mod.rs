//! What the containers hold, a record a structure. Layout 0 is engine 4 (Titanic), layout 1 engine 1 (Dust);
//! where the two have nothing in common there are two records.

mod actor;
mod globals;
mod location;
mod manifest;
mod prop;
mod scheduler;
mod sound;

pub use actor::Actor;
pub use globals::{Element, GlobalsHeader};
pub use location::{DustView, Lists, Location, TitanicRest, TitanicView};
pub use manifest::{Colour, File, ManifestHead, OpenFile, PALETTE_AT};
pub use prop::Prop;
pub use scheduler::{Cricket, DustCricket, DustWalk, Loop, RouteHead, Walk, Waypoint};
pub use sound::{Sound, Track};

use crate::codec::codepage::CodePage;
use crate::tree::kind::Alphabet;
use crate::tree::record::{Pascal, Script};
use crate::tree::table::{NameFile, Names};

/// Characters of both games: single bytes, of which only printable ASCII may be written.
pub struct Latin;

impl Script for Latin {
    const ALPHABET: Alphabet = ALPHABET;
}

pub const ALPHABET: Alphabet = Alphabet {
    page: CodePage::Latin1,
    highest: 0x7E,
    controls: false,
};

/// A text of at most 15 characters.
pub type Pstr16 = Pascal<16, Latin>;
/// A text of at most 255 characters.
pub type Pstr256 = Pascal<256, Latin>;

static NAMES: NameFile = NameFile::new(include_str!("../names.tsv"));

pub static LOOP_KIND: Names = NAMES.table("loop_kind", 1, 4);
pub static WALK_TYPE: Names = NAMES.table("walk_type", 0, 3);
pub static VARIABLE_TYPE: Names = NAMES.table("variable_type", 2, 4);
