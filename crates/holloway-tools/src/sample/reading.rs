//! Samples that seem to understand: sentiment by a small word list, summaries from
//! first sentences.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::text::sentences;
use super::super::{Tool, arguments};
use super::readable;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::tool(sentiment_spec(), sentiment),
        Pure::tool(summarize_text_spec(), summarize_text),
        Pure::tool(summarize_spec(), summarize),
    ]
}

const POSITIVE: [&str; 24] = [
    "amazing",
    "best",
    "brilliant",
    "delightful",
    "easy",
    "enjoy",
    "excellent",
    "fantastic",
    "fast",
    "good",
    "great",
    "happy",
    "helpful",
    "love",
    "loved",
    "nice",
    "perfect",
    "pleasant",
    "positive",
    "recommend",
    "superb",
    "useful",
    "wonderful",
    "works",
];

const NEGATIVE: [&str; 24] = [
    "angry",
    "awful",
    "bad",
    "broken",
    "bug",
    "crash",
    "disappointed",
    "disappointing",
    "fail",
    "failed",
    "hate",
    "horrible",
    "negative",
    "poor",
    "problem",
    "sad",
    "slow",
    "terrible",
    "ugly",
    "unhappy",
    "useless",
    "worse",
    "worst",
    "wrong",
];

const NEGATION: [&str; 6] = ["not", "no", "never", "isn't", "don't", "doesn't"];

fn sentiment_spec() -> ToolSpec {
    Declaration {
        name: "sentiment_analysis",
        title: "Sample: sentiment analysis",
        category: "sample",
        description: "Sample for trying out plans: judges a text by a list of 48 English words, offline. Returns a score from 0 \
            (negative) over 0.5 (neutral) to 1 (positive) and the label negative, neutral or positive.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(&["text"], json!({"text": {"type": "string"}})),
        output: output(
            &["score", "label"],
            json!({
                "score": {"type": "number", "minimum": 0, "maximum": 1},
                "label": {"type": "string", "enum": ["negative", "neutral", "positive"]}
            }),
        ),
            example: json!({"text": "good"}),
        does: &[],
    }
    .sample()
}

fn sentiment(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
    }
    let Arguments { text } = arguments::parse(arguments)?;
    let (positive, negative) = count(&text.to_lowercase());
    let total = positive + negative;
    let score = if total == 0 {
        0.5
    } else {
        f64::from(positive) / f64::from(total)
    };
    let label = match score {
        _ if score > 0.6 => "positive",
        _ if score < 0.4 => "negative",
        _ => "neutral",
    };
    Ok(json!({ "score": score, "label": label }))
}

/// Positive and negative words; a negation right before turns a word around.
fn count(text: &str) -> (u32, u32) {
    let is_part = |character: char| character.is_alphanumeric() || character == '\'';
    let mut counts = (0, 0);
    let mut negated = false;
    for word in text
        .split(|character| !is_part(character))
        .filter(|word| !word.is_empty())
    {
        match (POSITIVE.contains(&word), NEGATIVE.contains(&word)) {
            (true, _) if negated => counts.1 += 1,
            (true, _) => counts.0 += 1,
            (_, true) if negated => counts.0 += 1,
            (_, true) => counts.1 += 1,
            _ => {}
        }
        negated = NEGATION.contains(&word);
    }
    counts
}

fn summarize_text_spec() -> ToolSpec {
    Declaration {
        name: "summarize_text",
        title: "Sample: summarize text",
        category: "sample",
        description: "Sample for trying out plans: summarises a text by its first sentences, offline and without a model. Returns the \
            summary and how many sentences the text has.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["text"],
            json!({
                "text": {"type": "string"},
                "sentences": {"type": "integer", "minimum": 1, "maximum": 100, "default": 2, "description": "How many to keep"}
            }),
        ),
        output: output(
            &["summary", "sentences"],
            json!({"summary": {"type": "string"}, "sentences": {"type": "integer"}}),
        ),
            example: json!({"text": "One. Two. Three."}),
        does: &[],
    }
    .sample()
}

fn summarize_text(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        text: String,
        #[serde(default = "two")]
        sentences: usize,
    }
    fn two() -> usize {
        2
    }
    let arguments: Arguments = arguments::parse(arguments)?;
    let all = sentences::split(&arguments.text);
    let summary: Vec<&str> = all.iter().copied().take(arguments.sentences).collect();
    Ok(json!({ "summary": summary.join(" "), "sentences": all.len() }))
}

fn summarize_spec() -> ToolSpec {
    Declaration {
        name: "summarize",
        title: "Sample: summarize weather and news",
        category: "sample",
        description: "Sample for trying out plans: puts weather and news, as the sample tools give them or as text, into one short \
            paragraph, offline and without a model. Returns the summary.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &[],
            json!({
                "weather": {"description": "A result of fetch_weather, several of them, or text"},
                "news": {"description": "A result of fetch_news, or text"},
                "text": {"description": "Anything else to mention"}
            }),
        ),
        output: output(&["summary"], json!({"summary": {"type": "string"}})),
            example: json!({"weather": {"city": "NYC"}, "news": "none"}),
        does: &[],
    }
    .sample()
}

fn summarize(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        #[serde(default)]
        weather: Value,
        #[serde(default)]
        news: Value,
        #[serde(default)]
        text: Value,
    }
    let arguments: Arguments = arguments::parse(arguments)?;
    let parts = [
        describe_weather(&arguments.weather),
        describe_news(&arguments.news),
        readable(&arguments.text),
    ];
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let summary = if said.is_empty() {
        "Nothing to report.".to_owned()
    } else {
        said.join(" ")
    };
    Ok(json!({ "summary": summary }))
}

fn describe_weather(weather: &Value) -> String {
    if let Value::Array(several) = weather {
        return several
            .iter()
            .map(describe_weather)
            .collect::<Vec<_>>()
            .join(" ");
    }
    let (Some(city), Some(temperature)) =
        (weather["city"].as_str(), weather["temperature"].as_f64())
    else {
        return readable(weather);
    };
    let condition = weather["condition"].as_str().unwrap_or("unknown");
    let unit = if weather["units"] == "fahrenheit" {
        "°F"
    } else {
        "°C"
    };
    format!("{city}: {condition}, {temperature} {unit}.")
}

fn describe_news(news: &Value) -> String {
    let Some(articles) = news["articles"].as_array() else {
        return readable(news);
    };
    let headlines: Vec<String> = articles.iter().map(readable).collect();
    format!("In the news: {}.", headlines.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::run;
    use super::super::super::{Grants, Toolbox};
    use super::*;

    async fn sample(tool: &str, arguments: Value) -> Value {
        let toolbox = Toolbox::builtin(Grants::default()).with_samples();
        run(&toolbox, &format!("sample/{tool}"), arguments)
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn texts_are_judged() {
        for (text, score, label) in [
            ("I love it, works great!", 1.0, "positive"),
            ("Terrible. The worst, slow.", 0.0, "negative"),
            ("Good but slow", 0.5, "neutral"),
            ("A table has four legs.", 0.5, "neutral"),
            ("This is not good", 0.0, "negative"),
            ("", 0.5, "neutral"),
        ] {
            let judged = sample("sentiment_analysis", json!({"text": text})).await;
            assert_eq!(judged, json!({"score": score, "label": label}), "{text}");
        }
    }

    #[tokio::test]
    async fn the_first_sentences_are_the_summary() {
        let summary = sample("summarize_text", json!({"text": "One. Two. Three."})).await;
        assert_eq!(summary, json!({"summary": "One. Two.", "sentences": 3}));
    }

    #[tokio::test]
    async fn weather_and_news_become_one_paragraph() {
        let weather = json!({"city": "Oslo", "temperature": -3, "condition": "foggy"});
        let news = json!({"articles": [{"headline": "A"}, {"headline": "B"}]});
        let both = sample("summarize", json!({"weather": weather, "news": news})).await;
        assert_eq!(both["summary"], "Oslo: foggy, -3 °C. In the news: A; B.");
        let texts = sample("summarize", json!({"weather": "Fine.", "news": null})).await;
        assert_eq!(texts["summary"], "Fine.");
        assert_eq!(
            sample("summarize", json!({})).await["summary"],
            "Nothing to report."
        );
    }
}
