//! How is a body written? As the media type says; bytes are given in base64, because
//! plans hold JSON.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use holloway_engine::failure::ToolFailure;
use serde_json::Value;

use super::operation::content::{Body, Kind, is_json};
use super::style::{deep, encode, text};

/// A body with the content type that goes with it.
#[derive(Debug, PartialEq)]
pub(crate) struct Payload {
    pub(crate) content_type: String,
    pub(crate) bytes: Vec<u8>,
}

/// Writes `value`; `seed` makes the boundary of a form.
pub(crate) fn write(body: &Body, value: &Value, seed: &str) -> Result<Payload, ToolFailure> {
    let mut content_type = body.media_type.clone();
    let bytes = match body.kind {
        Kind::Json => value.to_string().into_bytes(),
        Kind::Text => text(value).into_bytes(),
        Kind::Bytes => decode("body", value)?,
        Kind::Form => form(body, fields(value)?).into_bytes(),
        Kind::Multipart => {
            let parts = parts(body, fields(value)?)?;
            let boundary = boundary(&parts, seed);
            let kind = content_type.split(';').next().unwrap_or_default();
            content_type = format!("{kind}; boundary={boundary}");
            join_parts(&parts, &boundary)
        }
    };
    if body.kind == Kind::Text && !content_type.contains("charset") {
        content_type.push_str("; charset=utf-8");
    }
    Ok(Payload {
        content_type,
        bytes,
    })
}

type Fields = serde_json::Map<String, Value>;

fn fields(value: &Value) -> Result<&Fields, ToolFailure> {
    value
        .as_object()
        .ok_or_else(|| ToolFailure::invalid("`body` must be an object: it is sent as a form"))
}

fn decode(name: &str, value: &Value) -> Result<Vec<u8>, ToolFailure> {
    let text = value.as_str().unwrap_or_default();
    BASE64_STANDARD.decode(text).map_err(|error| {
        ToolFailure::invalid(format!("`{name}` must be base64: {error}"))
            .with_hint("bytes are given as base64 text")
    })
}

fn form(body: &Body, fields: &Fields) -> String {
    let mut pairs = Vec::new();
    for (name, value) in fields {
        let style = body
            .encodings
            .get(name)
            .and_then(|encoding| encoding.style.as_deref());
        match value {
            Value::Null => {}
            Value::Object(_) if style == Some("deepObject") => pairs.extend(deep(name, value)),
            Value::Array(items) => {
                pairs.extend(items.iter().map(|item| (encode(name), encode(&text(item)))));
            }
            one => pairs.push((encode(name), encode(&text(one)))),
        }
    }
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    pairs.join("&")
}

/// One part of a multipart body.
struct Part {
    head: String,
    content: Vec<u8>,
}

fn parts(body: &Body, fields: &Fields) -> Result<Vec<Part>, ToolFailure> {
    let mut parts = Vec::new();
    for (name, value) in fields {
        let items = match value {
            Value::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        for item in items.iter().filter(|item| !item.is_null()) {
            parts.push(part(body, name, item)?);
        }
    }
    Ok(parts)
}

fn part(body: &Body, name: &str, value: &Value) -> Result<Part, ToolFailure> {
    let declared = body
        .encodings
        .get(name)
        .and_then(|encoding| encoding.content_type.as_deref());
    // A list of types is for the service to accept, not for us to send.
    let declared = declared.filter(|declared| !declared.contains([',', '*', '\r', '\n']));
    let quoted = quote(name);
    let mut head = format!("content-disposition: form-data; name=\"{quoted}\"");
    let (content_type, content) = if body.binary.contains(name) {
        head.push_str("; filename=\"");
        head.push_str(&quoted);
        head.push('"');
        (
            declared.or(Some("application/octet-stream")),
            decode(name, value)?,
        )
    } else if value.is_object() || declared.is_some_and(is_json) {
        (
            declared.or(Some("application/json")),
            value.to_string().into_bytes(),
        )
    } else {
        (declared, text(value).into_bytes())
    };
    if let Some(content_type) = content_type {
        head.push_str("\r\ncontent-type: ");
        head.push_str(content_type);
    }
    Ok(Part { head, content })
}

/// A name cannot end its quotes or its line.
fn quote(name: &str) -> String {
    name.replace('"', "%22")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A line that none of the parts holds.
fn boundary(parts: &[Part], seed: &str) -> String {
    let mut boundary = blake3::hash(seed.as_bytes()).to_hex().to_string();
    let holds = |boundary: &str| {
        let line = boundary.as_bytes();
        parts.iter().any(|part| {
            part.content
                .windows(line.len())
                .any(|window| window == line)
        })
    };
    while holds(&boundary) {
        boundary = blake3::hash(boundary.as_bytes()).to_hex().to_string();
    }
    boundary
}

fn join_parts(parts: &[Part], boundary: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(format!("--{boundary}\r\n{}\r\n\r\n", part.head).as_bytes());
        bytes.extend_from_slice(&part.content);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::operation::content::kind_of;
    use serde_json::json;
    use std::collections::HashSet;

    fn body(media_type: &str) -> Body {
        let encodings = json!({
            "deep": {"style": "deepObject"},
            "meta": {"contentType": "application/json"},
            "photo": {"contentType": "image/png"}
        });
        Body {
            media_type: media_type.to_owned(),
            kind: kind_of(media_type),
            required: true,
            description: String::new(),
            schema: None,
            binary: HashSet::from(["file".to_owned(), "photo".to_owned()]),
            encodings: serde_json::from_value(encodings).unwrap(),
        }
    }

    #[track_caller]
    fn check(media_type: &str, value: Value, content_type: &str, expected: &str) {
        let payload = write(&body(media_type), &value, "seed").unwrap();
        let boundary = blake3::hash(b"seed").to_hex().to_string();
        let text = String::from_utf8(payload.bytes).unwrap();
        assert_eq!(text.replace(&boundary, "B").replace("\r\n", "\n"), expected);
        assert_eq!(payload.content_type.replace(&boundary, "B"), content_type);
    }

    #[test]
    fn each_media_type_is_written_its_way() {
        let json = "application/merge-patch+json";
        check(json, json!({"a": null}), json, r#"{"a":null}"#);
        check(
            "text/plain",
            json!("grün"),
            "text/plain; charset=utf-8",
            "grün",
        );
        check(
            "application/octet-stream",
            json!("aGk="),
            "application/octet-stream",
            "hi",
        );
        check(
            "application/x-www-form-urlencoded",
            json!({"a": "x y&z", "b": [1, 2], "deep": {"c": true}, "o": {"d": 1}, "n": null}),
            "application/x-www-form-urlencoded",
            "a=x%20y%26z&b=1&b=2&deep%5Bc%5D=true&o=%7B%22d%22%3A1%7D",
        );
    }

    #[test]
    fn parts_keep_their_types() {
        check(
            "multipart/form-data",
            json!({"a\"\r\nb": "x", "file": "aGk=", "photo": ["aGk="], "meta": {"k": 1}, "n": [1, 2]}),
            "multipart/form-data; boundary=B",
            "--B\ncontent-disposition: form-data; name=\"a%22%0D%0Ab\"\n\nx\n\
             --B\ncontent-disposition: form-data; name=\"file\"; filename=\"file\"\ncontent-type: application/octet-stream\n\nhi\n\
             --B\ncontent-disposition: form-data; name=\"photo\"; filename=\"photo\"\ncontent-type: image/png\n\nhi\n\
             --B\ncontent-disposition: form-data; name=\"meta\"\ncontent-type: application/json\n\n{\"k\":1}\n\
             --B\ncontent-disposition: form-data; name=\"n\"\n\n1\n\
             --B\ncontent-disposition: form-data; name=\"n\"\n\n2\n--B--\n",
        );
    }

    #[test]
    fn the_boundary_is_in_no_part() {
        let first = blake3::hash(b"seed").to_hex().to_string();
        let payload = write(&body("multipart/form-data"), &json!({"a": first}), "seed").unwrap();
        assert!(!payload.content_type.contains(&first));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (media_type, value) in [
            ("application/octet-stream", json!("not base64!")),
            ("multipart/form-data", json!({"file": "%%"})),
            ("multipart/form-data", json!("text")),
            ("application/x-www-form-urlencoded", json!([1])),
        ] {
            assert!(
                write(&body(media_type), &value, "").is_err(),
                "{media_type}"
            );
        }
    }
}
