//! How is one call made? In a task of its own, with a deadline, and with a
//! report at the end whatever happens to it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

use super::Equipment;
use crate::entry::Origin;
use crate::event::{Call, CallEnd, Event, MemoryPlace};
use crate::failure::ToolFailure;
use crate::ports::{CallOutput, Clock, Memory, ToolCaller, Usage};

/// Makes the call and reports its end to `events`.
pub(super) fn spawn(
    call: Call,
    equipment: &Equipment,
    events: UnboundedSender<Event>,
) -> AbortHandle {
    let tools = Arc::clone(&equipment.tools);
    let clock = Arc::clone(&equipment.clock);
    let memory = call.memory.as_ref().and(equipment.memory.clone());
    let guard = Guard {
        n: call.n,
        attempt: call.request.attempt,
        events: Some(events),
    };
    let task = tokio::spawn(async move {
        let started = clock.now_ms();
        let (result, origin) = match recalled(memory.as_ref(), call.memory.as_ref(), &clock).await {
            Some(value) => (Ok(value.into()), Origin::Memory),
            None => (make(call, &*tools, memory, &clock).await, Origin::Call),
        };
        guard.report(result, origin, clock.now_ms().saturating_sub(started));
    });
    task.abort_handle()
}

async fn make(
    call: Call,
    tools: &dyn ToolCaller,
    memory: Option<Arc<dyn Memory>>,
    clock: &Arc<dyn Clock>,
) -> Result<CallOutput, ToolFailure> {
    let limit = Duration::from_millis(call.timeout_ms);
    let result = match tokio::time::timeout(limit, tools.call(call.request)).await {
        Ok(result) => result.and_then(not_too_deep),
        Err(_) => Err(ToolFailure::timeout(call.timeout_ms)),
    };
    if let (Some(memory), Some(place), Ok(output)) = (memory, call.memory, &result) {
        let (value, now) = (output.value.clone(), clock.now_ms());
        // Remembering is a favour: if it fails, the next call is simply made.
        let _ = tokio::task::spawn_blocking(move || memory.remember(&place.key, now, &value)).await;
    }
    result
}

/// Refuses results that could be written to the journal but not read back.
fn not_too_deep(output: CallOutput) -> Result<CallOutput, ToolFailure> {
    const LEVELS: usize = 96;
    let mut level: Vec<&Value> = vec![&output.value];
    for _ in 0..LEVELS {
        level = level.into_iter().flat_map(inner).collect();
        if level.is_empty() {
            return Ok(output);
        }
    }
    Err(ToolFailure::limit(format!(
        "the result is nested more than {LEVELS} levels deep"
    ))
    .uncertain())
}

fn inner(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => Vec::new(),
    }
}

async fn recalled(
    memory: Option<&Arc<dyn Memory>>,
    place: Option<&MemoryPlace>,
    clock: &Arc<dyn Clock>,
) -> Option<Value> {
    let (memory, place) = (Arc::clone(memory?), place?.clone());
    let now = clock.now_ms();
    let recall = move || memory.recall(&place.key, now, place.ttl_ms);
    tokio::task::spawn_blocking(recall).await.ok().flatten()
}

/// Reports a call's end even if its task panics: a run must not wait for ever.
struct Guard {
    n: u32,
    attempt: u32,
    events: Option<UnboundedSender<Event>>,
}

impl Guard {
    fn report(mut self, result: Result<CallOutput, ToolFailure>, origin: Origin, duration_ms: u64) {
        let usage = result
            .as_ref()
            .map(|output| output.usage)
            .unwrap_or_default();
        let result = result.map(|output| Arc::new(output.value));
        self.send(CallEnd {
            n: self.n,
            attempt: self.attempt,
            result,
            usage,
            duration_ms,
            origin,
        });
    }

    fn send(&mut self, end: CallEnd) {
        if let Some(events) = self.events.take() {
            // Nobody listens once the run is over; the end is of no interest then.
            let _ = events.send(Event::CallEnded(end));
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let result = Err(
            ToolFailure::permanent("the tool broke down in the middle of the call").uncertain(),
        );
        let (n, attempt, usage, origin) = (self.n, self.attempt, Usage::default(), Origin::Call);
        self.send(CallEnd {
            n,
            attempt,
            result,
            usage,
            duration_ms: 0,
            origin,
        });
    }
}
