//! What does a check look for? A rule has a stable name, says how much it matters, what
//! mending costs and how it is done; a finding is a rule broken in one place.

use serde::{Deserialize, Serialize};

use crate::finding::{Domain, Finding, Place, Severity};

/// Evidence is cut to this many characters: a person needs to recognise it, no more.
const EVIDENCE: usize = 200;

/// One thing that can be wrong.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Stable, lower case with hyphens, such as `title-missing`.
    pub name: &'static str,
    /// What is to be done, as a line of an action plan, such as `Give every page a title`.
    pub title: &'static str,
    pub domain: Domain,
    pub severity: Severity,
    pub effort: Effort,
    /// How to mend it, as an instruction.
    pub mend: &'static str,
    /// What it rests on, such as `RFC 6797`; empty where it is only good practice.
    pub reference: &'static str,
}

/// Declares a rule: name, severity, effort, title, how to mend it, reference.
macro_rules! declare {
    ($function:ident, $domain:ident) => {
        /// A rule of this domain, without the names of its fields.
        pub const fn $function(
            name: &'static str,
            severity: Severity,
            effort: Effort,
            title: &'static str,
            mend: &'static str,
            reference: &'static str,
        ) -> Self {
            Self {
                name,
                title,
                domain: Domain::$domain,
                severity,
                effort,
                mend,
                reference,
            }
        }
    };
}

impl Rule {
    declare!(seo, Seo);
    declare!(performance, Performance);
    declare!(accessibility, Accessibility);
    declare!(security, Security);

    /// The rule broken at `place`, as `evidence` shows.
    pub fn at(&self, place: Place, evidence: &str) -> Finding {
        Finding {
            rule: self.name.to_owned(),
            domain: self.domain,
            severity: self.severity,
            place,
            evidence: shorten(evidence, EVIDENCE),
            mend: self.mend.to_owned(),
            reference: self.reference.to_owned(),
        }
    }
}

/// A guess at what mending takes, once, for the whole site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A setting or one line in a template.
    Low,
    /// A change per page or per component.
    Medium,
    /// Work on content, build or design.
    High,
}

/// At most `limit` characters on one line, with `…` where something was left out.
pub fn shorten(text: &str, limit: usize) -> String {
    let mut short = String::with_capacity(text.len().min(limit * 4));
    let mut count = 0;
    let mut gap = false;
    for character in text.chars() {
        if character.is_whitespace() || character.is_control() {
            gap = count > 0;
            continue;
        }
        let needed = if gap { 2 } else { 1 };
        if count + needed > limit.saturating_sub(1) {
            short.push('…');
            return short;
        }
        if gap {
            short.push(' ');
        }
        short.push(character);
        count += needed;
        gap = false;
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_and_gaps_are_closed() {
        for (text, limit, expected) in [
            ("", 5, ""),
            ("  a \n b\t", 9, "a b"),
            ("abcdef", 4, "abc…"),
            ("abc", 4, "abc"),
            ("äöüß!", 4, "äöü…"),
            ("a\u{0}b", 9, "a b"),
            ("anything", 0, "…"),
        ] {
            assert_eq!(shorten(text, limit), expected, "{text:?}");
        }
    }
}
