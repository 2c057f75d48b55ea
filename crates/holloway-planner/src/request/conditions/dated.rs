//! From which time are the rows that are meant? "in February", "after 2026-03-01", "in 2025",
//! of a table with one column of dates.

use serde_json::json;

use super::super::surroundings::Column;
use super::phrases::{ARTICLES, Reader};
use super::tokens::Kind;
use super::{Comparison, Condition, Keep};

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The first day of a stretch of time and the first day after it.
type Stretch = (String, String);

pub(super) fn dated(reader: &mut Reader<'_>) -> bool {
    let from = reader.at;
    let column = reader.known.date();
    column.is_some_and(|column| dated_in(reader, column, from))
}

/// The same of a column that is known; what is said began at a place.
pub(super) fn dated_in(reader: &mut Reader<'_>, column: &Column, from: usize) -> bool {
    let start = reader.at;
    let after = reader.eat(&["after"]);
    let before = !after && reader.eat(&["before"]);
    let since = !after && !before && reader.eat(&["since"]);
    let until = !after && !before && !since && reader.eat(&["until"]);
    let within = reader.eat(&["in", "from", "during", "on", "for", "of"]);
    if !(after || before || since || until || within) {
        return false;
    }
    reader.eat_any(&ARTICLES);
    let years: Vec<&str> = years(&column.values);
    let Some((first, next)) = stretch(reader, &years) else {
        reader.at = start;
        return false;
    };
    let bounds = match () {
        () if after => vec![(Comparison::AtLeast, next)],
        () if before => vec![(Comparison::Less, first)],
        () if since => vec![(Comparison::AtLeast, first)],
        () if until => vec![(Comparison::Less, next)],
        () => vec![(Comparison::AtLeast, first), (Comparison::Less, next)],
    };
    for (comparison, day) in bounds {
        let keep = Keep {
            column: column.name.clone(),
            comparison,
            value: json!(day),
            or: false,
        };
        reader.say(Condition::Keep(keep), from);
    }
    true
}

fn years(values: &[String]) -> Vec<&str> {
    let mut years: Vec<&str> = values.iter().filter_map(|day| day.get(..4)).collect();
    years.sort_unstable();
    years.dedup();
    years
}

/// A day, a month or a year. A month without its year is only clear where the table has one.
fn stretch(reader: &mut Reader<'_>, years: &[&str]) -> Option<Stretch> {
    if let Some(day) = day_said(reader, years) {
        return Some(day);
    }
    let token = reader.now()?;
    if let Kind::Number(number) = &token.kind {
        let year = number.as_u64().filter(|year| (1900..2200).contains(year))?;
        reader.at += 1;
        return Some((format!("{year}-01-01"), format!("{}-01-01", year + 1)));
    }
    if token.kind != Kind::Word {
        return None;
    }
    let at = MONTHS.iter().position(|month| *month == token.word)?;
    let month = u32::try_from(at).ok()? + 1;
    reader.at += 1;
    let said = match reader.now().map(|token| &token.kind) {
        Some(Kind::Number(number)) => number.as_u64(),
        _ => None,
    };
    let year = match (said.filter(|year| (1900..2200).contains(year)), years) {
        (Some(said), _) => {
            reader.at += 1;
            u32::try_from(said).ok()?
        }
        (None, [only]) => only.parse().ok()?,
        (None, _) => {
            reader.unclear = true;
            return None;
        }
    };
    let (next, following) = if month == 12 {
        (year + 1, 1)
    } else {
        (year, month + 1)
    };
    Some((
        format!("{year:04}-{month:02}-01"),
        format!("{next:04}-{following:02}-01"),
    ))
}

/// One day: "2026-03-01", "1 March 2026", "March 1st, 2026".
pub(super) fn day_said(reader: &mut Reader<'_>, years: &[&str]) -> Option<Stretch> {
    let before = reader.at;
    let found = written(reader).or_else(|| {
        reader.at = before;
        spoken(reader, years)
    });
    if found.is_none() {
        reader.at = before;
    }
    let (year, month, day) = found?;
    Some((
        format!("{year:04}-{month:02}-{day:02}"),
        after(year, month, day),
    ))
}

fn written(reader: &mut Reader<'_>) -> Option<(u32, u32, u32)> {
    let token = reader.now().filter(|token| token.kind == Kind::Word)?;
    reader.at += 1;
    day(&token.word)
}

fn spoken(reader: &mut Reader<'_>, years: &[&str]) -> Option<(u32, u32, u32)> {
    let early = numbered(reader);
    reader.eat(&["of"]);
    let word = &reader.now().filter(|token| token.kind == Kind::Word)?.word;
    let at = MONTHS.iter().position(|month| {
        let short = month.get(..3).unwrap_or_default();
        month == word || early.is_some() && word.trim_end_matches('.') == short
    })?;
    let month = u32::try_from(at).ok()? + 1;
    reader.at += 1;
    let day = early.or_else(|| numbered(reader))?;
    let end = reader.at;
    let is_comma = reader.now().is_some_and(|token| token.kind == Kind::Comma);
    reader.at += usize::from(is_comma);
    let said = match reader.now().map(|token| &token.kind) {
        Some(Kind::Number(number)) => number.as_u64(),
        _ => None,
    };
    let year = match (said.filter(|year| (1000..3000).contains(year)), years) {
        (Some(said), _) => {
            reader.at += 1;
            u32::try_from(said).ok()?
        }
        (None, [only]) => {
            reader.at = end;
            only.parse().ok()?
        }
        (None, _) => return None,
    };
    (1..=days(year, month))
        .contains(&day)
        .then_some((year, month, day))
}

/// "1", "1st".
fn numbered(reader: &mut Reader<'_>) -> Option<u32> {
    let token = reader.now()?;
    let digits = token
        .word
        .trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let rest = token.word.get(digits.len()..).unwrap_or_default();
    let fits = matches!(rest, "" | "st" | "nd" | "rd" | "th");
    let number = digits
        .parse::<u32>()
        .ok()
        .filter(|day| fits && (1..=31).contains(day))?;
    reader.at += 1;
    Some(number)
}

fn day(word: &str) -> Option<(u32, u32, u32)> {
    let mut parts = word.split('-');
    let mut part = |length: usize| {
        let text = parts.next().filter(|text| text.len() == length)?;
        text.parse::<u32>().ok()
    };
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    let fits = (1..=12).contains(&month) && (1..=days(year, month)).contains(&day);
    (fits && parts.next().is_none()).then_some((year, month, day))
}

fn days(year: u32, month: u32) -> u32 {
    let leaps = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leaps => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The day after.
fn after(year: u32, month: u32, day: u32) -> String {
    let (year, month, day) = match (month, day) {
        (12, 31) => (year + 1, 1, 1),
        (month, day) if day == days(year, month) => (year, month + 1, 1),
        (month, day) => (year, month, day + 1),
    };
    format!("{year:04}-{month:02}-{day:02}")
}
