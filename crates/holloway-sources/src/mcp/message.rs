//! Is a line of output a message, and which one? Banners, logs and half messages
//! stand beside the protocol in real servers' output.

use rmcp::model::{
    CustomResult, ErrorCode, ErrorData, NumberOrString, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use serde_json::{Map, Value};

/// The answer is there and cannot be read: our own code, outside of what JSON-RPC reserves.
pub(super) const GARBLED: ErrorCode = ErrorCode(-31_001);
/// The answer is longer than the limit.
pub(super) const TOO_LONG: ErrorCode = ErrorCode(-31_002);

/// What a line says.
#[derive(Debug)]
pub(super) enum Said {
    /// One message, or several in a batch of the older protocol.
    Messages(Vec<Map<String, Value>>),
    /// An answer to this request that is not JSON.
    Garbled(RequestId),
    Noise,
}

/// Reads one line.
pub(super) fn read(line: &[u8]) -> Said {
    let text = without_decoration(line);
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return Said::Noise;
    }
    match serde_json::from_slice(text) {
        Ok(Value::Object(object)) if is_message(&object) => Said::Messages(vec![object]),
        Ok(Value::Array(items)) => batch(items),
        Ok(_) => Said::Noise,
        Err(_) => answered(text, text).map_or(Said::Noise, Said::Garbled),
    }
}

fn batch(items: Vec<Value>) -> Said {
    let messages: Vec<_> = items
        .into_iter()
        .filter_map(|item| match item {
            Value::Object(object) if is_message(&object) => Some(object),
            _ => None,
        })
        .collect();
    if messages.is_empty() {
        Said::Noise
    } else {
        Said::Messages(messages)
    }
}

/// A version that is missing is forgiven, another one is not.
fn is_message(object: &Map<String, Value>) -> bool {
    let version = object.get("jsonrpc").is_none_or(|version| version == "2.0");
    let method = object.get("method").is_some_and(Value::is_string);
    let answer = object.contains_key("result") || object.contains_key("error");
    version && (method || (answer && object.contains_key("id")))
}

/// Without what terminals and editors put in front of a line.
fn without_decoration(line: &[u8]) -> &[u8] {
    let mut rest = line.trim_ascii();
    loop {
        if let Some(after) = rest.strip_prefix(b"\xEF\xBB\xBF") {
            rest = after.trim_ascii_start();
        } else if let Some(after) = rest.strip_prefix(b"\x1B[") {
            let end = after
                .iter()
                .position(|byte| (0x40..=0x7E).contains(byte))
                .map_or(after.len(), |position| position + 1);
            rest = after.get(end..).unwrap_or_default().trim_ascii_start();
        } else {
            return rest;
        }
    }
}

/// Which request does a message answer that cannot be read as a whole? An `id` right
/// at the start, or as the last field, is at the top level; no other place is believed.
pub(super) fn answered(head: &[u8], tail: &[u8]) -> Option<RequestId> {
    let head: Vec<u8> = head
        .iter()
        .take(64)
        .copied()
        .filter(|b| *b != b' ')
        .collect();
    let from = tail.len().saturating_sub(64);
    let tail: Vec<u8> = tail
        .iter()
        .skip(from)
        .copied()
        .filter(|b| *b != b' ')
        .collect();
    let first = [&b"{\"jsonrpc\":\"2.0\",\"id\":"[..], &b"{\"id\":"[..]]
        .into_iter()
        .find_map(|opening| number(head.strip_prefix(opening)?));
    first.or_else(|| {
        let tail = tail.trim_ascii_end().strip_suffix(b"}")?;
        let digits = tail.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let (before, id) = tail.split_at_checked(tail.len() - digits.count())?;
        before.strip_suffix(b",\"id\":")?;
        number(id)
    })
}

fn number(bytes: &[u8]) -> Option<RequestId> {
    let digits: Vec<u8> = bytes
        .iter()
        .copied()
        .take_while(u8::is_ascii_digit)
        .collect();
    let number = std::str::from_utf8(&digits).ok()?.parse().ok()?;
    Some(NumberOrString::Number(number))
}

/// An answer of our own making, for a request whose real answer cannot be used.
pub(super) fn stand_in(id: RequestId, code: ErrorCode, message: String) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(ErrorData::new(code, message, None), Some(id))
}

/// The id of an answer, with numbers that came as texts made numbers again.
pub(super) fn id_of(object: &Map<String, Value>) -> Option<RequestId> {
    match object.get("id")? {
        Value::Number(number) => number.as_i64().map(NumberOrString::Number),
        Value::String(text) => Some(text.parse().map_or_else(
            |_| NumberOrString::String(text.as_str().into()),
            NumberOrString::Number,
        )),
        _ => None,
    }
}

/// The answer with its result as received: nothing is dropped for want of a field
/// in somebody's type.
pub(super) fn as_received(mut object: Map<String, Value>) -> Option<ServerJsonRpcMessage> {
    let id = id_of(&object)?;
    let result = object.remove("result")?;
    Some(ServerJsonRpcMessage::response(
        ServerResult::CustomResult(CustomResult(result)),
        id,
    ))
}

/// The message in the types of the protocol.
pub(super) fn typed(mut object: Map<String, Value>) -> Option<ServerJsonRpcMessage> {
    object
        .entry("jsonrpc")
        .or_insert_with(|| Value::String("2.0".to_owned()));
    serde_json::from_value(Value::Object(object)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &[u8], expected: &str) {
        let said = match read(line) {
            Said::Messages(messages) => format!("{} message(s)", messages.len()),
            Said::Garbled(id) => format!("garbled answer to {id}"),
            Said::Noise => "noise".to_owned(),
        };
        assert_eq!(said, expected, "{}", String::from_utf8_lossy(line));
    }

    #[test]
    fn messages_are_told_from_noise() {
        for (line, expected) in [
            (
                &br#"{"jsonrpc":"2.0","id":1,"result":{}}"#[..],
                "1 message(s)",
            ),
            (
                br#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
                "1 message(s)",
            ),
            (br#"{"id":1,"result":{}}"#, "1 message(s)"),
            (
                b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r",
                "1 message(s)",
            ),
            (
                b"\x1B[0m\x1B[32m {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}",
                "1 message(s)",
            ),
            (
                br#"[{"id":1,"result":1},{"id":2,"error":{}},7]"#,
                "2 message(s)",
            ),
            (b"", "noise"),
            (b"   ", "noise"),
            (b"\x1B[31mServer ready\x1B[0m", "noise"),
            (b"\x1B[", "noise"),
            (b"listening on 3000", "noise"),
            (br#"{"level":"info","msg":"ready"}"#, "noise"),
            (br#"{"level":"info","id":3}"#, "noise"),
            (br#"{"jsonrpc":"1.0","id":1,"result":1}"#, "noise"),
            (b"[1, 2]", "noise"),
            (b"{ not json }", "noise"),
            (b"\xFF\xFE{", "noise"),
        ] {
            check(line, expected);
        }
    }

    #[test]
    fn half_an_answer_still_says_whose_it_is() {
        for (line, expected) in [
            (
                &br#"{"jsonrpc":"2.0","id":12,"result":{"con"#[..],
                "garbled answer to 12",
            ),
            (
                br#"{"jsonrpc": "2.0", "id": 12, "result": {"con"#,
                "garbled answer to 12",
            ),
            (
                br#"{"result":{"a" "b"},"jsonrpc":"2.0","id":7}"#,
                "garbled answer to 7",
            ),
            (br#"{"jsonrpc":"2.0","result":{"x":{"id":7}"#, "noise"),
            (br#"{"method":"x","params":{"id":3}"#, "noise"),
        ] {
            check(line, expected);
        }
        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":4,"result":{}{}}}"#,
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        check(deep.as_bytes(), "garbled answer to 4");
    }

    #[test]
    fn an_answer_keeps_what_no_type_knows() {
        let Value::Object(object) = serde_json::json!({
            "jsonrpc": "2.0", "id": "5", "result": {"tools": [{"name": "a", "new": 1}]}
        }) else {
            unreachable!()
        };
        let Some(ServerJsonRpcMessage::Response(answer)) = as_received(object) else {
            panic!("no answer");
        };
        assert_eq!(answer.id, NumberOrString::Number(5));
        let ServerResult::CustomResult(result) = answer.result else {
            panic!("typed");
        };
        assert_eq!(result.0["tools"][0]["new"], 1);
    }
}
