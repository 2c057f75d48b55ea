//! How does an answer become a page? Text decoded, headers by name, cookies apart,
//! both sizes and times beside it.

use std::collections::BTreeMap;

use holloway_audit::page::Page;
use reqwest::header::{HeaderMap, SET_COOKIE};
use serde_json::{Value, json};

use super::super::http::raw::Raw;
use super::charset;

/// The page in an answer. What is no text has no `html`.
pub(crate) fn page(raw: Raw) -> Page {
    let content_type = raw.header("content-type").to_owned();
    let html = if may_be_text(&content_type) {
        charset::decode(&raw.body, &content_type).0
    } else {
        String::new()
    };
    let cookies = raw.headers.get_all(SET_COOKIE).iter();
    Page {
        url: raw.url.to_string(),
        status: raw.status,
        headers: headers(&raw.headers),
        cookies: cookies.map(|value| lossy(value.as_bytes())).collect(),
        html,
        redirects: raw.redirects.iter().map(ToString::to_string).collect(),
        transferred: raw.transferred,
        bytes: raw.body.len() as u64,
        first_byte_ms: raw.first_byte_ms,
        total_ms: raw.total_ms,
    }
}

/// By lower-case name, repeated ones joined; cookies are left out.
pub(crate) fn headers(headers: &HeaderMap) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in headers {
        if name == SET_COOKIE {
            continue;
        }
        let value = lossy(value.as_bytes());
        all.entry(name.as_str().to_owned())
            .and_modify(|earlier| {
                earlier.push_str(", ");
                earlier.push_str(&value);
            })
            .or_insert(value);
    }
    all
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The media type without its parameters, in lower case.
pub(crate) fn media_type(content_type: &str) -> String {
    let kind = content_type.split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}

fn may_be_text(content_type: &str) -> bool {
    let kind = media_type(content_type);
    kind.is_empty() || kind.starts_with("text/") || kind.ends_with("xml") || kind.ends_with("json")
}

/// Is this something a browser shows as a page?
pub(crate) fn is_html(page: &Page) -> bool {
    let content_type = page.headers.get("content-type");
    let kind = content_type
        .map(|kind| media_type(kind))
        .unwrap_or_default();
    kind.is_empty() || kind == "text/html" || kind == "application/xhtml+xml"
}

/// The schema of a page, as other tools take it.
pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["url", "status", "headers", "cookies", "html", "transferred", "bytes", "first_byte_ms", "total_ms"],
        "properties": {
            "url": {"type": "string", "description": "Where the answer came from, after redirects"},
            "status": {"type": "integer"},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}, "description": "By lower-case name"},
            "cookies": {"type": "array", "items": {"type": "string"}, "description": "The Set-Cookie headers"},
            "html": {"type": "string", "description": "The decoded text; empty where the answer is no text"},
            "redirects": {"type": "array", "items": {"type": "string"}},
            "transferred": {"type": "integer", "description": "Bytes on the wire"},
            "bytes": {"type": "integer", "description": "Bytes after decompression"},
            "first_byte_ms": {"type": "number"},
            "total_ms": {"type": "number"}
        }
    })
}
