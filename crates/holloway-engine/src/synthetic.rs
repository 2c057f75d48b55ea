//! What would a call have returned? Typed stand-ins from an output schema, so
//! that a dry run can go on without calling anything that writes.

use serde_json::{Map, Value, json};

/// How deep a schema is followed; deeper parts become null.
const DEPTH: usize = 8;

/// A value that fits `schema` as far as can be told, or null without one.
pub fn value_for(schema: &Value) -> Value {
    build(schema, schema, DEPTH)
}

fn build(schema: &Value, root: &Value, depth: usize) -> Value {
    if depth == 0 {
        return Value::Null;
    }
    for given in ["const", "default"] {
        if let Some(value) = schema.get(given) {
            return value.clone();
        }
    }
    for list in ["examples", "enum"] {
        if let Some(value) = schema
            .get(list)
            .and_then(Value::as_array)
            .and_then(|values| values.first())
        {
            return value.clone();
        }
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let pointed = target
            .strip_prefix('#')
            .and_then(|pointer| root.pointer(pointer));
        return pointed.map_or(Value::Null, |inner| build(inner, root, depth - 1));
    }
    for list in ["oneOf", "anyOf", "allOf"] {
        if let Some(first) = schema
            .get(list)
            .and_then(Value::as_array)
            .and_then(|options| options.first())
        {
            return build(first, root, depth - 1);
        }
    }
    by_type(schema, root, depth)
}

fn by_type(schema: &Value, root: &Value, depth: usize) -> Value {
    let kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null")
            .unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ => "null",
    };
    match kind {
        "object" => object(schema, root, depth),
        "array" => array(schema, root, depth),
        "string" => string(schema),
        "integer" => json!(number(schema).ceil() as i64),
        "number" => json!(number(schema)),
        "boolean" => json!(false),
        _ => Value::Null,
    }
}

fn object(schema: &Value, root: &Value, depth: usize) -> Value {
    let properties = schema.get("properties").and_then(Value::as_object);
    let fields = properties.into_iter().flatten();
    Value::Object(
        fields
            .map(|(name, property)| (name.clone(), build(property, root, depth - 1)))
            .collect::<Map<_, _>>(),
    )
}

fn array(schema: &Value, root: &Value, depth: usize) -> Value {
    let least = schema
        .get("minItems")
        .and_then(Value::as_u64)
        .unwrap_or(1)
        .clamp(1, 16);
    let item = schema
        .get("items")
        .map_or(Value::Null, |items| build(items, root, depth - 1));
    Value::Array((0..least).map(|_| item.clone()).collect())
}

fn string(schema: &Value) -> Value {
    let text = match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => "1970-01-01T00:00:00Z",
        Some("date") => "1970-01-01",
        Some("uri" | "url") => "https://synthetic.invalid/",
        Some("email") => "synthetic@synthetic.invalid",
        _ => "synthetic",
    };
    let least = schema
        .get("minLength")
        .and_then(Value::as_u64)
        .unwrap_or(0)
        .min(1_000) as usize;
    json!(format!(
        "{text}{}",
        "x".repeat(least.saturating_sub(text.len()))
    ))
}

fn number(schema: &Value) -> f64 {
    let bound = |name| schema.get(name).and_then(Value::as_f64);
    let above = bound("exclusiveMinimum").map(|least| least + 1.0);
    let below = bound("maximum").or(bound("exclusiveMaximum").map(|most| most - 1.0));
    bound("minimum")
        .or(above)
        .unwrap_or_else(|| below.map_or(0.0, |most| most.min(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(schema: Value, expected: Value) {
        let value = value_for(&schema);
        assert_eq!(value, expected);
        assert!(
            jsonschema::is_valid(&schema, &value),
            "{value} does not fit {schema}"
        );
    }

    #[test]
    fn stand_ins_fit_their_schema() {
        check(
            json!({"type": "object", "properties": {"ok": {"type": "boolean"}, "id": {"type": "integer", "minimum": 3}}}),
            json!({"ok": false, "id": 3}),
        );
        check(
            json!({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2}),
            json!(["a", "a"]),
        );
        check(
            json!({"$ref": "#/$defs/x", "$defs": {"x": {"type": "string", "minLength": 12}}}),
            json!("syntheticxxx"),
        );
        check(
            json!({"type": ["null", "number"], "exclusiveMinimum": 1}),
            json!(2.0),
        );
        check(
            json!({"anyOf": [{"type": "integer", "maximum": -2}]}),
            json!(-2),
        );
    }
}
