//! `email-send`: how do people hear of a result? By a message from the sender that
//! the grants name, through the server that the grants name.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::grants::Mail;
use super::super::http::Http;
use super::super::{Tool, arguments};
use super::message::Written;
use super::smtp;
use crate::secrets::{SecretText, Secrets};

const TIMEOUT_MS: u64 = 60_000;

pub(crate) struct EmailSend {
    pub(crate) http: Arc<Http>,
    pub(crate) secrets: Secrets,
}

#[async_trait]
impl Tool for EmailSend {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "email-send",
            title: "Send an e-mail",
            category: "communication",
            description: "Sends an e-mail with text, HTML and attachments through the mail server that `[grants.mail]` names. Use it to \
                deliver a report or an alert to people. Sender and server are fixed by the grants; without them nothing is sent. \
                Every repeat of a call has the same Message-ID. Returns the `message_id`, the recipients and the server's answer.",
            effect: Effect::Write,
            latency_ms: 2_000,
            input: input(
                &["to", "subject", "text"],
                json!({
                    "to": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 100}], "description": "One address or several, such as `Ada <ada@example.com>`"},
                    "cc": {"type": "array", "items": {"type": "string"}, "maxItems": 100, "default": []},
                    "reply_to": {"type": "string", "description": "Where answers go, if not to the sender"},
                    "subject": {"type": "string", "description": "One line"},
                    "text": {"type": "string", "description": "The message as plain text"},
                    "html": {"type": "string", "description": "The same message as HTML"},
                    "attachments": {"type": "array", "maxItems": 50, "default": [], "items": {
                        "type": "object", "additionalProperties": false, "required": ["name"],
                        "properties": {
                            "name": {"type": "string", "minLength": 1},
                            "type": {"type": "string", "description": "Media type, such as text/csv"},
                            "text": {"type": "string", "description": "The content as text; not together with `base64`"},
                            "base64": {"type": "string", "description": "The content in base64"}
                        }
                    }}
                }),
            ),
            output: output(
                &["message_id", "recipients", "answer"],
                json!({
                    "message_id": {"type": "string"},
                    "recipients": {"type": "array", "items": {"type": "string"}},
                    "answer": {"type": "string", "description": "What the mail server said"}
                }),
            ),
            example: json!({"to": "ada@example.com", "subject": "The audit is done", "text": "Three findings are new."}),
            does: &[
                r#"send text:text -> nothing with to=recipient subject:="Message""#,
            ],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let written: Written = arguments::parse(arguments)?;
        let grants = self.http.grants();
        let mail = grants.mail.as_ref().ok_or_else(|| {
            ToolFailure::denied("no mail server is granted").with_hint(
                "add `[grants.mail]` with `server` and `from`, and `user` and `password = \"${SMTP_PASSWORD}\"` if it needs them",
            )
        })?;
        let message = written.build(&mail.from, &call.key, grants.max_bytes)?;
        let password = self.password(mail)?;
        let sending = smtp::send(&self.http, mail, password.as_ref(), &message);
        let answer = tokio::time::timeout(Duration::from_millis(TIMEOUT_MS), sending).await;
        let answer = answer.map_err(|_| ToolFailure::timeout(TIMEOUT_MS))?;
        let answer = answer.map_err(|mut failure| {
            failure.message = self.secrets.clean(&failure.message);
            failure
        })?;
        let id = message.headers().get_raw("Message-ID").unwrap_or_default();
        let recipients: Vec<_> = message
            .envelope()
            .to()
            .iter()
            .map(ToString::to_string)
            .collect();
        Ok(CallOutput::from(json!({
            "message_id": id,
            "recipients": recipients,
            "answer": self.secrets.clean(&answer),
        })))
    }
}

impl EmailSend {
    fn password(&self, mail: &Mail) -> Result<Option<SecretText>, ToolFailure> {
        let Some(named) = &mail.password else {
            return Ok(None);
        };
        if !(named.starts_with("${") && named.ends_with('}')) {
            return Err(
                ToolFailure::denied("`password` in `[grants.mail]` is written out")
                    .with_hint("name a secret instead: `password = \"${SMTP_PASSWORD}\"`"),
            );
        }
        let resolved = self.secrets.resolve(named).map_err(|missing| {
            let hint = format!("`holloway secrets set {}` stores it", missing.0);
            ToolFailure::permanent(missing.to_string()).with_hint(hint)
        })?;
        Ok(Some(resolved))
    }
}

#[cfg(test)]
mod tests;
