//! What does a warm call cost? Run with `--run-ignored all --no-capture` to see.

use std::time::Instant;

use holloway_plan::tool::ToolId;
use holloway_sources::ToolSource as _;
use holloway_sources::npm::WorkerLimits;
use serde_json::json;

use super::place::{install, request, source, tools};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "measures; prints figures and asserts nothing about them"]
#[allow(clippy::print_stdout)]
async fn npm_warm_call() {
    let installed = install("@tpmjs/tools-recipe-hash@0.2.0").await;
    let limits = WorkerLimits {
        calls: u64::MAX,
        ..WorkerLimits::default()
    };
    let source = source(installed.config, &tools()).await.with_limits(limits);
    let tool = ToolId::new("npm.@tpmjs/tools-recipe-hash/recipeHashTool");
    let mut times = Vec::new();
    for number in 0..=1_000 {
        let request = request(&tool, &json!({"recipe": {"number": number}}));
        let start = Instant::now();
        source.call(&request).await.unwrap();
        times.push(start.elapsed().as_micros());
    }
    println!("cold {} µs", times.remove(0));
    times.sort_unstable();
    println!(
        "warm p50 {} µs, p99 {} µs, worst {} µs",
        times[500], times[990], times[999]
    );
}
