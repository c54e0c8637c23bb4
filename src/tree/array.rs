//! Records in a row inside a record: `medals: Array<Medal, 6> = read @ 0x34;`.

use super::kind::Kind;
use super::record::{FieldType, LAYOUTS, Rec, Record, Token};
use std::marker::PhantomData;

/// `N` records of one shape, one after the other. As a field it is bytes; [`Rec::item`] gives its records.
pub struct Array<R, const N: usize>(PhantomData<R>);

impl<R: Record, const N: usize> FieldType for Array<R, N> {
    type Value = Vec<u8>;
    const KIND: [Kind; LAYOUTS] = [
        Kind::Bytes {
            size: (R::SHAPE.size[0] * N) as u16,
        },
        Kind::Bytes {
            size: (R::SHAPE.size[1] * N) as u16,
        },
    ];
    fn value(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
    fn bytes(value: &Vec<u8>) -> Vec<u8> {
        value.clone()
    }
}

impl Rec {
    /// A record of an array, if it is there.
    pub fn item<R: Record, const N: usize>(
        &self,
        array: Token<Array<R, N>>,
        index: usize,
    ) -> Option<Rec> {
        let item = Rec::new(R::SHAPE, 0, self.layout);
        let start = index
            .checked_mul(item.size())
            .filter(|_| index < N)?
            .checked_add(array.field().at(self.layout)?)?;
        let end = start.checked_add(item.size())?;
        let at = self.at.checked_add(start)?;
        (end <= self.size()).then(|| Rec::new(R::SHAPE, at, self.layout))
    }
    /// The records of an array that are there.
    pub fn items<R: Record, const N: usize>(
        &self,
        array: Token<Array<R, N>>,
    ) -> impl Iterator<Item = Rec> + use<R, N> {
        let rec = *self;
        (0..N).map_while(move |index| rec.item(array, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::record! {
        /// A pair.
        Pair [3] {
            a: u8 = edit;
            b: u16 = edit;
        }
        /// Three pairs behind a word.
        Row [11] {
            first: u16 = edit;
            pairs: Array<Pair, 3> = read;
        }
    }

    #[test]
    fn records_stand_one_after_the_other_as_far_as_they_are_there() {
        let image: Vec<u8> = (0..20).collect();
        let rec = Rec::new(Row::SHAPE, 4, 0);
        let places = |rec: Rec| {
            rec.items(Row::pairs)
                .map(|pair| pair.at)
                .collect::<Vec<_>>()
        };
        assert_eq!(places(rec), [6, 9, 12]);
        assert_eq!(places(rec.cut(10)), [6, 9]);
        let last = rec.item(Row::pairs, 2).expect("three are there");
        assert_eq!(last.get(&image, Pair::b), 0x0e0d);
        assert!(rec.item(Row::pairs, 3).is_none());
    }

    #[test]
    fn a_record_that_was_cut_has_the_fields_that_are_whole() {
        let image = [0; 20];
        let cut = Rec::new(Row::SHAPE, 4, 0).cut(1);
        assert!(!cut.has(&image, Row::first.field()));
        assert_eq!(cut.bytes(&image, Row::first.field()).len(), 1);
        assert!(
            Rec::new(Row::SHAPE, 4, 0)
                .cut(2)
                .has(&image, Row::first.field())
        );
    }
}
