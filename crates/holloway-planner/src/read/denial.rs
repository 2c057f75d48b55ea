//! What is not to be done? Clauses whose verb is denied: "do not delete it", "but never
//! send it", "without changing it".

use std::ops::Range;

use super::verbs::is_verb;
use crate::lexicon::lists::{List, Patterns};

static DENIED: Patterns = Patterns::named("read_denial.denied");
static TAIL: Patterns = Patterns::named("read_denial.tail");

/// Does a clause say what is not to be done?
pub(crate) fn is_denied(said: &str) -> bool {
    let hit = DENIED.iter().find_map(|rule| rule.captures(said));
    let verb = hit.and_then(|hit| hit.name("verb"));
    verb.is_some_and(|verb| is_any_verb(verb.as_str()))
}

/// A clause without what it says is not to be done.
pub(crate) fn without_denial(text: &str, place: Range<usize>) -> Range<usize> {
    let said = text.get(place.clone()).unwrap_or_default();
    let hits = TAIL.iter().flat_map(|rule| rule.captures_iter(said));
    let mut cuts = hits.filter_map(|hit| {
        let verb = hit.name("verb")?;
        (hit.name("exception").is_some() || is_any_verb(verb.as_str()))
            .then_some(hit.get(0)?.start())
    });
    match cuts.next() {
        Some(cut) => place.start..place.start + cut,
        None => place,
    }
}

/// A verb, also as in "deleting" and "removing".
fn is_any_verb(word: &str) -> bool {
    static MORE: List = List::named("read_denial.more");
    let known = |word: &str| is_verb(word) || MORE.contains(&word);
    let word = word.to_lowercase();
    let Some(stem) = word.strip_suffix("ing") else {
        return known(&word);
    };
    let mut letters = stem.chars();
    letters.next_back();
    known(stem) || known(&format!("{stem}e")) || known(letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(said: &str, denied: bool, left: &str) {
        assert_eq!(is_denied(said), denied, "{said}");
        let place = without_denial(said, 0..said.len());
        assert_eq!(said.get(place), Some(left));
    }

    #[test]
    fn what_is_not_to_be_done_is_told_from_what_is() {
        check("do not delete old.txt", true, "do not delete old.txt");
        check("please don't send it", true, "please don't send it");
        check("without deleting it", true, "without deleting it");
        check("never mind", false, "never mind");
        check("delete old.txt", false, "delete old.txt");
        check("tidy up without removing old.txt", false, "tidy up");
        check("delete a.txt but not b.txt", false, "delete a.txt");
        check(
            "find flights without stops",
            false,
            "find flights without stops",
        );
    }
}
