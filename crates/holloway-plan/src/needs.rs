//! Which inputs can a plan not do without, and which does it take at all? Needed are the fields
//! of `input` that steps read whatever happens; those a condition may pass by do not count.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::draft::Draft;
use crate::path::{Path, Segment};
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

/// The fields of `input` that a plan declares or that any step reads; nothing where it takes
/// whatever it is given.
pub fn taken_inputs(draft: &Draft) -> Option<BTreeSet<String>> {
    let mut taken = Some(declared(draft.input.as_ref())?);
    draft.walk(&mut |step| {
        for held in references_of(step).into_iter().flatten() {
            if !held.names().contains(&"input") {
                continue;
            }
            let texts = match &held.form {
                Form::Expression(expression) => vec![expression.text().to_owned()],
                Form::Template(template) => texts_of(template),
            };
            for text in texts {
                taken = taken.take().and_then(|mut taken| {
                    taken.extend(fields_read(&text)?);
                    Some(taken)
                });
            }
        }
    });
    taken
}

/// What the schema names; nothing where it leaves open what else there may be.
fn declared(schema: Option<&Value>) -> Option<BTreeSet<String>> {
    const OPEN: [&str; 6] = [
        "$ref",
        "oneOf",
        "anyOf",
        "allOf",
        "patternProperties",
        "additionalProperties",
    ];
    let Some(schema) = schema.map(|schema| crate::tool::full_schema(schema.clone())) else {
        return Some(BTreeSet::new());
    };
    let is_open = |word: &&str| {
        schema
            .get(word)
            .is_some_and(|rule| *rule != Value::Bool(false))
    };
    if OPEN.iter().any(is_open) {
        return None;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    Some(
        properties
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect(),
    )
}

/// The expressions of a template, as they are written.
fn texts_of(template: &Template) -> Vec<String> {
    match template {
        Template::Literal(_) => Vec::new(),
        Template::Whole(expression) => vec![expression.text().to_owned()],
        Template::Text(pieces) => pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Value(expression) => Some(expression.text().to_owned()),
                Piece::Text(_) => None,
            })
            .collect(),
        Template::Blocks { text, .. } => vec![text.to_string()],
        Template::List(parts) => parts.iter().flat_map(texts_of).collect(),
        Template::Mapping(parts) => parts.iter().flat_map(|(_, part)| texts_of(part)).collect(),
    }
}

/// The fields of `input` that an expression reads; nothing if it reads `input` as a whole.
fn fields_read(text: &str) -> Option<Vec<String>> {
    const NAME: &str = "input";
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let mut fields = Vec::new();
    for (place, _) in text.match_indices(NAME) {
        let before = text.get(..place).unwrap_or_default();
        let after = text.get(place + NAME.len()..).unwrap_or_default();
        let is_part =
            before.ends_with(|c: char| is_inside(c) || c == '.') || after.starts_with(is_inside);
        if is_part {
            continue;
        }
        let (start, quote) = [(".", None), ("['", Some('\'')), ("[\"", Some('"'))]
            .into_iter()
            .find_map(|(open, quote)| Some((after.strip_prefix(open)?, quote)))?;
        let end = start.find(|c: char| match quote {
            Some(quote) => c == quote,
            None => !(is_inside(c) || c == '-'),
        });
        let field = start.get(..end.unwrap_or(start.len()))?;
        fields.push(field.to_owned());
        // A formula may subtract where a plain path has a dash in a name.
        fields.extend(field.split_once('-').map(|(first, _)| first.to_owned()));
    }
    Some(fields)
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
        ("input", Some(Segment::Field(name))) => Some(name),
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

    #[track_caller]
    fn check_taken(text: &str, expected: Option<&[&str]>) {
        let text = format!("version: \"1.0\"\n{text}");
        let draft = read_text(&text, &Limits::default()).unwrap().draft;
        let taken = taken_inputs(&draft);
        let expected = expected.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(taken, expected, "{text}");
    }

    #[test]
    fn what_is_declared_or_read_anywhere_is_taken() {
        check_taken(
            r#"
input: {properties: {depth: {type: integer, default: 2}}}
steps:
  - {id: a, tool: t, input: {u: "{{input.url}}", n: "{{ input.note | default('') }}"}}
  - {id: b, tool: t, when: "input['maybe'] and a.input", input: {x: "{% if input.odd %}1{% endif %}"}}
"#,
            Some(&["depth", "maybe", "note", "odd", "url"]),
        );
        check_taken("steps:\n  - {id: a, tool: t, input: {u: 1}}\n", Some(&[]));
        check_taken(
            "steps:\n  - {id: a, tool: t, input: {u: \"{{input}}\"}}\n",
            None,
        );
        check_taken(
            "input: {type: object, additionalProperties: true}\nsteps:\n  - {id: a, tool: t}\n",
            None,
        );
    }
}
