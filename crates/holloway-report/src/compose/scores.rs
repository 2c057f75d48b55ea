//! Which scores are in a result? A number by name, a list, or an overall score with its
//! parts.

use serde_json::Value;

use super::pick;
use crate::clean;
use crate::model::Score;

const MOST: usize = 40;
const VALUE: [&str; 3] = ["score", "value", "overall"];
const PARTS: [&str; 5] = ["scores", "domains", "by_domain", "categories", "parts"];

pub(crate) fn scores(value: &Value) -> Vec<Score> {
    let mut found = Vec::new();
    collect(value, None, 0, &mut found);
    found.truncate(MOST);
    found
}

fn collect(value: &Value, name: Option<&str>, depth: usize, found: &mut Vec<Score>) {
    if depth > 4 || found.len() > MOST {
        return;
    }
    match value {
        Value::Number(number) => {
            let value = number.as_f64().unwrap_or(0.0);
            found.push(Score {
                name: shown(name.unwrap_or("Score")),
                value,
                note: String::new(),
            });
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect(item, name, depth + 1, found)),
        Value::Object(fields) => {
            let own = pick::number(value, &VALUE);
            let parts =
                pick::any(value, &PARTS).filter(|parts| parts.is_object() || parts.is_array());
            let called = pick::string(value, &["name", "domain", "category", "label"]);
            if let Some(own) = own {
                let name = called.as_deref().or(name).unwrap_or(if parts.is_some() {
                    "Overall"
                } else {
                    "Score"
                });
                found.push(Score {
                    name: shown(name),
                    value: own,
                    note: note(value),
                });
            }
            if let Some(parts) = parts {
                collect(parts, None, depth + 1, found);
            } else if own.is_none() {
                for (name, value) in fields {
                    if value.is_number() || value.is_object() {
                        collect(value, Some(name), depth + 1, found);
                    }
                }
            }
        }
        _ => {}
    }
}

/// `seo` is read letter by letter.
fn shown(name: &str) -> String {
    match name.to_lowercase().as_str() {
        "seo" => "SEO".to_owned(),
        _ => clean::words(name),
    }
}

fn note(value: &Value) -> String {
    if let Some(note) = pick::string(value, &["note", "grade", "rating", "label"]) {
        return note;
    }
    let count = match pick::any(value, &["findings", "count"]) {
        Some(Value::Array(items)) => Some(items.len() as u64),
        Some(number) => number.as_u64(),
        None => None,
    };
    match count {
        Some(1) => "1 finding".to_owned(),
        Some(count) => format!("{count} findings"),
        None => String::new(),
    }
}
