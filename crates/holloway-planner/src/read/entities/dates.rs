//! Which days and times are named? Those that can be told without a calendar become data;
//! "tomorrow" and days without a year stay as they were said.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Value, json};

use super::EntityKind;
use super::Found;
use crate::lexicon::lists::{List, Patterns};

static STARTS: List = List::named("entity_dates.starts");
static BY_NAME: Patterns = Patterns::named("entity_dates.by_name");
static SAID: Patterns = Patterns::named("entity_dates.said");
static TIMES: Patterns = Patterns::named("entity_dates.times");
/// Days that are written with numbers alone.
const NUMBERED: [(&str, Read); 4] = [
    (
        r"\b(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})[ T](?<h>\d{1,2}):(?<i>\d{2})(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?",
        by_both,
    ),
    (
        r"\b(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})\b",
        by_number,
    ),
    (r"\b(?<a>\d{1,2})/(?<b>\d{1,2})/(?<y>\d{4})\b", by_slashes),
    (r"\b(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{4})\b", by_number),
];
const CLOCKS: [&str; 2] = [
    r"(?i)\b(?<h>\d{1,2}):(?<i>\d{2})(?::\d{2})?(?: ?(?<p>[ap])\.?m\b\.?)?",
    r"(?i)\b(?<h>\d{1,2}) ?(?<p>[ap])\.?m\b\.?",
];

type Read = fn(&Captures<'_>) -> Option<Value>;

static RULES: LazyLock<Vec<(EntityKind, Regex, Read)>> = LazyLock::new(|| {
    let own = |(rule, read): (&str, Read)| Some((Regex::new(rule).ok()?, read));
    let days = NUMBERED.into_iter().filter_map(own);
    let days = days.chain(BY_NAME.iter().map(|rule| (rule.clone(), by_name as Read)));
    let days = days.chain(SAID.iter().map(|rule| (rule.clone(), as_said as Read)));
    let times = CLOCKS.into_iter().filter_map(|rule| own((rule, by_clock)));
    let times = times.chain(TIMES.iter().map(|rule| (rule.clone(), as_said as Read)));
    let days = days.map(|(rule, read)| (EntityKind::Date, rule, read));
    days.chain(times.map(|(rule, read)| (EntityKind::Time, rule, read)))
        .collect()
});

pub(crate) fn find(found: &mut Found<'_>) {
    for (kind, rule, read) in &*RULES {
        for hit in rule.captures_iter(found.text) {
            let (Some(whole), Some(value)) = (hit.get(0), read(&hit)) else {
                continue;
            };
            let text = match kind {
                EntityKind::Date => whole.as_str().trim_end_matches('.'),
                _ => whole.as_str(),
            };
            let place = whole.start()..whole.start() + text.len();
            let (before, after) = found.around(&place);
            let joined = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '-');
            if joined(before) || joined(after) {
                continue;
            }
            found.add(*kind, place, value, None);
        }
    }
}

/// Is the text a day or a time and nothing else?
pub(crate) fn is_whole(text: &str) -> bool {
    RULES.iter().any(|(_, rule, read)| {
        let hit = rule.captures(text);
        let whole = hit.as_ref().and_then(|hit| hit.get(0));
        whole.is_some_and(|whole| whole.len() == text.len())
            && hit.is_some_and(|hit| read(&hit).is_some())
    })
}

fn as_said(hit: &Captures<'_>) -> Option<Value> {
    hit.get(0).map(|whole| json!(whole.as_str()))
}

fn part(hit: &Captures<'_>, name: &str) -> Option<u32> {
    hit.name(name)?.as_str().parse().ok()
}

fn day(year: u32, month: u32, day: u32) -> Option<Value> {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let last = match month {
        // Without a year it may be any.
        2 if is_leap || year == 0 => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let is_day = (1..=12).contains(&month) && (1..=last).contains(&day);
    is_day.then(|| json!(format!("{year:04}-{month:02}-{day:02}")))
}

/// A day and a time, as they were said.
fn by_both(hit: &Captures<'_>) -> Option<Value> {
    by_number(hit)?;
    by_clock(hit)?;
    as_said(hit)
}

fn by_number(hit: &Captures<'_>) -> Option<Value> {
    day(part(hit, "y")?, part(hit, "m")?, part(hit, "d")?)
}

/// The month comes first, unless it cannot be one.
fn by_slashes(hit: &Captures<'_>) -> Option<Value> {
    let (one, other, year) = (part(hit, "a")?, part(hit, "b")?, part(hit, "y")?);
    day(year, one, other).or_else(|| day(year, other, one))
}

fn by_name(hit: &Captures<'_>) -> Option<Value> {
    let name = hit.name("n")?.as_str().to_lowercase();
    let month = STARTS.iter().position(|start| name.starts_with(start))? as u32 + 1;
    match (part(hit, "y"), part(hit, "d")) {
        (Some(year), Some(of_month)) => day(year, month, of_month),
        (Some(year), None) => Some(json!(format!("{year:04}-{month:02}"))),
        (None, Some(of_month)) => day(0, month, of_month).and_then(|_| as_said(hit)),
        (None, None) => None,
    }
}

fn by_clock(hit: &Captures<'_>) -> Option<Value> {
    let (hour, minute) = (part(hit, "h")?, part(hit, "i").unwrap_or(0));
    let half = hit.name("p").map(|half| half.as_str().to_lowercase());
    let hour = match (half.as_deref(), hour) {
        (Some("p"), 1..=11) => hour + 12,
        (Some("a"), 12) => 0,
        (Some(_), 13..) => return None,
        _ => hour,
    };
    (hour < 24 && minute < 60 || hour == 24 && minute == 0)
        .then(|| json!(format!("{hour:02}:{minute:02}")))
}
