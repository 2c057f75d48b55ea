//! `webhook-send`: how is a service told that something happened? One POST, signed
//! if a secret is granted, with a key by which a repeat is recognised.

use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use aws_lc_rs::hmac;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::http::send::{add_key, present};
use super::super::http::{Http, Outgoing, parse_headers, parse_url};
use super::super::{Tool, arguments};
use crate::secrets::Secrets;

const SIGNATURE: HeaderName = HeaderName::from_static("x-signature-256");
/// So much of an answer is shown.
const MAX_ANSWER: u64 = 64 * 1024;

pub(crate) struct WebhookSend {
    pub(crate) http: Arc<Http>,
    pub(crate) secrets: Secrets,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: String,
    #[serde(default, deserialize_with = "present")]
    json: Option<Value>,
    text: Option<String>,
    #[serde(default)]
    headers: Map<String, Value>,
    secret: Option<String>,
    #[serde(default = "default_timeout")]
    timeout_ms: u64,
}

fn default_timeout() -> u64 {
    15_000
}

#[async_trait]
impl Tool for WebhookSend {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "webhook-send",
            title: "Send a webhook",
            category: "communication",
            description: "Posts a message as JSON or text to a webhook, such as that of a chat or an incident service. Use it to tell \
                people or services about a result. Every repeat carries the same `Idempotency-Key`; with a `secret` the body is \
                signed by HMAC-SHA-256 in the header `X-Signature-256`. Returns `status` and the start of the answer; a status \
                of 400 or more is a failure. Redirects are not followed. Private addresses must be granted.",
            effect: Effect::Write,
            latency_ms: 800,
            input: input(
                &["url"],
                json!({
                    "url": {"type": "string", "minLength": 1, "description": "Absolute http or https URL"},
                    "json": {"description": "Any value, sent as application/json; not together with `text`"},
                    "text": {"type": "string", "description": "Sent as text/plain; not together with `json`"},
                    "headers": {"type": "object", "additionalProperties": {"type": "string"}, "default": {}, "description": "Further request headers"},
                    "secret": {"type": "string", "minLength": 1, "description": "The name of a secret to sign with; it must be listed in `[grants] webhook_secrets`"},
                    "timeout_ms": {"type": "integer", "minimum": 1, "maximum": 120_000, "default": 15_000}
                }),
            ),
            output: output(
                &["status", "answer", "signed"],
                json!({
                    "status": {"type": "integer"},
                    "answer": {"type": "string"},
                    "signed": {"type": "boolean"}
                }),
            ),
            example: json!({"url": "https://example.com/hooks/1", "json": {"text": "The audit is done"}}),
            does: &[],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let mut headers = parse_headers(&arguments.headers)?;
        add_key(&mut headers, &call.key)?;
        let body = body(arguments.json, arguments.text, &mut headers)?;
        let signed = arguments.secret.is_some();
        if let Some(name) = &arguments.secret {
            let signature = self.signature(name, &body)?;
            headers.insert(SIGNATURE, signature);
        }
        let outgoing = Outgoing {
            method: Method::POST,
            url: parse_url(&arguments.url)?,
            headers,
            body: Some(body),
            follow: false,
        };
        let answer = self
            .http
            .run(outgoing, arguments.timeout_ms, Some(MAX_ANSWER))
            .await?;
        self.told(&answer, signed).map(CallOutput::from)
    }
}

fn body(
    json: Option<Value>,
    text: Option<String>,
    headers: &mut HeaderMap,
) -> Result<Vec<u8>, ToolFailure> {
    let (body, content_type) = match (json, text) {
        (Some(json), None) => (json.to_string(), "application/json"),
        (None, Some(text)) => (text, "text/plain; charset=utf-8"),
        _ => return Err(ToolFailure::invalid("give either `json` or `text`")),
    };
    headers
        .entry(CONTENT_TYPE)
        .or_insert(HeaderValue::from_static(content_type));
    Ok(body.into_bytes())
}

impl WebhookSend {
    fn signature(&self, name: &str, body: &[u8]) -> Result<HeaderValue, ToolFailure> {
        let granted = &self.http.grants().webhook_secrets;
        if !granted.iter().any(|granted| granted == name) {
            // Not repeated: it may be the secret itself in place of its name.
            let message = format!(
                "`secret` is not the name of a secret that is granted for webhooks (granted: {})",
                listed(granted)
            );
            return Err(ToolFailure::denied(message).with_hint(
                "give the name of a secret, never its value, and list that name in `[grants] webhook_secrets`",
            ));
        }
        let secret = self
            .secrets
            .resolve(&format!("${{{name}}}"))
            .map_err(|missing| {
                ToolFailure::permanent(missing.to_string())
                    .with_hint(format!("`holloway secrets set {name}` stores it"))
            })?;
        HeaderValue::from_str(&sign(secret.reveal(), body))
            .map_err(|error| ToolFailure::permanent(error.to_string()))
    }

    fn told(&self, answer: &Value, signed: bool) -> Result<Value, ToolFailure> {
        let status = answer.get("status").and_then(Value::as_u64).unwrap_or(0);
        let body = answer.get("body").and_then(Value::as_str);
        let body = self.secrets.clean(body.unwrap_or_default());
        if (300..400).contains(&status) {
            let location = answer.pointer("/headers/location").and_then(Value::as_str);
            let location = self.secrets.clean(location.unwrap_or("nowhere"));
            let message = format!(
                "the webhook answers {status} and was not delivered: it moved to {location}"
            );
            return Err(ToolFailure::permanent(message)
                .with_hint("messages do not follow redirects; send to the new address itself"));
        }
        if status >= 400 {
            let start: String = body.chars().take(300).collect();
            let message = format!("the webhook answers {status}: {start}");
            // These say that nothing was done and that a later try may be welcome.
            return Err(match status {
                408 | 429 | 503 => ToolFailure::transient(message),
                500.. => ToolFailure::transient(message).uncertain(),
                _ => ToolFailure::permanent(message),
            });
        }
        Ok(json!({"status": status, "answer": body, "signed": signed}))
    }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}

fn sign(secret: &str, body: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, body);
    let mut digits = String::new();
    for byte in tag.as_ref() {
        // Writing into a text cannot fail.
        let _written = write!(digits, "{byte:02x}");
    }
    format!("sha256={digits}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    use holloway_engine::failure::FailureName;

    use super::super::super::testing::run_keyed;
    use super::super::super::web::server::{Answer, Server};
    use super::super::super::{Grants, Toolbox};

    #[test]
    fn signatures_are_those_of_the_standard() {
        // The second test case of RFC 4231.
        assert_eq!(
            sign("Jefe", b"what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    async fn send(server: &Server, path: &str, mut arguments: Value) -> Result<Value, ToolFailure> {
        let grants = Grants {
            private_hosts: vec![server.address.clone()],
            webhook_secrets: vec!["HOOK".to_owned(), "UNSET".to_owned()],
            ..Grants::default()
        };
        let values = [("HOOK", "very secret"), ("OTHER", "not granted")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let secrets = Secrets::from_map(BTreeMap::from(values));
        let toolbox = Toolbox::builtin_with(grants, secrets);
        arguments["url"] = json!(server.url(path));
        run_keyed(&toolbox, "builtin/webhook-send", arguments, "run/node").await
    }

    async fn service() -> Server {
        Server::start(|request| match request.path() {
            "/hook" => Answer::text("ok very secret"),
            "/busy" => Answer::status(503),
            "/wrong" => Answer::status(400),
            "/broken" => Answer::status(500),
            "/moved" => Answer::redirect("/hook"),
            _ => Answer::status(404),
        })
        .await
    }

    #[tokio::test]
    async fn a_message_is_posted_with_key_and_signature() {
        let server = service().await;
        let told = send(
            &server,
            "/hook",
            json!({"json": {"a": 1}, "secret": "HOOK"}),
        )
        .await
        .unwrap();
        assert_eq!(
            told,
            json!({"status": 200, "answer": "ok ‹secret HOOK›", "signed": true})
        );
        let request = server.last();
        assert_eq!(request.header("idempotency-key"), "run/node");
        assert_eq!(request.header("content-type"), "application/json");
        assert_eq!(
            request.header("x-signature-256"),
            sign("very secret", b"{\"a\":1}")
        );
        assert_eq!(request.body, "{\"a\":1}");
        send(&server, "/hook", json!({"text": "hello"}))
            .await
            .unwrap();
        assert_eq!(
            (
                server.last().header("x-signature-256"),
                server.last().body.as_str()
            ),
            ("", "hello")
        );
    }

    #[tokio::test]
    async fn secrets_must_be_granted_and_set() {
        let server = service().await;
        // Neither a name nor a value that was given in place of one is repeated.
        for given in ["OTHER", "very secret", "whsec_5f2b"] {
            let failure = send(&server, "/hook", json!({"text": "x", "secret": given}))
                .await
                .unwrap_err();
            assert_eq!(failure.name, FailureName::Denied);
            let hint = failure.hint.unwrap();
            assert!(hint.contains("webhook_secrets"), "{hint}");
            let told = format!("{} {hint}", failure.message);
            assert!(!told.contains(given), "{told}");
        }
        let failure = send(&server, "/hook", json!({"text": "x", "secret": "UNSET"}))
            .await
            .unwrap_err();
        assert_eq!(failure.message, "the secret `UNSET` is not set");
        assert_eq!(server.count(), 0);
    }

    #[tokio::test]
    async fn answers_say_whether_to_try_again() {
        let server = service().await;
        for (path, retryable, uncertain) in [
            ("/busy", true, false),
            ("/wrong", false, false),
            ("/broken", true, true),
        ] {
            let failure = send(&server, path, json!({"text": "x"})).await.unwrap_err();
            assert_eq!(
                (failure.retryable, failure.uncertain),
                (retryable, uncertain),
                "{path}"
            );
        }
        let moved = send(&server, "/moved", json!({"text": "x"}))
            .await
            .unwrap_err();
        assert_eq!((moved.retryable, moved.uncertain), (false, false));
        assert_eq!(
            moved.message,
            "the webhook answers 302 and was not delivered: it moved to /hook"
        );
        let both = send(&server, "/hook", json!({"text": "x", "json": 1}))
            .await
            .unwrap_err();
        assert_eq!(both.name, FailureName::ValidationFailed);
    }
}
