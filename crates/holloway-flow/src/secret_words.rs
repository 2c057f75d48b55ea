//! Which words tell a secret from everything else? One list, `secret_words.txt`, for all who ask:
//! what of a request is kept, which inputs are secret, which settings are remembered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static LISTS: LazyLock<BTreeMap<&'static str, BTreeSet<&'static str>>> =
    LazyLock::new(|| read(include_str!("secret_words.txt")));

/// A section of the list; what each is for stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Names,
    Places,
    Opening,
    Spoken,
    Marks,
    Doors,
    Begins,
    Telling,
    Parts,
    Said,
    Perhaps,
    Phrases,
    Links,
    About,
    Schemes,
    States,
}

impl List {
    fn name(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Places => "places",
            Self::Opening => "opening",
            Self::Spoken => "spoken",
            Self::Marks => "marks",
            Self::Doors => "doors",
            Self::Begins => "begins",
            Self::Telling => "telling",
            Self::Parts => "parts",
            Self::Said => "said",
            Self::Perhaps => "perhaps",
            Self::Phrases => "phrases",
            Self::Links => "links",
            Self::About => "about",
            Self::Schemes => "schemes",
            Self::States => "states",
        }
    }

    pub(crate) fn has(self, word: &str) -> bool {
        self.words().any(|own| own == word)
    }

    pub(crate) fn words(self) -> impl Iterator<Item = &'static str> {
        LISTS.get(self.name()).into_iter().flatten().copied()
    }
}

/// Whether a text begins like the key of a well-known service.
pub fn begins_like_a_key(text: &str) -> bool {
    List::Begins.words().any(|start| text.starts_with(start))
}

fn read(text: &'static str) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut lists: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut section = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match line
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
        {
            Some(name) => section = name,
            None => lists
                .entry(section)
                .or_default()
                .extend(line.split_whitespace()),
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [List; 16] = [
        List::Names,
        List::Places,
        List::Opening,
        List::Spoken,
        List::Marks,
        List::Doors,
        List::Begins,
        List::Telling,
        List::Parts,
        List::Said,
        List::Perhaps,
        List::Phrases,
        List::Links,
        List::About,
        List::Schemes,
        List::States,
    ];

    #[test]
    fn every_section_is_read_and_none_is_left_over() {
        let known: BTreeSet<&str> = ALL.iter().map(|list| list.name()).collect();
        let found: BTreeSet<&str> = LISTS
            .keys()
            .copied()
            .filter(|name| !name.is_empty())
            .collect();
        assert_eq!(found, known);
        for list in ALL {
            assert!(list.words().count() >= 3, "{list:?}");
        }
    }

    #[test]
    fn the_lists_do_not_contradict_each_other() {
        for word in List::Names.words() {
            assert!(!List::Telling.has(word), "{word} stands in [names] already");
            assert!(!List::Doors.has(word), "{word} stands in [names] already");
        }
        for word in List::Said.words() {
            assert!(List::Names.has(word), "{word} is missing in [names]");
            assert!(!List::Perhaps.has(word), "{word} stands in [said] already");
        }
        for list in ALL {
            let is_plain = |word: &str| word == word.to_lowercase();
            let exact = matches!(list, List::Marks | List::Begins);
            assert!(exact || list.words().all(is_plain), "{list:?}");
        }
    }
}
