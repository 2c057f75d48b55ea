//! How is one call made? In a task of its own, with a time limit that does not
//! count a person's time, and with a report at the end whatever happens to it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use holloway_plan::size::exceeds;
use serde_json::Value;
use tokio::task::AbortHandle;

use super::Equipment;
use super::wire::Wire;
use crate::depth::{is_too_deep, too_deep};
use crate::entry::Origin;
use crate::event::{Call, CallEnd, MemoryPlace};
use crate::failure::ToolFailure;
use crate::mark::holds_marks;
use crate::ports::{CallLine, CallOutput, Memory, ToolCaller, Usage};

/// Makes the call and reports its end over its wire.
pub(super) fn spawn(mut call: Box<Call>, equipment: &Equipment, wire: Arc<Wire>) -> AbortHandle {
    let tools = Arc::clone(&equipment.tools);
    let clock = Arc::clone(&equipment.clock);
    let memory = call.memory.as_ref().and(equipment.memory.clone());
    call.request.line = CallLine::new(Arc::clone(&wire) as _);
    let guard = Guard {
        wire: Some(Arc::clone(&wire)),
    };
    let task = tokio::spawn(async move {
        let started = clock.now_ms();
        let (result, origin) = match memory {
            // Boxed, because most calls do not use memory and a task has to hold room for both.
            Some(memory) => Box::pin(remembered(call, &*tools, &wire, memory, started)).await,
            None => (make(*call, &*tools, &wire).await, Origin::Call),
        };
        guard.report(result, origin, clock.now_ms().saturating_sub(started));
    });
    task.abort_handle()
}

fn make(
    call: Call,
    tools: &dyn ToolCaller,
    wire: &Wire,
) -> impl Future<Output = Result<CallOutput, ToolFailure>> {
    let Call {
        timeout_ms,
        max_bytes,
        ..
    } = call;
    let answer = tools.call(call.request);
    async move {
        let limit = Duration::from_millis(timeout_ms);
        match in_time(answer, limit, wire).await {
            Some(result) => result.and_then(|output| within_bounds(output, max_bytes)),
            None => Err(ToolFailure::timeout(timeout_ms)),
        }
    }
}

/// Waits no longer than the limit, not counting the time a person is waited for.
async fn in_time<T>(
    mut answer: impl Future<Output = T> + Unpin,
    mut limit: Duration,
    wire: &Wire,
) -> Option<T> {
    loop {
        if let Ok(answer) = tokio::time::timeout(limit, &mut answer).await {
            return Some(answer);
        }
        // What did not count is what is left.
        limit = wire.take_waited();
        if wire.is_waiting() {
            tokio::select! {
                answer = &mut answer => return Some(answer),
                () = wire.until_settled() => wire.take_waited(),
            };
        }
        if limit.is_zero() {
            return None;
        }
    }
}

/// Looks into the memory first. What had to be called for is remembered once it is accepted.
async fn remembered(
    call: Box<Call>,
    tools: &dyn ToolCaller,
    wire: &Wire,
    memory: Arc<dyn Memory>,
    now_ms: u64,
) -> (Result<CallOutput, ToolFailure>, Origin) {
    let place = call.memory.clone();
    if let Some(place) = place
        && let Some(value) = recalled(memory, place, now_ms).await
    {
        return (Ok(value.into()), Origin::Memory);
    }
    (make(*call, tools, wire).await, Origin::Call)
}

async fn recalled(memory: Arc<dyn Memory>, place: MemoryPlace, now_ms: u64) -> Option<Value> {
    let recall = move || memory.recall(&place.key, now_ms, place.ttl_ms);
    let found = tokio::task::spawn_blocking(recall).await.ok().flatten();
    // Secrets that were filled in are judged by whoever makes the call, so it is made again.
    found.filter(|value| !holds_marks(value))
}

/// Refuses results that could be written to the journal but not read back, and those that are
/// too large to work with.
fn within_bounds(output: CallOutput, max_bytes: usize) -> Result<CallOutput, ToolFailure> {
    if is_too_deep(&output.value) {
        return Err(too_deep("the result").happened());
    }
    if exceeds(&output.value, max_bytes) {
        return Err(ToolFailure::too_large("the result has", max_bytes).happened());
    }
    Ok(output)
}

/// Reports a call's end even if its task panics: a run must not wait for ever.
struct Guard {
    wire: Option<Arc<Wire>>,
}

impl Guard {
    fn report(mut self, result: Result<CallOutput, ToolFailure>, origin: Origin, duration_ms: u64) {
        let (result, usage) = match result {
            Ok(output) => (Ok(Arc::new(output.value)), output.usage),
            Err(mut failure) => {
                let used = failure.used.take().map(|used| *used);
                (Err(failure), used.unwrap_or_default())
            }
        };
        self.end(result, usage, duration_ms, origin);
    }

    fn end(
        &mut self,
        result: Result<Arc<Value>, ToolFailure>,
        usage: Usage,
        duration_ms: u64,
        origin: Origin,
    ) {
        if let Some(wire) = self.wire.take() {
            let (n, attempt) = wire.call();
            wire.end(CallEnd {
                n,
                attempt,
                result,
                usage,
                duration_ms,
                origin,
            });
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.wire.is_none() {
            return;
        }
        let broken = ToolFailure::permanent("the tool broke down in the middle of the call");
        self.end(Err(broken.uncertain()), Usage::default(), 0, Origin::Call);
    }
}
