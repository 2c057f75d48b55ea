//! Which days does a phrase mean? The first and the last one: a day, a month, a quarter, a year.

use serde_json::{Value, json};

use super::tokens::{Token, TokenKind, is_iso_date};
use crate::frame::scene::Scene;
use crate::lexicon::Words;

mod relative;

const YEARS: std::ops::RangeInclusive<u32> = 1900..=2100;

/// The days that begin at this token, with where the words end.
pub(super) fn date(
    tokens: &[Token],
    at: usize,
    words: &Words,
    scene: &Scene,
) -> Vec<(usize, Value)> {
    let token = |at: usize| tokens.get(at);
    let year_at = |at: usize| token(at).and_then(year);
    let month_at = |at: usize| {
        token(at)
            .and_then(|token| words.months.get(&token.lower))
            .copied()
    };
    let day_at = |at: usize| token(at).and_then(|token| day(token, words));
    let behind_comma =
        |at: usize| at + usize::from(token(at).is_some_and(|token| token.text == ","));
    let mut found = Vec::new();
    let Some(first) = token(at) else {
        return found;
    };
    found.extend(
        scene
            .today
            .as_ref()
            .and_then(|today| relative::relative(tokens, at, words, today)),
    );
    if is_iso_date(&first.text) {
        found.push((at + 1, json!({"from": first.text, "to": first.text})));
    }
    // 3 March 2024, 3. März 2024
    let point = token(at + 1).is_some_and(|token| token.text == ".");
    let month = at + 1 + usize::from(point);
    if let (Some(day), Some(number), Some(year)) = (day_at(at), month_at(month), year_at(month + 1))
    {
        found.extend(one_day(year, number, day).map(|value| (month + 2, value)));
    }
    found.extend(with_points(first).map(|value| (at + 1, value)));
    if let Some(month) = month_at(at) {
        // March 3, 2024
        let comma = behind_comma(at + 2);
        if let (Some(day), Some(year)) = (day_at(at + 1), year_at(comma)) {
            found.extend(one_day(year, month, day).map(|value| (comma + 1, value)));
        }
        // March 2024; March alone in the one year there is
        match year_at(at + 1) {
            Some(year) => found.push((at + 2, months(year, month, month))),
            None => found.extend(only_year(scene).map(|year| (at + 1, months(year, month, month)))),
        }
    }
    let quarter = first
        .lower
        .strip_prefix('q')
        .and_then(|digit| digit.parse::<u32>().ok());
    if let Some(quarter) = quarter.filter(|quarter| (1..=4).contains(quarter)) {
        let span = |year| months(year, quarter * 3 - 2, quarter * 3);
        match year_at(at + 1) {
            Some(year) => found.push((at + 2, span(year))),
            None => found.extend(only_year(scene).map(|year| (at + 1, span(year)))),
        }
    }
    found.extend(part_of_year(tokens, at, words, scene));
    // 1 March, March 1st in the one year there is
    if let Some(only) = only_year(scene) {
        if let (Some(day), Some(number), None) = (day_at(at), month_at(month), year_at(month + 1)) {
            found.extend(one_day(only, number, day).map(|value| (month + 1, value)));
        }
        if let (Some(number), Some(day), None) =
            (month_at(at), day_at(at + 1), year_at(behind_comma(at + 2)))
        {
            found.extend(one_day(only, number, day).map(|value| (at + 2, value)));
        }
    }
    if let Some(year) = year(first) {
        found.push((at + 1, months(year, 1, 12)));
    }
    found
}

/// A day without a year, as it comes next: "24 December".
pub(super) fn coming(
    tokens: &[Token],
    at: usize,
    words: &Words,
    scene: &Scene,
) -> Option<(usize, Value)> {
    let today = scene.today.as_deref()?;
    let month_at = |at: usize| words.months.get(&tokens.get(at)?.lower).copied();
    let day_at = |at: usize| day(tokens.get(at)?, words);
    let point = tokens.get(at + 1).is_some_and(|token| token.text == ".");
    let behind = at + 1 + usize::from(point);
    let (number, month, end) = match (day_at(at), month_at(behind)) {
        (Some(number), Some(month)) => (number, month, behind + 1),
        _ => (day_at(at + 1)?, month_at(at)?, at + 2),
    };
    if tokens.get(end).and_then(year).is_some() {
        return None;
    }
    let this: u32 = today.get(..4)?.parse().ok()?;
    let days = (this..=this + 4).filter_map(|year| one_day(year, month, number));
    let mut later = days.filter(|day| day.get("from").and_then(Value::as_str) >= Some(today));
    Some((end, later.next()?))
}

/// "the second quarter of 2024", "the last half of 2023".
fn part_of_year(
    tokens: &[Token],
    at: usize,
    words: &Words,
    scene: &Scene,
) -> Option<(usize, Value)> {
    const MONTHS: u32 = 12;
    let first = tokens.get(at)?;
    let named = &tokens.get(at + 1)?.lower;
    let length = if words.halves.contains(named) {
        6
    } else if words
        .periods
        .get(named)
        .is_some_and(|period| period == "quarter")
    {
        3
    } else {
        return None;
    };
    let is_last = words.last.contains(&first.lower);
    let place = if is_last {
        MONTHS / length
    } else {
        words
            .ordinals
            .get(&first.lower)
            .map(|place| *place as u32)?
    };
    let rest = tokens.get(at + 2..).unwrap_or_default();
    let passed = rest.iter().take_while(|token| token.idle).count();
    let (end, year) = match rest.get(passed).and_then(year) {
        Some(year) => (at + 2 + passed + 1, year),
        // "last quarter" by itself is the one before this.
        None if is_last => return None,
        None => (at + 2, only_year(scene)?),
    };
    let fits = (1..=MONTHS / length).contains(&place);
    fits.then(|| (end, months(year, (place - 1) * length + 1, place * length)))
}

/// `3.3.2024`, which is the same in every country that writes points.
fn with_points(token: &Token) -> Option<Value> {
    let parts: Vec<u32> = token
        .text
        .split('.')
        .map_while(|part| part.parse().ok())
        .collect();
    let written = token.text.split('.').count();
    match parts.as_slice() {
        [day, month, year] if written == 3 && YEARS.contains(year) && (1..=12).contains(month) => {
            one_day(*year, *month, *day)
        }
        _ => None,
    }
}

fn year(token: &Token) -> Option<u32> {
    let fits = token.kind == TokenKind::Number && token.text.len() == 4;
    let year = token.text.parse().ok()?;
    (fits && YEARS.contains(&year)).then_some(year)
}

fn day(token: &Token, words: &Words) -> Option<u32> {
    let digits = token.lower.trim_end_matches(char::is_alphabetic);
    let written = digits.parse().ok();
    let day = written.or_else(|| words.ordinals.get(&token.lower).map(|day| *day as u32))?;
    (1..=31).contains(&day).then_some(day)
}

fn one_day(year: u32, month: u32, day: u32) -> Option<Value> {
    let day = (1..=last_day(year, month))
        .contains(&day)
        .then(|| format!("{year:04}-{month:02}-{day:02}"))?;
    Some(json!({"from": day, "to": day}))
}

fn months(year: u32, first: u32, last: u32) -> Value {
    let end = last_day(year, last);
    json!({"from": format!("{year:04}-{first:02}-01"), "to": format!("{year:04}-{last:02}-{end:02}")})
}

fn last_day(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The year of all dates in the tables, where there is only one.
fn only_year(scene: &Scene) -> Option<u32> {
    let columns = scene.columns();
    let dates = columns.flat_map(|column| &column.values);
    let mut years = dates
        .filter(|date| is_iso_date(date.get(..10).unwrap_or(date)))
        .filter_map(|date| date.get(..4)?.parse::<u32>().ok());
    let first = years.next()?;
    years.all(|year| year == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use crate::read::tokens::tokens;

    fn check(text: &str, language: &str, expected: Option<(&str, &str)>) {
        let mut languages = Lexicon::shipped().iter();
        let lexicon = languages
            .find(|lexicon| lexicon.language == language)
            .unwrap();
        let found = date(&tokens(text), 0, &lexicon.words, &Scene::default());
        let first = found.first().map(|(_, value)| {
            (
                value["from"].as_str().unwrap(),
                value["to"].as_str().unwrap(),
            )
        });
        assert_eq!(first, expected, "{text}");
    }

    #[test]
    fn days_months_quarters_and_years_are_spans() {
        check("2024-03-01", "en", Some(("2024-03-01", "2024-03-01")));
        check("3 March 2024", "en", Some(("2024-03-03", "2024-03-03")));
        check("March 3rd, 2024", "en", Some(("2024-03-03", "2024-03-03")));
        check("February 2024", "en", Some(("2024-02-01", "2024-02-29")));
        check("Q2 2023", "en", Some(("2023-04-01", "2023-06-30")));
        check("2022", "en", Some(("2022-01-01", "2022-12-31")));
        check("3. März 2024", "de", Some(("2024-03-03", "2024-03-03")));
        check("3.3.2024", "de", Some(("2024-03-03", "2024-03-03")));
        // Not a day, and a month of which the year is not known.
        check("30 February 2024", "en", None);
        check("March", "en", None);
        check("01/05/2024", "en", None);
    }
}
