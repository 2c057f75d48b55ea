//! `text-entities`: which addresses, dates, amounts and numbers does a text name? Only
//! what its form gives away; people and places are not guessed at.

use std::sync::{Arc, LazyLock};

use holloway_data::date::{self, Order};
use holloway_data::price::{Hints, extract};
use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::within_limit;

pub(super) fn tool() -> Arc<dyn Tool> {
    Pure::pooled(spec(), entities)
}

const MOST: usize = 20_000;

fn spec() -> ToolSpec {
    Declaration {
        name: "text-entities",
        title: "Find addresses, dates and amounts",
        category: "text",
        description: "Finds e-mail addresses, URLs, dates, amounts of money and phone numbers in a text by their form. Use it to pull contacts and facts out of pages. Names of people, \
            companies and places are not found. A date such as 01/02/2024 is read by `dates`, and left as written when it fits neither; a phone number needs a + or a \
            leading 0 and seven digits. Returns entities in order with kind (email, url, date, money, phone), text, value (normalised), start and end in characters, and counts per kind.",
        effect: Effect::Read,
        latency_ms: 10,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "kinds": {"type": "array", "items": {"type": "string", "enum": ["email", "url", "date", "money", "phone"]}, "description": "All kinds if left out"},
                "dates": {"type": "string", "enum": ["dmy", "mdy"], "default": "dmy", "description": "How 01/02/2024 is read"}
            }),
        ),
        output: output(
            &["count", "counts", "entities"],
            json!({
                "count": {"type": "integer"},
                "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
                "entities": {"type": "array", "items": {"type": "object", "required": ["kind", "text", "start", "end"]}}
            }),
        ),
        example: json!({"text": "Write to ada@example.org by 2024-01-31, or call +49 30 1234567; it costs 5 €."}),
        does: &[
            "extract text:text -> table:entities with kinds=unit*",
            "extract contacts:text -> table:entities with kinds=unit*",
        ],
    }
    .builtin()
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Email,
    Url,
    Date,
    Money,
    Phone,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Url => "url",
            Self::Date => "date",
            Self::Money => "money",
            Self::Phone => "phone",
        }
    }
}

struct Entity {
    kind: Kind,
    start: usize,
    end: usize,
    value: Value,
}

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

pattern!(
    EMAIL,
    r"[\p{L}\p{N}._%+\-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}\-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}\-]*[\p{L}\p{N}])?)*\.\p{L}{2,}"
);
pattern!(URL, r#"(?i)\bhttps?://[^\s<>"'{}|\\^`]+"#);
pattern!(
    DATE,
    r"\b(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2}))\b"
);
/// The names of each month, in English and German.
static MONTHS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let months = include_str!("months.txt").lines();
    months.map(|line| line.split(' ').collect()).collect()
});
static SPELLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = MONTHS.concat().join("|");
    let pattern = format!(
        r"(?i)\b(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<m>{names})\b(?:\.?,?\s+(?P<y>\d{{4}})\b)?|(?P<month>{names})\b\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>\d{{4}})\b)?)"
    );
    Regex::new(&pattern).ok()
});
pattern!(
    PHONE,
    r"(?:\+\d{1,3}|\(0\d{1,5}\)|\b0\d{1,5})(?:[ \-/.]?\(?\d{1,5}\)?){1,6}"
);

fn entities(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
        kinds: Option<Vec<Kind>>,
        dates: Option<Order>,
    }
    let Arguments { text, kinds, dates } = arguments::parse(arguments)?;
    within_limit(&text)?;
    let dates = dates.unwrap_or(Order::Dmy);
    let is_wanted = |kind: Kind| kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind));
    // What is found first keeps its place: an amount inside a URL is none.
    let mut found: Vec<Entity> = Vec::new();
    let finders = [
        urls(&text),
        emails(&text),
        all_dates(&text, dates),
        money(&text)?,
        phones(&text),
    ];
    for entity in finders.into_iter().flatten() {
        let overlaps = |other: &Entity| entity.start < other.end && other.start < entity.end;
        // Sorted by start below; near ones are enough to look at.
        let place = found.partition_point(|other| other.start < entity.start);
        let near = [place.checked_sub(1), Some(place)];
        if !near
            .iter()
            .flatten()
            .filter_map(|at| found.get(*at))
            .any(overlaps)
        {
            found.insert(place, entity);
        }
        if found.len() > MOST {
            return Err(ToolFailure::limit(format!(
                "the text has more than {MOST} of them"
            )));
        }
    }
    found.retain(|entity| is_wanted(entity.kind));
    Ok(told(&text, &found))
}

fn told(text: &str, found: &[Entity]) -> Value {
    let (mut bytes, mut characters) = (0, 0);
    let mut place = |at: usize| {
        characters += text.get(bytes..at).map_or(0, |text| text.chars().count());
        bytes = at;
        characters
    };
    let mut counts = serde_json::Map::new();
    let mut entities = Vec::new();
    for entity in found {
        let name = entity.kind.name();
        let count = counts.get(name).and_then(Value::as_u64).unwrap_or(0);
        counts.insert(name.to_owned(), json!(count + 1));
        let (start, end) = (place(entity.start), place(entity.end));
        let written = text.get(entity.start..entity.end);
        entities.push(json!({"kind": name, "text": written, "value": entity.value, "start": start, "end": end}));
    }
    json!({ "count": entities.len(), "counts": counts, "entities": entities })
}

fn matches<'a>(
    pattern: &'static LazyLock<Option<Regex>>,
    text: &'a str,
) -> impl Iterator<Item = (usize, &'a str)> {
    let found = pattern.as_ref().map(|pattern| pattern.find_iter(text));
    found
        .into_iter()
        .flatten()
        .map(|found| (found.start(), found.as_str()))
}

fn entity(kind: Kind, start: usize, written: &str, value: Value) -> Entity {
    Entity {
        kind,
        start,
        end: start + written.len(),
        value,
    }
}

fn emails(text: &str) -> Vec<Entity> {
    matches(&EMAIL, text)
        .map(|(start, written)| entity(Kind::Email, start, written, json!(written.to_lowercase())))
        .collect()
}

/// Punctuation after an address belongs to the sentence, a bracket to what opened it.
fn urls(text: &str) -> Vec<Entity> {
    let trimmed = matches(&URL, text).map(|(start, written)| {
        let mut url = written.trim_end_matches(['.', ',', ';', ':', '!', '?', '…', '”', '’']);
        // Counted once: a long row of brackets must not be counted for each of them.
        let opened = url.bytes().filter(|byte| *byte == b'(').count();
        let mut closed = url.bytes().filter(|byte| *byte == b')').count();
        while closed > opened
            && let Some(shorter) = url.strip_suffix(')')
        {
            url = shorter;
            closed -= 1;
        }
        (start, url)
    });
    trimmed
        .map(|(start, written)| entity(Kind::Url, start, written, json!(written)))
        .collect()
}

fn all_dates(text: &str, order: Order) -> Vec<Entity> {
    let other = if order == Order::Dmy {
        Order::Mdy
    } else {
        Order::Dmy
    };
    let dates = matches(&DATE, text).filter_map(|(start, written)| {
        let moment = date::read_as(written, order).or_else(|| date::read_as(written, other))?;
        Some(entity(
            Kind::Date,
            start,
            written,
            json!(moment.to_string()),
        ))
    });
    let mut dates: Vec<Entity> = dates.collect();
    dates.extend(spelled_dates(text));
    dates
}

/// Dates with the name of a month: `3 March 2026`, `March 3rd`, `12. März 2026`. One without a
/// year stays as it is written.
fn spelled_dates(text: &str) -> Vec<Entity> {
    let Some(pattern) = SPELLED.as_ref() else {
        return Vec::new();
    };
    let found = pattern.captures_iter(text).filter_map(|captures| {
        let part = |one: &str, other: &str| {
            let part = captures.name(one).or_else(|| captures.name(other));
            part.map(|part| part.as_str())
        };
        let whole = captures.get(0)?;
        let month = part("m", "month")?.to_lowercase();
        let month = MONTHS
            .iter()
            .position(|names| names.contains(&month.as_str()))?
            + 1;
        let day: u8 = part("d", "day")?.parse().ok()?;
        let value = match part("y", "year") {
            Some(year) => date::read(&format!("{year}-{month:02}-{day:02}"))?.to_string(),
            None if (1..=31).contains(&day) => whole.as_str().to_owned(),
            None => return None,
        };
        Some(entity(
            Kind::Date,
            whole.start(),
            whole.as_str(),
            json!(value),
        ))
    });
    found.collect()
}

fn money(text: &str) -> Result<Vec<Entity>, ToolFailure> {
    let prices =
        extract(text, &[], &Hints::default()).map_err(|error| ToolFailure::limit(error.message))?;
    let mut places = text
        .char_indices()
        .map(|(byte, _)| byte)
        .chain([text.len()])
        .enumerate();
    let mut byte_of = |character: usize| {
        places
            .by_ref()
            .find(|(at, _)| *at >= character)
            .map_or(text.len(), |(_, byte)| byte)
    };
    let found = prices
        .into_iter()
        .filter(|price| price.currency.is_some())
        .map(|price| {
            let start = byte_of(price.start);
            let value = json!({"amount": price.amount, "currency": price.currency});
            entity(Kind::Money, start, &price.text, value)
        });
    Ok(found.collect())
}

/// Seven to fifteen digits, as the numbering plan of the world allows.
fn phones(text: &str) -> Vec<Entity> {
    let numbers = matches(&PHONE, text).filter_map(|(start, written)| {
        // `2024-02-30 1.2.3.4`: what goes on from other digits is part of a date.
        let mut before = text.get(..start)?.chars().rev();
        let is_part = before
            .next()
            .is_some_and(|c| matches!(c, '-' | '.' | '/' | ':'))
            && before.next().is_some_and(|c| c.is_ascii_digit());
        if is_part {
            return None;
        }
        let written = written.trim_end_matches([' ', '-', '/', '.', '(']);
        let digits: String = written
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '+')
            .collect();
        let count = digits.trim_start_matches('+').len();
        (7..=15)
            .contains(&count)
            .then(|| entity(Kind::Phone, start, written, json!(digits)))
    });
    numbers.collect()
}
