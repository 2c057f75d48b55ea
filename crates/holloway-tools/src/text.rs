//! How is plain text taken apart, counted and joined? The tools with patterns are
//! in `pattern`.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::declaration::{Declaration, input, output};
use super::pure::{Pure, within_limit};
use super::{Tool, arguments};

mod headings;
mod lines;
pub(crate) mod pattern;
pub(crate) mod sentences;
mod split;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        headings::tool(),
        lines::tool(),
        split::tool(),
        Pure::tool(join_spec(), join),
        Pure::tool(stats_spec(), stats),
        pattern::replace_tool(),
        pattern::extract_tool(),
    ]
}

fn join_spec() -> ToolSpec {
    Declaration {
        name: "text-join",
        title: "Join texts",
        category: "text",
        description: "Joins a list into one text with a separator. Use it to build one document from the results of a loop. Texts are \
            taken as they are, other values as JSON; nulls are left out. Returns the text and how many parts it has.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["parts"],
            json!({
                "parts": {"type": "array"},
                "separator": {"type": "string", "default": "\n"}
            }),
        ),
        output: output(
            &["text", "count"],
            json!({"text": {"type": "string"}, "count": {"type": "integer"}}),
        ),
            example: json!({"parts": ["a", "b"]}),
        does: &["merge text[]:parts -> text:text", "gather text[]:parts -> text:text"],
    }
    .builtin()
}

fn join(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        parts: Vec<Value>,
        #[serde(default = "line_break")]
        separator: String,
    }
    fn line_break() -> String {
        "\n".to_owned()
    }
    let Arguments { parts, separator } = arguments::parse(arguments)?;
    let texts = parts
        .into_iter()
        .filter(|part| !part.is_null())
        .map(|part| match part {
            Value::String(text) => text,
            other => other.to_string(),
        });
    let texts: Vec<String> = texts.collect();
    let length = texts
        .iter()
        .map(|text| text.len().saturating_add(separator.len()));
    within_limit(length.fold(0, usize::saturating_add))?;
    Ok(json!({ "text": texts.join(&separator), "count": texts.len() }))
}

fn stats_spec() -> ToolSpec {
    Declaration {
        name: "text-stats",
        title: "Count a text",
        category: "text",
        description: "Counts characters (Unicode scalar values), bytes, words (stretches without white space that hold a letter or \
            digit), lines, sentences and paragraphs (separated by empty lines) of a text, and the mean sentence length in \
            words. Use it to judge length and readability. Returns the counts.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(&["text"], json!({"text": {"type": "string"}})),
        output: output(
            &["characters", "bytes", "words", "lines", "sentences", "paragraphs", "words_per_sentence"],
            json!({
                "characters": {"type": "integer"},
                "bytes": {"type": "integer"},
                "words": {"type": "integer"},
                "lines": {"type": "integer"},
                "sentences": {"type": "integer"},
                "paragraphs": {"type": "integer"},
                "words_per_sentence": {"type": "number", "description": "0 when there is no sentence"}
            }),
        ),
            example: json!({"text": "A b."}),
        does: &[
            "count text:text -> number:words with unit is words",
            "count text:text -> number:lines with unit is lines",
            "count text:text -> number:characters with unit is characters",
            "count text:text -> number:sentences with unit is sentences",
            "count text:text -> number:paragraphs with unit is paragraphs",
            "tally text:text -> number:lines",
        ],
    }
    .builtin()
}

fn stats(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
    }
    let Arguments { text } = arguments::parse(arguments)?;
    let words = words(&text).count();
    let sentences = sentences::split(&text).len();
    let mean = if sentences == 0 {
        0.0
    } else {
        words as f64 / sentences as f64
    };
    Ok(json!({
        "characters": text.chars().count(),
        "bytes": text.len(),
        "words": words,
        "lines": text.lines().count(),
        "sentences": sentences,
        "paragraphs": split::paragraphs(&text).len(),
        "words_per_sentence": mean,
    }))
}

pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .filter(|word| word.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::super::testing::builtin;
    use super::*;

    #[tokio::test]
    async fn parts_are_joined() {
        let joined = builtin(
            "text-join",
            json!({"parts": ["a", 1, null, {"b": 2}], "separator": ", "}),
        )
        .await;
        assert_eq!(
            joined.unwrap(),
            json!({"text": "a, 1, {\"b\":2}", "count": 3})
        );
    }

    #[tokio::test]
    async fn a_text_is_counted() {
        let text = "Grün ist gut. Ist es das? Ja – sehr!\n\nEnde";
        assert_eq!(
            builtin("text-stats", json!({"text": text})).await.unwrap(),
            json!({
                "characters": 42, "bytes": 45, "words": 9, "lines": 3, "sentences": 4,
                "paragraphs": 2, "words_per_sentence": 2.25,
            })
        );
        let empty = builtin("text-stats", json!({"text": ""})).await.unwrap();
        assert_eq!(
            (&empty["sentences"], &empty["words_per_sentence"]),
            (&json!(0), &json!(0.0))
        );
    }
}
