//! What in a request could be an argument? Its entities, and short runs of words that
//! stand together; each with the words around it. Long requests are read in part.

use std::ops::Range;

use holloway_search::words::{is_empty_word, stem};
use serde_json::{Value, json};

use super::clauses::part_at;
use super::verbs::is_verb;
use crate::frame::{EntityKind, Frame};

/// Words that are read; runs of words that are considered.
const WORDS_AT_MOST: usize = 160;
const RUN_AT_MOST: usize = 4;

/// A request read for its arguments.
#[derive(Debug)]
pub struct Reading {
    pub words: Vec<Word>,
    pub spans: Vec<Span>,
    pub clauses: usize,
    /// The words of the clause that the step serves; all of them when none is known.
    pub clause: Range<usize>,
}

#[derive(Debug)]
pub struct Word {
    pub place: Range<usize>,
    pub lower: String,
    pub stem: String,
    /// White space alone stands between it and the word before it.
    pub joined: bool,
}

/// Something an argument could be taken from.
#[derive(Clone, Debug)]
pub struct Span {
    pub place: Range<usize>,
    /// Its words, by their number in the reading.
    pub words: Range<usize>,
    pub sort: Sort,
    /// As data, then as written where that differs.
    pub values: Vec<Value>,
    pub clause: usize,
    /// How many of its sort stand before it.
    pub order: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Entity {
        number: usize,
        kind: EntityKind,
        phone: bool,
    },
    /// Words that stand together; whether one of them can be a verb.
    Run { length: usize, verb: bool },
}

impl Sort {
    pub fn kind(self) -> Option<EntityKind> {
        match self {
            Self::Entity { kind, .. } => Some(kind),
            Self::Run { .. } => None,
        }
    }

    pub fn entity(self) -> Option<usize> {
        match self {
            Self::Entity { number, .. } => Some(number),
            Self::Run { .. } => None,
        }
    }
}

impl Reading {
    pub fn of(frame: &Frame, clause: Option<usize>) -> Self {
        let text = frame.wording.open_words().text.as_str();
        let parts = frame.wording.open_words().parts.as_slice();
        let words = words(text, clause.and_then(|clause| parts.get(clause)));
        let mut spans = Vec::new();
        for (number, entity) in frame.entities.iter().enumerate() {
            let mut values = vec![entity.value.clone()];
            let written = json!(entity.text);
            if entity.kind != EntityKind::Quoted && written != entity.value {
                values.push(written);
            }
            let order = spans
                .iter()
                .filter(|span: &&Span| span.sort.kind() == Some(entity.kind))
                .count();
            spans.push(Span {
                place: entity.place.clone(),
                words: covered(&words, &entity.place),
                sort: Sort::Entity {
                    number,
                    kind: entity.kind,
                    phone: entity.label.as_deref() == Some("phone"),
                },
                values,
                clause: part_at(parts, entity.place.start),
                order,
            });
        }
        let runs = runs(text, &words, frame, parts);
        spans.extend(runs);
        let own = clause.and_then(|clause| parts.get(clause));
        Self {
            clause: own.map_or(0..words.len(), |own| covered(&words, own)),
            words,
            spans,
            clauses: parts.len(),
        }
    }
}

/// The words of the text, or those around a clause where there are too many.
fn words(text: &str, clause: Option<&Range<usize>>) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let from = match clause {
        Some(clause) if text.len() > WORDS_AT_MOST * 6 => {
            clause.start.saturating_sub(WORDS_AT_MOST)
        }
        _ => 0,
    };
    let from = (from..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let mut begin = None;
    let mut gap = from;
    let is_inside = |letter: char| letter.is_alphanumeric() || "'’_-+#".contains(letter);
    let rest = text.get(from..).unwrap_or_default();
    for (at, letter) in rest.char_indices().chain([(rest.len(), ' ')]) {
        let at = from + at;
        match (begin, is_inside(letter)) {
            (None, true) => begin = Some(at),
            (Some(start), false) => {
                let between = text.get(gap..start).unwrap_or_default();
                let lower = text.get(start..at).unwrap_or_default().to_lowercase();
                words.push(Word {
                    stem: stem(&lower),
                    joined: !words.is_empty() && between.chars().all(char::is_whitespace),
                    place: start..at,
                    lower,
                });
                gap = at;
                begin = None;
                if words.len() >= WORDS_AT_MOST {
                    return words;
                }
            }
            _ => {}
        }
    }
    words
}

fn covered(words: &[Word], place: &Range<usize>) -> Range<usize> {
    let first = words.partition_point(|word| word.place.end <= place.start);
    let end = words.partition_point(|word| word.place.start < place.end);
    first..end.max(first)
}

fn runs(text: &str, words: &[Word], frame: &Frame, parts: &[Range<usize>]) -> Vec<Span> {
    let mut free = vec![true; words.len()];
    for entity in &frame.entities {
        let part_of_run = matches!(entity.kind, EntityKind::Name | EntityKind::Number);
        if let (false, Some(taken)) = (part_of_run, free.get_mut(covered(words, &entity.place))) {
            taken.fill(false);
        }
    }
    let is_whole_entity = |place: &Range<usize>| frame.entities.iter().any(|it| it.place == *place);
    let mut runs = Vec::new();
    for (first, word) in words.iter().enumerate() {
        if is_empty_word(&word.lower) || free.get(first) != Some(&true) {
            continue;
        }
        for length in 1..=RUN_AT_MOST {
            let last = first + length - 1;
            let (Some(end), Some(true)) = (words.get(last), free.get(last)) else {
                break;
            };
            if length > 1 && !end.joined {
                break;
            }
            let place = word.place.start..end.place.end;
            if is_empty_word(&end.lower) || is_whole_entity(&place) {
                continue;
            }
            let said = text.get(place.clone()).unwrap_or_default();
            runs.push(Span {
                words: first..last + 1,
                sort: Sort::Run {
                    length,
                    verb: words
                        .get(first..=last)
                        .is_some_and(|run| run.iter().any(|word| is_verb(&word.lower))),
                },
                values: vec![json!(said)],
                clause: part_at(parts, place.start),
                order: 0,
                place,
            });
        }
    }
    runs
}
