//! How is a request read for what it states? Word by word, where each thing it names is one
//! word, whatever stands inside.

use std::ops::Range;

use holloway_search::words::stem;
use serde_json::Value;

pub(in crate::read) use crate::frame::wording::Token;
use crate::frame::{Entity, EntityKind};

const TOKENS_AT_MOST: usize = 240;
/// Marks around words that do not belong to them.
const AROUND: [char; 16] = [
    '.', ',', ';', ':', '!', '?', '(', ')', '"', '“', '”', '‘', '’', '\'', '[', ']',
];

impl Token {
    pub(super) fn is_number(&self) -> bool {
        use EntityKind::{Number, Quantity};
        matches!(self.kind, Some(Number | Quantity)) && self.value.is_number()
    }

    /// Something with a name of its own.
    pub(super) fn is_named(&self) -> bool {
        use EntityKind::{Code, Name, Quoted};
        matches!(self.kind, Some(Code | Name | Quoted))
    }

    /// As a text.
    pub(super) fn text(&self, words: &str) -> String {
        match &self.value {
            Value::String(text) => text.clone(),
            _ => words.get(self.place.clone()).unwrap_or_default().to_owned(),
        }
    }
}

pub(in crate::read) fn tokens(text: &str, entities: &[Entity]) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut from = 0;
    for entity in entities {
        if entity.place.start < from {
            continue;
        }
        words(text, from..entity.place.start, &mut tokens);
        let mut token = token(text, entity.place.clone());
        token.value = entity.value.clone();
        token.kind = Some(entity.kind);
        token.label.clone_from(&entity.label);
        tokens.push(token);
        from = entity.place.end;
    }
    words(text, from..text.len(), &mut tokens);
    tokens.truncate(TOKENS_AT_MOST);
    let starts: Vec<usize> = tokens.iter().map(|token| token.place.start).collect();
    let nexts = starts.iter().skip(1).copied().chain([text.len()]);
    for (token, next) in tokens.iter_mut().zip(nexts) {
        let between = text.get(token.place.end..next).unwrap_or_default();
        token.stops = between.contains([',', ';', ':', '.', '!', '?', '(', ')', '\n']);
        token.comma = between.trim() == ",";
    }
    tokens
}

fn words(text: &str, place: Range<usize>, tokens: &mut Vec<Token>) {
    let stretch = text.get(place.clone()).unwrap_or_default();
    let mut from = 0;
    for word in stretch.split_whitespace() {
        let at = stretch.get(from..).and_then(|rest| rest.find(word));
        let start = from + at.unwrap_or(0);
        from = start + word.len();
        let bare = word.trim_start_matches(AROUND);
        let start = place.start + start + (word.len() - bare.len());
        let bare = bare.trim_end_matches(AROUND);
        if bare.contains(char::is_alphanumeric) {
            tokens.push(token(text, start..start + bare.len()));
        }
    }
}

fn token(text: &str, place: Range<usize>) -> Token {
    let written = text.get(place.clone()).unwrap_or_default();
    let lower = written.to_lowercase();
    let bare = lower.strip_suffix("'s").unwrap_or(&lower);
    Token {
        value: Value::from(written),
        stem: stem(bare),
        kind: None,
        label: None,
        stops: false,
        comma: false,
        lower,
        place,
    }
}
