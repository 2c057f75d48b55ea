//! Has every step a name of its own? Missing ones are made from the tool, repeated ones numbered.

use std::collections::BTreeSet;

use holloway_plan::step::Step;

use super::each;

pub(super) fn unique(steps: &mut [Step], notes: &mut Vec<String>) {
    // Names that are written somewhere are taken, wherever the number would come first.
    let mut written = BTreeSet::new();
    each(steps, &mut |step| {
        written.insert(step.id.clone());
    });
    let mut seen = BTreeSet::new();
    each(steps, &mut |step| {
        let (name, why) = if step.id.is_empty() {
            (name_for(step), "a step without an id is called")
        } else if seen.contains(&step.id) {
            (step.id.clone(), "a second step of the same id is called")
        } else {
            seen.insert(step.id.clone());
            return;
        };
        let id = free(&name, &written);
        notes.push(format!("{why} `{id}`"));
        written.insert(id.clone());
        seen.insert(id.clone());
        step.id = id;
    });
}

fn name_for(step: &Step) -> String {
    let tool = step.tool.as_deref().unwrap_or_default();
    let name = tool.rsplit(['/', '.']).next().unwrap_or_default();
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(60)
        .collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        "step".to_owned()
    }
}

fn free(name: &str, taken: &BTreeSet<String>) -> String {
    if !taken.contains(name) {
        return name.to_owned();
    }
    let numbered = (2..=taken.len() + 2).map(|number| format!("{name}_{number}"));
    numbered
        .into_iter()
        .find(|name| !taken.contains(name))
        .unwrap_or_default()
}
