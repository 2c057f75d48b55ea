//! `text-language`: in which language is this written?

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::within_limit;

pub(super) fn tool() -> Arc<dyn Tool> {
    Pure::tool(spec(), language)
}

fn spec() -> ToolSpec {
    Declaration {
        name: "text-language",
        title: "Detect the language",
        category: "text",
        description: "Tells the language of a text from its letters and letter triples (70 languages). Use it before summarising, translating or \
            counting words. A few words are not enough to be sure: `reliable` is then false. Returns language (ISO 639-3, null when unknown), name, script, \
            confidence from 0 to 1, and reliable.",
        effect: Effect::Read,
        latency_ms: 2,
        input: input(&["text"], json!({"text": {"type": "string"}})),
        output: output(
            &["language", "name", "script", "confidence", "reliable"],
            json!({
                "language": {"type": ["string", "null"]},
                "name": {"type": ["string", "null"]},
                "script": {"type": ["string", "null"]},
                "confidence": {"type": "number"},
                "reliable": {"type": "boolean"}
            }),
        ),
        example: json!({"text": "Das Wetter ist heute schön, und wir gehen in den Wald."}),
        does: &[
            "language text:text -> language",
        ],
    }
    .builtin()
}

/// The start of a text tells its language as well as all of it.
const ENOUGH: usize = 100_000;

fn start(text: &str) -> &str {
    let end = (0..=ENOUGH.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

fn language(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
    }
    let Arguments { text } = arguments::parse(arguments)?;
    within_limit(&text)?;
    let found = whatlang::detect(start(&text));
    let info = found.as_ref();
    Ok(json!({
        "language": info.map(|info| info.lang().code()),
        "name": info.map(|info| info.lang().eng_name()),
        "script": info.map(|info| info.script().to_string()),
        "confidence": info.map_or(0.0, whatlang::Info::confidence),
        "reliable": info.is_some_and(whatlang::Info::is_reliable),
    }))
}
