//! `headings-extract`: how is this text divided? The headings of Markdown or of a page.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_report::html::markdown_to_html;
use scraper::{Html, Selector};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};

pub(crate) fn tool() -> Arc<dyn Tool> {
    Pure::pooled(spec(), headings)
}

fn spec() -> ToolSpec {
    Declaration {
        name: "headings-extract",
        title: "Headings of a text",
        category: "text",
        description: "Lists the headings of a Markdown text or of the HTML of a page, in order. Use it for an outline or the contents of a document. \
            Returns headings with level (1 to 6) and text, and their count.",
        effect: Effect::Read,
        latency_ms: 3,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string", "description": "Markdown or HTML"},
                "format": {"type": "string", "enum": ["auto", "markdown", "html"], "default": "auto"}
            }),
        ),
        output: output(
            &["headings", "count"],
            json!({
                "headings": {"type": "array", "items": {
                    "type": "object",
                    "required": ["level", "text"],
                    "properties": {"level": {"type": "integer"}, "text": {"type": "string"}}
                }},
                "count": {"type": "integer"}
            }),
        ),
        example: json!({"text": "# Notes\n\n## Next steps\n"}),
        does: &["headings html:text -> table:headings", "headings text:text -> table:headings"],
    }
    .builtin()
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Auto,
    Markdown,
    Html,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    text: String,
    #[serde(default)]
    format: Format,
}

fn headings(given: &Value) -> Result<Value, ToolFailure> {
    let given: Arguments = arguments::parse(given)?;
    let start = given.text.trim_start().to_lowercase();
    let looks_like_page = start.starts_with("<!doctype") || start.starts_with("<html");
    let is_page = match given.format {
        Format::Auto => looks_like_page,
        format => format == Format::Html,
    };
    let html = if is_page {
        given.text
    } else {
        markdown_to_html(&given.text)
    };
    let page = Html::parse_document(&html);
    let Ok(selector) = Selector::parse("h1, h2, h3, h4, h5, h6") else {
        return Ok(json!({ "headings": [], "count": 0 }));
    };
    let found: Vec<Value> = page
        .select(&selector)
        .map(|heading| {
            let level = heading.value().name().trim_start_matches('h').parse::<u8>();
            let text: String = heading.text().collect();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            json!({ "level": level.unwrap_or(1), "text": text })
        })
        .collect();
    Ok(json!({ "count": found.len(), "headings": found }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_both_forms_are_found() {
        let check = |text: &str, expected: Value| {
            let found = headings(&json!({ "text": text })).unwrap();
            assert_eq!(found["headings"], expected, "{text}");
        };
        check(
            "# A *b*\n\ntext\n\n```\n# no heading\n```\n\n## C\n",
            json!([{"level": 1, "text": "A b"}, {"level": 2, "text": "C"}]),
        );
        check(
            "<!DOCTYPE html><h2>One\n two</h2><p>x</p><h1></h1>",
            json!([{"level": 2, "text": "One two"}, {"level": 1, "text": ""}]),
        );
        check("nothing", json!([]));
    }
}
