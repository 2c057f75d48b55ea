//! Every list of steps in a plan, one after the other, for rules that change
//! lists; with what must be known about a list before touching it.

use crate::dataflow::inner_execution;
use crate::draft::{Draft, Execution};
use crate::reference::references_of;
use crate::step::{Step, StepType};

/// What is known about a list of steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) execution: Execution,
    /// The results of all its steps are handed on by name, so none may vanish.
    pub(super) all_count: bool,
}

/// Calls `change` on the plan's own list and on every list inside it, outer ones first.
pub(super) fn each_list(draft: &mut Draft, change: &mut dyn FnMut(&mut Vec<Step>, Kind)) {
    let execution = draft.execution;
    change(
        &mut draft.steps,
        Kind {
            execution,
            all_count: false,
        },
    );
    for step in &mut draft.steps {
        inside(step, execution, change);
    }
}

fn inside(step: &mut Step, around: Execution, change: &mut dyn FnMut(&mut Vec<Step>, Kind)) {
    let execution = inner_execution(step, around);
    let kind = Kind {
        execution,
        all_count: step.kind == StepType::Parallel,
    };
    for list in [&mut step.steps, &mut step.then, &mut step.otherwise] {
        change(list, kind);
    }
    let one = step
        .step
        .iter_mut()
        .chain(step.reducer.iter_mut())
        .map(|one| &mut **one);
    let many = step
        .steps
        .iter_mut()
        .chain(&mut step.then)
        .chain(&mut step.otherwise);
    for inner in one.chain(many) {
        inside(inner, execution, change);
    }
}

/// Calls `change` on every step, outer ones first.
pub(super) fn each_step(steps: &mut [Step], change: &mut dyn FnMut(&mut Step)) {
    for step in steps {
        change(step);
        each_step(
            step.step
                .as_deref_mut()
                .map(std::slice::from_mut)
                .unwrap_or_default(),
            change,
        );
        each_step(
            step.reducer
                .as_deref_mut()
                .map(std::slice::from_mut)
                .unwrap_or_default(),
            change,
        );
        each_step(&mut step.steps, change);
        each_step(&mut step.then, change);
        each_step(&mut step.otherwise, change);
    }
}

/// Every name that is read anywhere in the plan, whatever it stands for there.
pub(super) fn names_read(draft: &Draft) -> Vec<String> {
    let mut names = Vec::new();
    draft.walk(&mut |step| {
        for held in references_of(step).into_iter().flatten() {
            names.extend(held.names().into_iter().map(ToOwned::to_owned));
        }
    });
    names
}
