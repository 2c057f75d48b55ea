//! Where do phrases of the lexicon stand in a request? Every way in which every phrase can be
//! matched; which of them are meant is decided later.

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::holes::{Filling, Holes, name_words};
use super::tokens::{Token, TokenKind};
use crate::lexicon::index::Place;
use crate::lexicon::pattern::Piece;
use crate::lexicon::{Lexicon, Phrase};

/// How many ways one phrase is followed from one place.
const MOST_WAYS: usize = 24;

/// The hole that any unknown word fills.
const UNKNOWN: &str = "other";
/// Holes that a word of any kind fills.
const ANY_WORD: [&str; 2] = ["name", "word"];

/// A phrase in its place.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// Which phrase of the lexicon.
    pub(super) phrase: usize,
    /// From the first token to behind the last.
    pub(super) start: usize,
    pub(super) end: usize,
    /// How many of its words stand there as written.
    pub(super) words: usize,
    pub(super) parts: Vec<(String, Value)>,
    pub(super) notes: Vec<String>,
}

#[derive(Clone, Debug, Default)]
struct Way {
    at: usize,
    /// Behind the last token that a piece took in.
    taken: usize,
    /// A piece was an unknown word.
    unknown: bool,
    /// The last piece was a word of any kind.
    any_word: bool,
    words: usize,
    filled: Vec<(String, Filling)>,
}

/// All matches, by where they begin.
pub(super) fn matches(
    tokens: &[Token],
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> Vec<Vec<Match>> {
    let from = |start| matches_at(start, tokens, lexicon, holes);
    (0..tokens.len()).map(from).collect()
}

fn matches_at(
    start: usize,
    tokens: &[Token],
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> Vec<Match> {
    let mut found: FxHashMap<(usize, usize, String), Match> = FxHashMap::default();
    for (number, place) in beginning(start, tokens, lexicon, holes) {
        let Some(phrase) = lexicon.phrases.get(number) else {
            continue;
        };
        let Some(pattern) = phrase.patterns.get(place) else {
            continue;
        };
        let begin = Way {
            at: start,
            taken: start,
            ..Way::default()
        };
        for way in follow(&pattern.pieces, begin, tokens, lexicon, holes) {
            if way.at == start {
                continue;
            }
            if !agrees(&way.filled) || !measures_that(&way.filled) {
                continue;
            }
            if swallows(phrase, &way.filled) {
                continue;
            }
            let matched = filled(number, phrase, start, &way);
            let key = (number, matched.end, format!("{:?}", matched.parts));
            let known = found.get(&key).map_or(0, |known| known.words + 1);
            if matched.words + 1 > known {
                found.insert(key, matched);
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found.into_iter().map(|(_, matched)| matched).collect()
}

/// The patterns that can begin at this token, in the order of the lexicon.
fn beginning(
    start: usize,
    tokens: &[Token],
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> Vec<Place> {
    let mut places = Vec::new();
    let index = lexicon.index();
    if let Some(token) = tokens.get(start).filter(|token| is_plain(token)) {
        places.extend(index.of_word(&token.lower, lexicon));
    }
    for (kind, begun) in index.of_holes() {
        if !holes.at(kind, start).is_empty() {
            places.extend(begun);
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

fn is_plain(token: &Token) -> bool {
    matches!(
        token.kind,
        TokenKind::Word | TokenKind::Mark | TokenKind::Number
    )
}

fn follow(
    pieces: &[Piece],
    begin: Way,
    tokens: &[Token],
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
) -> Vec<Way> {
    let first = begin.at;
    let mut ways = vec![begin];
    for piece in pieces {
        let mut next = Vec::new();
        for way in ways {
            // What says nothing may stand between two pieces, never before the first.
            let mut at = way.at;
            loop {
                let here = Way { at, ..way.clone() };
                step(piece, here, tokens, lexicon, holes, &mut next);
                let passes = at > first
                    && tokens
                        .get(at)
                        .is_some_and(|token| token.kind == TokenKind::Word && token.idle);
                if !passes || next.len() > MOST_WAYS {
                    break;
                }
                at += 1;
            }
        }
        next.truncate(MOST_WAYS);
        ways = next;
        if ways.is_empty() {
            break;
        }
    }
    ways
}

fn step(
    piece: &Piece,
    way: Way,
    tokens: &[Token],
    lexicon: &Lexicon,
    holes: &mut Holes<'_>,
    next: &mut Vec<Way>,
) {
    // Words that carry little still tell what an unknown word beside them is: "from Atlantis".
    let is_unknown = matches!(piece, Piece::Hole { kind, .. } if kind == UNKNOWN);
    let takes = matches!(piece, Piece::Word { .. } | Piece::Hole { .. });
    // "Reverse the lines" are not the lines with "reverse", nor is "with their size" with "size".
    let any_word = match piece {
        Piece::Hole { kind, .. } => ANY_WORD.contains(&kind.as_str()),
        Piece::Word { .. } => way.any_word,
        _ => false,
    };
    if way.at != way.taken && (is_unknown || any_word || way.unknown && takes) {
        return;
    }
    match piece {
        Piece::Word { text, any_form } => {
            let Some(token) = tokens.get(way.at) else {
                return;
            };
            let fits = token.lower == *text || *any_form && lexicon.same(&token.lower, text);
            // "people in IT" names a department where a cell says so, and nothing before it.
            if is_plain(token) && fits && !holes.is_cell_as_written(token) {
                next.push(Way {
                    at: way.at + 1,
                    taken: way.at + 1,
                    unknown: way.unknown,
                    any_word: false,
                    words: way.words + 1,
                    filled: way.filled,
                });
            }
        }
        Piece::Any(choices) => {
            for choice in choices {
                next.extend(follow(choice, way.clone(), tokens, lexicon, holes));
            }
        }
        Piece::Maybe(inside) => {
            next.extend(follow(inside, way.clone(), tokens, lexicon, holes));
            next.push(way);
        }
        Piece::Hole { kind, name } => {
            for filling in holes.at(kind, way.at).iter() {
                let mut filled = way.filled.clone();
                filled.push((name.clone(), filling.clone()));
                next.push(Way {
                    at: filling.end,
                    taken: filling.end,
                    unknown: way.unknown || kind == UNKNOWN,
                    any_word,
                    words: way.words,
                    filled,
                });
            }
        }
    }
}

/// A word like "fastest" says its column itself; it does not speak of another one.
fn measures_that(filled: &[(String, Filling)]) -> bool {
    let of = |name: &str| filled.iter().find(|(known, _)| known == name);
    let like = of("superlative").and_then(|(_, one)| one.value.get("like")?.as_array());
    let column = of("measure").and_then(|(_, column)| column.value.as_str());
    let (Some(like), Some(column)) = (like, column) else {
        return true;
    };
    let words = name_words(column);
    like.is_empty()
        || like
            .iter()
            .filter_map(Value::as_str)
            .any(|word| words.iter().any(|part| part == word))
}

/// A cell that is named with its column must stand in that column, and two cells in the same.
fn agrees(filled: &[(String, Filling)]) -> bool {
    let named = filled
        .iter()
        .find(|(name, _)| name == "column")
        .map(|(_, column)| &column.value);
    let mut columns = filled
        .iter()
        .filter_map(|(_, filling)| filling.value.get("column"));
    let first = named.or_else(|| columns.next());
    columns.all(|column| Some(column) == first)
        && named.is_none_or(|named| {
            filled.iter().all(|(_, cell)| {
                cell.value
                    .get("column")
                    .is_none_or(|column| column == named)
            })
        })
}

/// Whether something that a part speaks of was said, and no part came of it.
fn swallows(phrase: &Phrase, filled: &[(String, Filling)]) -> bool {
    let (made, open): (Vec<_>, Vec<_>) = phrase
        .parts
        .iter()
        .partition(|(_, value)| fill(value, filled).is_some());
    let spoken = |parts: &[&(String, Value)], name: &str| {
        parts.iter().any(|(_, value)| speaks_of(value, name))
    };
    filled
        .iter()
        .any(|(name, _)| spoken(&open, name) && !spoken(&made, name))
}

fn speaks_of(value: &Value, name: &str) -> bool {
    match value {
        Value::String(text) => text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'))
            .is_some_and(|inside| inside.split('.').next() == Some(name)),
        Value::Object(fields) => fields.values().any(|value| speaks_of(value, name)),
        Value::Array(items) => items.iter().any(|value| speaks_of(value, name)),
        _ => false,
    }
}

fn filled(number: usize, phrase: &Phrase, start: usize, way: &Way) -> Match {
    let mut parts = Vec::with_capacity(phrase.parts.len());
    for (slot, value) in &phrase.parts {
        // What the words leave open is no part; a list is a part for each item.
        match fill(value, &way.filled) {
            Some(Value::Array(items)) if value.is_string() => {
                parts.extend(items.into_iter().map(|item| (slot.clone(), item)));
            }
            Some(value) => parts.extend(
                column_by_column(value)
                    .into_iter()
                    .map(|value| (slot.clone(), value)),
            ),
            None => {}
        }
    }
    let notes = way
        .filled
        .iter()
        .filter_map(|(_, filling)| filling.note.clone());
    Match {
        phrase: number,
        start,
        end: way.at,
        words: way.words,
        parts,
        notes: notes.collect(),
    }
}

/// What is said of several columns is said of each.
fn column_by_column(value: Value) -> Vec<Value> {
    let Some(Value::Array(columns)) = value.get("column") else {
        return vec![value];
    };
    let with = |column: &Value| {
        let mut one = value.clone();
        if let Some(fields) = one.as_object_mut() {
            fields.insert("column".to_owned(), column.clone());
        }
        one
    };
    columns.iter().map(with).collect()
}

/// `"{hole}"` and `"{hole.field}"` become what fills the hole; nothing where one is empty.
fn fill(value: &Value, filled: &[(String, Filling)]) -> Option<Value> {
    match value {
        Value::String(text) => {
            let Some(inside) = text
                .strip_prefix('{')
                .and_then(|text| text.strip_suffix('}'))
            else {
                return Some(value.clone());
            };
            let (name, field) = inside.split_once('.').unwrap_or((inside, ""));
            let (_, filling) = filled.iter().find(|(known, _)| known == name)?;
            if field.is_empty() {
                return Some(filling.value.clone());
            }
            filling.value.get(field).cloned()
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| Some((name.clone(), fill(value, filled)?)));
            fields.collect::<Option<_>>().map(Value::Object)
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| fill(item, filled));
            items.collect::<Option<_>>().map(Value::Array)
        }
        other => Some(other.clone()),
    }
}
