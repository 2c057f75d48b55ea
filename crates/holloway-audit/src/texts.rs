//! What do the rules say? Texts, severities and efforts from `data/rules`, and where each rule
//! can be read about from `data/references.toml`. Read once, at the first use.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::finding::Severity;
use crate::rule::Effort;

/// The files of the domains.
const FILES: [&str; 4] = [
    include_str!("../data/rules/seo.toml"),
    include_str!("../data/rules/performance.toml"),
    include_str!("../data/rules/accessibility.toml"),
    include_str!("../data/rules/security.toml"),
];
const REFERENCES: &str = include_str!("../data/references.toml");

/// What is known about a rule beside its name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// What a person calls it, such as `Page without a title`.
    pub problem: String,
    /// Why it matters, as a sentence.
    pub why: String,
    pub severity: Severity,
    pub effort: Effort,
    /// What is to be done, as a line of an action plan, such as `Give every page a title`.
    pub action: String,
    /// How to mend it, as an instruction.
    pub mend: String,
    /// What it rests on, such as `RFC 6797`; empty where it is only good practice.
    #[serde(default)]
    pub reference: String,
    /// One place is enough to put the whole site at risk.
    #[serde(default)]
    pub site: bool,
    /// The share of the bytes of a file that mending saves.
    #[serde(default)]
    pub saves: f64,
    /// Where it can be read about.
    #[serde(skip)]
    pub link: String,
}

#[derive(Default, Deserialize)]
struct References {
    references: BTreeMap<String, String>,
    rules: BTreeMap<String, String>,
}

static TEXTS: LazyLock<BTreeMap<String, Text>> = LazyLock::new(read);
static UNKNOWN: LazyLock<Text> = LazyLock::new(Text::default);

/// Tests read every file; a file that does not read leaves its rules without texts.
fn read() -> BTreeMap<String, Text> {
    let references: References = toml::from_str(REFERENCES).unwrap_or_default();
    let files = FILES.iter();
    let rules =
        files.flat_map(|file| toml::from_str::<BTreeMap<String, Text>>(file).unwrap_or_default());
    let linked = rules.map(|(name, mut text)| {
        let found = references.references.get(&text.reference);
        let found = found.or_else(|| references.rules.get(&name));
        text.link = found.map_or_else(String::new, |link| link.replace("{rule}", &name));
        (name, text)
    });
    linked.collect()
}

/// The texts of a rule; empty ones for a rule of a check elsewhere.
pub fn of(rule: &str) -> &'static Text {
    find(rule).unwrap_or(&UNKNOWN)
}

/// The texts of a rule, if it is one of ours.
pub fn find(rule: &str) -> Option<&'static Text> {
    TEXTS.get(rule)
}

/// The names of all rules with texts.
pub fn names() -> impl Iterator<Item = &'static str> {
    TEXTS.keys().map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_reads_and_every_rule_is_told_fully() {
        for file in FILES {
            toml::from_str::<BTreeMap<String, Text>>(file).unwrap();
        }
        toml::from_str::<References>(REFERENCES).unwrap();
        for (name, text) in TEXTS.iter() {
            assert!(
                !text.action.ends_with('.') && text.action.chars().count() < 80,
                "{name}: {}",
                text.action
            );
            assert!(
                !text.problem.is_empty() && !text.problem.ends_with('.'),
                "{name}"
            );
            assert!(text.mend.ends_with('.'), "{name}: {}", text.mend);
            assert!(
                text.why.ends_with('.') || text.why.ends_with('”'),
                "{name}: {}",
                text.why
            );
            assert!(text.link.starts_with("https://"), "{name} has no link");
            assert!((0.0..=1.0).contains(&text.saves), "{name}");
        }
    }

    #[test]
    fn rules_of_the_code_are_those_of_the_files() {
        let declared: BTreeSet<&str> = crate::rules::all().map(|rule| rule.name).collect();
        let written: BTreeSet<&str> = names().collect();
        assert_eq!(declared, written);
    }
}
