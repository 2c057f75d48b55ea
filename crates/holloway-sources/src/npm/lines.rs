//! What does a worker say? Messages after a record separator, one a line; whatever
//! else is on the line is noise of the tools and skipped. No line grows without bound.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

const MARK: u8 = 0x1e;
const KEPT_ERRORS: usize = 4 << 10;
const LONGEST_WORDS: usize = 400;

/// One message of the worker.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Said {
    pub(super) id: u64,
    pub(super) ok: Value,
    pub(super) error: Option<Problem>,
    /// Nothing is answered any more after this.
    pub(super) fatal: Option<Problem>,
    /// Its memory, in bytes.
    pub(super) rss: u64,
}

/// An error of the tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) message: String,
}

/// Why there is no next message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Silence {
    Ended,
    TooLong,
    Garbled,
}

/// Reads messages; `next` may be dropped at any time without losing one.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    longest: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, longest: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(64 << 10, reader),
            line: Vec::new(),
            longest,
        }
    }

    pub(super) async fn next(&mut self) -> Result<Said, Silence> {
        loop {
            let Ok(bytes) = self.reader.fill_buf().await else {
                return Err(Silence::Ended);
            };
            if bytes.is_empty() {
                return Err(Silence::Ended);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(bytes.len(), |end| end + 1);
            self.line.extend(bytes.iter().take(count));
            self.reader.consume(count);
            if self.line.len() > self.longest {
                return Err(Silence::TooLong);
            }
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                if let Some(message) = message(&line) {
                    return serde_json::from_slice(message).map_err(|_| Silence::Garbled);
                }
            }
        }
    }
}

/// JSON never holds the mark itself, so the last one on a line begins the message.
fn message(line: &[u8]) -> Option<&[u8]> {
    let mark = line.iter().rposition(|byte| *byte == MARK)?;
    line.get(mark + 1..)
}

/// The last of what a worker wrote to stderr.
#[derive(Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<VecDeque<u8>>>);

impl LastWords {
    pub(super) async fn listen(self, mut stderr: impl AsyncRead + Unpin) {
        let mut buffer = [0; 1 << 10];
        while let Ok(count @ 1..) = stderr.read(&mut buffer).await {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(buffer.iter().take(count));
            let surplus = kept.len().saturating_sub(KEPT_ERRORS);
            kept.drain(..surplus);
        }
    }

    /// Without stack traces; of a long text the end, where the reason is.
    pub(super) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let telling = |line: &&str| !line.is_empty() && !line.starts_with("at ");
        let lines: Vec<_> = text.lines().map(str::trim).filter(telling).collect();
        let said = super::complaint::one_line(&lines.join(" | "));
        let surplus = said.chars().count().saturating_sub(LONGEST_WORDS);
        said.chars().skip(surplus).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    async fn check(input: &str, expected: &[Result<u64, Silence>]) {
        let mut lines = Lines::new(input.as_bytes(), 100);
        for (at, expected) in expected.iter().enumerate() {
            let found = lines.next().await.map(|said| said.id);
            assert_eq!(&found, expected, "message {at} of {input:?}");
        }
    }

    #[tokio::test]
    async fn messages_are_found_among_noise() {
        let noisy =
            "hello\n\n{\"id\":9}\nhalf a line\u{1e}{\"id\":1}\n\u{1e}{\"id\":2,\"rss\":5}\nbye";
        check(noisy, &[Ok(1), Ok(2), Err(Silence::Ended)]).await;
    }

    #[tokio::test]
    async fn what_is_no_message_is_told_apart() {
        check("\u{1e}{\"id\":\n", &[Err(Silence::Garbled)]).await;
        check(&"x".repeat(101), &[Err(Silence::TooLong)]).await;
        check("", &[Err(Silence::Ended)]).await;
    }

    #[tokio::test]
    async fn a_result_of_null_is_a_result() {
        let mut lines = Lines::new(&b"\x1e{\"id\":1,\"ok\":null}\n"[..], 100);
        let said = lines.next().await.unwrap();
        assert_eq!((said.ok, said.error), (json!(null), None));
    }

    #[tokio::test]
    async fn only_the_end_of_a_long_complaint_is_kept() {
        let words = LastWords::default();
        let text = format!("{}\n  at file.js:1\nlast line\n", "x".repeat(10_000));
        words.clone().listen(text.as_bytes()).await;
        assert!(words.text().ends_with("last line"), "{}", words.text());
        assert!(words.0.lock().unwrap().len() <= KEPT_ERRORS);
    }
}
