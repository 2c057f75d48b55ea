//! By which words is a text known that gives orders? `phrases.json` has them, for a person to read and
//! correct; the language of its patterns is explained in `pattern.rs`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// A file that cannot be read finds nothing; a test sees to it that it can.
pub(super) static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let read = serde_json::from_str(include_str!("phrases.json"));
    read.unwrap_or_default()
});

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phrases {
    #[serde(rename = "about")]
    _about: String,
    pub(super) orders: Written,
    pub(super) unparted: Unparted,
    pub(super) other_tools: Written,
    /// Words around a foreign name that make it more than a mention.
    pub(super) directing: Words,
    /// Words that demand something while a tool is called.
    pub(super) demanding: Words,
    pub(super) calling: Words,
    /// Words by which a sentence forbids what it names.
    pub(super) forbidding: Words,
}

/// Patterns as they are written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// Words by the name that stands for them in braces.
    sets: BTreeMap<String, String>,
    groups: Vec<Group>,
}

impl Written {
    /// Every pattern with the words of its sets.
    pub(super) fn full(&self) -> impl Iterator<Item = String> {
        let patterns = self.groups.iter().flat_map(|group| &group.patterns);
        patterns.map(|pattern| {
            let sets = self.sets.iter();
            sets.fold(pattern.clone(), |full, (name, words)| {
                full.replace(&format!("{{{name}}}"), words)
            })
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    #[serde(rename = "about")]
    _about: String,
    patterns: Vec<String>,
}

/// Words of scripts that do not part them: one of each list near each other.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unparted {
    #[serde(rename = "about")]
    _about: String,
    pub(super) groups: Vec<Vec<Vec<String>>>,
}

/// Words with blanks between them.
#[derive(Default, Deserialize)]
pub(super) struct Words(String);

impl Words {
    pub(super) fn contains(&self, word: &str) -> bool {
        self.0.split(' ').any(|own| own == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_and_no_name_of_a_set_is_left_over() {
        let phrases: Phrases = serde_json::from_str(include_str!("phrases.json")).unwrap();
        assert!(!phrases.unparted.groups.is_empty() && phrases.forbidding.contains("never"));
        for written in [&phrases.orders, &phrases.other_tools] {
            let mut patterns = written.full().peekable();
            assert!(patterns.peek().is_some());
            assert_eq!(patterns.find(|pattern| pattern.contains(['{', '}'])), None);
        }
    }
}
