//! Where in the request does something stand that a model speaks of? Whatever its case; a text
//! that does not occur has no place.

use std::ops::Range;

use serde_json::Value;

use crate::frame::Said;

/// Shorter texts stand everywhere.
const SHORTEST: usize = 2;

/// The first place of a text, compared without case.
pub(super) fn find(request: &str, text: &str) -> Option<Range<usize>> {
    let wanted: Vec<char> = text.trim().chars().flat_map(char::to_lowercase).collect();
    if wanted.is_empty() {
        return None;
    }
    let mut starts = request.char_indices().map(|(start, _)| start);
    starts.find_map(|start| begins(request, start, &wanted))
}

/// The first place of a text that is no part of a longer word.
fn find_whole(request: &str, text: &str) -> Option<Range<usize>> {
    let at = find(request, text)?;
    let before = request.get(..at.start)?.chars().next_back();
    let after = request.get(at.end..)?.chars().next();
    let joins = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    (!joins(before) && !joins(after)).then_some(at)
}

fn begins(request: &str, start: usize, wanted: &[char]) -> Option<Range<usize>> {
    let mut wanted = wanted.iter();
    let mut next = wanted.next();
    for (at, letter) in request.get(start..)?.char_indices() {
        for lower in letter.to_lowercase() {
            if next != Some(&lower) {
                return None;
            }
            next = wanted.next();
        }
        if next.is_none() {
            return Some(start..start + at + letter.len_utf8());
        }
    }
    None
}

/// The words of a part: those of its value that stand in the request, or those of its goal.
pub(super) fn said(request: &str, value: &Value, goal: &Said) -> Said {
    let mut texts = Vec::new();
    texts_of(value, &mut texts);
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let found = texts.iter().filter(|text| text.chars().count() >= SHORTEST);
    let mut found = found.filter_map(|text| find_whole(request, text));
    found
        .next()
        .map_or_else(|| goal.clone(), |at| of(request, at))
}

pub(super) fn of(request: &str, at: Range<usize>) -> Said {
    Said {
        text: request.get(at.clone()).unwrap_or_default().to_owned(),
        at,
    }
}

fn texts_of(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Number(number) => texts.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, texts)),
        Value::Object(fields) => fields.values().for_each(|item| texts_of(item, texts)),
        Value::Null | Value::Bool(_) => {}
    }
}
