//! Which numbers do words mean? In digits or in words, with a scale, money or percent.

use serde_json::{Value, json};

use super::{Filling, Holes, plainly};
use crate::read::tokens::{TokenKind, number_of};

impl Holes<'_> {
    /// A number, and the same with its unit: "35 metres".
    pub(super) fn numbers(&self, at: usize) -> Vec<Filling> {
        let Some(found) = self.number(at) else {
            return Vec::new();
        };
        let unit = self
            .token(found.end)
            .filter(|token| self.lexicon.words.measured_in.contains(&token.lower));
        let with_unit = unit.map(|_| Filling {
            end: found.end + 1,
            ..found.clone()
        });
        with_unit.into_iter().chain([found]).collect()
    }

    pub(super) fn number(&self, at: usize) -> Option<Filling> {
        let token = self.token(at)?;
        let words = &self.lexicon.words;
        let mut end = at + 1;
        let comma = !words.decimal.is_empty();
        let mut number = match token.kind {
            TokenKind::Number => number_of(&token.text, comma)?,
            TokenKind::Word => match words.numbers.get(&token.lower) {
                Some(known) => *known,
                None => self.scaled(&token.lower)?,
            },
            _ => return None,
        };
        if let Some(scale) = self
            .token(end)
            .and_then(|token| words.scales.get(&token.lower))
        {
            number *= scale;
            end += 1;
        }
        if self
            .token(end)
            .is_some_and(|token| words.money.contains(&token.lower))
        {
            end += 1;
        }
        Some(plainly(end, json!(tidy(number))))
    }

    /// `50k`.
    fn scaled(&self, word: &str) -> Option<f64> {
        let digits = word.trim_end_matches(char::is_alphabetic);
        let scale = self.lexicon.words.scales.get(word.get(digits.len()..)?)?;
        let comma = !self.lexicon.words.decimal.is_empty();
        Some(number_of(digits, comma)? * scale)
    }

    /// `20%`, with what it makes more or less of something.
    pub(super) fn percent(&self, at: usize) -> Option<Filling> {
        const WHOLE: f64 = 100.0;
        let found = self.number(at)?;
        let written = self
            .token(at)
            .is_some_and(|token| token.text.ends_with('%'));
        let said = self
            .token(found.end)
            .is_some_and(|token| self.lexicon.words.percent.contains(&token.lower));
        let part = found.value.as_f64()? / WHOLE;
        let value = json!({"of": tidy(part), "more": tidy(1.0 + part), "less": tidy(1.0 - part)});
        (written || said).then(|| plainly(found.end + usize::from(!written && said), value))
    }

    /// A time, in seconds: "20 seconds", "half an hour".
    pub(super) fn duration(&self, at: usize) -> Option<Filling> {
        let words = &self.lexicon.words;
        let (end, count) = match self.number(at) {
            Some(found) => (found.end, found.value.as_f64()?),
            None => (at, 1.0),
        };
        let unit = self
            .listed(end, &words.durations, |seconds| json!(seconds))
            .pop()?;
        Some(plainly(unit.end, json!(tidy(count * unit.value.as_f64()?))))
    }

    /// A time to wait, in milliseconds.
    pub(super) fn pause(&self, at: usize) -> Option<Filling> {
        let found = self.duration(at)?;
        let milliseconds = found.value.as_f64()? * 1000.0;
        Some(plainly(found.end, json!(tidy(milliseconds))))
    }

    /// An amount of money: "$0.01", "5 euros", "50 cents".
    pub(super) fn money(&self, at: usize) -> Option<Filling> {
        let words = &self.lexicon.words;
        let found = self.number(at)?;
        let signed = self
            .token(at)
            .is_some_and(|token| token.text.contains(['€', '$', '£']));
        let behind = self.token(found.end.checked_sub(1)?)?;
        if signed || words.money.contains(&behind.lower) {
            return Some(found);
        }
        let part = self
            .token(found.end)
            .and_then(|token| words.small_money.get(&token.lower))?;
        Some(plainly(found.end + 1, json!(found.value.as_f64()? * part)))
    }

    /// A whole number that is not negative.
    pub(super) fn count(&self, at: usize) -> Option<Filling> {
        let found = self.number(at)?;
        let written = self
            .token(at)
            .is_some_and(|token| token.text.ends_with(['%', '€', '$', '£']));
        found
            .value
            .as_u64()
            .filter(|_| !written)
            .map(|count| plainly(found.end, json!(count)))
    }
}

/// Whole numbers stay whole.
fn tidy(number: f64) -> Value {
    const WHOLE: f64 = 9e15;
    if number.fract() == 0.0 && number.abs() < WHOLE {
        return json!(number as i64);
    }
    json!(number)
}
