//! What a file's name says: whose save it is, in which slot, and what stands beside it. starlancer.md 1 and 11.

/// The slots that the game's list shows.
const LISTED: u32 = 100;
/// The slot of the restart point.
pub const RESTART: u32 = 100;
/// What is to be said of that slot.
pub const RESTART_POINT: &str =
    "the restart point, which the game writes anew before each attempt: edits hardly last";
/// What is to be said of a number that is no slot.
pub const NEVER_OPENED: &str = "the game opens no file of this number";
/// Files of the port that belong to a save.
const COMPANIONS: [&str; 2] = ["mods", "scripts"];

/// A file name taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName {
    pub stem: String,
    pub call_sign: String,
    /// None for a number that the game never opens.
    pub slot: Option<u32>,
}

impl FileName {
    /// Splits `<call sign>GAME<slot>.IFF` at the last `GAME` that digits follow; None for any other name.
    pub fn parse(name: &str) -> Option<FileName> {
        let (stem, extension) = name.rsplit_once('.')?;
        if !extension.eq_ignore_ascii_case("iff") {
            return None;
        }
        let before = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = stem.get(before.len()..)?;
        let mark = before.len().checked_sub(4)?;
        let is_game = mark > 0 && before.get(mark..)?.eq_ignore_ascii_case("game");
        (is_game && digits.len() >= 2).then(|| FileName {
            stem: stem.to_owned(),
            call_sign: before.get(..mark).unwrap_or_default().to_owned(),
            slot: slot(digits),
        })
    }
    /// Whether a call sign is this one, as the game compares names. A character of the file's name that is none in
    /// this system's encoding may be any beyond ASCII.
    pub fn is_of(&self, call_sign: &str) -> bool {
        let (own, other) = (folded(&self.call_sign), folded(call_sign));
        let same = |(own, other): (&char, &char)| {
            own == other || *own == char::REPLACEMENT_CHARACTER && !other.is_ascii()
        };
        own.len() == other.len() && own.iter().zip(&other).all(same)
    }
}

/// Two digits at least and no other padding.
fn slot(digits: &str) -> Option<u32> {
    let number: u32 = digits.parse().ok()?;
    (format!("{number:02}") == digits && number <= RESTART).then_some(number)
}

/// Whether two names are one to the game, which ignores case.
pub fn same(a: &str, b: &str) -> bool {
    folded(a) == folded(b)
}

fn folded(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The first slot that a call sign lacks among the names of a folder: the game's list stops there.
pub fn first_gap(call_sign: &str, names: &[String]) -> Option<u32> {
    let mine = |name: &String| FileName::parse(name).filter(|file| file.is_of(call_sign));
    let there: Vec<u32> = names
        .iter()
        .filter_map(mine)
        .filter_map(|f| f.slot)
        .collect();
    (0..LISTED).find(|slot| !there.contains(slot))
}

/// The companion files of a save among the names of its folder.
pub fn companions<'a>(stem: &str, names: &'a [String]) -> Vec<&'a str> {
    let belongs = |name: &&String| {
        name.rsplit_once('.').is_some_and(|(own, extension)| {
            same(own, stem) && COMPANIONS.iter().any(|c| extension.eq_ignore_ascii_case(c))
        })
    };
    names.iter().filter(belongs).map(String::as_str).collect()
}

/// What a user should know of a save's slot, in words.
pub fn words(name: &str, siblings: &[String]) -> String {
    let Some(file) = FileName::parse(name) else {
        return "none: the name is not of the form <call sign>GAME<slot>.IFF".into();
    };
    match (file.slot, hidden_behind(&file, siblings)) {
        (None, _) => format!("none: {NEVER_OPENED}"),
        (Some(RESTART), _) => format!("{RESTART}, {RESTART_POINT}"),
        (Some(slot), Some(gap)) => format!("{slot}, hidden: {}", gap_words(&file.call_sign, gap)),
        (Some(0), None) => "0, the autosave".into(),
        (Some(slot), None) => slot.to_string(),
    }
}

/// The missing slot that keeps a save off the game's list; None where the folder is not known.
pub fn hidden_behind(file: &FileName, siblings: &[String]) -> Option<u32> {
    let slot = file.slot.filter(|slot| *slot < LISTED)?;
    let known = siblings.iter().filter_map(|name| FileName::parse(name));
    if !known.into_iter().any(|other| other == *file) {
        return None;
    }
    first_gap(&file.call_sign, siblings).filter(|gap| *gap < slot)
}

pub fn gap_words(call_sign: &str, gap: u32) -> String {
    format!(
        "the game's list for {call_sign} stops at the first missing slot, {gap:02}, until NEW SAVE GAME fills it"
    )
}
