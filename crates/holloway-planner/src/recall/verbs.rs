//! What kind of deed is a tool, or a clause? Things are looked up before they are booked,
//! and people are told at the end.

use std::sync::LazyLock;

use holloway_search::words::{each_word, stem};
use rustc_hash::FxHashMap;

/// In the order in which they are usually done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Find,
    Make,
    Pay,
    Change,
    Undo,
    Tell,
}

#[rustfmt::skip]
const WORDS: [(Kind, &[&str]); 6] = [
    (Kind::Find, &[
        "search", "query", "find", "check", "view", "look", "lookup", "inquire", "inquiry", "list", "browse",
        "retrieve", "discover", "recommend", "recommendation", "availability", "detail", "read", "show", "fetch",
        "locate", "explore", "compare", "track", "tracker", "tracking", "status",
    ]),
    (Kind::Make, &[
        "book", "booking", "create", "add", "place", "reserve", "reservation", "order", "request", "apply", "buy",
        "purchase", "register", "registration", "open", "write", "insert", "generate", "generator", "plan", "planner",
        "draft", "set", "schedule", "arrange", "record", "upload", "build", "play", "calculate", "compute",
        "calculator", "convert", "translate", "translation", "encrypt",
    ]),
    (Kind::Pay, &["pay", "payment", "checkout", "transfer", "recharge", "settle", "remittance", "repay", "repayment"]),
    (Kind::Change, &["change", "update", "modify", "modification", "edit", "adjust", "move", "reschedule", "replace", "rename"]),
    (Kind::Undo, &["cancel", "cancellation", "delete", "remove", "close", "undo", "refund", "return"]),
    (Kind::Tell, &[
        "send", "notify", "notification", "email", "message", "share", "report", "remind", "reminder", "confirm",
        "confirmation", "feedback", "complaint", "evaluate", "review", "post", "publish", "summarize", "sms",
    ]),
];

/// Words of names that say nothing about what a tool is for.
#[rustfmt::skip]
const GENERIC: [&str; 17] = [
    "api", "tool", "data", "get", "info", "information", "system", "service", "user", "manager", "manage", "function",
    "handler", "app", "v", "new", "all",
];

static KINDS: LazyLock<FxHashMap<String, Kind>> = LazyLock::new(|| {
    let words = WORDS.iter();
    words
        .flat_map(|(kind, words)| words.iter().map(|word| (stem(word), *kind)))
        .collect()
});

/// The kinds of deed that a text speaks of, one bit each.
pub(super) fn kinds(text: &str) -> u8 {
    let mut kinds = 0;
    each_word(text, |word| {
        if let Some(kind) = KINDS.get(&stem(word)) {
            kinds |= 1 << *kind as u8;
        }
    });
    kinds
}

/// How many clauses ask for something to be done; at least one.
pub(super) fn deeds(clauses: &[String]) -> usize {
    let deeds = clauses.iter().filter(|clause| kinds(clause) != 0);
    deeds.count().max(1)
}

/// The first kind of deed that a name speaks of.
pub(super) fn kind(name: &str) -> Option<Kind> {
    let mut first = None;
    each_word(name, |word| {
        first = first.or_else(|| KINDS.get(&stem(word)).copied());
    });
    first
}

/// Whether a word says what is done or nothing at all, rather than to what it is done.
pub(super) fn is_no_object(word: &str) -> bool {
    KINDS.contains_key(&stem(word)) || GENERIC.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_done() {
        assert_eq!(kind("flight_search"), Some(Kind::Find));
        assert_eq!(kind("bookings.cancelBooking"), Some(Kind::Make));
        assert_eq!(kind("weather"), None);
        assert!(is_no_object("searching") && is_no_object("api") && !is_no_object("flight"));
    }

    #[test]
    fn a_text_may_speak_of_several() {
        assert_eq!(kinds("search and pay"), 0b101);
        assert_eq!(kinds(""), 0);
    }
}
