//! `http-send`: how is something told to a service? Once, with a key by which the
//! other side can recognise a repeat.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input};
use super::super::{Tool, arguments};
use super::fetch::default_timeout;
use super::{Http, Outgoing, body, parse_headers, parse_url};

const KEY_HEADER: &str = "idempotency-key";

pub(crate) struct Send(pub(crate) Arc<Http>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: String,
    #[serde(default)]
    method: Verb,
    #[serde(default)]
    headers: Map<String, Value>,
    body: Option<String>,
    #[serde(default, deserialize_with = "present")]
    json: Option<Value>,
    #[serde(default = "default_timeout")]
    timeout_ms: u64,
    max_bytes: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Verb {
    #[default]
    Post,
    Put,
    Patch,
    Delete,
}

/// `null` is a JSON body too; only a missing argument is none.
pub(crate) fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

#[async_trait]
impl Tool for Send {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "http-send",
            title: "Send to a URL",
            category: "http",
            description: "Sends a POST, PUT, PATCH or DELETE request with a text or JSON body and returns the response. \
                Use it to change something behind an HTTP API. Every repeat of a call carries the same `Idempotency-Key` \
                header. Redirects are not followed but returned, and error statuses are data, not failures. Private \
                addresses must be granted.",
            effect: Effect::Write,
            latency_ms: 800,
            input: input(
                &["url"],
                json!({
                    "url": {"type": "string", "minLength": 1, "description": "Absolute http or https URL without credentials"},
                    "method": {"type": "string", "enum": ["POST", "PUT", "PATCH", "DELETE"], "default": "POST"},
                    "headers": {"type": "object", "additionalProperties": {"type": "string"}, "default": {}, "description": "Request headers"},
                    "body": {"type": "string", "description": "The body as text; not together with `json`"},
                    "json": {"description": "Any value, sent as application/json; not together with `body`"},
                    "timeout_ms": {"type": "integer", "minimum": 1, "maximum": 600_000, "default": 30_000, "description": "For the whole exchange"},
                    "max_bytes": {"type": "integer", "minimum": 1, "description": "Stop reading the response here; the grant's limit if left out"}
                }),
            ),
            output: body::schema(),
            example: json!({"url": "https://example.com/", "json": {"a": 1}}),
            does: &[],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let mut arguments: Arguments = arguments::parse(arguments)?;
        let mut headers = parse_headers(&arguments.headers)?;
        add_key(&mut headers, &call.key)?;
        let outgoing = Outgoing {
            method: match arguments.method {
                Verb::Post => Method::POST,
                Verb::Put => Method::PUT,
                Verb::Patch => Method::PATCH,
                Verb::Delete => Method::DELETE,
            },
            url: parse_url(&arguments.url)?,
            body: take_body(&mut arguments, &mut headers)?,
            headers,
            follow: false,
        };
        let result = self
            .0
            .run(outgoing, arguments.timeout_ms, arguments.max_bytes);
        result.await.map(CallOutput::from)
    }
}

pub(crate) fn add_key(headers: &mut HeaderMap, key: &str) -> Result<(), ToolFailure> {
    if !headers.contains_key(KEY_HEADER) {
        let value = HeaderValue::from_str(key)
            .map_err(|_| ToolFailure::invalid("the call's key does not fit into a header"))?;
        headers.insert(KEY_HEADER, value);
    }
    Ok(())
}

fn take_body(
    arguments: &mut Arguments,
    headers: &mut HeaderMap,
) -> Result<Option<Vec<u8>>, ToolFailure> {
    let body = match (arguments.body.take(), arguments.json.take()) {
        (Some(_), Some(_)) => {
            return Err(ToolFailure::invalid(
                "give either `body` or `json`, not both",
            ));
        }
        (Some(text), None) => Some((text.into_bytes(), "text/plain; charset=utf-8")),
        (None, Some(value)) => Some((value.to_string().into_bytes(), "application/json")),
        (None, None) => None,
    };
    Ok(body.map(|(bytes, content_type)| {
        headers
            .entry(CONTENT_TYPE)
            .or_insert(HeaderValue::from_static(content_type));
        bytes
    }))
}
