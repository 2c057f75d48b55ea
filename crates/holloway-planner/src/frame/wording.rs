//! What are arguments of tools that do not say what they do read from? The words of a request with
//! their places, read once. Only readers open them: others are handed spans and values.

use std::ops::Range;

use serde_json::Value;

use super::{Entity, EntityKind};
use crate::lexicon::lists::List;

/// Words before a file that is yet to be made, and verbs after which "to" is such a word.
static MADE: List = List::named("tools_sessions.made");
static STORES: List = List::named("tools_sessions.stores");
/// Marks around something that is quoted.
const QUOTES: [char; 10] = ['"', '\'', '“', '„', '”', '‘', '’', '«', '»', '`'];
/// More characters are not quoted to people.
const LONG: usize = 60;

/// The words of a frame with goals outside the table of acts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wording {
    words: Words,
}

/// The words themselves. A tidy test keeps them to readers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Words {
    pub(crate) text: String,
    /// The place of every clause.
    pub(crate) parts: Vec<Range<usize>>,
    pub(crate) tokens: Vec<Token>,
}

/// A word, or something that the request names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) place: Range<usize>,
    /// As data where the request names it, otherwise as written.
    pub(crate) value: Value,
    pub(crate) lower: String,
    pub(crate) stem: String,
    pub(crate) kind: Option<EntityKind>,
    pub(crate) label: Option<String>,
    /// A mark stands between it and the next word.
    pub(crate) stops: bool,
    /// That mark is a comma.
    pub(crate) comma: bool,
}

impl Wording {
    pub(crate) fn new(words: Words) -> Self {
        Self { words }
    }

    pub(crate) fn open_words(&self) -> &Words {
        &self.words
    }

    /// In bytes.
    pub fn length(&self) -> usize {
        self.words.text.len()
    }

    /// Where words that were taken from it stand.
    pub(crate) fn place_of(&self, said: &str) -> Range<usize> {
        let at = self.words.text.find(said).unwrap_or_default();
        at..at + said.len()
    }

    /// A few words, as a reason tells them to a person.
    pub(crate) fn quote(&self, place: Range<usize>) -> Option<&str> {
        let said = self.words.text.get(place).unwrap_or_default();
        let said = said.trim_matches(QUOTES);
        (said.chars().count() <= LONG).then_some(said)
    }

    /// Whether the words before a file say that it is yet to be made.
    pub(crate) fn makes(&self, file: &Entity) -> bool {
        let before = self.words.text.get(..file.place.start).unwrap_or_default();
        let before = before.trim_end_matches(QUOTES).to_lowercase();
        let mut words = before.split_whitespace();
        let last = words.next_back().unwrap_or_default();
        MADE.contains(&last) || last == "to" && words.any(|word| STORES.contains(&word))
    }
}
