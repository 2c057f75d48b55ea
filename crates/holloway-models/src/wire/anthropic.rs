//! Messages, as Anthropic speaks them. A schema is given as the one tool that has to be
//! used: unlike its schemas for answers, that of a tool may leave arguments free. The prompt is
//! cached up to the end of the system prompt, and up to the last message for the next question.

use holloway_engine::model::{Ask, Speaker};
use serde_json::{Value, json};

use super::{Counts, End, Outgoing, Part, Without, count, put, text_of};

const ANSWER: &str = "answer";

pub(super) fn request(model: &str, ask: &Ask, stream: bool, without: Without) -> Outgoing {
    let last = ask.messages.len().saturating_sub(1);
    let messages = ask.messages.iter().enumerate().map(|(place, message)| {
        let role = match message.speaker {
            Speaker::User => "user",
            Speaker::Model => "assistant",
        };
        let content = if place == last {
            cached(&message.text)
        } else {
            json!(message.text)
        };
        json!({"role": role, "content": content})
    });
    let messages: Vec<Value> = messages.collect();
    let mut body = json!({
        "model": model,
        "max_tokens": ask.max_tokens,
        "system": cached(&ask.system),
        "messages": messages,
    });
    if !without.temperature {
        put(&mut body, "temperature", json!(ask.temperature));
    }
    if let Some(schema) = ask.schema.as_ref().filter(|_| !without.schema) {
        put(
            &mut body,
            "tools",
            json!([{"name": ANSWER, "description": "Takes the answer.", "input_schema": schema}]),
        );
        put(
            &mut body,
            "tool_choice",
            json!({"type": "tool", "name": ANSWER}),
        );
    }
    if stream {
        put(&mut body, "stream", json!(true));
    }
    Outgoing {
        path: "/messages".to_owned(),
        query: None,
        headers: vec![("anthropic-version", "2023-06-01")],
        body,
    }
}

/// A text up to whose end the prompt is cached; an empty one cannot be.
fn cached(text: &str) -> Value {
    if text.is_empty() {
        return json!(text);
    }
    json!([{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}])
}

pub(super) fn answer(body: &Value) -> Option<Part> {
    let blocks = body.get("content")?.as_array()?;
    let texts = blocks
        .iter()
        .filter_map(|block| match block.get("type")?.as_str()? {
            "text" => Some(text_of(block, "/text")),
            "tool_use" => block.get("input").map(Value::to_string),
            _ => None,
        });
    Some(Part {
        text: texts.collect(),
        end: body.get("stop_reason").and_then(Value::as_str).map(end),
        counts: counts(body.get("usage")),
        certainty: None,
    })
}

pub(super) fn event(body: &Value) -> Option<Part> {
    let part = match body.get("type")?.as_str()? {
        "message_start" => Part {
            counts: counts(body.pointer("/message/usage")),
            ..Part::default()
        },
        "content_block_delta" => Part {
            text: text_of(body, "/delta/text") + &text_of(body, "/delta/partial_json"),
            ..Part::default()
        },
        "message_delta" => Part {
            end: body
                .pointer("/delta/stop_reason")
                .and_then(Value::as_str)
                .map(end),
            counts: counts(body.get("usage")),
            ..Part::default()
        },
        "error" => Part {
            end: Some(End::Failed {
                kind: text_of(body, "/error/type"),
                message: text_of(body, "/error/message"),
            }),
            ..Part::default()
        },
        // Pings, and what is added to the protocol later.
        _ => Part::default(),
    };
    Some(part)
}

fn end(reason: &str) -> End {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => End::AtLimit,
        "refusal" => End::Declined("it refused".to_owned()),
        _ => End::Complete,
    }
}

/// What was read from or written to the cache is not part of `input_tokens` here.
fn counts(usage: Option<&Value>) -> Counts {
    let read = count(usage, "/cache_read_input_tokens");
    let written = count(usage, "/cache_creation_input_tokens");
    let tokens_in = count(usage, "/input_tokens");
    Counts {
        tokens_in: tokens_in.map(|tokens| tokens + read.unwrap_or(0) + written.unwrap_or(0)),
        tokens_out: count(usage, "/output_tokens"),
        cached: read,
    }
}
