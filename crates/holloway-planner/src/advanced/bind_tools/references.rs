//! How does a task speak of the results of others? `{{task.field}}`; in a plan, steps are named.

use serde_json::Value;

use crate::advanced::sequence::SequencedTask;
use crate::read::tasks::holds_reference;

/// The same task with references by the names of steps instead of ids of tasks.
pub(super) fn with_step_names(mut task: SequencedTask, all: &[SequencedTask]) -> SequencedTask {
    if !task.task.inputs.values().any(holds_reference) {
        return task;
    }
    let other = all.iter().filter(|other| other.task.id != other.step);
    let renamed: Vec<(&str, &str)> = other
        .map(|other| (other.task.id.as_str(), other.step.as_str()))
        .collect();
    for value in task.task.inputs.values_mut() {
        rename(value, &renamed);
    }
    task
}

/// Whether a value takes from the result of a task.
pub(super) fn takes_from(value: &Value, id: &str) -> bool {
    match value {
        Value::String(text) => renamed_text(text, &[(id, "")]) != *text,
        Value::Array(items) => items.iter().any(|item| takes_from(item, id)),
        Value::Object(fields) => fields.values().any(|field| takes_from(field, id)),
        _ => false,
    }
}

fn rename(value: &mut Value, renamed: &[(&str, &str)]) {
    match value {
        Value::String(text) if text.contains("{{") => *text = renamed_text(text, renamed),
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, renamed)),
        Value::Object(fields) => fields.values_mut().for_each(|field| rename(field, renamed)),
        _ => {}
    }
}

fn renamed_text(text: &str, renamed: &[(&str, &str)]) -> String {
    let mut parts = text.split("{{");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.push_str("{{");
        let inside = part.trim_start();
        let found = renamed.iter().find_map(|(id, step)| {
            let rest = inside.strip_prefix(id)?;
            let ends = rest.starts_with(['.', '[', '}', ' ', '|']);
            ends.then_some((step, rest))
        });
        match found {
            Some((step, rest)) => {
                whole.push_str(step);
                whole.push_str(rest);
            }
            None => whole.push_str(part),
        }
    }
    whole
}
