//! What becomes of "success criteria"? What a machine can check becomes an expectation;
//! the rest stays with the purpose, for people to read.

use holloway_plan::expression::Expression;
use serde_json::{Map, Value, json};

const NAMES: [&str; 5] = [
    "success_criteria",
    "success_criterion",
    "success",
    "success_condition",
    "expected",
];

/// Signs that a text is meant as a condition, not as a sentence.
const CONDITION: [&str; 7] = ["==", "!=", "<", ">", " in ", "| length", " is defined"];

pub(super) fn bring(fields: &mut Map<String, Value>, id: &str, notes: &mut Vec<String>) {
    let written: Vec<Value> = NAMES
        .iter()
        .filter_map(|name| fields.shift_remove(*name))
        .collect();
    let mut said = Vec::new();
    for value in written {
        match value {
            Value::String(text) => said.push(text),
            Value::Array(items) => {
                said.extend(items.iter().filter_map(Value::as_str).map(str::to_owned))
            }
            _ => {}
        }
    }
    for text in said
        .iter()
        .map(|text| text.trim())
        .filter(|text| !text.is_empty())
    {
        if is_condition(text) {
            expect(fields, text);
        } else {
            add_to_purpose(fields, text);
            notes.push(format!(
                "step `{id}`: what counts as success is said in words, not checked"
            ));
        }
    }
}

fn is_condition(text: &str) -> bool {
    CONDITION.iter().any(|sign| text.contains(sign)) && Expression::parse_condition(text).is_ok()
}

fn expect(fields: &mut Map<String, Value>, condition: &str) {
    let expectations = fields.entry("expect").or_insert_with(|| json!([]));
    if let Value::Array(expectations) = expectations {
        expectations.push(json!({"that": condition}));
    }
}

fn add_to_purpose(fields: &mut Map<String, Value>, words: &str) {
    let words: String = words.chars().take(300).collect();
    let purpose = fields
        .get("purpose")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let purpose = if purpose.is_empty() {
        format!("succeeds when {words}")
    } else {
        format!("{purpose}; succeeds when {words}")
    };
    fields.insert("purpose".to_owned(), Value::from(purpose));
}
