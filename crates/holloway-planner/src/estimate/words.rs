//! Which words tell what a tool does outside, and how does its name read as a sentence? The words
//! stand in `data/en/outside.toml`.

use std::sync::LazyLock;

use holloway_search::words::each_word;
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
    pub(super) address_formats: List,
    pub(super) recipient_formats: List,
    /// How a noun is spelled in a sentence.
    pub(super) spelled: FxHashMap<String, String>,
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

/// A verb in the third person, and what it is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    pub(super) verb: &'static str,
    pub(super) manner: Manner,
    /// The other words of the name.
    pub(super) object: String,
}

/// What the name of a tool says it does; nothing when it names no deed. The verb may stand first
/// (`send_email`) or last (`email-send`).
pub(super) fn deed(name: &str) -> Option<Deed> {
    let mut words = Vec::new();
    each_word(name, |word| words.push(word.to_owned()));
    let third = |at: usize| Words::english().verb(words.get(at)?);
    let last = words.len().saturating_sub(1);
    let (at, (verb, manner)) = [0, last]
        .into_iter()
        .find_map(|at| Some((at, third(at)?)))?;
    words.remove(at);
    Some(Deed {
        verb,
        manner,
        object: words.join(" "),
    })
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

    #[test]
    fn the_verb_stands_first_or_last() {
        let check = |name: &str, expected: Option<(&str, &str)>| {
            let found = deed(name);
            let found = found.as_ref().map(|deed| (deed.verb, deed.object.as_str()));
            assert_eq!(found, expected, "{name}");
        };
        check("create_issue", Some(("creates", "issue")));
        check("email-send", Some(("sends", "email")));
        check("updateUserProfile", Some(("updates", "user profile")));
        check("run", Some(("runs", "")));
        check("weather", None);
        check("", None);
    }
}
