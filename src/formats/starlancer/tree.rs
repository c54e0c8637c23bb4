//! The tree: `campaign` by meaning, `chunks` by place.

use super::records::*;
use super::{Campaign, chunks, edits, name};
use crate::tree::Node;
use crate::tree::array::Array;
use crate::tree::build::{Branch, Entry, FieldLeaf, Listing, Naming, RecordDir, View};
use crate::tree::linked::Linked;
use crate::tree::record::{FieldType, Rec, Record, Token};
use std::sync::Arc;

type Open = Arc<Campaign>;

pub fn root(save: &Open) -> Node {
    Branch::node(save, "a saved game of StarLancer", &ROOT)
}

/// The campaign by meaning.
pub fn campaign(save: &Open) -> Node {
    Branch::node(save, "the campaign by meaning", &CAMPAIGN)
}

static ROOT: [Entry<Open>; 2] = [
    ("campaign", |save| Some(campaign(save))),
    ("chunks", |save| Some(chunks::node(save))),
];

static CAMPAIGN: [Entry<Open>; 18] = [
    ("name", name::node),
    ("mission", |save| miss(save, Miss::mission)),
    ("call_sign", |save| miss(save, Miss::call_sign)),
    ("rank", |save| miss(save, Miss::rank)),
    ("tier", |save| miss(save, Miss::tier)),
    ("kills", |save| miss(save, Miss::kills)),
    ("deaths", |save| miss(save, Miss::deaths)),
    ("pickups", |save| miss(save, Miss::pickups)),
    ("difficulty", |save| miss(save, Miss::difficulty)),
    ("female", |save| miss(save, Miss::female)),
    ("killboard_seed", |save| miss(save, Miss::killboard_seed)),
    ("medals", |save| {
        let list = list(
            save,
            save.miss(),
            Miss::medals,
            1,
            "medals",
            |save, index| item(save, save.miss(), Miss::medals, index, Medal::awarded),
        );
        list.map(|list| Linked::node(list, &MEDAL))
    }),
    ("ribbons", |save| {
        let list = list(
            save,
            save.miss(),
            Miss::ribbons,
            1,
            "ribbons",
            |save, index| item(save, save.miss(), Miss::ribbons, index, Ribbon::awarded),
        );
        list.map(|list| Linked::node(list, &RIBBON))
    }),
    ("missions", |save| {
        let count = save.miss()?.items(Miss::ratings).count();
        let naming = Naming::Numbers { first: 1, count };
        let doc = "what each mission came to, by the game's own mission numbers";
        (count > 0).then(|| {
            Listing::fixed(save, doc, naming, |save, index| {
                let context = (Arc::clone(save), index);
                Some(Branch::node(&context, "a mission", &MISSION))
            })
        })
    }),
    ("loadout", |save| {
        let node = Branch::node(save, "ship and missiles", &LOADOUT);
        miss(save, Miss::ship).map(|_| node)
    }),
    ("variables", |save| {
        let rec = save.record::<Vars>(VARS)?;
        Some(RecordDir::node(save, rec, View::Readable, edits::write))
    }),
    ("wing", |save| {
        let doc = "pilots of Alpha 2 to Alpha 6";
        list(save, alph(save), Alph::wing, 2, doc, |save, index| {
            item(save, alph(save), Alph::wing, index, Wingman::pilot)
        })
    }),
    ("pool", |save| {
        let doc = "the first of the pilots that replace dead wingmen";
        save.record::<Pilo>(PILO)
            .map(|_| Branch::node(save, doc, &POOL))
    }),
];

/// A mission and its number less 1.
type Mission = (Open, usize);

static MISSION: [Entry<Mission>; 4] = [
    ("rating", |(save, index)| {
        item(save, save.miss(), Miss::ratings, *index, Rating::rating)
    }),
    // Against the other three this array is shifted by one. starlancer.md 4.
    ("kills", |(save, index)| {
        item(
            save,
            save.miss(),
            Miss::mission_kills,
            index + 1,
            Kills::kills,
        )
    }),
    ("pickup", |(save, index)| {
        item(
            save,
            save.miss(),
            Miss::mission_pickups,
            *index,
            Pickup::pickup,
        )
    }),
    ("promotion", |(save, index)| {
        item(
            save,
            save.miss(),
            Miss::promotions,
            *index,
            Promotion::promotion,
        )
    }),
];

static LOADOUT: [Entry<Open>; 2] = [
    ("ship", |save| miss(save, Miss::ship)),
    ("racks", |save| {
        let doc = "missile racks; a ship has 8 at most";
        list(save, save.miss(), Miss::racks, 1, doc, |save, index| {
            item(save, save.miss(), Miss::racks, index, Rack::missile)
        })
    }),
];

static POOL: [Entry<Open>; 2] = [
    ("pilot", |save| {
        field(save, save.record::<Pilo>(PILO), Pilo::pilot)
    }),
    ("status", |save| {
        field(save, save.record::<Pilo>(PILO), Pilo::status)
    }),
];

fn alph(save: &Open) -> Option<Rec> {
    save.record::<Alph>(ALPH)
}

fn miss<T: FieldType>(save: &Open, token: Token<T>) -> Option<Node> {
    field(save, save.miss(), token)
}

/// The leaf of a field; None where the file does not hold it.
fn field<T: FieldType>(save: &Open, rec: Option<Rec>, token: Token<T>) -> Option<Node> {
    let rec = rec.filter(|rec| rec.has(&save.image, token.field()))?;
    Some(FieldLeaf::node(save, rec, token.field(), edits::write))
}

/// The one value of a record in an array.
fn item<R: Record, const N: usize, T: FieldType>(
    save: &Open,
    rec: Option<Rec>,
    array: Token<Array<R, N>>,
    index: usize,
    value: Token<T>,
) -> Option<Node> {
    field(save, rec?.item(array, index), value)
}

/// The values of an array as far as the file holds them, numbered from `first`; None where it holds none.
fn list<R: Record, const N: usize>(
    save: &Open,
    rec: Option<Rec>,
    array: Token<Array<R, N>>,
    first: usize,
    doc: &'static str,
    make: fn(&Open, usize) -> Option<Node>,
) -> Option<Node> {
    let count = rec?.items(array).count();
    let naming = Naming::Numbers { first, count };
    (count > 0).then(|| Listing::values(save, doc, naming, make))
}
