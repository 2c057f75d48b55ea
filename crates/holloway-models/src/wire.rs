//! How does each provider write questions and answers? Pure translations: a question and
//! the settings become a request, JSON or events become text, ends and counts.

mod anthropic;
mod gemini;
mod openai;

use holloway_engine::model::Ask;
use serde_json::Value;

use crate::settings::Provider;

/// A request without its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    /// After the base address.
    pub path: String,
    pub query: Option<&'static str>,
    pub headers: Vec<(&'static str, &'static str)>,
    pub body: Value,
}

/// What a model does without, because its provider refused it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    pub temperature: bool,
    pub schema: bool,
    /// The older of the two names for the limit of an answer.
    pub max_tokens: bool,
    /// Probabilities of tokens.
    pub certainty: bool,
}

/// What an answer, or a part of one, says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    pub text: String,
    pub end: Option<End>,
    pub counts: Counts,
    /// The sum of the logarithms of its tokens' probabilities, where that is told.
    pub certainty: Option<f64>,
}

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Complete,
    AtLimit,
    Declined(String),
    /// Something went wrong on the provider's side after it had begun.
    Failed {
        kind: String,
        message: String,
    },
}

/// Tokens; the last word of a provider counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub tokens_in: Option<u64>,
    pub tokens_out: Option<u64>,
    pub cached: Option<u64>,
}

impl Counts {
    pub fn take(&mut self, later: Self) {
        self.tokens_in = later.tokens_in.or(self.tokens_in);
        self.tokens_out = later.tokens_out.or(self.tokens_out);
        self.cached = later.cached.or(self.cached);
    }
}

/// The header a key goes into, and what stands before it.
pub fn key_header(provider: Provider) -> (&'static str, &'static str) {
    match provider {
        Provider::OpenAi => ("authorization", "Bearer "),
        Provider::Anthropic => ("x-api-key", ""),
        Provider::Gemini => ("x-goog-api-key", ""),
    }
}

/// The request for a question.
pub fn request(
    provider: Provider,
    model: &str,
    ask: &Ask,
    stream: bool,
    without: Without,
) -> Outgoing {
    match provider {
        Provider::OpenAi => openai::request(model, ask, stream, without),
        Provider::Anthropic => anthropic::request(model, ask, stream, without),
        Provider::Gemini => gemini::request(model, ask, stream, without),
    }
}

/// A whole answer; `None` when it is not in the provider's format.
pub fn answer(provider: Provider, body: &Value) -> Option<Part> {
    match provider {
        Provider::OpenAi => openai::answer(body),
        Provider::Anthropic => anthropic::answer(body),
        Provider::Gemini => gemini::answer(body),
    }
}

/// The data of one event of a stream; `None` when it is not in the provider's format.
pub fn event(provider: Provider, data: &str) -> Option<Part> {
    if provider == Provider::OpenAi && data.trim() == "[DONE]" {
        // For servers that do not say how an answer ended; the first word on it counts.
        return Some(Part {
            end: Some(End::Complete),
            ..Part::default()
        });
    }
    let body: Value = serde_json::from_str(data).ok()?;
    match provider {
        Provider::OpenAi => openai::event(&body),
        Provider::Anthropic => anthropic::event(&body),
        Provider::Gemini => gemini::event(&body),
    }
}

/// What a provider says when it refuses: the sentence, out of any of the three shapes.
pub fn message_of(body: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    // Gemini puts the error of a stream into a list.
    let parsed = parsed.map(|value| value.get(0).cloned().unwrap_or(value));
    let found = parsed.as_ref().and_then(|value| {
        let error = value.get("error");
        let message = error
            .and_then(|error| error.get("message"))
            .or(error)
            .or_else(|| value.get("message"));
        message
            .or_else(|| value.get("detail"))
            .and_then(Value::as_str)
    });
    let text = found.unwrap_or(body);
    let words: Vec<&str> = text.split_whitespace().collect();
    let short: String = words.join(" ").chars().take(300).collect();
    if short.is_empty() {
        "no reason given".to_owned()
    } else {
        short
    }
}

/// Whether a refusal is about something that can be left out, and is not left out yet.
pub fn concession(message: &str, without: Without, has_schema: bool) -> Option<Without> {
    let message = message.to_lowercase();
    let about = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if about(&["max_completion_tokens"]) && !without.max_tokens {
        return Some(Without {
            max_tokens: true,
            ..without
        });
    }
    if about(&["logprobs"]) && !without.certainty {
        return Some(Without {
            certainty: true,
            ..without
        });
    }
    if about(&["temperature"]) && !without.temperature {
        return Some(Without {
            temperature: true,
            ..without
        });
    }
    let schema = about(&[
        "response_format",
        "json_schema",
        "responsejsonschema",
        "response_json_schema",
        "tool_choice",
        "schema",
    ]);
    (schema && has_schema && !without.schema).then_some(Without {
        schema: true,
        ..without
    })
}

fn put(body: &mut Value, name: &str, value: Value) {
    if let Value::Object(fields) = body {
        fields.insert(name.to_owned(), value);
    }
}

fn count(usage: Option<&Value>, path: &str) -> Option<u64> {
    usage?.pointer(path)?.as_u64()
}

fn text_of(value: &Value, path: &str) -> String {
    value
        .pointer(path)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_of_a_refusal() {
        let check = |body: &str, expected: &str| assert_eq!(message_of(body), expected);
        check(
            r#"{"error": {"message": "Slow\n down.", "type": "x"}}"#,
            "Slow down.",
        );
        check(
            r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#,
            "Overloaded",
        );
        check(
            r#"[{"error": {"code": 429, "message": "Quota", "status": "RESOURCE_EXHAUSTED"}}]"#,
            "Quota",
        );
        check(r#"{"error": "model not found"}"#, "model not found");
        check(r#"{"detail": "Not Found"}"#, "Not Found");
        check("<html>Bad   gateway</html>", "<html>Bad gateway</html>");
        check("", "no reason given");
    }

    #[test]
    fn what_is_refused_is_left_out_once() {
        let none = Without::default();
        let temperature = Without {
            temperature: true,
            ..none
        };
        let check = |message, without, expected| {
            assert_eq!(concession(message, without, true), expected, "{message}")
        };
        check(
            "Unsupported value: 'temperature' does not support 0.3",
            none,
            Some(temperature),
        );
        check(
            "Unsupported value: 'temperature' does not support 0.3",
            temperature,
            None,
        );
        check(
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            none,
            Some(Without {
                max_tokens: true,
                ..none
            }),
        );
        check(
            "response_format is not supported",
            none,
            Some(Without {
                schema: true,
                ..none
            }),
        );
        check("The model `x` does not exist", none, None);
        assert_eq!(concession("bad schema", none, false), None);
    }

    #[test]
    fn the_last_count_holds() {
        let mut counts = Counts {
            tokens_in: Some(5),
            tokens_out: Some(1),
            cached: None,
        };
        counts.take(Counts {
            tokens_in: None,
            tokens_out: Some(9),
            cached: Some(2),
        });
        assert_eq!(
            counts,
            Counts {
                tokens_in: Some(5),
                tokens_out: Some(9),
                cached: Some(2)
            }
        );
    }
}
