//! Samples that seem to fetch: a page, the weather, the news. All made up from the
//! arguments, without any network.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};
use super::{number_from, pick};

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Pure::tool(page_spec(), page),
        Pure::tool(weather_spec(), weather),
        Pure::tool(news_spec(), news),
    ]
}

fn page_spec() -> ToolSpec {
    Declaration {
        name: "fetch_page_content",
        title: "Sample: fetch page content",
        category: "sample",
        description: "Sample for trying out plans: returns a made-up page for a URL, the same every time, without using the network. \
            For real pages use `builtin/http-fetch`. Returns url, title and content.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["url"],
            json!({"url": {"type": "string", "minLength": 1, "description": "Any URL"}}),
        ),
        output: output(
            &["url", "title", "content"],
            json!({
                "url": {"type": "string"},
                "title": {"type": "string"},
                "content": {"type": "string"}
            }),
        ),
            example: json!({"url": "https://example.com"}),
        does: &[],
    }
    .sample()
}

fn page(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        url: String,
    }
    let Arguments { url } = arguments::parse(arguments)?;
    let host = url.split("://").last().unwrap_or_default();
    let host = host.split(['/', '?', '#']).next().unwrap_or_default();
    let mood = pick(
        &[
            "great and helpful",
            "plain but useful",
            "slow and disappointing",
        ],
        &url,
    );
    let visitors = 100 + number_from(&url, 9900);
    let content = format!(
        "Welcome to {host}. This sample page was made for {url} and needs no network. \
         Readers call it {mood}. It had {visitors} visitors last week."
    );
    Ok(json!({ "url": url, "title": format!("Sample page of {host}"), "content": content }))
}

fn weather_spec() -> ToolSpec {
    Declaration {
        name: "fetch_weather",
        title: "Sample: fetch weather",
        category: "sample",
        description: "Sample for trying out plans: returns made-up weather for a city, the same every time, without using the network. \
            Returns city, temperature in the units asked for, units and condition.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &["city"],
            json!({
                "city": {"type": "string", "minLength": 1, "description": "City name"},
                "units": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"}
            }),
        ),
        output: output(
            &["city", "temperature", "units", "condition"],
            json!({
                "city": {"type": "string"},
                "temperature": {"type": "number"},
                "units": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                "condition": {"type": "string"}
            }),
        ),
            example: json!({"city": "NYC"}),
        does: &[],
    }
    .sample()
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Units {
    #[default]
    Celsius,
    Fahrenheit,
}

fn weather(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        city: String,
        #[serde(default)]
        units: Units,
    }
    let Arguments { city, units } = arguments::parse(arguments)?;
    let celsius = number_from(&city, 45) as i64 - 10;
    let (temperature, units) = match units {
        Units::Celsius => (celsius, "celsius"),
        Units::Fahrenheit => (celsius * 9 / 5 + 32, "fahrenheit"),
    };
    let condition = pick(
        &["sunny", "cloudy", "rainy", "windy", "foggy"],
        &format!("{city} sky"),
    );
    Ok(json!({ "city": city, "temperature": temperature, "units": units, "condition": condition }))
}

fn news_spec() -> ToolSpec {
    Declaration {
        name: "fetch_news",
        title: "Sample: fetch news",
        category: "sample",
        description: "Sample for trying out plans: returns made-up headlines for a city or topic, the same every time, without using \
            the network. Returns the subject and articles with headline and source.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &[],
            json!({
                "city": {"type": "string", "description": "City the news are about"},
                "topic": {"type": "string", "description": "What the news are about; used together with or instead of `city`"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 5, "default": 3}
            }),
        ),
        output: output(
            &["subject", "articles"],
            json!({
                "subject": {"type": "string"},
                "articles": {"type": "array", "items": {
                    "type": "object",
                    "required": ["headline", "source"],
                    "properties": {"headline": {"type": "string"}, "source": {"type": "string"}}
                }}
            }),
        ),
            example: json!({"city": "NYC"}),
        does: &[],
    }
    .sample()
}

fn news(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        city: Option<String>,
        topic: Option<String>,
        #[serde(default = "three")]
        limit: usize,
    }
    fn three() -> usize {
        3
    }
    let arguments: Arguments = arguments::parse(arguments)?;
    let named: Vec<String> = arguments.city.into_iter().chain(arguments.topic).collect();
    let subject = if named.is_empty() {
        "the world".to_owned()
    } else {
        named.join(" and ")
    };
    let happenings = [
        "New library opens its doors",
        "Festival draws record crowd",
        "Council agrees on cycle lanes",
        "Local team wins the final",
        "Museum shows lost paintings",
    ];
    let first = number_from(&subject, 5) as usize;
    let turned = happenings
        .iter()
        .cycle()
        .skip(first)
        .take(arguments.limit.min(5));
    let articles: Vec<Value> = turned
        .map(|happening| json!({ "headline": format!("{happening} – {subject}"), "source": "Sample Gazette" }))
        .collect();
    Ok(json!({ "subject": subject, "articles": articles }))
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
    async fn answers_depend_on_the_arguments_alone() {
        for (tool, one, other) in [
            (
                "fetch_page_content",
                json!({"url": "https://a.example/x"}),
                json!({"url": "https://b.example"}),
            ),
            (
                "fetch_weather",
                json!({"city": "Oslo"}),
                json!({"city": "Tokyo"}),
            ),
            (
                "fetch_news",
                json!({"city": "Oslo"}),
                json!({"city": "Tokyo"}),
            ),
        ] {
            let first = sample(tool, one.clone()).await;
            assert_eq!(first, sample(tool, one).await);
            assert_ne!(first, sample(tool, other).await);
        }
    }

    #[tokio::test]
    async fn fahrenheit_is_the_same_weather() {
        let celsius = sample("fetch_weather", json!({"city": "NYC"})).await;
        let fahrenheit = sample(
            "fetch_weather",
            json!({"city": "nyc", "units": "fahrenheit"}),
        )
        .await;
        let degrees = celsius["temperature"].as_i64().unwrap();
        assert_eq!(fahrenheit["temperature"], degrees * 9 / 5 + 32);
        assert_eq!(fahrenheit["condition"], celsius["condition"]);
    }

    #[tokio::test]
    async fn a_page_names_its_host() {
        let page = sample(
            "fetch_page_content",
            json!({"url": "https://example.com/a?b"}),
        )
        .await;
        assert_eq!(page["title"], "Sample page of example.com");
    }
}
