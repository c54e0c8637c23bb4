//! What a new name means: a tool's scratch file, a new entry of the save, or a slip of the keyboard.

/// How a file is made.
#[derive(Clone, Copy, Debug)]
pub struct Making {
    /// O_EXCL: the maker insists that the name is new.
    pub exclusive: bool,
    pub mode: u32,
}

impl Making {
    /// As mkstemp makes its files.
    fn is_private(self) -> bool {
        self.exclusive && self.mode & 0o777 == 0o600
    }
}

/// Whether a file made under this name is one that a tool makes for itself. `sibling` says whether a name is that of a
/// node in the same directory.
pub fn is_scratch(name: &str, making: Making, sibling: impl Fn(&str) -> bool) -> bool {
    making.is_private()
        || has_scratch_shape(name, sibling)
        || (making.exclusive && is_write_test(name))
}

/// Names that only tools give: `.x.swp`, `#x#`, `x~`, and a node's name with an ending (`deg.bak`, `deg.XXXXXX`).
pub fn has_scratch_shape(name: &str, sibling: impl Fn(&str) -> bool) -> bool {
    let ending = || {
        name.match_indices('.')
            .any(|(at, _)| at > 0 && name.get(..at).is_some_and(&sibling))
    };
    name.starts_with('.')
        || (name.len() > 1 && name.ends_with('~'))
        || (name.len() > 2 && name.starts_with('#') && name.ends_with('#'))
        || ending()
}

/// vim tries whether it can make files in a directory with 4913, and numbers 123 apart where that exists.
fn is_write_test(name: &str) -> bool {
    const FIRST: u32 = 4913;
    const STEP: u32 = 123;
    let number = name
        .parse::<u32>()
        .ok()
        .filter(|_| !name.starts_with(['0', '+']));
    number.is_some_and(|number| number >= FIRST && (number - FIRST).is_multiple_of(STEP))
}

/// The temporary name that `ln -sf` and `ln -f` rename over the link they replace: `Cu` and six letters or digits.
pub fn is_link_in_making(name: &str) -> bool {
    name.strip_prefix("Cu")
        .is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str, exclusive: bool, mode: u32) -> bool {
        is_scratch(name, Making { exclusive, mode }, |sibling| sibling == "deg")
    }

    #[test]
    fn the_files_of_tools_are_told_from_mistyped_names() {
        for name in [
            ".deg.swp",
            ".deg.XaB12z",
            "#deg#",
            "deg~",
            "deg.bak",
            "deg.oAbCdEf",
            ".goutputstream-X1",
            ".#deg",
        ] {
            assert!(scratch(name, false, 0o644), "{name}");
        }
        for name in [
            "sped",
            "speed.bak",
            "degree",
            "4914",
            "4913",
            "#",
            "~",
            "sedAbCdEf",
        ] {
            assert!(!scratch(name, false, 0o644), "{name}");
        }
        assert!(scratch("sedAbCdEf", true, 0o600));
        assert!(scratch("4913", true, 0o644));
        assert!(scratch("5036", true, 0o644));
        assert!(!scratch("4914", true, 0o644));
        assert!(!scratch("newvar", true, 0o644));
    }

    #[test]
    fn ln_makes_a_link_under_a_passing_name() {
        assert!(is_link_in_making("CuAb12zZ"));
        assert!(!is_link_in_making("Cunning"));
    }
}
