//! How is a tool made from a plain function? A pure tool computes its result from
//! its arguments alone; it runs in place when they are small, on the pool otherwise.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::ToolSpec;
use serde_json::Value;

use super::Tool;
use super::blocking::blocking;

type Function = fn(&Value) -> Result<Value, ToolFailure>;

/// Arguments up to this weight are worked on in place: well under a millisecond.
const LIGHT: usize = 16 * 1024;

/// A built text may not grow past this, however small the arguments.
pub(crate) const OUTPUT_LIMIT: usize = 64 * 1024 * 1024;

pub(crate) struct Pure {
    spec: ToolSpec,
    function: Function,
    /// Arguments lighter than this are worked on in place.
    in_place_below: usize,
}

impl Pure {
    /// For functions whose time follows from the size of their arguments.
    pub(crate) fn tool(spec: ToolSpec, function: Function) -> Arc<dyn Tool> {
        Arc::new(Self {
            spec: spec.as_pure(),
            function,
            in_place_below: LIGHT,
        })
    }

    /// For functions that play a tool which may answer otherwise the next time.
    pub(crate) fn playing(spec: ToolSpec, function: Function) -> Arc<dyn Tool> {
        Arc::new(Self {
            spec,
            function,
            in_place_below: LIGHT,
        })
    }

    /// For functions that small arguments can keep busy: patterns, paths, templates.
    pub(crate) fn pooled(spec: ToolSpec, function: Function) -> Arc<dyn Tool> {
        Arc::new(Self {
            spec: spec.as_pure(),
            function,
            in_place_below: 0,
        })
    }
}

#[async_trait]
impl Tool for Pure {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let function = self.function;
        if weight(arguments, self.in_place_below) < self.in_place_below {
            return function(arguments).map(CallOutput::from);
        }
        let arguments = shared(arguments, call);
        blocking(move || function(&arguments).map(CallOutput::from)).await
    }
}

/// The request already shares its arguments; large ones are not copied again.
pub(crate) fn shared(arguments: &Value, call: &CallRequest) -> Arc<Value> {
    if std::ptr::eq(arguments, &raw const *call.arguments) {
        Arc::clone(&call.arguments)
    } else {
        Arc::new(arguments.clone())
    }
}

/// Roughly the bytes a value holds; stops counting at `enough`.
fn weight(value: &Value, enough: usize) -> usize {
    let mut total = 0;
    let mut waiting = vec![value];
    while let Some(next) = waiting.pop() {
        total += 8;
        match next {
            Value::String(text) => total += text.len(),
            Value::Array(items) => {
                total += items.len();
                waiting.extend(items.iter().take(enough));
            }
            Value::Object(fields) => {
                total += fields.keys().take(enough).map(String::len).sum::<usize>();
                waiting.extend(fields.values().take(enough));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        if total >= enough {
            break;
        }
    }
    total
}

/// Refuses a result that would fill the memory.
pub(crate) fn within_limit(bytes: usize) -> Result<(), ToolFailure> {
    if bytes <= OUTPUT_LIMIT {
        return Ok(());
    }
    let message = format!("the result would be larger than {OUTPUT_LIMIT} bytes");
    Err(ToolFailure::limit(message).with_hint("work on the data in parts"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn weight_stops_at_enough() {
        assert!(weight(&json!({"a": [1, 2, 3], "b": "text"}), LIGHT) < 100);
        assert!(weight(&json!("x".repeat(LIGHT)), LIGHT) >= LIGHT);
        assert!(weight(&json!(vec![0; 5 * LIGHT]), LIGHT) < 20 * LIGHT);
    }

    #[tokio::test]
    async fn large_arguments_give_the_same_result_as_small_ones() {
        let tool = Pure::tool(ToolSpec::named("test/length"), |arguments| {
            Ok(json!(arguments.as_str().unwrap_or_default().len()))
        });
        for length in [10, 10 * LIGHT] {
            let value = super::super::testing::call(&*tool, json!("x".repeat(length)))
                .await
                .unwrap();
            assert_eq!(value, json!(length));
        }
    }
}
