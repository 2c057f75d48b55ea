//! By what are rows put together? "by region and product", "per month", "for each customer".

use super::Period;
use super::leftovers::{says_nothing, ties};
use super::phrases::{ARTICLES, Reader};
use super::rows::BEGINS;
use super::tokens::Kind;

pub(super) const PERIODS: [(&[&str], Period); 5] = [
    (&["day", "daily"], Period::Day),
    (&["week", "weekly"], Period::Week),
    (&["month", "monthly"], Period::Month),
    (&["quarter", "quarterly"], Period::Quarter),
    (&["year", "yearly", "annually"], Period::Year),
];
const PER: [&str; 13] = [
    "by", "per", "for", "across", "in", "of", "does", "do", "did", "has", "have", "from", "at",
];

/// What rows are put together by: columns, and a stretch of time.
pub(super) type Keys = (Vec<String>, Option<Period>);

/// "by region and product", "per month", "for each customer".
pub(super) fn keys(reader: &mut Reader<'_>) -> Option<Keys> {
    let from = reader.at;
    reader.eat(&["grouped", "split"]);
    let monthly = PERIODS.iter().find(|(words, _)| {
        let adverbs = words.get(1..).unwrap_or_default();
        reader.eat(adverbs)
    });
    if let Some((_, period)) = monthly {
        return Some((Vec::new(), Some(*period)));
    }
    let said = reader.eat(&["by", "per"])
        || (reader.is(reader.at + 1, &["each", "every"]) && reader.eat(&PER));
    if !said {
        reader.at = from;
        return None;
    }
    reader.eat_any(&ARTICLES);
    let mut period = None;
    if reader.known.is_known() && reader.column_at(reader.at).is_none() {
        let own = PERIODS
            .iter()
            .find(|(words, _)| reader.eat(words.get(..1).unwrap_or_default()));
        period = own.map(|(_, period)| *period);
        if period.is_some() && !reader.eat(&["and"]) {
            return Some((Vec::new(), period));
        }
    }
    let mut columns = reader.columns(&BEGINS);
    columns.retain(|column| {
        let own = PERIODS
            .iter()
            .find(|(words, _)| words.first() == Some(&column.to_lowercase().as_str()));
        period = period.or(own.map(|(_, period)| *period));
        own.is_none()
    });
    if columns.is_empty() && period.is_none() {
        reader.at = from;
        return None;
    }
    Some((columns, period))
}

/// The customers in "of paid orders per customer": what stands between says which rows.
pub(super) fn keys_ahead(reader: &mut Reader<'_>) -> Option<Keys> {
    let start = reader.at;
    if !reader.known.is_known() {
        return None;
    }
    let mut found = None;
    while found.is_none()
        && let Some(token) = reader.now()
    {
        let from = reader.at;
        found = keys(reader);
        if found.is_some() {
            reader.mark(from, reader.at);
            break;
        }
        let value = reader.value_at(from).map(|(_, _, count)| count);
        let passes = token.kind == Kind::File
            || token.kind == Kind::Word
                && (reader.is_row(&token.word) || says_nothing(&token.word) || ties(&token.word));
        match value {
            Some(count) => reader.at = from + count,
            None if passes => reader.at = from + 1,
            None => break,
        }
    }
    reader.at = start;
    found
}
