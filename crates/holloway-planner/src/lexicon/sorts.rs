//! Which sort of deed is a verb? Looking is not making, and making is not removing: a tool
//! that does another sort of thing does not do what was asked.

use std::sync::LazyLock;

use holloway_search::words::{each_word, stem};
use rustc_hash::FxHashMap;

use crate::lexicon::lists::Table;

/// Sorts of deeds, one bit each; a word may be of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sorts(u16);

impl Sorts {
    pub const LOOK: Self = Self(1);
    pub const MAKE: Self = Self(1 << 1);
    const CHANGE: Self = Self(1 << 2);
    pub const REMOVE: Self = Self(1 << 3);
    pub const SEND: Self = Self(1 << 4);
    pub const CONVERT: Self = Self(1 << 5);
    const DRAW: Self = Self(1 << 6);
    const RECKON: Self = Self(1 << 7);
    const RUN: Self = Self(1 << 8);

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Of this sort and no other.
    pub fn is_only(self, other: Self) -> bool {
        !self.is_empty() && self.0 & !other.0 == 0
    }

    fn named(name: &str) -> Self {
        match name {
            "look" => Self::LOOK,
            "make" => Self::MAKE,
            "change" => Self::CHANGE,
            "remove" => Self::REMOVE,
            "send" => Self::SEND,
            "convert" => Self::CONVERT,
            "draw" => Self::DRAW,
            "reckon" => Self::RECKON,
            "run" => Self::RUN,
            _ => Self::default(),
        }
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

static WORDS: Table = Table::named("action_sorts.words");

static SORTS: LazyLock<FxHashMap<String, Sorts>> = LazyLock::new(|| {
    let mut sorts: FxHashMap<String, Sorts> = FxHashMap::default();
    for (name, words) in WORDS.iter() {
        for word in words {
            let known = sorts.entry(stem(word)).or_default();
            *known = known.and(Sorts::named(name));
        }
    }
    sorts
});

pub fn sorts_of_word(word: &str) -> Sorts {
    SORTS.get(&stem(word)).copied().unwrap_or_default()
}

/// The sorts of the first verb in a name: what comes after it may be a noun.
pub fn sorts_of_words(text: &str) -> Sorts {
    let mut sorts = Sorts::default();
    each_word(text, |word| {
        if sorts.is_empty() {
            sorts = sorts_of_word(word);
        }
    });
    sorts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_the_sorts_of_its_first_verb() {
        assert!(sorts_of_words("git_create_branch").meets(sorts_of_word("make")));
        assert!(!sorts_of_words("delete_file").meets(sorts_of_word("write")));
        assert!(sorts_of_words("delete_note").is_only(Sorts::REMOVE));
        assert!(sorts_of_words("weather").is_empty());
    }

    #[test]
    fn every_row_is_a_sort() {
        for (name, _) in WORDS.iter() {
            assert!(!Sorts::named(name).is_empty(), "{name}");
        }
    }
}
