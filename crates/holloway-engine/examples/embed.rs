//! How does a program run a plan without the rest of Holloway? Tools are functions
//! of the program; nothing is kept on disk.
//!
//! `cargo run -p holloway-engine --example embed`

#![allow(clippy::print_stdout)]
// A program knows what time it is; the engine it embeds asks its `Clock`.
#![allow(clippy::disallowed_methods)]

use std::error::Error;
use std::sync::Arc;
use std::time::SystemTime;

use holloway_engine::executor::{Callbacks, ExecuteOptions, Functions, PlanExecutor};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallRequest, Clock};
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

const PLAN: &str = include_str!("../../../examples/seed/dag.json");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // A function that only looks may be called without asking anybody.
    let reading = |name: &str| ToolSpec::named(name).with_effect(Effect::Read);
    let functions = Functions::new()
        .with(reading("demo/fetch_weather"), fetch_weather)
        .with(reading("demo/fetch_news"), fetch_news)
        .with(reading("demo/summarize"), summarize);
    let executor = PlanExecutor::new(functions, Arc::new(ThisMachine));

    let plan: Value = serde_json::from_str(PLAN)?;
    let options = ExecuteOptions {
        callbacks: Callbacks {
            on_node_start: Some(Box::new(|node| println!("start     {node}"))),
            on_node_complete: Some(Box::new(|node, output| {
                println!("complete  {node}: {output}");
            })),
            on_node_error: Some(Box::new(|node, error| {
                println!("error     {node}: {error}");
            })),
        },
        ..ExecuteOptions::default()
    };
    let execution = executor.execute(&plan, json!({}), options).await?;

    println!("\ncontext\n{:#}", Value::Object(execution.context));
    let statistics = execution.trace.statistics;
    println!("\nstatistics\n{:#}", serde_json::to_value(statistics)?);
    Ok(())
}

async fn fetch_weather(call: CallRequest) -> Result<Value, ToolFailure> {
    Ok(json!({ "city": city(&call)?, "temperature": 12, "condition": "sunny" }))
}

async fn fetch_news(call: CallRequest) -> Result<Value, ToolFailure> {
    Ok(json!({ "headline": format!("Museum of {} shows lost paintings", city(&call)?) }))
}

async fn summarize(call: CallRequest) -> Result<Value, ToolFailure> {
    let given = |pointer: &str| call.arguments.pointer(pointer).and_then(Value::as_str);
    match (given("/weather/condition"), given("/news/headline")) {
        (Some(condition), Some(headline)) => Ok(json!(format!("It is {condition}. {headline}."))),
        _ => Err(ToolFailure::permanent("there is nothing to summarize")),
    }
}

fn city(call: &CallRequest) -> Result<&str, ToolFailure> {
    let city = call.arguments.get("city").and_then(Value::as_str);
    city.ok_or_else(|| ToolFailure::invalid("`city` must be a text"))
}

/// The clock of the machine this program runs on.
struct ThisMachine;

impl Clock for ThisMachine {
    fn now_ms(&self) -> u64 {
        SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |passed| passed.as_millis() as u64)
    }
}
