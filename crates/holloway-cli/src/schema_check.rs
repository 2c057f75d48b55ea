//! Do arguments fit a tool? Asked before a person's word about them is passed on.

use holloway_engine::mark::is_marked;
use serde_json::Value;

/// What is wrong with `value`, in a sentence.
pub(crate) fn complaint(schema: &Value, value: &Value) -> Option<String> {
    if schema.is_null() {
        return None;
    }
    let validator = match jsonschema::validator_for(schema) {
        Ok(validator) => validator,
        Err(error) => return Some(format!("its schema cannot be used: {error}")),
    };
    let complaints: Vec<String> = validator
        .iter_errors(value)
        .filter(|error| !is_marked(error.instance()))
        .take(5)
        .map(|error| match error.instance_path().to_string() {
            path if path.is_empty() => error.to_string(),
            path => format!("{path}: {error}"),
        })
        .collect();
    (!complaints.is_empty()).then(|| complaints.join("; "))
}
