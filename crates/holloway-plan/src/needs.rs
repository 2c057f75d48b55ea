//! Which inputs can a plan not do without? The fields of `input` that steps
//! read whatever happens; those a condition may pass by do not count.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::draft::Draft;
use crate::path::{Path, Turn};
use crate::reference::{Form, references_of};
use crate::step::{OnError, Step, StepType};
use crate::template::{Piece, Template};

/// The needed fields of `input`, each with a step that reads it.
pub fn needed_inputs(draft: &Draft) -> BTreeMap<String, String> {
    let mut needed = BTreeMap::new();
    for step in &draft.steps {
        collect(step, &mut needed);
    }
    let defaults = defaulted(draft.input.as_ref());
    needed.retain(|name, _| !defaults.contains(name));
    needed
}

fn collect(step: &Step, needed: &mut BTreeMap<String, String>) {
    let may_be_passed_by =
        step.when.is_some() || !matches!(step.on_error, None | Some(OnError::Fail));
    if may_be_passed_by {
        return;
    }
    for held in references_of(step).into_iter().flatten() {
        let paths = match &held.form {
            Form::Expression(expression) => expression.as_path().into_iter().cloned().collect(),
            Form::Template(template) => paths_of(template),
        };
        for field in paths.iter().filter_map(input_field) {
            needed
                .entry(field.to_owned())
                .or_insert_with(|| step.id.clone());
        }
    }
    if step.kind != StepType::Conditional {
        for (_, steps) in step.inner() {
            for inner in steps {
                collect(inner, needed);
            }
        }
    }
}

/// Plain paths only: a formula may say what to do without a value.
fn paths_of(template: &Template) -> Vec<Path> {
    match template {
        Template::Whole(expression) => expression.as_path().into_iter().cloned().collect(),
        Template::Text(pieces) => pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Value(expression) => expression.as_path().cloned(),
                Piece::Text(_) => None,
            })
            .collect(),
        Template::List(parts) => parts.iter().flat_map(paths_of).collect(),
        Template::Mapping(parts) => parts.iter().flat_map(|(_, part)| paths_of(part)).collect(),
        Template::Literal(_) | Template::Blocks { .. } => Vec::new(),
    }
}

fn input_field(path: &Path) -> Option<&str> {
    match (path.root.as_str(), path.rest.first()) {
        ("input", Some(Turn::Field(name))) => Some(name),
        _ => None,
    }
}

fn defaulted(schema: Option<&Value>) -> BTreeSet<String> {
    let schema = schema.map(|schema| crate::tool::full_schema(schema.clone()));
    let properties = schema
        .as_ref()
        .and_then(|schema| schema.get("properties")?.as_object());
    let with_default = properties
        .into_iter()
        .flatten()
        .filter(|(_, property)| property.get("default").is_some());
    with_default.map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::read::read_text;

    #[test]
    fn what_is_read_in_any_case_is_needed() {
        let text = r#"
version: "1.0"
input: {properties: {depth: {type: integer, default: 2}}}
steps:
  - {id: a, tool: t, input: {u: "{{input.url}}", d: "{{input.depth}}", n: "{{ input.note | default('') }}"}}
  - {id: b, tool: t, when: "a.ok", input: {x: "{{input.maybe}}"}}
  - {id: l, type: loop, over: input.cities, as: c, step: {id: i, tool: t, input: {c: "{{c}} in {{input.country}}"}}}
  - {id: k, type: conditional, condition: "1 > 2", then: [{id: t1, tool: t, input: {x: "{{input.branch}}"}}]}
"#;
        let draft = read_text(text, &Limits::default()).unwrap().draft;
        let needed: Vec<_> = needed_inputs(&draft).into_iter().collect();
        let expected = [("cities", "l"), ("country", "i"), ("url", "a")];
        assert_eq!(
            needed,
            expected.map(|(name, step)| (name.to_owned(), step.to_owned()))
        );
    }
}
