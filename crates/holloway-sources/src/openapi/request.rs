//! How do arguments become a request? Each goes where its parameter says.
//!
//! Invariant: no argument can change which operation is requested: not the path
//! beyond its own piece, not a header that frames the message or proves who calls.

use holloway_engine::failure::ToolFailure;
use oas3::spec::ParameterIn;
use reqwest::Url;
use reqwest::header::{ACCEPT, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::auth::Proof;
use super::operation::Operation;
use super::operation::content::Shape;
use super::operation::parameter::{BODY, KEY_HEADER, Parameter, placeholder};
use super::payload;
use super::style::{self, Pair};
use holloway_tools::http::Outgoing;

/// What is added to the arguments of a call.
pub(crate) struct Extras<'a> {
    /// Headers that a person gave for every request.
    pub(crate) headers: HeaderMap,
    pub(crate) proof: Proof,
    /// The same for every repeat of the call.
    pub(crate) key: &'a str,
}

pub(crate) fn build(
    operation: &Operation,
    arguments: &Value,
    extras: Extras<'_>,
) -> Result<Outgoing, ToolFailure> {
    let mut parts = Parts::default();
    let mut path = operation.path.clone();
    for parameter in &operation.parameters {
        match arguments.get(&parameter.argument) {
            None | Some(Value::Null) if parameter.required => {
                return Err(missing(&parameter.argument));
            }
            None | Some(Value::Null) => {}
            Some(value) if parameter.location == ParameterIn::Path => {
                let text = path_piece(parameter, value)?;
                path = path.replace(&placeholder(&parameter.name), &text);
            }
            Some(value) => parts.add(parameter, value)?,
        }
    }
    let body = parts.body(operation, arguments, extras.key)?;
    parts.accept(operation);
    parts.extras(operation, extras)?;
    let url = address(operation, &path, &parts.query)?;
    Ok(Outgoing {
        method: operation.method.clone(),
        url,
        headers: parts.headers()?,
        body,
        follow: false,
    })
}

fn missing(argument: &str) -> ToolFailure {
    ToolFailure::invalid(format!("`{argument}` is missing"))
}

/// An empty piece would turn `/pets/{id}` into `/pets/`, which is another operation.
fn path_piece(parameter: &Parameter, value: &Value) -> Result<String, ToolFailure> {
    let text = style::path(parameter, value);
    if text.is_empty() {
        let message = format!(
            "`{}` must not be empty: it is a piece of the path",
            parameter.argument
        );
        return Err(ToolFailure::invalid(message));
    }
    Ok(text)
}

#[derive(Default)]
struct Parts {
    query: Vec<Pair>,
    cookies: Vec<Pair>,
    headers: HeaderMap,
}

impl Parts {
    fn add(&mut self, parameter: &Parameter, value: &Value) -> Result<(), ToolFailure> {
        match parameter.location {
            ParameterIn::Query => self.query.extend(style::query(parameter, value)),
            ParameterIn::Cookie => self.cookies.extend(style::query(parameter, value)),
            ParameterIn::Header => {
                let text = style::header(parameter, value);
                let name = HeaderName::try_from(parameter.name.as_str()).ok();
                let value = HeaderValue::from_str(&text).ok();
                let (Some(name), Some(value)) = (name, value) else {
                    let message = format!("`{}` does not fit into a header", parameter.argument);
                    return Err(ToolFailure::invalid(message));
                };
                self.headers.insert(name, value);
            }
            ParameterIn::Path => {}
        }
        Ok(())
    }

    fn body(
        &mut self,
        operation: &Operation,
        arguments: &Value,
        seed: &str,
    ) -> Result<Option<Vec<u8>>, ToolFailure> {
        let Some(body) = &operation.body else {
            return Ok(None);
        };
        let Some(value) = arguments.get(BODY) else {
            return if body.required {
                Err(missing(BODY))
            } else {
                Ok(None)
            };
        };
        let payload = payload::write(body, value, seed)?;
        let content_type = HeaderValue::from_str(&payload.content_type).map_err(|_| {
            ToolFailure::invalid("the body's media type does not fit into a header")
        })?;
        self.headers.insert(CONTENT_TYPE, content_type);
        Ok(Some(payload.bytes))
    }

    fn accept(&mut self, operation: &Operation) {
        let media_types = operation.answers.iter().filter_map(|shape| match shape {
            Shape::Json { media_type, .. } | Shape::Other { media_type } => {
                Some(media_type.as_str())
            }
            Shape::Empty | Shape::Unknown => None,
        });
        let mut wanted: Vec<&str> = Vec::new();
        for media_type in media_types {
            if !wanted.contains(&media_type) {
                wanted.push(media_type);
            }
        }
        if wanted.is_empty() {
            wanted = vec!["application/json", "*/*;q=0.5"];
        }
        if let Ok(value) = HeaderValue::from_str(&wanted.join(", ")) {
            self.headers.insert(ACCEPT, value);
        }
    }

    /// Set last: what a person configured wins over what a plan says.
    fn extras(&mut self, operation: &Operation, extras: Extras<'_>) -> Result<(), ToolFailure> {
        if !operation.method.is_safe() && !self.headers.contains_key(KEY_HEADER) {
            let key = HeaderValue::from_str(extras.key)
                .map_err(|_| ToolFailure::invalid("the call's key does not fit into a header"))?;
            self.headers.insert(KEY_HEADER, key);
        }
        self.headers.extend(extras.headers);
        for (name, value) in extras.proof.headers {
            self.headers.insert(name, value);
        }
        self.query.extend(extras.proof.query);
        self.cookies.extend(extras.proof.cookies);
        Ok(())
    }

    fn headers(mut self) -> Result<HeaderMap, ToolFailure> {
        if !self.cookies.is_empty() {
            let pairs: Vec<_> = self
                .cookies
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let mut value = HeaderValue::from_str(&pairs.join("; "))
                .map_err(|_| ToolFailure::invalid("a cookie does not fit into a header"))?;
            value.set_sensitive(true);
            self.headers.insert(COOKIE, value);
        }
        Ok(self.headers)
    }
}

/// Puts the filled path after the base and makes sure that it stayed what it was.
fn address(operation: &Operation, path: &str, query: &[Pair]) -> Result<Url, ToolFailure> {
    let path = path.split('#').next().unwrap_or_default();
    let (path, fixed) = path.split_once('?').unwrap_or((path, ""));
    if path.split('/').any(is_dots) {
        let message = format!("`{path}` would lead to another path");
        return Err(ToolFailure::invalid(message));
    }
    let whole = format!("{}{path}", operation.base.path().trim_end_matches('/'));
    let mut url = operation.base.clone();
    url.set_path(&whole);
    if url.path().matches('/').count() != whole.matches('/').count() {
        let message = format!("`{path}` would lead to another path");
        return Err(ToolFailure::invalid(message));
    }
    let mut pairs: Vec<_> = query
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if !fixed.is_empty() {
        pairs.insert(0, fixed.to_owned());
    }
    url.set_query((!pairs.is_empty()).then(|| pairs.join("&")).as_deref());
    Ok(url)
}

/// `.` and `..`, also as URL parsers understand them.
fn is_dots(segment: &str) -> bool {
    let plain = segment.to_ascii_lowercase().replace("%2e", ".");
    plain == "." || plain == ".."
}

#[cfg(test)]
mod tests;
