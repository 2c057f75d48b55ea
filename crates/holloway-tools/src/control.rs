//! How are plans tried out? Tools that wait, repeat what they are given, or fail.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::declaration::{Declaration, input, output};
use super::pure::Pure;
use super::{Tool, arguments};

const LONGEST_SLEEP_MS: u64 = 600_000;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Sleep),
        Pure::tool(echo_spec(), echo),
        Pure::playing(fail_spec(), fail),
    ]
}

struct Sleep;

#[async_trait]
impl Tool for Sleep {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "sleep",
            title: "Wait",
            category: "control",
            description: "Waits for some milliseconds, at most ten minutes, without using a thread. Use it to pace calls to a service or \
                to try out time-outs. Returns how long it waited.",
            // Waiting is what it is for: it must be neither dropped as unused nor merged.
            effect: Effect::Idempotent,
            latency_ms: 1000,
            input: input(
                &["ms"],
                json!({"ms": {"type": "integer", "minimum": 0, "description": "Milliseconds; more than 600000 counts as 600000"}}),
            ),
            output: output(&["slept_ms"], json!({"slept_ms": {"type": "integer"}})),
            example: json!({"ms": 1}),
            does: &[
                "wait -> nothing with ms=limit.ms",
            ],
        }
        .builtin()
    }

    async fn call(
        &self,
        arguments: &Value,
        _call: &CallRequest,
    ) -> Result<CallOutput, ToolFailure> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Arguments {
            ms: u64,
        }
        let Arguments { ms } = arguments::parse(arguments)?;
        let ms = ms.min(LONGEST_SLEEP_MS);
        tokio::time::sleep(Duration::from_millis(ms)).await;
        Ok(json!({ "slept_ms": ms }).into())
    }
}

fn echo_spec() -> ToolSpec {
    Declaration {
        name: "echo",
        title: "Echo a value",
        category: "utilities",
        description: "Returns its `value` unchanged. Use it to name an intermediate result, to try out references, or as a step that \
            always succeeds.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(&["value"], json!({"value": {"description": "Any JSON value"}})),
        output: json!({"description": "The value given"}),
            example: json!({"value": null}),
        does: &[],
    }
    .builtin()
}

fn echo(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        value: Value,
    }
    let Arguments { value } = arguments::parse(arguments)?;
    Ok(value)
}

fn fail_spec() -> ToolSpec {
    Declaration {
        name: "fail",
        title: "Fail on purpose",
        category: "control",
        description: "Always fails with the given message. Use it to try out retries, fallbacks and repair, or to stop a plan in a \
            branch that must not be reached. Returns nothing.",
        effect: Effect::Read,
        latency_ms: 1,
        input: input(
            &[],
            json!({
                "message": {"type": "string", "default": "failed on purpose"},
                "retryable": {"type": "boolean", "default": false, "description": "Let the engine try again"}
            }),
        ),
        output: json!({"not": {}, "description": "There is never a result"}),
            example: json!({"message": "on purpose"}),
        does: &[],
    }
    .builtin()
}

fn fail(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        #[serde(default = "default_message")]
        message: String,
        #[serde(default)]
        retryable: bool,
    }
    fn default_message() -> String {
        "failed on purpose".to_owned()
    }
    let Arguments { message, retryable } = arguments::parse(arguments)?;
    Err(if retryable {
        ToolFailure::transient(message)
    } else {
        ToolFailure::permanent(message)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::builtin;
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn sleep_waits_and_no_longer_than_allowed() {
        for (asked, expected) in [(1500_u64, 1500_u64), (u64::MAX, 600_000)] {
            let before = tokio::time::Instant::now();
            let result = builtin("sleep", json!({"ms": asked})).await.unwrap();
            assert_eq!(result, json!({"slept_ms": expected}));
            assert_eq!(before.elapsed().as_millis(), u128::from(expected));
        }
    }

    #[tokio::test]
    async fn echo_returns_its_value() {
        for value in [json!(null), json!({"a": [1]})] {
            assert_eq!(
                builtin("echo", json!({"value": value})).await.unwrap(),
                value
            );
        }
    }

    #[tokio::test]
    async fn fail_fails_as_asked() {
        let plain = builtin("fail", json!({})).await.unwrap_err();
        assert_eq!(
            (plain.message.as_str(), plain.retryable),
            ("failed on purpose", false)
        );
        let busy = builtin("fail", json!({"message": "busy", "retryable": true}))
            .await
            .unwrap_err();
        assert_eq!((busy.message.as_str(), busy.retryable), ("busy", true));
    }
}
