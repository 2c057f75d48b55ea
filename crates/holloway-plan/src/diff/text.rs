//! How is a difference shown to people? One line for each step, its fields below it,
//! values shortened.

use serde_json::Value;

use super::{Difference, FieldChange, Spot, StepNote};

/// Letters of a value that are shown.
const SHOWN: usize = 72;

/// The difference as text; one line that says so when there is none.
pub fn text(difference: &Difference) -> String {
    let mut lines: Vec<String> = Vec::new();
    if !difference.plan.is_empty() {
        lines.push("~ plan".to_owned());
        lines.extend(difference.plan.iter().map(field));
    }
    lines.extend(difference.removed.iter().map(|step| note('-', step)));
    lines.extend(difference.added.iter().map(|step| note('+', step)));
    for renamed in &difference.renamed {
        lines.push(format!("~ {} is called {} now", renamed.old, renamed.new));
    }
    for moved in &difference.moved {
        let (old, new) = (spot(&moved.old), spot(&moved.new));
        lines.push(format!("~ {} moved from {old} to {new}", moved.step));
    }
    for changed in &difference.changed {
        lines.push(format!("~ {}", changed.step));
        lines.extend(changed.fields.iter().map(field));
    }
    if lines.is_empty() {
        return "no differences".to_owned();
    }
    lines.join("\n")
}

fn note(mark: char, step: &StepNote) -> String {
    let what = step.tool.as_deref().unwrap_or(step.kind);
    let place = match &step.spot.inside {
        Some(_) => format!(", {}", spot(&step.spot)),
        None => String::new(),
    };
    format!("{mark} {}: {what}{place}", step.step)
}

fn spot(spot: &Spot) -> String {
    match &spot.inside {
        Some(outer) => format!("place {} inside {outer}", spot.place),
        None => format!("place {}", spot.place),
    }
}

fn field(change: &FieldChange) -> String {
    let old = value(&change.old);
    format!("    {}: {old} → {}", change.field, value(&change.new))
}

fn value(value: &Value) -> String {
    if value.is_null() {
        return "nothing".to_owned();
    }
    let text = value.to_string().replace("\\n", " ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
