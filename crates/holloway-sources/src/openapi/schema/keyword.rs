//! Which words of a schema are kept? Those of JSON Schema with a value that fits;
//! a word with nonsense beside it would make the whole schema unusable.

use serde_json::{Value, json};

const TYPES: [&str; 7] = [
    "null", "boolean", "integer", "number", "string", "array", "object",
];

/// The value of a word that holds no schema; `None` when it is left out.
pub(super) fn plain(word: &str, value: &Value) -> Option<Value> {
    let keep = match word {
        "title" | "description" | "format" | "contentEncoding" | "contentMediaType" => {
            value.is_string()
        }
        "default" | "const" => true,
        "enum" => value.as_array().is_some_and(|values| !values.is_empty()),
        "examples" => value.is_array(),
        "deprecated" | "readOnly" | "writeOnly" | "uniqueItems" => value.is_boolean(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "multipleOf" => value.as_f64().is_some_and(|number| number > 0.0),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => value.is_u64(),
        "pattern" => value.as_str().is_some_and(is_pattern),
        "dependentRequired" => value.is_object(),
        "type" => return types(value),
        _ => false,
    };
    keep.then(|| value.clone())
}

/// Patterns of other dialects, with look-around for instance, cannot be checked here;
/// the service checks them itself.
fn is_pattern(pattern: &str) -> bool {
    regex::Regex::new(pattern).is_ok()
}

fn types(value: &Value) -> Option<Value> {
    let known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::String(_) if known(value) => Some(value.clone()),
        Value::Array(names) if !names.is_empty() && names.iter().all(known) => {
            let mut unique: Vec<Value> = Vec::new();
            for name in names {
                if !unique.contains(name) {
                    unique.push(name.clone());
                }
            }
            Some(json!(unique))
        }
        _ => None,
    }
}

/// What a word holds, where it holds schemas.
pub(super) enum Holds {
    One,
    List,
    Map,
}

pub(super) fn holds(word: &str) -> Option<(Holds, InPlace)> {
    Some(match word {
        "allOf" | "anyOf" | "oneOf" => (Holds::List, InPlace(true)),
        "not" | "if" | "then" | "else" => (Holds::One, InPlace(true)),
        "dependentSchemas" => (Holds::Map, InPlace(true)),
        "items"
        | "additionalProperties"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties" => (Holds::One, InPlace(false)),
        "prefixItems" => (Holds::List, InPlace(false)),
        "properties" | "patternProperties" => (Holds::Map, InPlace(false)),
        _ => return None,
    })
}

/// Does an inner schema apply to the very same value?
#[derive(Clone, Copy)]
pub(super) struct InPlace(pub(super) bool);
