//! How does a request prove who is calling? By the security schemes of the
//! description, with values that a person gave by scheme name and that are looked up
//! for each call anew.

use std::collections::BTreeMap;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use holloway_engine::failure::ToolFailure;
use oas3::spec::SecurityScheme;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use serde_json::Value;

use super::document::{Document, join};
use super::operation::{Operation, only, typed};
use super::style::{Pair, encode};
use holloway_tools::secrets::Secrets;

/// What a description's scheme asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Header(HeaderName),
    Query(String),
    Cookie(String),
    Bearer,
    Basic,
    /// Something that cannot be done here, and why.
    Unusable(String),
}

pub(crate) type Schemes = BTreeMap<String, Scheme>;

/// What is added to a request. Never printed.
#[derive(Default)]
pub(crate) struct Proof {
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) query: Vec<Pair>,
    pub(crate) cookies: Vec<Pair>,
}

pub(crate) fn schemes(document: &Document) -> Schemes {
    let at = "/components/securitySchemes";
    let declared = document.root.pointer(at).and_then(Value::as_object);
    let read = |(name, value): (&String, &Value)| {
        let scheme = scheme(document, value, &join(at, name));
        (name.clone(), scheme.unwrap_or_else(Scheme::Unusable))
    };
    declared.into_iter().flatten().map(read).collect()
}

fn scheme(document: &Document, value: &Value, pointer: &str) -> Result<Scheme, String> {
    let (fields, at) = document
        .object(value, pointer)
        .map_err(|flaw| flaw.to_string())?;
    let mut piece = only(
        fields,
        &["type", "name", "in", "scheme", "openIdConnectUrl"],
    );
    if let Some(piece) = piece.as_object_mut() {
        // Tokens are given, not fetched, so the flows are of no use here.
        piece.insert("flows".to_owned(), Value::Object(serde_json::Map::new()));
        piece
            .entry("openIdConnectUrl")
            .or_insert_with(|| Value::String(String::new()));
    }
    match typed(piece, &at).map_err(|flaw| flaw.to_string())? {
        SecurityScheme::ApiKey { name, location, .. } => key(name, &location),
        SecurityScheme::Http { scheme, .. } => match scheme.to_ascii_lowercase().as_str() {
            "bearer" => Ok(Scheme::Bearer),
            "basic" => Ok(Scheme::Basic),
            other => Err(format!("the HTTP scheme `{other}` is not known here")),
        },
        SecurityScheme::OAuth2 { .. } | SecurityScheme::OpenIdConnect { .. } => Ok(Scheme::Bearer),
        SecurityScheme::MutualTls { .. } => Err("client certificates are not supported".to_owned()),
    }
}

fn key(name: String, location: &str) -> Result<Scheme, String> {
    match location {
        "query" => Ok(Scheme::Query(name)),
        "cookie" => Ok(Scheme::Cookie(name)),
        "header" => HeaderName::try_from(name.as_str())
            .map(Scheme::Header)
            .map_err(|_| format!("`{name}` cannot be the name of a header")),
        other => Err(format!("a key cannot be sent in `{other}`")),
    }
}

/// The proof for one call: by the first way for which a person gave all values.
/// With `own_header`, a person proves it by an `Authorization` header of every request.
pub(crate) fn prove(
    operation: &Operation,
    schemes: &Schemes,
    given: &BTreeMap<String, String>,
    own_header: bool,
    secrets: &Secrets,
) -> Result<Proof, ToolFailure> {
    let ways = &operation.security;
    let complete = |way: &&Vec<String>| {
        let usable = |name: &String| {
            let known = schemes
                .get(name)
                .is_some_and(|scheme| !matches!(scheme, Scheme::Unusable(_)));
            known && given.contains_key(name)
        };
        !way.is_empty() && way.iter().all(usable)
    };
    if let Some(way) = ways.iter().find(complete) {
        let mut proof = Proof::default();
        for name in way {
            if let (Some(scheme), Some(text)) = (schemes.get(name), given.get(name)) {
                proof.add(name, scheme, text, secrets)?;
            }
        }
        return Ok(proof);
    }
    if own_header || ways.is_empty() || ways.iter().any(Vec::is_empty) {
        return Ok(Proof::default());
    }
    Err(missing(operation, schemes))
}

fn missing(operation: &Operation, schemes: &Schemes) -> ToolFailure {
    let usable = |way: &&Vec<String>| {
        let known = |name: &String| !matches!(schemes.get(name), None | Some(Scheme::Unusable(_)));
        way.iter().all(known)
    };
    let Some(way) = operation.security.iter().find(usable) else {
        return no_way(operation, schemes);
    };
    let names: Vec<_> = way.iter().map(|name| format!("`{name}`")).collect();
    let options: Vec<_> = way
        .iter()
        .map(|name| format!("--auth '{name}=${{NAME}}'"))
        .collect();
    ToolFailure::denied(format!(
        "`{}` asks for {}, which is not set",
        operation.name,
        names.join(" and ")
    ))
    .with_hint(format!(
        "add the service with `{}`, where NAME is the secret that holds it",
        options.join(" ")
    ))
}

fn no_way(operation: &Operation, schemes: &Schemes) -> ToolFailure {
    let names = operation.security.iter().flatten();
    let reasons: Vec<_> = names
        .map(|name| match schemes.get(name) {
            Some(Scheme::Unusable(reason)) => format!("`{name}`: {reason}"),
            _ => format!("`{name}`: the description does not say what it is"),
        })
        .collect();
    let message = format!(
        "`{}` cannot be called: {}",
        operation.name,
        reasons.join("; ")
    );
    ToolFailure::denied(message)
        .with_hint("if a header will do, give it with `--header 'Authorization: …'`")
}

impl Proof {
    fn add(
        &mut self,
        name: &str,
        scheme: &Scheme,
        text: &str,
        secrets: &Secrets,
    ) -> Result<(), ToolFailure> {
        let secret = secrets.resolve(text).map_err(|missing| {
            ToolFailure::denied(format!("{missing}; `{name}` needs it")).with_hint(format!(
                "set `{}` where Holloway looks for secrets",
                missing.0
            ))
        })?;
        let secret = secret.reveal();
        if secret.is_empty() {
            let message = format!("the value for `{name}` is empty");
            return Err(ToolFailure::denied(message).with_hint("set the secret it names"));
        }
        match scheme {
            Scheme::Header(header) => self.header(name, header.clone(), secret)?,
            Scheme::Query(key) => self.query.push((encode(key), encode(secret))),
            Scheme::Cookie(key) => self.cookies.push((encode(key), encode(secret))),
            Scheme::Bearer => self.header(name, AUTHORIZATION, &format!("Bearer {secret}"))?,
            Scheme::Basic => {
                let pair = BASE64_STANDARD.encode(secret);
                self.header(name, AUTHORIZATION, &format!("Basic {pair}"))?;
            }
            Scheme::Unusable(reason) => return Err(ToolFailure::denied(reason.clone())),
        }
        Ok(())
    }

    fn header(&mut self, name: &str, header: HeaderName, text: &str) -> Result<(), ToolFailure> {
        let mut value = HeaderValue::from_str(text).map_err(|_| {
            ToolFailure::denied(format!("the value for `{name}` does not fit into a header"))
                .with_hint("check for line breaks at its end")
        })?;
        value.set_sensitive(true);
        self.headers.push((header, value));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
