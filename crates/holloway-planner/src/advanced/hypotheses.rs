//! What should come of each task? The form of its result and what must be true of it, as
//! expectations that the engine checks; an unmet one sets off repair at once.

use holloway_plan::step::Expectation;
use holloway_plan::tool::Effect;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::bind_tools::BoundTask;
use super::criteria;
use super::obstacle::shape;
use crate::estimate::nature::{Purpose, purpose};

/// What is expected of one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedOutcome {
    /// The step of the task.
    pub step: String,
    /// JSON Schema of the result: what the task asks for, or what its tool declares.
    pub schema: Option<Value>,
    pub criteria: Vec<Criterion>,
    /// Criteria in words that no machine can check; for people.
    pub unchecked: Vec<String>,
}

/// One thing that must be true.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Criterion {
    /// For people: "a file exists at out/report.pdf".
    pub text: String,
    pub expectation: Expectation,
}

impl ExpectedOutcome {
    /// How many hypotheses can be checked.
    pub fn count(&self) -> usize {
        usize::from(self.schema.is_some()) + self.criteria.len()
    }

    /// As a step of a plan takes them.
    pub fn expectations(&self) -> Vec<Expectation> {
        let schema = self.schema.clone().map(Expectation::Schema);
        let criteria = self.criteria.iter();
        schema
            .into_iter()
            .chain(criteria.map(|criterion| criterion.expectation.clone()))
            .collect()
    }
}

/// Says for each task what should come of it.
pub fn generate_hypotheses(bound_tasks: &[BoundTask]) -> Vec<ExpectedOutcome> {
    bound_tasks.iter().map(outcome).collect()
}

fn outcome(task: &BoundTask) -> ExpectedOutcome {
    let output = &task.tool.output_schema;
    let asked = task.sequenced.task.output.clone();
    // What a loop gives is a list of such results.
    let declared = output.is_object() && !task.is_loop();
    let schema = asked.or_else(|| declared.then(|| outline(output)));
    let mut criteria: Vec<Criterion> = Vec::new();
    let mut unchecked = Vec::new();
    for said in &task.sequenced.task.success_criteria {
        match criteria::read(said, task) {
            Some(criterion) => criteria.push(criterion),
            None => unchecked.push(said.clone()),
        }
    }
    let said = criteria.len();
    for criterion in file_is_there(task).into_iter().chain(answer_is_good(task)) {
        // What was said about a field is taken instead of what is usual for it.
        let spoken_of = criteria
            .iter()
            .take(said)
            .any(|own| is_about(own, &criterion));
        if !spoken_of {
            criteria.push(criterion);
        }
    }
    ExpectedOutcome {
        step: task.sequenced.step.clone(),
        schema,
        criteria,
        unchecked,
    }
}

/// What must be there of a declared result. A tool that stands in may give more than that.
fn outline(output: &Value) -> Value {
    let mut fields = Map::new();
    let own = shape(output);
    let needed: Vec<&str> = own.required().collect();
    for name in &needed {
        let kind = own.field(name).and_then(|field| field.word("type"));
        if let Some(kind) = kind {
            fields.insert((*name).to_owned(), json!({ "type": kind }));
        }
    }
    let mut outline = Map::new();
    let kind = own.word("type").cloned();
    outline.extend(kind.map(|kind| ("type".to_owned(), kind)));
    if !needed.is_empty() {
        outline.insert("required".to_owned(), json!(needed));
        outline.insert("properties".to_owned(), Value::Object(fields));
    }
    Value::Object(outline)
}

/// Whether two criteria speak of the same field.
fn is_about(one: &Criterion, other: &Criterion) -> bool {
    let field = |criterion: &Criterion| match &criterion.expectation {
        Expectation::That(text) | Expectation::Exists(text) | Expectation::Unchanged(text) => {
            let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
            text.get(..end.unwrap_or(text.len())).map(str::to_owned)
        }
        Expectation::Schema(_) => None,
    };
    field(one).is_some() && field(one) == field(other)
}

/// Whether the declared result has a field of this name.
pub(super) fn gives(task: &BoundTask, field: &str) -> bool {
    !task.is_loop() && shape(&task.tool.output_schema).field(field).is_some()
}

/// The argument that names the file a task makes, with its value.
pub(super) fn target(task: &BoundTask) -> Option<(&String, &Value)> {
    if !matches!(task.tool.effect, Effect::Write | Effect::Idempotent) {
        return None;
    }
    let mut paths = shape(&task.tool.input_schema)
        .fields()
        .filter(|(name, field)| purpose(name, field.schema()) == Purpose::Path);
    paths.find_map(|(name, _)| task.arguments()?.get_key_value(name))
}

/// A tool that writes a file says where it is; it must be where it was asked to be.
fn file_is_there(task: &BoundTask) -> Vec<Criterion> {
    let Some((name, value)) = target(task).filter(|(name, _)| gives(task, name)) else {
        return Vec::new();
    };
    let place = match value.as_str() {
        Some(text) if !text.contains("{{") => text.to_owned(),
        _ => format!("the given `{name}`"),
    };
    let mut criteria = vec![Criterion {
        text: format!("a file exists at {place}"),
        expectation: Expectation::Exists(name.clone()),
    }];
    if gives(task, "bytes") {
        criteria.push(Criterion {
            text: "it is not empty".to_owned(),
            expectation: Expectation::That("bytes > 0".to_owned()),
        });
    }
    criteria
}

/// A tool that asks a server says what the server said.
fn answer_is_good(task: &BoundTask) -> Option<Criterion> {
    let asks = shape(&task.tool.input_schema)
        .fields()
        .any(|(name, field)| purpose(name, field.schema()) == Purpose::Address);
    let output = shape(&task.tool.output_schema);
    let status = output.field("status").filter(|_| !task.is_loop());
    let whole = status.is_some_and(|status| status.word("type") == Some(&Value::from("integer")));
    if !asks || !whole {
        return None;
    }
    // A created or accepted thing is a good answer to what was sent.
    let (text, condition) = if task.tool.effect == Effect::Read {
        ("the status is 200", "status == 200")
    } else {
        ("the status is 2xx", "status >= 200 and status < 300")
    };
    Some(Criterion {
        text: text.to_owned(),
        expectation: Expectation::That(condition.to_owned()),
    })
}

#[cfg(test)]
mod tests;
