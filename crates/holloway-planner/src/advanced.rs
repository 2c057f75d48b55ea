//! How do tasks that are already taken apart become a plan that tracks itself? Four
//! stages: sequence and prioritise, bind tools, generate hypotheses, inject the tracker.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::catalogue::Catalogue;
use crate::frame::constraints::Priority;
use crate::settings::Profiles;

pub mod bind_tools;
pub mod hypotheses;
pub mod pattern;
pub mod sequence;
pub mod track;

mod criteria;
mod drafted;
mod left_out;
mod obstacle;

pub use bind_tools::{BindError, BoundTask, bind_tools, lacking};
pub use drafted::drafted;
pub use hypotheses::{ExpectedOutcome, generate_hypotheses};
pub use left_out::without_lacking;
pub use sequence::{SequenceError, SequencedTask, sequence_and_prioritize};
pub use track::{Fact, ProgressTracker, TrackedPlan, inject_progress_tracker};

/// More tasks than this are not planned at once.
pub const TASKS_AT_MOST: usize = 1_000;

/// A task as somebody took it out of a larger one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SubTaskItem {
    pub id: String,
    pub description: String,
    /// What kind of doing it is: `search`, `http_fetch`, `write_report`.
    pub action: String,
    /// Ids of tasks that must have ended before.
    pub depends_on: Vec<String>,
    /// The same, but their results are not for it: a task between them was left out.
    pub after: Vec<String>,
    /// What was to be done before and is not, because no tool does it.
    pub undone: Vec<String>,
    /// Arguments that are known; `{{task.field}}` stands for a result.
    pub inputs: Map<String, Value>,
    /// JSON Schema that the result must fit.
    pub output: Option<Value>,
    /// Tools that were named for it, the first preferred.
    pub tools: Vec<String>,
    /// How to tell that it is done, in words or as a condition.
    pub success_criteria: Vec<String>,
}

/// What a plan must keep to, and what matters in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanningConstraints {
    /// What the tasks are to achieve together.
    pub goal: String,
    /// The most time to take.
    pub seconds: Option<f64>,
    pub priority: Priority,
    /// The most to spend, in US dollars.
    pub money: Option<f64>,
    pub profiles: Profiles,
}

/// Why tasks do not become a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdvancedError {
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    #[error(transparent)]
    Bind(#[from] BindError),
}

/// Sequences tasks, binds tools, says what to expect and adds the tracker. Where the
/// tools that suit the priority would go over the limits of time or money, it is tried
/// again with quicker or cheaper ones; where that does not help either, the plan says so.
pub fn plan_advanced(
    subtasks: &[SubTaskItem],
    constraints: &PlanningConstraints,
    registry: &Catalogue,
) -> Result<TrackedPlan, AdvancedError> {
    let wanted = attempt(subtasks, constraints, registry)?;
    let excess = wanted.excess(constraints);
    let Some(instead) = excess.map(track::Excess::remedy) else {
        return Ok(wanted);
    };
    let tighter = PlanningConstraints {
        priority: instead,
        ..constraints.clone()
    };
    let other = attempt(subtasks, &tighter, registry)?;
    if other.excess(constraints).is_none() {
        return Ok(other.noting(format!(
            "the tools that suit the priority best would take more than allowed; planned for {}",
            track::word(instead)
        )));
    }
    Ok(wanted.noting_excess(constraints))
}

fn attempt(
    subtasks: &[SubTaskItem],
    constraints: &PlanningConstraints,
    registry: &Catalogue,
) -> Result<TrackedPlan, AdvancedError> {
    let sequenced = sequence_and_prioritize(subtasks, constraints)?;
    let bound = bind_tools(&sequenced, registry)?;
    let hypotheses = generate_hypotheses(&bound);
    Ok(inject_progress_tracker(bound, hypotheses, constraints))
}

#[cfg(test)]
mod tests;
