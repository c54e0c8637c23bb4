//! Records: [`record!`](crate::record) declares one, a line a field, and that one declaration is its layout, its
//! nodes, their types and ranges, who may write them, and what they mean.

mod types;

pub use types::{Bool, FieldType, Flag, Pascal, Raw, Script, Slot, Terminated};

use super::draft::Draft;
use super::kind::{Kind, Legal};
use super::refusal::Refusal;
use std::marker::PhantomData;

/// Layouts a record may come in, e.g. of two engines or of two pointer widths.
pub const LAYOUTS: usize = 2;

/// The offset of a field that a layout lacks.
const ABSENT: u32 = u32::MAX;

/// What a field is to its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Editable.
    Edit,
    /// Readable only.
    Read,
    /// Maintained by savefs: a count, a total, a mirror.
    Derived,
    /// Names another record of the save; never changed.
    Key,
    /// An address of the game's memory, rebuilt when it loads.
    Pointer,
    /// Kept as it is and meaning nothing.
    Junk,
}

/// One field of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub doc: &'static str,
    pub role: Role,
    pub legal: Legal,
    kind: [Kind; LAYOUTS],
    at: [u32; LAYOUTS],
}

impl Field {
    pub fn kind(&self, layout: usize) -> Kind {
        let kind = self
            .kind
            .get(layout)
            .copied()
            .unwrap_or(Kind::Bytes { size: 0 });
        match self.role {
            Role::Key | Role::Pointer => kind.as_hex(),
            _ => kind,
        }
    }
    /// Offset in the record; None where the layout lacks the field.
    pub fn at(&self, layout: usize) -> Option<usize> {
        let at = *self.at.get(layout)?;
        (at != ABSENT).then_some(at as usize)
    }
    /// Whether this is the field that `token` names.
    pub fn is<T>(&self, token: Token<T>) -> bool {
        self.name == token.0.name && self.at == token.0.at
    }
}

/// A record as declared: its size in each layout and its fields in the order of the specification.
#[derive(Debug)]
pub struct Shape {
    pub name: &'static str,
    pub doc: &'static str,
    pub size: [usize; LAYOUTS],
    pub fields: &'static [Field],
}

/// A field with the type of its values, so that rules read `rec.get(bytes, Actor::set)`.
pub struct Token<T>(&'static Field, PhantomData<fn() -> T>);

impl<T> Clone for Token<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Token<T> {}

impl<T> Token<T> {
    pub const fn new(field: &'static Field) -> Self {
        Token(field, PhantomData)
    }
    pub const fn field(self) -> &'static Field {
        self.0
    }
}

/// A type that [`record!`](crate::record) declared.
pub trait Record {
    const SHAPE: &'static Shape;
}

/// Where a record lies in an image.
#[derive(Clone, Copy, Debug)]
pub struct Rec {
    pub shape: &'static Shape,
    pub at: usize,
    pub layout: usize,
    /// How many of its bytes are there: older versions of a format, and files that break off, hold fewer fields.
    pub room: usize,
}

impl Rec {
    pub fn new(shape: &'static Shape, at: usize, layout: usize) -> Self {
        Rec {
            shape,
            at,
            layout,
            room: usize::MAX,
        }
    }
    /// The same record of which no more than `room` bytes are there; a field that would be cut is not.
    pub fn cut(self, room: usize) -> Self {
        Rec { room, ..self }
    }
    pub fn size(&self) -> usize {
        let whole = self.shape.size.get(self.layout).copied().unwrap_or(0);
        whole.min(self.room)
    }
    /// The fields that this layout has and that are there.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let (layout, room) = (self.layout, self.room);
        self.shape.fields.iter().filter(move |field| {
            let end = field.at(layout).map(|at| at + field.kind(layout).size());
            end.is_some_and(|end| end <= room)
        })
    }
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields().find(|f| f.name == name)
    }
    /// Whether a field is there: wholly, or a text whose terminator is.
    pub fn has(&self, image: &[u8], field: &Field) -> bool {
        let kind = field.kind(self.layout);
        let whole = |at: usize| at.saturating_add(kind.size()) <= self.size();
        let terminated =
            || matches!(kind, Kind::Terminated { .. }) && self.bytes(image, field).contains(&0);
        field.at(self.layout).is_some_and(whole) || terminated()
    }
    /// Absolute offset of a field in the image.
    pub fn offset(&self, field: &Field) -> Option<usize> {
        self.at.checked_add(field.at(self.layout)?)
    }
    /// The bytes of a field; what lies past the end of the image is missing.
    pub fn bytes<'a>(&self, image: &'a [u8], field: &Field) -> &'a [u8] {
        let Some(start) = self.offset(field) else {
            return &[];
        };
        let end = start
            .saturating_add(field.kind(self.layout).size())
            .min(self.at.saturating_add(self.room))
            .min(image.len());
        image.get(start..end).unwrap_or_default()
    }
    /// The value of a field; the type's neutral value where the layout lacks it. Whoever opened the save has
    /// checked that the record lies inside the image.
    pub fn get<T: FieldType>(&self, image: &[u8], token: Token<T>) -> T::Value {
        T::value(self.bytes(image, token.field()))
    }
}

/// Plays one field's new bytes on a draft, with all that the format's rules couple to it. The bytes are legal by
/// themselves and differ from what is there.
pub type Rule<S> = fn(&S, Rec, &'static Field, &[u8], &mut Draft) -> Result<(), Refusal>;

/// The rule of a field that nothing hangs on.
pub fn plain<S>(
    _: &S,
    rec: Rec,
    field: &'static Field,
    bytes: &[u8],
    draft: &mut Draft,
) -> Result<(), Refusal> {
    if let Some(at) = rec.offset(field) {
        draft.put(at, bytes);
    }
    Ok(())
}

#[doc(hidden)]
pub const fn field(
    name: &'static str,
    doc: &'static str,
    role: Role,
    legal: Legal,
    kind: [Kind; LAYOUTS],
    at: [u32; LAYOUTS],
) -> Field {
    Field {
        name: spoken(name),
        doc: trim(doc),
        role,
        legal,
        kind,
        at,
    }
}

/// A field called `type` has to be declared as `r#type`.
const fn spoken(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// Doc comments begin with a blank.
const fn trim(doc: &'static str) -> &'static str {
    doc.trim_ascii()
}

/// What a record is: its doc comment up to the sentence that cites the specification (`name.md 5.1`).
#[doc(hidden)]
pub const fn meaning(doc: &'static str) -> &'static str {
    let doc = trim(doc);
    let bytes = doc.as_bytes();
    let mut sentence = 0;
    let mut i = 0;
    while i + 3 < bytes.len() {
        match (bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]) {
            (b'.', b'm', b'd', b' ') => return doc.split_at(sentence).0,
            (b'.', b' ', ..) => sentence = i + 1,
            _ => {}
        }
        i += 1;
    }
    doc
}

/// Gives the fields of a packed record their offsets, one after the other.
#[doc(hidden)]
pub const fn pack_fields<const N: usize>(mut fields: [Field; N]) -> [Field; N] {
    let mut next = [0u32; LAYOUTS];
    let mut i = 0;
    while i < N {
        let mut layout = 0;
        while layout < LAYOUTS {
            fields[i].at[layout] = next[layout];
            next[layout] += fields[i].kind[layout].size() as u32;
            layout += 1;
        }
        i += 1;
    }
    fields
}

/// Stops the compiler where a field overlaps another or passes the record's end.
#[doc(hidden)]
pub const fn check<const N: usize>(fields: [Field; N], size: [usize; LAYOUTS]) -> [Field; N] {
    let mut i = 0;
    while i < N {
        let mut layout = 0;
        while layout < LAYOUTS {
            let start = fields[i].at[layout];
            if start != ABSENT {
                let end = start as usize + fields[i].kind[layout].size();
                assert!(end <= size[layout], "a field passes the end of its record");
                let mut j = 0;
                while j < i {
                    let other = fields[j].at[layout];
                    if other != ABSENT {
                        let other_end = other as usize + fields[j].kind[layout].size();
                        assert!(
                            other as usize >= end || other_end <= start as usize,
                            "two fields overlap"
                        );
                    }
                    j += 1;
                }
            }
            layout += 1;
        }
        i += 1;
    }
    fields
}

/// Declares records.
///
/// ```
/// use savefs::record;
/// use savefs::tree::record::Flag;
/// record! {
///     /// A lamp.
///     pub Lamp [8, 10] {
///         /// burning
///         lit: Flag = edit @ 0, 0;
///         /// how far it shines
///         reach: u16 = edit(1..=500) @ 4, 6;
///         /// only the second engine knows the wick
///         wick: u16 = read @ _, 8;
///     }
/// }
/// assert_eq!(Lamp::SHAPE.fields[1].at(1), Some(6));
/// ```
///
/// A line is `name: type = role @ offset-in-each-layout;`. Roles: `edit`, `read`, `derived`, `key`, `ptr`, `junk`;
/// `edit` and `read` may say `(low..=high)`, `(nonempty)`, `(names TABLE)`, `(listed TABLE)`, `(bits TABLE)` or
/// `(floats low, high)`. `_` is a layout that lacks the field. A record without `@` is packed, its offsets summed. A record of one layout gives one size and one
/// offset.
#[macro_export]
macro_rules! record {
    ($(
        $(#[doc = $doc:literal])*
        $vis:vis $name:ident [$($size:expr),+] { $($body:tt)* }
    )*) => {$(
        $crate::record!(@fields [$(#[doc = $doc])*] $vis $name [$($size),+] $($body)*);
    )*};

    (@fields [$(#[doc = $doc:literal])*] $vis:vis $name:ident [$($size:expr),+]
        $($(#[doc = $fdoc:literal])* $field:ident : $ty:ty = $role:ident $(($($legal:tt)*))? @ $($at:tt),+;)*
    ) => {
        $crate::record!(@emit checked [$(#[doc = $doc])*] $vis $name [$($size),+]
            $({$(#[doc = $fdoc])* $field, $ty, $role, ($($($legal)*)?), ($($at),+)})*);
    };

    (@emit $how:ident [$(#[doc = $doc:literal])*] $vis:vis $name:ident [$($size:expr),+]
        $({$(#[doc = $fdoc:literal])* $field:ident, $ty:ty, $role:ident, ($($legal:tt)*), ($($at:tt)*)})*
    ) => {
        $(#[doc = $doc])*
        $vis struct $name;
        #[allow(non_upper_case_globals, dead_code)]
        impl $name {
            const COUNT: usize = [$(stringify!($field)),*].len();
            pub const SIZE: [usize; $crate::tree::record::LAYOUTS] = $crate::record!(@pair $($size),+);
            const TABLE: [$crate::tree::record::Field; Self::COUNT] = $crate::tree::record::check(
                $crate::record!(@place $how [$(
                    $crate::tree::record::field(
                        stringify!($field),
                        concat!($($fdoc),*),
                        $crate::record!(@role $role),
                        $crate::record!(@legal $ty; $($legal)*),
                        <$ty as $crate::tree::record::FieldType>::KIND,
                        $crate::record!(@at $($at)*),
                    )
                ),*]),
                Self::SIZE,
            );
            pub const FIELDS: &'static [$crate::tree::record::Field] = &Self::TABLE;
            pub const SHAPE: &'static $crate::tree::record::Shape = &$crate::tree::record::Shape {
                name: stringify!($name),
                doc: $crate::tree::record::meaning(concat!($($doc),*)),
                size: Self::SIZE,
                fields: Self::FIELDS,
            };
            $crate::record!(@tokens (0) $($field $ty,)*);
        }
        impl $crate::tree::record::Record for $name {
            const SHAPE: &'static $crate::tree::record::Shape = $name::SHAPE;
        }
    };

    (@tokens ($index:expr)) => {};
    (@tokens ($index:expr) $field:ident $ty:ty, $($rest:tt)*) => {
        pub const $field: $crate::tree::record::Token<$ty> = $crate::tree::record::Token::new(&Self::FIELDS[$index]);
        $crate::record!(@tokens ($index + 1) $($rest)*);
    };

    // A packed record: the same lines without offsets.
    (@fields [$(#[doc = $doc:literal])*] $vis:vis $name:ident [$($size:expr),+]
        $($(#[doc = $fdoc:literal])* $field:ident : $ty:ty = $role:ident $(($($legal:tt)*))?;)*
    ) => {
        $crate::record!(@emit packed [$(#[doc = $doc])*] $vis $name [$($size),+]
            $({$(#[doc = $fdoc])* $field, $ty, $role, ($($($legal)*)?), (0)})*);
    };

    (@place checked $fields:expr) => { $fields };
    (@place packed $fields:expr) => { $crate::tree::record::pack_fields($fields) };

    (@pair $one:expr) => { [$one, $one] };
    (@pair $one:expr, $two:expr) => { [$one, $two] };

    (@at _, _) => { [u32::MAX, u32::MAX] };
    (@at _, $two:tt) => { [u32::MAX, $two] };
    (@at $one:tt, _) => { [$one, u32::MAX] };
    (@at $one:tt, $two:tt) => { [$one, $two] };
    (@at $one:tt) => { [$one, $one] };

    (@role edit) => { $crate::tree::record::Role::Edit };
    (@role read) => { $crate::tree::record::Role::Read };
    (@role derived) => { $crate::tree::record::Role::Derived };
    (@role key) => { $crate::tree::record::Role::Key };
    (@role ptr) => { $crate::tree::record::Role::Pointer };
    (@role junk) => { $crate::tree::record::Role::Junk };

    (@legal $ty:ty;) => { <$ty as $crate::tree::record::FieldType>::LEGAL };
    (@legal $ty:ty; nonempty) => { $crate::tree::kind::Legal::Nonempty };
    (@legal $ty:ty; names $table:expr) => { $crate::tree::kind::Legal::Names(&$table) };
    (@legal $ty:ty; listed $table:expr) => { $crate::tree::kind::Legal::Listed(&$table) };
    (@legal $ty:ty; bits $table:expr) => { $crate::tree::kind::Legal::Bits(&$table) };
    (@legal $ty:ty; floats $low:expr, $high:expr) => { $crate::tree::kind::Legal::Floats($low, $high) };
    (@legal $ty:ty; $range:expr) => { $crate::tree::kind::Legal::range($range) };
}

#[cfg(test)]
mod tests;
