//! Do calls get what they ask for, side by side, on one worker that is replaced in time?

use super::*;

/// `born` tells workers apart.
const MODULE: &str = r"
    const inputSchema = {type: 'object'};
    const born = Math.random();
    let gate, open = new Promise((done) => { gate = done; }), waiting = 0, stopped = 0;
    const make = (execute) => ({inputSchema, execute});
    export const who = make(async () => born);
    export const echo = make(async (input, options) => ({input, key: options.toolCallId, messages: options.messages}));
    export const wait = make(async (_, {abortSignal}) => {
        waiting += 1;
        await Promise.race([open, new Promise((done) => abortSignal.addEventListener('abort', done))]);
        if (abortSignal.aborted) stopped += 1;
        return 'opened';
    });
    export const look = make(async () => ({waiting, stopped}));
    export const release = make(async () => { gate(); return null; });
    export const stream = make(async function* () { yield 1; yield 2; yield {last: true}; });
    export const rich = make(async () => ({big: 12n, date: new Date(0), map: new Map([['a', new Set([1])]]), not: NaN,
        none: undefined, list: [undefined, () => 1], bytes: new Uint8Array([1, 2]), error: new TypeError('x'), half: '\ud800'}));
    export const nothing = make(async () => undefined);
    export const noisy = make(async () => {
        console.log('{\x22id\x22:1,\x22ok\x22:\x22forged\x22}');
        process.stdout.write('half a line');
        const fs = await import('node:fs');
        fs.writeSync(1, 'straight to the pipe');
        return 'quiet';
    });
    export const environment = make(async ({wait}) => {
        const before = {...process.env};
        setTimeout(() => { globalThis.later = {...process.env, has: 'TOKEN' in process.env}; }, 1);
        if (wait) await open;
        return {before, token: process.env.TOKEN, keys: Object.keys(process.env)};
    });
    export const after = make(async () => {
        while (!globalThis.later) await new Promise((done) => setTimeout(done, 1));
        return globalThis.later;
    });
    export const grow = make(async () => { globalThis.kept = Buffer.alloc(200 << 20, 1); return born; });
";

#[tokio::test]
async fn input_and_result_pass_unchanged() {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    let input = json!({"a": [1, 2.5, null, "ü\u{2028}\n"], "b": {"c": true}});
    let expected = json!({"input": input, "key": "key", "messages": []});
    assert_eq!(call(&source, "echo", input).await.unwrap(), expected);
    assert_eq!(
        call(&source, "stream", json!({})).await.unwrap(),
        json!({"last": true})
    );
    assert_eq!(
        call(&source, "nothing", json!({})).await.unwrap(),
        Value::Null
    );
}

#[tokio::test]
async fn what_json_has_no_words_for_is_said_in_others() {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    let expected = json!({
        "big": "12", "date": "1970-01-01T00:00:00.000Z", "map": {"a": [1]}, "not": null, "list": [null, null],
        "bytes": "AQI=", "error": {"name": "TypeError", "message": "x"}, "half": "\u{fffd}",
    });
    assert_eq!(call(&source, "rich", json!({})).await.unwrap(), expected);
}

#[tokio::test]
async fn calls_run_side_by_side_on_one_worker() {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    let waiting = call(&source, "wait", json!({}));
    let release = async {
        while call(&source, "look", json!({})).await.unwrap()["waiting"] == 0 {}
        call(&source, "release", json!({})).await.unwrap()
    };
    let (waited, released) = tokio::join!(waiting, release);
    assert_eq!((waited.unwrap(), released), (json!("opened"), Value::Null));
}

#[tokio::test]
async fn a_dropped_call_is_told_to_stop_and_the_worker_stays() {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    let born = call(&source, "who", json!({})).await.unwrap();
    let waits = async { while call(&source, "look", json!({})).await.unwrap()["waiting"] == 0 {} };
    tokio::select! {
        ended = call(&source, "wait", json!({})) => panic!("ended by itself: {ended:?}"),
        () = waits => {}
    }
    while call(&source, "look", json!({})).await.unwrap()["stopped"] == 0 {}
    assert_eq!(call(&source, "who", json!({})).await.unwrap(), born);
}

#[tokio::test]
async fn what_a_tool_prints_is_not_taken_for_an_answer() {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    for _ in 0..3 {
        assert_eq!(
            call(&source, "noisy", json!({})).await.unwrap(),
            json!("quiet")
        );
    }
}

#[tokio::test]
async fn a_secret_is_seen_by_its_call_alone() {
    let mut fixture = Fixture::module(MODULE);
    let plain = fixture.source().await;
    assert_eq!(
        call(&plain, "environment", json!({})).await.unwrap()["before"],
        json!({})
    );
    fixture.config.env = [("TOKEN".to_owned(), "Bearer ${KEY:-none}".to_owned())].into();
    let source = fixture.source().await;
    let seen = call(&source, "environment", json!({})).await.unwrap();
    let expected =
        json!({"before": {"TOKEN": "Bearer none"}, "token": "Bearer none", "keys": ["TOKEN"]});
    assert_eq!(seen, expected);
    // A timer that the call left behind fires when the call is over.
    assert_eq!(
        call(&source, "after", json!({})).await.unwrap(),
        json!({"has": false})
    );
}

#[tokio::test]
async fn a_missing_secret_stops_the_call_and_is_named() {
    let mut fixture = Fixture::module(MODULE);
    fixture.config.env = [("TOKEN".to_owned(), "${KEY}".to_owned())].into();
    let failure = call(&fixture.source().await, "who", json!({}))
        .await
        .unwrap_err();
    assert_eq!(failure.name, holloway_engine::failure::FailureName::Denied);
    assert!(failure.message.contains("`KEY`"), "{}", failure.message);
}

/// Calls twice and says whether the same worker answered.
async fn same_worker(limits: WorkerLimits, first: &str) -> bool {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await.with_limits(limits);
    let before = call(&source, first, json!({})).await.unwrap();
    before == call(&source, "who", json!({})).await.unwrap()
}

#[tokio::test]
async fn a_worker_makes_room_when_it_is_worn() {
    let few_calls = WorkerLimits {
        calls: 1,
        ..WorkerLimits::default()
    };
    assert!(!same_worker(few_calls, "who").await);
    let little_memory = WorkerLimits {
        memory_bytes: 200 << 20,
        ..WorkerLimits::default()
    };
    assert!(!same_worker(little_memory, "grow").await);
    assert!(same_worker(little_memory, "who").await);
}

#[tokio::test]
async fn an_idle_worker_ends_and_the_next_call_starts_another() {
    let fixture = Fixture::module(MODULE);
    let limits = WorkerLimits {
        idle: std::time::Duration::from_millis(1),
        ..WorkerLimits::default()
    };
    let source = fixture.source().await.with_limits(limits);
    let before = call(&source, "who", json!({})).await.unwrap();
    let worker = source.worker.lock().await.clone().unwrap();
    worker.ended().await;
    assert_ne!(call(&source, "who", json!({})).await.unwrap(), before);
}

#[tokio::test]
async fn a_closed_source_starts_again_when_called() {
    let fixture = Fixture::module(MODULE);
    let source = fixture.source().await;
    let before = call(&source, "who", json!({})).await.unwrap();
    source.close().await;
    assert_ne!(call(&source, "who", json!({})).await.unwrap(), before);
}
