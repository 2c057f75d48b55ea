//! Does a tool that fails, hangs or breaks its process fail alone, with a reason?

use std::time::Duration;

use holloway_engine::failure::FailureName;

use super::*;

const MODULE: &str = r"
    const inputSchema = {type: 'object'};
    const born = Math.random();
    const make = (execute) => ({inputSchema, execute});
    export const who = make(async () => born);
    export const throws = make(async () => { throw new RangeError('too far'); });
    export const throwsText = make(async () => { throw 'just text'; });
    export const throwsNothing = make(async () => { throw undefined; });
    export const flagged = make(async () => ({error: true, message: 'no key given'}));
    export const unsuccessful = make(async () => ({success: false, error: 'bad input'}));
    export const circular = make(async () => { const a = {}; a.a = a; return a; });
    export const deep = make(async () => { let a = 1; for (let i = 0; i < 1e5; i++) a = [a]; return a; });
    export const huge = make(async () => 'x'.repeat(20 << 20));
    export const exits = make(async () => process.exit(3));
    export const exitsLater = make(() => new Promise(() => setTimeout(() => process.exit(3), 1)));
    export const dies = make(async () => { console.error('about to go'); process.reallyExit(9); });
    export const rejects = make(() => new Promise(() => { Promise.reject(new Error('left alone')); }));
    export const loops = make(async () => { while (true) {} });
    export const floods = make(async () => { const fs = await import('node:fs'); while (true) { try { fs.writeSync(1, 'x'.repeat(1 << 20)); } catch { } } });
    export const reads = make(async () => (await import('node:fs')).readFileSync('/etc/hostname', 'utf8'));
    export const starts = make(async () => (await import('node:child_process')).execSync('true').toString());
    export const threads = make(async () => { const {Worker} = await import('node:worker_threads'); new Worker('1', {eval: true}); });
    export const leaks = make(async () => { throw new Error('sent ' + process.env.TOKEN); });
";

async fn fails(source: &NpmSource, name: &str) -> ToolFailure {
    call(source, name, json!({})).await.expect_err(name)
}

/// The tool fails with these words, and the worker is the same or another afterwards.
async fn check(name: &str, expected: FailureName, words: &str, stays: bool) -> ToolFailure {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    let before = call(&source, "who", json!({})).await.unwrap();
    let failure = fails(&source, name).await;
    assert_eq!(failure.name, expected, "{name}: {}", failure.message);
    assert!(
        failure.message.contains(words),
        "{name}: {}",
        failure.message
    );
    let after = call(&source, "who", json!({})).await.unwrap();
    assert_eq!(after == before, stays, "{name}");
    failure
}

#[tokio::test]
async fn errors_of_a_tool_fail_its_call_alone() {
    for (name, words) in [
        ("throws", "RangeError: too far"),
        ("throwsText", "just text"),
        ("throwsNothing", "undefined"),
        ("flagged", "no key given"),
        ("unsuccessful", "bad input"),
        ("circular", "refers to itself"),
        ("deep", "nested deeper than 100"),
        ("exits", "tried to end its process (exit 3)"),
    ] {
        let failure = check(name, FailureName::ToolFailed, words, true).await;
        assert!(!failure.retryable && !failure.uncertain, "{name}");
    }
    check(
        "huge",
        FailureName::LimitExceeded,
        "8388608 are the most",
        true,
    )
    .await;
    check(
        "nowhere",
        FailureName::UnknownTool,
        "no tool `nowhere`",
        true,
    )
    .await;
}

#[tokio::test]
async fn what_node_forbids_fails_the_call() {
    for name in ["reads", "starts", "threads"] {
        check(name, FailureName::ToolFailed, "restricted", true).await;
    }
}

#[tokio::test]
async fn errors_outside_of_calls_replace_the_worker() {
    for (name, words) in [
        ("exitsLater", "tried to end its process"),
        ("rejects", "left alone"),
        ("dies", "about to go"),
        ("floods", "longer than any result"),
    ] {
        let failure = check(name, FailureName::ToolFailed, words, false).await;
        assert!(failure.retryable && !failure.uncertain, "{name}");
    }
}

#[tokio::test]
async fn a_lost_call_is_in_doubt_if_it_had_the_network() {
    let mut fixture = Fixture::module(MODULE);
    fixture.config.network = true;
    let failure = fails(&fixture.source().await, "dies").await;
    assert!(failure.retryable && failure.uncertain);
}

#[tokio::test]
async fn a_call_that_does_not_stop_costs_the_worker_its_life() {
    let fixture = Fixture::module(MODULE);
    let limits = WorkerLimits {
        grace: Duration::from_millis(100),
        ..WorkerLimits::default()
    };
    let source = fixture.source().await.with_limits(limits);
    let before = call(&source, "who", json!({})).await.unwrap();
    let looping = call(&source, "loops", json!({}));
    assert!(
        tokio::time::timeout(Duration::from_millis(50), looping)
            .await
            .is_err()
    );
    let bystander = fails(&source, "who").await;
    assert!(
        bystander.message.contains("did not stop within 100 ms"),
        "{}",
        bystander.message
    );
    assert!(bystander.retryable);
    assert_ne!(call(&source, "who", json!({})).await.unwrap(), before);
}

#[tokio::test]
async fn a_tool_of_another_package_is_unknown() {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    let mut request = request("who", json!({}));
    request.tool = ToolId::new("npm.other/who");
    let failure = source.call(&request).await.unwrap_err();
    assert_eq!(failure.name, FailureName::UnknownTool);
}

#[tokio::test]
async fn secrets_are_cleaned_from_errors() {
    let mut fixture = Fixture::module(MODULE);
    fixture.config.env = [("TOKEN".to_owned(), "${KEY}".to_owned())].into();
    let secrets = Secrets::new(Arc::new(|_| Some("hidden-value-4711".to_owned())));
    let source = fixture.source_with(secrets.clone()).await;
    let failure = fails(&source, "leaks").await;
    assert_eq!(failure.message, secrets.clean("sent hidden-value-4711"));
}
