//! Do the HTTP tools behave against a real server? One small server on loopback,
//! which answers by path and remembers what it was asked.

use std::sync::{Arc, Mutex};

use holloway_engine::failure::FailureName;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use super::super::testing::run_keyed;
use super::super::{Grants, Toolbox};

pub(super) struct Server {
    pub(super) address: String,
    pub(super) requests: Arc<Mutex<Vec<String>>>,
    /// Lets `/slow` answer.
    pub(super) go_on: Arc<Notify>,
}

impl Server {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let go_on = Arc::new(Notify::new());
        let (seen, may_go_on) = (Arc::clone(&requests), Arc::clone(&go_on));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&seen), Arc::clone(&may_go_on)));
            }
        });
        Self {
            address,
            requests,
            go_on,
        }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(super) fn last_request(&self) -> String {
        self.requests.lock().unwrap().last().cloned().unwrap()
    }

    async fn run(&self, tool: &str, arguments: Value) -> Result<Value, Box<Failure>> {
        let grants = Grants {
            private_hosts: vec![self.address.clone()],
            ..Grants::default()
        };
        let toolbox = Toolbox::builtin(grants);
        let result = run_keyed(&toolbox, &format!("builtin/{tool}"), arguments, "run/node").await;
        result.map_err(Box::new)
    }
}

type Failure = holloway_engine::failure::ToolFailure;

async fn serve(mut stream: TcpStream, seen: Arc<Mutex<Vec<String>>>, go_on: Arc<Notify>) {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !is_complete(&request) {
        let count = stream.read(&mut buffer).await.unwrap();
        if count == 0 {
            return;
        }
        request.extend_from_slice(&buffer[..count]);
    }
    let text = String::from_utf8_lossy(&request).into_owned();
    let path = text.split(' ').nth(1).unwrap().to_owned();
    seen.lock().unwrap().push(text);
    if path == "/never" {
        std::future::pending::<()>().await;
    }
    if path == "/slow" {
        go_on.notified().await;
    }
    if let Some(response) = respond(&path) {
        stream.write_all(&response).await.ok();
    }
    if path == "/half" {
        std::future::pending::<()>().await;
    }
}

fn is_complete(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.split("content-length: ").nth(1);
    let length = length.and_then(|rest| rest.lines().next());
    body.len() >= length.map_or(0, |length| length.trim().parse().unwrap())
}

/// `None` closes the connection without an answer.
fn respond(path: &str) -> Option<Vec<u8>> {
    if let Some(target) = path.strip_prefix("/to?") {
        return Some(answer("302 Found", &format!("location: {target}\r\n"), b""));
    }
    let (path, _query) = path.split_once('?').unwrap_or((path, ""));
    let response = match path {
        "/hello" => answer(
            "200 OK",
            "content-type: text/plain\r\nx-a: 1\r\nx-a: 2\r\n",
            b"hello",
        ),
        "/missing" => answer("404 Not Found", "", b"no such page"),
        "/busy" => answer("503 Service Unavailable", "retry-after: 1\r\n", b""),
        "/png" => answer("200 OK", "content-type: image/png\r\n", b"\x89PNG\x00\xff"),
        "/long" => answer("200 OK", "", "x".repeat(5000).as_bytes()),
        "/bomb" => answer("200 OK", "content-encoding: gzip\r\n", BOMB),
        "/loop" => answer("302 Found", "location: /loop\r\n", b""),
        "/moved" => answer("301 Moved Permanently", "location: /hello\r\n", b""),
        "/to-inside" => answer("302 Found", "location: http://169.254.169.254/\r\n", b""),
        "/to-name" => answer("302 Found", "location: http://localhost:1/\r\n", b""),
        "/to-file" => answer("302 Found", "location: file:///etc/passwd\r\n", b""),
        "/nothing" => answer("204 No Content", "", b""),
        // Fewer bytes than are promised, and then the end or nothing more.
        "/cut-off" | "/half" => b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".to_vec(),
        "/hang-up" => return None,
        _ => answer("200 OK", "content-type: application/json\r\n", b"{}"),
    };
    Some(response)
}

fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// Python: `gzip.compress(bytes(16 << 20), 9, mtime=0)`; 16 kB that become 16 MB.
const BOMB: &[u8] = include_bytes!("testdata/sixteen-mebibytes-of-zeros.gz");

#[tokio::test]
async fn a_page_is_fetched_with_its_headers() {
    let server = Server::start().await;
    let url = server.url("/hello");
    let arguments = json!({"url": url, "headers": {"X-Token": "t"}});
    let mut page = server.run("http-fetch", arguments).await.unwrap();
    page.as_object_mut().unwrap().remove("duration_ms");
    let headers = json!({"content-type": "text/plain", "x-a": "1, 2", "content-length": "5", "connection": "close"});
    assert_eq!(
        page,
        json!({"url": url, "status": 200, "headers": headers, "bytes": 5, "truncated": false, "body": "hello", "content_type": "text/plain"})
    );
    assert!(server.last_request().contains("x-token: t"));
}

#[tokio::test]
async fn error_statuses_are_data() {
    let server = Server::start().await;
    for (path, status) in [("/missing", 404), ("/busy", 503)] {
        let page = server
            .run("http-fetch", json!({"url": server.url(path)}))
            .await;
        assert_eq!(page.unwrap()["status"], status);
    }
}

#[tokio::test]
async fn binary_bodies_come_as_base64_and_head_has_none() {
    let server = Server::start().await;
    let url = server.url("/png");
    let page = server.run("http-fetch", json!({"url": url})).await.unwrap();
    assert_eq!(page["base64"], "iVBORwD/");
    let head = server
        .run("http-fetch", json!({"url": url, "method": "HEAD"}))
        .await
        .unwrap();
    assert_eq!(head["body"], "");
    assert!(server.last_request().starts_with("HEAD /png"));
}

#[tokio::test]
async fn a_body_is_cut_at_the_limit() {
    let server = Server::start().await;
    let arguments = json!({"url": server.url("/long"), "max_bytes": 100});
    let page = server.run("http-fetch", arguments).await.unwrap();
    assert_eq!(
        (&page["bytes"], &page["truncated"]),
        (&json!(100), &json!(true))
    );
    let arguments = json!({"url": server.url("/long"), "max_bytes": 5000});
    let page = server.run("http-fetch", arguments).await.unwrap();
    assert_eq!(
        (&page["bytes"], &page["truncated"]),
        (&json!(5000), &json!(false))
    );
}

#[tokio::test]
async fn a_decompression_bomb_is_cut_at_the_limit() {
    let server = Server::start().await;
    let arguments = json!({"url": server.url("/bomb"), "max_bytes": 2_000_000});
    let page = server.run("http-fetch", arguments).await.unwrap();
    assert_eq!(
        (&page["bytes"], &page["truncated"]),
        (&json!(2_000_000), &json!(true))
    );
}

#[tokio::test]
async fn redirects_are_followed_but_not_inside_and_not_for_ever() {
    let server = Server::start().await;
    let page = server
        .run("http-fetch", json!({"url": server.url("/moved")}))
        .await
        .unwrap();
    assert_eq!(
        (&page["url"], &page["body"]),
        (&json!(server.url("/hello")), &json!("hello"))
    );
    for path in ["/to-inside", "/to-name", "/to-file"] {
        let failure = server
            .run("http-fetch", json!({"url": server.url(path)}))
            .await
            .unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{path}");
    }
    let failure = server
        .run("http-fetch", json!({"url": server.url("/loop")}))
        .await
        .unwrap_err();
    assert_eq!(failure.message, "more than 10 redirects");
}

#[tokio::test]
async fn headers_stay_with_the_host_they_were_meant_for() {
    let (first, second) = (Server::start().await, Server::start().await);
    let toolbox = Toolbox::builtin(Grants {
        private_hosts: vec![first.address.clone(), second.address.clone()],
        ..Grants::default()
    });
    for (target, kept) in [(first.url("/hello"), true), (second.url("/hello"), false)] {
        let url = first.url(&format!("/to?{target}"));
        let arguments = json!({"url": url, "headers": {"X-Api-Key": "secret"}});
        run_keyed(&toolbox, "builtin/http-fetch", arguments, "k")
            .await
            .unwrap();
        let server = if kept { &first } else { &second };
        let request = server.last_request();
        assert!(request.starts_with("GET /hello"));
        assert_eq!(request.contains("secret"), kept, "{request}");
    }
}

#[tokio::test]
async fn silence_is_a_timeout() {
    let server = Server::start().await;
    let arguments = json!({"url": server.url("/never"), "timeout_ms": 50});
    let failure = server.run("http-fetch", arguments).await.unwrap_err();
    assert_eq!(failure.name, FailureName::Timeout);
}

#[tokio::test]
async fn names_of_this_machine_are_denied() {
    let toolbox = Toolbox::builtin(Grants::default());
    for url in ["http://localhost:1/", "http://LOCALHOST:1/"] {
        let failure = run_keyed(&toolbox, "builtin/http-fetch", json!({"url": url}), "k").await;
        let failure = failure.unwrap_err();
        assert_eq!(failure.name, FailureName::Denied, "{url}: {failure}");
        assert!(failure.hint.unwrap().contains("[grants] private_hosts"));
    }
}

#[tokio::test]
async fn a_sent_request_carries_body_and_key() {
    let server = Server::start().await;
    let arguments = json!({"url": server.url("/items"), "method": "PUT", "json": {"name": "lamp"}});
    let page = server.run("http-send", arguments).await.unwrap();
    assert_eq!(page["status"], 200);
    let request = server.last_request();
    assert!(request.starts_with("PUT /items HTTP/1.1"));
    assert!(request.contains("idempotency-key: run/node"));
    assert!(request.contains("content-type: application/json"));
    assert!(request.ends_with("{\"name\":\"lamp\"}"));
}

#[tokio::test]
async fn a_sent_request_is_not_redirected() {
    let server = Server::start().await;
    let page = server
        .run("http-send", json!({"url": server.url("/moved")}))
        .await
        .unwrap();
    assert_eq!(
        (&page["status"], &page["headers"]["location"]),
        (&json!(301), &json!("/hello"))
    );
}

#[tokio::test]
async fn a_lost_answer_is_uncertain_only_when_sending() {
    let server = Server::start().await;
    let arguments = json!({"url": server.url("/hang-up")});
    let read = server
        .run("http-fetch", arguments.clone())
        .await
        .unwrap_err();
    assert_eq!((read.retryable, read.uncertain), (true, false), "{read}");
    let write = server.run("http-send", arguments).await.unwrap_err();
    assert_eq!((write.retryable, write.uncertain), (true, true), "{write}");
}

#[tokio::test]
async fn no_connection_means_nothing_was_sent() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = closed.local_addr().unwrap().to_string();
    drop(closed);
    let server = Server {
        address,
        requests: Arc::default(),
        go_on: Arc::default(),
    };
    let failure = server
        .run("http-send", json!({"url": server.url("/")}))
        .await
        .unwrap_err();
    assert_eq!(
        (failure.retryable, failure.uncertain),
        (true, false),
        "{failure}"
    );
}

#[tokio::test]
async fn headers_that_frame_the_message_are_refused() {
    let server = Server::start().await;
    for (name, value) in [
        ("Host", "x"),
        ("Content-Length", "1"),
        ("Bad Name", "x"),
        ("X", "a\r\nb"),
    ] {
        let arguments = json!({"url": server.url("/"), "headers": {name: value}});
        let failure = server.run("http-fetch", arguments).await.unwrap_err();
        assert_eq!(failure.name, FailureName::ValidationFailed, "{name}");
    }
}
