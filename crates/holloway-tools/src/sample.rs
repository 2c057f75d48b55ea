//! Which tools do the example plans need? Stand-ins that work offline, give the same
//! answer every time, and say in their title that they are samples.

use std::sync::Arc;

use serde_json::Value;

use super::Tool;

mod delivery;
mod gathering;
mod reading;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    [gathering::tools(), reading::tools(), delivery::tools()]
        .into_iter()
        .flatten()
        .collect()
}

/// A number that depends on the text alone, so that answers differ but repeat.
fn number_from(text: &str, below: u64) -> u64 {
    let digest = blake3::hash(text.trim().to_lowercase().as_bytes());
    let [a, b, c, d, ..] = digest.as_bytes();
    u64::from(u32::from_le_bytes([*a, *b, *c, *d])) % below
}

/// Picks one of a few, by the text alone.
fn pick<'a>(choices: &[&'a str], text: &str) -> &'a str {
    let index = number_from(text, choices.len() as u64) as usize;
    choices.get(index).copied().unwrap_or_default()
}

/// The readable part of whatever an earlier step handed over.
fn readable(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(items) => items.iter().map(readable).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            let named = ["summary", "text", "content", "headline", "condition"];
            let first = named.iter().find_map(|name| fields.get(*name));
            first.map_or_else(|| value.to_string(), readable)
        }
        other => other.to_string(),
    }
}
