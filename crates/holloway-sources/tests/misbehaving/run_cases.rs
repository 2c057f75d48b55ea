//! Does each mode come to its outcome by the deadline, with nothing left behind?

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_sources::mcp::McpConfig;
use holloway_sources::{SourceErrorKind, ToolSource as _};
use serde_json::{Value, json};

use super::cases::{AT_THE_START, Effect, IN_A_CALL, NOISE, Outcome, TWICE};
use crate::server::{LONG, Server};

/// For what never comes.
const SHORT: Duration = Duration::from_millis(1_500);
/// Servers at once; there are few cores.
const AT_ONCE: usize = 6;

pub(super) fn script() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/misbehaving/server.py")
}

pub(super) fn server(mode: &str, start: Duration, folder: &tempfile::TempDir) -> Server {
    let config = McpConfig {
        command: "python3".to_owned(),
        args: vec![script().display().to_string(), mode.to_owned()],
        env: [(
            "HOLLOWAY_TEST_DIARY".to_owned(),
            folder.path().join("diary").display().to_string(),
        )]
        .into(),
        start_timeout_ms: Some(start.as_millis() as u64),
        ..McpConfig::default()
    };
    Server::new(mode, config, folder.path())
}

/// What came of it, in words that a failing test can show.
#[derive(Debug)]
enum Came {
    NoTools(SourceErrorKind, String),
    Fails(ToolFailure),
    Answers(Value),
}

impl Came {
    fn fits(&self, expected: Outcome) -> bool {
        match (self, expected) {
            (Self::NoTools(kind, message), Outcome::NoTools(wanted, words)) => {
                *kind == wanted && message.contains(words)
            }
            (Self::Fails(failure), Outcome::Fails(name, effect, words)) => {
                failure.name == name
                    && effect_of(failure) == effect
                    && failure.message.contains(words)
            }
            (Self::Answers(value), Outcome::Answers) => *value == json!({"text": "hello"}),
            _ => false,
        }
    }
}

fn effect_of(failure: &ToolFailure) -> Effect {
    match (failure.uncertain, failure.happened) {
        (_, true) => Effect::Happened,
        (true, false) => Effect::Unknown,
        (false, false) => Effect::DidNotHappen,
    }
}

async fn play(mode: &str, expected: Outcome) -> Came {
    let folder = tempfile::tempdir().unwrap();
    let start = match expected {
        Outcome::NoTools(SourceErrorKind::Timeout, _) => SHORT,
        _ => LONG,
    };
    let limit = match expected {
        Outcome::Fails(FailureName::Timeout, ..) => SHORT,
        _ => LONG,
    };
    let server = server(mode, start, &folder);
    let came = match server.source.offers().await {
        Err(error) => Came::NoTools(error.kind, error.message),
        Ok(offers) => {
            assert!(
                offers.iter().any(|offer| offer.id.name() == "act"),
                "{mode}: no `act` among {offers:?}"
            );
            let answer = server.call_within(limit, "act", json!({"text": "hello"}));
            answer.await.map_or_else(Came::Fails, Came::Answers)
        }
    };
    server.close(mode).await;
    came
}

/// One case, under a deadline that is the caller's own and never reached.
async fn check(mode: &'static str, expected: Outcome) -> Result<(), String> {
    let overall = match expected {
        // A list has twice the time of a start, and the longest pause before a restart.
        Outcome::NoTools(SourceErrorKind::Timeout, _) => SHORT * 2 + Duration::from_secs(40),
        _ => LONG,
    };
    match tokio::time::timeout(overall, play(mode, expected)).await {
        Ok(came) if came.fits(expected) => Ok(()),
        Ok(came) => Err(format!("{mode}: expected {expected:?}, found {came:?}")),
        Err(_) => Err(format!("{mode}: expected {expected:?}, found no end")),
    }
}

/// All cases, some at a time, while a healthy server is at work beside them.
async fn check_all(cases: &'static [(&'static str, Outcome)]) {
    let folder = tempfile::tempdir().unwrap();
    let healthy = server("healthy", LONG, &folder);
    let mut wrong = Vec::new();
    let mut running = tokio::task::JoinSet::new();
    let mut waiting = cases.iter();
    for (mode, expected) in waiting.by_ref().take(AT_ONCE) {
        running.spawn(check(mode, *expected));
    }
    while let Some(ended) = running.join_next().await {
        wrong.extend(ended.unwrap().err());
        if let Some((mode, expected)) = waiting.next() {
            running.spawn(check(mode, *expected));
        }
        let answer = healthy.call("act", json!({"text": "still here"})).await;
        assert_eq!(answer.unwrap(), json!({"text": "still here"}));
    }
    healthy.close("healthy").await;
    println!(
        "as expected by the deadline: {} of {}",
        cases.len() - wrong.len(),
        cases.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trouble_at_the_start_is_a_typed_error() {
    check_all(AT_THE_START).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn noise_does_not_matter() {
    check_all(NOISE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trouble_in_a_call_is_a_typed_failure() {
    check_all(IN_A_CALL).await;
}

#[test]
fn every_mode_is_tried() {
    let listed = Command::new("python3").arg(script()).arg("--list").output();
    let listed = String::from_utf8(listed.unwrap().stdout).unwrap();
    let mut listed: Vec<&str> = listed.lines().collect();
    let tables = [AT_THE_START, NOISE, IN_A_CALL];
    let mut tried: Vec<&str> = tables
        .iter()
        .flat_map(|table| table.iter())
        .map(|case| case.0)
        .collect();
    tried.extend(TWICE);
    listed.sort_unstable();
    tried.sort_unstable();
    assert_eq!(tried, listed);
    assert!(tried.len() > 30, "there are {} modes", tried.len());
}
