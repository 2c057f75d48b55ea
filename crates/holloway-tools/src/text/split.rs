//! `text-split`: what are the parts of this text?

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::{Pure, within_limit};
use super::super::{Tool, arguments};
use super::sentences;

pub(crate) fn tool() -> Arc<dyn Tool> {
    Pure::tool(spec(), split)
}

fn spec() -> ToolSpec {
    Declaration {
        name: "text-split",
        title: "Split a text",
        category: "text",
        description: "Splits a text into lines, paragraphs (separated by empty lines), sentences, words, pieces between a \
            separator, or chunks of `size` characters that overlap by `overlap`. Use it to loop over parts or to cut long \
            text for a model. Empty parts are left out except with a separator. Returns parts and their number.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "by": {"type": "string", "enum": ["lines", "paragraphs", "sentences", "words", "separator", "chunks"], "default": "lines"},
                "separator": {"type": "string", "minLength": 1, "description": "For `by: separator`"},
                "size": {"type": "integer", "minimum": 1, "default": 1000, "description": "For `by: chunks`: characters per chunk"},
                "overlap": {"type": "integer", "minimum": 0, "default": 0, "description": "For `by: chunks`: less than `size`"}
            }),
        ),
        output: output(
            &["parts", "count"],
            json!({
                "parts": {"type": "array", "items": {"type": "string"}},
                "count": {"type": "integer"}
            }),
        ),
            example: json!({"text": "a\nb"}),
        does: &[
            r#"split text:text -> list:parts with unit is lines by:="lines""#,
            r#"split text:text -> list:parts with unit is paragraphs by:="paragraphs""#,
            r#"split text:text -> list:parts with unit is sentences by:="sentences""#,
            r#"split text:text -> list:parts with unit is words by:="words""#,
        ],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    text: String,
    #[serde(default)]
    by: By,
    separator: Option<String>,
    #[serde(default = "default_size")]
    size: usize,
    #[serde(default)]
    overlap: usize,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum By {
    #[default]
    Lines,
    Paragraphs,
    Sentences,
    Words,
    Separator,
    Chunks,
}

fn default_size() -> usize {
    1000
}

fn split(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let text = arguments.text.as_str();
    let parts: Vec<&str> = match arguments.by {
        By::Lines => text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect(),
        By::Paragraphs => paragraphs(text),
        By::Sentences => sentences::split(text),
        By::Words => super::words(text).collect(),
        By::Separator => match arguments.separator.as_deref() {
            None | Some("") => {
                return Err(ToolFailure::invalid("`by: separator` needs a `separator`"));
            }
            Some(separator) => text.split(separator).collect(),
        },
        By::Chunks => chunks(text, arguments.size, arguments.overlap)?,
    };
    Ok(json!({ "count": parts.len(), "parts": parts }))
}

/// Stretches of lines between empty ones.
pub(crate) fn paragraphs(text: &str) -> Vec<&str> {
    let mut paragraphs = Vec::new();
    let mut start = 0;
    let mut position = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            paragraphs.extend(text.get(start..position));
            start = position + line.len();
        }
        position += line.len();
    }
    paragraphs.extend(text.get(start..));
    let trimmed = paragraphs.into_iter().map(str::trim);
    trimmed.filter(|paragraph| !paragraph.is_empty()).collect()
}

fn chunks(text: &str, size: usize, overlap: usize) -> Result<Vec<&str>, ToolFailure> {
    let step = size.checked_sub(overlap).filter(|step| *step > 0);
    let step = step.ok_or_else(|| ToolFailure::invalid("`overlap` must be less than `size`"))?;
    let mut starts: Vec<usize> = text.char_indices().map(|(index, _)| index).collect();
    let characters = starts.len();
    // Much overlap repeats the text many times.
    within_limit((characters / step).saturating_mul(size.min(characters)))?;
    starts.push(text.len());
    let mut parts = Vec::new();
    for first in (0..characters).step_by(step) {
        let last = first.saturating_add(size).min(characters);
        if let (Some(&from), Some(&to)) = (starts.get(first), starts.get(last)) {
            parts.extend(text.get(from..to));
        }
        if last == characters {
            break;
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::builtin;
    use super::*;

    async fn parts(mut arguments: Value, text: &str) -> Result<Value, ToolFailure> {
        arguments["text"] = json!(text);
        Ok(builtin("text-split", arguments).await?["parts"].take())
    }

    #[tokio::test]
    async fn every_way_of_splitting() {
        for (arguments, text, expected) in [
            (json!({}), "a\n\n b\r\nc", json!(["a", " b", "c"])),
            (
                json!({"by": "paragraphs"}),
                "a\nb\n \n\nc\n",
                json!(["a\nb", "c"]),
            ),
            (
                json!({"by": "sentences"}),
                "A b. C d.",
                json!(["A b.", "C d."]),
            ),
            (json!({"by": "words"}), " one – two ", json!(["one", "two"])),
            (
                json!({"by": "separator", "separator": ", "}),
                "a, , b",
                json!(["a", "", "b"]),
            ),
            (
                json!({"by": "chunks", "size": 3}),
                "grünes",
                json!(["grü", "nes"]),
            ),
            (
                json!({"by": "chunks", "size": 3, "overlap": 1}),
                "abcdef",
                json!(["abc", "cde", "ef"]),
            ),
            (json!({"by": "chunks", "size": 9}), "", json!([])),
        ] {
            assert_eq!(
                parts(arguments.clone(), text).await.unwrap(),
                expected,
                "{arguments}"
            );
        }
    }

    #[tokio::test]
    async fn impossible_splits_are_refused() {
        for arguments in [
            json!({"by": "separator"}),
            json!({"by": "chunks", "size": 3, "overlap": 3}),
            json!({"by": "chunks", "size": 0}),
        ] {
            assert!(parts(arguments, "text").await.is_err());
        }
    }
}
