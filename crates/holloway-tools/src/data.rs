//! What do these rows say? Tools over tables, trends, outliers and prices. The work is
//! done in `holloway-data`; here it is declared. A cell is missing when its field is
//! absent, null or blank; text written like a plain number counts as one.

use std::sync::Arc;

use holloway_data::error::{DataError, Kind};
use holloway_data::question::{Question, ask};
use holloway_engine::failure::ToolFailure;
use serde_json::{Value, json};

use super::Tool;

mod formulas;
mod judge;
mod price;
mod price_report;
mod shape;
mod sum_up;
mod together;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    let families = [
        shape::tools(),
        together::tools(),
        sum_up::tools(),
        judge::tools(),
        price::tools(),
        price_report::tools(),
    ];
    families.into_iter().flatten().collect()
}

/// Asks a question of `holloway-data`; the function that most tools here are.
fn answer<Q: Question>(arguments: &Value) -> Result<Value, ToolFailure> {
    if !arguments.is_object() {
        return Err(ToolFailure::invalid("the arguments must be an object"));
    }
    ask::<Q>(arguments).map_err(failure)
}

fn failure(error: DataError) -> ToolFailure {
    let failure = match error.kind {
        Kind::Request => ToolFailure::invalid(error.message),
        Kind::Data => ToolFailure::permanent(error.message),
        Kind::Limit => ToolFailure::limit(error.message),
    };
    match error.hint {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// Schemas that several tools share.
fn rows() -> Value {
    json!({"type": "array", "items": {"type": "object"}, "description": "Rows as objects, as data-load and csv-parse give them"})
}

fn names(description: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": description})
}

fn aggregates() -> Value {
    json!({
        "type": "array",
        "description": "Figures per group; the number of rows if left out. Missing values are left out of every figure",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["function"],
            "properties": {
                "column": {"type": "string", "description": "Needed by all functions but count, which then counts rows"},
                "function": {"type": "string", "enum": ["count", "sum", "mean", "median", "min", "max", "stdev", "first", "last", "distinct", "quantile"]},
                "portion": {"type": "number", "minimum": 0, "maximum": 1, "description": "For quantile, such as 0.9"},
                "as": {"type": "string", "description": "Name in the result; column_function if left out"}
            }
        }
    })
}

fn figure() -> Value {
    json!({"type": ["number", "null"]})
}

/// What a table is in a result, with further counts beside it.
fn table(counts: &[&str]) -> Value {
    let properties = [
        (
            "columns",
            json!({"type": "array", "items": {"type": "string"}}),
        ),
        ("count", json!({"type": "integer"})),
        (
            "rows",
            json!({"type": "array", "items": {"type": "object"}}),
        ),
    ];
    let counts = counts
        .iter()
        .map(|name| (*name, json!({"type": "integer"})));
    let all = properties.into_iter().chain(counts);
    all.map(|(name, schema)| (name.to_owned(), schema))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[cfg(test)]
mod tests;
