//! A server on loopback that knows one cassette: it compares each request with what was
//! recorded, answers as recorded, and keeps what was different.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use super::KEY;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exchange {
    request: Request,
    response: Response,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    method: String,
    path: String,
    /// Those that matter; the key stands as `‹key›`.
    headers: Map<String, Value>,
    body: Value,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Response {
    status: u16,
    headers: Map<String, Value>,
    body: Option<Value>,
    text: Option<String>,
    events: Option<Vec<Event>>,
    end: End,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Event {
    event: Option<String>,
    data: Value,
}

/// How an exchange ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum End {
    #[default]
    Complete,
    /// The connection is closed before the body is complete.
    Cut,
    /// Nothing more comes until the other side leaves.
    Hang,
}

#[derive(Default)]
struct Heard {
    differences: Vec<String>,
    left: VecDeque<Exchange>,
}

pub(crate) struct Player {
    url: String,
    heard: Arc<Mutex<Heard>>,
    /// A request has come that is left hanging.
    pub(crate) hanging: Arc<Notify>,
    /// The other side has left it.
    pub(crate) left: Arc<Notify>,
}

impl Player {
    pub(crate) async fn start(folder: &str, cassette: &str) -> Self {
        let file: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/cassettes", folder]
            .iter()
            .collect();
        let file = file.join(format!("{cassette}.json"));
        let text = std::fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let exchanges: VecDeque<Exchange> = serde_json::from_str(&text).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let player = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            heard: Arc::new(Mutex::new(Heard {
                left: exchanges,
                ..Heard::default()
            })),
            hanging: Arc::default(),
            left: Arc::default(),
        };
        let (heard, hanging, left) = (
            player.heard.clone(),
            player.hanging.clone(),
            player.left.clone(),
        );
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, heard.clone(), hanging.clone(), left.clone()));
            }
        });
        player
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Every request came as recorded, and none is missing.
    #[track_caller]
    pub(crate) fn assert_played(&self) {
        let heard = self.heard.lock().unwrap();
        assert!(
            heard.differences.is_empty(),
            "{}",
            heard.differences.join("\n")
        );
        assert!(
            heard.left.is_empty(),
            "{} recorded requests were not made",
            heard.left.len()
        );
    }
}

async fn serve(
    mut stream: TcpStream,
    heard: Arc<Mutex<Heard>>,
    hanging: Arc<Notify>,
    left: Arc<Notify>,
) {
    let Some((head, body)) = read_request(&mut stream).await else {
        return;
    };
    let next = heard.lock().unwrap().left.pop_front();
    let Some(Exchange { request, response }) = next else {
        heard
            .lock()
            .unwrap()
            .differences
            .push(format!("a request too many:\n{head}"));
        return;
    };
    let differences = compare(&request, &head, &body);
    heard.lock().unwrap().differences.extend(differences);
    let _ = stream.write_all(&written(&response)).await;
    let _ = stream.flush().await;
    if response.end == End::Hang {
        hanging.notify_one();
        let _ = stream.read(&mut [0; 1]).await;
        left.notify_one();
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = header_of(&head, "content-length").and_then(|length| length.parse().ok());
            if bytes.len() >= end + 4 + length.unwrap_or(0) {
                return Some((head, bytes.split_off(end + 4)));
            }
        }
        match stream.read(&mut buffer).await {
            Ok(count) if count > 0 => bytes.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
}

fn header_of(head: &str, wanted: &str) -> Option<String> {
    let mut lines = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    let found = lines.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    found.map(|(_, value)| value.trim().to_owned())
}

fn compare(recorded: &Request, head: &str, body: &[u8]) -> Vec<String> {
    let mut differences = Vec::new();
    let mut same = |what: &str, expected: &str, found: &str| {
        if expected != found {
            differences.push(format!("{what}: expected {expected}, found {found}"));
        }
    };
    let line = head.lines().next().unwrap_or_default();
    same(
        "request line",
        &format!("{} {} HTTP/1.1", recorded.method, recorded.path),
        line,
    );
    for (name, value) in &recorded.headers {
        let expected = value.as_str().unwrap_or_default().replace("‹key›", KEY);
        same(name, &expected, &header_of(head, name).unwrap_or_default());
    }
    let found: Value = serde_json::from_slice(body).unwrap_or_default();
    same(
        "body",
        &format!("{:#}", sorted(&recorded.body)),
        &format!("{:#}", sorted(&found)),
    );
    differences
}

/// Fields have no order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields
                .iter()
                .map(|(name, field)| (name.clone(), sorted(field)))
                .collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

/// The response as bytes. A body that is cut or left hanging promises more than there is.
fn written(response: &Response) -> Vec<u8> {
    if response.status == 0 {
        return Vec::new();
    }
    let (kind, body) = match response {
        Response {
            events: Some(events),
            ..
        } => ("text/event-stream; charset=utf-8", written_events(events)),
        Response {
            body: Some(body), ..
        } => ("application/json", body.to_string()),
        Response { text, .. } => ("text/html", text.clone().unwrap_or_default()),
    };
    let body = body.replace("‹key›", KEY);
    let more = if response.end == End::Complete {
        0
    } else {
        100
    };
    let mut head = format!(
        "HTTP/1.1 {} Recorded\r\ncontent-type: {kind}\r\nconnection: close\r\n",
        response.status
    );
    write!(head, "content-length: {}\r\n", body.len() + more).unwrap();
    for (name, value) in &response.headers {
        write!(head, "{name}: {}\r\n", value.as_str().unwrap_or_default()).unwrap();
    }
    format!("{head}\r\n{body}").into_bytes()
}

fn written_events(events: &[Event]) -> String {
    let mut text = String::new();
    for Event { event, data } in events {
        if let Some(event) = event {
            writeln!(text, "event: {event}").unwrap();
        }
        let data = match data {
            Value::String(plain) => plain.clone(),
            other => other.to_string(),
        };
        writeln!(text, "data: {data}\n").unwrap();
    }
    text
}

/// A server that answers one request with `head` and then `piece`, over and over, until the
/// other side leaves or `most` bytes are written.
pub(crate) async fn endless(head: &'static str, piece: &'static str, most: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = read_request(&mut stream).await;
        let block = piece.repeat((64 << 10) / piece.len() + 1);
        let mut written = 0;
        let mut going_on = stream.write_all(head.as_bytes()).await.is_ok();
        while going_on && written < most {
            going_on = stream.write_all(block.as_bytes()).await.is_ok();
            written += block.len();
        }
    });
    url
}
