//! Ranges that a user may override: a value that only its range forbids is refused with the hint to force it, and
//! goes through with a caution where that was asked.

use super::draft::Draft;
use super::kind::{Kind, Legal};
use super::refusal::Refusal;

/// The bytes of a value as [`Kind::parse`] gives them, the range being a rule that may be overridden.
pub fn parse(
    kind: Kind,
    text: &[u8],
    legal: &Legal,
    old: &[u8],
    draft: &mut Draft,
) -> Result<Vec<u8>, Refusal> {
    either(
        kind.parse(text, legal, old),
        || loosely(kind, text, legal, old),
        draft,
    )
}

/// The bytes of a text as the first kind gives them, or the second one where that was asked for.
pub fn parse_as(
    [strict, loose]: [Kind; 2],
    text: &[u8],
    old: &[u8],
    draft: &mut Draft,
) -> Result<Vec<u8>, Refusal> {
    let parse = |kind: Kind| kind.parse(text, &Legal::Any, old);
    either(parse(strict), || parse(loose), draft)
}

fn either(
    strict: Result<Vec<u8>, Refusal>,
    loose: impl FnOnce() -> Result<Vec<u8>, Refusal>,
    draft: &mut Draft,
) -> Result<Vec<u8>, Refusal> {
    strict.or_else(|refusal| match loose() {
        Ok(bytes) => overridable(draft, refusal).map(|()| bytes),
        Err(_) => Err(refusal),
    })
}

/// The refusal of a value in the making, marked where the whole could be forced.
pub fn feasible(kind: Kind, so_far: &[u8], legal: &Legal, old: &[u8], refusal: Refusal) -> Refusal {
    match loosely(kind, so_far, legal, old) {
        Ok(_) => refusal.forcible(),
        Err(_) => refusal,
    }
}

/// Refuses by a rule that may be overridden; with that asked for, lets through and says so.
pub fn overridable(draft: &mut Draft, refusal: Refusal) -> Result<(), Refusal> {
    if !draft.forced() {
        return Err(refusal.forcible());
    }
    draft.caution(format!("forced: {refusal}"));
    Ok(())
}

/// The value as far as its type can hold it.
fn loosely(kind: Kind, text: &[u8], legal: &Legal, old: &[u8]) -> Result<Vec<u8>, Refusal> {
    let Legal::Names(names) = legal else {
        return kind.with_controls().parse(text, &Legal::Any, old);
    };
    let word = std::str::from_utf8(text).unwrap_or_default().trim();
    let number = names.parse(word).map_err(Refusal::invalid)?;
    kind.parse(number.to_string().as_bytes(), &Legal::Any, old)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: Kind = Kind::Int {
        width: 1,
        signed: false,
    };

    #[test]
    fn a_range_can_be_forced_and_a_type_cannot() {
        let legal = Legal::Range(0, 8);
        let try_it = |text: &[u8], force| {
            let mut draft = Draft::new(Vec::new(), force);
            let parsed = parse(BYTE, text, &legal, &[3], &mut draft);
            (parsed, draft.finish().2.len())
        };
        assert_eq!(try_it(b"8\n", false), (Ok(vec![8]), 0));
        assert!(try_it(b"9", false).0.unwrap_err().forcible);
        assert_eq!(try_it(b"9", true), (Ok(vec![9]), 1));
        assert!(!try_it(b"256", true).0.unwrap_err().forcible);
        assert!(!try_it(b"x", true).0.unwrap_err().forcible);
    }
}
