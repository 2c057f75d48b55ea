//! What kind of deed is a tool, or a clause? Things are looked up before they are booked,
//! and people are told at the end. The words stand in `data/en/deeds.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use holloway_search::words::{each_word, stem};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::read::verbs::{Lead, lead};

/// In the order in which they are usually done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Find,
    Make,
    Pay,
    Change,
    Undo,
    Tell,
}

/// The file of words.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    joints: FxHashSet<String>,
    identifiers: Vec<String>,
    kinds: BTreeMap<Kind, Vec<String>>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    // A test reads it.
    toml::from_str(include_str!("../../data/en/deeds.toml")).unwrap_or_default()
});

static KINDS: LazyLock<FxHashMap<String, Kind>> = LazyLock::new(|| {
    let words = LISTS.kinds.iter();
    words
        .flat_map(|(kind, words)| words.iter().map(|word| (stem(word), *kind)))
        .collect()
});

static IDENTIFIERS: LazyLock<FxHashSet<String>> = LazyLock::new(|| {
    let words = LISTS.identifiers.iter();
    words.map(|word| stem(word)).collect()
});

/// How many clauses ask for something to be done; at least one.
pub(super) fn deeds(clauses: &[String]) -> usize {
    let deeds = clauses.iter().filter(|clause| kind(clause).is_some());
    deeds.count().max(1)
}

/// How many clauses begin by saying what to do.
pub(super) fn led(clauses: &[String]) -> usize {
    let verbs = clauses.iter().map(|clause| lead(clause));
    verbs
        .filter(|lead| matches!(lead, Lead::Verb { .. }))
        .count()
}

/// How many words join two things or lead to the next one.
pub(super) fn joints(text: &str) -> usize {
    let mut joints = 0;
    each_word(text, |word| {
        joints += usize::from(LISTS.joints.contains(word))
    });
    joints
}

/// The first kind of deed that a text speaks of.
pub(super) fn kind(text: &str) -> Option<Kind> {
    let mut first = None;
    each_word(text, |word| {
        first = first.or_else(|| KINDS.get(&stem(word)).copied());
    });
    first
}

/// Whether a stem, the last of a name, says that only another tool can know the value.
pub(super) fn is_identifier(stem: &str) -> bool {
    IDENTIFIERS.contains(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_done() {
        assert_eq!(kind("flight_search"), Some(Kind::Find));
        assert_eq!(kind("bookings.cancelBooking"), Some(Kind::Make));
        assert_eq!(kind("weather"), None);
        assert!(is_identifier(&stem("ids")) && !is_identifier("city"));
    }

    #[test]
    fn requests_tell_how_much_is_done() {
        let clauses = ["find a train", "a cheap one", "pay it"].map(str::to_owned);
        assert_eq!((deeds(&clauses), deeds(&[])), (2, 1));
        assert_eq!(led(&clauses), 2);
        assert_eq!(joints("Find a train and pay it, then also tell me"), 3);
    }
}
