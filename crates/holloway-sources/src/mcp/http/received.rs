//! How does an answer pass the types of the protocol without losing what they do not know?

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage};
use serde_json::{Map, Value, json};

use super::super::message::{self, Said};

/// Where a result stands as received, past the types of the protocol.
const AS_RECEIVED: &str = "holloway/as-received";

/// What a message waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Awaits {
    Nothing,
    Answer,
    Tools,
    Result,
}

pub(super) fn awaits(message: &ClientJsonRpcMessage) -> Awaits {
    let JsonRpcMessage::Request(request) = message else {
        return Awaits::Nothing;
    };
    match request.request {
        ClientRequest::ListToolsRequest(_) => Awaits::Tools,
        ClientRequest::CallToolRequest(_) => Awaits::Result,
        _ => Awaits::Answer,
    }
}

pub(super) fn error_in(body: &[u8]) -> Option<ServerJsonRpcMessage> {
    let Said::Messages(messages) = message::read(body) else {
        return None;
    };
    let error = messages.into_iter().find(|one| one.contains_key("error"))?;
    message::typed(error)
}

/// The answer in a body; of a batch, the one with a result.
pub(super) fn message_in(body: &[u8], awaits: Awaits) -> Option<ServerJsonRpcMessage> {
    let Said::Messages(messages) = message::read(body) else {
        return None;
    };
    let answer = messages
        .into_iter()
        .find(|one| one.contains_key("result") || one.contains_key("error"))?;
    message::typed(wrapped(answer, awaits))
}

/// The data of an event, with a result kept as received.
pub(super) fn kept(data: String, awaits: Awaits) -> String {
    if !matches!(awaits, Awaits::Tools | Awaits::Result) {
        return data;
    }
    match serde_json::from_str(&data) {
        Ok(Value::Object(object)) if object.contains_key("result") => {
            Value::Object(wrapped(object, awaits)).to_string()
        }
        _ => data,
    }
}

/// Puts the result where no type of the protocol takes anything from it. A list stays
/// readable beside: the transport looks up in it which arguments go into headers.
fn wrapped(mut object: Map<String, Value>, awaits: Awaits) -> Map<String, Value> {
    let Some(result) = object.get_mut("result") else {
        return object;
    };
    match awaits {
        Awaits::Nothing | Awaits::Answer => {}
        Awaits::Result => *result = json!({ AS_RECEIVED: result.take() }),
        Awaits::Tools => {
            let whole = result.clone();
            if let Some(fields) = result.as_object_mut() {
                fields.insert("_meta".to_owned(), json!({ AS_RECEIVED: whole }));
            }
        }
    }
    object
}

/// The result as received.
pub(in crate::mcp) fn unwrapped(mut result: Value) -> Value {
    if let Some(whole) = result.get_mut(AS_RECEIVED) {
        return whole.take();
    }
    match result.pointer_mut("/_meta/holloway~1as-received") {
        Some(whole) => whole.take(),
        None => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(awaits: Awaits, result: Value) {
        let answer = json!({"jsonrpc": "2.0", "id": 3, "result": result});
        let read = message_in(answer.to_string().as_bytes(), awaits).unwrap();
        let ServerJsonRpcMessage::Response(response) = read else {
            panic!("no answer");
        };
        let found = unwrapped(serde_json::to_value(&response.result).unwrap());
        assert_eq!(found, result);
        let event: Value = serde_json::from_str(&kept(answer.to_string(), awaits)).unwrap();
        assert_eq!(unwrapped(event["result"].clone()), result);
    }

    #[test]
    fn results_pass_the_types_of_the_protocol_unchanged() {
        check(
            Awaits::Tools,
            json!({"tools": [{"name": "a", "inputSchema": {}, "new": 1}], "_meta": {"x": 1}}),
        );
        check(Awaits::Tools, json!({"tools": [{"name": 7}]}));
        check(
            Awaits::Result,
            json!({"content": [{"type": "hologram", "x": 1}], "isError": false, "new": 2}),
        );
        check(Awaits::Result, json!({}));
        check(
            Awaits::Result,
            json!({"resultType": "input_required", "requestState": "s"}),
        );
    }
}
