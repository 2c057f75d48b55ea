//! Can every step start at some time, or do some wait for each other?

use super::{Surroundings, problem_at};
use crate::compile::CONTEXT_NAMES;
use crate::dag::Parent;
use crate::dataflow::{inner_execution, parents};
use crate::draft::{Draft, Execution};
use crate::problem::{Code, Problem, Problems};
use crate::scope::{Scope, variables_of};
use crate::step::Step;

/// So many cycles of one list are shown; each costs as much as it is long.
const SHOWN: usize = 10;
/// So many steps of a cycle are named.
const NAMED: usize = 12;

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) {
    let context: Vec<&str> = CONTEXT_NAMES
        .iter()
        .chain(around.context)
        .copied()
        .collect();
    let scope = Scope::top(&draft.steps, &context);
    check_list(&draft.steps, &scope, draft.execution, problems);
}

fn check_list(steps: &[Step], scope: &Scope<'_>, execution: Execution, problems: &mut Problems) {
    let parents = parents(steps, scope, execution);
    for (index, (step, parents)) in steps.iter().zip(&parents).enumerate() {
        if parents
            .iter()
            .any(|parent| parent.node as usize == index && parent.data)
        {
            problems.push(reads_itself(step));
        }
    }
    if execution == Execution::Sequential {
        check_order(steps, &parents, problems);
    } else {
        for cycle in cycles(&parents) {
            problems.extend(cycle_problem(&cycle, steps));
        }
    }
    for step in steps {
        for (_, inner) in step.inner() {
            let inside = scope.inside(inner, &variables_of(step));
            check_list(inner, &inside, inner_execution(step, execution), problems);
        }
    }
}

fn reads_itself(step: &Step) -> Problem {
    problem_at(
        Code::DeadlockDetected,
        step,
        "input",
        "the step, or a step inside it, reads the step's own result",
    )
    .with_hint("read the result of an earlier step; inside a loop, read the loop variable")
}

/// In a sequential plan every step already waits for the one before it.
fn check_order(steps: &[Step], parents: &[Vec<Parent>], problems: &mut Problems) {
    for (index, (step, parents)) in steps.iter().zip(parents).enumerate() {
        for later in parents.iter().filter(|parent| parent.node as usize > index) {
            let Some(other) = steps.get(later.node as usize) else {
                continue;
            };
            let (field, message) = if later.data {
                (
                    "input",
                    format!(
                        "the step reads the result of `{}`, which runs later",
                        other.id
                    ),
                )
            } else {
                (
                    "depends_on",
                    format!("the step waits for `{}`, which runs later", other.id),
                )
            };
            let hint = format!(
                "move `{}` before `{}`, or write `execution: dag`",
                other.id, step.id
            );
            problems.push(problem_at(Code::DeadlockDetected, step, field, message).with_hint(hint));
        }
    }
}

fn cycle_problem(cycle: &[usize], steps: &[Step]) -> Option<Problem> {
    let first = steps.get(*cycle.first()?)?;
    let mut names: Vec<&str> = cycle
        .iter()
        .filter_map(|at| steps.get(*at))
        .map(|step| step.id.as_str())
        .collect();
    let length = names.len();
    if length > NAMED {
        names.truncate(NAMED);
        names.push("…");
    }
    names.push(&first.id);
    let message = format!("{length} steps wait for each other: {}", names.join(" → "));
    let field = if first.depends_on.is_empty() {
        "input"
    } else {
        "depends_on"
    };
    Some(
        problem_at(Code::DeadlockDetected, first, field, message)
            .with_hint("remove one of these dependencies; data that is read counts as one"),
    )
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Cycles of two steps or more, each as the steps along it. Depth first without recursion.
fn cycles(parents: &[Vec<Parent>]) -> Vec<Vec<usize>> {
    let mut marks = vec![Mark::New; parents.len()];
    let mut found = Vec::new();
    for start in 0..parents.len() {
        if marks.get(start) == Some(&Mark::New) {
            search(start, parents, &mut marks, &mut found);
        }
    }
    found
}

fn search(start: usize, parents: &[Vec<Parent>], marks: &mut [Mark], found: &mut Vec<Vec<usize>>) {
    let mut way = vec![(start, 0)];
    set(marks, start, Mark::Open);
    while let Some((at, next)) = way.last_mut() {
        let parent = parents
            .get(*at)
            .and_then(|parents| parents.get(*next))
            .map(|parent| parent.node as usize);
        *next += 1;
        let Some(parent) = parent else {
            set(marks, *at, Mark::Done);
            way.pop();
            continue;
        };
        match marks.get(parent) {
            Some(Mark::New) => {
                set(marks, parent, Mark::Open);
                way.push((parent, 0));
            }
            Some(Mark::Open) if parent != *at && found.len() < SHOWN => {
                found.push(
                    way.iter()
                        .map(|(step, _)| *step)
                        .skip_while(|step| *step != parent)
                        .collect(),
                );
            }
            _ => {}
        }
    }
}

fn set(marks: &mut [Mark], at: usize, mark: Mark) {
    if let Some(known) = marks.get_mut(at) {
        *known = mark;
    }
}
