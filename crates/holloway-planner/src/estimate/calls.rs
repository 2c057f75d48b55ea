//! Which tools may a plan call, and in which steps? Loops, branches and plans inside count too.

use std::sync::Arc;

use holloway_plan::plan::Plan;
use holloway_plan::step::{Step, StepType};
use holloway_plan::tool::ToolSpec;

/// A tool that a step may call.
pub(super) struct Call<'a> {
    /// The plan that the step is part of.
    pub(super) plan: &'a Plan,
    pub(super) step: &'a Step,
    pub(super) tool: &'a Arc<ToolSpec>,
    /// Called for each of many.
    pub(super) repeated: bool,
    /// Only where another tool fails.
    pub(super) stands_in: bool,
}

/// In the order of the steps.
pub(super) fn calls(plan: &Plan) -> Vec<Call<'_>> {
    let mut calls = Vec::new();
    collect(plan, plan.steps(), false, &mut calls);
    calls
}

fn collect<'a>(plan: &'a Plan, steps: &'a [Step], repeated: bool, calls: &mut Vec<Call<'a>>) {
    for step in steps {
        let own = step.called_tool().into_iter().map(|name| (name, false));
        let others = step.fallbacks.iter().map(|name| (name.as_str(), true));
        let of_phase = step.tools.iter().map(|name| (name.as_str(), false));
        for (name, stands_in) in own.chain(others).chain(of_phase) {
            calls.extend(plan.tool(name).map(|tool| Call {
                plan,
                step,
                tool,
                repeated,
                stands_in,
            }));
        }
        let inside = repeated || matches!(step.kind, StepType::Loop | StepType::Reduce);
        for (_, inner) in step.inner() {
            collect(plan, inner, inside, calls);
        }
        if let Some(inner) = step.plan.as_deref().and_then(|name| plan.inner_plan(name)) {
            collect(inner, inner.steps(), inside, calls);
        }
    }
}
