//! With which tool, and with which arguments? The way of every frame: acts are laid out over tools
//! that say what they do, everything else is searched for and bound. A task that cannot be done
//! is left out; what waited for it waits for what it waited for.

use std::sync::Arc;

use holloway_plan::step::Step;
use holloway_plan::tool::{Lookup, ToolId, ToolSpec};
use serde::Serialize;
use serde_json::{Map, Value};

use super::AtHand;
use super::sequence::SequencedTask;
use crate::assemble::Account;
use crate::bind::Binding;
use crate::drafts::{Lack, Missing, StepNote};
use crate::frame::{Frame, Goal};

mod by_act;
mod by_search;
mod gone;
mod references;

use gone::Gone;

/// A task with its tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundTask {
    pub sequenced: SequencedTask,
    /// What was to be done before it and is not.
    pub undone: Vec<String>,
    /// The act of its goal, where it is done as one.
    pub act: Option<String>,
    pub tool: Arc<ToolSpec>,
    /// The step that does it, last, and before it those that make what it takes. Results of
    /// other tasks stand in them as references.
    pub steps: Vec<Step>,
    /// Where those arguments come from that the task does not say.
    pub bindings: Vec<Binding>,
    /// Why those other steps are there.
    #[serde(skip)]
    pub helpers: Vec<StepNote>,
    /// Which step or argument serves each part of the task.
    pub serves: Vec<Account>,
    /// What nobody said yet.
    pub open: Vec<OpenInput>,
    /// 0 to 1.
    pub score: f32,
    /// Why this tool.
    pub reason: String,
    /// Tools that came near, and why they were not taken.
    pub passed_over: Vec<PassedOver>,
}

impl BoundTask {
    /// The call of its own step; in a loop, the one that is called for each.
    fn call(&self) -> Option<&Step> {
        let step = self.steps.last()?;
        Some(step.step.as_deref().unwrap_or(step))
    }

    /// What its tool is given.
    pub fn arguments(&self) -> Option<&Map<String, Value>> {
        self.call()?.input.as_ref()?.as_object()
    }

    /// Whether its tool is called for each of many.
    pub fn is_loop(&self) -> bool {
        self.steps.last().is_some_and(|step| step.step.is_some())
    }
}

/// An argument that the person who runs the plan has to give.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpenInput {
    /// Its name among the inputs of the plan.
    pub name: String,
    pub parameter: String,
    pub schema: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassedOver {
    pub tool: ToolId,
    pub why: String,
}

/// Why a task is left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    #[error("no tool at hand does `{wanted}` (task `{task}`){}", nearest(.passed_over))]
    NoTool {
        task: String,
        wanted: String,
        passed_over: Vec<PassedOver>,
    },
    /// The task does not fit what is there.
    #[error("task `{task}` cannot be done: {about}")]
    Unfit { task: String, about: String },
}

impl BindError {
    /// As cards tell it.
    pub fn missing(&self) -> Missing {
        match self {
            Self::NoTool { wanted, .. } => Missing::new(wanted, Lack::Tool),
            Self::Unfit { .. } => Missing::new(self.to_string(), Lack::Unfit),
        }
    }
}

fn nearest(passed_over: &[PassedOver]) -> String {
    if passed_over.is_empty() {
        return "; add one with `holloway tools add`".to_owned();
    }
    let told = passed_over.iter().take(3);
    let told: Vec<String> = told
        .map(|one| format!("{}: {}", one.tool, one.why))
        .collect();
    format!("; came near, but {}", told.join("; "))
}

/// Tasks with their tools, and those that are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bound {
    pub tasks: Vec<BoundTask>,
    /// By the number of their goals.
    pub lacking: Vec<(usize, BindError)>,
}

/// Binds a tool to every task, in the given order; the goals of the frame are in the same.
pub fn bind_tools(sequenced: &[SequencedTask], frame: &Frame, at_hand: &AtHand<'_>) -> Bound {
    let mut bound = Bound::default();
    let mut gone = Gone::of(sequenced);
    for (number, (task, goal)) in sequenced.iter().zip(&frame.goals).enumerate() {
        let (task, undone) = gone.left_of(number, task);
        let place = Place {
            task: references::with_step_names(task, sequenced),
            undone,
            number,
            goal,
            sequenced,
            before: &bound.tasks,
            at_hand,
        };
        let found = place.bind();
        gone.note(number, found.is_ok());
        match found {
            Ok(task) => bound.tasks.push(task),
            Err(error) => bound.lacking.push((number, error)),
        }
    }
    bound
}

/// A task, what stands before it and what is at hand.
struct Place<'a> {
    task: SequencedTask,
    undone: Vec<String>,
    /// Of its goal in the frame.
    number: usize,
    goal: &'a Goal,
    sequenced: &'a [SequencedTask],
    before: &'a [BoundTask],
    at_hand: &'a AtHand<'a>,
}

impl<'a> Place<'a> {
    fn bind(self) -> Result<BoundTask, BindError> {
        match self.by_act()? {
            Some(bound) => Ok(bound),
            None => self.by_search(),
        }
    }

    /// The tool that a name stands for.
    fn tool(&self, name: &str) -> Option<&'a Arc<ToolSpec>> {
        let registry = self.at_hand.registry;
        match registry.table().find(name) {
            Lookup::Found(tool) => registry.tool(registry.place(&tool.id)?),
            _ => None,
        }
    }

    /// Names that stand for no tool.
    fn not_at_hand(&self) -> Vec<PassedOver> {
        let names = self.task.task.tools.iter();
        let missing = names.filter(|name| self.tool(name).is_none());
        missing
            .map(|name| PassedOver {
                tool: ToolId::new(name),
                why: "it is not at hand".to_owned(),
            })
            .collect()
    }

    /// The tasks whose results it may use, the nearest first.
    fn givers(&self) -> impl Iterator<Item = &'a BoundTask> {
        let named = |step: &String| self.before.iter().find(|one| one.sequenced.step == *step);
        self.task.before.iter().filter_map(named)
    }

    fn account(
        &self,
        slot: &str,
        said: &str,
        step: Option<&str>,
        argument: Option<&str>,
    ) -> Account {
        Account {
            goal: self.number,
            slot: slot.to_owned(),
            said: said.to_owned(),
            value: None,
            step: step.map(str::to_owned),
            argument: argument.map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests;
