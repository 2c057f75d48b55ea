//! `text-summarise`: which sentences say most? Those that share the most words with the
//! others, which in turn share words with others (TextRank). Nothing is reworded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::{sentences, stopwords, tokens, within_limit};

pub(super) fn tool() -> Arc<dyn Tool> {
    Pure::pooled(spec(), summarise)
}

/// The work grows with the square of this.
const MOST_SENTENCES: usize = 1_500;
const ROUNDS: usize = 50;
/// As in PageRank: the share of rank that comes from others.
const DAMPING: f64 = 0.85;

fn spec() -> ToolSpec {
    Declaration {
        name: "text-summarise",
        title: "Summarise a text",
        category: "text",
        description: "Picks the sentences that say most about a text, word for word and in their order (TextRank). Use it to shorten long pages before a model or a \
            person reads them; it does not rephrase and does not understand. At most 1500 sentences are weighed; the rest is left out and counted \
            in `unread`. Returns summary, sentences with position (from 1) and score, count of all sentences, and unread.",
        effect: Effect::Read,
        latency_ms: 20,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "sentences": {"type": "integer", "minimum": 1, "maximum": 100, "default": 3, "description": "How many to pick"}
            }),
        ),
        output: output(
            &["summary", "sentences", "count", "unread"],
            json!({
                "summary": {"type": "string"},
                "sentences": {"type": "array", "items": {"type": "object", "required": ["text", "position", "score"]}},
                "count": {"type": "integer"},
                "unread": {"type": "integer"}
            }),
        ),
        example: json!({"text": "Prices fell in May. In May prices of phones fell most. The weather was fine.", "sentences": 1}),
        does: &[
            "summarise text:text -> text:summary with sentences=limit.sentences",
        ],
    }
    .builtin()
}

fn three() -> usize {
    3
}

fn summarise(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
        #[serde(default = "three")]
        sentences: usize,
    }
    let arguments: Arguments = arguments::parse(arguments)?;
    picked(&arguments.text, arguments.sentences)
}

/// The sentences that say most, with how many there are.
pub(super) fn picked(text: &str, most: usize) -> Result<Value, ToolFailure> {
    within_limit(text)?;
    let all = sentences::split(text);
    let read: Vec<&str> = all.iter().copied().take(MOST_SENTENCES).collect();
    let stopwords = stopwords::of(stopwords::language(text).unwrap_or_default());
    let scores = rank(&read, stopwords);
    let mut order: Vec<(usize, f64)> = scores.into_iter().enumerate().collect();
    // Of equal scores the earlier sentence: it usually opens the matter.
    order.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    order.truncate(most);
    order.sort_by_key(|(position, _)| *position);
    let chosen = order.iter().filter_map(|(position, score)| {
        let text = read.get(*position)?;
        Some(json!({"text": text, "position": position + 1, "score": score}))
    });
    let texts: Vec<&str> = order
        .iter()
        .filter_map(|(position, _)| read.get(*position).copied())
        .collect();
    Ok(json!({
        "summary": texts.join(" "),
        "sentences": chosen.collect::<Vec<_>>(),
        "count": all.len(),
        "unread": all.len() - read.len(),
    }))
}

/// A score per sentence; all of them add up to about their number.
fn rank(sentences: &[&str], stopwords: &[&str]) -> Vec<f64> {
    let telling = |text: &&str| -> BTreeSet<String> {
        let words = tokens::words(text).into_iter();
        words
            .filter(|word| !stopwords.contains(&word.as_str()))
            .collect()
    };
    let words: Vec<BTreeSet<String>> = sentences.iter().map(telling).collect();
    let links = links(&words);
    let weight: Vec<f64> = links.iter().map(|to| to.iter().sum()).collect();
    let mut scores = vec![1.0; sentences.len()];
    for _ in 0..ROUNDS {
        let given = scores.iter().zip(&weight);
        let given: Vec<f64> = given
            .map(|(score, total)| if *total > 0.0 { score / total } else { 0.0 })
            .collect();
        let next = links.iter().map(|near| {
            let received: f64 = near
                .iter()
                .zip(&given)
                .map(|(weight, given)| weight * given)
                .sum();
            1.0 - DAMPING + DAMPING * received
        });
        let next: Vec<f64> = next.collect();
        let moved = next
            .iter()
            .zip(&scores)
            .any(|(new, old)| (new - old).abs() > 1e-9);
        scores = next;
        if !moved {
            break;
        }
    }
    scores
}

/// How much each two sentences share, for their length. A full square: sentences that
/// all share their words would make any sparse form larger.
fn links(words: &[BTreeSet<String>]) -> Vec<Vec<f64>> {
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, set) in words.iter().enumerate() {
        for word in set {
            holders.entry(word).or_default().push(index);
        }
    }
    let mut shared = vec![vec![0.0; words.len()]; words.len()];
    for together in holders.values() {
        for from in together {
            let Some(row) = shared.get_mut(*from) else {
                continue;
            };
            for to in together.iter().filter(|to| *to != from) {
                if let Some(weight) = row.get_mut(*to) {
                    *weight += 1.0;
                }
            }
        }
    }
    let lengths: Vec<f64> = words
        .iter()
        .map(|set| (set.len() as f64 + 1.0).ln())
        .collect();
    for (row, own) in shared.iter_mut().zip(&lengths) {
        for (weight, other) in row.iter_mut().zip(&lengths) {
            if *weight > 0.0 {
                *weight /= own + other;
            }
        }
    }
    shared
}
