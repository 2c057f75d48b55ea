//! Are the edges of graph execution sound: known targets, every step reachable, none where they mean nothing?

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Surroundings, problem_at};
use crate::draft::{Draft, Execution};
use crate::problem::{Code, Problems, did_you_mean};
use crate::step::Step;

pub(super) fn check(draft: &Draft, _around: &Surroundings<'_>, problems: &mut Problems) {
    let graph = draft.execution == Execution::Graph;
    for step in &draft.steps {
        if !graph {
            refuse_edges(
                step,
                "edges have a meaning in graph execution only",
                "write `execution: graph`, or use `when`",
                problems,
            );
        } else if !step.depends_on.is_empty() {
            let message = "in graph execution a step waits for nothing; edges lead to it";
            let hint = "drop `depends_on`, and add `next: [{to: …}]` to the step before";
            problems.push(problem_at(Code::BadGraph, step, "depends_on", message).with_hint(hint));
        }
        for (_, inner) in step.inner() {
            for step in inner {
                step.walk(&mut |step| {
                    let message = "steps inside another step have no edges";
                    refuse_edges(
                        step,
                        message,
                        "move the edge to the outermost step",
                        problems,
                    );
                });
            }
        }
    }
    if graph {
        check_targets(&draft.steps, problems);
        check_reachable(&draft.steps, problems);
    }
}

fn refuse_edges(step: &Step, message: &str, hint: &str, problems: &mut Problems) {
    for (field, present) in [
        ("next", !step.next.is_empty()),
        ("max_visits", step.max_visits.is_some()),
    ] {
        if present {
            problems.push(problem_at(Code::BadGraph, step, field, message).with_hint(hint));
        }
    }
}

fn check_targets(steps: &[Step], problems: &mut Problems) {
    let known: FxHashSet<&str> = steps.iter().map(|step| step.id.as_str()).collect();
    for step in steps {
        for (index, edge) in step.next.iter().enumerate() {
            if known.contains(edge.to.as_str()) {
                continue;
            }
            let message = format!(
                "the edge leads to `{}`, which is not a step beside this one",
                edge.to
            );
            let wanted = problems.wants_hint();
            let hint = wanted
                .then(|| did_you_mean(&edge.to, steps.iter().map(|step| step.id.as_str())))
                .flatten();
            let hint =
                hint.unwrap_or_else(|| "edges lead to outermost steps, by their id".to_owned());
            problems.push(
                problem_at(Code::BadGraph, step, &format!("next[{index}].to"), message)
                    .with_hint(hint),
            );
        }
    }
}

/// A run begins at the first step and goes along edges; what no edge leads to never runs.
fn check_reachable(steps: &[Step], problems: &mut Problems) {
    let places: FxHashMap<&str, usize> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| (step.id.as_str(), at))
        .collect();
    let mut reached = vec![false; steps.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let (Some(step), Some(seen)) = (steps.get(at), reached.get_mut(at)) else {
            continue;
        };
        if !std::mem::replace(seen, true) {
            open.extend(
                step.next
                    .iter()
                    .filter_map(|edge| places.get(edge.to.as_str())),
            );
        }
    }
    for (step, reached) in steps.iter().zip(reached) {
        if !reached {
            let problem = problem_at(
                Code::BadGraph,
                step,
                "id",
                "no way leads from the first step to this one",
            );
            problems
                .push(problem.with_hint("add it to the `next` of a step before it, or remove it"));
        }
    }
}
