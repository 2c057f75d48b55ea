//! Does a text give orders to the model that reads it? To set rules aside, to
//! keep things from the user, to take what is private, to carry it away.

use std::sync::LazyLock;

use super::pattern::Patterns;
use super::phrases::PHRASES;
use super::texts::Text;
use super::words;
use super::{Findings, Suspicion};

/// A name of a parameter with more words than this reads like a sentence.
const WORDS_OF_A_NAME: usize = 9;
/// How near each other words of an unparted script must stand.
const NEAR: usize = 24;

static ORDERS: LazyLock<Patterns> = LazyLock::new(|| Patterns::new(&PHRASES.orders));

pub(super) fn look(text: &Text, findings: &mut Findings) {
    let found = find(&text.chars).or_else(|| sentence_as_name(text));
    if let Some((start, end)) = found {
        findings.add_part(Suspicion::Order, text, start, end);
    }
}

/// Where an order stands in a text.
pub(super) fn find(chars: &[char]) -> Option<(usize, usize)> {
    ORDERS
        .find(&words::of(chars))
        .or_else(|| find_unparted(chars))
}

/// Names are short; one that tells a story is meant to be read by the model.
fn sentence_as_name(text: &Text) -> Option<(usize, usize)> {
    // Paths and patterns as keys are long, too, but have no blanks and few words.
    let is_long = text.is_name && words::of(&text.chars).len() > WORDS_OF_A_NAME;
    let is_path = text
        .chars
        .iter()
        .any(|c| matches!(c, '/' | '\\' | '^' | '{'));
    (is_long && !is_path).then_some((0, text.chars.len()))
}

fn find_unparted(chars: &[char]) -> Option<(usize, usize)> {
    if chars.iter().all(char::is_ascii) {
        return None;
    }
    PHRASES.unparted.groups.iter().find_map(|groups| {
        let (first, rest) = groups.split_first()?;
        places(chars, first).find_map(|at| {
            let (start, end) = around(chars, at);
            let near = chars.get(start..end)?;
            let all = rest
                .iter()
                .all(|group| places(near, group).next().is_some());
            all.then_some((at, end))
        })
    })
}

/// What stands near a character, within its sentence.
fn around(chars: &[char], at: usize) -> (usize, usize) {
    let inside = |c: &&char| !matches!(c, '。' | '！' | '？' | '；' | '\n');
    let before = chars.get(..at).unwrap_or_default().iter().rev();
    let after = chars.get(at..).unwrap_or_default().iter();
    let start = at - before.take(NEAR).take_while(inside).count();
    (start, at + after.take(NEAR).take_while(inside).count())
}

/// Where any of these words begins.
fn places<'a>(chars: &'a [char], words: &'a [String]) -> impl Iterator<Item = usize> + 'a {
    (0..chars.len()).filter(move |&at| {
        words.iter().any(|word| {
            let mut rest = chars.iter().skip(at);
            word.chars().all(|c| rest.next() == Some(&c))
        })
    })
}
