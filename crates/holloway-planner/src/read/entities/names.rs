//! Which people, places and products are named? Words with capitals that do not merely
//! begin a sentence.

use std::ops::Range;

use serde_json::json;

use super::EntityKind;
use super::Found;
use crate::lexicon::lists::List;

/// Joins two words with capitals to one name.
static JOINS: List = List::named("entity_names.joins");
/// Words with capitals that name nothing.
static NO_NAMES: List = List::named("entity_names.no_names");
const WORDS_AT_MOST: usize = 6;

pub(crate) fn find(found: &mut Found<'_>) {
    let words = words(found.text);
    if is_shouted(found.text, &words) {
        return;
    }
    let mut next = 0;
    while next < words.len() {
        let (place, after) = name(found, &words, next);
        next = after.max(next + 1);
        if let Some(place) = place
            && let Some(text) = found.text.get(place.clone())
        {
            found.add(EntityKind::Name, place, json!(text), None);
        }
    }
}

/// The name that begins at a word, and the word after it.
fn name(found: &Found<'_>, words: &[Range<usize>], first: usize) -> (Option<Range<usize>>, usize) {
    let text = found.text;
    let at = |place: usize| words.get(place).and_then(|range| text.get(range.clone()));
    let is_part = |place: usize| {
        let range = words.get(place).cloned().unwrap_or_default();
        at(place).is_some_and(has_capital) && found.is_free(range)
    };
    if !is_part(first) {
        return (None, first + 1);
    }
    let word = at(first).unwrap_or_default();
    let begins = begins_sentence(text, words.get(first).map_or(0, |range| range.start));
    if NO_NAMES.contains(&word) || begins && !is_acronym(word) {
        return (None, first + 1);
    }
    let mut last = first;
    while last + 1 < words.len() && last - first < WORDS_AT_MOST {
        let gap = |one: usize, other: usize| {
            let end = words.get(one).map(|range| range.end)?;
            text.get(end..words.get(other)?.start)
        };
        let is_next = |one: usize, other: usize| {
            is_part(other)
                && gap(one, other) == Some(" ")
                && at(other).is_some_and(|it| !NO_NAMES.contains(&it))
        };
        if is_next(last, last + 1) {
            last += 1;
        } else if at(last + 1).is_some_and(|it| JOINS.contains(&it))
            && gap(last, last + 1) == Some(" ")
            && is_next(last + 1, last + 2)
        {
            last += 2;
        } else {
            break;
        }
    }
    let start = words.get(first).map(|range| range.start);
    let end = words.get(last).map(|range| range.end);
    let place = start.zip(end).map(|(start, end)| start..end);
    let place = place.map(|place| without_possessive(text, place));
    (place, last + 1)
}

/// Words with the letters, digits and marks that names have.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    let is_inside = |letter: char| letter.is_alphanumeric() || "'’-&_".contains(letter);
    for (at, letter) in text.char_indices() {
        match (start, is_inside(letter)) {
            (None, true) => start = Some(at),
            (Some(begin), false) => {
                words.push(begin..at);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(begin) = start {
        words.push(begin..text.len());
    }
    words
}

fn has_capital(word: &str) -> bool {
    let mut letters = word.chars();
    let first = letters.next();
    let capitals = word.chars().filter(|letter| letter.is_uppercase()).count();
    first.is_some_and(char::is_uppercase) && word.chars().any(char::is_alphabetic)
        || capitals >= 1 && first.is_some_and(char::is_alphabetic) && !word.contains('_')
}

fn is_acronym(word: &str) -> bool {
    word.chars().filter(|letter| letter.is_uppercase()).count() >= 2
}

/// Nothing stands before it in its sentence.
fn begins_sentence(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let bare = before.trim_end_matches([' ', '\t', '"', '“', '‘', '\'', '(', '[', '-', '*', '•']);
    bare.is_empty() || bare.ends_with(['.', '!', '?', ':', '\n', '\r', '。', '！', '？'])
}

fn without_possessive(text: &str, place: Range<usize>) -> Range<usize> {
    let name = text.get(place.clone()).unwrap_or_default();
    let bare = ["'s", "’s", "'", "’"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    place.start..place.start + bare.unwrap_or(name).len()
}

/// A text in capitals throughout names nothing by them.
fn is_shouted(text: &str, words: &[Range<usize>]) -> bool {
    const FEW: usize = 5;
    let spelled = words.iter().filter_map(|range| text.get(range.clone()));
    let spelled = spelled.filter(|word| word.chars().any(char::is_alphabetic));
    let (mut all, mut capital) = (0, 0);
    for word in spelled {
        all += 1;
        capital += usize::from(has_capital(word));
    }
    all >= FEW && capital * 10 > all * 7
}
