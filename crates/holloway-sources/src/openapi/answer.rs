//! What does an answer mean? JSON is the result itself; anything else comes in a
//! wrapping. A status of failure says whether a repeat may help and whether
//! something may have happened.

use holloway_engine::failure::ToolFailure;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use super::operation::Operation;
use super::operation::content::{Shape, is_json};
use holloway_tools::http::{body, failure};
use holloway_tools::secrets::Secrets;

/// How much of an error's body is shown, in characters.
const SHOWN: usize = 400;
/// How much of it is read, in bytes.
const READ: usize = 64 * 1024;

/// Reads an answer up to `limit` bytes and makes a result or a failure of it.
pub(crate) async fn read(
    response: Response,
    operation: &Operation,
    limit: usize,
    secrets: &Secrets,
) -> Result<Value, ToolFailure> {
    let status = response.status();
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok());
    let content_type = content_type.unwrap_or_default().to_owned();
    let limit = if status.is_success() { limit } else { READ };
    let (bytes, truncated) = take(response, &operation.method, limit).await?;
    if !status.is_success() {
        let (_, text) = body::encode(bytes, &content_type, true);
        return Err(failed(operation, status, &secrets.clean(&text)));
    }
    if truncated {
        let message = format!("the answer is longer than {limit} bytes");
        let failure =
            ToolFailure::limit(message).with_hint("ask for less, or raise `[grants] max_bytes`");
        return Err(if operation.method.is_safe() {
            failure
        } else {
            failure.happened()
        });
    }
    let mut value = result(operation, status, &content_type, bytes)?;
    secrets.clean_value(&mut value);
    Ok(value)
}

async fn take(
    mut response: Response,
    method: &Method,
    limit: usize,
) -> Result<(Vec<u8>, bool), ToolFailure> {
    let mut bytes = Vec::new();
    loop {
        let chunk = response.chunk().await;
        let Some(chunk) = chunk.map_err(|error| failure::from_reqwest(error, method))? else {
            return Ok((bytes, false));
        };
        let room = limit - bytes.len();
        bytes.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        if chunk.len() > room {
            return Ok((bytes, true));
        }
    }
}

fn result(
    operation: &Operation,
    status: StatusCode,
    content_type: &str,
    bytes: Vec<u8>,
) -> Result<Value, ToolFailure> {
    let status = status.as_u16();
    if bytes.is_empty() {
        return Ok(json!({"status": status}));
    }
    let promised = operation
        .answers
        .iter()
        .any(|shape| matches!(shape, Shape::Json { .. }));
    if is_json(content_type) || promised {
        match serde_json::from_slice(&bytes) {
            Ok(value) => return Ok(value),
            Err(error) if is_json(content_type) => return Err(unreadable(operation, &error)),
            // It says itself that it is something else.
            Err(_) => {}
        }
    }
    let (name, text) = body::encode(bytes, content_type, false);
    let name = if name == "body" { "text" } else { name };
    Ok(json!({"status": status, "content_type": content_type, name: text}))
}

fn unreadable(operation: &Operation, error: &serde_json::Error) -> ToolFailure {
    let failure = ToolFailure::permanent(format!("the answer is no JSON: {error}"));
    if operation.method.is_safe() {
        failure
    } else {
        failure.happened()
    }
}

fn failed(operation: &Operation, status: StatusCode, body: &str) -> ToolFailure {
    let mut message = format!("{} {} answered {status}", operation.method, operation.path);
    let body = shorten(body);
    if !body.is_empty() {
        message.push_str(": ");
        message.push_str(&body);
    }
    match status.as_u16() {
        401 | 403 => ToolFailure::denied(message).with_hint(
            "check the key or token that was given for this service, and what it allows",
        ),
        400 | 404 | 409 | 410 | 422 => ToolFailure::invalid(message),
        // Turned away before anything was done.
        408 | 425 | 429 => ToolFailure::transient(message),
        500.. if operation.method.is_safe() => ToolFailure::transient(message),
        500.. => ToolFailure::transient(message).uncertain(),
        _ => ToolFailure::permanent(message),
    }
}

fn shorten(body: &str) -> String {
    let mut shown = String::new();
    for word in body.split_whitespace() {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.extend(word.chars().filter(|c| !c.is_control()));
        if shown.len() > SHOWN * 4 {
            break;
        }
    }
    if shown.chars().count() > SHOWN {
        shown = shown.chars().take(SHOWN).collect();
        shown.push('…');
    }
    shown
}

/// The schema of an answer that is not JSON.
pub(crate) fn wrapped_schema() -> Value {
    json!({
        "type": "object",
        "required": ["status"],
        "properties": {
            "status": {"type": "integer", "description": "HTTP status"},
            "content_type": {"type": "string"},
            "text": {"type": "string", "description": "The answer, when it is text"},
            "base64": {"type": "string", "description": "The answer in base64, when it is not text"}
        }
    })
}

/// The schema of an answer without a body.
pub(crate) fn empty_schema() -> Value {
    json!({
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"type": "integer", "description": "HTTP status; the answer has no body"}}
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_bodies_are_short_and_harmless() {
        for (body, expected) in [
            ("  no \n such\tpet ", "no such pet".to_owned()),
            ("a\u{1b}[31mb\u{0}", "a[31mb".to_owned()),
            (&"x".repeat(1000), format!("{}…", "x".repeat(400))),
            (&"ü ".repeat(1000), format!("{}…", "ü ".repeat(200))),
        ] {
            assert_eq!(shorten(body), expected);
        }
    }
}
