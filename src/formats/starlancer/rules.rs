//! What a save has to keep. starlancer.md 9, and what sections 3 to 11 say of single values; a rule's code is R and
//! its number there, or S and the section. An edit meets the rules whose values it changes, on the save as it is
//! afterwards.

mod table;

use super::Campaign;
use super::facts::Facts;
use crate::codec::codepage::CodePage;
use crate::tree::Refusal;
use table::RULES;

/// What becomes of an edit that breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Refused, unless forced.
    Refuse,
    /// Told, and found by a check.
    Warn,
    /// Told when an edit brings it about.
    Inform,
}

/// One rule.
pub struct Rule {
    pub code: &'static str,
    pub level: Level,
    /// The node that it is about.
    pub path: &'static str,
    /// The values that it looks at.
    subject: fn(&Scene) -> Vec<i64>,
    /// Those of them that must obey it whenever they are written.
    strict: fn(&Scene) -> Vec<i64>,
    /// What is wrong, and what would be right.
    breach: fn(&Scene) -> Option<Breach>,
}

/// What is wrong with a save, and what would be legal.
pub struct Breach {
    pub why: String,
    pub legal: String,
}

impl Breach {
    fn new(why: impl Into<String>) -> Option<Breach> {
        Some(Breach {
            why: why.into(),
            legal: String::new(),
        })
    }
    /// What is wrong with each of some things; None of none.
    fn listed(why: &str, things: &[String]) -> Option<Breach> {
        let list = things.join(", ");
        (!things.is_empty()).then(|| Breach {
            why: format!("{why}: {list}"),
            legal: String::new(),
        })
    }
    fn legal(why: impl Into<String>, legal: impl Into<String>) -> Option<Breach> {
        Some(Breach {
            why: why.into(),
            legal: legal.into(),
        })
    }
}

/// A save and the values of it that rules look at.
pub struct Scene<'a> {
    save: &'a Campaign,
    facts: Facts,
}

impl<'a> Scene<'a> {
    pub fn of(save: &'a Campaign) -> Scene<'a> {
        Scene {
            save,
            facts: Facts::of(save),
        }
    }
    fn slot(&self) -> Option<u32> {
        self.save.place.file.as_ref()?.slot
    }
    fn mods(&self) -> Option<&str> {
        let mut companions = self.save.place.companions().into_iter();
        companions.find(|name| name.to_ascii_lowercase().ends_with(".mods"))
    }
    fn name(&self) -> String {
        let bytes = self.save.name().unwrap_or_default();
        CodePage::Windows1252.decode(bytes)
    }
}

/// The rules that a save breaks.
pub fn broken(save: &Campaign) -> Vec<(&'static Rule, Breach)> {
    let scene = Scene::of(save);
    let breach = |rule: &'static Rule| Some((rule, (rule.breach)(&scene)?));
    RULES.iter().filter_map(breach).collect()
}

/// Looks at an edit as a whole.
///
/// # Errors
/// The first rule that it may not break, with the value that it is about.
pub fn review(
    before: &Campaign,
    after: &Campaign,
    force: bool,
) -> Result<Vec<String>, (Refusal, &'static Rule)> {
    let (before, after) = (Scene::of(before), Scene::of(after));
    let mut told = Vec::new();
    for rule in RULES {
        if (rule.subject)(&before) == (rule.subject)(&after) {
            continue;
        }
        let Some(breach) = (rule.breach)(&after) else {
            continue;
        };
        let held = (rule.breach)(&before).is_none();
        let is_strict = (rule.strict)(&before) != (rule.strict)(&after);
        let refused = rule.level == Level::Refuse && (held || is_strict);
        if refused && !force {
            let why = format!("{} ({})", breach.why, rule.code);
            let refusal = Refusal::invalid(why).legal(breach.legal).forcible();
            return Err((refusal, rule));
        }
        // A refusal that is forced and new shows as a finding already.
        if rule.level != Level::Refuse || !held {
            told.push(format!("{}: {}: {}", rule.code, rule.path, breach.why));
        }
    }
    Ok(told)
}

const fn rule(
    code: &'static str,
    level: Level,
    path: &'static str,
    subject: fn(&Scene) -> Vec<i64>,
    breach: fn(&Scene) -> Option<Breach>,
) -> Rule {
    Rule {
        code,
        level,
        path,
        subject,
        strict: subject,
        breach,
    }
}
