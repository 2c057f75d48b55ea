//! How is a browser spoken to? By the DevTools protocol over two pipes: JSON, each message ended by a
//! zero. One question at a time; what the browser tells in between is kept for whoever waits for it.

use std::collections::VecDeque;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStdin, ChildStdout};

/// A message is not longer: a page's HTML or a screenshot.
const LONGEST: usize = 64 * 1024 * 1024;
/// Answers come at once, or the browser is stuck.
const PATIENCE: Duration = Duration::from_secs(20);
/// What is told and not asked for is forgotten beyond this.
const MOST_EVENTS: usize = 20_000;

pub(super) struct Pipe {
    input: ChildStdin,
    output: ChildStdout,
    unread: Vec<u8>,
    events: VecDeque<Value>,
    last: u64,
}

impl Pipe {
    pub(super) fn new(input: ChildStdin, output: ChildStdout) -> Self {
        Self {
            input,
            output,
            unread: Vec::new(),
            events: VecDeque::new(),
            last: 0,
        }
    }

    /// Asks, and waits for the answer. The empty session is the browser itself.
    pub(super) async fn call(
        &mut self,
        session: &str,
        method: &str,
        params: Value,
    ) -> Result<Value, String> {
        self.last += 1;
        let id = self.last;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(fields) = message.as_object_mut().filter(|_| !session.is_empty()) {
            fields.insert("sessionId".to_owned(), json!(session));
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let sending = self.input.write_all(&bytes).await;
        sending.map_err(|error| format!("the browser is gone: {error}"))?;
        let answer = tokio::time::timeout(PATIENCE, self.answer(id)).await;
        answer.map_err(|_| format!("the browser did not answer {method}"))?
    }

    async fn answer(&mut self, id: u64) -> Result<Value, String> {
        loop {
            let mut message = self.message().await?;
            if message.get("id").and_then(Value::as_u64) == Some(id) {
                if let Some(error) = message.pointer("/error/message") {
                    return Err(error.as_str().unwrap_or("an error").to_owned());
                }
                return Ok(message
                    .get_mut("result")
                    .map(Value::take)
                    .unwrap_or_default());
            }
            self.keep(message);
        }
    }

    fn keep(&mut self, message: Value) {
        if message.get("method").is_some() && self.events.len() < MOST_EVENTS {
            self.events.push_back(message);
        }
    }

    /// The next thing that the browser tells; nothing if it is silent for so long.
    pub(super) async fn event(&mut self, silence: Duration) -> Result<Option<Value>, String> {
        if let Some(event) = self.events.pop_front() {
            return Ok(Some(event));
        }
        match tokio::time::timeout(silence, self.message()).await {
            Err(_) => Ok(None),
            Ok(Ok(message)) if message.get("method").is_some() => Ok(Some(message)),
            // An answer that nobody waits for any more.
            Ok(Ok(_)) => Ok(Some(Value::Null)),
            Ok(Err(error)) => Err(error),
        }
    }

    /// Safe to drop while waiting: what was read stays in `unread`.
    async fn message(&mut self) -> Result<Value, String> {
        let mut searched = 0;
        loop {
            let rest = self.unread.get(searched..).unwrap_or_default();
            if let Some(end) = rest.iter().position(|byte| *byte == 0) {
                let end = searched + end;
                let message = self.unread.get(..end).map(serde_json::from_slice);
                let message = message.unwrap_or(Ok(Value::Null));
                self.unread.drain(..=end);
                return message.map_err(|error| format!("the browser speaks no JSON: {error}"));
            }
            searched = self.unread.len();
            if searched > LONGEST {
                return Err("the browser told too much at once".to_owned());
            }
            let read = self.output.read_buf(&mut self.unread).await;
            match read {
                Ok(0) => return Err("the browser ended".to_owned()),
                Ok(_) => {}
                Err(error) => return Err(format!("the browser is gone: {error}")),
            }
        }
    }
}
