//! Which inputs of a plan are secret? Those whose name or schema says so: passwords, tokens,
//! keys. They are taken out before a run is written down, and a mark stands in their place.

mod sayings;

use std::collections::BTreeSet;

use holloway_engine::mark::{is_marked, marks};
use holloway_plan::plan::Plan;
use holloway_plan::schema_reference::References;
use holloway_plan::tool::full_schema;
use holloway_plan::write;
use serde_json::{Map, Value};

use sayings::Sayings;

/// A value that is taken out of an input: its place, as people type it, the value, and what
/// it must look like.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenOut {
    pub name: String,
    pub value: Value,
    pub schema: Option<Value>,
    /// Its place is one for secrets; else its text only looks like a mark.
    pub secret: bool,
}

/// Whether a field of an object is secret, by its name and what the schema of the object says.
pub fn is_secret(schema: &Value, field: &str) -> bool {
    let references = References::of(schema);
    let whole = Sayings::of(Some(schema), &references);
    whole.property(field).is_secret(field)
}

/// Visits every secret value of an input, however deep, and puts back what it is given. Values
/// that nobody gave stand as their default; what has a mark already is visited too.
pub fn visit_secrets<E>(
    plan: &Plan,
    input: &mut Value,
    visit: &mut impl FnMut(TakenOut) -> Result<Value, E>,
) -> Result<(), E> {
    let schema = plan.draft().input.clone().map(full_schema);
    if let (Value::Object(fields), Some(schema)) = (&mut *input, &schema) {
        add_defaults(fields, schema);
    }
    let text = write::json(plan.draft());
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let known = text.split(|letter| !is_word(letter)).collect();
    Visitor { known, visit }.object(schema.as_ref(), input)
}

/// The same for any object and its schema, and without defaults: the arguments of a tool, an
/// answer to a question.
pub fn visit_secrets_of<E>(
    schema: Option<&Value>,
    object: &mut Value,
    visit: &mut impl FnMut(TakenOut) -> Result<Value, E>,
) -> Result<(), E> {
    let known = BTreeSet::new();
    Visitor { known, visit }.object(schema, object)
}

fn add_defaults(fields: &mut Map<String, Value>, schema: &Value) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        if let Some(default) = property.get("default").filter(|_| is_secret(schema, name)) {
            fields
                .entry(name.clone())
                .or_insert_with(|| default.clone());
        }
    }
}

struct Visitor<'a, F> {
    /// Words of the plan: a name of a field that it speaks of is no secret.
    known: BTreeSet<&'a str>,
    visit: &'a mut F,
}

impl<E, F: FnMut(TakenOut) -> Result<Value, E>> Visitor<'_, F> {
    fn object(&mut self, schema: Option<&Value>, object: &mut Value) -> Result<(), E> {
        let Value::Object(fields) = object else {
            return Ok(());
        };
        let nothing = Value::Null;
        let references = References::of(schema.unwrap_or(&nothing));
        let whole = Sayings::of(schema, &references);
        for (name, value) in fields {
            let said = whole.property(name);
            let secret = said.is_secret(name);
            self.value(name, value, &said, secret)?;
        }
        Ok(())
    }

    fn value(
        &mut self,
        name: &str,
        value: &mut Value,
        said: &Sayings<'_>,
        secret: bool,
    ) -> Result<(), E> {
        match value {
            Value::Object(fields) => {
                *fields = self.fields(name, std::mem::take(fields), said, secret)?;
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let inner = said.item(index);
                    let secret = secret || inner.says_secret();
                    self.value(name, item, &inner, secret)?;
                }
            }
            _ if hides(value, said, secret) => {
                *value = (self.visit)(TakenOut {
                    name: name.to_owned(),
                    value: value.take(),
                    schema: said.own_schema(),
                    secret: secret || said.says_secret(),
                })?;
            }
            _ => {}
        }
        Ok(())
    }

    fn fields(
        &mut self,
        name: &str,
        fields: Map<String, Value>,
        said: &Sayings<'_>,
        secret: bool,
    ) -> Result<Map<String, Value>, E> {
        let mut visited = Map::new();
        for (number, (key, mut field)) in (1..).zip(fields) {
            let inner = said.property(&key);
            // What nobody has declared may be as secret as what stands there.
            let is_free = secret && !said.declares(&key) && !self.known.contains(key.as_str());
            let place = if is_free {
                format!("{name}.{number}")
            } else {
                format!("{name}.{key}")
            };
            let inner_secret = secret || inner.is_secret(&key);
            self.value(&place, &mut field, &inner, inner_secret)?;
            visited.insert(self.key(&place, key, is_free)?, field);
        }
        Ok(visited)
    }

    /// The name of a field of a secret, as it may be written down.
    fn key(&mut self, place: &str, key: String, secret: bool) -> Result<String, E> {
        if !secret && marks(&key).is_empty() {
            return Ok(key);
        }
        let value = (self.visit)(TakenOut {
            name: format!("{place}.key"),
            value: Value::String(key),
            schema: None,
            secret,
        })?;
        Ok(match value {
            Value::String(key) => key,
            other => other.to_string(),
        })
    }
}

/// Yes and no are hidden only where the schema says so: a switch among secrets tells nothing.
fn hides(value: &Value, said: &Sayings<'_>, secret: bool) -> bool {
    match value {
        Value::String(_) | Value::Number(_) => secret || said.says_secret() || is_marked(value),
        Value::Bool(_) => said.says_secret(),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

#[cfg(test)]
mod tests;
