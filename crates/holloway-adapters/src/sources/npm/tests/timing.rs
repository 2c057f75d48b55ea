//! What does a warm call cost? Run with `--ignored --nocapture` to see.

use std::time::Instant;

use super::*;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures; prints figures and asserts nothing about them"]
#[allow(clippy::print_stdout)]
async fn npm_warm_call() {
    let fixture =
        Fixture::module("export const echo = {inputSchema: {}, execute: async (input) => input};");
    let limits = WorkerLimits {
        calls: u64::MAX,
        ..WorkerLimits::default()
    };
    let source = fixture.source().await.with_limits(limits);
    let cold = Instant::now();
    call(&source, "echo", json!({})).await.unwrap();
    println!("cold {} µs", cold.elapsed().as_micros());
    let mut times = Vec::new();
    for number in 0..1_000 {
        let start = Instant::now();
        call(&source, "echo", json!({"number": number}))
            .await
            .unwrap();
        times.push(start.elapsed().as_micros());
    }
    times.sort_unstable();
    println!(
        "warm p50 {} µs, p99 {} µs, worst {} µs",
        times[500], times[990], times[999]
    );
}
