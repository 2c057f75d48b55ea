//! Could a value of one JSON Schema stand where another is asked for? Judged by kinds
//! and names of fields; what is not declared is not held against anybody.

use serde_json::{Map, Value};

/// The kinds of values a schema allows; empty when it does not say.
fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether some value could be both.
pub(super) fn kinds_meet(given: &Value, wanted: &Value) -> bool {
    let (given, wanted) = (kinds(given), kinds(wanted));
    let fits = |one: &&str| {
        wanted.contains(one)
            || *one == "integer" && wanted.contains(&"number")
            || *one == "number" && wanted.contains(&"integer")
    };
    given.is_empty() || wanted.is_empty() || given.iter().any(fits)
}

/// Whether a value is of a kind that a schema allows; a reference may be anything.
pub(super) fn value_fits(value: &Value, schema: &Value) -> bool {
    let kind = match value {
        Value::String(text) if text.contains("{{") => return true,
        Value::String(_) => "string",
        Value::Bool(_) => "boolean",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::Null => "null",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
    };
    let known = schema.get("enum").and_then(Value::as_array);
    known.is_none_or(|known| known.contains(value))
        && kinds_meet(&serde_json::json!({ "type": kind }), schema)
}

pub(super) fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

fn is_closed(schema: &Value) -> bool {
    schema.get("additionalProperties") == Some(&Value::Bool(false))
}

/// Why a tool cannot take these arguments; nothing when it can.
pub(super) fn refuses(input: &Value, arguments: &Map<String, Value>) -> Option<String> {
    let known = properties(input);
    for (name, value) in arguments {
        match known.and_then(|known| known.get(name)) {
            Some(schema) if !value_fits(value, schema) => {
                return Some(format!("its `{name}` is of another kind"));
            }
            None if is_closed(input) => return Some(format!("it takes no `{name}`")),
            _ => {}
        }
    }
    None
}

/// Why the result of a tool cannot be what is wanted; nothing when it can.
pub(super) fn falls_short(output: &Value, wanted: &Value) -> Option<String> {
    if !kinds_meet(output, wanted) {
        return Some("its result is of another kind".to_owned());
    }
    let has = properties(output)?;
    let asked = properties(wanted);
    for name in required(wanted) {
        let schema = asked.and_then(|asked| asked.get(name));
        match (has.get(name), schema) {
            (None, _) if is_closed(output) || !has.is_empty() => {
                return Some(format!("its result has no `{name}`"));
            }
            (Some(own), Some(schema)) if !kinds_meet(own, schema) => {
                return Some(format!("`{name}` of its result is of another kind"));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_refused_by_name_or_kind() {
        let input = json!({"type": "object", "additionalProperties": false, "properties": {
            "url": {"type": "string"}, "limit": {"type": "integer"}, "how": {"enum": ["a", "b"]}}});
        let check = |arguments: Value, expected: Option<&str>| {
            let found = refuses(&input, arguments.as_object().unwrap());
            assert_eq!(found.as_deref(), expected);
        };
        check(json!({"url": "u", "limit": 3, "how": "a"}), None);
        check(json!({"limit": "{{a.count}}"}), None);
        check(
            json!({"limit": "three"}),
            Some("its `limit` is of another kind"),
        );
        check(json!({"how": "c"}), Some("its `how` is of another kind"));
        check(json!({"color": 1}), Some("it takes no `color`"));
        assert_eq!(
            refuses(&json!(null), &Map::from_iter([("x".to_owned(), json!(1))])),
            None
        );
    }

    #[test]
    fn results_must_have_what_is_wanted() {
        let output = json!({"type": "object", "properties": {"rows": {"type": "array"}, "count": {"type": "integer"}}});
        let check = |wanted: Value, expected: Option<&str>| {
            assert_eq!(falls_short(&output, &wanted).as_deref(), expected);
        };
        check(json!({"type": "object", "required": ["rows"]}), None);
        check(
            json!({"required": ["count"], "properties": {"count": {"type": "number"}}}),
            None,
        );
        check(
            json!({"required": ["path"]}),
            Some("its result has no `path`"),
        );
        check(
            json!({"required": ["rows"], "properties": {"rows": {"type": "string"}}}),
            Some("`rows` of its result is of another kind"),
        );
        check(
            json!({"type": "array"}),
            Some("its result is of another kind"),
        );
        assert_eq!(falls_short(&json!(null), &json!({"required": ["x"]})), None);
    }
}
