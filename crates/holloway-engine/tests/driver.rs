//! What the driver does with real tasks and timers: deadlines, dropped calls,
//! tools that break down, limits, callbacks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use holloway_engine::driver::Rest;
use holloway_engine::entry::EndStatus;
use holloway_engine::executor::{Callbacks, ExecuteOptions, Execution, Functions, PlanExecutor};
use holloway_engine::failure::ToolFailure;
use holloway_engine::options::RunOptions;
use holloway_engine::trace::NodeStatus;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_testkit::clock::ManualClock;
use serde_json::{Value, json};

fn reading(id: &str) -> ToolSpec {
    ToolSpec::named(id).with_effect(Effect::Read)
}

fn executor(functions: Functions) -> PlanExecutor {
    PlanExecutor::new(functions, Arc::new(ManualClock::at(1_000)))
}

async fn execute(functions: Functions, steps: Value, options: ExecuteOptions) -> Execution {
    let plan = json!({ "version": "1.0", "steps": steps });
    executor(functions)
        .execute(&plan, json!({}), options)
        .await
        .unwrap()
}

fn errors(execution: &Execution) -> Vec<String> {
    execution
        .trace
        .entries
        .iter()
        .filter_map(|entry| entry.error.clone())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_times_out() {
    let functions = Functions::new().with(reading("t/slow"), |_| async {
        tokio::time::sleep(Duration::from_hours(1)).await;
        Ok(Value::Null)
    });
    let steps =
        json!([{ "id": "slow", "tool": "t/slow", "timeout_ms": 50, "retry": { "max": 1 } }]);
    let execution = execute(functions, steps, ExecuteOptions::default()).await;
    assert_eq!(execution.report.rest, Rest::Ended(EndStatus::Failed));
    assert_eq!(errors(&execution), ["Timeout: no answer within 50 ms"]);
    assert_eq!(execution.trace.entries[0].retry_count, 1);
}

#[tokio::test]
async fn a_tool_that_breaks_down_fails_its_step_and_nothing_else() {
    let functions = Functions::new()
        .with(reading("t/broken"), |_| async { panic!("out of order") })
        .with(reading("t/fine"), |_| async { Ok(json!(1)) });
    let steps = json!([
        { "id": "a", "tool": "t/broken", "on_error": "continue" },
        { "id": "b", "tool": "t/fine" },
    ]);
    let execution = execute(functions, steps, ExecuteOptions::default()).await;
    assert_eq!(execution.report.rest, Rest::Ended(EndStatus::Succeeded));
    assert_eq!(
        errors(&execution),
        ["Tool failed: the tool broke down in the middle of the call"]
    );
    assert_eq!(execution.context["b"], json!(1));
}

/// Counts when it is dropped, as a child process would be killed.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn cancelling_drops_the_calls_that_are_under_way() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let started = Arc::new(tokio::sync::Notify::new());
    let (count, signal) = (Arc::clone(&dropped), Arc::clone(&started));
    let functions = Functions::new().with(reading("t/hang"), move |_| {
        let guard = Dropped(Arc::clone(&count));
        let signal = Arc::clone(&signal);
        async move {
            signal.notify_one();
            std::future::pending::<()>().await;
            drop(guard);
            Ok(Value::Null)
        }
    });
    let plan = json!({ "version": "1.0", "steps": [
        { "id": "hang", "tool": "t/hang" },
        { "id": "after", "tool": "t/hang", "depends_on": ["hang"] },
    ]});
    let prepared = executor(functions)
        .start(&plan, json!({}), ExecuteOptions::default())
        .unwrap();
    let control = prepared.control();
    let running = tokio::spawn(prepared.finish());
    started.notified().await;
    control.cancel("test");
    let execution = running.await.unwrap().unwrap();
    assert_eq!(execution.report.rest, Rest::Ended(EndStatus::Cancelled));
    let statuses: Vec<_> = execution
        .trace
        .entries
        .iter()
        .map(|entry| entry.status)
        .collect();
    assert_eq!(statuses, [NodeStatus::Cancelled, NodeStatus::Cancelled]);
    while dropped.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn no_more_calls_run_at_once_than_allowed() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (running, peak) = (Arc::clone(&now), Arc::clone(&most));
    let functions = Functions::new().with(reading("t/count"), move |_| {
        let (running, peak) = (Arc::clone(&running), Arc::clone(&peak));
        async move {
            peak.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::task::yield_now().await;
            running.fetch_sub(1, Ordering::SeqCst);
            Ok(Value::Null)
        }
    });
    let steps: Vec<Value> = (0..20)
        .map(|i| json!({ "id": format!("s{i}"), "tool": "t/count" }))
        .collect();
    let run = RunOptions {
        concurrency: 3,
        ..RunOptions::default()
    };
    let options = ExecuteOptions {
        run,
        ..ExecuteOptions::default()
    };
    execute(functions, json!(steps), options).await;
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn callbacks_hear_of_every_node() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let note = |heard: &Arc<Mutex<Vec<String>>>| {
        let heard = Arc::clone(heard);
        move |text: String| heard.lock().unwrap().push(text)
    };
    let (start, complete, error) = (note(&heard), note(&heard), note(&heard));
    let callbacks = Callbacks {
        on_node_start: Some(Box::new(move |node| start(format!("start {node}")))),
        on_node_complete: Some(Box::new(move |node, value| {
            complete(format!("done {node} {value}"))
        })),
        on_node_error: Some(Box::new(move |node, reason| {
            error(format!("error {node} {reason}"))
        })),
    };
    let functions = Functions::new()
        .with(reading("t/fine"), |_| async { Ok(json!(1)) })
        .with(reading("t/bad"), |_| async {
            Err(ToolFailure::permanent("no"))
        });
    let steps = json!([
        { "id": "a", "tool": "t/fine" },
        { "id": "b", "tool": "t/bad", "depends_on": ["a"] },
    ]);
    let options = ExecuteOptions {
        callbacks,
        ..ExecuteOptions::default()
    };
    execute(functions, steps, options).await;
    let expected = ["start a", "done a 1", "start b", "error b Tool failed: no"];
    assert_eq!(*heard.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_result_that_is_nested_too_deep_is_a_failure() {
    let functions = Functions::new().with(reading("t/deep"), |_| async {
        Ok((0..200).fold(json!(1), |inner, _| json!([inner])))
    });
    let steps = json!([{ "id": "deep", "tool": "t/deep" }]);
    let execution = execute(functions, steps, ExecuteOptions::default()).await;
    let expected = ["Limit exceeded: the result is nested more than 96 levels deep"];
    assert_eq!(errors(&execution), expected);
}
