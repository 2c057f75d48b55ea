//! The card of tasks that became a plan that tracks itself: why each tool, what serves each part
//! of each task, and what is left out.

use crate::assemble::Account;

use super::TrackedPlan;
use crate::drafts::{Coverage, Drafted, Lack, Missing, StepNote};

/// A tracked plan as one of the drafts that cards are made of.
pub fn of_tasks(tracked: &TrackedPlan, strategy: &str) -> Drafted {
    let tasks = &tracked.tasks;
    let scores: f32 = tasks.iter().map(|task| task.score.clamp(0.0, 1.0)).sum();
    let open = tasks.iter().flat_map(|task| &task.open);
    let mut open: Vec<String> = open.map(|open| open.name.clone()).collect();
    open.sort();
    open.dedup();
    let steps = tasks.iter().flat_map(|task| {
        let own = StepNote {
            step: task.sequenced.step.clone(),
            tool: task.tool.id.to_string(),
            reason: task.reason.clone(),
            bindings: task.bindings.clone(),
        };
        task.helpers.iter().cloned().chain([own])
    });
    let serves = tracked.serves();
    let unserved = serves.iter().filter(|account| account.step.is_none());
    let unused: Vec<String> = unserved
        .filter(|account| account.slot != "act" && !account.said.is_empty())
        .map(|account| account.said.clone())
        .collect();
    let lacking = tracked.lacking.iter().map(|(_, lack)| lack.missing());
    let places = unused.iter().map(|said| Missing::new(said, Lack::Place));
    Drafted {
        strategy: strategy.to_owned(),
        draft: tracked.draft.clone(),
        steps: steps.collect(),
        coverage: coverage(tracked, &serves),
        missing: lacking.chain(places).collect(),
        serves,
        open_inputs: open,
        unused,
        inferred: Vec::new(),
        fit: scores / tasks.len().max(1) as f32,
    }
}

/// Task by task.
fn coverage(tracked: &TrackedPlan, serves: &[Account]) -> Vec<Coverage> {
    let goals = tracked.frame.goals.iter().enumerate();
    let rows = goals.map(|(number, goal)| {
        let mut own = serves.iter().filter(|account| account.goal == number);
        Coverage {
            domain: goal.text.clone(),
            steps: 1,
            covered: usize::from(own.all(|account| account.step.is_some())),
            available: 1,
        }
    });
    rows.collect()
}
