//! Which addresses, paths and files are named?

use std::ops::Range;

use regex::Regex;
use serde_json::json;

use super::EntityKind;
use super::Found;
use crate::lexicon::lists::Patterns;

/// By kind, the more telling rules first.
static RULES: [(EntityKind, Patterns); 5] = [
    (EntityKind::Url, Patterns::named("entity_web.addresses")),
    (EntityKind::Email, Patterns::named("entity_web.mail")),
    (EntityKind::Path, Patterns::named("entity_web.paths")),
    (EntityKind::Url, Patterns::named("entity_web.hosts")),
    (EntityKind::File, Patterns::named("entity_web.files")),
];
static WITH_BLANKS: Patterns = Patterns::named("entity_web.with_blanks");

/// Words that may stand in the name of a file; a longer text is a sentence.
const WORDS_AT_MOST: usize = 6;

fn rules() -> impl Iterator<Item = (EntityKind, &'static Regex)> {
    let kinds = RULES.iter();
    kinds.flat_map(|(kind, rules)| rules.iter().map(|rule| (*kind, rule)))
}

pub(crate) fn find(found: &mut Found<'_>) {
    for (kind, rule) in rules() {
        for hit in rule.find_iter(found.text) {
            let text = trimmed(hit.as_str(), kind);
            let place = hit.start()..hit.start() + text.len();
            let (before, after) = found.around(&place);
            let inside_word =
                before.is_some_and(|it| it.is_alphanumeric() || it == '/' || it == '@');
            let goes_on = kind == EntityKind::File && after == Some('(');
            if inside_word || goes_on || text.len() < 2 || is_slash_between(text, before) {
                continue;
            }
            found.add(kind, place, json!(text), None);
        }
    }
}

/// `and/or`: a slash after a letter begins no path, and neither does one in `</b>`.
fn is_slash_between(text: &str, before: Option<char>) -> bool {
    text.starts_with('/') && before.is_some_and(|it| it == '<' || it == ')' || it == '.')
}

/// Where names of files stand, each in one word.
pub(crate) fn file_names(text: &str) -> Vec<Range<usize>> {
    let rules = rules().filter(|(kind, _)| *kind == EntityKind::File);
    let hits = rules.flat_map(|(_, rule)| rule.find_iter(text));
    hits.map(|hit| hit.range()).collect()
}

/// Without the marks of the sentence around it.
fn trimmed(text: &str, kind: EntityKind) -> &str {
    let mut text = text.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*']);
    if kind == EntityKind::Url {
        while text.ends_with(')') && !text.contains('(')
            || text.ends_with(']') && !text.contains('[')
        {
            text = text
                .trim_end_matches([')', ']'])
                .trim_end_matches(['.', ',', ';']);
        }
    }
    text
}

/// Is the text one address, path or file and nothing else?
pub(crate) fn is_whole(text: &str) -> bool {
    let whole = |(_, rule): (EntityKind, &Regex)| {
        let hit = rule.find(text);
        hit.is_some_and(|hit| hit.start() == 0 && hit.end() == text.len())
    };
    !text.contains(char::is_whitespace) && rules().any(whole)
}

/// Is the text the name of a file in several words and nothing else?
pub(crate) fn is_name_with_blanks(text: &str) -> bool {
    let is_short = text.split_whitespace().count() <= WORDS_AT_MOST;
    is_short && WITH_BLANKS.iter().any(|rule| rule.is_match(text))
}
