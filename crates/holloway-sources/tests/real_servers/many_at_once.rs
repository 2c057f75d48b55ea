//! Do many calls on one server, and many servers at once, get on with each other?

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use holloway_sources::ToolSource as _;
use serde_json::json;
use tokio::task::JoinSet;

use super::table::{folder, named};
use crate::server::Server;

const CALLS: usize = 200;
/// Quick to start, and of both kinds.
const TEN: [&str; 10] = [
    "everything",
    "filesystem",
    "memory",
    "sequential-thinking",
    "taskmanager",
    "dice-roller",
    "time-node",
    "knowledge-graph",
    "commands",
    "sqlite",
];

async fn check_concurrent(server: Arc<Server>) {
    let mut running = JoinSet::new();
    for number in 0..CALLS {
        let server = server.clone();
        running.spawn(async move {
            let message = format!("call {number}");
            let answer = server.call("echo", json!({"message": message})).await;
            assert_eq!(answer.unwrap(), json!({"text": format!("Echo: {message}")}));
        });
    }
    let mut answered = 0;
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
        answered += 1;
    }
    assert_eq!(answered, CALLS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_calls_at_once_are_all_answered() {
    let folder = folder();
    let server = Arc::new(named("everything").server(folder.path()));
    check_concurrent(server.clone()).await;
    assert_eq!(server.mark.processes().len(), 1, "one server is enough");
    server.close("two hundred calls").await;
}

fn ten(folder: &Path) -> Vec<Arc<Server>> {
    TEN.iter()
        .map(|name| Arc::new(named(name).server(folder)))
        .collect()
}

async fn start_together(servers: &[Arc<Server>]) -> Duration {
    let began = Instant::now();
    let mut starting = JoinSet::new();
    for server in servers.iter().cloned() {
        starting.spawn(async move { server.source.offers().await.unwrap().len() });
    }
    while let Some(count) = starting.join_next().await {
        assert!(count.unwrap() > 0);
    }
    began.elapsed()
}

async fn close(servers: &[Arc<Server>]) {
    for server in servers {
        server.close(server.id.as_str()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_servers_start_together() {
    let folder = folder();
    let servers = ten(folder.path());
    start_together(&servers).await;
    let running = servers
        .iter()
        .filter(|server| !server.mark.processes().is_empty());
    assert_eq!(running.count(), TEN.len());
    close(&servers).await;
}

/// Prints how long ten servers take, one after the other and together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement, not a check"]
async fn starting_ten_servers() {
    let folder = folder();
    let servers = ten(folder.path());
    let began = Instant::now();
    for server in &servers {
        server.source.offers().await.unwrap();
    }
    let serial = began.elapsed();
    close(&servers).await;
    let servers = ten(folder.path());
    let parallel = start_together(&servers).await;
    close(&servers).await;
    println!("one after the other {serial:?}, together {parallel:?}");
}
