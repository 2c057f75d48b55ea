//! Does a word look like a secret? Letters with digits, capitals inside or signs look like one;
//! names of files, addresses, dates and numbers with units do not.

use std::ops::Range;

use super::super::REDACTED;
use crate::secret_words::List;

/// Shorter words are seldom a secret without a sign in them.
const SHORTEST: usize = 4;
/// The ending of a file has at most so many letters.
const ENDING: usize = 5;
pub(in crate::discreet) const QUOTES: [char; 17] = [
    '"', '\'', '`', '“', '”', '„', '‟', '‘', '’', '‚', '«', '»', '‹', '›', '「', '」', '´',
];
/// What ends a sentence or a part of it; an exclamation mark may belong to a secret.
pub(super) const ENDS: [char; 11] = ['.', ',', ';', '?', ')', ']', ':', '}', '。', '、', '，'];

/// A word without the marks at its ends. Signs at the end may belong to a secret.
pub(super) fn core_range(word: &str, from: usize) -> Option<Range<usize>> {
    let rest = word.get(from..)?;
    let start = from + (rest.len() - rest.trim_start_matches(is_opening).len());
    let core = word.get(start..)?;
    // Letters of a script without blanks go on with the sentence, and so does a closing tag.
    let foreign = |c: char| matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '，');
    let core = core.split_once("</").map_or(core, |(core, _)| core);
    let end = core.find(foreign).filter(|end| *end > 0);
    let core = end.map_or(core, |end| core.get(..end).unwrap_or(core));
    let core = core.trim_end_matches(|c| ENDS.contains(&c) || QUOTES.contains(&c));
    (!core.is_empty()).then(|| start..start + core.len())
}

fn is_opening(c: char) -> bool {
    QUOTES.contains(&c) || matches!(c, '(' | '[')
}

/// What stands in place of a secret and is none.
pub(in crate::discreet) fn is_placeholder(core: &str) -> bool {
    let is_blind = |c: char| matches!(c, '*' | '.' | '•' | '_' | 'x' | 'X' | '…' | '?');
    core == REDACTED
        || core.starts_with("${")
        || core.starts_with("{{")
        || core.starts_with('<')
        || core.chars().all(is_blind)
        || core
            .strip_prefix('$')
            .is_some_and(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Letters with digits, capitals inside or signs; nothing that a sentence would have. Plain numbers
/// only where numbers are secrets.
pub(super) fn looks_secret(core: &str, numbers: bool) -> bool {
    let letters: Vec<char> = core.chars().collect();
    if letters.len() < SHORTEST || is_ordinary(core) {
        return false;
    }
    if letters.iter().all(char::is_ascii_digit) {
        return numbers;
    }
    let mut pairs = letters
        .windows(2)
        .filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
    let turns = pairs.any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    let is_sign = |c: &char| c.is_ascii_punctuation() && !"-'/._()[]:,".contains(*c);
    let has_digit = letters.iter().any(char::is_ascii_digit);
    has_digit || turns || letters.iter().any(is_sign)
}

fn is_ordinary(core: &str) -> bool {
    let lower = core.to_lowercase();
    List::Ordinary.has(&lower)
        || core.contains("://")
        || core.starts_with(['/', '#', '~', '<'])
        || core.starts_with("./")
        || core.starts_with("../")
        || is_file(core)
        || is_address(core)
        || is_figure(core)
}

/// `notes.txt`, `src/main.rs`.
fn is_file(core: &str) -> bool {
    let Some((stem, ending)) = core.rsplit_once('.') else {
        return false;
    };
    let is_plain = |c: char| c.is_alphanumeric() || "-_./ ".contains(c);
    !stem.is_empty()
        && stem.chars().all(is_plain)
        && (1..=ENDING).contains(&ending.len())
        && ending.starts_with(|c: char| c.is_ascii_lowercase())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `ann@a.example`.
fn is_address(core: &str) -> bool {
    let parts = core.split_once('@');
    parts.is_some_and(|(user, host)| {
        !user.contains(':') && (host.contains('.') || user.is_empty()) && !host.ends_with('.')
    })
}

/// Dates, times, versions and numbers with a unit: `2026-11-18`, `v1.2`, `30s`, `12th`.
fn is_figure(core: &str) -> bool {
    let digits = core.trim_start_matches(['v', 'V', '$', '€', '£', '<', '>', '~', '+']);
    let number = digits.trim_end_matches(|c: char| c.is_ascii_alphabetic() || "%€$£°".contains(c));
    let unit = digits.len() - number.len();
    let is_number = |c: char| c.is_ascii_digit() || "-/:.,_+×x".contains(c);
    let has_sign = number.contains(|c: char| !c.is_ascii_digit());
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(is_number)
        && unit <= 3
        && (unit > 0 || has_sign || digits.len() < core.len())
}
