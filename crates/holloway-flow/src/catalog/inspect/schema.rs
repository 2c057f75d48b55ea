//! Can a schema be used at all? It must be an object, refer only to itself, come
//! to an end, and say nothing but schema where schema words stand.

use serde_json::{Map, Value};

use super::texts::schemas;
use super::{Findings, Suspicion, visible};
use crate::catalog::admit::difference::pointer_part;
use crate::catalog::offer::Offer;

const DEEPEST: usize = 48;
const MOST_PROPERTIES: usize = 1_000;
const LONGEST_CHAIN: usize = 32;

const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];
/// Keywords that hold one schema, a list of schemas, or schemas by name.
const ONE: [&str; 12] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];
const LISTS: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const NAMED: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];

pub(super) fn look(offer: &Offer, findings: &mut Findings) {
    let [input, output] = schemas(offer);
    for (place, schema) in [&input, &output] {
        match schema {
            Value::Null => {}
            Value::Object(_) => {
                let mut walk = Walk {
                    root: schema,
                    findings,
                    properties: 0,
                };
                walk.visit(place, schema, 0);
            }
            other => {
                let shown = format!(
                    "expected an object, found {}",
                    visible::shortened(&other.to_string(), 60)
                );
                findings.add(Suspicion::BadSchema, place, shown);
            }
        }
    }
    let (place, schema) = &input;
    if let Some(named) = schema.get("type")
        && named != "object"
    {
        let shown = format!(
            "arguments are an object, not {}",
            visible::shortened(&named.to_string(), 60)
        );
        findings.add(Suspicion::BadSchema, &format!("{place}/type"), shown);
    }
}

struct Walk<'a> {
    root: &'a Value,
    findings: &'a mut Findings,
    properties: usize,
}

impl Walk<'_> {
    fn visit(&mut self, place: &str, schema: &Value, depth: usize) {
        let Value::Object(fields) = schema else {
            return;
        };
        if depth > DEEPEST {
            let shown = format!("deeper than {DEEPEST} levels");
            return self.findings.add(Suspicion::BadSchema, place, shown);
        }
        self.check_type(place, fields.get("type"));
        self.check_reference(place, fields.get("$ref").or(fields.get("$dynamicRef")));
        self.visit_parts(place, fields, depth);
    }

    fn visit_parts(&mut self, place: &str, fields: &Map<String, Value>, depth: usize) {
        for (key, field) in fields {
            let place = format!("{place}/{}", pointer_part(key));
            let key = key.as_str();
            match field {
                Value::Object(named) if NAMED.contains(&key) => {
                    self.count(&place, named.len());
                    for (name, schema) in named {
                        let place = format!("{place}/{}", pointer_part(name));
                        self.visit(&place, schema, depth + 1);
                    }
                }
                Value::Array(list) if LISTS.contains(&key) => {
                    for (index, schema) in list.iter().enumerate() {
                        self.visit(&format!("{place}/{index}"), schema, depth + 1);
                    }
                }
                field if ONE.contains(&key) => self.visit(&place, field, depth + 1),
                _ => {}
            }
        }
    }

    fn count(&mut self, place: &str, more: usize) {
        let before = self.properties;
        self.properties += more;
        if before <= MOST_PROPERTIES && self.properties > MOST_PROPERTIES {
            let shown = format!("more than {MOST_PROPERTIES} parameters");
            self.findings.add(Suspicion::BadSchema, place, shown);
        }
    }

    fn check_type(&mut self, place: &str, named: Option<&Value>) {
        let is_type = |named: &Value| named.as_str().is_some_and(|name| TYPES.contains(&name));
        let is_good = match named {
            None => true,
            Some(Value::Array(list)) => list.iter().all(is_type),
            Some(named) => is_type(named),
        };
        if !is_good {
            let shown = named.map_or_else(String::new, Value::to_string);
            let shown = format!("no such type: {}", visible::shortened(&shown, 120));
            self.findings
                .add(Suspicion::BadSchema, &format!("{place}/type"), shown);
        }
    }

    fn check_reference(&mut self, place: &str, reference: Option<&Value>) {
        let Some(reference) = reference else {
            return;
        };
        if let Some(trouble) = self.trouble(reference) {
            let shown = visible::shortened(&reference.to_string(), 120);
            self.findings.add(
                Suspicion::BadSchema,
                &format!("{place}/$ref"),
                format!("{trouble}: {shown}"),
            );
        }
    }

    /// Follows a reference to what it stands for.
    fn trouble(&self, reference: &Value) -> Option<&'static str> {
        let mut reference = reference;
        for _ in 0..LONGEST_CHAIN {
            let Some(inside) = reference.as_str().and_then(|text| text.strip_prefix('#')) else {
                return Some("refers to something outside");
            };
            // An anchor has no pointer; looking for it would say nothing about safety.
            if !inside.is_empty() && !inside.starts_with('/') {
                return None;
            }
            let Some(target) = self.root.pointer(inside) else {
                return Some("refers to nothing");
            };
            match target.get("$ref") {
                Some(next) => reference = next,
                None => return None,
            }
        }
        Some("refers to itself without end")
    }
}
