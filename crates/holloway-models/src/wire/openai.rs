//! Chat completions, as OpenAI, llama.cpp, Ollama, vLLM and many others speak them.

use holloway_engine::model::{Ask, Speaker};
use serde_json::{Value, json};

use super::{Counts, End, Outgoing, Part, Without, count, put, text_of};

pub(super) fn request(model: &str, ask: &Ask, stream: bool, without: Without) -> Outgoing {
    let mut messages = vec![json!({"role": "system", "content": ask.system})];
    messages.extend(ask.messages.iter().map(|message| {
        let role = match message.speaker {
            Speaker::User => "user",
            Speaker::Model => "assistant",
        };
        json!({"role": role, "content": message.text})
    }));
    let mut body = json!({"model": model, "messages": messages});
    // Reasoning models know the limit by another name; older servers only by this one.
    let limit = if without.max_tokens {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    put(&mut body, limit, json!(ask.max_tokens));
    if !without.temperature {
        put(&mut body, "temperature", json!(ask.temperature));
    }
    if let Some(schema) = ask.schema.as_ref().filter(|_| !without.schema) {
        // Not strict: a strict schema knows no arguments of free form.
        let named = json!({"name": "answer", "schema": schema, "strict": false});
        put(
            &mut body,
            "response_format",
            json!({"type": "json_schema", "json_schema": named}),
        );
    }
    if ask.certainty && !without.certainty {
        put(&mut body, "logprobs", json!(true));
    }
    if stream {
        put(&mut body, "stream", json!(true));
        put(&mut body, "stream_options", json!({"include_usage": true}));
    }
    Outgoing {
        path: "/chat/completions".to_owned(),
        query: None,
        headers: Vec::new(),
        body,
    }
}

pub(super) fn answer(body: &Value) -> Option<Part> {
    let choice = body.pointer("/choices/0")?;
    let message = choice.get("message")?;
    let mut part = part_of(choice, message, body);
    // A server that does not say how the answer ended has ended it.
    part.end = part.end.or(Some(End::Complete));
    Some(part)
}

pub(super) fn event(body: &Value) -> Option<Part> {
    if let Some(error) = body.get("error") {
        return Some(failed(error));
    }
    let choices = body.get("choices").and_then(Value::as_array)?;
    // The last event carries only the counts.
    let Some(choice) = choices.first() else {
        return Some(Part {
            counts: counts(body),
            ..Part::default()
        });
    };
    Some(part_of(choice, choice.get("delta")?, body))
}

fn part_of(choice: &Value, message: &Value, body: &Value) -> Part {
    let refusal = text_of(message, "/refusal");
    let end = match choice.get("finish_reason").and_then(Value::as_str) {
        _ if !refusal.is_empty() => Some(End::Declined(refusal)),
        None | Some("") => None,
        Some("length") => Some(End::AtLimit),
        Some("content_filter") => Some(End::Declined("its filter stepped in".to_owned())),
        Some(_) => Some(End::Complete),
    };
    Part {
        text: text_of(message, "/content"),
        end,
        counts: counts(body),
        certainty: certainty(choice),
    }
}

/// How sure the model is, over all tokens of the answer.
fn certainty(choice: &Value) -> Option<f64> {
    let tokens = choice.pointer("/logprobs/content")?.as_array()?;
    let sum = |sum: f64, token: &Value| Some(sum + token.get("logprob")?.as_f64()?);
    tokens.iter().try_fold(0.0, sum)
}

fn counts(body: &Value) -> Counts {
    let usage = body.get("usage");
    Counts {
        tokens_in: count(usage, "/prompt_tokens"),
        tokens_out: count(usage, "/completion_tokens"),
        cached: count(usage, "/prompt_tokens_details/cached_tokens"),
    }
}

fn failed(error: &Value) -> Part {
    let kind = text_of(error, "/type");
    let message = text_of(error, "/message");
    Part {
        end: Some(End::Failed { kind, message }),
        ..Part::default()
    }
}
