//! What is there to do? The entries of an action plan, in its order.

use std::collections::HashMap;

use serde_json::Value;

use super::pick;
use crate::Error;
use crate::clean;
use crate::figure;
use crate::model::{Action, Spot};

/// More places than this belong to the findings.
const MOST_PLACES: usize = 5;

const LISTS: [&str; 6] = [
    "actions",
    "plan",
    "items",
    "steps",
    "todo",
    "recommendations",
];

/// Nothing for null; an entry that says nothing to do is an error.
pub(crate) fn actions(value: &Value) -> Result<Vec<Action>, Error> {
    let listed = |items: &[Value]| {
        let items = items.iter().filter(|item| !item.is_null());
        items
            .map(|item| action(item).ok_or_else(|| unknown(item)))
            .collect()
    };
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(items) => listed(items),
        Value::Object(_) => match (pick::list(value, &LISTS), action(value)) {
            (Some(items), _) => listed(items),
            (None, Some(single)) => Ok(vec![single]),
            (None, None) => Err(unknown(value)),
        },
        Value::String(text) => Ok(text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(named)
            .collect()),
        _ => Err(unknown(value)),
    }
}

/// What the plan calls the findings of each rule; nothing where a rule has two names.
pub(crate) fn titles(value: &Value) -> HashMap<String, String> {
    let listed = value.as_array().or_else(|| pick::list(value, &LISTS));
    let mut titles: HashMap<String, String> = HashMap::new();
    for item in listed.into_iter().flatten() {
        let (Some(rule), Some(title)) = (
            pick::string(item, &["rule"]),
            pick::string(item, &["title", "action"]),
        ) else {
            continue;
        };
        titles
            .entry(rule)
            .and_modify(|known| {
                if *known != title {
                    known.clear();
                }
            })
            .or_insert(title);
    }
    titles
}

fn unknown(value: &Value) -> Error {
    pick::unknown(
        "actions",
        value,
        "texts, objects with a `title`, or a result with `actions`",
    )
}

fn named(title: &str) -> Action {
    let title = title.trim().trim_start_matches(['-', '*', ' ']);
    Action {
        title: clean::line(title),
        ..Action::default()
    }
}

fn action(value: &Value) -> Option<Action> {
    if let Value::String(text) = value {
        return Some(named(text));
    }
    let title = pick::string(
        value,
        &["title", "action", "name", "summary", "mend", "rule", "text"],
    )?;
    let details = ["detail", "description", "why", "mend", "how", "evidence"];
    let detail = details
        .iter()
        .filter_map(|name| pick::string(value, &[name]))
        .find(|detail| *detail != title);
    let places = places(value);
    Some(Action {
        detail: detail.unwrap_or_default(),
        // A word says more than a bare number.
        priority: pick::string(value, &["when", "priority", "severity"]).unwrap_or_default(),
        effort: pick::string(value, &["effort"]).unwrap_or_default(),
        impact: impact(value),
        domain: pick::string(value, &["domain", "category"]).unwrap_or_default(),
        rule: pick::string(value, &["rule"]).unwrap_or_default(),
        more: hidden(value, places.len()),
        places,
        title,
    })
}

/// The places that an action names.
fn places(value: &Value) -> Vec<Spot> {
    let listed = pick::list(value, &["places", "examples"]);
    let listed = listed.into_iter().flatten();
    let text = |item: &Value, names: &[&str]| pick::string(item, names).unwrap_or_default();
    let spots = listed.map(|item| Spot {
        page: text(item, &["page", "url", "file"]),
        element: text(item, &["element", "selector"]),
        evidence: text(item, &["evidence", "message"]),
    });
    spots.take(MOST_PLACES).collect()
}

/// How many places there are beside those that are shown.
fn hidden(value: &Value, shown: usize) -> usize {
    let all = pick::number(value, &["findings"]).map_or(0, |all| all as usize);
    if shown == 0 {
        0
    } else {
        all.saturating_sub(shown)
    }
}

/// A gain in points, a word, or in how many places it helps.
fn impact(value: &Value) -> String {
    if let Some(impact) = pick::string(value, &["impact"]) {
        return impact;
    }
    if let Some(gain) = pick::number(value, &["gain", "points"]) {
        return format!("+{}", figure::plain(gain));
    }
    match pick::number(value, &["pages_affected", "pages"]).map(|pages| pages as u64) {
        Some(1) => return "1 page".to_owned(),
        Some(pages) => return format!("{pages} pages"),
        None => {}
    }
    match pick::any(value, &["count", "places", "findings"]) {
        Some(Value::Array(items)) if items.len() == 1 => "1 place".to_owned(),
        Some(Value::Array(items)) => format!("{} places", items.len()),
        Some(number) if number.as_u64() == Some(1) => "1 place".to_owned(),
        Some(number) => number
            .as_u64()
            .map(|count| format!("{count} places"))
            .unwrap_or_default(),
        None => String::new(),
    }
}
