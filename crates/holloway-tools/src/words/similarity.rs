//! `text-similarity`: how alike are two texts?

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::{tokens, within_limit};

pub(super) fn tool() -> Arc<dyn Tool> {
    Pure::tool(spec(), similarity)
}

fn spec() -> ToolSpec {
    let figure = || json!({"type": ["number", "null"]});
    Declaration {
        name: "text-similarity",
        title: "Compare likeness of texts",
        category: "text",
        description: "Measures how many words two texts share, from 0 (none) to 1 (all): cosine of the word counts, and Jaccard (shared words of all words). Use it to find \
            copies and near-copies; it compares words, not meaning, and no order. Returns cosine, jaccard (null when neither text has a word), shared, only_left and \
            only_right as counts of different words.",
        effect: Effect::Read,
        latency_ms: 3,
        input: input(&["left", "right"], json!({"left": {"type": "string"}, "right": {"type": "string"}})),
        output: output(
            &["cosine", "jaccard", "shared", "only_left", "only_right"],
            json!({
                "cosine": figure(),
                "jaccard": figure(),
                "shared": {"type": "integer"},
                "only_left": {"type": "integer"},
                "only_right": {"type": "integer"}
            }),
        ),
        example: json!({"left": "red pen, blue pen", "right": "a red pen"}),
        does: &["similarity text:left text:right -> number:cosine"],
    }
    .builtin()
}

fn counts(text: &str) -> BTreeMap<String, f64> {
    let mut counts = BTreeMap::new();
    for word in tokens::words(text) {
        *counts.entry(word).or_insert(0.0) += 1.0;
    }
    counts
}

fn similarity(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        left: String,
        right: String,
    }
    let Arguments { left, right } = arguments::parse(arguments)?;
    within_limit(&left)?;
    within_limit(&right)?;
    let (left, right) = (counts(&left), counts(&right));
    let both: Vec<f64> = left
        .iter()
        .filter_map(|(word, count)| Some(count * right.get(word)?))
        .collect();
    let shared = both.len();
    let all = left.len() + right.len() - shared;
    let length =
        |counts: &BTreeMap<String, f64>| counts.values().map(|count| count * count).sum::<f64>();
    let product = (length(&left) * length(&right)).sqrt();
    let cosine = if product > 0.0 {
        both.iter().sum::<f64>() / product
    } else {
        0.0
    };
    Ok(json!({
        "cosine": (all > 0).then_some(cosine),
        "jaccard": (all > 0).then(|| shared as f64 / all as f64),
        "shared": shared,
        "only_left": left.len() - shared,
        "only_right": right.len() - shared,
    }))
}
