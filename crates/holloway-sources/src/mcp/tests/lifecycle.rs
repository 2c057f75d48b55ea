//! Starting, ending and starting again, on a clock that stands still.

use std::time::Duration;

use tokio::time::Instant;

use super::fake::surroundings;
use super::*;

/// Ends at the tool `die`, answers all others.
fn mortal() -> Fake {
    Fake::new(|message, out| {
        if message["params"]["name"] == "die" {
            out.end();
        } else {
            out.result(message, text("ok"));
        }
    })
}

async fn waits(source: &McpSource) -> Duration {
    let before = Instant::now();
    source.call(&request("live", json!({}))).await.unwrap();
    before.elapsed()
}

async fn dies(source: &McpSource) {
    let failure = source.call(&request("die", json!({}))).await.unwrap_err();
    assert!(failure.retryable && failure.uncertain, "{failure}");
    assert!(
        failure.message.contains("ended during the call"),
        "{failure}"
    );
}

/// Timers count whole milliseconds, and a pause may be rounded up by one.
fn about(waited: Duration, milliseconds: u64) -> bool {
    (milliseconds..=milliseconds + 2).contains(&(waited.as_millis() as u64))
}

#[tokio::test(start_paused = true)]
async fn a_crash_fails_the_call_and_the_next_one_starts_again() {
    let fake = mortal();
    let source = fake.source();
    assert!(about(waits(&source).await, 0));
    for (starts, milliseconds) in [(2, 250), (3, 500), (4, 1_000), (5, 2_000)] {
        dies(&source).await;
        let waited = waits(&source).await;
        assert!(about(waited, milliseconds), "{waited:?} {milliseconds}");
        assert_eq!(fake.starts(), starts);
        assert_eq!(source.generation(), starts as u64);
    }
}

#[tokio::test(start_paused = true)]
async fn a_good_minute_makes_pauses_short_again() {
    let fake = mortal();
    let source = fake.source();
    for _ in 0..4 {
        waits(&source).await;
        dies(&source).await;
    }
    waits(&source).await;
    tokio::time::advance(Duration::from_mins(1)).await;
    dies(&source).await;
    assert!(about(waits(&source).await, 250));
}

#[tokio::test(start_paused = true)]
async fn the_pause_counts_from_the_crash() {
    let source = mortal().source();
    waits(&source).await;
    dies(&source).await;
    tokio::time::advance(Duration::from_secs(5)).await;
    assert!(about(waits(&source).await, 0));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_is_given_up_in_time() {
    let mut fake = Fake::new(|_, _| {});
    fake.silent = true;
    let config = McpConfig {
        start_timeout_ms: Some(20_000),
        ..McpConfig::default()
    };
    let source = fake.source_of(config, surroundings());
    let before = Instant::now();
    let error = source.offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Timeout, "{error}");
    assert!(about(before.elapsed(), 20_000));
    let heard = fake.heard();
    let methods: Vec<&Value> = heard.iter().map(|one| &one["method"]).collect();
    assert_eq!(
        methods,
        ["server/discover", "initialize"],
        "both ways were tried"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_lists_nothing_is_given_up_too() {
    let source = Fake::new(|_, _| {}).source();
    let error = source.offers().await.unwrap_err();
    assert_eq!(error.kind, SourceErrorKind::Timeout, "{error}");
}

#[tokio::test]
async fn a_server_that_leaves_at_the_newer_question_is_asked_the_older_way() {
    let mut fake = mortal();
    fake.leaves_at_discover = true;
    let source = fake.source();
    assert!(source.call(&request("live", json!({}))).await.is_ok());
    assert_eq!(fake.starts(), 2);
    source.close().await;
    assert!(source.call(&request("live", json!({}))).await.is_ok());
    assert_eq!(fake.starts(), 3, "it is known by then");
}

#[tokio::test]
async fn a_storm_of_changes_costs_a_counter() {
    let fake = Fake::new(|message, out| {
        for _ in 0..10_000 {
            out.line(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#);
        }
        out.result(message, text("ok"));
    });
    let source = fake.source();
    assert!(source.call(&request("any", json!({}))).await.is_ok());
    assert_eq!(source.generation(), 10_001);
}

#[tokio::test]
async fn closing_ends_calls_and_a_later_use_starts_again() {
    let fake = Fake::new(|message, out| {
        if message["params"]["name"] != "wait" {
            out.result(message, text("ok"));
        }
    });
    let source = Arc::new(fake.source());
    let waiting = tokio::spawn({
        let source = source.clone();
        async move { source.call(&request("wait", json!({}))).await }
    });
    fake.hears("tools/call").await;
    source.close().await;
    let failure = waiting.await.unwrap().unwrap_err();
    assert!(failure.uncertain, "{failure}");
    assert!(source.call(&request("live", json!({}))).await.is_ok());
    assert_eq!(fake.starts(), 2);
}
