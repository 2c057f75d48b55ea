//! How deep may a value be nested? No deeper than the journal can be read back.

use serde_json::Value;

use crate::failure::ToolFailure;

/// Levels of lists and mappings; what a value is wrapped in needs room too.
const LEVELS: usize = 96;

/// Whether a value is nested too deep to be written down.
pub fn is_too_deep(value: &Value) -> bool {
    exceeds(value, LEVELS)
}

/// The failure that says so.
pub fn too_deep(what: &str) -> ToolFailure {
    ToolFailure::limit(format!("{what} is nested more than {LEVELS} levels deep"))
}

fn exceeds(value: &Value, left: usize) -> bool {
    match value {
        Value::Array(items) => left == 0 || items.iter().any(|item| exceeds(item, left - 1)),
        Value::Object(fields) => left == 0 || fields.values().any(|field| exceeds(field, left - 1)),
        _ => false,
    }
}
