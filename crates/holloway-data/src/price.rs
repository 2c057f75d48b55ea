//! Which prices does a text name? Amounts in many notations with their currency, what
//! each is (was, now, from, a saving), per which unit, and where it stands. What cannot
//! be told for certain is flagged, with how it was decided.

mod context;
mod currency;
mod decide;
mod notation;
mod scan;
mod side;
mod wide;

use serde::{Deserialize, Serialize};

use crate::error::DataError;

/// Texts up to this size are searched.
pub const TEXT_LIMIT: usize = 4 * 1024 * 1024;
/// Prices that one text may have.
pub const MOST: usize = 20_000;

/// What is known beforehand.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// ISO code that `$`, `kr`, `¥` and bare amounts mean.
    pub currency: Option<String>,
    pub decimal: Option<Decimal>,
}

/// Which mark stands before the cents.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Decimal {
    Comma,
    Point,
}

/// What a price is in its sentence.
#[derive(Clone, Copy, Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PriceKind {
    Price,
    /// No longer asked: crossed out, or named as the old one.
    Was,
    Now,
    From,
    /// The ends of a range.
    Low,
    High,
    Saving,
}

#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Price {
    pub text: String,
    pub amount: f64,
    /// ISO 4217; none when nothing tells.
    pub currency: Option<String>,
    pub kind: PriceKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per: Option<String>,
    /// In characters, the end not included.
    pub start: usize,
    pub end: usize,
    pub ambiguous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// All prices of a text in order. `struck` are the places, in bytes, that are shown
/// crossed out.
pub fn extract(
    text: &str,
    struck: &[std::ops::Range<usize>],
    hints: &Hints,
) -> Result<Vec<Price>, DataError> {
    if text.len() > TEXT_LIMIT {
        let message = format!(
            "the text has {} bytes; at most {TEXT_LIMIT} are searched",
            text.len()
        );
        return Err(DataError::limit(message).with_hint("work on the text in parts"));
    }
    if let Some(code) = &hints.currency
        && !currency::is_code(code)
    {
        let message = format!("`{code}` is no currency known here");
        return Err(DataError::request(message).with_hint("use an ISO code such as EUR or USD"));
    }
    if let Some(narrow) = wide::narrow(text) {
        let struck = wide::moved(text, struck);
        let mut prices = extract(&narrow, &struck, hints)?;
        wide::as_written(text, &mut prices);
        return Ok(prices);
    }
    let found = scan::scan(text);
    if found.len() > MOST {
        return Err(DataError::limit(format!(
            "the text has more than {MOST} prices"
        )));
    }
    Ok(decide::decide(text, found, struck, hints))
}
