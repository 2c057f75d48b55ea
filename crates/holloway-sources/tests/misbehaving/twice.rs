//! What does the next call see of the trouble before it?

use std::time::Duration;

use holloway_engine::failure::FailureName;
use holloway_sources::ToolSource as _;
use serde_json::json;

use super::run_cases::server;
use crate::server::LONG;

const SHORT: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_call_that_hangs_does_not_hold_up_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("hangs-on-second-call", LONG, &folder);
    let first = server.call("act", json!({"text": "one"})).await.unwrap();
    let second = server
        .call_within(SHORT, "act", json!({"text": "two"}))
        .await;
    let third = server.call("act", json!({"text": "three"})).await.unwrap();
    assert_eq!(first, json!({"text": "one"}));
    assert_eq!(second.unwrap_err().name, FailureName::Timeout);
    assert_eq!(third, json!({"text": "three"}));
    let heard = || {
        let diary = std::fs::read_to_string(folder.path().join("diary")).unwrap();
        diary.lines().filter(|line| *line == "cancelled").count()
    };
    // What was sent before a call has been read when the call is answered.
    for _ in 0..50 {
        if heard() > 0 {
            break;
        }
        server.call("act", json!({})).await.unwrap();
    }
    assert_eq!(heard(), 1, "the server hears of the call that was given up");
    server.close("hangs on the second call").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_answer_goes_to_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("answers-late", LONG, &folder);
    server.source.offers().await.unwrap();
    let first = server
        .call_within(SHORT, "act", json!({"text": "late"}))
        .await;
    let second = server.call("act", json!({"text": "in time"})).await;
    assert_eq!(first.unwrap_err().name, FailureName::Timeout);
    assert_eq!(second.unwrap(), json!({"text": "in time"}));
    server.close("answers late").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_leaves_after_each_call_is_started_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("exits-after-each-call", LONG, &folder);
    let mut answered = 0;
    for _ in 0..3 {
        match server.call("act", json!({"text": "again"})).await {
            Ok(value) => {
                assert_eq!(value, json!({"text": "again"}));
                answered += 1;
            }
            // The call came while the server was on its way out.
            Err(failure) => assert!(failure.retryable, "{failure:?}"),
        }
    }
    assert!(answered >= 2, "{answered} of 3 calls were answered");
    server.close("exits after each call").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_is_seen_in_the_generation_and_its_tools_are_listed_anew() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("changes-after-restart", LONG, &folder);
    let before = server.source.offers().await.unwrap();
    let generation = server.source.generation();
    let failure = server.call("act", json!({"text": "x"})).await.unwrap_err();
    assert!(failure.uncertain && failure.retryable, "{failure:?}");
    let answer = server.call("act", json!({"text": "x"})).await.unwrap();
    assert_eq!(answer, json!({"text": "x"}));
    assert!(server.source.generation() > generation);
    let after = server.source.offers().await.unwrap();
    assert_eq!((before.len(), after.len()), (1, 2));
    assert_ne!(before[0].definition, after[0].definition);
    server.close("changes after a restart").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_answer_within_the_limits_arrives_whole() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("huge-answer", LONG, &folder);
    let answer = server.call("act", json!({})).await.unwrap();
    assert_eq!(answer["text"].as_str().map(str::len), Some(8 << 20));
    server.close("huge answer").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn content_of_an_unknown_kind_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let server = server("unknown-content", LONG, &folder);
    let answer = server.call("act", json!({})).await.unwrap();
    assert_eq!(answer["content"][0]["data"], 7);
    assert_eq!(answer["content"][1]["text"], "seen");
    server.close("unknown content").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_source_that_is_dropped_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    for mode in ["healthy", "ignores-the-end", "leaves-a-child"] {
        let server = server(mode, LONG, &folder);
        server.source.offers().await.unwrap();
        let crate::server::Server { source, mark, .. } = server;
        assert!(!mark.processes().is_empty());
        drop(source);
        mark.assert_none_left(mode).await;
    }
}
