//! What does a call teach? How the tool does, and whether its source should be left
//! alone for a while.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_engine::ports::CallOutput;
use holloway_flow::catalog::health::{Sign, sign_of};
use holloway_plan::tool::ToolId;

use super::GuardedSource;
use crate::SourceError;

/// A tool that works is noted this often at most.
const NOTE_EVERY_MS: u64 = 60_000;

impl GuardedSource {
    /// Notes how it went, for the breaker and for the tool's health.
    pub(super) async fn learn(
        &self,
        tool: &ToolId,
        result: &Result<CallOutput, ToolFailure>,
        started: Instant,
    ) {
        let now = self.clock.now_ms();
        let sign = match result {
            Ok(_) => Sign::Worked {
                duration_ms: started.elapsed().as_millis() as u64,
            },
            Err(failure) => sign_of(failure),
        };
        match result {
            Err(failure) if is_fault_of_source(failure) => self.breaker().failed(now),
            _ => self.breaker().answered(),
        }
        if !self.is_worth_noting(tool, &sign, now) {
            return;
        }
        let (catalog, tool) = (Arc::clone(&self.catalog), tool.clone());
        // A note that cannot be kept must not fail the call.
        let _ = tokio::task::spawn_blocking(move || catalog.note(&tool, &sign, now)).await;
    }

    fn is_worth_noting(&self, tool: &ToolId, sign: &Sign, now: u64) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(sign, Sign::Worked { .. }) {
            noted.remove(tool);
            return true;
        }
        let last = noted.get(tool).copied();
        let due = last.is_none_or(|last| now.saturating_sub(last) >= NOTE_EVERY_MS);
        if due {
            noted.insert(tool.clone(), now);
        }
        due
    }
}

/// A call that is dropped before it has ended counts as unanswered.
pub(super) struct Abandoned<'a>(pub(super) Option<&'a GuardedSource>);

impl Abandoned<'_> {
    pub(super) fn ended(mut self) {
        self.0 = None;
    }
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        if let Some(source) = self.0 {
            let now = source.clock.now_ms();
            source.breaker().failed(now);
        }
    }
}

/// The source failed rather than the tool: it broke off or was silent. That one
/// service is busy or refuses says nothing against the others.
fn is_fault_of_source(failure: &ToolFailure) -> bool {
    let broke_off = failure.retryable && failure.uncertain;
    failure.name == FailureName::Timeout || (failure.name == FailureName::ToolFailed && broke_off)
}

impl From<&SourceError> for Sign {
    fn from(error: &SourceError) -> Self {
        sign_of(&ToolFailure::from(error.clone()))
    }
}
