//! Servers in this process, good and bad, and what a source makes of them.

mod fake;
mod http;
mod lifecycle;
mod newer;
mod program;
mod questions;

use holloway_engine::failure::FailureName;
use serde_json::{Value, json};

use self::fake::{Fake, request, text};
use super::*;

#[tokio::test]
async fn all_pages_are_listed_and_definitions_kept_whole() {
    let fake = Fake::new(|message, out| {
        let page = message.pointer("/params/cursor").and_then(Value::as_str);
        out.result(
            message,
            match page {
                None => json!({"tools": [{"name": "a", "extra": {"x": 1}}], "nextCursor": "2"}),
                _ => json!({"tools": [{"name": "b"}, {"name": "b"}, {"no": "name"}]}),
            },
        );
    });
    let source = fake.source();
    assert_eq!(source.generation(), 0);
    let offers = source.offers().await.unwrap();
    let ids: Vec<&str> = offers.iter().map(|offer| offer.id.as_str()).collect();
    assert_eq!(ids, ["mcp.fake/a", "mcp.fake/b", "mcp.fake/b", "mcp.fake/"]);
    assert_eq!(
        offers[0].definition,
        json!({"name": "a", "extra": {"x": 1}})
    );
    assert_eq!(source.generation(), 1);
}

async fn check_bad_list(answer: fn(&Value) -> Value, expected: &str) {
    let fake = Fake::new(move |message, out| out.result(message, answer(message)));
    let error = fake.source().offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Protocol, "{error}");
    assert!(error.message.contains(expected), "{error}");
}

#[tokio::test]
async fn lists_are_bounded() {
    check_bad_list(|_| json!({"tools": 7}), "no list").await;
    check_bad_list(|_| json!({}), "no list").await;
    check_bad_list(|_| json!({"tools": [], "nextCursor": "x"}), "lead back").await;
    check_bad_list(
        |message| json!({"tools": [], "nextCursor": message["id"].to_string()}),
        "200 pages",
    )
    .await;
    check_bad_list(
        |message| {
            let many: Vec<Value> = (0..4_000).map(|_| json!({"name": "a"})).collect();
            json!({"tools": many, "nextCursor": message["id"].to_string()})
        },
        "10000 tools",
    )
    .await;
}

#[tokio::test]
async fn two_hundred_calls_at_once_are_all_answered() {
    let fake = Fake::new(|message, out| {
        let number = message.pointer("/params/arguments/number");
        out.result(message, json!({"structuredContent": {"number": number}}));
    });
    let source = Arc::new(fake.source());
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..200 {
        let source = source.clone();
        calls.spawn(async move {
            let output = source
                .call(&request("echo", json!({"number": number})))
                .await;
            (number, output.unwrap().value)
        });
    }
    let mut answered = 0;
    while let Some(call) = calls.join_next().await {
        let (number, value) = call.unwrap();
        assert_eq!(value, json!({"number": number}));
        answered += 1;
    }
    assert_eq!(answered, 200);
    assert_eq!(fake.starts(), 1, "all share one start");
}

#[tokio::test]
async fn noise_is_skipped() {
    let fake = Fake::new(|message, out| {
        for line in [
            "",
            "Server ready on stdio",
            "\u{1B}[32minfo\u{1B}[0m called",
            "{\"level\":\"info\",\"msg\":\"called\"}",
            "{half",
            "[1,2,3]",
            "{\"jsonrpc\":\"2.0\",\"id\":99999,\"result\":{}}",
        ] {
            out.line(line);
        }
        let answer = fake::answer(message, text("ok"));
        out.line(&format!("\u{FEFF}\u{1B}[0m{answer}"));
    });
    let output = fake
        .source()
        .call(&request("any", json!({})))
        .await
        .unwrap();
    assert_eq!(output.value, json!({"text": "ok"}));
}

async fn check_failure(line: fn(&Value) -> String, expected: (FailureName, bool, bool)) {
    let fake = Fake::new(move |message, out| {
        if message["params"]["name"] == "bad" {
            out.line(&line(message));
        } else {
            out.result(message, text("ok"));
        }
    });
    let mut surroundings = fake::surroundings();
    surroundings.limits.message_bytes = 10_000;
    let source = fake.source_in(surroundings);
    let failure = source.call(&request("bad", json!({}))).await.unwrap_err();
    let found = (failure.name, failure.retryable, failure.uncertain);
    assert_eq!(found, expected, "{failure}");
    assert!(source.call(&request("good", json!({}))).await.is_ok());
    assert_eq!(fake.starts(), 1, "only the one call failed");
}

#[tokio::test]
async fn a_bad_answer_fails_its_own_call_only() {
    check_failure(
        |message| fake::error(message, -32_602, "`path` is missing"),
        (FailureName::ValidationFailed, false, false),
    )
    .await;
    check_failure(
        |message| fake::error(message, -32_602, "Unknown tool: bad"),
        (FailureName::UnknownTool, false, false),
    )
    .await;
    check_failure(
        |message| {
            let mut result = text("no");
            result["isError"] = json!(true);
            fake::answer(message, result)
        },
        (FailureName::ToolFailed, false, false),
    )
    .await;
    check_failure(
        |message| fake::answer(message, text(&"x".repeat(20_000))),
        (FailureName::LimitExceeded, false, false),
    )
    .await;
    check_failure(
        |message| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"con",
                message["id"]
            )
        },
        (FailureName::ToolFailed, false, true),
    )
    .await;
}

#[tokio::test]
async fn arguments_must_be_an_object() {
    let fake = Fake::new(|message, out| out.result(message, text("ok")));
    let source = fake.source();
    let failure = source.call(&request("any", json!([1]))).await.unwrap_err();
    assert_eq!(failure.name, FailureName::ValidationFailed);
    assert!(source.call(&request("any", Value::Null)).await.is_ok());
}

#[tokio::test]
async fn a_dropped_call_is_cancelled_at_the_server() {
    let fake = Fake::new(|_, _| {});
    let source = fake.source();
    let slow = request("slow", json!({}));
    tokio::select! {
        _ = source.call(&slow) => panic!("nobody answers"),
        () = fake.hears("tools/call") => {}
    }
    fake.hears("notifications/cancelled").await;
    let heard = fake.heard();
    let called = heard.iter().find(|one| one["method"] == "tools/call");
    let cancelled = heard.last().unwrap();
    assert_eq!(cancelled["params"]["requestId"], called.unwrap()["id"]);
}
