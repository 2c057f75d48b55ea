//! How does a response become a tool's result? Read up to a limit, counted after
//! decompression, as text where it is text and as base64 where it is not.

use std::time::{Duration, Instant};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use encoding_rs::Encoding;
use holloway_engine::failure::ToolFailure;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, Response};
use serde_json::{Map, Value, json};

use super::failure;
use super::{Http, Outgoing};

/// The output schema of both HTTP tools.
pub(crate) fn schema() -> Value {
    super::super::declaration::output(
        &[
            "url",
            "status",
            "headers",
            "content_type",
            "bytes",
            "truncated",
            "duration_ms",
        ],
        json!({
            "url": {"type": "string", "description": "Where the response came from, after redirects"},
            "status": {"type": "integer", "description": "HTTP status; 4xx and 5xx are results, not failures"},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}, "description": "Response headers by lower-case name"},
            "content_type": {"type": "string"},
            "body": {"type": "string", "description": "The body, when it is text"},
            "base64": {"type": "string", "description": "The body in base64, when it is not text"},
            "bytes": {"type": "integer", "description": "Bytes of the body that were read"},
            "truncated": {"type": "boolean", "description": "True when the body went on past the limit"},
            "duration_ms": {"type": "integer"}
        }),
    )
}

impl Http {
    /// Makes the request and reads the response, all within `timeout_ms`.
    pub(crate) async fn run(
        &self,
        outgoing: Outgoing,
        timeout_ms: u64,
        max_bytes: Option<u64>,
    ) -> Result<Value, ToolFailure> {
        let limit = self.grants.byte_limit(max_bytes) as usize;
        let method = outgoing.method.clone();
        let started = Instant::now();
        let exchange = async {
            let response = self.exchange(outgoing).await?;
            read(response, &method, limit).await
        };
        let mut result = tokio::time::timeout(Duration::from_millis(timeout_ms), exchange)
            .await
            .map_err(|_| ToolFailure::timeout(timeout_ms))??;
        result.insert(
            "duration_ms".to_owned(),
            json!(started.elapsed().as_millis() as u64),
        );
        Ok(Value::Object(result))
    }
}

async fn read(
    mut response: Response,
    method: &Method,
    limit: usize,
) -> Result<Map<String, Value>, ToolFailure> {
    let mut body = Vec::new();
    let mut truncated = false;
    while let Some(chunk) = next_chunk(&mut response, method).await? {
        let room = limit - body.len();
        body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        if chunk.len() > room {
            truncated = true;
            break;
        }
    }
    let content_type = content_type(response.headers());
    let mut result = Map::new();
    result.insert("url".to_owned(), json!(response.url().as_str()));
    result.insert("status".to_owned(), json!(response.status().as_u16()));
    result.insert("headers".to_owned(), headers(response.headers()));
    result.insert("bytes".to_owned(), json!(body.len()));
    result.insert("truncated".to_owned(), json!(truncated));
    let (name, text) = encode(body, &content_type, truncated);
    result.insert(name.to_owned(), json!(text));
    result.insert("content_type".to_owned(), json!(content_type));
    Ok(result)
}

pub(super) async fn next_chunk(
    response: &mut Response,
    method: &Method,
) -> Result<Option<impl std::ops::Deref<Target = [u8]> + use<>>, ToolFailure> {
    let chunk = response.chunk().await;
    chunk.map_err(|error| failure::from_reqwest(error, method))
}

pub(super) fn content_type(headers: &HeaderMap) -> String {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    value.unwrap_or_default().to_owned()
}

fn headers(headers: &HeaderMap) -> Value {
    let mut all = Map::new();
    for (name, value) in headers {
        let text = String::from_utf8_lossy(value.as_bytes());
        match all.get_mut(name.as_str()) {
            Some(Value::String(earlier)) => {
                earlier.push_str(", ");
                earlier.push_str(&text);
            }
            _ => {
                all.insert(name.as_str().to_owned(), json!(text));
            }
        }
    }
    Value::Object(all)
}

/// The body as text under `body`, or in base64 under `base64`.
pub fn encode(body: Vec<u8>, content_type: &str, truncated: bool) -> (&'static str, String) {
    if let Some(encoding) = declared_encoding(content_type) {
        return ("body", encoding.decode(&body).0.into_owned());
    }
    match String::from_utf8(body) {
        Ok(text) => ("body", text),
        Err(error) => {
            let valid = error.utf8_error();
            // A cut in the middle of a character does not make text binary.
            let cut = truncated && valid.error_len().is_none();
            let body = error.into_bytes();
            if cut || content_type.starts_with("text/") {
                ("body", String::from_utf8_lossy(&body).into_owned())
            } else {
                ("base64", BASE64_STANDARD.encode(&body))
            }
        }
    }
}

fn declared_encoding(content_type: &str) -> Option<&'static Encoding> {
    let lower = content_type.to_ascii_lowercase();
    let (_, label) = lower.split_once("charset=")?;
    let label = label.split(';').next().unwrap_or_default();
    Encoding::for_label(label.trim().trim_matches('"').as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &[u8], content_type: &str, truncated: bool, expected: (&str, &str)) {
        let (name, text) = encode(body.to_vec(), content_type, truncated);
        assert_eq!((name, text.as_str()), expected);
    }

    #[test]
    fn text_is_text_and_the_rest_is_base64() {
        check("grün".as_bytes(), "text/plain", false, ("body", "grün"));
        check(
            b"gr\xfcn",
            "text/html; charset=ISO-8859-1",
            false,
            ("body", "grün"),
        );
        check(
            b"\x83\x65",
            "text/plain;charset=\"shift_jis\"",
            false,
            ("body", "テ"),
        );
        check(b"\x89PNG", "image/png", false, ("base64", "iVBORw=="));
        check(b"gr\xc3", "", true, ("body", "gr\u{fffd}"));
        check(b"gr\xc3", "", false, ("base64", "Z3LD"));
        check(b"", "", false, ("body", ""));
    }
}
