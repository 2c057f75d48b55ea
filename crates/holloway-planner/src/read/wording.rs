//! What are arguments of tools that do not say what they do read from? The words of a request with
//! their places, read once. Only readers open them: others are handed spans and values.

use std::ops::Range;

use super::entities::Entity;
use super::stated::tokens::{Token, tokens};
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
    pub(super) text: String,
    /// The place of every clause.
    pub(super) parts: Vec<Range<usize>>,
    pub(super) tokens: Vec<Token>,
}

impl Wording {
    pub(super) fn new(text: String, parts: Vec<Range<usize>>, entities: &[Entity]) -> Self {
        Self {
            tokens: tokens(&text, entities),
            text,
            parts,
        }
    }

    /// In bytes.
    pub fn length(&self) -> usize {
        self.text.len()
    }

    /// Where words that were taken from it stand.
    pub(crate) fn place_of(&self, said: &str) -> Range<usize> {
        let at = self.text.find(said).unwrap_or_default();
        at..at + said.len()
    }

    /// A few words, as a reason tells them to a person.
    pub(crate) fn quote(&self, place: Range<usize>) -> Option<&str> {
        let said = self.text.get(place).unwrap_or_default();
        let said = said.trim_matches(QUOTES);
        (said.chars().count() <= LONG).then_some(said)
    }

    /// Whether the words before a file say that it is yet to be made.
    pub(crate) fn makes(&self, file: &Entity) -> bool {
        let before = self.text.get(..file.place.start).unwrap_or_default();
        let before = before.trim_end_matches(QUOTES).to_lowercase();
        let mut words = before.split_whitespace();
        let last = words.next_back().unwrap_or_default();
        MADE.contains(&last) || last == "to" && words.any(|word| STORES.contains(&word))
    }
}
