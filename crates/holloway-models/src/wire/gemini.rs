//! `generateContent`, as Google speaks it for Gemini.

use holloway_engine::model::{Ask, Speaker};
use serde_json::{Value, json};

use super::{Counts, End, Outgoing, Part, Without, count, put, text_of};

pub(super) fn request(model: &str, ask: &Ask, stream: bool, without: Without) -> Outgoing {
    let contents = ask.messages.iter().map(|message| {
        let role = match message.speaker {
            Speaker::User => "user",
            Speaker::Model => "model",
        };
        json!({"role": role, "parts": [{"text": message.text}]})
    });
    let contents: Vec<Value> = contents.collect();
    let mut generation = json!({"maxOutputTokens": ask.max_tokens});
    if !without.temperature {
        put(&mut generation, "temperature", json!(ask.temperature));
    }
    if let Some(schema) = &ask.schema {
        put(
            &mut generation,
            "responseMimeType",
            json!("application/json"),
        );
        if !without.schema {
            put(&mut generation, "responseJsonSchema", schema.clone());
        }
    }
    let verb = if stream {
        "streamGenerateContent"
    } else {
        "generateContent"
    };
    Outgoing {
        path: format!("/models/{}:{verb}", escaped(model)),
        query: stream.then_some("alt=sse"),
        headers: Vec::new(),
        body: json!({
            "systemInstruction": {"parts": [{"text": ask.system}]},
            "contents": contents,
            "generationConfig": generation,
        }),
    }
}

/// A name may not lead anywhere else.
fn escaped(model: &str) -> String {
    let name = model.strip_prefix("models/").unwrap_or(model);
    let kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.bytes()
        .map(|byte| {
            let c = char::from(byte);
            if kept(c) {
                c.to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

pub(super) fn answer(body: &Value) -> Option<Part> {
    event(body).map(|part| Part {
        end: part.end.or(Some(End::Complete)),
        ..part
    })
}

pub(super) fn event(body: &Value) -> Option<Part> {
    if let Some(error) = body.get("error") {
        return Some(Part {
            end: Some(End::Failed {
                kind: text_of(error, "/status"),
                message: text_of(error, "/message"),
            }),
            ..Part::default()
        });
    }
    let blocked = text_of(body, "/promptFeedback/blockReason");
    let candidate = body.pointer("/candidates/0");
    if candidate.is_none() && blocked.is_empty() && body.get("usageMetadata").is_none() {
        return None;
    }
    let parts = candidate.and_then(|candidate| candidate.pointer("/content/parts")?.as_array());
    // Thoughts are not part of the answer.
    let spoken = parts
        .into_iter()
        .flatten()
        .filter(|part| part.get("thought") != Some(&Value::Bool(true)));
    let end = candidate
        .and_then(|candidate| candidate.get("finishReason")?.as_str())
        .map(end);
    Some(Part {
        text: spoken.map(|part| text_of(part, "/text")).collect(),
        end: if blocked.is_empty() {
            end
        } else {
            Some(End::Declined(blocked))
        },
        counts: counts(body.get("usageMetadata")),
        certainty: None,
    })
}

fn end(reason: &str) -> End {
    match reason {
        "STOP" => End::Complete,
        "MAX_TOKENS" => End::AtLimit,
        other => End::Declined(other.to_owned()),
    }
}

fn counts(usage: Option<&Value>) -> Counts {
    let said = count(usage, "/candidatesTokenCount");
    let thought = count(usage, "/thoughtsTokenCount");
    Counts {
        tokens_in: count(usage, "/promptTokenCount"),
        tokens_out: said
            .or(thought)
            .map(|_| said.unwrap_or(0) + thought.unwrap_or(0)),
        cached: count(usage, "/cachedContentTokenCount"),
    }
}
