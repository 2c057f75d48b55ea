//! How close is a plan to its goal? A tracker that travels with it: nodes done, hypotheses
//! met, money spent. It changes only by facts that it is told, and so can be kept and
//! replayed; what it is told comes from the journal of the run.

use std::collections::{BTreeMap, BTreeSet};

use holloway_plan::draft::{Budget, Draft, Execution};
use holloway_plan::estimate::UNKNOWN_LATENCY_MS;
use holloway_plan::step::{ApprovalRule, OnError, Step};
use holloway_plan::tool::{Effect, full_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::PlanningConstraints;
use super::bind_tools::{BindError, Bound, BoundTask};
use super::hypotheses::ExpectedOutcome;
use super::sequence::is_sequential;
use crate::assemble::Account;
use crate::frame::Frame;
use crate::frame::constraints::Priority;
use crate::text::clip;

/// How much of what a task says its step repeats.
const PURPOSE: usize = 300;
/// Tasks that are left out and told with one that comes after them.
const TOLD: usize = 5;

/// A plan ready to be checked, and how its way to the goal is measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrackedPlan {
    pub draft: Draft,
    pub tracker: ProgressTracker,
    /// What is asked, one goal a task.
    pub frame: Frame,
    pub tasks: Vec<BoundTask>,
    /// Goals that are left out, by number, and why.
    #[serde(skip)]
    pub lacking: Vec<(usize, BindError)>,
    pub hypotheses: Vec<ExpectedOutcome>,
    /// What a person should know before running it.
    pub notes: Vec<String>,
}

/// How far a plan has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgressTracker {
    pub goal: String,
    pub nodes: u64,
    pub nodes_done: u64,
    pub nodes_failed: u64,
    pub hypotheses: u64,
    pub hypotheses_met: u64,
    /// US dollars.
    pub spent: f64,
    pub budget: Option<f64>,
    /// Nodes whose hypotheses were not all met: these need another look at once.
    pub to_reflect_on: Vec<String>,
}

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum Fact {
    NodeDone {
        node: String,
        cost: f64,
        hypotheses_met: u64,
        hypotheses_unmet: u64,
    },
    NodeFailed {
        node: String,
        cost: f64,
    },
    /// A loop turned out to have so many more.
    NodesAdded {
        nodes: u64,
        hypotheses: u64,
    },
    /// What was wrong with a node has been dealt with.
    Reflected {
        node: String,
    },
}

impl ProgressTracker {
    /// The tracker after a fact.
    #[must_use]
    pub fn after(&self, fact: &Fact) -> Self {
        let mut next = self.clone();
        match fact {
            Fact::NodeDone {
                node,
                cost,
                hypotheses_met,
                hypotheses_unmet,
            } => {
                next.nodes_done = next.nodes_done.saturating_add(1).min(next.nodes);
                next.spend(*cost);
                let met = next.hypotheses_met.saturating_add(*hypotheses_met);
                next.hypotheses_met = met.min(next.hypotheses);
                if *hypotheses_unmet > 0 {
                    next.look_at(node);
                }
            }
            Fact::NodeFailed { node, cost } => {
                next.nodes_failed = next.nodes_failed.saturating_add(1);
                next.spend(*cost);
                next.look_at(node);
            }
            Fact::NodesAdded { nodes, hypotheses } => {
                next.nodes = next.nodes.saturating_add(*nodes);
                next.hypotheses = next.hypotheses.saturating_add(*hypotheses);
            }
            Fact::Reflected { node } => next.to_reflect_on.retain(|known| known != node),
        }
        next
    }

    /// Of the nodes known so far, 0 to 100.
    pub fn percent_done(&self) -> f64 {
        percent(self.nodes_done, self.nodes)
    }

    /// Of the hypotheses known so far, 0 to 100.
    pub fn percent_met(&self) -> f64 {
        percent(self.hypotheses_met, self.hypotheses)
    }

    /// What may still be spent; nothing when there is no limit.
    pub fn left(&self) -> Option<f64> {
        self.budget.map(|budget| (budget - self.spent).max(0.0))
    }

    /// All nodes are done and all hypotheses met: the goal is reached.
    pub fn is_reached(&self) -> bool {
        self.nodes_done == self.nodes && self.hypotheses_met == self.hypotheses
    }

    fn spend(&mut self, cost: f64) {
        // A cost that is no number says nothing.
        self.spent += if cost.is_finite() { cost.max(0.0) } else { 0.0 };
    }

    fn look_at(&mut self, node: &str) {
        if !self.to_reflect_on.iter().any(|known| known == node) {
            self.to_reflect_on.push(node.to_owned());
        }
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 100.0;
    }
    part as f64 * 100.0 / whole as f64
}

/// Makes a draft of bound tasks and what is expected of them, and sets the tracker to its start.
pub fn inject_progress_tracker(
    bound: Bound,
    frame: Frame,
    hypotheses: Vec<ExpectedOutcome>,
    constraints: &PlanningConstraints,
) -> TrackedPlan {
    let Bound { tasks, lacking } = bound;
    let profile = constraints.profiles.of(constraints.priority);
    let sequential = is_sequential(&profile);
    let steps = tasks.iter();
    let steps = steps.flat_map(|task| steps_of(task, &hypotheses, sequential));
    let steps: Vec<Step> = steps.collect();
    let checked = hypotheses.iter().map(ExpectedOutcome::count).sum::<usize>();
    let tracker = ProgressTracker {
        goal: constraints.goal.clone(),
        nodes: steps.len() as u64,
        hypotheses: checked as u64,
        budget: constraints.money,
        ..ProgressTracker::default()
    };
    let draft = Draft {
        version: "1.0".to_owned(),
        objective: Some(constraints.goal.clone()).filter(|goal| !goal.is_empty()),
        execution: if sequential {
            Execution::Sequential
        } else {
            Execution::Dag
        },
        input: inputs(&tasks),
        budget: Budget {
            money: constraints.money,
            seconds: constraints.seconds,
            ..Budget::default()
        },
        steps,
        ..Draft::default()
    };
    TrackedPlan {
        notes: notes(&tasks, &hypotheses),
        draft,
        tracker,
        tasks,
        lacking,
        frame,
        hypotheses,
    }
}

/// The steps of a task; what is expected of it is expected of the last.
fn steps_of(task: &BoundTask, hypotheses: &[ExpectedOutcome], sequential: bool) -> Vec<Step> {
    let own = &task.sequenced;
    let mut steps = task.steps.clone();
    for step in steps.iter_mut().filter(|_| sequential) {
        step.depends_on.clone_from(&own.before);
        // Where fidelity counts most, a person is asked before the plan fails.
        step.on_error = Some(OnError::Repair);
    }
    if let Some(step) = steps.last_mut() {
        let said = [&own.task.description, &own.task.action];
        let purpose = said.into_iter().find(|text| !text.is_empty());
        step.purpose = purpose.map(|text| clip(text, PURPOSE));
        let expected = hypotheses.iter().find(|outcome| outcome.step == own.step);
        step.expect = expected
            .map(ExpectedOutcome::expectations)
            .unwrap_or_default();
        // Not even whoever allows every call beforehand can know what was left out.
        step.approval = (!undone(task).is_empty()).then_some(ApprovalRule::Always);
    }
    steps
}

/// What should have been done before a task that changes something for good.
fn undone(task: &BoundTask) -> &[String] {
    match task.tool.effect {
        Effect::Read | Effect::Idempotent => &[],
        Effect::Write | Effect::Destructive => &task.undone,
    }
}

/// The schema of what the person has to say.
fn inputs(tasks: &[BoundTask]) -> Option<Value> {
    let open = tasks.iter().flat_map(|task| &task.open);
    let open = open.map(|open| (open.name.clone(), open.schema.clone()));
    let properties: BTreeMap<String, Value> = open.collect();
    let required: Vec<&String> = properties.keys().collect();
    (!properties.is_empty()).then(|| {
        let schema = json!({"type": "object", "required": required, "properties": properties});
        full_schema(schema)
    })
}

/// What a person should know before running it.
fn notes(tasks: &[BoundTask], hypotheses: &[ExpectedOutcome]) -> Vec<String> {
    let mut notes = Vec::new();
    for task in tasks.iter().filter(|task| !undone(task).is_empty()) {
        let said = undone(task).iter().take(TOLD);
        let said: Vec<String> = said
            .map(|deed| format!("“{}”", clip(deed, PURPOSE)))
            .collect();
        notes.push(format!(
            "{}: {} was to be done before it and is left out; {} is asked about first, whatever is allowed",
            task.sequenced.step,
            said.join(", "),
            task.tool.id
        ));
    }
    for outcome in hypotheses {
        for said in &outcome.unchecked {
            let step = &outcome.step;
            notes.push(format!("{step}: “{said}” is for you to check; no tool can"));
        }
    }
    let open = tasks.iter().flat_map(|task| &task.open);
    let open: BTreeSet<String> = open.map(|open| format!("`{}`", open.name)).collect();
    if !open.is_empty() {
        let open: Vec<String> = open.into_iter().collect();
        notes.push(format!("you have to say first: {}", open.join(", ")));
    }
    notes
}

impl TrackedPlan {
    /// Which step or argument serves each part of each task; nothing serves those left out.
    pub fn serves(&self) -> Vec<Account> {
        let served = self
            .tasks
            .iter()
            .flat_map(|task| task.serves.iter().cloned());
        let left = self.lacking.iter().filter_map(|(number, _)| {
            let goal = self.frame.goals.get(*number)?;
            Some(Account {
                goal: *number,
                slot: "act".to_owned(),
                said: goal.text.clone(),
                value: None,
                step: None,
                argument: None,
            })
        });
        let mut serves: Vec<Account> = served.chain(left).collect();
        serves.sort_by_key(|account| account.goal);
        serves
    }

    /// The limit that the prices and durations of the tools would go over: what has to count more
    /// to stay within it, and how it is told.
    pub(super) fn excess(&self, constraints: &PlanningConstraints) -> Option<(Priority, String)> {
        let money: f64 = self.tasks.iter().filter_map(|task| task.tool.price).sum();
        if let Some(most) = constraints.money.filter(|most| money > *most) {
            let told = format!("expected to cost ${money:.2}, more than the ${most:.2} allowed");
            return Some((Priority::Cost, told));
        }
        // Wave after wave, each as long as its longest task.
        let mut waves: BTreeMap<usize, u64> = BTreeMap::new();
        for task in &self.tasks {
            let longest = waves.entry(task.sequenced.wave).or_default();
            let latency = task.tool.latency_ms.unwrap_or(UNKNOWN_LATENCY_MS);
            *longest = latency.max(*longest);
        }
        let seconds = waves
            .values()
            .map(|wave| *wave as f64 / 1_000.0)
            .sum::<f64>();
        let most = constraints.seconds.filter(|most| seconds > *most)?;
        let told = format!("expected to take {seconds:.1} s, more than the {most:.1} s allowed");
        Some((Priority::Speed, told))
    }

    pub(super) fn noting(mut self, note: String) -> Self {
        self.notes.push(note);
        self
    }
}

#[cfg(test)]
mod tests;
