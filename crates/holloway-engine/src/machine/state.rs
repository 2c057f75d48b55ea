//! What does the machine remember? Frames (lists of steps being run) and
//! instances (steps being run), each known by its number. All of it can be
//! written out and read back.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use holloway_plan::dag::BodyId;
use holloway_plan::tool::ToolId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::entry::{EndStatus, Question, RunId, Statistics};
use crate::failure::ToolFailure;
use crate::mark::Issued;
use crate::options::RunOptions;
use crate::retained::Retained;

use super::phase::Phased;

/// Everything a run is at one moment, besides its compiled plan.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct State {
    pub run: RunId,
    pub options: RunOptions,
    pub seq: u64,
    pub now: u64,
    pub started_at: u64,
    /// Time spent at work before `active_since`; pauses and outages do not count.
    pub active_ms: u64,
    pub active_since: u64,
    /// When the event before this one happened.
    pub before: u64,
    pub frames: Vec<Frame>,
    pub instances: Vec<Instance>,
    /// Calls that wait for a free place, oldest first.
    pub queue: VecDeque<u32>,
    /// The same, held back by the limit of their tool's source.
    pub held_by_source: BTreeMap<String, VecDeque<u32>>,
    pub in_flight: u32,
    pub in_flight_by_source: BTreeMap<String, usize>,
    pub backing_off: u32,
    pub approvals: BTreeMap<String, Open>,
    pub approvals_asked: u32,
    /// How many of the open questions are asked by tools.
    #[serde(default)]
    pub tool_questions: u32,
    /// A person has said yes to all questions of this run.
    #[serde(default)]
    pub all_allowed: bool,
    pub paused: bool,
    /// Set once the run is to end; how it will end.
    pub ending: Option<EndStatus>,
    pub ended: Option<EndStatus>,
    pub failure: Option<String>,
    pub spent: Spent,
    pub statistics: Statistics,
    pub hypotheses_checked: u64,
    pub hypotheses_met: u64,
    pub reuse: BTreeMap<String, Retained>,
    /// The marks that stand for secrets of this run.
    #[serde(default)]
    pub issued: Issued,
    /// Tools whose parameters the last context showed because they were probably next.
    #[serde(default)]
    pub preloaded: BTreeSet<String>,
    /// Steps whose context was told, by body and node.
    #[serde(default)]
    pub contexts_told: BTreeSet<(u32, u32)>,
    /// What would have been called, had this not been a dry run.
    pub effects: Vec<PlannedEffect>,
}

/// What a run has used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spent {
    pub calls: u64,
    /// US dollars.
    #[serde(skip_serializing_if = "crate::ports::is_zero")]
    pub money: f64,
    #[serde(skip_serializing_if = "crate::ports::is_none")]
    pub tokens: u64,
}

/// A call a dry run did not make.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedEffect {
    pub node: Arc<str>,
    pub tool: ToolId,
    pub effect: holloway_plan::tool::Effect,
    pub arguments: Arc<Value>,
}

/// A list of steps being run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Frame {
    pub body: BodyId,
    /// The instance whose inner steps these are; none for the plan's own.
    pub owner: Option<u32>,
    /// Which item of a loop, or which branch of a conditional.
    pub item: usize,
    /// Instances of the body's nodes, the latest visit of each.
    pub latest: Vec<u32>,
    /// How many parents of each node have not ended. Kept apart from the instances: it is touched
    /// once for every edge, and so stays in the processor's cache even for large graphs.
    pub waiting: Vec<u32>,
    /// A step of this list was skipped.
    pub has_skips: bool,
    /// How often each node was reached; only filled in graph bodies.
    pub visits: Vec<u32>,
    pub variables: Vec<(Arc<str>, Arc<Value>)>,
    /// What `input` and its like mean here; only set where a plan begins.
    #[serde(with = "maybe")]
    pub context: Option<Arc<Value>>,
    /// Instances that have not ended.
    pub open: u32,
    /// Instances at work, and how many may be.
    pub active: u32,
    pub limit: Option<u32>,
    pub parked: VecDeque<u32>,
    pub failure: Option<ToolFailure>,
    /// Nothing new is started here any more.
    pub stopping: bool,
    /// Its end has been dealt with.
    pub closed: bool,
    /// The instance that ended last; a graph's result.
    pub last: Option<u32>,
}

/// A step being run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Instance {
    pub frame: u32,
    pub node: u32,
    pub visit: u32,
    pub phase: Phase,
    /// It counts against the limit of its list.
    pub counted: bool,
    /// A parent whose result it reads was skipped because of a failure.
    pub spoiled: bool,
    /// A person refused it, or a step it waits for: what waits for it may not start.
    #[serde(default)]
    pub refused: bool,
    pub started_at: u64,
    /// Calls made so far, over all tools.
    pub attempt: u32,
    /// Which tool of the step's chain is in use, and calls made with it.
    pub tool: u32,
    pub tries: u32,
    #[serde(with = "maybe")]
    pub arguments: Option<Arc<Value>>,
    /// Digest of the call a person has allowed.
    pub allowed: Option<String>,
    /// The file that a person has allowed it to change, by its resolved path.
    #[serde(default)]
    pub may_replace: Option<String>,
    /// How often a person has changed the arguments.
    pub edits: u32,
    /// The result was made up during a dry run.
    #[serde(default)]
    pub made_up: bool,
    #[serde(with = "maybe")]
    pub output: Option<Retained>,
    pub inside: Option<Box<Inside>>,
}

impl Instance {
    pub fn new(frame: u32, node: u32, visit: u32) -> Self {
        Self {
            frame,
            node,
            visit,
            phase: Phase::Waiting,
            counted: false,
            spoiled: false,
            refused: false,
            started_at: 0,
            attempt: 0,
            tool: 0,
            tries: 0,
            arguments: None,
            allowed: None,
            may_replace: None,
            edits: 0,
            made_up: false,
            output: None,
            inside: None,
        }
    }
}

/// Where an instance stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// For its parents.
    Waiting,
    /// Retained back by the limit of its list.
    Parked,
    /// For a free place.
    Queued,
    /// For a person.
    Asking,
    /// A call is under way.
    Calling,
    /// Until the next try.
    BackingOff {
        due: u64,
    },
    /// Its inner steps are being run.
    Inside,
    Done,
    Failed,
    Skipped,
    Cancelled,
}

impl Phase {
    pub fn has_ended(self) -> bool {
        matches!(
            self,
            Self::Done | Self::Failed | Self::Skipped | Self::Cancelled
        )
    }
}

/// The inner steps of an instance.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Inside {
    /// Frames that are open, or the only one there was.
    pub frames: Vec<u32>,
    pub items: Option<Items>,
    /// The turns of a phase.
    #[serde(default)]
    pub phase: Option<Box<Phased>>,
}

/// The items of a loop.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Items {
    pub list: Arc<Value>,
    pub results: Vec<Retained>,
    pub next: usize,
    pub active: usize,
    /// The carried value of a fold.
    #[serde(with = "maybe")]
    pub carry: Option<Arc<Value>>,
    pub failure: Option<ToolFailure>,
    /// A person refused a step of an item; the other items go on.
    #[serde(default)]
    pub refusal: Option<ToolFailure>,
}

/// A question nobody has answered yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    pub n: u32,
    pub question: Question,
}

/// A value that may be missing, told apart from a value that is null.
mod maybe {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::ref_option)] // the signature serde asks for
    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        Ok(Vec::<T>::deserialize(deserializer)?.pop())
    }
}
