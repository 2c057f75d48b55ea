//! Which data does a request carry? "rent 1200, food 450 and fun 200" as a list of what the
//! schema says, "name is Omar, id is 5531" as an object.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::{Found, Request};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::{Kind, Shape};
use crate::lexicon::lists::{List, Patterns};

static PAIR: Patterns = Patterns::named("said_items.pair");
static TURNED: Patterns = Patterns::named("said_items.turned");

/// One thing of a list: what it is called, and how much it is.
struct Item {
    name: Option<String>,
    number: Option<Value>,
}

pub(super) fn listed(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let items = parameter
        .shape
        .list_items()
        .filter(|_| parameter.kind == Kind::List);
    match items {
        Some(Some(items)) => listed_of(request, parameter, items),
        _ if parameter.kind == Kind::Object && parameter.required => fields(request, parameter),
        _ => Vec::new(),
    }
}

/// "1, 2, 3 versus 4, 5, 6" for two lists of numbers.
fn groups(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let of_numbers = |parameter: &Parameter<'_>| {
        let items = parameter.shape.list_items().flatten();
        items.is_some_and(|items| matches!(items.kind(), Kind::Number | Kind::Integer))
    };
    let lists = request
        .parameters
        .iter()
        .filter(|one| one.required && of_numbers(one));
    let lists: Vec<&str> = lists.map(|one| one.name).collect();
    let Some(which) = lists.iter().position(|name| *name == parameter.name) else {
        return Vec::new();
    };
    let mut runs: Vec<(Vec<Value>, Range<usize>)> = Vec::new();
    let mut goes_on = false;
    for token in request.tokens {
        match runs.last_mut().filter(|_| goes_on) {
            Some((values, place)) if token.is_number() => {
                values.push(token.value.clone());
                place.end = token.place.end;
            }
            _ if token.is_number() => runs.push((vec![token.value.clone()], token.place.clone())),
            _ => {}
        }
        goes_on = token.is_number() && token.comma || token.lower == "and" && goes_on;
    }
    runs.retain(|(values, _)| values.len() > 1);
    let run = match lists.len() {
        // Of one list, the longest that stands there.
        1 => runs.into_iter().max_by_key(|(values, _)| values.len()),
        _ => runs.into_iter().nth(which),
    };
    let found = run.map(|(values, place)| Found::new(Value::Array(values), place));
    found.into_iter().collect()
}

fn listed_of(request: &Request<'_>, parameter: &Parameter<'_>, items: Shape<'_>) -> Vec<Found> {
    let groups = groups(request, parameter);
    if !groups.is_empty() && pairs(request).is_none() {
        return groups;
    }
    let Some((place, all)) = pairs(request) else {
        return Vec::new();
    };
    let values: Option<Vec<Value>> = match items.kind() {
        Kind::Object => all.iter().map(|item| object(items, item)).collect(),
        Kind::Number | Kind::Integer => all.iter().map(|item| item.number.clone()).collect(),
        Kind::Text if !parameter.wants.is_strict() => all
            .iter()
            .map(|item| item.name.clone().map(Value::from))
            .collect(),
        _ => None,
    };
    let place = match items.kind() {
        // Names and numbers may go to two lists.
        Kind::Number | Kind::Integer => place.end.saturating_sub(1)..place.end,
        Kind::Text => place.start..place.start + 1,
        _ => place,
    };
    values
        .map(|values| Found::new(Value::Array(values), place))
        .into_iter()
        .collect()
}

/// The things with numbers that stand one after the other.
fn pairs(request: &Request<'_>) -> Option<(Range<usize>, Vec<Item>)> {
    let text = request.text();
    let mut best: Option<(Range<usize>, Vec<Item>)> = None;
    for start in starts(text) {
        let rest = text.get(start..).unwrap_or_default();
        let end = rest.find(['\n', ';']).unwrap_or(rest.len());
        let rest = rest.get(..end).unwrap_or(rest);
        let mut items = Vec::new();
        let mut length = 0;
        let mut from = 0;
        for part in split(rest) {
            let at = rest
                .get(from..)
                .and_then(|rest| rest.find(part))
                .unwrap_or(0)
                + from;
            from = at + part.len();
            let Some(item) = item(part) else { break };
            items.push(item);
            length = from;
        }
        let is_more = best
            .as_ref()
            .is_none_or(|(_, best)| items.len() > best.len());
        if items.len() >= 2 && is_more {
            best = Some((start..start + length, items));
        }
    }
    best
}

/// Where data may begin: after a colon, or after a word that leads to it.
fn starts(text: &str) -> Vec<usize> {
    static LEADS: List = List::named("said_items.leads");
    let colon = text.match_indices(": ").map(|(at, mark)| at + mark.len());
    let leads = LEADS
        .iter()
        .flat_map(|lead| text.match_indices(lead).map(|(at, mark)| at + mark.len()));
    colon.chain(leads).collect()
}

fn split(text: &str) -> Vec<&str> {
    let parts = text.split(", ").flat_map(|part| part.split(" and "));
    let parts = parts.map(|part| part.trim().trim_end_matches(['.', '!', '?']));
    let parts = parts.map(|part| part.strip_prefix("and ").unwrap_or(part));
    parts.filter(|part| !part.is_empty()).collect()
}

fn item(part: &str) -> Option<Item> {
    let hit = PAIR.iter().find_map(|rule| rule.captures(part));
    let hit = hit.or_else(|| TURNED.iter().find_map(|rule| rule.captures(part)))?;
    let name = hit.name("name")?.as_str().trim().to_owned();
    let number = hit.name("number")?.as_str().replace(',', "");
    let scale = match hit.name("scale").map(|scale| scale.as_str()) {
        Some("k") => 1e3,
        Some("m") => 1e6,
        _ => 1.0,
    };
    let number = number.parse::<f64>().ok()? * scale;
    let number = if number.fract() == 0.0 {
        json!(number as i64)
    } else {
        json!(number)
    };
    Some(Item {
        name: Some(name),
        number: Some(number),
    })
}

/// The item in the fields that the schema has: a text for its name, a number for its worth.
fn object(items: Shape<'_>, item: &Item) -> Option<Value> {
    let form = items.forms().into_iter().next()?;
    let mut value = Map::new();
    let mut fields: Vec<(&str, Shape<'_>)> = form.fields().collect();
    fields.sort_by_key(|(name, _)| !form.is_required(name));
    for (name, shape) in fields {
        let given = match shape.kind() {
            Kind::Text if !value.values().any(Value::is_string) => {
                item.name.clone().map(Value::from)
            }
            Kind::Number | Kind::Integer if !value.values().any(Value::is_number) => {
                item.number.clone()
            }
            _ => None,
        };
        match given {
            Some(given) => {
                value.insert(name.to_owned(), given);
            }
            None if form.is_required(name) => return None,
            None => {}
        }
    }
    (value.len() >= 2).then_some(Value::Object(value))
}

/// "Name is Li Wei, Passport No is E1234567" for an object with whatever fields.
fn fields(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    if parameter
        .shape
        .forms()
        .first()
        .is_some_and(|form| form.fields().next().is_some())
    {
        return Vec::new();
    }
    let text = request.text();
    let mut value = Map::new();
    let (mut start, mut end) = (text.len(), 0);
    let mut from = 0;
    for part in text.split_inclusive([',', ';', '.', '!', '?', ':']) {
        let at = from;
        from += part.len();
        let part = part.trim_end_matches([',', ';', '.', '!', '?', ':']);
        for (name, said) in said_fields(part) {
            value.insert(name, said);
            start = start.min(at);
            end = from;
        }
    }
    if value.is_empty() {
        return Vec::new();
    }
    vec![Found::new(Value::Object(value), start..end)]
}

/// "name is Omar", and after "with" also "name Omar".
fn said_fields(part: &str) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let follows_with = part.split_once("with ").map(|(_, rest)| rest);
    for piece in follows_with.unwrap_or(part).split(" and ") {
        let piece = piece.trim();
        let linked = [" is ", " = ", "="]
            .iter()
            .find_map(|link| piece.split_once(link));
        let pair = linked.or_else(|| {
            let pair = piece.split_once(' ')?;
            (follows_with.is_some() && !pair.1.contains(' ')).then_some(pair)
        });
        let Some((name, value)) = pair else { continue };
        let name = name
            .trim()
            .trim_start_matches("the ")
            .trim_start_matches("my ");
        let value = value.trim().trim_matches(['"', '\'', '“', '”']);
        let is_name = !name.is_empty() && name.split_whitespace().count() <= 3;
        if is_name && !value.is_empty() && value.len() < 80 {
            found.push((name.to_owned(), json!(value)));
        }
    }
    found
}
