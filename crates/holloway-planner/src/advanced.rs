//! How do tasks that are already taken apart become a plan that tracks itself? Four stages:
//! sequence and prioritise, bind tools (as for every frame), generate hypotheses, inject the
//! tracker.

use serde::{Deserialize, Serialize};

use crate::bind::PastArguments;
use crate::catalogue::Catalogue;
use crate::frame::constraints::{Constraints, Priority};
use crate::frame::scene::Scene;
use crate::read::tasks;
use crate::settings::GenerateSettings;
use crate::settings::Profiles;

pub mod bind_tools;
pub mod hypotheses;
pub mod sequence;
pub mod track;

mod criteria;
mod drafted;
mod obstacle;

pub use crate::read::tasks::{SubTaskItem, TASKS_AT_MOST};
pub use bind_tools::{BindError, Bound, BoundTask, bind_tools};
pub use drafted::of_tasks;
pub use hypotheses::{ExpectedOutcome, generate_hypotheses};
pub use sequence::{SequenceError, SequencedTask, sequence_and_prioritize};
pub use track::{Fact, ProgressTracker, TrackedPlan, inject_progress_tracker};

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

impl PlanningConstraints {
    fn of_frame(&self) -> Constraints {
        Constraints {
            seconds: self.seconds,
            money: self.money,
            priority: self.priority,
            ..Constraints::default()
        }
    }
}

/// What plans are made with.
#[derive(Clone, Copy, Debug)]
pub struct AtHand<'a> {
    pub registry: &'a Catalogue,
    /// The files that are there; nothing where nobody looked.
    pub scene: Option<&'a Scene>,
    /// What earlier runs gave tools.
    pub past: Option<&'a PastArguments>,
    /// How drafts are made; files that nobody named go here where nothing is set.
    pub settings: Option<&'a GenerateSettings>,
}

impl<'a> AtHand<'a> {
    /// Tools alone.
    pub fn tools(registry: &'a Catalogue) -> Self {
        Self {
            registry,
            scene: None,
            past: None,
            settings: None,
        }
    }
}

/// Why tasks do not become a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdvancedError {
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// None of the tasks can be done.
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Bind(Vec<BindError>),
}

/// Sequences tasks, binds tools, says what to expect and adds the tracker. Tasks that cannot be
/// done are left out and told in [`TrackedPlan::lacking`]. Where the tools that suit the priority
/// would go over the limits of time or money, it is tried again with quicker or cheaper ones;
/// where that does not help either, the plan says so.
///
/// ```
/// use holloway_plan::tool::{Effect, ToolSpec};
/// use holloway_planner::advanced::{AtHand, PlanningConstraints, SubTaskItem, plan_advanced};
/// use holloway_planner::catalogue::Catalogue;
/// use holloway_search::entry::Entry;
/// use holloway_search::rank::Repute;
/// use serde_json::json;
///
/// let mut search = ToolSpec::named("mcp.web/web_search")
///     .with_effect(Effect::Read)
///     .with_input(json!({"type": "object", "required": ["query"],
///         "properties": {"query": {"type": "string"}}}));
/// search.description = "Searches the web".to_owned();
/// let entry = Entry { id: search.id.to_string(), name: "web_search".to_owned(), ..Entry::default() };
/// let registry = Catalogue::new([(search, entry, Repute::default())]);
///
/// let task = SubTaskItem {
///     id: "find".to_owned(),
///     action: "search_competitors".to_owned(),
///     tools: vec!["web_search".to_owned()],
///     inputs: json!({"query": "tents"}).as_object().cloned().unwrap_or_default(),
///     ..SubTaskItem::default()
/// };
/// let constraints = PlanningConstraints { money: Some(0.5), ..PlanningConstraints::default() };
/// let planned = plan_advanced(&[task], &constraints, &AtHand::tools(&registry))?;
/// assert_eq!(planned.draft.steps[0].tool.as_deref(), Some("mcp.web/web_search"));
/// assert_eq!(planned.tracker.nodes, 1);
/// # Ok::<(), holloway_planner::advanced::AdvancedError>(())
/// ```
pub fn plan_advanced(
    subtasks: &[SubTaskItem],
    constraints: &PlanningConstraints,
    at_hand: &AtHand<'_>,
) -> Result<TrackedPlan, AdvancedError> {
    let wanted = attempt(subtasks, constraints, at_hand)?;
    let Some((instead, told)) = wanted.excess(constraints) else {
        return Ok(wanted);
    };
    let tighter = PlanningConstraints {
        priority: instead,
        ..constraints.clone()
    };
    let other = attempt(subtasks, &tighter, at_hand)?;
    if other.excess(constraints).is_none() {
        return Ok(other.noting(format!(
            "the tools that suit the priority best would take more than allowed; planned for {}",
            instead.word()
        )));
    }
    Ok(wanted.noting(format!("{told}, with any tools at hand")))
}

fn attempt(
    subtasks: &[SubTaskItem],
    constraints: &PlanningConstraints,
    at_hand: &AtHand<'_>,
) -> Result<TrackedPlan, AdvancedError> {
    let sequenced = sequence_and_prioritize(subtasks, constraints)?;
    let nothing = Scene::default();
    let frame = tasks::read(
        &sequenced.iter().map(|one| &one.task).collect::<Vec<_>>(),
        constraints.of_frame(),
        at_hand.scene.unwrap_or(&nothing),
        at_hand.registry,
    );
    let bound = bind_tools(&sequenced, &frame, at_hand);
    if bound.tasks.is_empty() && !bound.lacking.is_empty() {
        let lacking = bound.lacking.into_iter().map(|(_, lack)| lack);
        return Err(AdvancedError::Bind(lacking.collect()));
    }
    let hypotheses = generate_hypotheses(&bound.tasks);
    Ok(inject_progress_tracker(
        bound,
        frame,
        hypotheses,
        constraints,
    ))
}

#[cfg(test)]
mod tests;
