//! Does every `plan` step name a plan that is sound itself, does not contain this one, and takes the input given?

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fit::Fit;
use super::{Surroundings, call_input, problem_at, validate_inside};
use crate::draft::Draft;
use crate::plan::Plan;
use crate::problem::{Code, Problem, Problems, did_you_mean};
use crate::step::Step;
use crate::tool::full_schema;

const NOT_SOUND: &str = " is not sound: ";

/// Saved plans that were looked at already: each is checked once, however often it is used.
#[derive(Default)]
pub(super) struct Seen(BTreeMap<String, Verdict>);

/// What became of a saved plan.
#[derive(Clone)]
enum Verdict {
    /// Sound, and so many steps large with the plans inside it.
    Sound(Arc<Plan>, usize),
    Refused(Code, String, Option<String>),
}

/// The plans that a draft's `plan` steps name, checked, and the number of steps in all.
pub(super) fn resolve(
    draft: &Draft,
    around: &Surroundings<'_>,
    outer: &[String],
    seen: &mut Seen,
    problems: &mut Problems,
) -> (BTreeMap<String, Arc<Plan>>, usize) {
    let mut plans: BTreeMap<String, Arc<Plan>> = BTreeMap::new();
    let mut fit = Fit::default();
    let mut size: usize = 0;
    draft.walk(&mut |step| {
        size = size.saturating_add(1);
        let Some(name) = &step.plan else { return };
        match find(name, around, outer, seen) {
            Verdict::Sound(plan, steps) => {
                if size <= around.limits.steps && size.saturating_add(steps) > around.limits.steps {
                    problems.push(unfolds(step, around.limits.steps));
                }
                size = size.saturating_add(steps);
                problems.extend(misfits(step, name, &plan, &mut fit));
                plans.insert(name.clone(), plan);
            }
            Verdict::Refused(code, message, hint) => {
                problems.push(problem_at(code, step, "plan", message).with_some_hint(hint));
            }
        }
    });
    (plans, size)
}

/// Plans that use plans that use plans can be large without a single long file.
fn unfolds(step: &Step, most: usize) -> Problem {
    let message = format!("with the plans inside it, the plan has more than {most} steps");
    problem_at(Code::PlanTooLarge, step, "plan", message)
        .with_hint("run the inner plan in a loop, or by itself")
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

fn find(name: &str, around: &Surroundings<'_>, outer: &[String], seen: &mut Seen) -> Verdict {
    if outer.iter().any(|known| known == name) {
        let way = [outer, &[name.to_owned()]].concat().join(" → ");
        let hint = "use a loop inside one plan instead".to_owned();
        return Verdict::Refused(
            Code::DeadlockDetected,
            format!("the plan contains itself: {way}"),
            Some(hint),
        );
    }
    if outer.len() >= around.limits.plan_depth {
        let message = format!(
            "plans inside plans more than {} levels deep",
            around.limits.plan_depth
        );
        return Verdict::Refused(Code::PlanTooLarge, message, None);
    }
    if let Some(verdict) = seen.0.get(name) {
        return verdict.clone();
    }
    let verdict = look_at(name, around, outer, seen);
    seen.0.insert(name.to_owned(), verdict.clone());
    verdict
}

fn look_at(name: &str, around: &Surroundings<'_>, outer: &[String], seen: &mut Seen) -> Verdict {
    let Some(draft) = around.plans.find(name) else {
        let known = around.plans.names();
        let hint = did_you_mean(name, known.iter().map(String::as_str));
        let hint = hint.unwrap_or_else(|| "`holloway plans` lists the saved plans".to_owned());
        return Verdict::Refused(
            Code::UnknownPlan,
            format!("there is no saved plan `{name}`"),
            Some(hint),
        );
    };
    let outer = [outer, &[name.to_owned()]].concat();
    let inner = Surroundings {
        context: &[],
        ..*around
    };
    match validate_inside(draft, &inner, &outer, seen) {
        Ok((plan, size)) => Verdict::Sound(Arc::new(plan), size),
        Err(inside) => {
            let first = inside
                .iter()
                .next()
                .map(ToString::to_string)
                .unwrap_or_default();
            // Of plans inside plans only the innermost reason is of interest.
            let reason = first.rsplit(NOT_SOUND).next().unwrap_or_default();
            let message = format!("the plan `{name}`{NOT_SOUND}{reason}");
            Verdict::Refused(
                Code::UnknownPlan,
                message,
                Some(format!("run `holloway check {name}`")),
            )
        }
    }
}
