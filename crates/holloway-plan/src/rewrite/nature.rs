//! Does a step only look, or might it change something or involve a person? The
//! one question on which all rules agree before they move, merge or drop a step.

use crate::plan::Plan;
use crate::step::{ApprovalRule, OnError, Step, StepType};
use crate::tool::Effect;

/// Whether nothing the step does, or a step inside it does, can be noticed by anyone.
pub(super) fn only_reads(plan: &Plan, step: &Step) -> bool {
    let mut only = true;
    step.walk(&mut |inner| only &= reads_itself(plan, inner));
    only
}

fn reads_itself(plan: &Plan, step: &Step) -> bool {
    if involves_a_person(step) {
        return false;
    }
    let tools = step.called_tool().into_iter();
    let mut tools = tools.chain(step.fallbacks.iter().chain(&step.tools).map(String::as_str));
    let known_reads = tools.all(|name| {
        plan.tool(name)
            .is_some_and(|tool| tool.effect == Effect::Read)
    });
    known_reads
        && match step.kind {
            // A phase without a list may use any tool there is.
            StepType::Phase => !step.tools.is_empty(),
            StepType::Plan => {
                let inner = step.plan.as_deref().and_then(|name| plan.inner_plan(name));
                inner.is_some_and(|inner| inner.steps().iter().all(|step| only_reads(inner, step)))
            }
            _ => true,
        }
}

fn involves_a_person(step: &Step) -> bool {
    step.kind == StepType::Approve
        || step.approval == Some(ApprovalRule::Always)
        || matches!(step.on_error, Some(OnError::Ask | OnError::Repair))
}
