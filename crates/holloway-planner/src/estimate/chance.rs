//! How likely does a plan work? Every step that is needed must work, by its own tool, a retry or
//! a fallback, and the plan must be what was asked for ([`crate::sure`]).

use holloway_plan::plan::Plan;
use holloway_plan::step::{OnError, Step, StepType};
use holloway_plan::tool::ToolId;
use holloway_search::rank::Health;

use super::nature;
use crate::catalogue::Catalogue;
use crate::drafts::Drafted;

/// Retries of a call that says nothing about them, as the engine makes them.
const USUAL_RETRIES: u32 = 2;
/// The share of failures that pass: those alone a retry can mend.
const PASSING: f64 = 0.5;
/// Nothing is certain before it has run.
const SUREST: f64 = 0.98;
const LEAST_SURE: f64 = 0.02;

/// The chance that one call works; steady tools work on what they are given, here, with no server,
/// file or address that could fail.
const fn of_call(health: Health, steady: bool) -> f64 {
    match health {
        Health::Healthy if steady => 0.995,
        Health::Healthy => 0.97,
        Health::Unknown => 0.85,
        Health::Broken => 0.25,
    }
}

/// The chance that a tool works when it may be tried again: passing failures shrink with
/// every retry, lasting ones stay.
pub fn with_retries(call: f64, retries: u32) -> f64 {
    let failure = 1.0 - call;
    let again = failure.powi(i32::try_from(retries).unwrap_or(i32::MAX));
    1.0 - failure * (1.0 - PASSING + PASSING * again)
}

/// The chance that one of several tools works: all of them would have to fail.
pub fn any(tools: impl IntoIterator<Item = f64>) -> f64 {
    1.0 - tools
        .into_iter()
        .map(|chance| 1.0 - chance)
        .product::<f64>()
}

/// One step, as far as the chance of a plan goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepChance {
    pub chance: f64,
    /// Whether the plan fails with it.
    pub needed: bool,
}

/// The chance that all needed steps work, and at least one of the others if there are any.
pub fn of_steps(steps: &[StepChance]) -> f64 {
    let (needed, others): (Vec<&StepChance>, Vec<&StepChance>) =
        steps.iter().partition(|step| step.needed);
    let all: f64 = needed.iter().map(|step| step.chance).product();
    if others.is_empty() {
        return all;
    }
    all * any(others.iter().map(|step| step.chance))
}

/// The chance that a plan is what was asked for and works.
pub fn of_plan(drafted: &Drafted, plan: &Plan, catalogue: &Catalogue) -> f64 {
    let judge = Judge { catalogue };
    let steps = judge.list(plan, plan.steps());
    let fit = f64::from(drafted.fit).clamp(0.0, 1.0);
    (of_steps(&steps) * fit).clamp(LEAST_SURE, SUREST)
}

struct Judge<'a> {
    catalogue: &'a Catalogue,
}

impl Judge<'_> {
    fn list(&self, plan: &Plan, steps: &[Step]) -> Vec<StepChance> {
        steps.iter().map(|step| self.step(plan, step)).collect()
    }

    fn step(&self, plan: &Plan, step: &Step) -> StepChance {
        let survived = matches!(step.on_error, Some(OnError::Skip | OnError::Continue));
        // A branch that is not sure to be taken counts, too: it may be.
        StepChance {
            chance: self.work(plan, step),
            needed: !survived,
        }
    }

    fn work(&self, plan: &Plan, step: &Step) -> f64 {
        match step.kind {
            StepType::Tool | StepType::Final => self.call(plan, step),
            // Any of the tools may do; which of them is for the run to find out.
            StepType::Phase if !step.tools.is_empty() => any(step
                .tools
                .iter()
                .map(|tool| self.tool(plan, tool, USUAL_RETRIES))),
            StepType::Phase => of_call(Health::Unknown, false),
            StepType::Conditional => {
                let then = of_steps(&self.list(plan, &step.then));
                then.min(of_steps(&self.list(plan, &step.otherwise)))
            }
            StepType::Plan => {
                let inner = step.plan.as_deref().and_then(|name| plan.inner_plan(name));
                inner.map_or(1.0, |inner| of_steps(&self.list(inner, inner.steps())))
            }
            StepType::Approve => 1.0,
            // The items of a list share their tools, and so mostly their fate.
            StepType::Loop | StepType::Parallel | StepType::Reduce => {
                let inner = step.inner().into_iter();
                let steps: Vec<StepChance> = inner
                    .flat_map(|(_, steps)| self.list(plan, steps))
                    .collect();
                of_steps(&steps)
            }
        }
    }

    fn call(&self, plan: &Plan, step: &Step) -> f64 {
        let retries = step.retry.as_ref().and_then(|retry| retry.max);
        let retries = retries.unwrap_or(USUAL_RETRIES);
        let tools = step.called_tool().into_iter();
        let tools = tools.chain(step.fallbacks.iter().map(String::as_str));
        any(tools.map(|tool| self.tool(plan, tool, retries)))
    }

    fn tool(&self, plan: &Plan, name: &str, retries: u32) -> f64 {
        let known = plan.tool(name);
        let id = known.map_or_else(|| ToolId::new(name), |tool| tool.id.clone());
        let steady = known.is_some_and(|tool| nature::is_steady(tool));
        let call = of_call(self.catalogue.repute_of(&id).health, steady);
        // A change that may have happened is not repeated without a person.
        let repeated = known.is_some_and(|tool| tool.effect.is_repeatable());
        with_retries(call, if repeated { retries } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn retries_and_fallbacks_help() {
        check(with_retries(0.8, 0), 0.8);
        // Half of the 20 % last; of the rest a fifth is left.
        check(with_retries(0.8, 1), 1.0 - 0.2 * (0.5 + 0.5 * 0.2));
        check(any([0.8, 0.5]), 0.9);
        check(any([]), 0.0);
    }

    #[test]
    fn needed_steps_multiply_and_of_the_others_one_is_enough() {
        let step = |chance, needed| StepChance { chance, needed };
        check(of_steps(&[]), 1.0);
        check(of_steps(&[step(0.9, true), step(0.5, true)]), 0.45);
        check(
            of_steps(&[step(0.9, true), step(0.5, false), step(0.5, false)]),
            0.9 * 0.75,
        );
    }
}
