//! `http-fetch`: what is at this address?

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input};
use super::super::{Tool, arguments};
use super::{Http, Outgoing, body, parse_headers, parse_url};

pub(crate) struct Fetch(pub(crate) Arc<Http>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: String,
    #[serde(default)]
    method: Verb,
    #[serde(default)]
    headers: Map<String, Value>,
    #[serde(default = "default_timeout")]
    timeout_ms: u64,
    max_bytes: Option<u64>,
}

#[derive(Default, Deserialize)]
enum Verb {
    #[default]
    #[serde(rename = "GET")]
    Get,
    #[serde(rename = "HEAD")]
    Head,
}

pub(crate) fn default_timeout() -> u64 {
    30_000
}

#[async_trait]
impl Tool for Fetch {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "http-fetch",
            title: "Fetch a URL",
            category: "http",
            description: "Requests an http or https URL with GET or HEAD and returns status, headers and body. \
                Use it to read web pages, files and JSON APIs. Follows up to 10 redirects. Error statuses such as \
                404 or 503 are returned as data, not as failures. Text comes in `body`, anything else in `base64`; \
                `truncated` says that the body was longer than the limit. Private addresses must be granted.",
            effect: Effect::Read,
            latency_ms: 800,
            input: input(
                &["url"],
                json!({
                    "url": {"type": "string", "minLength": 1, "description": "Absolute http or https URL without credentials"},
                    "method": {"type": "string", "enum": ["GET", "HEAD"], "default": "GET"},
                    "headers": {"type": "object", "additionalProperties": {"type": "string"}, "default": {}, "description": "Request headers; not sent on to another host after a redirect"},
                    "timeout_ms": {"type": "integer", "minimum": 1, "maximum": 600_000, "default": 30_000, "description": "For the whole exchange"},
                    "max_bytes": {"type": "integer", "minimum": 1, "description": "Stop reading the body here; the grant's limit if left out"}
                }),
            ),
            output: body::schema(),
            example: json!({"url": "https://example.com/"}),
            does: &[],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let outgoing = Outgoing {
            method: match arguments.method {
                Verb::Get => Method::GET,
                Verb::Head => Method::HEAD,
            },
            url: parse_url(&arguments.url)?,
            headers: parse_headers(&arguments.headers)?,
            body: None,
            follow: true,
        };
        let result = self
            .0
            .run(outgoing, arguments.timeout_ms, arguments.max_bytes);
        result.await.map(CallOutput::from)
    }
}
