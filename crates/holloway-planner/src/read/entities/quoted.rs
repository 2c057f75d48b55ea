//! Which words are quoted? Straight and curly marks; an apostrophe inside or at the end
//! of a word is none. A quoted address, file or date is left to the rule that knows it.

use serde_json::json;

use super::EntityKind;
use super::{Found, dates, web};
use crate::lexicon::lists::List;

const PAIRS: [(char, char); 6] = [
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('‘', '’'),
    ('`', '`'),
];
/// A longer text without a closing mark is none.
const BYTES_AT_MOST: usize = 600;

pub(crate) fn find(found: &mut Found<'_>) {
    let text = found.text;
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(mark) = rest.chars().next() else {
            return;
        };
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let end = closing(mark, before, rest);
        let inner = at + mark.len_utf8();
        at = match end {
            Some(length) => {
                add(found, inner, inner + length, mark);
                // Past the closing mark; a step inside it would not be a character.
                let after = text
                    .get(inner + length..)
                    .and_then(|text| text.chars().next());
                inner + length + after.map_or(0, char::len_utf8)
            }
            None => inner,
        };
    }
}

/// How long the quoted text after this mark is.
fn closing(mark: char, before: Option<char>, rest: &str) -> Option<usize> {
    let inner = rest.get(mark.len_utf8()..)?;
    let stands_apart = before.is_none_or(|letter| !letter.is_alphanumeric());
    if mark == '\'' {
        let begins = inner.chars().next().is_some_and(|it| !it.is_whitespace());
        return (stands_apart && begins).then(|| apostrophe(inner))?;
    }
    let (_, close) = PAIRS.iter().find(|(open, _)| *open == mark)?;
    if mark != '‘' {
        let end = inner
            .char_indices()
            .take_while(|(at, _)| *at < BYTES_AT_MOST);
        let mut end = end.filter(|(_, letter)| letter == close);
        return end.next().map(|(at, _)| at);
    }
    stands_apart.then(|| single(inner, '’'))?
}

fn apostrophe(inner: &str) -> Option<usize> {
    single(inner, '\'')
}

/// The end of words in single marks: not between letters, not after a space.
fn single(inner: &str, close: char) -> Option<usize> {
    let mut before = ' ';
    let mut letters = inner.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if at > BYTES_AT_MOST || letter == '\n' {
            return None;
        }
        let next = letters.peek().map(|(_, next)| *next);
        let ends = next.is_none_or(|next| !next.is_alphanumeric());
        if letter == close && ends && !before.is_whitespace() {
            return Some(at);
        }
        before = letter;
    }
    None
}

fn add(found: &mut Found<'_>, start: usize, end: usize, mark: char) {
    let Some(inner) = found.text.get(start..end) else {
        return;
    };
    let trimmed = inner.trim();
    if trimmed.is_empty() || web::is_whole(trimmed) || dates::is_whole(trimmed) {
        return;
    }
    if web::is_name_with_blanks(trimmed) && !gives_text(found.text.get(..start)) {
        let start = start + (inner.len() - inner.trim_start().len());
        let place = start..start + trimmed.len();
        return found.add(EntityKind::File, place, json!(trimmed), None);
    }
    let place = start - mark.len_utf8()..end + mark.len_utf8();
    // The marks belong to it, so that no other rule takes what is between them.
    let place = if found.text.is_char_boundary(place.end) && place.end <= found.text.len() {
        place
    } else {
        start..end
    };
    found.add(EntityKind::Quoted, place, json!(inner), None);
}

/// Whether the words before a mark say that a text comes, which may well end with the name of
/// a file.
fn gives_text(before: Option<&str>) -> bool {
    static GIVE: List = List::named("entity_quoted.give");
    let last = before
        .unwrap_or_default()
        .rsplit(|letter: char| !letter.is_alphanumeric())
        .find(|word| !word.is_empty());
    last.is_some_and(|last| GIVE.contains(&last.to_lowercase().as_str()))
}
