//! Which names does a step read, and in which of its fields? The one list of
//! fields that may hold references; validation, data flow and compiling all use it.

use serde_json::Value;

use crate::expression::{Expression, ExpressionError};
use crate::step::{Expectation, Function, Step, StepType};
use crate::template::{Template, holds_references};

/// A field that holds references.
#[derive(Clone, Debug)]
pub struct Reference {
    pub field: String,
    pub form: Form,
    /// Names that no scope knows may be fields of the step's own result.
    pub optional: bool,
}

/// How the field is written.
#[derive(Clone, Debug)]
pub enum Form {
    Expression(Expression),
    Template(Template),
}

impl Reference {
    pub fn names(&self) -> Vec<&str> {
        match &self.form {
            Form::Expression(expression) => expression.names(),
            Form::Template(template) => template.names(),
        }
    }
}

/// All references of a step itself, not of the steps inside it; unreadable ones with their field.
pub fn references_of(step: &Step) -> Vec<Result<Reference, (String, ExpressionError)>> {
    let mut found = Vec::new();
    let conditions = [
        ("when", &step.when),
        ("condition", &step.condition),
        ("until", &step.until),
    ];
    for (field, condition) in conditions {
        if let Some(text) = condition {
            found.push(condition_reference(field, text));
        }
    }
    for (field, template) in templates_of(step) {
        found.push(
            template
                .map(|form| reference(field, Form::Template(form)))
                .map_err(|e| (field.to_owned(), e)),
        );
    }
    for (index, edge) in step.next.iter().enumerate() {
        if let Some(text) = &edge.when {
            found.push(condition_reference(&format!("next[{index}].when"), text));
        }
    }
    for (index, expectation) in step.expect.iter().enumerate() {
        if let Expectation::That(text) = expectation {
            let held = condition_reference(&format!("expect[{index}].that"), text);
            found.push(held.map(|held| Reference {
                optional: true,
                ..held
            }));
        }
    }
    found
}

fn templates_of(step: &Step) -> Vec<(&'static str, Result<Template, ExpressionError>)> {
    let mut found = Vec::new();
    let values = [
        ("input", step.input.as_ref()),
        ("over", step.over.as_deref()),
        ("initial", step.initial.as_deref()),
        ("show", step.show.as_deref()),
    ];
    for (field, value) in values {
        let Some(value) = value else { continue };
        let list = field == "over" || (field == "input" && step.kind == StepType::Reduce);
        if list && value.is_string() {
            found.push((field, list_template(value)));
        } else if holds_references(value) {
            // Literal data may be large; only what refers to something is read.
            found.push((field, Template::parse(value)));
        }
    }
    let text = |text: &String| Template::parse(&Value::String(text.clone()));
    found.extend(step.ask.as_ref().map(|ask| ("ask", text(ask))));
    found.extend(step.goal.as_ref().map(|goal| ("goal", text(goal))));
    if let Some(Function::Prompt { prompt }) = &step.function {
        found.push(("function.prompt", text(prompt)));
    }
    if let Some(key) = step.cache.as_ref().and_then(|cache| cache.key.as_ref()) {
        found.push(("cache.key", text(key)));
    }
    found
}

fn condition_reference(field: &str, text: &str) -> Result<Reference, (String, ExpressionError)> {
    Expression::parse_condition(text)
        .map(|form| reference(field, Form::Expression(form)))
        .map_err(|error| (field.to_owned(), error))
}

fn reference(field: &str, form: Form) -> Reference {
    Reference {
        field: field.to_owned(),
        form,
        optional: false,
    }
}

/// Reads the list of a loop or reduce step: a bare path, a reference, or the list itself.
pub fn list_template(value: &Value) -> Result<Template, ExpressionError> {
    match value {
        Value::String(text) if !text.contains("{{") && !text.contains("{%") => {
            Expression::parse_condition(text).map(Template::Whole)
        }
        other => Template::parse(other),
    }
}
