//! The types that a line of [`record!`](crate::record) may name.

use super::LAYOUTS;
use crate::tree::kind::{Alphabet, Kind, Legal, integer, pack, pascal, terminated};
use std::marker::PhantomData;

/// A type that a line of [`record!`](crate::record) may name.
pub trait FieldType {
    type Value;
    const KIND: [Kind; LAYOUTS];
    /// What may be written where the line says no more than `edit`.
    const LEGAL: Legal = Legal::Any;
    fn value(bytes: &[u8]) -> Self::Value;
    /// The bytes that this value puts at the start of the field.
    fn bytes(value: &Self::Value) -> Vec<u8>;
}

macro_rules! integers {
    ($($name:ident $width:literal $signed:literal;)*) => {$(
        impl FieldType for $name {
            type Value = $name;
            const KIND: [Kind; LAYOUTS] = [Kind::Int { width: $width, signed: $signed }; LAYOUTS];
            fn value(bytes: &[u8]) -> $name {
                integer(bytes, $width, $signed) as $name
            }
            fn bytes(value: &$name) -> Vec<u8> {
                value.to_le_bytes().to_vec()
            }
        }
        impl<const N: usize> FieldType for [$name; N] {
            type Value = [$name; N];
            const KIND: [Kind; LAYOUTS] = [Kind::Ints { width: $width, signed: $signed, count: N as u8 }; LAYOUTS];
            fn value(bytes: &[u8]) -> [$name; N] {
                let mut values = [0; N];
                for (value, one) in values.iter_mut().zip(bytes.chunks($width)) {
                    *value = integer(one, $width, $signed) as $name;
                }
                values
            }
            fn bytes(values: &[$name; N]) -> Vec<u8> {
                values.iter().flat_map(|value| value.to_le_bytes()).collect()
            }
        }
    )*};
}

integers! { u8 1 false; i8 1 true; u16 2 false; i16 2 true; u32 4 false; i32 4 true; u64 8 false; i64 8 true; }

macro_rules! floats {
    ($($name:ident $width:literal $bits:ident;)*) => {$(
        impl FieldType for $name {
            type Value = $name;
            const KIND: [Kind; LAYOUTS] = [Kind::Float { width: $width }; LAYOUTS];
            fn value(bytes: &[u8]) -> $name {
                $name::from_bits(integer(bytes, $width, false) as $bits)
            }
            fn bytes(value: &$name) -> Vec<u8> {
                value.to_bits().to_le_bytes().to_vec()
            }
        }
    )*};
}

floats! { f32 4 u32; f64 8 u64; }

/// A 16-bit word that is 0 or 1.
pub struct Flag;

impl FieldType for Flag {
    type Value = bool;
    const KIND: [Kind; LAYOUTS] = [Kind::Int {
        width: 2,
        signed: false,
    }; LAYOUTS];
    const LEGAL: Legal = Legal::Range(0, 1);
    fn value(bytes: &[u8]) -> bool {
        integer(bytes, 2, false) != 0
    }
    fn bytes(value: &bool) -> Vec<u8> {
        vec![u8::from(*value), 0]
    }
}

/// A byte that is `true` or `false`.
pub struct Bool;

impl FieldType for Bool {
    type Value = bool;
    const KIND: [Kind; LAYOUTS] = [Kind::Bool; LAYOUTS];
    fn value(bytes: &[u8]) -> bool {
        bytes.first().is_some_and(|b| *b != 0)
    }
    fn bytes(value: &bool) -> Vec<u8> {
        vec![u8::from(*value)]
    }
}

/// A signed word as wide as a pointer: 4 bytes in the first layout, 8 in the second.
pub struct Slot;

impl FieldType for Slot {
    type Value = i64;
    const KIND: [Kind; LAYOUTS] = [
        Kind::Int {
            width: 4,
            signed: true,
        },
        Kind::Int {
            width: 8,
            signed: true,
        },
    ];
    fn value(bytes: &[u8]) -> i64 {
        integer(bytes, if bytes.len() >= 8 { 8 } else { 4 }, true) as i64
    }
    /// The low four bytes; the high half of a wide slot stays as it is.
    fn bytes(value: &i64) -> Vec<u8> {
        pack(i128::from(*value as i32), 4, true).unwrap_or_default()
    }
}

/// Which text a [`Pascal`] or [`Terminated`] field holds.
pub trait Script {
    const ALPHABET: Alphabet;
}

/// A length byte and characters in a field of `N` bytes.
pub struct Pascal<const N: usize, P>(PhantomData<P>);

impl<const N: usize, P: Script> FieldType for Pascal<N, P> {
    type Value = String;
    const KIND: [Kind; LAYOUTS] = [Kind::Pascal {
        size: N as u16,
        alphabet: P::ALPHABET,
    }; LAYOUTS];
    fn value(bytes: &[u8]) -> String {
        P::ALPHABET.page.decode(pascal(bytes))
    }
    /// Length and characters; a text that is too long or cannot be encoded is cut, so rules check first.
    fn bytes(value: &String) -> Vec<u8> {
        let mut text = P::ALPHABET.page.encode(value).unwrap_or_default();
        text.truncate(N.saturating_sub(1).min(255));
        std::iter::once(text.len() as u8).chain(text).collect()
    }
}

/// Characters up to a NUL in a field of `N` bytes.
pub struct Terminated<const N: usize, P>(PhantomData<P>);

impl<const N: usize, P: Script> FieldType for Terminated<N, P> {
    type Value = String;
    const KIND: [Kind; LAYOUTS] = [Kind::Terminated {
        size: N as u16,
        alphabet: P::ALPHABET,
    }; LAYOUTS];
    fn value(bytes: &[u8]) -> String {
        P::ALPHABET.page.decode(terminated(bytes))
    }
    fn bytes(value: &String) -> Vec<u8> {
        let mut text = P::ALPHABET.page.encode(value).unwrap_or_default();
        text.truncate(N.saturating_sub(1));
        text.push(0);
        text
    }
}

/// `N` bytes that are shown as they are.
pub struct Raw<const N: usize>;

impl<const N: usize> FieldType for Raw<N> {
    type Value = Vec<u8>;
    const KIND: [Kind; LAYOUTS] = [Kind::Bytes { size: N as u16 }; LAYOUTS];
    fn value(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }
    fn bytes(value: &Vec<u8>) -> Vec<u8> {
        value.iter().copied().take(N).collect()
    }
}
