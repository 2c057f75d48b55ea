//! Which steps must end before which? What a step lists in `depends_on`, what
//! it and the steps inside it read, and in sequential plans the step before it.

use rustc_hash::FxHashMap;

use crate::dag::Parent;
use crate::draft::Execution;
use crate::reference::references_of;
use crate::scope::{Scope, variables_of};
use crate::step::{Step, StepType};

/// For each step of a list, the steps of the same list it waits for, in order.
pub fn parents(steps: &[Step], scope: &Scope<'_>, execution: Execution) -> Vec<Vec<Parent>> {
    if execution == Execution::Graph {
        return steps.iter().map(|_| Vec::new()).collect();
    }
    let by_id: FxHashMap<&str, usize> = steps
        .iter()
        .enumerate()
        .map(|(index, step)| (step.id.as_str(), index))
        .collect();
    let mut all = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        let mut parents: FxHashMap<usize, bool> = FxHashMap::default();
        if execution == Execution::Sequential && index > 0 {
            parents.insert(index - 1, false);
        }
        for name in &step.depends_on {
            if let Some(parent) = by_id.get(name.as_str()) {
                parents.entry(*parent).or_insert(false);
            }
        }
        for parent in read_by(step, scope) {
            if parent != index || !reads_only_itself_optionally(step) {
                parents.insert(parent, true);
            }
        }
        let mut parents: Vec<Parent> = parents
            .into_iter()
            .map(|(node, data)| Parent {
                node: node as u32,
                data,
            })
            .collect();
        parents.sort_by_key(|parent| parent.node);
        all.push(parents);
    }
    all
}

/// An expectation may name the step's own result; that is no dependency.
fn reads_only_itself_optionally(step: &Step) -> bool {
    let own = |name: &str| name == step.id || Some(name) == step.output.as_deref();
    references_of(step)
        .into_iter()
        .flatten()
        .all(|held| held.optional || !held.names().into_iter().any(own))
}

/// The steps of the list whose results `step`, or a step inside it, reads.
fn read_by(step: &Step, scope: &Scope<'_>) -> Vec<usize> {
    let mut read = Vec::new();
    for held in references_of(step).into_iter().flatten() {
        read.extend(
            held.names()
                .into_iter()
                .filter_map(|name| scope.find(name)?.dependency()),
        );
    }
    for (_, steps) in step.inner() {
        let inner = scope.inside(steps, &variables_of(step));
        read.extend(read_from_inside(steps, &inner, 1));
    }
    read
}

fn read_from_inside(steps: &[Step], scope: &Scope<'_>, depth: usize) -> Vec<usize> {
    let mut read = Vec::new();
    for step in steps {
        for held in references_of(step).into_iter().flatten() {
            let slots = held
                .names()
                .into_iter()
                .filter_map(|name| scope.find(name))
                .collect::<Vec<_>>();
            read.extend(slots.iter().filter_map(|slot| slot.dependency_above(depth)));
        }
        for (_, steps) in step.inner() {
            let inner = scope.inside(steps, &variables_of(step));
            read.extend(read_from_inside(steps, &inner, depth + 1));
        }
    }
    read
}

/// The order that inner lists of a step run in.
pub fn inner_execution(step: &Step, around: Execution) -> Execution {
    match (step.kind, around) {
        (StepType::Parallel, _) | (_, Execution::Graph) => Execution::Dag,
        (_, around) => around,
    }
}
