//! What goes into the machine and what comes out of it. An [`Event`] tells what
//! happened outside; an [`Action`] tells the driver what to do about it.

use std::sync::Arc;

use serde_json::Value;

use crate::entry::{Answer, Asked, EndStatus, Entry, EntryKind, ExecutionStart, Origin, Stored};
use crate::failure::ToolFailure;
use crate::options::ApprovalPolicy;
use crate::ports::{CallRequest, ToolAnswer, ToolProgress, ToolQuestion, Usage};

/// Something that happened outside the machine.
#[derive(Clone, Debug)]
pub enum Event {
    Start(Box<ExecutionStart>),
    CallEnded(CallEnd),
    /// A call tells how far it is.
    CallProgress {
        n: u32,
        attempt: u32,
        report: ToolProgress,
    },
    /// A tool asks in the middle of its call, and waits.
    CallAsks {
        n: u32,
        asked: Asked,
        question: ToolQuestion,
    },
    /// The tool does not wait for the answer any more, but goes on.
    CallWithdraws {
        n: u32,
        asked: Asked,
    },
    /// The pause before a retry is over.
    RetryDue {
        n: u32,
    },
    Answered(Box<Answer>),
    Pause {
        reason: String,
    },
    /// `fresh` when this process has none of the calls in hand that the journal says were made.
    /// `approvals` is the policy from now on, where it is another than before.
    Resume {
        by: String,
        fresh: bool,
        approvals: Option<ApprovalPolicy>,
        /// Everything is allowed from here on, as by [`Event::AllowAll`].
        all_allowed: bool,
    },
    /// A person says yes to all questions of the run, those that are open and those to come.
    AllowAll {
        by: String,
    },
    Cancel {
        by: String,
    },
    /// The plan's time budget is used up.
    TimeUp,
}

/// How a call ended.
#[derive(Clone, Debug)]
pub struct CallEnd {
    /// The node that asked.
    pub n: u32,
    pub attempt: u32,
    pub result: Result<Arc<Value>, ToolFailure>,
    pub usage: Usage,
    pub duration_ms: u64,
    pub origin: Origin,
}

impl Event {
    /// The event that an entry records, if it records one.
    pub fn recorded_by(kind: &EntryKind) -> Option<Self> {
        let call = |n, attempt, result, usage, duration_ms, origin| {
            Some(Self::CallEnded(CallEnd {
                n,
                attempt,
                result,
                usage,
                duration_ms,
                origin,
            }))
        };
        match kind {
            EntryKind::ExecutionStart(start) => Some(Self::Start(start.clone())),
            EntryKind::StepComplete {
                node,
                attempt: Some(attempt),
                output,
                duration_ms,
                usage,
                origin,
            } => call(
                node.n,
                *attempt,
                Ok(value_of(output)),
                usage.clone(),
                *duration_ms,
                *origin,
            ),
            EntryKind::ExpectationUnmet {
                node,
                attempt,
                output,
                duration_ms,
                usage,
                ..
            } => call(
                node.n,
                *attempt,
                Ok(value_of(output)),
                usage.clone(),
                *duration_ms,
                Origin::Call,
            ),
            EntryKind::StepError {
                node,
                attempt: Some(attempt),
                error,
                duration_ms,
                usage,
            } => call(
                node.n,
                *attempt,
                Err(error.clone()),
                usage.clone(),
                *duration_ms,
                Origin::Call,
            ),
            EntryKind::RetryDue { node } => Some(Self::RetryDue { n: node.n }),
            EntryKind::StepProgress {
                node,
                attempt,
                report,
            } => Some(Self::CallProgress {
                n: node.n,
                attempt: *attempt,
                report: report.clone(),
            }),
            EntryKind::ApprovalRequested { node, request } => Some(Self::CallAsks {
                n: node.n,
                asked: request.asked?,
                question: ToolQuestion {
                    message: request.text.clone(),
                    schema: request.schema.as_deref().cloned().unwrap_or_default(),
                },
            }),
            EntryKind::ApprovalResolved { answer, .. } => Some(Self::Answered(answer.clone())),
            EntryKind::Paused { reason } => Some(Self::Pause {
                reason: reason.clone(),
            }),
            EntryKind::Resumed {
                by,
                fresh,
                approvals,
                all_allowed,
            } => Some(Self::Resume {
                by: by.clone(),
                fresh: *fresh,
                approvals: *approvals,
                all_allowed: *all_allowed,
            }),
            EntryKind::AllAllowed { by } => Some(Self::AllowAll { by: by.clone() }),
            EntryKind::Cancelled { by } => Some(Self::Cancel { by: by.clone() }),
            EntryKind::BudgetExceeded {
                what: crate::entry::BudgetKind::Seconds,
                ..
            } => Some(Self::TimeUp),
            _ => None,
        }
    }
}

/// Whoever replays a journal has fetched large values before.
fn value_of(stored: &Stored) -> Arc<Value> {
    stored.value().cloned().unwrap_or_default()
}

/// Something the driver is to do.
#[derive(Clone, Debug)]
pub enum Action {
    /// Write down, before doing any of the other actions.
    Record(Entry),
    /// Make a call and report its end.
    Call(Box<Call>),
    /// Stop a call that is under way; its end is of no interest any more.
    StopCall { n: u32 },
    /// Hand an answer to the call that waits for it.
    Reply {
        n: u32,
        asked: Asked,
        answer: ToolAnswer,
    },
    /// Report [`Event::RetryDue`] at this time.
    Wake { n: u32, at_ms: u64 },
    /// Report [`Event::TimeUp`] at this time.
    WakeAtBudget { at_ms: u64 },
    /// Nothing is under way and nothing will be until the run is resumed.
    Halted,
    /// The run is over.
    Finished(EndStatus),
}

/// A call to be made.
#[derive(Clone, Debug)]
pub struct Call {
    pub n: u32,
    pub request: CallRequest,
    pub timeout_ms: u64,
    /// How large its result may be.
    pub max_bytes: usize,
    /// Look here first, and keep the result here.
    pub memory: Option<MemoryPlace>,
}

/// Where a read-only result is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryPlace {
    pub key: String,
    pub ttl_ms: u64,
}
