//! What is sent as a body, and what comes back? Of several media types the one is
//! chosen that plans can use best: JSON, then forms, then text, then bytes.

use std::collections::HashSet;

use oas3::Map as Ordered;
use oas3::spec::Encoding;
use serde_json::{Map, Value};

use super::{only, typed};
use crate::openapi::document::{Document, Flaw, join};

/// The body of a request.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) media_type: String,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
    pub(crate) description: String,
    /// Where its schema stands.
    pub(crate) schema: Option<String>,
    /// Fields of a form that are bytes, given in base64.
    pub(crate) binary: HashSet<String>,
    pub(crate) encodings: Ordered<String, Encoding>,
}

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Json,
    Form,
    Multipart,
    Text,
    Bytes,
}

/// What an answer of success looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The JSON itself, and where its schema stands.
    Json {
        media_type: String,
        schema: Option<String>,
    },
    /// Text or bytes, in a wrapping.
    Other { media_type: String },
    /// No body.
    Empty,
    /// The description does not say.
    Unknown,
}

pub(crate) fn kind_of(media_type: &str) -> Kind {
    let name = media_type.split(';').next().unwrap_or_default();
    let name = name.trim().to_ascii_lowercase();
    match name.as_str() {
        "application/x-www-form-urlencoded" => Kind::Form,
        "*/*" | "application/*" => Kind::Json,
        name if is_json(name) => Kind::Json,
        name if name.starts_with("multipart/") => Kind::Multipart,
        "application/xml" | "application/yaml" | "application/graphql" | "application/x-ndjson" => {
            Kind::Text
        }
        name if name.starts_with("text/") || name.ends_with("+xml") => Kind::Text,
        _ => Kind::Bytes,
    }
}

pub(crate) fn is_json(media_type: &str) -> bool {
    let name = media_type.split(';').next().unwrap_or_default();
    let name = name.trim().to_ascii_lowercase();
    name == "application/json" || name == "text/json" || name.ends_with("+json")
}

pub(crate) fn body(
    document: &Document,
    operation: &Map<String, Value>,
    pointer: &str,
) -> Result<Option<Body>, Flaw> {
    let Some(value) = operation.get("requestBody") else {
        return Ok(None);
    };
    let (fields, at) = document.object(value, &join(pointer, "requestBody"))?;
    let content = fields.get("content").and_then(Value::as_object);
    let best = content.and_then(|content| {
        content.iter().min_by_key(|(name, _)| {
            let other = name.as_str() != "application/json";
            (kind_of(name), name.contains('*'), other)
        })
    });
    let Some((media_type, media)) = best else {
        return Err(Flaw::new(at, "the body has no `content`"));
    };
    let at = join(&join(&at, "content"), media_type);
    let kind = kind_of(media_type);
    let schema = media.get("schema").map(|_| join(&at, "schema"));
    let encodings = media.as_object().map(|media| only(media, &["encoding"]));
    let encodings = encodings.and_then(|mut media| Some(media.get_mut("encoding")?.take()));
    let encodings = encodings.map(|value| typed(value, &join(&at, "encoding")));
    Ok(Some(Body {
        media_type: concrete(media_type, kind).to_owned(),
        required: fields.get("required") == Some(&Value::Bool(true)),
        description: text(fields, "description"),
        binary: match &schema {
            Some(schema) if kind == Kind::Multipart => binary_fields(document, schema),
            _ => HashSet::new(),
        },
        encodings: encodings.transpose()?.unwrap_or_default(),
        kind,
        schema,
    }))
}

/// A pattern such as `image/*` is not something that can be sent.
fn concrete(media_type: &str, kind: Kind) -> &str {
    match kind {
        _ if !media_type.contains('*') => media_type,
        Kind::Json => "application/json",
        Kind::Form => "application/x-www-form-urlencoded",
        Kind::Multipart => "multipart/form-data",
        Kind::Text => "text/plain",
        Kind::Bytes => "application/octet-stream",
    }
}

fn text(fields: &Map<String, Value>, name: &str) -> String {
    let text = fields.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// The properties of a form that hold bytes, also as a list.
fn binary_fields(document: &Document, schema: &str) -> HashSet<String> {
    let Some(value) = document.root.pointer(schema) else {
        return HashSet::new();
    };
    let Ok((value, _)) = document.follow(value, schema) else {
        return HashSet::new();
    };
    let properties = value.get("properties").and_then(Value::as_object);
    let bytes = properties.into_iter().flatten().filter(|(_, property)| {
        let property = document
            .follow(property, "")
            .map_or(*property, |(value, _)| value);
        is_binary(property) || property.get("items").is_some_and(is_binary)
    });
    bytes.map(|(name, _)| name.clone()).collect()
}

fn is_binary(schema: &Value) -> bool {
    let is = |word: &str, wanted: &str| schema.get(word).and_then(Value::as_str) == Some(wanted);
    is("format", "binary")
        || is("contentEncoding", "binary")
        || (schema.get("contentMediaType").is_some() && schema.get("contentEncoding").is_none())
}

/// The shapes of all answers of success, each once.
pub(crate) fn answers(
    document: &Document,
    operation: &Map<String, Value>,
    pointer: &str,
) -> Result<Vec<Shape>, Flaw> {
    let mut shapes = Vec::new();
    let responses = operation.get("responses").and_then(Value::as_object);
    for (status, value) in responses.into_iter().flatten() {
        if !status.starts_with('2') {
            continue;
        }
        let at = join(&join(pointer, "responses"), status);
        let (fields, at) = document.object(value, &at)?;
        let shape = shape(document, status, fields, &at);
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    Ok(shapes)
}

fn shape(document: &Document, status: &str, response: &Map<String, Value>, pointer: &str) -> Shape {
    let content = response.get("content").and_then(Value::as_object);
    let best = content.and_then(|content| content.iter().min_by_key(|(name, _)| kind_of(name)));
    let Some((media_type, media)) = best else {
        // Many descriptions leave out what comes back with 200.
        let bare = matches!(status, "204" | "205");
        return if bare { Shape::Empty } else { Shape::Unknown };
    };
    let media_type = media_type.clone();
    if kind_of(&media_type) != Kind::Json {
        return Shape::Other { media_type };
    }
    if media_type.contains('*')
        && media
            .get("schema")
            .is_none_or(|schema| is_text(document, schema))
    {
        return Shape::Unknown;
    }
    let at = join(&join(pointer, "content"), &media_type);
    Shape::Json {
        schema: media.get("schema").map(|_| join(&at, "schema")),
        media_type,
    }
}

/// A text under any media type may come with quotes or without.
fn is_text(document: &Document, schema: &Value) -> bool {
    let schema = document
        .follow(schema, "")
        .map_or(schema, |(value, _)| value);
    schema.get("type").and_then(Value::as_str) == Some("string")
}
