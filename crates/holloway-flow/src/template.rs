//! How does a plan become a template? What changes from run to run (addresses, files,
//! people, dates, words to search for) becomes an input with the old value as default, so
//! that the template without any input does what the plan did.

mod kind;
pub mod shipped;

use holloway_plan::draft::Draft;
use holloway_plan::step::{Function, Step, StepType};
use holloway_plan::tool::{Lookup, ToolTable, full_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

pub use kind::Kind;
use kind::{holds_reference, kind_of};

use crate::secret_words::{List, speaks_of_secret, words_of};

/// So many inputs are found at most: nobody fills in more.
const MOST_INPUTS: usize = 40;
/// Values inside values beyond this are left as they are.
const DEEPEST: usize = 8;

/// A plan with inputs in place of literals.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred {
    pub draft: Draft,
    pub inputs: Vec<Input>,
}

/// A literal that became an input.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Input {
    pub name: String,
    pub kind: Kind,
    /// What stood there.
    pub default: Value,
    pub description: String,
    /// `step.parameter`, in the order of the plan.
    pub used_in: Vec<String>,
}

/// Finds what changes from run to run and puts references in its place. `tools` tell
/// what their parameters mean.
pub fn infer(draft: &Draft, tools: &ToolTable) -> Inferred {
    let mut draft = draft.clone();
    let schema = draft.input.take().map(full_schema);
    let mut finder = Finder {
        tools,
        taken: names_of(schema.as_ref()),
        inputs: Vec::new(),
    };
    for step in &mut draft.steps {
        finder.step(step);
    }
    draft.input = extended(schema, &finder.inputs);
    Inferred {
        draft,
        inputs: finder.inputs,
    }
}

fn names_of(schema: Option<&Value>) -> Vec<String> {
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    let names = properties.into_iter().flat_map(Map::keys);
    names.cloned().collect()
}

/// The schema of the input with what was found.
fn extended(schema: Option<Value>, inputs: &[Input]) -> Option<Value> {
    if inputs.is_empty() {
        return schema;
    }
    let mut schema = schema.unwrap_or_else(|| json!({"type": "object", "properties": {}}));
    if let Value::Object(fields) = &mut schema {
        let properties = fields.entry("properties").or_insert_with(|| json!({}));
        if let Value::Object(properties) = properties {
            let found = inputs
                .iter()
                .map(|input| (input.name.clone(), property(input)));
            properties.extend(found);
        }
    }
    Some(schema)
}

fn property(input: &Input) -> Value {
    match &input.default {
        Value::Array(_) => json!({
            "type": "array", "items": {"type": "string"},
            "description": input.description, "default": input.default,
        }),
        _ => json!({"type": "string", "description": input.description, "default": input.default}),
    }
}

struct Finder<'a> {
    tools: &'a ToolTable,
    /// Names of inputs that the plan has already.
    taken: Vec<String>,
    inputs: Vec<Input>,
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Spot<'a> {
    step: &'a str,
    tool: Option<&'a str>,
    parameter: &'a str,
}

impl Finder<'_> {
    fn step(&mut self, step: &mut Step) {
        let id = step.id.clone();
        let tool = match (&step.tool, &step.function) {
            (Some(tool), _) => Some(tool.clone()),
            (None, Some(Function::Named(name))) => Some(name.clone()),
            _ => None,
        };
        let spot = |parameter| Spot {
            step: &id,
            tool: tool.as_deref(),
            parameter,
        };
        if let (Some(Value::Object(fields)), true) = (&mut step.input, takes_arguments(step.kind)) {
            for (parameter, value) in fields {
                self.value(value, spot(parameter), 0);
            }
        }
        if let Some(list @ Value::Array(_)) = step.over.as_deref_mut() {
            let name = step.variable.clone().unwrap_or_else(|| "item".to_owned());
            let name = format!("{name}_list");
            self.value(list, spot(&name), 0);
        }
        for inner in [&mut step.step, &mut step.reducer].into_iter().flatten() {
            self.step(inner);
        }
        let lists = [&mut step.steps, &mut step.then, &mut step.otherwise];
        for inner in lists.into_iter().flatten() {
            self.step(inner);
        }
    }

    fn value(&mut self, value: &mut Value, spot: Spot<'_>, depth: usize) {
        if depth > DEEPEST || is_secret(spot.parameter) {
            return;
        }
        if let Some(kind) = kind_of(spot.parameter, value) {
            if let Some(name) = self.input(kind, value, spot) {
                *value = Value::String(format!("{{{{ input.{name} }}}}"));
            }
            return;
        }
        match value {
            Value::String(text) => self.inside(text, spot),
            Value::Array(items) => {
                for item in items {
                    self.value(item, spot, depth + 1);
                }
            }
            Value::Object(fields) => {
                for (parameter, field) in fields {
                    self.value(field, Spot { parameter, ..spot }, depth + 1);
                }
            }
            _ => {}
        }
    }

    /// The name of the input for this literal: the one it has, or a new one.
    fn input(&mut self, kind: Kind, value: &Value, spot: Spot<'_>) -> Option<String> {
        let place = format!("{}.{}", spot.step, spot.parameter);
        if let Some(known) = self.inputs.iter_mut().find(|input| &input.default == value) {
            known.used_in.push(place);
            return Some(known.name.clone());
        }
        if self.inputs.len() >= MOST_INPUTS {
            return None;
        }
        let name = self.free_name(spot);
        self.inputs.push(Input {
            name: name.clone(),
            kind,
            default: value.clone(),
            description: self.description(kind, spot),
            used_in: vec![place],
        });
        Some(name)
    }

    /// A literal that is an input already may also stand in the middle of a text.
    fn inside(&mut self, text: &mut String, spot: Spot<'_>) {
        if holds_reference(text) {
            return;
        }
        for input in &mut self.inputs {
            let (Kind::Address | Kind::Mail, Some(literal)) = (input.kind, input.default.as_str())
            else {
                continue;
            };
            let words: Vec<&str> = text.split(' ').collect();
            if words.contains(&literal) {
                let reference = format!("{{{{ input.{} }}}}", input.name);
                let put = |word: &str| {
                    if word == literal {
                        reference.clone()
                    } else {
                        word.to_owned()
                    }
                };
                *text = words.into_iter().map(put).collect::<Vec<_>>().join(" ");
                input
                    .used_in
                    .push(format!("{}.{}", spot.step, spot.parameter));
                return;
            }
        }
    }

    /// The parameter's name; with the step's before it if that is taken, then a number.
    fn free_name(&self, spot: Spot<'_>) -> String {
        let short = identifier(spot.parameter);
        let long = identifier(&format!("{}_{}", spot.step, spot.parameter));
        let numbered = (2..).map(|number| format!("{long}_{number}"));
        let mut names = [short, long.clone()].into_iter().chain(numbered);
        names.find(|name| !self.is_taken(name)).unwrap_or(long)
    }

    fn is_taken(&self, name: &str) -> bool {
        self.taken.iter().any(|taken| taken == name)
            || self.inputs.iter().any(|input| input.name == name)
    }

    /// In the words of the tool, if it says what the parameter means.
    fn description(&self, kind: Kind, spot: Spot<'_>) -> String {
        let found = spot.tool.map(|tool| self.tools.find(tool));
        let schema = match &found {
            Some(Lookup::Found(tool)) => tool.input_schema.get("properties"),
            _ => None,
        };
        let told =
            schema.and_then(|schema| schema.get(spot.parameter)?.get("description")?.as_str());
        match told {
            Some(told) => told.to_owned(),
            None => format!("{} in step {}", kind.words(), spot.step),
        }
    }
}

fn takes_arguments(kind: StepType) -> bool {
    matches!(kind, StepType::Tool | StepType::Final | StepType::Plan)
}

/// Keys are given by name and never kept as a default.
fn is_secret(parameter: &str) -> bool {
    let is_part = |word: &String| {
        let one = word.strip_suffix('s').unwrap_or(word);
        List::Parts.has(one)
    };
    speaks_of_secret(parameter) || words_of(parameter).iter().any(is_part)
}

/// A name that can stand after `input.`.
fn identifier(text: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        }
    };
    let name: String = text.chars().take(60).map(letter).collect();
    match name.trim_matches('_') {
        "" => "value".to_owned(),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("value_{name}"),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
