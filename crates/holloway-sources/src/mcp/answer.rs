//! What did a tool say? Its answer as plain JSON, and its failures by name.

use holloway_engine::failure::ToolFailure;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::ServiceError;
use serde_json::{Map, Value, json};

use super::connection::Trouble;
use super::http;
use super::message;

/// Structured content as it is; else a single text that is JSON; else `{text}`, or
/// `{content}` where there is more than text.
pub(super) fn value(mut result: Value) -> Result<Value, ToolFailure> {
    let structured = result.get("structuredContent");
    let has_structured = structured.is_some_and(|structured| !structured.is_null());
    let failed = result.get("isError").and_then(Value::as_bool) == Some(true);
    let content = match result.get_mut("content").map(Value::take) {
        Some(Value::Array(content)) => content,
        Some(Value::Null) | None if has_structured || failed => Vec::new(),
        _ => return Err(no_result()),
    };
    if failed {
        return Err(reported(&content, result.get("structuredContent")));
    }
    match result.get_mut("structuredContent").map(Value::take) {
        Some(structured) if !structured.is_null() => Ok(structured),
        _ => Ok(from_content(content)),
    }
}

/// The call has been made, but nobody knows what it gave.
fn no_result() -> ToolFailure {
    ToolFailure::permanent("the server answered with something that is no result of a tool")
        .happened()
        .with_hint("a result has `content` or `structuredContent`")
}

fn from_content(content: Vec<Value>) -> Value {
    if !content.iter().all(|item| text_of(item).is_some()) {
        return json!({"content": content.into_iter().map(item).collect::<Vec<_>>()});
    }
    if let [only] = content.as_slice()
        && let Some(parsed) = text_of(only).and_then(structured_text)
    {
        return parsed;
    }
    json!({"text": joined(&content)})
}

fn structured_text(text: &str) -> Option<Value> {
    let text = text.trim();
    text.starts_with(['{', '['])
        .then(|| serde_json::from_str(text).ok())?
}

fn text_of(item: &Value) -> Option<&str> {
    let is_text = item.get("type").and_then(Value::as_str) == Some("text");
    is_text.then(|| item.get("text").and_then(Value::as_str))?
}

fn joined(content: &[Value]) -> String {
    let texts: Vec<&str> = content.iter().filter_map(text_of).collect();
    texts.join("\n\n")
}

/// Without what is meant for a screen; bytes and their type are kept.
fn item(value: Value) -> Value {
    let Value::Object(fields) = value else {
        return value;
    };
    let kept = |(name, _): &(String, Value)| name != "annotations" && name != "_meta";
    Value::Object(fields.into_iter().filter(kept).collect::<Map<_, _>>())
}

/// A failure that the tool itself reports.
fn reported(content: &[Value], structured: Option<&Value>) -> ToolFailure {
    let text = match joined(content) {
        text if !text.trim().is_empty() => text,
        _ => structured.filter(|value| !value.is_null()).map_or_else(
            || "the tool failed and does not say why".to_owned(),
            Value::to_string,
        ),
    };
    if text.starts_with("MCP error -32602") || text.starts_with("Input validation error") {
        return if names_no_tool(&text) {
            ToolFailure::unknown_tool(text)
        } else {
            ToolFailure::invalid(text)
        };
    }
    if text.starts_with("Unknown tool") {
        return ToolFailure::unknown_tool(text);
    }
    ToolFailure::permanent(text)
}

fn names_no_tool(message: &str) -> bool {
    let message = message.to_lowercase();
    message.contains("tool")
        && [
            "unknown",
            "not found",
            "no such",
            "does not exist",
            "disabled",
        ]
        .iter()
        .any(|words| message.contains(words))
}

/// A failure of the request.
pub(super) fn failure(trouble: Trouble, source: &str, last_words: &str) -> ToolFailure {
    match trouble {
        Trouble::NotSent => {
            ToolFailure::transient(format!("`{source}` ended before it was called"))
        }
        Trouble::Ended(reason) => {
            let message = format!("`{source}` ended during the call: {reason}");
            let message = if last_words.is_empty() {
                message
            } else {
                format!("{message}. It last wrote:\n{last_words}")
            };
            ToolFailure::transient(message)
                .uncertain()
                .with_hint("it is started again with the next call")
        }
        Trouble::Refused(error) => refused(error),
        Trouble::Transport(ServiceError::Cancelled { .. }) => {
            ToolFailure::transient("the call was cancelled by the server").uncertain()
        }
        Trouble::Transport(error) => match http::fault_of(&error) {
            Some(fault) => fault.to_failure(source),
            None => ToolFailure::transient(format!("`{source}` could not be reached: {error}"))
                .uncertain(),
        },
    }
}

/// What JSON-RPC calls an error.
fn refused(error: ErrorData) -> ToolFailure {
    let message = if error.message.is_empty() {
        format!("the server answered with error {}", error.code.0)
    } else {
        error.message.into_owned()
    };
    match error.code {
        message::TOO_LONG => ToolFailure::limit(message)
            .happened()
            .with_hint("ask for less: a page, a range, fewer fields"),
        message::GARBLED => ToolFailure::permanent(message).uncertain(),
        ErrorCode::INVALID_PARAMS | ErrorCode::METHOD_NOT_FOUND if names_no_tool(&message) => {
            ToolFailure::unknown_tool(message)
        }
        ErrorCode::INVALID_PARAMS => ToolFailure::invalid(message),
        ErrorCode::METHOD_NOT_FOUND => ToolFailure::unknown_tool(message),
        // The request was not even read.
        ErrorCode::PARSE_ERROR | ErrorCode::INVALID_REQUEST => ToolFailure::permanent(message),
        // -32001 is a time-out in the reference implementations.
        ErrorCode(-32_001 | -32_000) => ToolFailure::transient(message).uncertain(),
        _ => ToolFailure::permanent(message).uncertain(),
    }
}

#[cfg(test)]
mod tests {
    use holloway_engine::failure::FailureName;

    use super::*;

    fn text(text: &str) -> Value {
        json!({"type": "text", "text": text})
    }

    fn check(result: Value, expected: Value) {
        assert_eq!(value(result.clone()).unwrap(), expected, "{result}");
    }

    #[test]
    fn answers_become_json() {
        let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
        let link = json!({"type": "resource_link", "uri": "file:///a", "name": "a"});
        for (result, expected) in [
            (
                json!({"structuredContent": {"a": 1}, "content": [text("no")]}),
                json!({"a": 1}),
            ),
            (json!({"structuredContent": [1]}), json!([1])),
            (
                json!({"structuredContent": null, "content": [text("x")]}),
                json!({"text": "x"}),
            ),
            (json!({"content": [text(" {\"a\": 1}\n")]}), json!({"a": 1})),
            (json!({"content": [text("[1, 2]")]}), json!([1, 2])),
            (
                json!({"content": [text("{broken")]}),
                json!({"text": "{broken"}),
            ),
            (json!({"content": [text("17")]}), json!({"text": "17"})),
            (
                json!({"content": [text("{}"), text("[]")]}),
                json!({"text": "{}\n\n[]"}),
            ),
            (json!({"content": []}), json!({"text": ""})),
            (json!({"content": [image]}), json!({"content": [image]})),
            (
                json!({"content": [text("see"), link]}),
                json!({"content": [text("see"), link]}),
            ),
            (
                json!({"content": [{"type": "new", "x": 1, "annotations": {}}]}),
                json!({"content": [{"type": "new", "x": 1}]}),
            ),
        ] {
            check(result, expected);
        }
    }

    #[test]
    fn what_is_no_result_is_not_taken_for_one() {
        for result in [
            json!({}),
            json!(null),
            json!({"content": 7}),
            json!({"a": 1}),
        ] {
            let failure = value(result.clone()).unwrap_err();
            assert!(failure.happened, "{result}");
        }
    }

    fn check_reported(message: &str, name: FailureName) {
        let failure = value(json!({"isError": true, "content": [text(message)]})).unwrap_err();
        assert_eq!(failure.name, name, "{message}");
        assert!(!failure.retryable && !failure.uncertain);
        assert!(!failure.message.is_empty());
    }

    #[test]
    fn reported_failures_have_names() {
        for (message, name) in [
            ("no such file", FailureName::ToolFailed),
            ("", FailureName::ToolFailed),
            (
                "MCP error -32602: Input validation error",
                FailureName::ValidationFailed,
            ),
            (
                "MCP error -32602: Tool x not found",
                FailureName::UnknownTool,
            ),
            ("Unknown tool: x", FailureName::UnknownTool),
        ] {
            check_reported(message, name);
        }
    }

    #[test]
    fn refusals_have_names() {
        for (code, message, name, retryable, uncertain) in [
            (
                -32_602,
                "Unknown tool: x",
                FailureName::UnknownTool,
                false,
                false,
            ),
            (
                -32_602,
                "`path` is missing",
                FailureName::ValidationFailed,
                false,
                false,
            ),
            (-32_601, "", FailureName::UnknownTool, false, false),
            (-32_603, "boom", FailureName::ToolFailed, false, true),
            (
                -32_001,
                "Request timed out",
                FailureName::ToolFailed,
                true,
                true,
            ),
            (
                -31_002,
                "too long",
                FailureName::LimitExceeded,
                false,
                false,
            ),
            (-31_001, "garbled", FailureName::ToolFailed, false, true),
        ] {
            let failure = refused(ErrorData::new(ErrorCode(code), message, None));
            let found = (failure.name, failure.retryable, failure.uncertain);
            assert_eq!(found, (name, retryable, uncertain), "{code} {message}");
        }
    }
}
