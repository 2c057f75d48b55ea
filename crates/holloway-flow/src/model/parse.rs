//! What did the model answer? JSON is found wherever it stands in the answer and read
//! strictly; the forms that models like to use are brought into ours, each with a note.

pub mod analysis;
pub mod draft;
pub mod find_json;
mod forms;
mod success;

use serde_json::Value;

/// Longer answers are refused before they are read.
pub const MOST_BYTES: usize = 1 << 20;

/// A number, also when it was written as a text.
fn number(value: &Value) -> Option<f64> {
    let found = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().trim_start_matches('$').parse().ok(),
        _ => None,
    };
    found.filter(|number: &f64| number.is_finite())
}
