//! `tls-check`: is a server's encryption in order? Looks at protocol and certificate
//! over a connection that passed the same guard as every request.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest, Clock};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::http::{Http, parse_url};
use super::super::{Tool, arguments};
use crate::clock::SystemClock;

mod certificate;
mod handshake;
mod judge;
mod legacy;

#[cfg(test)]
mod tests;

use handshake::Seen;
use judge::Shown;

pub(crate) struct TlsCheck(pub(crate) Arc<Http>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: Option<String>,
    host: Option<String>,
    port: Option<u16>,
}

/// What is to be looked at.
struct Target {
    page: String,
    host: String,
    port: u16,
    encrypted: bool,
}

impl Arguments {
    fn target(self) -> Result<Target, ToolFailure> {
        let address = match (self.url, self.host) {
            (Some(url), None) => url,
            (None, Some(host)) if host.parse::<std::net::Ipv6Addr>().is_ok() => {
                format!("https://[{host}]/")
            }
            (None, Some(host)) => format!("https://{host}/"),
            _ => return Err(ToolFailure::invalid("give either `url` or `host`")),
        };
        let mut url = parse_url(&address)?;
        if !matches!(url.scheme(), "http" | "https") {
            let message = format!("only http and https are looked at, not {}", url.scheme());
            return Err(ToolFailure::invalid(message));
        }
        if let Some(port) = self.port {
            let set = url.set_port(Some(port));
            set.map_err(|()| ToolFailure::invalid(format!("`{address}` has no host")))?;
        }
        let host = url.host_str().unwrap_or_default();
        Ok(Target {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port_or_known_default().unwrap_or(443),
            encrypted: url.scheme() == "https",
            page: origin(&url),
        })
    }
}

fn origin(url: &Url) -> String {
    format!("{}/", url.origin().ascii_serialization())
}

#[async_trait]
impl Tool for TlsCheck {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "tls-check",
            title: "Check encryption and certificate",
            category: "web",
            description: "Connects to a server and looks at its encryption: protocol, cipher suite and certificate with names, dates, \
                key and chain. Use it for the security part of an audit, or to see when a certificate runs out. Returns what was \
                seen and `findings` in the shape of all audit checks: expired or soon expiring, wrong name, self-signed or \
                untrusted, old protocols, weak keys. An http address is itself a finding; a port that never answers is a failure. Private addresses must be granted.",
            effect: Effect::Read,
            latency_ms: 600,
            input: input(
                &[],
                json!({
                    "url": {"type": "string", "minLength": 1, "description": "An address of the site; not together with `host`"},
                    "host": {"type": "string", "minLength": 1, "description": "A host name; not together with `url`"},
                    "port": {"type": "integer", "minimum": 1, "maximum": 65_535, "description": "443 if left out"}
                }),
            ),
            output: output(
                &["host", "port", "encrypted", "findings", "count"],
                json!({
                    "host": {"type": "string"},
                    "port": {"type": "integer"},
                    "encrypted": {"type": "boolean", "description": "False for an http address, and where no encryption came about"},
                    "protocol": {"type": ["string", "null"]},
                    "cipher": {"type": ["string", "null"]},
                    "old_protocol": {"type": ["string", "null"], "description": "The newest protocol before TLS 1.2 that the server agrees to"},
                    "trusted": {"type": "boolean"},
                    "chain_length": {"type": "integer"},
                    "certificate": {"type": ["object", "null"], "properties": {
                        "subject": {"type": "string"},
                        "issuer": {"type": "string"},
                        "names": {"type": "array", "items": {"type": "string"}},
                        "not_before": {"type": "string"},
                        "not_after": {"type": "string"},
                        "days_left": {"type": "integer"},
                        "key": {"type": "string"},
                        "key_bits": {"type": "integer"},
                        "signature": {"type": "string"},
                        "serial": {"type": "string"},
                        "self_signed": {"type": "boolean"}
                    }},
                    "findings": {"type": "array", "items": {"type": "object"}},
                    "count": {"type": "integer"},
                    "checked": {"type": "array", "items": {"type": "string"}, "description": "The checks that were made"}
                }),
            ),
            example: json!({"url": "https://example.com/"}),
            does: &["audit url:url -> findings with domains is security.tls-check"],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        let target = arguments::parse::<Arguments>(arguments)?.target()?;
        if !target.encrypted {
            let findings = judge::unencrypted(&target.page);
            return Ok(CallOutput::from(json!({
                "host": target.host,
                "port": target.port,
                "encrypted": false,
                "count": findings.len(),
                "findings": findings,
                "checked": ["tls-check"],
            })));
        }
        let seen = handshake::look(&self.0, &target.host, target.port, handshake::TIMEOUT).await?;
        let now = (SystemClock.now_ms() / 1000) as i64;
        // Loading the roots of this machine reads files.
        blocking(move || Ok(CallOutput::from(told(&target, &seen, now)))).await
    }
}

/// The result for what was seen, as of `now` in seconds since 1970.
fn told(target: &Target, seen: &Seen, now: i64) -> Value {
    let own = seen.chain.first();
    let certificate = own.and_then(|der| certificate::read(der, now));
    let names_host = own.is_some_and(|der| handshake::names(der, &target.host));
    let distrust = certificate.as_ref().and_then(|certificate| {
        let last = certificate.ends.max(certificate.begins);
        let moment = now.clamp(certificate.begins, last).max(0) as u64;
        handshake::distrust(&seen.chain, &target.host, moment)
    });
    let findings = judge::findings(&Shown {
        page: &target.page,
        host: &target.host,
        seen,
        certificate: certificate.as_ref(),
        names_host,
        distrust: distrust.as_deref(),
        now,
    });
    json!({
        "host": target.host,
        "port": target.port,
        "encrypted": seen.protocol.is_some() || seen.old_protocol.is_some(),
        "protocol": seen.protocol,
        "cipher": seen.cipher,
        "old_protocol": seen.old_protocol,
        "trusted": certificate.is_some() && distrust.is_none() && names_host,
        "chain_length": seen.chain.len(),
        "certificate": certificate,
        "count": findings.len(),
        "findings": findings,
        "checked": ["tls-check"],
    })
}
