//! Are digits and signs as wide as ideographs? `￥１，２００` is read as `¥1,200`: each
//! such character has a narrow one, so that places in characters stay the same.

use std::ops::Range;

use super::Price;

fn narrow_of(character: char) -> char {
    match character {
        '￥' => '¥',
        '￡' => '£',
        // The wide forms stand in the order of ASCII.
        '０'..='９' | '．' | '，' | '＄' | '－' | '％' | '：' | '／' => {
            char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
        }
        other => other,
    }
}

/// The text with narrow digits and signs; none when it has no wide digits.
pub(super) fn narrow(text: &str) -> Option<String> {
    let is_wide = |character: char| narrow_of(character) != character;
    text.contains(is_wide)
        .then(|| text.chars().map(narrow_of).collect())
}

/// The same places in bytes of the narrow text.
pub(super) fn moved(text: &str, places: &[Range<usize>]) -> Vec<Range<usize>> {
    if places.is_empty() {
        return Vec::new();
    }
    let mut at = 0;
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for (place, character) in text.char_indices() {
        starts.push((place, at));
        at += narrow_of(character).len_utf8();
    }
    let new = |byte: usize| {
        let index = starts.partition_point(|(place, _)| *place < byte);
        starts.get(index).map_or(at, |(_, new)| *new)
    };
    places
        .iter()
        .map(|span| new(span.start)..new(span.end))
        .collect()
}

/// Gives each price the text that really stands there.
pub(super) fn as_written(text: &str, prices: &mut [Price]) {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for price in prices {
        let end = price.start + price.text.chars().count();
        let byte = |character: usize| starts.get(character).copied().unwrap_or(text.len());
        if let Some(written) = text.get(byte(price.start)..byte(end)) {
            written.clone_into(&mut price.text);
        }
    }
}
