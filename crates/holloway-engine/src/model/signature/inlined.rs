//! What does a schema say where it refers to its own definitions, or puts several together? The same
//! in one piece, a few levels deep: definitions may refer to themselves.

use serde_json::{Map, Value};

/// References inside references that are followed.
const DEEPEST: usize = 4;

/// Parts of a schema that are put together; definitions could multiply without end.
const MOST_PARTS: usize = 5_000;

pub(super) fn inlined(schema: &Value) -> Value {
    let refers = |text: &str| text.contains("\"$ref\"") || text.contains("\"allOf\"");
    if !refers(&schema.to_string()) {
        return schema.clone();
    }
    let mut work = Work {
        root: schema,
        left: MOST_PARTS,
    };
    work.put_in(schema, DEEPEST)
}

struct Work<'a> {
    root: &'a Value,
    left: usize,
}

impl Work<'_> {
    fn put_in(&mut self, schema: &Value, deep: usize) -> Value {
        let Some(left) = self.left.checked_sub(1) else {
            return Value::Object(Map::new());
        };
        self.left = left;
        match schema {
            Value::Array(items) => items.iter().map(|item| self.put_in(item, deep)).collect(),
            Value::Object(fields) => self.joined(fields, deep).into(),
            other => other.clone(),
        }
    }

    fn joined(&mut self, fields: &Map<String, Value>, deep: usize) -> Map<String, Value> {
        let mut whole = Map::new();
        let root = self.root;
        if let Some(meant) = fields.get("$ref").and_then(|place| found(place, root)) {
            let Some(deep) = deep.checked_sub(1) else {
                return whole;
            };
            add(&mut whole, self.put_in(meant, deep));
        }
        let parts = fields.get("allOf").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            add(&mut whole, self.put_in(part, deep));
        }
        for (name, inner) in fields {
            if !["$ref", "allOf", "$defs", "definitions"].contains(&name.as_str()) {
                let inner = self.put_in(inner, deep);
                add(&mut whole, Map::from_iter([(name.clone(), inner)]).into());
            }
        }
        whole
    }
}

/// What `#/$defs/place` means.
fn found<'a>(place: &Value, root: &'a Value) -> Option<&'a Value> {
    root.pointer(place.as_str()?.strip_prefix('#')?)
}

/// Fields are joined; of two values the later one holds.
fn add(whole: &mut Map<String, Value>, part: Value) {
    let Value::Object(fields) = part else {
        return;
    };
    for (name, value) in fields {
        match (whole.get_mut(&name), value) {
            (Some(Value::Object(known)), value @ Value::Object(_)) => add(known, value),
            (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
            (_, value) => {
                whole.insert(name, value);
            }
        }
    }
}
