//! Which scores are in a result? A number by name, a list, or an overall score with its
//! parts.

use serde_json::Value;

use super::pick;
use crate::Error;
use crate::clean;
use crate::model::Score;

const MOST: usize = 40;
const DEEPEST: usize = 4;
const VALUE: [&str; 3] = ["score", "value", "overall"];
const PARTS: [&str; 5] = ["scores", "domains", "by_domain", "categories", "parts"];

/// Nothing for null. A score that is no number from 0 to 100 is an error.
pub(crate) fn scores(value: &Value) -> Result<Vec<Score>, Error> {
    let mut found = Vec::new();
    collect(value, None, 0, &mut found)?;
    found.truncate(MOST);
    Ok(found)
}

fn unknown(name: Option<&str>, value: &Value) -> Error {
    let part = name.map_or_else(|| "scores".to_owned(), |name| format!("scores.{name}"));
    pick::unknown(&part, value, "a number from 0 to 100")
}

fn score(name: &str, value: f64, note: String) -> Result<Score, Error> {
    if !(0.0..=100.0).contains(&value) {
        return Err(unknown(Some(name), &Value::from(value)));
    }
    Ok(Score {
        name: clean::area(name),
        value: Some(value),
        note,
    })
}

fn collect(
    value: &Value,
    name: Option<&str>,
    depth: usize,
    found: &mut Vec<Score>,
) -> Result<(), Error> {
    if depth > DEEPEST {
        return Err(unknown(name, value));
    }
    if found.len() > MOST {
        return Ok(());
    }
    match value {
        Value::Null => Ok(()),
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| collect(item, name, depth + 1, found)),
        Value::Object(fields) => {
            let own = pick::any(value, &VALUE).and_then(pick::numeric);
            let parts =
                pick::any(value, &PARTS).filter(|parts| parts.is_object() || parts.is_array());
            let called = pick::string(value, &["name", "domain", "category", "label"]);
            if let Some(own) = own {
                let name = called.as_deref().or(name).unwrap_or(if parts.is_some() {
                    "Overall"
                } else {
                    "Score"
                });
                found.push(score(name, own, note(value))?);
            }
            if let Some(parts) = parts {
                collect(parts, None, depth + 1, found)
            } else if own.is_none() && called.is_some() {
                // It has a name of its own, but no score.
                let given = pick::any(value, &VALUE).unwrap_or(value);
                let null = VALUE
                    .iter()
                    .any(|name| value.get(name) == Some(&Value::Null));
                if null {
                    found.push(Score {
                        name: clean::area(called.as_deref().unwrap_or("Score")),
                        value: None,
                        note: "not checked".to_owned(),
                    });
                    Ok(())
                } else {
                    Err(unknown(called.as_deref(), given))
                }
            } else if own.is_none() {
                fields
                    .iter()
                    .try_for_each(|(name, value)| collect(value, Some(name), depth + 1, found))
            } else {
                Ok(())
            }
        }
        single => {
            let number = pick::numeric(single).ok_or_else(|| unknown(name, single))?;
            found.push(score(name.unwrap_or("Score"), number, String::new())?);
            Ok(())
        }
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
