//! What is meant where the text alone does not tell? First what the caller knows, then
//! how the other prices of the text are written, then what is usual; and it is said.

use std::ops::Range as Span;

use super::notation::Reading;
use super::scan::{Found, Range};
use super::{Decimal, Hints, Price, PriceKind, context, currency};

/// What the certain prices of a text have in common.
struct Habits {
    decimal: Option<Decimal>,
    currency: Option<&'static str>,
    /// A code that stands somewhere in the text, for signs that may mean several.
    codes: Vec<&'static str>,
}

impl Habits {
    fn of(found: &[Found]) -> Self {
        let seen = |wanted: Decimal| {
            let is = |found: &&Found| matches!(found.reading, Reading::Certain { decimal: Some(seen), .. } if seen == wanted);
            found.iter().filter(is).count()
        };
        let (commas, points) = (seen(Decimal::Comma), seen(Decimal::Point));
        let decimal = match (commas, points) {
            (0, 0) => None,
            (commas, points) if commas > points => Some(Decimal::Comma),
            (commas, points) if points > commas => Some(Decimal::Point),
            _ => None,
        };
        let mut certain = found
            .iter()
            .filter_map(|found| found.mark.filter(|mark| mark.options.len() == 1));
        let first = certain
            .next()
            .and_then(|mark| mark.options.first().copied());
        let alike = certain.all(|mark| mark.options.first().copied() == first);
        let codes = found
            .iter()
            .filter_map(|found| found.mark.filter(|mark| mark.is_code));
        let codes = codes
            .filter_map(|mark| mark.options.first().copied())
            .collect();
        Self {
            decimal,
            currency: first.filter(|_| alike),
            codes,
        }
    }
}

pub(super) fn decide(
    text: &str,
    found: Vec<Found>,
    struck: &[Span<usize>],
    hints: &Hints,
) -> Vec<Price> {
    let habits = Habits::of(&found);
    let mut counted = Counter {
        text,
        bytes: 0,
        characters: 0,
    };
    let price = |found: Found| {
        let (currency, currency_note) = currency_of(&found, &habits, hints);
        let (amount, amount_note) = amount_of(&found, currency.as_deref(), &habits, hints);
        let unit = context::unit(text, found.end);
        let end = unit.as_ref().map_or(found.end, |(_, end)| *end);
        let doubt = found.doubt.map(str::to_owned);
        let notes: Vec<String> = currency_note
            .into_iter()
            .chain(amount_note)
            .chain(doubt)
            .collect();
        let (start, end) = (counted.at(found.start), counted.at(end));
        Price {
            text: text
                .get(found.start..found.end)
                .unwrap_or_default()
                .trim()
                .to_owned(),
            amount: amount * found.factor,
            currency,
            kind: kind_of(text, &found, struck),
            per: unit.map(|(unit, _)| unit),
            start,
            end,
            ambiguous: !notes.is_empty(),
            note: (!notes.is_empty()).then(|| notes.join("; ")),
        }
    };
    found.into_iter().map(price).collect()
}

fn kind_of(text: &str, found: &Found, struck: &[Span<usize>]) -> PriceKind {
    if struck.iter().any(|span| span.contains(&found.start)) {
        return PriceKind::Was;
    }
    match (context::kind(text, found.start, found.end), found.range) {
        (PriceKind::Price | PriceKind::From, Range::Low) => PriceKind::Low,
        (PriceKind::Price, Range::High) => PriceKind::High,
        (kind, _) => kind,
    }
}

fn currency_of(found: &Found, habits: &Habits, hints: &Hints) -> (Option<String>, Option<String>) {
    let hinted = hints.currency.as_deref();
    let Some(mark) = found.mark else {
        let assumed = hinted.or(habits.currency);
        let note = match (hinted, assumed) {
            (Some(_), _) => None,
            (None, Some(_)) => Some("currency taken from the other prices".to_owned()),
            (None, None) => Some("no currency given".to_owned()),
        };
        return (assumed.map(str::to_owned), note);
    };
    if let [only] = mark.options {
        return (Some((*only).to_owned()), None);
    }
    if let Some(code) = hinted.filter(|code| mark.options.contains(code)) {
        return (Some(code.to_owned()), None);
    }
    if let Some(code) = habits.codes.iter().find(|code| mark.options.contains(code)) {
        return (Some((*code).to_owned()), None);
    }
    let likely = mark.options.first().copied().unwrap_or_default();
    match likely {
        // By far the most common reading of the bare sign.
        "USD" | "JPY" => (Some(likely.to_owned()), None),
        _ => (
            None,
            Some(format!("currency may be {}", mark.options.join(", "))),
        ),
    }
}

fn amount_of(
    found: &Found,
    currency: Option<&str>,
    habits: &Habits,
    hints: &Hints,
) -> (f64, Option<String>) {
    let (thousands, fraction, mark) = match found.reading {
        Reading::Certain { amount, .. } => return (amount, None),
        Reading::Either {
            thousands,
            fraction,
            mark,
        } => (thousands, fraction, mark),
    };
    if let Some(decimal) = hints.decimal {
        return (if decimal == mark { fraction } else { thousands }, None);
    }
    if currency.is_some_and(currency::has_no_cents) {
        return (thousands, None);
    }
    match habits.decimal {
        Some(decimal) if decimal != mark => (thousands, None),
        // The same mark before cents elsewhere: here it cannot part thousands.
        Some(_) => (
            fraction,
            Some("three decimals, as the other prices use the mark".to_owned()),
        ),
        None => (
            thousands,
            Some("read as thousands; it could be three decimals".to_owned()),
        ),
    }
}

/// Turns rising byte places into character places without starting over.
struct Counter<'a> {
    text: &'a str,
    bytes: usize,
    characters: usize,
}

impl Counter<'_> {
    fn at(&mut self, byte: usize) -> usize {
        if byte < self.bytes {
            // Only a unit that reaches into the next price leads back; the way is short.
            let back = self
                .text
                .get(byte..self.bytes)
                .map_or(0, |text| text.chars().count());
            return self.characters.saturating_sub(back);
        }
        let more = self
            .text
            .get(self.bytes..byte)
            .map_or(0, |text| text.chars().count());
        self.bytes = byte;
        self.characters += more;
        self.characters
    }
}
