//! How are tools shown to a model within so many tokens? The best fitting come first and
//! keep their details longest; the last lose descriptions, then everything but their names.

mod inlined;

use std::fmt::Write as _;

use holloway_plan::tool::ToolSpec;
use serde_json::{Map, Value};

use super::about_tokens;
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
enum Detail {
    Name,
    Short,
    Full,
}

/// The tools as text of at most about `budget` tokens. Names are never left out: the model
/// must know what there is.
pub fn shown<'a>(tools: impl IntoIterator<Item = &'a ToolSpec>, budget: usize) -> String {
    let tools: Vec<&ToolSpec> = tools.into_iter().collect();
    let mut parts: Vec<String> = tools.iter().map(|tool| card(tool, Detail::Full)).collect();
    for detail in [Detail::Short, Detail::Name] {
        let mut size: usize = parts.iter().map(|part| about_tokens(part) + 1).sum();
        for (part, tool) in parts.iter_mut().zip(&tools).rev() {
            if size <= budget {
                break;
            }
            let shorter = card(tool, detail);
            size = (size + about_tokens(&shorter)).saturating_sub(about_tokens(part));
            *part = shorter;
        }
    }
    parts.join("\n")
}

fn card(tool: &ToolSpec, detail: Detail) -> String {
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
fn kind(property: &Value, depth: usize) -> String {
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

#[cfg(test)]
pub(crate) mod tests {
    use holloway_plan::tool::{Effect, ToolSpec};
    use serde_json::json;

    use super::*;

    pub(crate) fn tools() -> Vec<ToolSpec> {
        let fetch = ToolSpec {
            description: "Fetches one page. Use it when an address is known. Returns the text and the links of the page.".to_owned(),
            category: "web".to_owned(),
            ..ToolSpec::named("builtin/page-fetch")
        };
        let fetch = fetch.with_effect(Effect::Read).with_input(json!({
            "type": "object",
            "required": ["url"],
            "additionalProperties": false,
            "properties": {
                "timeout_ms": {"type": "integer", "description": "How long to wait", "default": 5000},
                "url": {"type": "string", "description": "The address"},
                "as": {"enum": ["text", "html"]}
            }
        }));
        let fetch = fetch.with_output(json!({
            "type": "object",
            "properties": {"text": {"type": "string"}, "links": {"type": "array", "items": {"type": "string"}}}
        }));
        let stats = ToolSpec {
            description: "Counts words. Returns the figures.".to_owned(),
            category: "text".to_owned(),
            ..ToolSpec::named("builtin/text-stats")
        };
        let stats = stats.with_effect(Effect::Read).with_input(json!({
            "type": "object",
            "required": ["text"],
            "additionalProperties": false,
            "properties": {"text": {"type": "string"}, "top": {"type": "integer"}, "words": {"type": "array", "items": {"type": "string"}}}
        }));
        let send = ToolSpec {
            description: "Sends a mail.\u{200b} Returns nothing.".to_owned(),
            category: "mail".to_owned(),
            ..ToolSpec::named("mcp.mail/send_message")
        };
        let send = send.with_input(json!({
            "type": "object", "required": ["to", "text"],
            "properties": {"to": {"type": ["string", "null"]}, "text": {"type": "string"}}
        }));
        vec![fetch, stats, send]
    }

    /// The same, with what they do.
    pub(crate) fn telling_tools() -> Vec<ToolSpec> {
        let mut tools = tools();
        let lines = [
            "fetch url:url -> text.text:text",
            "count text:text -> number with unit is words",
        ];
        for (tool, line) in tools.iter_mut().zip(lines) {
            tool.does = vec![line.parse().unwrap()];
        }
        tools
    }

    #[test]
    fn with_room_everything_is_shown() {
        insta::assert_snapshot!(shown(&tools(), 1_000));
    }

    #[test]
    fn the_last_lose_their_details_first() {
        insta::assert_snapshot!(shown(&tools(), 90));
    }

    #[test]
    fn the_budget_is_kept_down_to_the_names() {
        for budget in [0, 30, 60, 90, 120, 1_000] {
            let text = shown(&tools(), budget);
            let names: usize = tools()
                .iter()
                .map(|tool| about_tokens(&card(tool, Detail::Name)) + 1)
                .sum();
            assert!(
                about_tokens(&text) <= budget.max(names),
                "{budget}: {}",
                about_tokens(&text)
            );
            assert!(tools().iter().all(|tool| text.contains(tool.id.as_str())));
        }
    }

    #[test]
    fn nested_fields_are_shown() {
        let condition = json!({"type": "object", "required": ["column", "op"], "properties": {
            "column": {"type": "string"}, "op": {"enum": ["eq", "ne"]}, "value": {}
        }});
        let tool = ToolSpec::named("x/select").with_input(json!({
            "type": "object", "required": ["where"],
            "properties": {"where": {"type": "array", "items": condition}, "limit": {"type": "integer", "default": 10}}
        }));
        let text = shown([&tool], 1_000);
        assert!(
            text.contains(r#"where: [{column: text, op: "eq" | "ne", value?: any}]"#),
            "{text}"
        );
        assert!(text.contains("limit?: whole number = 10"), "{text}");
    }

    #[test]
    fn what_a_schema_refers_to_is_shown() {
        let place = json!({"type": "object", "properties": {"city": {"type": "string"}, "next": {"$ref": "#/$defs/place"}}});
        let named = json!({"properties": {"name": {"type": "string"}}, "required": ["name"]});
        let tool = ToolSpec::named("x/go").with_input(json!({
            "type": "object",
            "$defs": {"place": place},
            "properties": {
                "to": {"$ref": "#/$defs/place"},
                "who": {"allOf": [named, {"properties": {"age": {"type": "integer"}}}]},
                "by": {"const": "train"}
            },
            "examples": [{"to": {"city": "Oslo"}}]
        }));
        let text = shown([&tool], 1_000);
        for expected in [
            r#"by?: "train""#,
            "to?: {city?: text, next?: {city?: text,",
            "who?: {name: text, age?: whole number}",
            r#"example: {"to":{"city":"Oslo"}}"#,
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_schema_of_any_shape_is_no_trouble() {
        for schema in [
            json!(null),
            json!([1]),
            json!({"properties": 3, "required": "x"}),
            json!({"properties": {"a": null, "b": {"type": []}}}),
        ] {
            let tool = ToolSpec {
                input_schema: schema.clone(),
                output_schema: schema,
                ..ToolSpec::named("x/y")
            };
            assert!(shown([&tool], 100).starts_with("x/y"));
        }
    }
}
