//! Does a tool talk about tools of other sources? How they are to be used, that
//! they are broken, that it goes first: a tool speaks for its own source only.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::names::Names;
use super::pattern::Patterns;
use super::phrases::{PHRASES, Words};
use super::texts::Text;
use super::words::{self, STOP, Word};
use super::{Findings, Suspicion};

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(&PHRASES.other_tools));

/// Names that the definition itself gives to parameters and values: not tools.
pub(super) fn local_names(texts: &[Text]) -> BTreeSet<String> {
    let short = texts.iter().filter(|text| text.chars.len() <= 80);
    let written = short.filter(|text| !text.chars.iter().any(|c| c.is_whitespace()));
    written
        .map(|text| text.chars.iter().flat_map(|c| c.to_lowercase()).collect())
        .collect()
}

pub(super) fn look(text: &Text, names: &Names, local: &BTreeSet<String>, findings: &mut Findings) {
    if text.is_name || text.chars.len() < 12 {
        return;
    }
    let words = words::of(&text.chars);
    let found = PATTERNS
        .find(&words)
        .or_else(|| foreign_name(text, &words, names, local));
    if let Some((start, end)) = found {
        findings.add_part(Suspicion::CrossTool, text, start, end);
    }
}

/// The name of a tool that is not of this source, with something to do about it.
fn foreign_name(
    text: &Text,
    words: &[Word],
    names: &Names,
    local: &BTreeSet<String>,
) -> Option<(usize, usize)> {
    identifiers(&text.chars).into_iter().find(|&(start, end)| {
        let name: String = text
            .chars
            .get(start..end)
            .unwrap_or_default()
            .iter()
            .collect();
        let name = name.to_lowercase();
        if names.is_own(&name) || local.contains(&name) {
            return false;
        }
        let sentence = sentence_around(words, start);
        let has = |list: &Words| {
            let mut outside = sentence
                .iter()
                .filter(|word| word.end <= start || word.start >= end);
            outside.any(|word| list.contains(&word.text))
        };
        // Hyphens join plain words as well: `re-plan` is a name only where a tool has it.
        let called = || !name.contains('-') && is_called(words, start, end);
        (names.is_foreign(&name) && has(&PHRASES.directing))
            || (called() && has(&PHRASES.demanding))
    })
}

/// Is the name that stands here spoken of as a tool?
fn is_called(words: &[Word], start: usize, end: usize) -> bool {
    let goes_on = |word: &&Word| word.text != STOP;
    let before = words.iter().rev().filter(|word| word.end <= start);
    let after = words.iter().filter(|word| word.start >= end);
    before
        .take(2)
        .take_while(goes_on)
        .chain(after.take(3).take_while(goes_on))
        .any(|word| PHRASES.calling.contains(&word.text))
}

fn sentence_around(words: &[Word], position: usize) -> &[Word] {
    let is_stop = |word: &Word| word.text == STOP;
    let at = words.iter().take_while(|word| word.end <= position).count();
    let before = words.get(..at).unwrap_or_default();
    let first = before.iter().rposition(is_stop).map_or(0, |stop| stop + 1);
    let rest = words.get(at..).unwrap_or_default();
    let last = at + rest.iter().position(is_stop).unwrap_or(rest.len());
    words.get(first..last).unwrap_or_default()
}

/// Words that look like names of tools: `send_email`, `read-file`, `mcp.git/git_diff`.
fn identifiers(chars: &[char]) -> Vec<(usize, usize)> {
    let is_inside = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let rest = chars.get(at..).unwrap_or_default();
        let length = rest.iter().take_while(|c| is_inside(c)).count();
        let word = rest.get(..length).unwrap_or_default();
        let trimmed = length
            - word
                .iter()
                .rev()
                .take_while(|c| !c.is_ascii_alphanumeric())
                .count();
        // Dots and slashes stand in paths.
        let is_name = word.iter().take(trimmed).any(|c| *c == '_')
            && !word.iter().any(|c| matches!(c, '.' | '/'));
        let camel = word
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
        if trimmed >= 6 && (is_name || camel || word.contains(&'-')) {
            found.push((at, at + trimmed));
        }
        at += length.max(1);
    }
    found
}
