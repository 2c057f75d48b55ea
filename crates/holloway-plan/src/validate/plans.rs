//! Does every `plan` step name a plan that is sound itself and does not contain this one?

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fit::Fit;
use super::{Surroundings, call_input, validate_inside};
use crate::draft::Draft;
use crate::plan::Plan;
use crate::problem::{Code, Problem, Problems, did_you_mean};
use crate::step::Step;
use crate::tool::full_schema;

/// The plans that a draft's `plan` steps name, checked.
pub(super) fn resolve(
    draft: &Draft,
    around: &Surroundings<'_>,
    outer: &[String],
    problems: &mut Problems,
) -> BTreeMap<String, Arc<Plan>> {
    let mut plans: BTreeMap<String, Arc<Plan>> = BTreeMap::new();
    let mut fit = Fit::default();
    draft.walk(&mut |step| {
        let Some(name) = &step.plan else { return };
        if let Some(plan) = plans.get(name) {
            problems.extend(misfits(step, name, plan, &mut fit));
            return;
        }
        match find(name, step, around, outer) {
            Ok(plan) => {
                problems.extend(misfits(step, name, &plan, &mut fit));
                plans.insert(name.clone(), Arc::new(plan));
            }
            Err(problem) => problems.push(problem),
        }
    });
    plans
}

/// The inner plan sees nothing but its input, so this must fit what it asks for.
fn misfits(step: &Step, name: &str, plan: &Plan, fit: &mut Fit) -> Vec<Problem> {
    let Some(schema) = &plan.draft().input else {
        return Vec::new();
    };
    let schema = full_schema(schema.clone());
    let owner = format!("the plan `{name}`");
    let misfits = fit.misfits(&owner, &schema, &call_input(step));
    misfits
        .into_iter()
        .map(|misfit| misfit.problem(Code::InvalidInput, step, "input", &owner))
        .collect()
}

fn find(
    name: &str,
    step: &Step,
    around: &Surroundings<'_>,
    outer: &[String],
) -> Result<Plan, Problem> {
    let problem = |code, message: String| {
        Problem::new(code, step.place.field("plan"), message).at_step(&step.id, "plan")
    };
    if outer.iter().any(|known| known == name) {
        let way = [outer, &[name.to_owned()]].concat().join(" → ");
        return Err(problem(
            Code::DeadlockDetected,
            format!("the plan contains itself: {way}"),
        )
        .with_hint("use a loop inside one plan instead"));
    }
    if outer.len() >= around.limits.plan_depth {
        let message = format!(
            "plans inside plans more than {} levels deep",
            around.limits.plan_depth
        );
        return Err(problem(Code::PlanTooLarge, message));
    }
    let Some(draft) = around.plans.find(name) else {
        let known = around.plans.names();
        return Err(problem(
            Code::UnknownPlan,
            format!("there is no saved plan `{name}`"),
        )
        .with_some_hint(did_you_mean(name, known.iter().map(String::as_str))));
    };
    let outer = [outer, &[name.to_owned()]].concat();
    let inner = Surroundings {
        context: &[],
        ..*around
    };
    validate_inside(&draft, &inner, &outer).map_err(|inside| {
        let first = inside
            .iter()
            .next()
            .map(ToString::to_string)
            .unwrap_or_default();
        problem(
            Code::UnknownPlan,
            format!("the plan `{name}` is not sound: {first}"),
        )
        .with_hint(format!("run `holloway check {name}`"))
    })
}
