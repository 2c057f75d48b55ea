//! What is done, by a clause or by the name of a tool? The words stand in `data/en/deeds.toml`.

use std::sync::LazyLock;

use holloway_search::words::{each_word, stem};
use rustc_hash::FxHashSet;
use serde::Deserialize;

use crate::read::verbs::{Lead, lead};

/// The file of words; those that are compared by stem become stems.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    joints: FxHashSet<String>,
    identifiers: FxHashSet<String>,
    finding: FxHashSet<String>,
    doing: FxHashSet<String>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    // A test reads it.
    let read = toml::from_str(include_str!("../../data/en/deeds.toml"));
    let mut lists: Lists = read.unwrap_or_default();
    for list in [&mut lists.identifiers, &mut lists.finding, &mut lists.doing] {
        *list = list.iter().map(|word| stem(word)).collect();
    }
    lists
});

/// What kind of deed it is: only finding comes before all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Find,
    Other,
}

/// How many clauses ask for something to be done; at least one.
pub(super) fn deeds(clauses: &[String]) -> usize {
    let deeds = clauses.iter().filter(|clause| deed(clause).is_some());
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

/// The first deed that a text speaks of.
pub(super) fn deed(text: &str) -> Option<Deed> {
    let mut first = None;
    each_word(text, |word| {
        let stem = stem(word);
        let finds = LISTS.finding.contains(&stem).then_some(Deed::Find);
        let does = || LISTS.doing.contains(&stem).then_some(Deed::Other);
        first = first.or(finds).or_else(does);
    });
    first
}

/// Whether a stem, the last of a name, says that only another tool can know the value.
pub(super) fn is_identifier(stem: &str) -> bool {
    LISTS.identifiers.contains(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_done() {
        assert_eq!(deed("flight_search"), Some(Deed::Find));
        assert_eq!(deed("bookings.cancelBooking"), Some(Deed::Other));
        assert_eq!(deed("weather"), None);
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
