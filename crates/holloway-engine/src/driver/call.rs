//! How is one call made? In a task of its own, with a deadline, and with a
//! report at the end whatever happens to it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

use super::Equipment;
use crate::depth::{is_too_deep, too_deep};
use crate::entry::Origin;
use crate::event::{Call, CallEnd, Event, MemoryPlace};
use crate::failure::ToolFailure;
use crate::ports::{CallOutput, Memory, ToolCaller, Usage};

/// Makes the call and reports its end to `events`.
pub(super) fn spawn(
    call: Box<Call>,
    equipment: &Equipment,
    events: UnboundedSender<Event>,
) -> AbortHandle {
    let tools = Arc::clone(&equipment.tools);
    let clock = Arc::clone(&equipment.clock);
    let memory = call.memory.as_ref().and(equipment.memory.clone());
    let (n, attempt) = (call.n, call.request.attempt);
    let guard = Guard {
        n,
        attempt,
        events: Some(events),
    };
    let task = tokio::spawn(async move {
        let started = clock.now_ms();
        let (result, origin) = match memory {
            // Boxed, because most calls do not use memory and a task has to hold room for both.
            Some(memory) => Box::pin(remembered(call, &*tools, memory, started)).await,
            None => (make(*call, &*tools).await, Origin::Call),
        };
        guard.report(result, origin, clock.now_ms().saturating_sub(started));
    });
    task.abort_handle()
}

fn make(
    call: Call,
    tools: &dyn ToolCaller,
) -> impl Future<Output = Result<CallOutput, ToolFailure>> {
    let timeout_ms = call.timeout_ms;
    let answer = tools.call(call.request);
    async move {
        match tokio::time::timeout(Duration::from_millis(timeout_ms), answer).await {
            Ok(result) => result.and_then(not_too_deep),
            Err(_) => Err(ToolFailure::timeout(timeout_ms)),
        }
    }
}

/// Looks into the memory first. What had to be called for is remembered once it is accepted.
async fn remembered(
    call: Box<Call>,
    tools: &dyn ToolCaller,
    memory: Arc<dyn Memory>,
    now_ms: u64,
) -> (Result<CallOutput, ToolFailure>, Origin) {
    let place = call.memory.clone();
    if let Some(place) = place
        && let Some(value) = recalled(memory, place, now_ms).await
    {
        return (Ok(value.into()), Origin::Memory);
    }
    (make(*call, tools).await, Origin::Call)
}

async fn recalled(memory: Arc<dyn Memory>, place: MemoryPlace, now_ms: u64) -> Option<Value> {
    let recall = move || memory.recall(&place.key, now_ms, place.ttl_ms);
    tokio::task::spawn_blocking(recall).await.ok().flatten()
}

/// Refuses results that could be written to the journal but not read back.
fn not_too_deep(output: CallOutput) -> Result<CallOutput, ToolFailure> {
    if is_too_deep(&output.value) {
        return Err(too_deep("the result").happened());
    }
    Ok(output)
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
