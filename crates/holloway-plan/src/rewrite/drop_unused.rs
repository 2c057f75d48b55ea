//! Leaves out read-only calls that nobody would miss: no step reads the result or
//! waits for it, nothing is expected of it, and it has no name callers may ask for.

use super::lists::{each_list, names_read};
use super::nature::only_reads;
use super::{Change, Rewritten};
use crate::draft::Execution;
use crate::plan::Plan;
use crate::step::{Step, StepType};

pub(super) const NAME: &str = "drop-unused";

pub(super) fn apply(plan: &Plan) -> Option<Rewritten> {
    let mut wanted = names_read(plan.draft());
    plan.draft()
        .walk(&mut |step| wanted.extend(step.depends_on.iter().cloned()));
    let mut draft = plan.draft().clone();
    let mut changes = Vec::new();
    each_list(&mut draft, &mut |steps, kind| {
        if kind.all_count || kind.execution == Execution::Graph {
            return;
        }
        // The last step is what the list as a whole gives.
        let last = steps.last().map(|step| step.id.clone());
        steps.retain(|step| {
            let keep = Some(&step.id) == last.as_ref() || !is_unused(plan, step, &wanted);
            if !keep {
                changes.push(change(step));
            }
            keep
        });
    });
    (!changes.is_empty()).then(|| (plan.with_draft(draft), changes))
}

fn is_unused(plan: &Plan, step: &Step, wanted: &[String]) -> bool {
    step.kind == StepType::Tool
        && step.output.is_none()
        && step.expect.is_empty()
        && only_reads(plan, step)
        && !wanted.contains(&step.id)
}

fn change(step: &Step) -> Change {
    let tool = step.called_tool().unwrap_or_default();
    let sentence = format!(
        "`{}` is left out: `{tool}` only looks and nobody reads what it finds",
        step.id
    );
    Change {
        rule: NAME,
        steps: vec![step.id.clone()],
        sentence,
    }
}
