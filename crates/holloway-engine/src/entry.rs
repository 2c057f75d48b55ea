//! What is written down about a run? One stream of entries that is the journal,
//! the `--json` output and the source of trace, progress and resume.
//!
//! An entry either records what came in from outside (a result, an answer, a
//! timer) or what the machine concluded from it (a step starts, is skipped, the
//! run ends). Replaying the first kind yields the second again.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::Loaded;
use crate::failure::ToolFailure;
use crate::mark::Issued;
use crate::options::{ApprovalPolicy, RunOptions};
use crate::ports::{ToolProgress, Usage};
pub use crate::stored::Stored;
use holloway_plan::tool::{Effect, ToolId};
mod question;
pub use question::{About, Answer, Asked, Decision, Question};

/// Names a run everywhere: files, journal, command line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub Arc<str>);

impl Default for RunId {
    fn default() -> Self {
        Self::new("")
    }
}

impl RunId {
    pub fn new(id: impl AsRef<str>) -> Self {
        Self(Arc::from(id.as_ref()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// 1, 2, 3 … without gaps within a run.
    pub seq: u64,
    /// Milliseconds since 1970.
    pub at: u64,
    #[serde(flatten)]
    pub kind: EntryKind,
}

/// Which node of the run an entry is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeRef {
    /// The node's place in the run, such as `pages[3].fetch`.
    pub node: Arc<str>,
    /// The step it comes from, before any loop expansion.
    pub step: Arc<str>,
    /// The machine's own number for it.
    pub n: u32,
}

/// What happened. The names are those of the event stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EntryKind {
    /// In: the run begins.
    ExecutionStart(Box<ExecutionStart>),
    /// Out: a call is about to be made (the intent), or a step with inner steps opens.
    StepStart {
        #[serde(flatten)]
        node: NodeRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Intent>,
    },
    /// Out: what a step may see, in figures.
    ContextLoaded {
        #[serde(flatten)]
        node: NodeRef,
        #[serde(flatten)]
        loaded: Box<Loaded>,
    },
    /// Out: a phase needs what none of its tools can do.
    ToolMissing {
        #[serde(flatten)]
        node: NodeRef,
        capability: String,
    },
    /// In: a call tells how far it is.
    StepProgress {
        #[serde(flatten)]
        node: NodeRef,
        attempt: u32,
        #[serde(flatten)]
        report: ToolProgress,
    },
    /// In when `attempt` is set (a call's result, all expectations met);
    /// out otherwise (a step with inner steps, a synthetic or reused result).
    StepComplete {
        #[serde(flatten)]
        node: NodeRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attempt: Option<u32>,
        output: Stored,
        duration_ms: u64,
        #[serde(default, skip_serializing_if = "Usage::is_empty")]
        usage: Usage,
        #[serde(default, skip_serializing_if = "Origin::is_call")]
        origin: Origin,
    },
    /// In: the call answered, but not with what the plan expects.
    ExpectationUnmet {
        #[serde(flatten)]
        node: NodeRef,
        attempt: u32,
        output: Stored,
        duration_ms: u64,
        #[serde(default, skip_serializing_if = "Usage::is_empty")]
        usage: Usage,
        unmet: Vec<Unmet>,
    },
    /// In when `attempt` is set (a call failed); out otherwise (the step has failed for good).
    StepError {
        #[serde(flatten)]
        node: NodeRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attempt: Option<u32>,
        error: ToolFailure,
        #[serde(default)]
        duration_ms: u64,
        #[serde(default, skip_serializing_if = "Usage::is_empty")]
        usage: Usage,
    },
    /// Out: what is done about a failure or an unmet expectation.
    Repair {
        #[serde(flatten)]
        node: NodeRef,
        decision: RepairDecision,
        reason: String,
    },
    /// In: the pause before a retry is over.
    RetryDue {
        #[serde(flatten)]
        node: NodeRef,
    },
    /// Out: the step is not run, or its failure is passed over.
    StepSkipped {
        #[serde(flatten)]
        node: NodeRef,
        reason: String,
    },
    /// Out: the step will not run any more because the run or its group ended.
    StepCancelled {
        #[serde(flatten)]
        node: NodeRef,
        /// A call that writes was under way: it may have happened.
        #[serde(default, skip_serializing_if = "is_false")]
        in_doubt: bool,
    },
    /// In when `asked` is set (a tool asks during its call); out otherwise. A person is asked.
    ApprovalRequested {
        #[serde(flatten)]
        node: NodeRef,
        #[serde(flatten)]
        request: Box<Question>,
    },
    /// In: a person (or a policy) has answered. Out: the call whose tool asked is over.
    ApprovalResolved {
        #[serde(flatten)]
        node: NodeRef,
        #[serde(flatten)]
        answer: Box<Answer>,
    },
    /// In: no new calls until resumed.
    Paused { reason: String },
    /// In: the run goes on; `fresh` when another process took it up.
    Resumed {
        by: String,
        #[serde(default)]
        fresh: bool,
        /// The policy from now on, where it is another than before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        approvals: Option<ApprovalPolicy>,
        /// Whoever took it up said yes to everything; an `all_allowed` follows.
        #[serde(default, skip_serializing_if = "is_false")]
        all_allowed: bool,
    },
    /// In: a person says yes to all questions of this run, open and to come. Out: after a
    /// `resumed` that says so.
    AllAllowed { by: String },
    /// In: the run is to end without finishing.
    Cancelled { by: String },
    /// Out (calls, money, tokens) or in (seconds): a limit of the plan's budget is reached.
    BudgetExceeded {
        what: BudgetKind,
        limit: f64,
        used: f64,
    },
    /// Out: every step has ended.
    PlanComplete { statistics: Statistics },
    /// Out: the run failed, and why.
    ExecutionError { error: String },
    /// Out, always last: how the run ended.
    ExecutionComplete {
        success: bool,
        status: EndStatus,
        outputs: BTreeMap<Arc<str>, Stored>,
    },
}

impl EntryKind {
    /// The name in the event stream.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ExecutionStart(_) => "execution_start",
            Self::StepStart { .. } => "step_start",
            Self::ContextLoaded { .. } => "context_loaded",
            Self::ToolMissing { .. } => "tool_missing",
            Self::StepProgress { .. } => "step_progress",
            Self::StepComplete { .. } => "step_complete",
            Self::ExpectationUnmet { .. } => "expectation_unmet",
            Self::StepError { .. } => "step_error",
            Self::Repair { .. } => "repair",
            Self::RetryDue { .. } => "retry_due",
            Self::StepSkipped { .. } => "step_skipped",
            Self::StepCancelled { .. } => "step_cancelled",
            Self::ApprovalRequested { .. } => "approval_requested",
            Self::ApprovalResolved { .. } => "approval_resolved",
            Self::Paused { .. } => "paused",
            Self::Resumed { .. } => "resumed",
            Self::AllAllowed { .. } => "all_allowed",
            Self::Cancelled { .. } => "cancelled",
            Self::BudgetExceeded { .. } => "budget_exceeded",
            Self::PlanComplete { .. } => "plan_complete",
            Self::ExecutionError { .. } => "execution_error",
            Self::ExecutionComplete { .. } => "execution_complete",
        }
    }

    /// The node it is about, if any.
    pub fn node(&self) -> Option<&NodeRef> {
        match self {
            Self::StepStart { node, .. }
            | Self::ContextLoaded { node, .. }
            | Self::ToolMissing { node, .. }
            | Self::StepProgress { node, .. }
            | Self::StepComplete { node, .. }
            | Self::ExpectationUnmet { node, .. }
            | Self::StepError { node, .. }
            | Self::Repair { node, .. }
            | Self::RetryDue { node }
            | Self::StepSkipped { node, .. }
            | Self::StepCancelled { node, .. }
            | Self::ApprovalRequested { node, .. }
            | Self::ApprovalResolved { node, .. } => Some(node),
            _ => None,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
fn is_false(flag: &bool) -> bool {
    !flag
}

/// The first entry of every run: all that is needed to replay it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExecutionStart {
    pub run: RunId,
    pub plan_id: String,
    /// Digest of the plan and of the pins of its tools; approvals are bound to it.
    pub plan_version: String,
    /// The context the plan starts with; `input` is its usual only member.
    pub context: Arc<Value>,
    pub options: RunOptions,
    /// Results taken over from another run, by node.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reuse: BTreeMap<String, Stored>,
    /// The marks that stand for secrets in the context.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: Issued,
}

/// Something that a plan expects of a result and that the result does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unmet {
    pub wanted: String,
    pub got: String,
}

impl Unmet {
    pub fn new(wanted: impl Into<String>, got: String) -> Self {
        Self {
            wanted: wanted.into(),
            got,
        }
    }

    /// All of them in one sentence.
    pub fn sentence(unmet: &[Self]) -> String {
        let each = unmet.iter().map(ToString::to_string);
        each.collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wanted {}, got {}", self.wanted, self.got)
    }
}

/// A call that is about to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    pub tool: ToolId,
    pub attempt: u32,
    pub effect: Effect,
    pub input: Stored,
    pub key: Arc<str>,
}

/// Where a step's result came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    #[default]
    Call,
    /// Remembered from an earlier identical call.
    Memory,
    /// Taken over from the run this one was forked from.
    Reused,
    /// Made up from the output schema during a dry run.
    Synthetic,
    /// Given by a person in place of the call.
    Person,
    /// Gathered from inner steps.
    Inner,
}

impl Origin {
    #[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
    pub fn is_call(&self) -> bool {
        *self == Self::Call
    }
}

/// The rung of the repair ladder that was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum RepairDecision {
    Retry { attempt: u32, after_ms: u64 },
    Fallback { tool: ToolId },
    Ask,
    Skip,
    Continue,
    Fail,
}

/// The limits a plan can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetKind {
    Calls,
    Money,
    Tokens,
    Seconds,
}

/// How many steps ended how; the names of the execution trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    pub total_steps: usize,
    pub successful_steps: usize,
    pub failed_steps: usize,
    pub skipped_steps: usize,
    pub cancelled_steps: usize,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndStatus {
    Succeeded,
    Failed,
    Cancelled,
    /// A budget was used up; finished results are kept.
    Partial,
}
