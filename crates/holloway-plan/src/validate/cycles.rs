//! Can every step start at some time, or do some wait for each other?

use rustc_hash::FxHashMap;

use super::problem_at;
use super::references::Readings;
use crate::dataflow::inner_execution;
use crate::draft::{Draft, Execution};
use crate::problem::{Code, Problem, Problems};
use crate::step::Step;

/// So many cycles of one list are shown; each costs as much as it is long.
const SHOWN: usize = 10;
/// So many steps of a cycle are named.
const NAMED: usize = 12;

pub(super) fn check(draft: &Draft, readings: &Readings, problems: &mut Problems) {
    check_list(&draft.steps, draft.execution, readings, problems);
}

fn check_list(steps: &[Step], execution: Execution, readings: &Readings, problems: &mut Problems) {
    let parents = parents(steps, execution, readings);
    for (index, (step, parents)) in steps.iter().zip(&parents).enumerate() {
        if parents
            .iter()
            .any(|parent| parent.node == index && parent.data)
        {
            problems.push(reads_itself(step));
        }
    }
    match execution {
        Execution::Sequential => check_order(steps, &parents, problems),
        Execution::Dag => {
            for cycle in cycles(&parents) {
                problems.extend(cycle_problem(&cycle, steps));
            }
        }
        Execution::Graph => {}
    }
    for step in steps {
        for (_, inner) in step.inner() {
            check_list(inner, inner_execution(step, execution), readings, problems);
        }
    }
}

/// A step that another waits for.
struct Parent {
    node: usize,
    data: bool,
}

/// The same dependencies as in [`crate::dataflow::parents`], without reading every expression again.
fn parents(steps: &[Step], execution: Execution, readings: &Readings) -> Vec<Vec<Parent>> {
    let mut all: Vec<Vec<Parent>> = steps.iter().map(|_| Vec::new()).collect();
    if execution == Execution::Graph {
        return all;
    }
    let by_id: FxHashMap<&str, usize> = steps
        .iter()
        .enumerate()
        .map(|(index, step)| (step.id.as_str(), index))
        .collect();
    for (step, parents) in steps.iter().zip(&mut all) {
        let listed = step
            .depends_on
            .iter()
            .filter_map(|name| by_id.get(name.as_str()));
        parents.extend(listed.map(|node| Parent {
            node: *node,
            data: false,
        }));
    }
    for (reader, node) in readings.of(steps) {
        if let Some(parents) = all.get_mut(reader) {
            parents.push(Parent { node, data: true });
        }
    }
    for parents in &mut all {
        parents.sort_by_key(|parent| (parent.node, !parent.data));
        parents.dedup_by_key(|parent| parent.node);
    }
    all
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
        for later in parents.iter().filter(|parent| parent.node > index) {
            let Some(other) = steps.get(later.node) else {
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
            .map(|parent| parent.node);
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
