//! What is in an e-mail? Built from arguments with every address and header checked:
//! nothing a caller writes can become a header of its own.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use holloway_engine::failure::ToolFailure;
use lettre::Message;
use lettre::message::header::ContentType;
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use serde::Deserialize;

const MAX_RECIPIENTS: usize = 100;
const MAX_SUBJECT: usize = 900;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    to: Recipients,
    #[serde(default)]
    cc: Vec<String>,
    reply_to: Option<String>,
    subject: String,
    text: String,
    html: Option<String>,
    #[serde(default)]
    attachments: Vec<Attached>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Recipients {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attached {
    name: String,
    #[serde(rename = "type")]
    media_type: Option<String>,
    text: Option<String>,
    base64: Option<String>,
}

impl Written {
    /// The message from `from`, with an id that every repeat of the call shares.
    pub(crate) fn build(
        self,
        from: &str,
        key: &str,
        max_bytes: u64,
    ) -> Result<Message, ToolFailure> {
        let from = mailbox(from, "`[grants.mail] from`")?;
        let domain = from.email.domain().to_owned();
        let id = blake3::hash(key.as_bytes()).to_hex();
        let mut builder = Message::builder()
            .from(from)
            .message_id(Some(format!("<{id}@{domain}>")))
            .subject(one_line(&self.subject, "the subject", MAX_SUBJECT)?);
        let to = match &self.to {
            Recipients::One(address) => std::slice::from_ref(address),
            Recipients::Many(addresses) => addresses,
        };
        let count = to.len() + self.cc.len();
        if to.is_empty() || count > MAX_RECIPIENTS {
            let message = format!("a message has 1 to {MAX_RECIPIENTS} recipients, not {count}");
            return Err(ToolFailure::invalid(message));
        }
        for address in to {
            builder = builder.to(mailbox(address, "`to`")?);
        }
        for address in &self.cc {
            builder = builder.cc(mailbox(address, "`cc`")?);
        }
        if let Some(address) = &self.reply_to {
            builder = builder.reply_to(mailbox(address, "`reply_to`")?);
        }
        let body = body(self.text, self.html);
        let mut whole = MultiPart::mixed().multipart(body);
        let mut room = max_bytes;
        for attached in self.attachments {
            whole = whole.singlepart(attached.part(&mut room, max_bytes)?);
        }
        builder
            .multipart(whole)
            .map_err(|error| ToolFailure::invalid(format!("the message cannot be built: {error}")))
    }
}

fn body(text: String, html: Option<String>) -> MultiPart {
    let alternatives = MultiPart::alternative().singlepart(SinglePart::plain(text));
    match html {
        Some(html) => alternatives.singlepart(SinglePart::html(html)),
        None => alternatives,
    }
}

impl Attached {
    fn part(self, room: &mut u64, max_bytes: u64) -> Result<SinglePart, ToolFailure> {
        let name = one_line(&self.name, "the name of an attachment", 255)?;
        let bytes = match (self.text, self.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(encoded)) => BASE64_STANDARD.decode(encoded.trim()).map_err(|error| {
                ToolFailure::invalid(format!("the attachment `{name}` is not base64: {error}"))
            })?,
            _ => {
                let message = format!("the attachment `{name}` needs either `text` or `base64`");
                return Err(ToolFailure::invalid(message));
            }
        };
        *room = room.checked_sub(bytes.len() as u64).ok_or_else(|| {
            ToolFailure::limit(format!("the attachments are larger than {max_bytes} bytes"))
        })?;
        let kind = self
            .media_type
            .as_deref()
            .unwrap_or("application/octet-stream");
        let kind = one_line(kind, "the type of an attachment", 200)?;
        let kind = ContentType::parse(kind)
            .map_err(|_| ToolFailure::invalid(format!("`{kind}` is no media type")))?;
        Ok(Attachment::new(name.to_owned()).body(bytes, kind))
    }
}

fn mailbox(address: &str, place: &str) -> Result<Mailbox, ToolFailure> {
    one_line(address, place, 500)?.parse().map_err(|error| {
        ToolFailure::invalid(format!(
            "{place}: `{address}` is no e-mail address: {error}"
        ))
        .with_hint("such as `ada@example.com` or `Ada <ada@example.com>`")
    })
}

/// What goes into a header must not begin another one.
fn one_line<'a>(text: &'a str, place: &str, most: usize) -> Result<&'a str, ToolFailure> {
    if text.chars().any(char::is_control) {
        let message = format!("{place} must be one line without control characters");
        return Err(ToolFailure::invalid(message));
    }
    if text.len() > most {
        let message = format!("{place} is longer than {most} bytes");
        return Err(ToolFailure::invalid(message));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn build(written: Value) -> Result<String, ToolFailure> {
        let written: Written = serde_json::from_value(written).unwrap();
        let message = written.build("Shop <shop@a.example>", "run/node", 1_000)?;
        Ok(String::from_utf8(message.formatted()).unwrap())
    }

    fn refused(change: (&str, Value), expected: &str) {
        let mut written = json!({"to": "ada@b.example", "subject": "Hi", "text": "Hello"});
        written[change.0] = change.1;
        let failure = build(written).unwrap_err();
        assert!(failure.message.contains(expected), "{failure}");
    }

    #[test]
    fn a_message_has_what_was_written() {
        let written = json!({
            "to": ["Ada <ada@b.example>", "bob@b.example"], "subject": "Grüße", "text": "Hello", "html": "<p>Hello",
            "attachments": [{"name": "a.csv", "type": "text/csv", "text": "a,b"}],
        });
        let text = build(written.clone()).unwrap();
        for part in [
            "From: Shop <shop@a.example>\r\n",
            "To: Ada <ada@b.example>, bob@b.example\r\n",
            "Subject: =?utf-8?b?R3LDvMOfZQ==?=\r\n",
            "Content-Disposition: attachment; filename=\"a.csv\"\r\n",
            "Content-Type: text/html; charset=utf-8\r\n",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let id = |text: &str| {
            text.lines()
                .find(|line| line.starts_with("Message-ID"))
                .unwrap()
                .to_owned()
        };
        assert_eq!(id(&text), id(&build(written).unwrap()));
    }

    #[test]
    fn headers_cannot_be_smuggled_in() {
        for line in [
            "x\r\nBcc: eve@c.example",
            "x\nBcc: eve@c.example",
            "x\rBcc: eve",
        ] {
            refused(("subject", json!(line)), "the subject must be one line");
            refused(
                ("to", json!(format!("ada@b.example{line}"))),
                "`to` must be one line",
            );
            refused(("cc", json!([line])), "`cc` must be one line");
            refused(("reply_to", json!(line)), "`reply_to` must be one line");
            refused(
                ("attachments", json!([{"name": line, "text": ""}])),
                "one line",
            );
            refused(
                (
                    "attachments",
                    json!([{"name": "a", "type": line, "text": ""}]),
                ),
                "one line",
            );
        }
    }

    #[test]
    fn what_cannot_be_sent_is_refused() {
        refused(("to", json!("nobody")), "is no e-mail address");
        refused(("to", json!([])), "1 to 100 recipients, not 0");
        refused(("to", json!(vec!["a@b.example"; 101])), "not 101");
        refused(
            ("attachments", json!([{"name": "a", "base64": "?"}])),
            "is not base64",
        );
        refused(("attachments", json!([{"name": "a"}])), "needs either");
        refused(
            (
                "attachments",
                json!([{"name": "a", "text": "x".repeat(2_000)}]),
            ),
            "larger than 1000 bytes",
        );
        refused(
            (
                "attachments",
                json!([{"name": "a", "type": "nonsense", "text": ""}]),
            ),
            "is no media type",
        );
    }
}
