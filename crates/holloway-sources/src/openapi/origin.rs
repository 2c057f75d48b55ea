//! Where may the requests of a service go? To the origin that a person named (that of
//! the description or of `base_url`), and to those that a person accepted besides. A
//! description alone sends neither a request nor a key anywhere else.
//!
//! An origin is scheme, host and port: `https://api.example:8443`.

use std::collections::BTreeSet;

use holloway_engine::failure::ToolFailure;
use holloway_flow::catalog::inspect::{Finding, Suspicion};
use oas3::spec::Server;
use reqwest::Url;
use serde_json::Value;

use super::OpenApiConfig;
use super::document::Document;
use super::operation::{Operation, Whereabouts};
use super::server;

/// An origin that operations of a service send to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    pub origin: String,
    /// The names of these operations.
    pub operations: Vec<String>,
    pub accepted: bool,
}

/// The origins that requests may go to.
pub(crate) struct Accepted(BTreeSet<String>);

impl Accepted {
    pub(crate) fn of(config: &OpenApiConfig, document: &Value, whereabouts: &Whereabouts) -> Self {
        let named = whereabouts.base_url.iter().chain(&whereabouts.origin);
        let mut origins: BTreeSet<String> = named.map(of).collect();
        match &config.accepted_origins {
            Some(accepted) => origins.extend(accepted.iter().cloned()),
            // Added before origins were asked about: the service as a whole is where
            // its description says.
            None => origins.extend(first_server(document, whereabouts.origin.as_ref())),
        }
        Self(origins)
    }

    fn contains(&self, url: &Url) -> bool {
        self.0.contains(&of(url))
    }

    /// Nothing is sent to an origin that was not accepted, not even without keys: the
    /// arguments may be worth as much.
    pub(crate) fn check(&self, operation: &Operation, source: &str) -> Result<(), ToolFailure> {
        if self.contains(&operation.base) {
            return Ok(());
        }
        let origin = of(&operation.base);
        let message = format!(
            "`{}` sends to {origin}, which was not accepted when `{source}` was added; nothing was sent",
            operation.name
        );
        Err(ToolFailure::denied(message).with_hint(format!(
            "if the service lives there too, `holloway tools remove {source}` and add it again with `--accept-origin {origin}`"
        )))
    }

    /// What is wrong with an operation that sends to an origin that was not accepted.
    pub(crate) fn findings(&self, operation: &Operation) -> Vec<Finding> {
        if self.contains(&operation.base) {
            return Vec::new();
        }
        vec![Finding {
            kind: Suspicion::ForeignOrigin,
            place: "/server".to_owned(),
            shown: format!("requests and keys would go to {}", of(&operation.base)),
        }]
    }

    /// Those that were accepted first, else in the order of the operations.
    pub(crate) fn destinations(&self, operations: &[Operation]) -> Vec<Destination> {
        let mut found: Vec<Destination> = Vec::new();
        for operation in operations {
            let origin = of(&operation.base);
            let name = operation.name.clone();
            match found.iter_mut().find(|known| known.origin == origin) {
                Some(known) => known.operations.push(name),
                None => found.push(Destination {
                    accepted: self.contains(&operation.base),
                    operations: vec![name],
                    origin,
                }),
            }
        }
        found.sort_by_key(|destination| !destination.accepted);
        found
    }
}

impl OpenApiConfig {
    /// From here on, only accepted origins count. A description from a file has no
    /// origin of its own: there it is that of the first server it names.
    pub fn accept_own_origin(&mut self) {
        let own = if is_web(&self.origin) || !self.base_url.is_empty() {
            None
        } else {
            first_server(&self.document, None)
        };
        self.accepted_origins = Some(own.into_iter().collect());
    }

    /// Takes an origin that a person has accepted.
    pub fn accept_origin(&mut self, origin: &str) {
        let known = self.accepted_origins.get_or_insert_with(|| {
            let found_at = Url::parse(&self.origin).ok();
            first_server(&self.document, found_at.as_ref())
                .into_iter()
                .collect()
        });
        if !known.iter().any(|known| known == origin) {
            known.push(origin.to_owned());
        }
    }
}

fn is_web(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// The origin of an address as it was typed; nothing when it is none.
pub fn origin_of(text: &str) -> Option<String> {
    server::typed(text).ok().map(|url| of(&url))
}

pub(crate) fn of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn first_server(document: &Value, found_at: Option<&Url>) -> Option<String> {
    let server = document.pointer("/servers/0").cloned();
    let server: Option<Server> = server.and_then(|server| serde_json::from_value(server).ok());
    server::address(server.as_ref(), found_at)
        .ok()
        .map(|url| of(&url))
}

/// Origins that a description names besides: other servers to choose from, and where
/// tokens are given out. Nothing is ever sent to them.
pub(crate) fn only_named(document: &Document, used: &[Destination]) -> Vec<String> {
    let root = &*document.root;
    let servers = root.get("servers").and_then(Value::as_array);
    let servers = servers.into_iter().flatten();
    let mut texts: Vec<&Value> = servers.filter_map(|server| server.get("url")).collect();
    let schemes = root.pointer("/components/securitySchemes");
    let schemes = schemes.and_then(Value::as_object);
    for scheme in schemes.into_iter().flat_map(|schemes| schemes.values()) {
        texts.extend(scheme.get("openIdConnectUrl"));
        let flows = scheme.get("flows").and_then(Value::as_object);
        for flow in flows.into_iter().flat_map(|flows| flows.values()) {
            let urls = ["authorizationUrl", "tokenUrl", "refreshUrl"];
            texts.extend(urls.iter().filter_map(|key| flow.get(*key)));
        }
    }
    let origins = texts
        .into_iter()
        .filter_map(|text| origin_of(text.as_str()?));
    let mut named: BTreeSet<String> = origins.collect();
    named.retain(|origin| used.iter().all(|destination| destination.origin != *origin));
    named.into_iter().collect()
}

#[cfg(test)]
mod tests;
