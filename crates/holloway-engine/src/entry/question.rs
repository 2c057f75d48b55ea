//! What is a person asked during a run, and what can be answered?

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_plan::tool::{Effect, ToolId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::mark::Issued;

/// What a person is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Names the approval within its run: `a1`, `a2` …
    pub approval: String,
    pub about: About,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// The exact arguments of the call, or what an `approve` step shows.
    pub arguments: Arc<Value>,
    /// Digest of tool pin, arguments and plan version; an answer repeats it.
    pub digest: String,
    pub text: String,
    /// The resolved path of the file that the call would have changed when the question was
    /// asked; a yes is bound to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The file is in a sensitive place: a yes to everything else does not answer this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// The plan always asks this: a yes to everything else does not answer it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub always: bool,
    /// What the answer to a tool's question must fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Arc<Value>>,
    /// Which question of which call, if a tool asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
}

impl Question {
    /// Whether a yes to all questions of the run answers this one. Doubts, failures, questions of
    /// tools, sensitive places and what the plan always asks need a word of their own.
    pub fn is_answered_by_all(&self) -> bool {
        matches!(self.about, About::Call | About::Step) && !self.sensitive && !self.always
    }
}

/// Which of a node's calls asks, and for which time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub attempt: u32,
    /// 1, 2, 3 … within the call.
    pub question: u32,
}

/// Why a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// May this call be made?
    Call,
    /// An `approve` step of the plan.
    Step,
    /// The call failed; what now?
    Failure,
    /// The call may or may not have happened; what now?
    Doubt,
    /// The tool itself asks, in the middle of its call.
    Tool,
}

/// What a person (or a policy) answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub approval: String,
    pub decision: Decision,
    /// The digest of the question; an answer to anything else is refused.
    pub digest: String,
    pub by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The marks that stand for secrets in the answer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: Issued,
}

/// The possible answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", content = "value", rename_all = "snake_case")]
pub enum Decision {
    /// Make the call (again), or let the plan go on. To a tool: yes, with its own defaults.
    Approve,
    /// Make the call with these arguments instead. To a tool: this is the answer.
    Edit(Value),
    /// Do not; the step fails as `Denied`. To a tool: no; what follows is up to the tool.
    Deny,
    /// Take this as the step's result without calling. To a tool: as `Edit`.
    Done(Value),
    /// To a tool only: neither yes nor no. Also what becomes of a question whose call is over.
    Dismiss,
}
