//! Is this text an OpenAPI description that can be used? Reads JSON or YAML within
//! limits, looks at the version, and finds what a `$ref` points to.
//!
//! Invariant: nothing is ever fetched for a reference; what is not in the document
//! does not exist.

use std::sync::Arc;

use holloway_plan::limits::Limits;
use holloway_plan::source::Source;
use serde_json::{Map, Value};

use super::super::{SourceError, SourceErrorKind};

/// The largest description that is read, in bytes.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;

/// References that lead to references that lead to references.
const MAX_HOPS: usize = 32;

/// The description as data, known to be of a version that is understood.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) root: Arc<Value>,
    pub(crate) dialect: Dialect,
}

/// Which words schemas are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// 3.0: `nullable`, `exclusiveMinimum: true`, `example`.
    Thirty,
    /// 3.1: JSON Schema 2020-12.
    ThirtyOne,
}

/// What is wrong, and at which JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {message}")]
pub(crate) struct Flaw {
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl Flaw {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
        }
    }
}

/// Reads the text of a description; `name` is what messages call it.
pub fn parse_text(name: &str, text: &str) -> Result<Value, SourceError> {
    let limits = Limits {
        text_bytes: MAX_BYTES,
        values: 5_000_000,
        steps: usize::MAX,
        ..Limits::default()
    };
    let source = Source::parse(text, &limits).map_err(|problem| {
        let place = problem
            .position
            .map_or_else(String::new, |at| format!(":{at}"));
        let hint = problem.hint.clone();
        spec_error(
            format!("{name}{place}: {}", problem.message),
            hint.unwrap_or_else(|| "a description is JSON or YAML".to_owned()),
        )
    })?;
    Ok(source.value)
}

pub(crate) fn spec_error(message: impl Into<String>, hint: impl Into<String>) -> SourceError {
    SourceError::new(SourceErrorKind::Spec, message, hint)
}

impl Document {
    pub(crate) fn new(root: Value) -> Result<Self, SourceError> {
        let dialect = dialect_of(&root)?;
        if !root.get("paths").is_some_and(Value::is_object) {
            return Err(spec_error(
                "/paths: the description has no paths, so there is nothing to call",
                "`paths` maps addresses such as `/pets` to their operations",
            ));
        }
        Ok(Self {
            root: Arc::new(root),
            dialect,
        })
    }

    /// The object a value stands for: itself, or what its `$ref` leads to, with the
    /// pointer it is found at.
    pub(crate) fn object<'a>(
        &'a self,
        value: &'a Value,
        pointer: &str,
    ) -> Result<(&'a Map<String, Value>, String), Flaw> {
        let (found, at) = self.follow(value, pointer)?;
        match found.as_object() {
            Some(object) => Ok((object, at)),
            None => Err(Flaw::new(
                at,
                format!("expected an object, found {}", kind(found)),
            )),
        }
    }

    /// Follows a value's `$ref`, and the next one, until there is none.
    pub(crate) fn follow<'a>(
        &'a self,
        value: &'a Value,
        pointer: &str,
    ) -> Result<(&'a Value, String), Flaw> {
        let (mut found, mut at) = (value, pointer.to_owned());
        for _ in 0..MAX_HOPS {
            let Some(reference) = found.get("$ref").and_then(Value::as_str) else {
                return Ok((found, at));
            };
            let target = local_pointer(reference, &at)?;
            found = self.at(&target, &at)?;
            at = target;
        }
        Err(Flaw::new(at, "this reference leads in a circle"))
    }

    /// What stands at `target`; `from` is who asks.
    pub(crate) fn at(&self, target: &str, from: &str) -> Result<&Value, Flaw> {
        self.root.pointer(target).ok_or_else(|| {
            Flaw::new(
                from,
                format!("`#{target}` points to nothing in this description"),
            )
        })
    }
}

fn dialect_of(root: &Value) -> Result<Dialect, SourceError> {
    if let Some(version) = root.get("swagger") {
        let version = version.as_str().map_or(version.to_string(), str::to_owned);
        return Err(spec_error(
            format!("/swagger: this is Swagger {version}; OpenAPI 3.0 and 3.1 are read"),
            "convert it first, for instance with the npm package swagger2openapi",
        ));
    }
    let hint = "write `openapi: \"3.1.0\"` or `openapi: \"3.0.3\"` at the top";
    match root.get("openapi") {
        Some(Value::String(version)) if is_version(version, "3.0") => Ok(Dialect::Thirty),
        Some(Value::String(version)) if is_version(version, "3.1") => Ok(Dialect::ThirtyOne),
        Some(other) => Err(spec_error(
            format!("/openapi: version {other} is not read; 3.0 and 3.1 are"),
            hint,
        )),
        None => Err(spec_error(
            format!(
                "this is no OpenAPI description: {} without `openapi`",
                kind(root)
            ),
            hint,
        )),
    }
}

fn is_version(text: &str, wanted: &str) -> bool {
    text.strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}

/// The JSON pointer of a local `$ref`; anything else is refused by name.
pub(crate) fn local_pointer(reference: &str, from: &str) -> Result<String, Flaw> {
    let Some(fragment) = reference.strip_prefix('#') else {
        let message = format!(
            "`{reference}` is another document; only references into this one are followed"
        );
        return Err(Flaw::new(from, message));
    };
    let pointer = percent_decode(fragment);
    if pointer.is_empty() || pointer.starts_with('/') {
        return Ok(pointer);
    }
    let message = format!("`{reference}` is no place in this description");
    Err(Flaw::new(from, message))
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = match (first, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = code {
            bytes.push(high * 16 + low);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

/// One more step of a JSON pointer.
pub(crate) fn join(pointer: &str, part: &str) -> String {
    let part = part.replace('~', "~0").replace('/', "~1");
    format!("{pointer}/{part}")
}

pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a yes or no",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let read = parse_text("api.yaml", text).and_then(Document::new);
        let found = match read {
            Ok(document) => format!("{:?}", document.dialect),
            Err(error) => format!("{error} | {}", error.hint),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn versions_are_told_apart() {
        check("openapi: 3.0.3\npaths: {}", "Thirty");
        check(r#"{"openapi": "3.1.0", "paths": {}}"#, "ThirtyOne");
        check(
            "openapi: '3.1'\npaths:\n  /a:\n    get:\n      responses:\n        200: {}",
            "ThirtyOne",
        );
        let wanted = "write `openapi: \"3.1.0\"` or `openapi: \"3.0.3\"` at the top";
        check(
            "openapi: 3.1\npaths: {}",
            &format!("/openapi: version 3.1 is not read; 3.0 and 3.1 are | {wanted}"),
        );
        check(
            "openapi: 3.10.0\npaths: {}",
            &format!("/openapi: version \"3.10.0\" is not read; 3.0 and 3.1 are | {wanted}"),
        );
        check(
            "swagger: '2.0'",
            "/swagger: this is Swagger 2.0; OpenAPI 3.0 and 3.1 are read | convert it first, for instance with the npm package swagger2openapi",
        );
        check(
            "[1]",
            &format!("this is no OpenAPI description: a list without `openapi` | {wanted}"),
        );
    }

    #[test]
    fn broken_text_has_a_place() {
        check(
            "{\"openapi\": \"3.1.0\",\n \"paths\" {}}",
            "api.yaml:2:10: expected `:`, found `{` | check commas, quotes and brackets around this place",
        );
        check(
            "openapi: 3.1.0",
            "/paths: the description has no paths, so there is nothing to call | `paths` maps addresses such as `/pets` to their operations",
        );
    }

    #[track_caller]
    fn follow(reference: &str, expected: &str) {
        let document = Document::new(json!({
            "openapi": "3.1.0",
            "paths": {"/a/{b}": {"get": 1}},
            "x": {"$ref": "#/y"}, "y": {"$ref": "#/z"}, "z": {"is": "z"},
            "circle": {"$ref": "#/circle"}
        }))
        .unwrap();
        let value = json!({"$ref": reference});
        let found = match document.follow(&value, "/here") {
            Ok((value, at)) => format!("{value} at {at}"),
            Err(flaw) => flaw.to_string(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn references_stay_in_the_document() {
        follow("#/x", r#"{"is":"z"} at /z"#);
        follow("#/paths/~1a~1%7Bb%7D/get", "1 at /paths/~1a~1{b}/get");
        follow(
            "#/nowhere",
            "/here: `#/nowhere` points to nothing in this description",
        );
        follow("#/circle", "/circle: this reference leads in a circle");
        follow(
            "#anchor",
            "/here: `#anchor` is no place in this description",
        );
        for remote in [
            "other.yaml#/a",
            "http://169.254.169.254/spec.json",
            "file:///etc/passwd",
        ] {
            follow(
                remote,
                &format!(
                    "/here: `{remote}` is another document; only references into this one are followed"
                ),
            );
        }
    }
}
