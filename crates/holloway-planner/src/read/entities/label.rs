//! Which word does an entity stand with? "limit" in "a limit of 5", "articles" in
//! "5 articles", "artist" in "the artist Drake".

use holloway_search::words::is_empty_word;

use super::super::verbs::is_verb;
use super::{Entity, EntityKind};
use crate::lexicon::lists::{List, Pairs};

/// Words between an entity and the word it stands with.
static BETWEEN: List = List::named("entity_label.between");
/// How something is called, and what that is of it.
static CALLS: Pairs = Pairs::named("entity_label.calls");
static ARTICLES: List = List::named("entity_label.articles");
const WINDOW: usize = 64;

pub(crate) fn label(text: &str, entity: &Entity) -> Option<String> {
    if matches!(entity.kind, EntityKind::Number | EntityKind::Quantity)
        && let Some(after) = after(text, entity)
    {
        return Some(after);
    }
    before(text, entity)
}

fn after(text: &str, entity: &Entity) -> Option<String> {
    let rest = text.get(entity.place.end..)?;
    let rest = rest.strip_prefix(' ')?;
    let end = rest
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(rest.len());
    word(rest.get(..end)?, false)
}

fn before(text: &str, entity: &Entity) -> Option<String> {
    let mut start = entity.place.start.saturating_sub(WINDOW);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..entity.place.start)?;
    // A point inside a name of a file ends no sentence.
    let ends = ['.', '!', '?', ';', ',', '\n'];
    let breaks = |(at, mark): (usize, char)| {
        let after = before
            .get(at + mark.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        (ends.contains(&mark) && after.is_none_or(char::is_whitespace)).then_some(at)
    };
    let from = before.char_indices().rev().find_map(breaks);
    let sentence = before.get(from.map_or(0, |at| at + 1)..)?;
    let mut words =
        sentence.split(|letter: char| !letter.is_alphanumeric() && !"_.".contains(letter));
    let said = |word: &&str| !word.is_empty() && !BETWEEN.contains(&word.to_lowercase().as_str());
    let called = sentence
        .split_whitespace()
        .next_back()
        .map(str::to_lowercase);
    let last = words.rfind(said)?;
    // After an article, what could be a verb is none: "with the message …".
    let is_noun = words
        .rfind(|word| !word.is_empty())
        .is_some_and(|word| ARTICLES.contains(&word.to_lowercase().as_str()));
    let label = word(last, is_noun)?;
    // What something is called is its name, not the thing.
    let what = called.and_then(|called| CALLS.of(&called));
    Some(match what {
        Some(what) => format!("{label} {what}"),
        None => label,
    })
}

/// A word that can be a name for something.
fn word(word: &str, is_noun: bool) -> Option<String> {
    let word = word.to_lowercase();
    let says_nothing = word.chars().count() < 2
        || is_empty_word(&word)
        || !is_noun && is_verb(&word)
        || word
            .chars()
            .any(|letter| letter == '.' || letter.is_numeric());
    (!says_nothing).then_some(word)
}
