//! How does a task speak of the results of others? `{{task.field}}`; in a plan, steps are named.

use serde_json::{Value, json};

use super::BoundTask;
use crate::advanced::obstacle::shape;
use crate::advanced::sequence::SequencedTask;
use crate::catalogue::shape::{Kind, Shape};
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

/// The expression for a result of an earlier task. Where one of a list is needed, the first
/// stands for it: a loop has to be asked for.
pub(super) fn reference(giver: &BoundTask, path: &str, taker: Option<Shape<'_>>) -> Option<Value> {
    let step = &giver.sequenced.step;
    let takes_list = taker.is_some_and(|taker| taker.kind() == Kind::List);
    let plain = |name: &str| {
        let name = name.trim_end_matches("[]");
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(fits)
    };
    if !path.split('.').all(plain) {
        return None;
    }
    let path = match path {
        "" => String::new(),
        path if path.starts_with('[') => path.to_owned(),
        path => format!(".{path}"),
    };
    let braced = |text: String| json!(format!("{{{{{text}}}}}"));
    let Some((list, rest)) = path.split_once("[]") else {
        let own = shape(&giver.tool.output_schema);
        let mut names = path.split('.').filter(|name| !name.is_empty());
        let own = names.try_fold(own, Shape::field);
        let is_list = own.is_none_or(|own| matches!(own.kind(), Kind::List | Kind::Any));
        let value = braced(format!("{step}{path}"));
        return Some(if takes_list && !is_list {
            json!([value])
        } else {
            value
        });
    };
    Some(match rest.trim_start_matches('.') {
        _ if !takes_list => braced(format!("{step}{list}[0]{rest}")),
        "" => braced(format!("{step}{list}")),
        field => braced(format!("{step}{list} | map(attribute=\"{field}\") | list")),
    })
}
