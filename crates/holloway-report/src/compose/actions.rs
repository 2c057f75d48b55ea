//! What is there to do? The entries of an action plan, in its order.

use serde_json::Value;

use super::pick;
use crate::clean;
use crate::figure;
use crate::model::Action;

const LISTS: [&str; 6] = [
    "actions",
    "plan",
    "items",
    "steps",
    "todo",
    "recommendations",
];

pub(crate) fn actions(value: &Value) -> Vec<Action> {
    match value {
        Value::Array(items) => items.iter().filter_map(action).collect(),
        Value::Object(_) => pick::list(value, &LISTS)
            .map(|items| items.iter().filter_map(action).collect())
            .unwrap_or_default(),
        Value::String(text) => text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(named)
            .collect(),
        _ => Vec::new(),
    }
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
    Some(Action {
        detail: detail.unwrap_or_default(),
        priority: pick::string(value, &["priority", "severity"]).unwrap_or_default(),
        effort: pick::string(value, &["effort"]).unwrap_or_default(),
        impact: impact(value),
        domain: pick::string(value, &["domain", "category"]).unwrap_or_default(),
        title,
    })
}

/// A gain in points, a word, or in how many places it helps.
fn impact(value: &Value) -> String {
    if let Some(impact) = pick::string(value, &["impact"]) {
        return impact;
    }
    if let Some(gain) = pick::number(value, &["gain", "points"]) {
        return format!("+{}", figure::plain(gain));
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
