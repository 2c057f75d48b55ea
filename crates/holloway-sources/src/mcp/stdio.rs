//! How do messages pass over pipes? Lines out, lines in; noise is skipped, an
//! answer that cannot be read fails its own call only.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, NumberOrString, ServerJsonRpcMessage,
};
use rmcp::service::TxJsonRpcMessage;
use rmcp::transport::Transport;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::lines::{Found, Lines};
use super::message::{self, Said};
use super::wire::Wire;

pub type Reader = Box<dyn AsyncRead + Send + Unpin>;
pub type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// How long output may still come after the program has ended: only a process that
/// it left behind can hold the pipe open.
const LAST_WORDS: Duration = Duration::from_millis(250);
const QUEUE: usize = 256;

/// The pipes of one server.
pub(super) struct StdioTransport {
    lines: Lines<Reader>,
    outgoing: Option<mpsc::Sender<Vec<u8>>>,
    wire: Arc<Wire>,
    exit: Option<watch::Receiver<Option<Arc<str>>>>,
    /// Set when the program has ended.
    deadline: Option<Instant>,
    /// Requests whose answers are read in the types of the protocol; all others are
    /// handed on as received.
    typed: HashSet<i64>,
    /// The first question to a server; an answer after we have moved on is dropped.
    probe: Option<i64>,
    moved_on: bool,
    ready: VecDeque<ServerJsonRpcMessage>,
    limit: usize,
}

impl StdioTransport {
    pub(super) fn new(
        (reader, writer): (Reader, Writer),
        wire: Arc<Wire>,
        exit: Option<watch::Receiver<Option<Arc<str>>>>,
        limit: usize,
    ) -> Self {
        let (outgoing, queue) = mpsc::channel(QUEUE);
        tokio::spawn(write_out(queue, writer, wire.clone()));
        Self {
            lines: Lines::new(reader, limit),
            outgoing: Some(outgoing),
            wire,
            exit,
            deadline: None,
            typed: HashSet::new(),
            probe: None,
            moved_on: false,
            ready: VecDeque::new(),
            limit,
        }
    }

    fn remember(&mut self, message: &ClientJsonRpcMessage) {
        let JsonRpcMessage::Request(request) = message else {
            return;
        };
        let NumberOrString::Number(id) = request.id else {
            return;
        };
        match request.request {
            ClientRequest::CallToolRequest(_) | ClientRequest::ListToolsRequest(_) => return,
            ClientRequest::DiscoverRequest(_) => self.probe = Some(id),
            ClientRequest::InitializeRequest(_) => self.moved_on = true,
            _ => {}
        }
        self.typed.insert(id);
    }

    /// The next line, or the end: of the output, of the program, of the connection.
    async fn next(&mut self) -> Found {
        loop {
            let Some(deadline) = self.deadline else {
                tokio::select! {
                    biased;
                    found = self.lines.next() => return found,
                    () = ended(self.exit.as_mut()) => {
                        self.deadline = Some(Instant::now() + LAST_WORDS);
                    }
                    _ = self.wire.end_reason() => return Found::End,
                }
                continue;
            };
            return tokio::time::timeout_at(deadline, self.lines.next())
                .await
                .unwrap_or(Found::End);
        }
    }

    fn take_line(&mut self, line: std::ops::Range<usize>) {
        match message::read(self.lines.bytes(line)) {
            Said::Messages(messages) => messages.into_iter().for_each(|one| self.take(one)),
            Said::Garbled(id) => self.ready.push_back(message::stand_in(
                id,
                message::GARBLED,
                "the answer is not valid JSON".to_owned(),
            )),
            Said::Noise => {}
        }
    }

    fn take(&mut self, object: Map<String, Value>) {
        if self.wire.take_note(&object) {
            return;
        }
        let answered = match message::id_of(&object) {
            Some(NumberOrString::Number(id)) if !object.contains_key("method") => Some(id),
            _ => None,
        };
        if self.moved_on && answered.is_some() && answered == self.probe {
            return;
        }
        let raw =
            object.contains_key("result") && answered.is_some_and(|id| !self.typed.remove(&id));
        let message = if raw {
            message::as_received(object)
        } else {
            message::typed(object)
        };
        self.ready.extend(message);
    }

    fn take_long(&mut self, head: &[u8], tail: &[u8]) -> bool {
        let Some(id) = message::answered(head, tail) else {
            return false;
        };
        let message = format!("the answer is longer than {} bytes", self.limit);
        self.ready
            .push_back(message::stand_in(id, message::TOO_LONG, message));
        true
    }

    /// Says why there will be no more messages.
    async fn end(&mut self, reason: &str) {
        let exit = match &mut self.exit {
            // The pipe closes a moment before the program is known to have ended.
            Some(exit) => tokio::time::timeout(LAST_WORDS, exit.wait_for(Option::is_some))
                .await
                .ok()
                .and_then(Result::ok)
                .and_then(|exit| exit.clone()),
            None => None,
        };
        self.wire.end(exit.as_deref().unwrap_or(reason));
        self.outgoing = None;
    }
}

/// Never, where there is no program.
async fn ended(exit: Option<&mut watch::Receiver<Option<Arc<str>>>>) {
    match exit {
        Some(exit) => {
            exit.wait_for(Option::is_some).await.ok();
        }
        None => std::future::pending().await,
    }
}

impl Transport<RoleClient> for StdioTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.remember(&message);
        let line = serde_json::to_vec(&message).map(|mut line| {
            line.push(b'\n');
            line
        });
        let outgoing = self.outgoing.clone();
        async move {
            let line = line.map_err(io::Error::other)?;
            let outgoing = outgoing.ok_or(io::ErrorKind::BrokenPipe)?;
            outgoing
                .send(line)
                .await
                .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            let reason = match self.next().await {
                Found::Line(line) => {
                    self.take_line(line);
                    continue;
                }
                Found::TooLong { head, tail } if self.take_long(&head, &tail) => continue,
                Found::TooLong { .. } | Found::Endless => {
                    self.wire
                        .end(&format!("it wrote a line longer than {} bytes", self.limit));
                    "it wrote too much"
                }
                Found::End => "it closed its output",
            };
            self.end(reason).await;
            return None;
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.outgoing = None;
        self.wire.end("it was closed");
        Ok(())
    }
}

/// Several messages that wait go out in one piece.
async fn write_out(mut queue: mpsc::Receiver<Vec<u8>>, mut writer: Writer, wire: Arc<Wire>) {
    while let Some(mut bytes) = queue.recv().await {
        while let Ok(more) = queue.try_recv() {
            bytes.extend(more);
        }
        let written = async {
            writer.write_all(&bytes).await?;
            writer.flush().await
        };
        if written.await.is_err() {
            // The output may still say why, so its end is waited for, but not for long.
            tokio::time::sleep(LAST_WORDS * 2).await;
            wire.end("it closed its input");
            return;
        }
    }
}
