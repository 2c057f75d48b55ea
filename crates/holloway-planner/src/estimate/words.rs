//! Which words tell what a tool does outside? They stand in `data/en/outside.toml`.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

pub(super) type List = FxHashSet<String>;

/// The words, by what they tell.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub(super) address: List,
    pub(super) path: List,
    pub(super) recipient: List,
    pub(super) direction: List,
    pub(super) before_direction: List,
    pub(super) given: List,
    pub(super) attached: List,
    pub(super) private: List,
    pub(super) strangers: List,
    pub(super) getting: List,
    pub(super) fetching: List,
    pub(super) sending: List,
    pub(super) anything: List,
    pub(super) services: List,
    pub(super) whole: List,
    verbs: Vec<Verbs>,
}

/// How a verb is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Manner {
    Plain,
    Sends,
    Adds,
    Combines,
    Executes,
    Runs,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verbs {
    manner: Manner,
    /// The verb and its third person.
    third: FxHashMap<String, String>,
}

impl Words {
    pub(super) fn english() -> &'static Self {
        // A test reads them; without them nothing is told of tools.
        static WORDS: LazyLock<Words> = LazyLock::new(|| {
            toml::from_str(include_str!("../../data/en/outside.toml")).unwrap_or_default()
        });
        &WORDS
    }

    /// A verb in the third person, and how it is told.
    pub(super) fn verb(&self, word: &str) -> Option<(&str, Manner)> {
        let mut lists = self.verbs.iter();
        lists.find_map(|list| Some((list.third.get(word)?.as_str(), list.manner)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_can_be_read() {
        let words: Words = toml::from_str(include_str!("../../data/en/outside.toml")).unwrap();
        assert_eq!(words.verb("merge"), Some(("merges", Manner::Combines)));
        assert_eq!(words.verb("write"), Some(("writes", Manner::Plain)));
        assert_eq!(words.verb("weather"), None);
        assert!(words.private.contains("payroll"));
    }
}
