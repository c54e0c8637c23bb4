//! What a check finds in a save that opens: damage D1 to D8 and warnings W1 to W9. dreamfactory.md 13.

mod damage;
mod variables;
mod warnings;

use super::save::DreamSave;
use crate::tree::{Finding, Weight};

/// Takes findings one after the other.
pub struct Report {
    found: Vec<Finding>,
}

impl Report {
    /// A finding about the node at `path` and the byte at `at` of the image.
    fn tell(
        &mut self,
        weight: Weight,
        code: &'static str,
        path: impl Into<String>,
        at: usize,
        text: impl Into<String>,
    ) {
        self.add(Finding::new(code, weight, text).path(path).offset(at));
    }
    fn add(&mut self, finding: Finding) {
        self.found.push(finding);
    }
}

pub fn all(save: &DreamSave) -> Vec<Finding> {
    let mut report = Report { found: Vec::new() };
    damage::check(save, &mut report);
    variables::check(save, &mut report);
    warnings::check(save, &mut report);
    report.found
}
