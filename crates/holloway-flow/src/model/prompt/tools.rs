//! How are tools shown to a model within so many tokens? The best fitting come first and
//! keep their details longest; the last lose descriptions, then everything but their names.

use holloway_engine::model::signature::{Detail, card};
use holloway_plan::tool::ToolSpec;

use super::about_tokens;

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
