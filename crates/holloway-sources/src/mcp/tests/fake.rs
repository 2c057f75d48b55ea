//! A server in this process: what it is told to say, and what it has heard.

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

use holloway_engine::entry::RunId;
use holloway_plan::tool::Effect;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};
use tokio::sync::{mpsc, watch};

use super::super::*;
use holloway_tools::secrets::Secrets;

type Behaviour = dyn Fn(&Value, &Out) + Send + Sync;

/// Answers everything but the introduction with its behaviour.
#[derive(Clone)]
pub(super) struct Fake {
    behaviour: Arc<Behaviour>,
    heard: Arc<Mutex<Vec<Value>>>,
    news: watch::Sender<usize>,
    starts: Arc<AtomicUsize>,
    /// How it introduces itself; none means the older protocol.
    pub(super) discover: Option<Value>,
    pub(super) silent: bool,
    pub(super) leaves_at_discover: bool,
}

/// Where the server writes.
#[derive(Clone)]
pub(super) struct Out(mpsc::UnboundedSender<Option<String>>);

impl Out {
    pub(super) fn line(&self, line: &str) {
        self.0.send(Some(line.to_owned())).ok();
    }

    pub(super) fn result(&self, message: &Value, result: Value) {
        self.line(&answer(message, result));
    }

    /// Ends the server.
    pub(super) fn end(&self) {
        self.0.send(None).ok();
    }
}

impl Fake {
    pub(super) fn new(behaviour: impl Fn(&Value, &Out) + Send + Sync + 'static) -> Self {
        Self {
            behaviour: Arc::new(behaviour),
            heard: Arc::default(),
            news: watch::Sender::new(0),
            starts: Arc::default(),
            discover: None,
            silent: false,
            leaves_at_discover: false,
        }
    }

    pub(super) fn source(&self) -> McpSource {
        self.source_in(surroundings())
    }

    pub(super) fn source_in(&self, surroundings: McpSurroundings) -> McpSource {
        self.source_of(McpConfig::default(), surroundings)
    }

    pub(super) fn source_of(&self, config: McpConfig, around: McpSurroundings) -> McpSource {
        let fake = self.clone();
        let dial = move || fake.dial();
        McpSource::over(SourceId::new("mcp.fake"), config, around, Arc::new(dial))
    }

    fn dial(&self) -> (Reader, Writer) {
        self.starts.fetch_add(1, Ordering::SeqCst);
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (their_input, our_output) = tokio::io::duplex(64 * 1024);
        tokio::spawn(self.clone().serve(their_input, theirs));
        (Box::new(ours), Box::new(our_output))
    }

    async fn serve(self, input: DuplexStream, mut output: DuplexStream) {
        let (sender, mut lines) = mpsc::unbounded_channel();
        let out = Out(sender);
        let writing = async {
            while let Some(Some(line)) = lines.recv().await {
                output.write_all(line.as_bytes()).await.ok();
                output.write_all(b"\n").await.ok();
            }
        };
        let reading = async {
            let mut input = BufReader::new(input).lines();
            while let Ok(Some(line)) = input.next_line().await {
                let message = serde_json::from_str(&line).unwrap();
                self.hear(&message, &out);
            }
        };
        tokio::select! {
            () = writing => {}
            () = reading => {}
        }
    }

    fn hear(&self, message: &Value, out: &Out) {
        self.heard.lock().unwrap().push(message.clone());
        self.news.send_modify(|count| *count += 1);
        if self.silent {
            return;
        }
        match message["method"].as_str() {
            Some("server/discover") if self.leaves_at_discover => out.end(),
            Some("server/discover") => match &self.discover {
                Some(result) => out.result(message, result.clone()),
                None => out.line(&error(message, -32_601, "Method not found")),
            },
            Some("initialize") => out.result(
                message,
                json!({
                    "protocolVersion": message["params"]["protocolVersion"],
                    "capabilities": {"tools": {"listChanged": true}},
                    "serverInfo": {"name": "fake", "version": "1"},
                }),
            ),
            Some("notifications/initialized" | "notifications/cancelled") => {}
            _ => (self.behaviour)(message, out),
        }
    }

    pub(super) fn starts(&self) -> usize {
        self.starts.load(Ordering::SeqCst)
    }

    pub(super) fn heard(&self) -> Vec<Value> {
        self.heard.lock().unwrap().clone()
    }

    /// Waits until the server has heard of this method.
    pub(super) async fn hears(&self, method: &str) {
        let mut news = self.news.subscribe();
        while !self.heard().iter().any(|one| one["method"] == method) {
            news.changed().await.unwrap();
        }
    }
}

pub(super) fn answer(message: &Value, result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string()
}

pub(super) fn error(message: &Value, code: i32, text: &str) -> String {
    let error = json!({"code": code, "message": text});
    json!({"jsonrpc": "2.0", "id": message["id"], "error": error}).to_string()
}

pub(super) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

pub(super) fn surroundings() -> McpSurroundings {
    McpSurroundings::new(Secrets::none(), std::env::temp_dir())
}

pub(super) fn request(tool: &str, arguments: Value) -> CallRequest {
    CallRequest {
        tool: SourceId::new("mcp.fake").tool(tool),
        arguments: Arc::new(arguments),
        effect: Effect::Read,
        key: "key".into(),
        run: RunId::new("run"),
        node: "node".into(),
        attempt: 1,
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line: holloway_engine::ports::CallLine::default(),
    }
}
