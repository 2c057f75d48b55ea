//! Writes a tool's own defaults into the step that calls it, so that the plan
//! says all it does and goes on meaning the same when the tool's defaults change.

use serde_json::{Map, Value};

use super::lists::each_step;
use super::{Change, Rewritten};
use crate::plan::Plan;
use crate::step::{Function, Step};
use crate::template::Template;

pub(super) const NAME: &str = "bind-defaults";

pub(super) fn apply(plan: &Plan) -> Option<Rewritten> {
    let mut draft = plan.draft().clone();
    let mut changes = Vec::new();
    each_step(&mut draft.steps, &mut |step| {
        changes.extend(bind(plan, step));
    });
    (!changes.is_empty()).then(|| (plan.with_draft(draft), changes))
}

fn bind(plan: &Plan, step: &mut Step) -> Option<Change> {
    // A fallback is given the same input and may have other defaults; a prompt is filled in later.
    if !step.fallbacks.is_empty() || matches!(step.function, Some(Function::Prompt { .. })) {
        return None;
    }
    let tool = plan.tool(step.called_tool()?)?;
    let defaults = defaults_of(&tool.input_schema);
    let mut fields = match &step.input {
        None => Map::new(),
        Some(Value::Object(fields)) => fields.clone(),
        Some(_) => return None,
    };
    let mut bound = Vec::new();
    for (name, value) in defaults {
        if !fields.contains_key(name) {
            bound.push(format!("{name} = {value}"));
            fields.insert(name.clone(), value.clone());
        }
    }
    if bound.is_empty() {
        return None;
    }
    step.input = Some(Value::Object(fields));
    let sentence = format!(
        "`{}` says what `{}` would assume: {}",
        step.id,
        tool.id,
        bound.join(", ")
    );
    Some(Change {
        rule: NAME,
        steps: vec![step.id.clone()],
        sentence,
    })
}

/// The defaults that mean in a step's input what they mean in the schema.
fn defaults_of(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let defaults = properties.filter_map(|(name, property)| Some((name, property.get("default")?)));
    let is_literal = |value: &Value| matches!(Template::parse(value), Ok(Template::Literal(_)));
    defaults.filter(move |(_, value)| !value.is_null() && is_literal(value))
}
