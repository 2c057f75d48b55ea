//! How much work is it to check this value against this schema? An upper bound, found by walking
//! every branch without looking at what decides between them, up to a limit.

use serde_json::{Map, Value};

use crate::schema_reference::{References, is_meta_schema, is_reference};

/// Schemas inside schemas, references followed and the value descended into.
const LEVELS: usize = 1_000;
/// What the schema of schemas takes for each part of a value, at most.
const META_STEPS: usize = 32;

/// What checking takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// How many schemas are compared with parts of the value.
    pub(crate) steps: usize,
    /// The most of them below one `anyOf` or `oneOf`: as many errors can one error hold.
    pub(crate) widest: usize,
}

/// What checking `value` takes, if that is at most `limit` steps.
pub(crate) fn work(schema: &Value, value: &Value, limit: usize) -> Option<Work> {
    let mut walk = Walk {
        references: References::of(schema),
        left: limit,
        is_inside: false,
        widest: 0,
    };
    walk.visit(schema, value, 0)?;
    Some(Work {
        steps: limit - walk.left,
        widest: walk.widest,
    })
}

/// How many parts a value has.
pub(crate) fn parts(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(parts).sum(),
        Value::Object(fields) => fields.values().map(parts).sum(),
        _ => 0,
    }
}

struct Walk<'a> {
    references: References<'a>,
    left: usize,
    /// Below an `anyOf` or `oneOf`.
    is_inside: bool,
    widest: usize,
}

impl<'a> Walk<'a> {
    fn take(&mut self, steps: usize) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    /// Nothing when there is no room for it.
    fn visit(&mut self, schema: &'a Value, value: &Value, level: usize) -> Option<()> {
        self.take(1)?;
        let Value::Object(keywords) = schema else {
            return Some(());
        };
        if level > LEVELS {
            return None;
        }
        for (keyword, inner) in keywords {
            self.same_value(keyword, inner, value, level + 1)?;
            match (keyword.as_str(), value) {
                ("unevaluatedProperties" | "unevaluatedItems", _) => {
                    self.mark(keywords, value, level + 1)?;
                    self.all(inner, value, level + 1)?;
                }
                ("properties", Value::Object(fields)) => {
                    for (name, schema) in inner.as_object().into_iter().flatten() {
                        if let Some(field) = fields.get(name) {
                            self.visit(schema, field, level + 1)?;
                        }
                    }
                }
                ("patternProperties", Value::Object(_)) => {
                    for schema in inner.as_object().into_iter().flat_map(Map::values) {
                        self.all(schema, value, level + 1)?;
                    }
                }
                ("additionalProperties", Value::Object(fields)) => {
                    let known = keywords.get("properties").and_then(Value::as_object);
                    for (name, field) in fields {
                        if !known.is_some_and(|known| known.contains_key(name)) {
                            self.visit(inner, field, level + 1)?;
                        }
                    }
                }
                ("propertyNames", Value::Object(fields)) => {
                    for _ in fields {
                        self.visit(inner, &Value::Null, level + 1)?;
                    }
                }
                ("items" | "prefixItems", Value::Array(items)) => match inner {
                    Value::Array(schemas) => {
                        for (schema, item) in schemas.iter().zip(items) {
                            self.visit(schema, item, level + 1)?;
                        }
                    }
                    schema => self.all(schema, value, level + 1)?,
                },
                ("additionalItems" | "contains", Value::Array(_)) => {
                    self.all(inner, value, level + 1)?;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// One schema for every part of a value.
    fn all(&mut self, schema: &'a Value, value: &Value, level: usize) -> Option<()> {
        match value {
            Value::Array(items) => items
                .iter()
                .try_for_each(|item| self.visit(schema, item, level)),
            Value::Object(fields) => fields
                .values()
                .try_for_each(|field| self.visit(schema, field, level)),
            _ => Some(()),
        }
    }

    /// A keyword whose schemas look at the same value again.
    fn same_value(
        &mut self,
        keyword: &str,
        inner: &'a Value,
        value: &Value,
        level: usize,
    ) -> Option<()> {
        if let (true, Some(reference)) = (is_reference(keyword), inner.as_str()) {
            if is_meta_schema(reference) {
                return self.take(parts(value).saturating_mul(META_STEPS));
            }
            let target = self.references.target(reference)?;
            return self.visit(target, value, level);
        }
        let is_outermost = matches!(keyword, "anyOf" | "oneOf") && !self.is_inside;
        let before = self.left;
        self.is_inside |= is_outermost;
        for schema in branches(keyword, inner) {
            self.visit(schema, value, level)?;
        }
        if is_outermost {
            self.is_inside = false;
            self.widest = self.widest.max(before - self.left);
        }
        Some(())
    }

    /// To know what is unevaluated, the schemas that look at the same value are asked again.
    fn mark(
        &mut self,
        keywords: &'a Map<String, Value>,
        value: &Value,
        level: usize,
    ) -> Option<()> {
        self.take(1)?;
        for (keyword, inner) in keywords {
            self.same_value(keyword, inner, value, level)?;
            let target = inner
                .as_str()
                .filter(|_| is_reference(keyword))
                .and_then(|reference| self.references.target(reference));
            for schema in target.into_iter().chain(branches(keyword, inner)) {
                if let (Value::Object(keywords), true) = (schema, level <= LEVELS) {
                    self.mark(keywords, value, level + 1)?;
                }
            }
        }
        Some(())
    }
}

/// The schemas of a keyword that look at the same value.
fn branches<'a>(keyword: &str, inner: &'a Value) -> impl Iterator<Item = &'a Value> + use<'a> {
    let (list, named, one) = match (keyword, inner) {
        ("allOf" | "anyOf" | "oneOf", Value::Array(list)) => (Some(list), None, None),
        ("dependentSchemas" | "dependencies", Value::Object(named)) => (None, Some(named), None),
        ("not" | "if" | "then" | "else", one) => (None, None, Some(one)),
        _ => (None, None, None),
    };
    let named = named.into_iter().flat_map(Map::values);
    list.into_iter().flatten().chain(named).chain(one)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema_validator::{Verdict, own};

    /// A value nested `depth` deep in the field `x`.
    fn nested(depth: usize, innermost: Value) -> Value {
        (0..depth).fold(innermost, |inner, _| json!({ "x": inner }))
    }

    /// So many schemas that each look at the field `x`.
    fn deeper(count: usize, reference: &str) -> Value {
        let inner = json!({"type": "object", "properties": {"x": {"$ref": reference}}});
        vec![inner; count].into()
    }

    /// Definitions that lead to the next one, each in two ways.
    fn chain(length: usize) -> Value {
        let link = |next: usize| json!({"anyOf": deeper(2, &format!("#/$defs/d{next}"))});
        let mut defs: Map<String, Value> = (0..length)
            .map(|at| (format!("d{at}"), link(at + 1)))
            .collect();
        defs.insert(format!("d{length}"), json!({"type": "integer"}));
        json!({"$ref": "#/$defs/d0", "$defs": defs})
    }

    /// Schemas that branch at each level, each through another keyword.
    fn branching(branches: usize) -> Vec<Value> {
        let twice =
            |keyword: &str| json!({"type": ["object", "integer"], keyword: deeper(branches, "#")});
        let via = |part: Value| json!({"$ref": "#/$defs/part", "$defs": {"part": part}});
        let mut all: Vec<Value> = ["anyOf", "oneOf", "allOf"].map(twice).into();
        let step = |to: &str| json!({"properties": {"x": {"$ref": to}}});
        all.extend([
            json!({"$anchor": "top", "anyOf": deeper(branches, "#top")}),
            json!({"$id": "https://example.com/a", "anyOf": deeper(branches, "https://example.com/a")}),
            via(json!({"anyOf": deeper(branches, "#/%24defs/part")})),
            via(json!({"if": step("#/$defs/part"), "then": step("#/$defs/part")})),
            via(json!({"not": step("#/$defs/part"), "else": false, "allOf": deeper(branches, "#")})),
            via(json!({"allOf": deeper(1, "#/$defs/part"), "unevaluatedProperties": false})),
            via(json!({"additionalProperties": {"$ref": "#"}, "patternProperties": {".": {"$ref": "#"}}})),
            via(json!({"dependentSchemas": {"x": step("#"), "y": true}, "properties": {"x": {"$ref": "#"}}})),
        ]);
        all
    }

    #[test]
    fn schemas_that_branch_at_each_level_are_refused_before_they_are_tried() {
        for (branches, depth) in [(2, 25), (4, 60)] {
            for schema in branching(branches) {
                let validator = own(&schema).unwrap_or_else(|reason| panic!("{schema}: {reason}"));
                let value = nested(depth, json!("text"));
                let verdict = validator.check(&value);
                let Verdict::Refused(reason) = verdict else {
                    panic!("{schema} {depth}: {verdict:?}");
                };
                assert!(reason.contains("steps"), "{reason}");
            }
        }
        let validator = own(&chain(40)).unwrap();
        assert!(matches!(
            validator.check(&nested(40, json!("text"))),
            Verdict::Refused(_)
        ));
    }

    /// What the schema says still holds, however little of it is explained.
    #[test]
    fn what_can_be_checked_is_checked_and_little_is_held_to_explain_it() {
        for depth in [2, 8, 12] {
            let validator = own(&chain(depth)).unwrap();
            assert!(validator.is_valid(&nested(depth, json!(1))), "{depth}");
            let wrong = nested(depth, json!("text"));
            match validator.check(&wrong) {
                Verdict::Misfits { errors, is_all } => {
                    assert!(depth < 12 && is_all, "{depth}");
                    assert_eq!(errors.len(), 1);
                }
                Verdict::Refused(reason) => {
                    assert!(
                        depth == 12 && reason.contains("branches to say where"),
                        "{reason}"
                    );
                }
                Verdict::Fits => panic!("{depth}"),
            }
        }
    }

    #[test]
    fn deep_and_large_values_pass_schemas_that_do_not_branch() {
        let list =
            json!({"type": "object", "properties": {"x": {"$ref": "#"}, "n": {"type": "integer"}}});
        let validator = own(&list).unwrap();
        assert!(validator.is_valid(&nested(96, json!({"n": 1}))));
        assert!(!validator.is_valid(&nested(96, json!({"n": "1"}))));
        let rows = json!({"items": {"$ref": "#/$defs/row"}, "$defs": {"row": {
            "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, "required": ["a"]
        }}});
        let validator = own(&rows).unwrap();
        let mut value = Value::from(vec![json!({"a": 1}); 30_000]);
        assert!(validator.is_valid(&value));
        value[20_000]["a"] = json!("text");
        let Verdict::Misfits { errors, is_all } = validator.check(&value) else {
            panic!("it does not fit");
        };
        assert!(!is_all);
        assert_eq!(errors[0].instance_path().as_str(), "/20000/a");
    }

    #[test]
    fn the_bound_counts_every_branch() {
        for (schema, value, expected) in [
            (json!({"type": "integer"}), json!(1), (1, 0)),
            (json!({"anyOf": [true, {"not": true}]}), json!(1), (4, 3)),
            (
                json!({"items": {"oneOf": [true, true]}}),
                json!([1, 2]),
                (7, 2),
            ),
            (
                json!({"$ref": "#/$defs/a", "$defs": {"a": true}}),
                json!(1),
                (2, 0),
            ),
            (
                json!({"allOf": [true], "unevaluatedItems": true}),
                json!([1]),
                (5, 0),
            ),
        ] {
            let found = work(&schema, &value, 100).unwrap();
            assert_eq!((found.steps, found.widest), expected, "{schema}");
            assert_eq!(work(&schema, &value, expected.0 - 1), None, "{schema}");
        }
    }
}
