//! Which phrases are meant? Those that together take in the most words of the request without
//! overlapping. Words that no phrase takes in are left over, and are told.

use std::ops::Range;

use super::phrases::Match;
use super::tokens::{Token, TokenKind};
use crate::lexicon::Lexicon;

/// How many ways are kept up to each word.
const KEPT: usize = 10;
/// What a word costs that nothing accounts for.
pub(super) const LEFT_OVER: f64 = 4.0;
/// What each phrase costs: one long phrase says more than two short ones.
const PHRASE: f64 = 0.6;
/// What a word of the lexicon is worth beyond a word in a hole.
const AS_WRITTEN: f64 = 0.25;

/// Marks that say something.
const COUNTED: &str = "<>=%+*";

/// A way through the request.
#[derive(Clone, Debug, Default)]
pub(super) struct Cover<'a> {
    pub(super) score: f64,
    pub(super) matches: Vec<&'a Match>,
    /// Tokens that nothing accounts for.
    pub(super) left: Vec<usize>,
}

/// The best ways through, the best first.
pub(super) fn covers<'a>(
    tokens: &[Token],
    matches: &'a [Vec<Match>],
    asides: &[Range<usize>],
    lexicon: &Lexicon,
) -> Vec<Cover<'a>> {
    let mut best: Vec<Vec<Cover<'a>>> = vec![Vec::new(); tokens.len() + 1];
    if let Some(first) = best.first_mut() {
        first.push(Cover::default());
    }
    for at in 0..tokens.len() {
        let here = best.get_mut(at).map(std::mem::take).unwrap_or_default();
        for cover in here {
            let mut skipped = cover.clone();
            let passed = asides.iter().any(|aside| aside.contains(&at));
            if !passed && tokens.get(at).is_some_and(counts) {
                skipped.score -= LEFT_OVER;
                skipped.left.push(at);
            }
            keep(&mut best, at + 1, skipped);
            for found in matches.get(at).into_iter().flatten() {
                let mut longer = cover.clone();
                longer.score += worth(found, tokens, lexicon);
                longer.matches.push(found);
                keep(&mut best, found.end, longer);
            }
        }
    }
    best.pop().unwrap_or_default()
}

/// Whether a word has to be accounted for.
pub(super) fn counts(token: &Token) -> bool {
    match token.kind {
        TokenKind::Mark => COUNTED.contains(token.text.as_str()),
        TokenKind::Word => !token.idle,
        _ => true,
    }
}

fn worth(found: &Match, tokens: &[Token], lexicon: &Lexicon) -> f64 {
    let taken = tokens.get(found.start..found.end).unwrap_or_default();
    let content = taken.iter().filter(|token| counts(token)).count();
    let weight = lexicon
        .phrases
        .get(found.phrase)
        .map_or(0.0, |phrase| phrase.weight);
    let doubts = found.notes.len() as f64;
    content as f64 + AS_WRITTEN * found.words as f64 + weight - PHRASE - doubts
}

fn keep<'a>(best: &mut [Vec<Cover<'a>>], at: usize, cover: Cover<'a>) {
    let Some(list) = best.get_mut(at) else {
        return;
    };
    let place = list.partition_point(|known| known.score >= cover.score);
    if place < KEPT {
        list.insert(place, cover);
        list.truncate(KEPT);
    }
}
