//! Where in a result is what we look for? Tools name things differently; the first name
//! that fits is taken.

use serde_json::Value;

use crate::Error;
use crate::clean;
use crate::figure;

pub(crate) fn any<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names
        .iter()
        .find_map(|name| value.get(name).filter(|found| !found.is_null()))
}

/// A text or a number as text; not a list, not an object.
pub(crate) fn string(value: &Value, names: &[&str]) -> Option<String> {
    let found = names
        .iter()
        .filter_map(|name| value.get(name))
        .find(|found| found.is_string() || found.is_number())?;
    Some(figure::text(found)).filter(|text| !text.is_empty())
}

pub(crate) fn number(value: &Value, names: &[&str]) -> Option<f64> {
    names
        .iter()
        .find_map(|name| value.get(name).and_then(Value::as_f64))
}

/// A number, or a text that is one.
pub(crate) fn numeric(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    };
    number.filter(|number: &f64| number.is_finite())
}

/// What was given for `part`, and what would have been understood.
pub(crate) fn unknown(part: &str, value: &Value, expected: &str) -> Error {
    let found = clean::shorten(&clean::line(&value.to_string()), 80);
    Error::Input(format!(
        "`{part}` is not understood: found {found}, expected {expected}"
    ))
}

pub(crate) fn list<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Vec<Value>> {
    names
        .iter()
        .find_map(|name| value.get(name).and_then(Value::as_array))
}

/// Markdown from a text, a list of texts, or a result that carries a text.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(items) if !items.is_empty() => {
            let lines = items
                .iter()
                .map(|item| format!("- {}", clean::line(&figure::text(item))));
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
        Value::Object(fields) if !fields.is_empty() => {
            let told = any(
                value,
                &["markdown", "summary", "text", "content", "message"],
            )
            .and_then(text);
            Some(told.unwrap_or_else(|| super::facts(fields)))
        }
        Value::Number(_) | Value::Bool(_) => Some(figure::text(value)),
        _ => None,
    }
}
