//! What does the user of a model's plan get to see, where the model says nothing of it? What the
//! step gives that serves the last goal, unless later steps make the last result from it.

use holloway_plan::draft::{Draft, Execution};
use holloway_plan::plan::Plan;
use holloway_plan::reference::references_of;
use holloway_plan::step::{Step, StepType};
use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::{Does, Serves};
use holloway_planner::assemble::Account;
use holloway_planner::frame::{Frame, Goal};
use serde_json::Value;

use super::calls::Call;

/// Fills an empty `answer`.
pub(super) fn fill(
    draft: &mut Draft,
    plan: &Plan,
    frame: &Frame,
    (serves, calls): (&[Account], &[Call]),
) {
    if !draft.answer.is_empty() || draft.execution == Execution::Graph {
        return;
    }
    let Some((number, goal)) = frame.goals.iter().enumerate().next_back() else {
        return;
    };
    let of_goal = |call: &&Call| {
        let mut of_goal = serves.iter().filter(|account| account.goal == number);
        of_goal.any(|account| account.step.as_deref() == Some(&call.step))
    };
    let Some(call) = calls.iter().rfind(of_goal) else {
        return;
    };
    let steps = plan.steps();
    if leads_on(steps, call.outer) {
        return;
    }
    let Some(step) = steps.get(call.outer) else {
        return;
    };
    let tool = step.called_tool().and_then(|name| plan.tool(name));
    let field = tool.and_then(|tool| field_of(tool, goal));
    draft.answer = vec![match field {
        Some(field) => format!("{}.{field}", step.id),
        None => step.id.clone(),
    }];
}

/// Whether the last step is made from what this one gives, or is marked as the end.
fn leads_on(steps: &[Step], place: usize) -> bool {
    let mut made_from: Vec<&str> = Vec::new();
    for (at, step) in steps.iter().enumerate().skip(place) {
        if at == place || reads(step, &made_from) {
            made_from.extend([step.id.as_str(), step.result_name()]);
        }
    }
    steps
        .last()
        .is_none_or(|last| last.kind == StepType::Final || made_from.contains(&last.id.as_str()))
}

fn reads(step: &Step, names: &[&str]) -> bool {
    let mut found = false;
    step.walk(&mut |inner| {
        let references = references_of(inner).into_iter().flatten();
        found |= references
            .flat_map(|reference| {
                let names = reference.names().into_iter();
                names.map(str::to_owned).collect::<Vec<_>>()
            })
            .any(|name| names.contains(&name.as_str()));
        found |= inner
            .depends_on
            .iter()
            .any(|name| names.contains(&name.as_str()));
    });
    found
}

/// The field of a result that is what the goal asks for, where a tool says so of one.
fn field_of(tool: &ToolSpec, goal: &Goal) -> Option<String> {
    let fits = |does: &&Does| {
        let mut always = does.slots.iter().filter_map(|slot| match slot {
            Serves::Always { slot, value } => Some((slot, value)),
            _ => None,
        });
        does.act == goal.act
            && always.all(|(slot, value)| {
                goal.all(slot).any(|part| match &part.value {
                    Value::String(said) => said == value,
                    Value::Bool(said) => value.parse() == Ok(*said),
                    _ => false,
                })
            })
    };
    let lines = tool.does.iter().filter(fits);
    let mut fields: Vec<&str> = lines
        .filter_map(|does| does.gives.as_ref())
        .map(|gives| gives.field.as_str())
        .collect();
    fields.dedup();
    match fields.as_slice() {
        [field] if !field.is_empty() && !field.contains('[') => Some((*field).to_owned()),
        _ => None,
    }
}
