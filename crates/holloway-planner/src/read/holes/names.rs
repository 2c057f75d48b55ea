//! Which texts are meant as they are written? Quoted ones, names, single words, samples.

use serde_json::json;

use super::{Filling, Holes, plainly};
use crate::read::tokens::{Token, TokenKind};

impl Holes<'_> {
    pub(super) fn word(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        let fits = matches!(
            token.kind,
            TokenKind::Word | TokenKind::Number | TokenKind::Quoted
        );
        // "codes" are things of a kind, not a text to look for.
        let words = &self.lexicon.words;
        let is_kind = words.kinds.contains(&token.lower)
            || words.units.contains_key(&token.lower)
            || words.numbers.contains_key(&token.lower)
            || words.superlatives.contains_key(&token.lower)
            || words.negations.contains(&token.lower);
        let is_kind = token.kind == TokenKind::Word && is_kind;
        (fits && !token.idle && !is_kind).then(|| plainly(at + 1, json!(token.text)))
    }

    /// A quoted text, or words that begin with a capital, or one word.
    pub(super) fn name(&self, at: usize) -> Vec<Filling> {
        let Some(first) = self.token(at) else {
            return Vec::new();
        };
        if first.kind == TokenKind::Quoted {
            return vec![plainly(at + 1, json!(first.text))];
        }
        let capital = |token: &&Token| {
            token.kind == TokenKind::Word && token.text.starts_with(char::is_uppercase)
        };
        let rest = self.tokens.get(at..).unwrap_or_default();
        let count = rest.iter().take_while(capital).count();
        let mut found = Vec::new();
        for end in (1..=count).rev().map(|count| at + count) {
            let last = self
                .token(end - 1)
                .map_or(first.at.end, |token| token.at.end);
            found.push(plainly(end, json!(self.written(first.at.start..last))));
        }
        if found.is_empty() {
            found.extend(self.word(at));
        }
        found
    }

    /// Which files by their ending: `.txt`, or "Excel" before "files".
    pub(super) fn ending(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        let written = token
            .lower
            .strip_prefix(['.', '*'])
            .map(|rest| rest.trim_start_matches('.'));
        let fits = |ending: &str| {
            let short = (1..=5).contains(&ending.len());
            short && ending.chars().all(|c| c.is_ascii_alphanumeric())
        };
        let table = crate::frame::acts::Acts::table();
        let known = || {
            // "text files" are not those that end with `.text`.
            let is_kind = |ending: &str| {
                let of_kind = table.files.get(ending);
                of_kind.is_some_and(|endings| endings.first().is_some_and(|first| first != ending))
            };
            let mut endings = table.files.values().flatten().map(String::as_str);
            endings.find(|known| *known == token.lower && !is_kind(known))
        };
        let named = || {
            self.lexicon
                .words
                .forms
                .get(&token.lower)
                .map(String::as_str)
        };
        let ending = match written {
            Some(written) => Some(written).filter(|written| fits(written)),
            None => known().or_else(named),
        }?;
        Some(plainly(at + 1, json!(format!(".{ending}"))))
    }

    /// Something with digits that shows what others look like: `INV-2025-0417`.
    pub(super) fn sample(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        let fits = matches!(
            token.kind,
            TokenKind::Word | TokenKind::Number | TokenKind::Quoted | TokenKind::File
        );
        let has_digit = token.text.chars().any(|c| c.is_ascii_digit());
        let mut pattern = String::from(r"\b");
        for c in token.text.chars() {
            if c.is_ascii_digit() {
                pattern.push_str(r"\d");
            } else {
                pattern.push_str(&regex::escape(&c.to_string()));
            }
        }
        pattern.push_str(r"\b");
        (fits && has_digit).then(|| plainly(at + 1, json!(pattern)))
    }
}
