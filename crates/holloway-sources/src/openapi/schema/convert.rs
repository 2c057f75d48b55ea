//! How is one schema rewritten? Word by word, without following references: these
//! become names in `$defs` and are remembered.

use serde_json::{Map, Value, json};

use super::keyword::{Holds, InPlace, holds, plain};
use super::{Direction, Keys};
use crate::openapi::document::{Document, Flaw, join, kind, local_pointer};

pub(super) struct Walk<'a> {
    pub(super) document: &'a Document,
    /// Written in the words of 3.0.
    pub(super) thirty: bool,
    pub(super) direction: Direction,
    pub(super) keys: &'a mut Keys,
    pub(super) references: Vec<String>,
    pub(super) in_place: Vec<String>,
}

/// Where the walk is; a pointer is only made of it when something is wrong.
pub(super) struct Trail<'a> {
    parent: Option<&'a Trail<'a>>,
    part: &'a str,
}

impl<'a> Trail<'a> {
    pub(super) fn start(pointer: &'a str) -> Self {
        Self {
            parent: None,
            part: pointer,
        }
    }

    fn inside(&'a self, part: &'a str) -> Self {
        Self {
            parent: Some(self),
            part,
        }
    }

    fn pointer(&self) -> String {
        match self.parent {
            None => self.part.to_owned(),
            Some(parent) => join(&parent.pointer(), self.part),
        }
    }
}

type Fields = Map<String, Value>;

impl Walk<'_> {
    pub(super) fn schema(
        &mut self,
        schema: &Value,
        trail: &Trail<'_>,
        in_place: bool,
    ) -> Result<Value, Flaw> {
        let fields = match schema {
            Value::Bool(_) => return Ok(schema.clone()),
            Value::Object(fields) => fields,
            other => {
                let message = format!("expected a schema, found {}", kind(other));
                return Err(Flaw::new(trail.pointer(), message));
            }
        };
        let mut result = Fields::new();
        if let Some(Value::String(reference)) = fields.get("$ref") {
            let key = self.reference(reference, trail, in_place)?;
            result.insert("$ref".to_owned(), json!(format!("#/$defs/{key}")));
            if self.thirty {
                // 3.0 has nothing beside a reference, but people write these two.
                copy(fields, &mut result, "description");
                return Ok(nullable(fields, result));
            }
        }
        for (word, value) in fields {
            self.word(word, value, fields, &mut result, trail, in_place)?;
        }
        binary(&mut result);
        if self.thirty {
            bounds(fields, &mut result);
            return Ok(nullable(fields, result));
        }
        Ok(Value::Object(result))
    }

    fn word(
        &mut self,
        word: &str,
        value: &Value,
        fields: &Fields,
        result: &mut Fields,
        trail: &Trail<'_>,
        in_place: bool,
    ) -> Result<(), Flaw> {
        let lenient = self.direction == Direction::Received;
        match (word, value) {
            ("required", Value::Array(names)) => {
                let names = self.required(names, fields);
                if !names.is_empty() {
                    result.insert(word.to_owned(), json!(names));
                }
            }
            ("example" | "examples", _) if lenient => {}
            ("example", _) => {
                result.insert("examples".to_owned(), json!([value]));
            }
            ("additionalProperties" | "unevaluatedProperties", Value::Bool(false)) if lenient => {}
            _ => {
                if let Some((shape, InPlace(same))) = holds(word) {
                    let inner = trail.inside(word);
                    let value = self.inner(&shape, value, &inner, in_place && same)?;
                    // With fields nobody promised, more than one choice may fit.
                    let any = word == "oneOf" && lenient && !fields.contains_key("anyOf");
                    let word = if any { "anyOf" } else { word };
                    result.extend(value.map(|value| (word.to_owned(), value)));
                } else if let Some(value) = plain(word, value) {
                    result.insert(word.to_owned(), value);
                }
            }
        }
        Ok(())
    }

    fn inner(
        &mut self,
        shape: &Holds,
        value: &Value,
        trail: &Trail<'_>,
        in_place: bool,
    ) -> Result<Option<Value>, Flaw> {
        Ok(match (shape, value) {
            (Holds::One, value) => Some(self.schema(value, trail, in_place)?),
            (Holds::List, Value::Array(items)) if !items.is_empty() => {
                let mut schemas = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let part = index.to_string();
                    schemas.push(self.schema(item, &trail.inside(&part), in_place)?);
                }
                Some(Value::Array(schemas))
            }
            (Holds::Map, Value::Object(items)) => {
                let mut schemas = Fields::new();
                for (name, item) in items {
                    let item = self.schema(item, &trail.inside(name), in_place)?;
                    schemas.insert(name.clone(), item);
                }
                Some(Value::Object(schemas))
            }
            _ => None,
        })
    }

    /// The name of what is referred to, at the end of a chain of mere references.
    fn reference(
        &mut self,
        reference: &str,
        trail: &Trail<'_>,
        in_place: bool,
    ) -> Result<String, Flaw> {
        let from = trail.pointer();
        let mut target = local_pointer(reference, &from)?;
        let schema = self.document.at(&target, &from)?;
        let mere = schema.as_object().is_some_and(|fields| fields.len() == 1);
        if mere && schema.get("$ref").is_some() {
            target = self.document.follow(schema, &target)?.1;
        }
        if in_place {
            self.in_place.push(target.clone());
        }
        let key = self.keys.of(&target);
        self.references.push(target);
        Ok(key)
    }

    /// What only the service sets need not be sent, and what only we set does not
    /// come back.
    fn required(&self, names: &[Value], fields: &Fields) -> Vec<Value> {
        let flag = match self.direction {
            Direction::Sent => "readOnly",
            Direction::Received => "writeOnly",
        };
        let mut kept: Vec<Value> = Vec::new();
        for name in names {
            let Some(text) = name.as_str() else { continue };
            let property = fields.get("properties").and_then(|all| all.get(text));
            let flagged = property.is_some_and(|property| self.has_flag(property, flag));
            if !flagged && !kept.contains(name) {
                kept.push(name.clone());
            }
        }
        kept
    }

    fn has_flag(&self, schema: &Value, flag: &str) -> bool {
        let set = |schema: &Value| schema.get(flag) == Some(&Value::Bool(true));
        set(schema)
            || self
                .document
                .follow(schema, "")
                .is_ok_and(|(schema, _)| set(schema))
    }
}

fn copy(from: &Fields, to: &mut Fields, word: &str) {
    if let Some(value) = from.get(word).and_then(|value| plain(word, value)) {
        to.insert(word.to_owned(), value);
    }
}

/// 3.0 says `exclusiveMinimum: true` beside `minimum`.
fn bounds(fields: &Fields, result: &mut Fields) {
    for (exclusive, bound) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        if fields.get(exclusive) == Some(&Value::Bool(true))
            && let Some(limit) = result.remove(bound)
        {
            result.insert(exclusive.to_owned(), limit);
        }
    }
}

/// 3.0 says `nullable: true` where JSON Schema has the type `null`.
fn nullable(fields: &Fields, mut result: Fields) -> Value {
    if fields.get("nullable") != Some(&Value::Bool(true)) || result.is_empty() {
        return Value::Object(result);
    }
    if let Some(Value::String(name)) = result.get("type") {
        let names = json!([name, "null"]);
        result.insert("type".to_owned(), names);
        if let Some(Value::Array(values)) = result.get_mut("enum")
            && !values.contains(&Value::Null)
        {
            values.push(Value::Null);
        }
        return Value::Object(result);
    }
    json!({"anyOf": [result, {"type": "null"}]})
}

/// Bytes travel as base64 in JSON.
fn binary(result: &mut Fields) {
    let format = result.get("format").and_then(Value::as_str);
    let bytes = matches!(format, Some("binary" | "byte" | "base64"));
    let media = result.contains_key("contentMediaType") && !result.contains_key("contentEncoding");
    if bytes || media {
        result.remove("format");
        result.insert("contentEncoding".to_owned(), json!("base64"));
    }
}
