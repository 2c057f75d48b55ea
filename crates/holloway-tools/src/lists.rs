//! How is a list ordered, narrowed and grouped? Each by a field of its items.

use std::cmp::Ordering;
use std::sync::Arc;

use serde_json::Value;

use super::Tool;

mod filter;
mod group;
mod sort;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![sort::tool(), filter::tool(), group::tool()]
}

/// An order over all JSON values: null, false, true, numbers, texts, the rest by
/// their JSON text.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let (exact_left, exact_right) = (left.as_i64(), right.as_i64());
            match (exact_left, exact_right) {
                (Some(left), Some(right)) => left.cmp(&right),
                _ => left
                    .as_f64()
                    .unwrap_or_default()
                    .total_cmp(&right.as_f64().unwrap_or_default()),
            }
        }
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        _ if rank(left) == rank(right) => left.to_string().cmp(&right.to_string()),
        _ => rank(left).cmp(&rank(right)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}
