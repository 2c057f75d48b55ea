//! Servers at an address on this machine.

use std::sync::Mutex;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use holloway_tools::secrets::Secrets;

/// One request as the server saw it.
#[derive(Clone, Debug)]
struct Asked {
    head: String,
    body: Value,
}

type Answer = dyn Fn(&Asked) -> String + Send + Sync;

/// Answers every request and keeps what it was asked.
struct Site {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Site {
    async fn open(answer: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/mcp", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answer, kept): (Arc<Answer>, _) = (Arc::new(answer), asked.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, answer.clone(), kept.clone()));
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, answer: Arc<Answer>, kept: Arc<Mutex<Vec<Asked>>>) {
    let mut bytes = Vec::new();
    let (head, length) = loop {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.parse().unwrap());
            break (head.to_owned(), length);
        }
    };
    while bytes.len() < head.len() + 4 + length {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let body = serde_json::from_slice(&bytes[head.len() + 4..]).unwrap_or_default();
    let asked = Asked { head, body };
    kept.lock().unwrap().push(asked.clone());
    stream.write_all(answer(&asked).as_bytes()).await.ok();
    stream.shutdown().await.ok();
}

fn reply(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    let start = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n{headers}");
    format!("{start}content-length: {length}\r\n\r\n{body}")
}

fn json_reply(asked: &Asked, result: Value) -> String {
    let body = fake::answer(&asked.body, result);
    let headers = "content-type: application/json\r\nmcp-session-id: s1\r\n";
    reply(200, headers, &body)
}

fn events_reply(asked: &Asked, result: Value) -> String {
    let body = fake::answer(&asked.body, result);
    let events = format!("event: message\ndata: {body}\n\n");
    reply(200, "content-type: text/event-stream\r\n", &events)
}

/// An older server: introduces itself, then does as told.
fn older(asked: &Asked, then: impl Fn(&Asked) -> String) -> String {
    match asked.body["method"].as_str() {
        None => reply(405, "", ""),
        Some("server/discover") => reply(400, "", "unknown"),
        Some("initialize") => json_reply(
            asked,
            json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                   "serverInfo": {"name": "site", "version": "1"}}),
        ),
        Some(method) if method.starts_with("notifications/") => reply(202, "", ""),
        Some(_) => then(asked),
    }
}

fn source_at(address: &str) -> McpSource {
    let key = ("Authorization".to_owned(), "Bearer ${KEY}".to_owned());
    let config = McpConfig {
        url: address.to_owned(),
        headers: BTreeMap::from([key]),
        ..McpConfig::default()
    };
    let secrets = Secrets::new(Arc::new(|name| (name == "KEY").then(|| "hush".to_owned())));
    let mut around = McpSurroundings::new(secrets, std::env::temp_dir());
    around.limits.message_bytes = 100_000;
    McpSource::new(SourceId::new("mcp.fake"), config, around)
}

#[tokio::test]
async fn tools_are_listed_and_called_in_both_forms_of_answer() {
    for form in [json_reply, events_reply] {
        let site = Site::open(move |asked| {
            older(asked, |asked| match asked.body["method"].as_str() {
                Some("tools/list") => form(asked, json!({"tools": [{"name": "a", "new": 1}]})),
                _ => form(asked, json!({"content": [{"type": "hologram", "x": 1}]})),
            })
        })
        .await;
        let source = source_at(&site.address);
        let offers = source.offers().await.unwrap();
        assert_eq!(offers[0].definition, json!({"name": "a", "new": 1}));
        let output = source.call(&request("a", json!({}))).await.unwrap();
        assert_eq!(
            output.value,
            json!({"content": [{"type": "hologram", "x": 1}]})
        );
        let asked = site.asked();
        let key = "authorization: bearer hush";
        assert!(asked.iter().all(|one| one.head.contains(key)));
        let call = asked.iter().find(|one| one.body["method"] == "tools/call");
        assert!(call.unwrap().head.contains("mcp-session-id: s1"));
        source.close().await;
    }
}

async fn check_refused(answer: fn() -> String, kind: SourceErrorKind, expected: &str) {
    let site = Site::open(move |_| answer()).await;
    let error = source_at(&site.address).offers().await.unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(expected), "{error}");
    assert!(!error.message.contains("hush"));
}

#[tokio::test]
async fn refusals_are_told_apart() {
    check_refused(|| reply(401, "", ""), SourceErrorKind::Denied, "401").await;
    let challenge = || reply(401, "www-authenticate: Bearer\r\n", "");
    check_refused(challenge, SourceErrorKind::Denied, "401").await;
    check_refused(|| reply(403, "", "no"), SourceErrorKind::Denied, "403").await;
    check_refused(|| reply(404, "", ""), SourceErrorKind::Start, "404").await;
    check_refused(|| reply(503, "", ""), SourceErrorKind::Start, "503").await;
    let page = || reply(200, "content-type: text/html\r\n", "<html>hello</html>");
    check_refused(page, SourceErrorKind::Protocol, "<html>").await;
}

#[tokio::test]
async fn nobody_at_the_address_is_told_and_nothing_is_uncertain() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let source = source_at(&address);
    let error = source.offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Start, "{error}");
    let failure = source.call(&request("a", json!({}))).await.unwrap_err();
    assert!(failure.retryable && !failure.uncertain, "{failure}");
}

#[tokio::test]
async fn a_server_may_not_send_us_elsewhere() {
    let other = Site::open(|asked| json_reply(asked, json!({}))).await;
    let target = format!("location: {}\r\n", other.address);
    let site = Site::open(move |_| reply(307, &target, "")).await;
    let error = source_at(&site.address).offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Denied, "{error}");
    assert!(other.asked().is_empty(), "the key must not go there");
}

#[tokio::test]
async fn a_server_may_add_a_slash() {
    let site = Site::open(|asked| {
        if asked.head.starts_with("post /mcp/ ") {
            older(asked, |asked| json_reply(asked, json!({"tools": []})))
        } else {
            reply(307, "location: /mcp/\r\n", "")
        }
    })
    .await;
    assert_eq!(source_at(&site.address).offers().await.unwrap(), []);
}

#[tokio::test]
async fn an_expired_session_is_begun_anew() {
    for status in [404, 400] {
        let expired = Mutex::new(false);
        let site = Site::open(move |asked| {
            older(asked, |asked| {
                let before = std::mem::replace(&mut *expired.lock().unwrap(), true);
                if before {
                    json_reply(asked, json!({"structuredContent": {"ok": true}}))
                } else {
                    reply(status, "content-type: text/plain\r\n", "no such session")
                }
            })
        })
        .await;
        let source = source_at(&site.address);
        let output = source.call(&request("a", json!({}))).await.unwrap();
        assert_eq!(output.value, json!({"ok": true}));
        let asked = site.asked();
        let begun = asked
            .iter()
            .filter(|one| one.body["method"] == "initialize");
        assert_eq!(begun.count(), 2, "status {status}");
    }
}

#[tokio::test]
async fn answers_are_bounded_in_both_forms() {
    for form in [json_reply, events_reply] {
        let site = Site::open(move |asked| {
            older(asked, |asked| {
                let long = asked.body["params"]["name"] == "long";
                let filling = "x".repeat(if long { 200_000 } else { 10 });
                form(asked, json!({"structuredContent": {"text": filling}}))
            })
        })
        .await;
        let source = source_at(&site.address);
        assert!(source.call(&request("short", json!({}))).await.is_ok());
        let failure = source.call(&request("long", json!({}))).await.unwrap_err();
        assert!(failure.happened || failure.uncertain, "{failure}");
        assert!(source.call(&request("short", json!({}))).await.is_ok());
    }
}

#[tokio::test]
async fn headers_that_cannot_be_sent_are_refused() {
    for (name, value) in [("Accept", "x"), ("bad name", "x"), ("X-Key", "a\nb")] {
        let config = McpConfig {
            url: "http://127.0.0.1:9/mcp".to_owned(),
            headers: BTreeMap::from([(name.to_owned(), value.to_owned())]),
            ..McpConfig::default()
        };
        let around = McpSurroundings::new(Secrets::none(), std::env::temp_dir());
        let source = McpSource::new(SourceId::new("mcp.fake"), config, around);
        let error = source.offers().await.unwrap_err();
        assert!(error.message.contains(&format!("`{name}`")), "{error}");
    }
}
