//! Do arguments fit what the tool takes? Names in other spellings, numbers written as
//! texts, one thing where a list belongs; what the tool does not know is left out where it says nothing.

use holloway_plan::step::{Step, StepType};
use holloway_plan::tool::{Lookup, ToolTable};
use serde_json::{Map, Value, json};

use super::{bare, each};

pub(super) fn fit(steps: &mut [Step], table: &ToolTable, notes: &mut Vec<String>) {
    each(steps, &mut |step| {
        let Some(Lookup::Found(tool)) = step.tool.as_deref().map(|name| table.find(name)) else {
            return;
        };
        let Some(properties) = tool
            .input_schema
            .get("properties")
            .and_then(Value::as_object)
        else {
            return;
        };
        if step.kind != StepType::Tool {
            return;
        }
        let required = tool.input_schema.get("required").and_then(Value::as_array);
        if let Some(input) = step.input.take() {
            step.input = Some(wrapped(input, required, &step.id, notes));
        }
        let Some(Value::Object(input)) = &mut step.input else {
            return;
        };
        rename(input, properties, &step.id, notes);
        if tool.input_schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            drop_unknown(input, properties, &step.id, notes);
        }
        for (name, value) in input.iter_mut() {
            if let Some(property) = properties.get(name) {
                convert(
                    value,
                    property,
                    || format!("step `{}`, `{name}`", step.id),
                    notes,
                );
            }
        }
    });
}

/// The one argument a tool cannot do without, given bare.
fn wrapped(
    input: Value,
    required: Option<&Vec<Value>>,
    id: &str,
    notes: &mut Vec<String>,
) -> Value {
    let Some([Value::String(only)]) = required.map(Vec::as_slice) else {
        return input;
    };
    if input.is_object() || input.is_null() {
        return input;
    }
    notes.push(format!("step `{id}`: the input is taken for `{only}`"));
    Value::Object(Map::from_iter([(only.clone(), input)]))
}

fn rename(
    input: &mut Map<String, Value>,
    properties: &Map<String, Value>,
    id: &str,
    notes: &mut Vec<String>,
) {
    let strange: Vec<String> = input
        .keys()
        .filter(|name| !properties.contains_key(*name))
        .cloned()
        .collect();
    for name in strange {
        let wanted = bare(&name);
        let mut same = properties
            .keys()
            .filter(|known| bare(known) == wanted && !input.contains_key(*known));
        if let (Some(known), None) = (same.next(), same.next())
            && let Some(value) = input.shift_remove(&name)
        {
            notes.push(format!(
                "step `{id}`: the argument `{name}` is taken for `{known}`"
            ));
            input.insert(known.clone(), value);
        }
    }
}

fn drop_unknown(
    input: &mut Map<String, Value>,
    properties: &Map<String, Value>,
    id: &str,
    notes: &mut Vec<String>,
) {
    input.retain(|name, value| {
        // What says something is a mistake that the model has to hear of: without a filter or an
        // order the step would do something else.
        let known = properties.contains_key(name) || !says_nothing(value);
        if !known {
            let name: String = name.chars().take(60).collect();
            notes.push(format!("step `{id}`: the tool takes no `{name}`, left out"));
        }
        known
    });
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn convert(
    value: &mut Value,
    property: &Value,
    whose: impl Fn() -> String,
    notes: &mut Vec<String>,
) {
    let converted = match (property.get("type").and_then(Value::as_str), &*value) {
        // What is filled in later has its type then.
        (_, Value::String(text)) if text.contains("{{") => None,
        (Some("integer"), Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
        (Some("number"), Value::String(text)) => parsed_number(text),
        (Some("boolean"), Value::String(text)) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" => Some(Value::Bool(true)),
            "false" | "no" => Some(Value::Bool(false)),
            _ => None,
        },
        (Some("string"), Value::Number(number)) => Some(Value::from(number.to_string())),
        (Some("array"), Value::String(_) | Value::Number(_) | Value::Object(_)) => {
            Some(json!([value]))
        }
        _ => None,
    };
    if let Some(converted) = converted {
        let (from, to) = (short(value), short(&converted));
        notes.push(format!("{}: {from} became {to}", whose()));
        *value = converted;
    }
}

fn parsed_number(text: &str) -> Option<Value> {
    serde_json::from_str::<serde_json::Number>(text.trim())
        .ok()
        .map(Value::Number)
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(40).collect()
}
