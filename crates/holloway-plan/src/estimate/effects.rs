//! What will a plan do to the world, and before which of it is a person asked?

use serde::Serialize;

use crate::plan::Plan;
use crate::step::{ApprovalRule, Step, StepType};
use crate::tool::Effect;

/// A call the plan may make, or a question it will ask.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedEffect {
    pub step: String,
    /// The tool's full id; none for an `approve` step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    pub role: Role,
    /// Whether a person is asked first under the default policy.
    pub asked: bool,
}

/// How the tool comes to be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The step's own tool.
    Call,
    /// Only if the tools before it fail.
    Fallback,
    /// One of those a phase may choose from.
    Choice,
    /// No call: the step is the question.
    Question,
}

/// All effects in the order of the steps, those of inner plans included.
pub(super) fn of_plan(plan: &Plan) -> Vec<ExpectedEffect> {
    let mut found = Vec::new();
    add_plan(plan, "", &mut found);
    found
}

fn add_plan(plan: &Plan, before: &str, found: &mut Vec<ExpectedEffect>) {
    plan.draft().walk(&mut |step| {
        let name = format!("{before}{}", step.id);
        add_step(plan, step, &name, found);
        if let Some(inner) = step
            .plan
            .as_deref()
            .and_then(|inner| plan.inner_plan(inner))
        {
            add_plan(inner, &format!("{name} / "), found);
        }
    });
}

fn add_step(plan: &Plan, step: &Step, name: &str, found: &mut Vec<ExpectedEffect>) {
    if step.kind == StepType::Approve {
        let step = name.to_owned();
        found.push(ExpectedEffect {
            step,
            tool: None,
            effect: None,
            role: Role::Question,
            asked: true,
        });
    }
    let own = step.called_tool().map(|tool| (tool, Role::Call));
    let fallbacks = step
        .fallbacks
        .iter()
        .map(|tool| (tool.as_str(), Role::Fallback));
    let choices = step.tools.iter().map(|tool| (tool.as_str(), Role::Choice));
    for (tool, role) in own.into_iter().chain(fallbacks).chain(choices) {
        let known = plan.tool(tool);
        let effect = known.map(|known| known.effect).unwrap_or_default();
        found.push(ExpectedEffect {
            step: name.to_owned(),
            tool: Some(known.map_or_else(|| tool.to_owned(), |known| known.id.to_string())),
            effect: Some(effect),
            role,
            asked: is_asked(step.approval.unwrap_or_default(), effect),
        });
    }
}

fn is_asked(rule: ApprovalRule, effect: Effect) -> bool {
    match rule {
        ApprovalRule::Always => true,
        ApprovalRule::Never => false,
        ApprovalRule::Policy => matches!(effect, Effect::Write | Effect::Destructive),
    }
}
