//! What does a check look for? A rule has a stable name and a domain; what it says, how much
//! it matters and how it is mended stands in `data/rules`. A finding is a rule broken in one place.

use serde::{Deserialize, Serialize};

use crate::finding::{Domain, Finding, Place};
use crate::texts::{self, Text};

/// Evidence is cut to this many characters: a person needs to recognise it, no more.
const EVIDENCE: usize = 200;

/// One thing that can be wrong.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Stable, lower case with hyphens, such as `title-missing`.
    pub name: &'static str,
    pub domain: Domain,
}

impl Rule {
    pub const fn seo(name: &'static str) -> Self {
        Self {
            name,
            domain: Domain::Seo,
        }
    }

    pub const fn performance(name: &'static str) -> Self {
        Self {
            name,
            domain: Domain::Performance,
        }
    }

    pub const fn accessibility(name: &'static str) -> Self {
        Self {
            name,
            domain: Domain::Accessibility,
        }
    }

    pub const fn security(name: &'static str) -> Self {
        Self {
            name,
            domain: Domain::Security,
        }
    }

    /// What the data files say about it.
    pub fn text(&self) -> &'static Text {
        texts::of(self.name)
    }

    /// The rule broken at `place`, as `evidence` shows.
    pub fn at(&self, place: Place, evidence: &str) -> Finding {
        let text = self.text();
        Finding {
            rule: self.name.to_owned(),
            domain: self.domain,
            severity: text.severity,
            place,
            evidence: shorten(evidence, EVIDENCE),
            mend: text.mend.clone(),
            reference: text.reference.clone(),
            saves: 0,
        }
    }

    /// The same for a file of so many bytes, a part of which mending saves.
    pub fn saving(&self, place: Place, evidence: &str, bytes: u64) -> Finding {
        let saves = (bytes as f64 * self.text().saves.clamp(0.0, 1.0)).round() as u64;
        Finding {
            saves,
            ..self.at(place, evidence)
        }
    }
}

/// A guess at what mending takes, once, for the whole site.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A setting or one line in a template.
    Low,
    /// A change per page or per component.
    #[default]
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
