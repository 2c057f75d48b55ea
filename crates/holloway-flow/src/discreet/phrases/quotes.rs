//! Which words does a secret have that has several? All up to the closing quote, or up to the end
//! of the sentence.

use super::likeness::{ENDS, QUOTES, core_range, is_placeholder};
use super::{PHRASE, Part};
use crate::discreet::REDACTED;

/// Everything up to the closing quote, if a quote is opened here.
pub(super) fn quoted(words: &[&str], at: usize, from: usize) -> Option<Vec<Part>> {
    let rest = words.get(at)?.get(from..)?;
    let open = rest.chars().next().filter(|c| QUOTES.contains(c))?;
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate().skip(at) {
        let start = if place == at {
            from + open.len_utf8()
        } else {
            0
        };
        let inside = word.get(start..)?;
        let close = inside.find(QUOTES);
        let end = close.map_or(word.len(), |close| start + close);
        if end > start && !word.get(start..end).is_some_and(is_placeholder) {
            found.push((place, start..end));
        }
        if close.is_some() {
            return Some(found);
        }
    }
    None
}

/// Everything back to the opening quote, if a quote is closed here.
pub(super) fn quoted_before(words: &[&str], at: usize) -> Option<Vec<Part>> {
    let close = words.get(at)?.trim_end_matches(ENDS);
    close.ends_with(QUOTES).then_some(())?;
    let open = (0..=at).rev().take(PHRASE * 4);
    let open = open.into_iter().find(|open| {
        let word = words.get(*open).copied().unwrap_or_default();
        word.starts_with(QUOTES) && (*open < at || word.chars().count() > 2)
    })?;
    quoted(words, open, 0)
}

/// The secret, and if it has several words, all of them up to the end of the sentence.
pub(super) fn several(words: &[&str], at: usize, from: usize, most: usize) -> Vec<Part> {
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate().skip(at).take(most) {
        let start = if place == at { from } else { 0 };
        let ends = ["and", "then", "to", "for", "so", "but", REDACTED].contains(word);
        if place > at && ends {
            break;
        }
        found.extend(core_range(word, start).map(|range| (place, range)));
        if word.ends_with(ENDS) {
            break;
        }
    }
    found
}
