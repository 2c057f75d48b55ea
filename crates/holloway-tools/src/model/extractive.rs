//! What of the source `model` works without a model? A summary that picks sentences, and values
//! that stand in the text after their names. They are not offered for planning.

use std::sync::Arc;

use holloway_engine::checks::misfit;
use holloway_engine::failure::ToolFailure;
use holloway_engine::mark::Issued;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Map, Value, json};

use super::{extract, summarise};
use crate::declaration::{Declaration, output};
use crate::pure::Pure;
use crate::{Tool, arguments, words};

pub(super) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::pooled(summarise_spec(), pick_sentences),
        Pure::pooled(extract_spec(), take_values),
    ]
}

fn summarise_spec() -> ToolSpec {
    Declaration {
        name: "summarise",
        title: "Summarise without a model",
        category: "text",
        description: "Picks the sentences that say most, word for word: no model is configured. `focus` is left aside. Returns the summary.",
        effect: Effect::Read,
        latency_ms: 20,
        input: summarise::arguments_schema(),
        output: output(&["summary"], json!({"summary": {"type": "string"}})),
        example: json!({"text": "Prices fell in May. In May prices of phones fell most.", "sentences": 1}),
        does: &[],
    }
    .model(Some(0.0))
}

fn extract_spec() -> ToolSpec {
    Declaration {
        name: "extract",
        title: "Extract values without a model",
        category: "text",
        description: "Takes the values that stand after their names (`Total: 20`): no model is configured. `about` is left aside. Returns the values under `values`.",
        effect: Effect::Read,
        latency_ms: 5,
        input: extract::arguments_schema(),
        output: output(&["values"], json!({"values": {}})),
        example: json!({"text": "Number: 17\nTotal: 20 EUR", "schema": {"number": {"type": "integer"}, "total": {"type": "string"}}}),
        does: &[],
    }
    .model(Some(0.0))
}

fn pick_sentences(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: summarise::Arguments = arguments::parse(arguments)?;
    let summary = words::summary(&arguments.text, arguments.sentences)?;
    Ok(json!({"summary": summary}))
}

fn take_values(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: extract::Arguments = arguments::parse(arguments)?;
    let schema = arguments.schema();
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Err(ToolFailure::invalid(
            "without a model, only the fields of an object are extracted",
        )
        .with_hint("write `schema` with named fields, or configure a model"));
    };
    let found = properties.iter().filter_map(|(name, property)| {
        let value = value_after(&arguments.text, name, property)?;
        Some((name.clone(), value))
    });
    let values = Value::Object(found.collect::<Map<_, _>>());
    match misfit(Some(&schema), &values, &Issued::new()) {
        None => Ok(json!({"values": values})),
        Some(complaint) => Err(ToolFailure::invalid(format!(
            "the text does not name these values after their names: {complaint}"
        ))
        .with_hint("configure a model to extract values from running text")),
    }
}

/// The value of the first line that begins with the name.
fn value_after(text: &str, name: &str, property: &Value) -> Option<Value> {
    let wanted = plain(name);
    let lines = text.lines().filter_map(|line| {
        let (label, rest) = line.split_once([':', '=', '|', '\t'])?;
        (plain(label) == wanted).then(|| rest.trim())
    });
    let mut values = lines.filter_map(|rest| typed(rest, property));
    values.next()
}

/// Names are compared by their letters and digits.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn typed(text: &str, property: &Value) -> Option<Value> {
    let kind = property.get("type").and_then(Value::as_str);
    let first = || text.split_whitespace().next();
    match kind {
        Some("integer") => first()?.parse::<i64>().ok().map(Value::from),
        Some("number") => first()?.parse::<f64>().ok().map(Value::from),
        Some("boolean") => first()?
            .to_lowercase()
            .parse::<bool>()
            .ok()
            .map(Value::from),
        Some("string") | None => (!text.is_empty()).then(|| Value::from(text)),
        Some("array") => {
            let items = text.split([',', ';']).map(str::trim);
            let item = property.get("items").unwrap_or(&Value::Null);
            items.map(|text| typed(text, item)).collect()
        }
        Some(_) => None,
    }
}
