//! Does a server behind an address work like one behind pipes?

use std::net::TcpListener;
use std::process::Stdio;

use holloway_sources::ToolSource as _;
use holloway_sources::mcp::McpConfig;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::table::{folder, named};
use crate::server::{LONG, Server};

/// A server that listens on a port of its own until it is dropped.
struct Listening {
    child: Child,
    url: String,
}

impl Listening {
    async fn start(folder: &tempfile::TempDir) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        Self::start_on(folder, port).await
    }

    async fn start_on(folder: &tempfile::TempDir, port: u16) -> Self {
        let config = named("everything").config(folder.path());
        let mut child = Command::new(config.command)
            .arg("streamableHttp")
            .env("PORT", port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        loop {
            let line = lines.next_line().await.unwrap();
            let line = line.expect("the server ended before it listened");
            if line.contains("listening on port") {
                break;
            }
        }
        // Nobody may fill the pipe up.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let url = format!("http://127.0.0.1:{port}/mcp");
        Self { child, url }
    }

    fn server(&self, folder: &tempfile::TempDir) -> Server {
        let config = McpConfig {
            url: self.url.clone(),
            start_timeout_ms: Some(LONG.as_millis() as u64),
            ..McpConfig::default()
        };
        Server::new("everything", config, folder.path())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_are_listed_and_called_over_http() {
    let folder = folder();
    let listening = Listening::start(&folder).await;
    let server = listening.server(&folder);
    let offers = server.source.offers().await.unwrap();
    assert!(offers.len() >= named("everything").tools);
    for call in &named("everything").calls {
        let answer = server.call(&call.tool, call.arguments(folder.path()));
        assert_eq!(call.judge(answer.await), None);
    }
    server.source.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_comes_back_is_used_again() {
    let folder = folder();
    let mut listening = Listening::start(&folder).await;
    let server = listening.server(&folder);
    server.source.offers().await.unwrap();
    listening.child.kill().await.unwrap();
    let failure = server.call("echo", json!({"message": "x"})).await;
    assert!(failure.is_err(), "{failure:?}");
    let port = listening.url.split(':').nth(2).unwrap().split('/').next();
    let _again = Listening::start_on(&folder, port.unwrap().parse().unwrap()).await;
    let answer = server.call("echo", json!({"message": "back"})).await;
    assert_eq!(answer.unwrap(), json!({"text": "Echo: back"}));
    server.source.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_where_nobody_listens_is_a_typed_error() {
    let folder = folder();
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let config = McpConfig {
        url: format!("http://127.0.0.1:{port}/mcp"),
        start_timeout_ms: Some(5_000),
        ..McpConfig::default()
    };
    let server = Server::new("nobody", config, folder.path());
    let error = server.source.offers().await.unwrap_err();
    assert!(!error.message.is_empty() && !error.hint.is_empty());
    let failure = server.call("echo", json!({})).await.unwrap_err();
    assert!(!failure.uncertain, "nothing was sent: {failure:?}");
    server.source.close().await;
}
