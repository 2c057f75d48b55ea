//! `text-keywords`: which words and phrases is this text about? Phrases between function
//! words, scored by how often their words occur and with how many others (RAKE).

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::tokens::{Token, tokens};
use super::{stopwords, within_limit};

pub(super) fn tool() -> Arc<dyn Tool> {
    Pure::pooled(spec(), keywords)
}

/// Longer phrases are sentences in disguise.
const LONGEST: usize = 4;
const MOST_PLACES: usize = 20;

fn spec() -> ToolSpec {
    Declaration {
        name: "text-keywords",
        title: "Find key words",
        category: "text",
        description: "Finds the words and phrases of up to four words that a text is about, by counting (RAKE): phrases stand between function words and punctuation, and \
            score by how often and in how rich company their words occur, times their own count. Use it for tags, and to compare pages. Knows \
            the function words of English, German, French, Spanish, Italian, Dutch and Portuguese. Returns language (of these, null when none fits) and keywords with phrase, score, count \
            and places (in characters, the first 20).",
        effect: Effect::Read,
        latency_ms: 10,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 10}
            }),
        ),
        output: output(
            &["language", "keywords"],
            json!({
                "language": {"type": ["string", "null"]},
                "keywords": {"type": "array", "items": {"type": "object", "required": ["phrase", "score", "count", "places"]}}
            }),
        ),
        example: json!({"text": "Solar panels turn light into power. Solar panels need light.", "limit": 3}),
        does: &[
            "keywords text:text -> table:keywords with limit=limit.rows",
        ],
    }
    .builtin()
}

fn ten() -> usize {
    10
}

struct Phrase {
    words: Vec<String>,
    places: Vec<usize>,
}

fn keywords(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
        #[serde(default = "ten")]
        limit: usize,
    }
    let Arguments { text, limit } = arguments::parse(arguments)?;
    within_limit(&text)?;
    let language = stopwords::language(&text);
    let phrases = phrases(&text, stopwords::of(language.unwrap_or_default()));
    let weights = weights(&phrases);
    let mut scored: Vec<(f64, &Phrase)> = phrases
        .values()
        .map(|phrase| (score(phrase, &weights), phrase))
        .collect();
    let first = |phrase: &Phrase| phrase.places.first().copied().unwrap_or_default();
    scored.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then(first(left.1).cmp(&first(right.1)))
    });
    scored.truncate(limit);
    let first_places = |phrase: &Phrase| {
        phrase
            .places
            .iter()
            .copied()
            .take(MOST_PLACES)
            .collect::<Vec<_>>()
    };
    let characters = characters(
        &text,
        scored
            .iter()
            .flat_map(|(_, phrase)| first_places(phrase))
            .collect(),
    );
    let shown = scored.iter().map(|(score, phrase)| {
        let places = first_places(phrase);
        json!({
            "phrase": phrase.words.join(" "),
            "score": score,
            "count": phrase.places.len(),
            "places": places.iter().filter_map(|byte| characters.get(byte)).collect::<Vec<_>>(),
        })
    });
    Ok(json!({ "language": language, "keywords": shown.collect::<Vec<_>>() }))
}

/// Which character each of these bytes begins; the text is walked through once.
fn characters(text: &str, mut bytes: Vec<usize>) -> BTreeMap<usize, usize> {
    bytes.sort_unstable();
    let (mut reached, mut count) = (0, 0);
    let place = |byte: usize| {
        count += text
            .get(reached..byte)
            .map_or(0, |text| text.chars().count());
        reached = byte;
        (byte, count)
    };
    bytes.into_iter().map(place).collect()
}

/// Phrases by their text.
fn phrases(text: &str, stopwords: &[&str]) -> BTreeMap<String, Phrase> {
    let mut phrases: BTreeMap<String, Phrase> = BTreeMap::new();
    let mut begun: Vec<(String, usize)> = Vec::new();
    let mut end = 0;
    let all: Vec<Token<'_>> = tokens(text);
    for token in &all {
        let gap = text.get(end..token.start).unwrap_or_default();
        if !gap.chars().all(|c| c == ' ') {
            finish(&mut begun, &mut phrases);
        }
        end = token.start + token.text.len();
        let word = token.text.to_lowercase();
        let says_nothing = stopwords.contains(&word.as_str())
            || !word.chars().any(char::is_alphabetic)
            || word.chars().count() < 2;
        if says_nothing {
            finish(&mut begun, &mut phrases);
        } else {
            begun.push((word, token.start));
        }
    }
    finish(&mut begun, &mut phrases);
    phrases
}

fn finish(begun: &mut Vec<(String, usize)>, phrases: &mut BTreeMap<String, Phrase>) {
    let words = std::mem::take(begun);
    let Some((_, start)) = words.first() else {
        return;
    };
    if words.len() > LONGEST {
        return;
    }
    let start = *start;
    let words: Vec<String> = words.into_iter().map(|(word, _)| word).collect();
    let places = Vec::new();
    phrases
        .entry(words.join(" "))
        .or_insert(Phrase { words, places })
        .places
        .push(start);
}

/// Of each word: the words it stands together with, per occurrence.
fn weights(phrases: &BTreeMap<String, Phrase>) -> BTreeMap<&str, f64> {
    let mut seen: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for phrase in phrases.values() {
        for word in &phrase.words {
            let entry = seen.entry(word).or_default();
            entry.0 += phrase.places.len();
            entry.1 += phrase.places.len() * phrase.words.len();
        }
    }
    seen.into_iter()
        .map(|(word, (count, degree))| (word, degree as f64 / count as f64))
        .collect()
}

fn score(phrase: &Phrase, weights: &BTreeMap<&str, f64>) -> f64 {
    let sum: f64 = phrase
        .words
        .iter()
        .filter_map(|word| weights.get(word.as_str()))
        .sum();
    sum * phrase.places.len() as f64
}
