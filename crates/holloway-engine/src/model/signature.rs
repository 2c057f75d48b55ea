//! How is a tool shown to a model? Its name, what it is for, its parameters and results in compact
//! types, with more or less detail.

mod inlined;

use std::fmt::Write as _;

use holloway_plan::tool::ToolSpec;
use serde_json::{Map, Value};

use super::fence::{line, visible};
use inlined::inlined;

const MOST_PARAMETERS: usize = 30;
const MOST_RESULTS: usize = 20;
const MOST_CHOICES: usize = 16;
const MOST_FIELDS: usize = 12;
/// Characters of an example; a longer one is left out.
const LONGEST_EXAMPLE: usize = 200;
/// Levels of objects that are shown.
const DEEPEST: usize = 3;

/// How much of a tool is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    Name,
    Short,
    Full,
}

/// A tool as text.
pub fn card(tool: &ToolSpec, detail: Detail) -> String {
    let mut text = format!("{} ({})", line(tool.id.as_str(), 150), tool.effect);
    if detail == Detail::Name {
        return text;
    }
    let most = if detail == Detail::Full { 400 } else { 120 };
    let _ = write!(text, ": {}", line(&tool.description, most));
    let input = inlined(&tool.input_schema);
    for parameter in parameters(&input, detail) {
        let _ = write!(text, "\n  {parameter}");
    }
    let results = results(&inlined(&tool.output_schema));
    if !results.is_empty() {
        let _ = write!(text, "\n  gives: {results}");
    }
    if let Some(example) = example(&input).filter(|_| detail == Detail::Full) {
        let _ = write!(text, "\n  example: {example}");
    }
    text
}

/// The first call that a schema shows, where it is short.
fn example(schema: &Value) -> Option<String> {
    let example = schema.get("examples")?.get(0)?.to_string();
    (example.chars().count() <= LONGEST_EXAMPLE).then(|| visible(&example))
}

fn parameters(schema: &Value, detail: Detail) -> Vec<String> {
    let properties = properties(schema);
    let required = required(schema);
    let is_required = |name: &str| required.contains(&name);
    let mut names: Vec<&String> = properties
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    names.sort_by_key(|name| !is_required(name));
    let shown = names.iter().take(MOST_PARAMETERS).filter_map(|name| {
        let property = properties?.get(*name)?;
        let open = if is_required(name) { "" } else { "?" };
        let mut text = format!("{}{open}: {}", line(name, 60), kind(property, 0));
        if let Some(default) = property.get("default").filter(|default| !default.is_null()) {
            let _ = write!(text, " = {}", line(&default.to_string(), 40));
        }
        let description = property.get("description").and_then(Value::as_str);
        if let Some(description) = description.filter(|_| detail == Detail::Full) {
            let _ = write!(text, " — {}", line(description, 160));
        }
        Some(text)
    });
    shown.collect()
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// A compact type: `text`, `"GET" | "POST"`, `[text]`, `{column: text, op?: "eq" | "ne"}`.
pub fn kind(property: &Value, depth: usize) -> String {
    if let Some(only) = property.get("const") {
        return line(&only.to_string(), 40);
    }
    if let Some(choices) = property.get("enum").and_then(Value::as_array) {
        let choices = choices.iter().take(MOST_CHOICES);
        let choices: Vec<String> = choices
            .map(|choice| line(&choice.to_string(), 40))
            .collect();
        return choices.join(" | ");
    }
    let ways = ["anyOf", "oneOf"]
        .iter()
        .find_map(|name| property.get(name)?.as_array());
    if let Some(ways) = ways {
        let mut ways: Vec<String> = ways.iter().map(|way| kind(way, depth)).collect();
        ways.retain(|way| way != "null");
        ways.dedup();
        ways.truncate(MOST_CHOICES);
        return ways.join(" | ");
    }
    let named = match property.get("type") {
        Some(Value::String(name)) => name.as_str(),
        Some(Value::Array(names)) => {
            let mut names = names.iter().filter_map(Value::as_str);
            names.find(|name| *name != "null").unwrap_or("any")
        }
        _ if property.get("properties").is_some() => "object",
        _ => "any",
    };
    match named {
        "array" => {
            let items = property.get("items");
            let item = items.map_or_else(|| "any".to_owned(), |items| kind(items, depth));
            format!("[{item}]")
        }
        "object" => fields(property, depth),
        "string" => "text".to_owned(),
        "integer" => "whole number".to_owned(),
        other => line(other, 40),
    }
}

/// The fields of an object; what lies deeper than a few levels is only named.
fn fields(schema: &Value, depth: usize) -> String {
    let Some(properties) = properties(schema).filter(|_| depth < DEEPEST) else {
        return "object".to_owned();
    };
    let required = required(schema);
    let shown = properties.iter().take(MOST_FIELDS).map(|(name, inner)| {
        let open = if required.contains(&name.as_str()) {
            ""
        } else {
            "?"
        };
        format!("{}{open}: {}", line(name, 60), kind(inner, depth + 1))
    });
    let shown: Vec<String> = shown.collect();
    format!("{{{}}}", shown.join(", "))
}

/// The fields of a result, so that later steps can read them.
fn results(schema: &Value) -> String {
    let Some(properties) = properties(schema) else {
        return String::new();
    };
    let names = properties.iter().take(MOST_RESULTS);
    let names = names.map(|(name, property)| format!("{}: {}", line(name, 60), kind(property, 1)));
    names.collect::<Vec<_>>().join(", ")
}
