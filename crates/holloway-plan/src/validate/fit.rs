//! Does an input fit a JSON Schema, as far as can be told before references in it have values?
//! What is literal is checked, what holds a reference is taken on trust.

use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::problem_at;
use crate::problem::{Code, Problem, did_you_mean};
use crate::schema_validator::{Validator, Verdict, foreign};
use crate::step::Step;
use crate::template::{holds_references, is_templated};

/// One way in which an input does not fit.
pub(super) struct Misfit {
    /// The way to the culprit inside the input; empty for the input itself.
    at: Vec<String>,
    message: String,
    hint: Option<String>,
}

impl Misfit {
    pub(super) fn problem(self, code: Code, step: &Step, field: &str, owner: &str) -> Problem {
        let problem = problem_at(code, step, field, format!("{owner} {}", self.message));
        let place = self
            .at
            .iter()
            .fold(step.place.field("input"), |place, part| {
                match part.parse() {
                    Ok(index) => place.item(index),
                    Err(_) => place.field(part),
                }
            });
        let field = [field]
            .into_iter()
            .chain(self.at.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(".");
        let (problem, place) = if problem.code == Code::IncompatibleFallback {
            let place = problem.place.clone();
            (problem, place)
        } else {
            (
                problem.at_step(super::name_of(step).as_str(), &field),
                place,
            )
        };
        Problem { place, ..problem }.with_some_hint(self.hint)
    }
}

/// Checks inputs; remembers compiled schemas, since many steps call the same tool.
#[derive(Default)]
pub(super) struct Fit {
    compiled: FxHashMap<String, Option<Arc<Validator>>>,
}

impl Fit {
    /// How `input` fails `schema`; `owner` names the schema.
    pub(super) fn misfits(&mut self, owner: &str, schema: &Value, input: &Value) -> Vec<Misfit> {
        let mut found = Vec::new();
        if !schema.is_null() {
            let root = Root { schema };
            self.compare(
                &root,
                schema,
                owner.to_owned(),
                input,
                &mut Vec::new(),
                &mut found,
            );
        }
        found
    }

    /// `key` names `schema`, which stands inside `root`.
    fn compare(
        &mut self,
        root: &Root<'_>,
        schema: &Value,
        key: String,
        input: &Value,
        place: &mut Vec<String>,
        found: &mut Vec<Misfit>,
    ) {
        let schema = root.resolve(schema);
        match input {
            Value::String(text) if is_templated(text) => {}
            Value::Object(fields) if holds_references(input) => {
                self.compare_fields(root, schema, &key, fields, place, found);
            }
            Value::Array(items) if holds_references(input) => {
                let Some(item_schema) = schema.get("items").filter(|items| items.is_object())
                else {
                    return;
                };
                for (index, item) in items.iter().enumerate() {
                    place.push(index.to_string());
                    self.compare(root, item_schema, format!("{key}/[]"), item, place, found);
                    place.pop();
                }
            }
            literal => self.compare_literal(root, schema, key, literal, place, found),
        }
    }

    fn compare_fields(
        &mut self,
        root: &Root<'_>,
        schema: &Value,
        key: &str,
        fields: &Map<String, Value>,
        place: &mut Vec<String>,
        found: &mut Vec<Misfit>,
    ) {
        let no_properties = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&no_properties);
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                found.push(missing(place, name));
            }
        }
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false))
            && schema.get("patternProperties").is_none();
        for (name, value) in fields {
            place.push(name.clone());
            match properties.get(name) {
                Some(property) => {
                    self.compare(root, property, format!("{key}/{name}"), value, place, found);
                }
                None if closed => found.push(unknown(place, name, properties)),
                None => {}
            }
            place.pop();
        }
    }

    fn compare_literal(
        &mut self,
        root: &Root<'_>,
        schema: &Value,
        key: String,
        input: &Value,
        place: &[String],
        found: &mut Vec<Misfit>,
    ) {
        let validator = self
            .compiled
            .entry(key)
            .or_insert_with(|| root.compile(schema).map(Arc::new));
        // A schema that cannot be compiled is the tool's fault, not the plan's.
        let Some(validator) = validator.clone() else {
            return;
        };
        let errors = match validator.check(input) {
            Verdict::Fits => return,
            Verdict::Misfits { errors, .. } => errors,
            Verdict::Refused(reason) => {
                found.push(Misfit {
                    at: place.to_vec(),
                    message: format!("does not take this: {reason}"),
                    hint: Some("change the value, or refer to one with `{{…}}`".to_owned()),
                });
                return;
            }
        };
        for error in errors.into_iter().take(8) {
            let mut at = place.to_vec();
            at.extend(
                error
                    .instance_path()
                    .as_str()
                    .split('/')
                    .skip(1)
                    .map(unescape),
            );
            match error.kind() {
                ValidationErrorKind::Required { property } => {
                    found.push(missing(&at, property.as_str().unwrap_or_default()));
                }
                ValidationErrorKind::AdditionalProperties { unexpected } => {
                    let properties = schema
                        .get("properties")
                        .and_then(Value::as_object)
                        .cloned()
                        .unwrap_or_default();
                    for name in unexpected {
                        let at: Vec<String> = at.iter().chain([name]).cloned().collect();
                        found.push(unknown(&at, name, &properties));
                    }
                }
                _ => found.push(Misfit {
                    at,
                    message: format!("does not take this: {}", short(&error.to_string())),
                    hint: Some("change the value, or refer to one with `{{…}}`".to_owned()),
                }),
            }
        }
    }
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}

fn missing(at: &[String], name: &str) -> Misfit {
    let message = format!("needs `{name}`, which is not given");
    Misfit {
        at: at.to_vec(),
        message,
        hint: Some(format!("add `{name}` to the input")),
    }
}

fn unknown(at: &[String], name: &str, properties: &Map<String, Value>) -> Misfit {
    let message = format!("does not know `{}`", short(name));
    let hint = did_you_mean(name, properties.keys().map(String::as_str)).or_else(|| {
        let names: Vec<&str> = properties.keys().take(12).map(String::as_str).collect();
        (!names.is_empty()).then(|| format!("it takes {}", names.join(", ")))
    });
    Misfit {
        at: at.to_vec(),
        message,
        hint,
    }
}

/// The whole schema that a part of it may point into.
struct Root<'a> {
    schema: &'a Value,
}

impl<'a> Root<'a> {
    /// Follows `$ref`s inside the document; others are left as they are.
    fn resolve<'s>(&self, schema: &'s Value) -> &'s Value
    where
        'a: 's,
    {
        let mut schema = schema;
        for _ in 0..16 {
            let Some(pointer) = schema
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|text| text.strip_prefix('#'))
            else {
                return schema;
            };
            match self.schema.pointer(pointer) {
                Some(target) => schema = target,
                None => return schema,
            }
        }
        schema
    }

    /// A part is compiled with the definitions of the whole, so that it can still point to them.
    fn compile(&self, schema: &Value) -> Option<Validator> {
        let mut part = schema.clone();
        if let (Value::Object(fields), Some(whole)) = (&mut part, self.schema.as_object()) {
            for name in ["$schema", "$defs", "definitions"] {
                if let Some(definitions) = whole.get(name) {
                    fields.entry(name).or_insert_with(|| definitions.clone());
                }
            }
        }
        foreign(&part).validator
    }
}
