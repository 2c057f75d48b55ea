//! What do references in other spellings mean? `steps.a.output.x` and `a.result.x` are
//! `a.x` in our language, `${x}` is `{{x}}`, and a name nobody has is something a person
//! has to supply.

use std::collections::{BTreeMap, BTreeSet};

use holloway_plan::draft::Draft;
use holloway_plan::path::Path;
use holloway_plan::step::{Step, StepType};
use holloway_plan::tool::{Lookup, ToolTable};
use serde_json::{Map, Value};

use super::each;

/// What other planners call the result of a step.
const RESULT: [&str; 5] = ["output", "outputs", "result", "results", "data"];
/// What they call all steps together.
const STEPS: [&str; 2] = ["steps", "results"];

struct Names {
    /// Steps by id, with names after the id that mean the result itself.
    steps: BTreeMap<String, Vec<String>>,
    /// Everything else an expression may begin with.
    others: BTreeSet<String>,
    /// What was made an input.
    inputs: BTreeSet<String>,
}

pub(super) fn mend(draft: &mut Draft, table: &ToolTable, notes: &mut Vec<String>) {
    let mut names = names_of(&mut draft.steps, table);
    each(&mut draft.steps, &mut |step| {
        let mut changed = Vec::new();
        let values = [
            step.input.as_mut(),
            step.initial.as_deref_mut(),
            step.show.as_deref_mut(),
        ];
        for value in values.into_iter().flatten() {
            mend_value(value, &mut names, &mut changed);
        }
        if let Some(Value::String(text)) = step.over.as_deref_mut() {
            mend_list(text, &mut names, &mut changed);
        }
        if let (StepType::Reduce, Some(Value::String(text))) = (step.kind, &mut step.input) {
            mend_list(text, &mut names, &mut changed);
        }
        for (from, to) in changed {
            notes.push(format!("step `{}`: `{from}` is taken for `{to}`", step.id));
        }
    });
    declare(draft, &names.inputs);
}

fn names_of(steps: &mut [Step], table: &ToolTable) -> Names {
    let mut names = Names {
        steps: BTreeMap::new(),
        others: ["input", "index", "item"].map(str::to_owned).into(),
        inputs: BTreeSet::new(),
    };
    each(steps, &mut |step| {
        names.others.extend(
            [&step.output, &step.variable, &step.accumulate]
                .into_iter()
                .flatten()
                .cloned(),
        );
        names.steps.insert(step.id.clone(), spellings(step, table));
    });
    names
}

/// The names that mean the whole result when they follow the id.
fn spellings(step: &Step, table: &ToolTable) -> Vec<String> {
    let Some(Lookup::Found(tool)) = step.tool.as_deref().map(|name| table.find(name)) else {
        return Vec::new();
    };
    // Of a tool that does not say what it returns, anything may be a field.
    let Some(fields) = tool
        .output_schema
        .get("properties")
        .and_then(Value::as_object)
    else {
        return Vec::new();
    };
    let own = step.output.iter().map(String::as_str);
    let spellings = RESULT
        .into_iter()
        .chain(own)
        .filter(|name| !fields.contains_key(*name));
    spellings.map(str::to_owned).collect()
}

fn mend_value(value: &mut Value, names: &mut Names, changed: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => mend_text(text, names, changed),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| mend_value(item, names, changed)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| mend_value(field, names, changed)),
        _ => {}
    }
}

fn mend_text(text: &mut String, names: &mut Names, changed: &mut Vec<(String, String)>) {
    if text.contains("${") && !text.contains("{{") {
        let marked = with_our_marks(text);
        if marked != *text {
            changed.push((text.clone(), marked.clone()));
            *text = marked;
        }
    }
    if !text.contains("{{") {
        return;
    }
    let mut pieces = text.split("{{");
    let mut mended = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        mended.push_str("{{");
        let Some((inside, after)) = piece.split_once("}}") else {
            mended.push_str(piece);
            continue;
        };
        // A path, then filters perhaps.
        let trimmed = inside.trim_start();
        let end = trimmed.find([' ', '|']).unwrap_or(trimmed.len());
        let (path, rest) = trimmed.split_at(end);
        match better(path, names) {
            Some(new) => {
                changed.push((path.to_owned(), new.clone()));
                mended.extend([new.as_str(), rest]);
            }
            None => mended.push_str(inside),
        }
        mended.extend(["}}", after]);
    }
    *text = mended;
}

/// `${a.b}` around plain paths is `{{a.b}}`.
fn with_our_marks(text: &str) -> String {
    let mut pieces = text.split("${");
    let mut marked = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece
            .split_once('}')
            .filter(|(inside, _)| Path::parse(inside.trim()).is_some())
        {
            Some((inside, after)) => marked.extend(["{{", inside, "}}", after]),
            None => marked.extend(["${", piece]),
        }
    }
    marked
}

fn mend_list(text: &mut String, names: &mut Names, changed: &mut Vec<(String, String)>) {
    if text.contains("{{") || text.contains("${") {
        return mend_text(text, names, changed);
    }
    if let Some(new) = better(text.trim(), names) {
        changed.push((text.clone(), new.clone()));
        *text = new;
    }
}

/// The path in our spelling, if it has another.
fn better(path: &str, names: &mut Names) -> Option<String> {
    let parsed = Path::parse(path)?;
    let mut parts: Vec<&str> = path.split('.').collect();
    let first = *parts.first()?;
    let is_known = |name: &str| names.steps.contains_key(name) || names.others.contains(name);
    let second = parts.get(1).copied();
    if STEPS.contains(&first)
        && !is_known(first)
        && second.is_some_and(|id| names.steps.contains_key(id))
    {
        parts.remove(0);
    }
    let root = *parts.first()?;
    if let (Some(spellings), Some(next)) = (names.steps.get(root), parts.get(1))
        && spellings.iter().any(|name| name == next)
    {
        parts.remove(1);
    }
    let new = parts.join(".");
    if new != path {
        return Some(new);
    }
    let root = parsed.root.as_str();
    if names.steps.contains_key(root) || names.others.contains(root) || !is_word(root) {
        return None;
    }
    names.inputs.insert(root.to_owned());
    Some(format!("input.{path}"))
}

fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !matches!(
            name,
            "true" | "false" | "none" | "null" | "not" | "loop" | "self"
        )
}

/// A plan that lists its inputs lists these too.
fn declare(draft: &mut Draft, inputs: &BTreeSet<String>) {
    let properties = draft
        .input
        .as_mut()
        .and_then(|schema| schema.get_mut("properties")?.as_object_mut());
    if let Some(properties) = properties {
        for name in inputs {
            properties
                .entry(name.as_str())
                .or_insert_with(|| Value::Object(Map::new()));
        }
    }
}
