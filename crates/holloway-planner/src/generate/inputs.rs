//! What does a plan ask of the person who runs it? Its inputs: with a value where the
//! request names one, so that the plan can be kept and run for something else.

use serde_json::{Map, Value, json};

use super::assembly::identifier;
use crate::bind::shape::{Kind, Shape};

/// The inputs of a plan in the making.
#[derive(Debug, Default)]
pub(super) struct Inputs(Vec<Input>);

#[derive(Debug)]
struct Input {
    name: String,
    kind: Kind,
    description: String,
    choices: Vec<Value>,
    default: Option<Value>,
}

/// A parameter that becomes an input.
#[derive(Debug)]
pub(super) struct Wish<'a> {
    pub(super) name: &'a str,
    pub(super) shape: Option<Shape<'a>>,
    pub(super) default: Option<Value>,
    /// The step that asks, to tell inputs of the same name apart.
    pub(super) step: &'a str,
}

impl Inputs {
    /// The name of the input that stands for the wish: an old one if it is the same.
    pub(super) fn ask(&mut self, wish: Wish<'_>) -> String {
        let shape = wish.shape;
        let given = || wish.default.as_ref().map_or(Kind::Any, kind_of);
        let kind = shape.map_or_else(given, Shape::kind);
        let description = shape.map(|shape| clip(shape.text("description"), 200));
        let description = description.unwrap_or_default();
        let base = identifier(wish.name);
        let is_same = |input: &&Input| {
            let same_value = input.default == wish.default;
            let told_apart = wish.default.is_none() && input.description != description;
            input.kind == kind && same_value && !told_apart
        };
        let of_name = |name: &str| self.0.iter().find(|input| input.name == name);
        for name in [base.clone(), format!("{}_{base}", identifier(wish.step))] {
            match of_name(&name) {
                Some(input) if is_same(&input) => return name,
                Some(_) => {}
                None => return self.push(name, kind, description, wish),
            }
        }
        let free = (2..100).map(|count| format!("{base}_{count}"));
        let mut free = free.filter(|name| of_name(name).is_none());
        let name = free.next().unwrap_or_else(|| format!("{base}_more"));
        self.push(name, kind, description, wish)
    }

    fn push(&mut self, name: String, kind: Kind, description: String, wish: Wish<'_>) -> String {
        let choices = wish.shape.map(Shape::choices).unwrap_or_default();
        let plain = |value: &&Value| !value.is_array() && !value.is_object();
        self.0.push(Input {
            name: name.clone(),
            kind,
            description,
            choices: choices
                .into_iter()
                .take(50)
                .filter(plain)
                .cloned()
                .collect(),
            default: wish.default,
        });
        name
    }

    /// Forgets what nothing reads.
    pub(super) fn keep(&mut self, is_read: impl Fn(&str) -> bool) {
        self.0.retain(|input| is_read(&input.name));
    }

    /// Those without a value.
    pub(super) fn open(&self) -> Vec<String> {
        let open = self.0.iter().filter(|input| input.default.is_none());
        open.map(|input| input.name.clone()).collect()
    }

    /// The JSON Schema of the plan's input.
    pub(super) fn schema(&self) -> Option<Value> {
        if self.0.is_empty() {
            return None;
        }
        let mut properties = Map::new();
        for input in &self.0 {
            properties.insert(input.name.clone(), input.schema());
        }
        let mut schema = json!({"type": "object"});
        if let Value::Object(fields) = &mut schema {
            let open = self.open();
            if !open.is_empty() {
                fields.insert("required".to_owned(), json!(open));
            }
            fields.insert("properties".to_owned(), Value::Object(properties));
        }
        Some(schema)
    }
}

impl Input {
    fn schema(&self) -> Value {
        let mut schema = Map::new();
        let kind = match self.kind {
            Kind::Text => "string",
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::Boolean => "boolean",
            Kind::List => "array",
            Kind::Object => "object",
            Kind::Any => "",
        };
        let suits = |value: &Value| Shape::of(&json!({"type": kind})).admits(value);
        let suits_all = self.default.iter().chain(&self.choices).all(suits);
        if !kind.is_empty() && suits_all {
            schema.insert("type".to_owned(), json!(kind));
        }
        let allowed = |value: &Value| self.choices.contains(value);
        if !self.choices.is_empty() && self.default.iter().all(allowed) {
            schema.insert("enum".to_owned(), json!(self.choices));
        }
        if let Some(default) = &self.default {
            schema.insert("default".to_owned(), default.clone());
        }
        if !self.description.is_empty() {
            schema.insert("description".to_owned(), json!(self.description));
        }
        Value::Object(schema)
    }
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::String(_) => Kind::Text,
        Value::Array(_) => Kind::List,
        Value::Object(_) => Kind::Object,
        Value::Bool(_) => Kind::Boolean,
        _ => Kind::Any,
    }
}

/// The first letters of a text.
pub(crate) fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}
