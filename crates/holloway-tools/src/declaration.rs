//! How does a tool introduce itself? One literal with every field a planner and a
//! person need; leaving one out does not compile.

use holloway_plan::tool::does::Does;
use holloway_plan::tool::{Effect, ToolId, ToolSpec};
use serde_json::{Value, json};

use crate::model::SOURCE;

pub(crate) struct Declaration {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) category: &'static str,
    /// What it does, when to use it, what it returns.
    pub(crate) description: &'static str,
    pub(crate) effect: Effect,
    pub(crate) latency_ms: u64,
    pub(crate) input: Value,
    pub(crate) output: Value,
    /// Arguments of a call that works; shown to people and planners, run as a test.
    pub(crate) example: Value,
    /// What it does, for planning, in the notation of `holloway_plan::tool::does`.
    pub(crate) does: &'static [&'static str],
}

impl Declaration {
    pub(crate) fn builtin(self) -> ToolSpec {
        self.spec_of("builtin")
    }

    pub(crate) fn sample(self) -> ToolSpec {
        self.spec_of("sample")
    }

    pub(crate) fn model(self, price: Option<f64>) -> ToolSpec {
        ToolSpec {
            price,
            ..self.spec_of(SOURCE)
        }
    }

    fn spec_of(mut self, source: &str) -> ToolSpec {
        if let Some(schema) = self.input.as_object_mut() {
            schema.insert("examples".to_owned(), json!([self.example]));
        }
        ToolSpec {
            id: ToolId::new(format!("{source}/{}", self.name)),
            title: self.title.to_owned(),
            description: self.description.to_owned(),
            category: self.category.to_owned(),
            input_schema: self.input,
            output_schema: self.output,
            effect: self.effect,
            pure: false,
            price: Some(0.0),
            latency_ms: Some(self.latency_ms),
            definition: String::new(),
            // Every tool is made in tests, where a line that cannot be read ends them.
            does: self
                .does
                .iter()
                .inspect(|line| debug_assert!(line.parse::<Does>().is_ok(), "{line}"))
                .filter_map(|line| line.parse().ok())
                .collect(),
            inferred: Vec::new(),
        }
    }
}

/// The schema of arguments: an object with these properties and no others.
pub(crate) fn input(required: &[&str], properties: Value) -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties,
    })
}

/// The schema of a result: an object with at least the `required` properties.
pub(crate) fn output(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}
