//! In which order? First what others wait for; beyond that by what matters: when it is
//! speed or cost, tasks that do not need each other share a wave; when it is fidelity, one
//! task follows the other, so that each can build on all that is known.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{PlanningConstraints, SubTaskItem, TASKS_AT_MOST};
use crate::frame::constraints::Priority;
use crate::lexicon::lists::List;
use crate::settings::Profile;

mod graph;

use graph::Graph;

/// Names that mean something else in expressions.
static RESERVED: List = List::named("tools_assemble.reserved");

/// A task in its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SequencedTask {
    pub task: SubTaskItem,
    /// The id of its step; the task's own where that can be one.
    pub step: String,
    /// Tasks of one wave may run together.
    pub wave: usize,
    /// Steps it waits for: its dependencies, and what the routing puts before it.
    pub after: Vec<String>,
    /// Steps whose results it may use: what it depends on, the nearest first.
    pub before: Vec<String>,
    /// How many tasks stand one behind the other after it.
    pub followed_by: usize,
    /// What matters most when its tool is chosen, and what counts how much.
    pub priority: Priority,
    pub profile: Profile,
}

/// Why tasks have no order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SequenceError {
    #[error("{0} tasks are too many; at most {TASKS_AT_MOST} are planned at once")]
    TooMany(usize),
    #[error("two tasks have the id `{0}`; give each its own")]
    Twice(String),
    #[error("task `{task}` depends on `{missing}`, which is not there")]
    Missing { task: String, missing: String },
    #[error("the tasks {} wait for each other; take one `depends_on` away", .0.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(" → "))]
    Cycle(Vec<String>),
}

/// Whether tasks run one after the other: when fidelity outweighs all else.
pub fn is_sequential(profile: &Profile) -> bool {
    profile.fidelity > profile.speed + profile.cost
}

/// Orders tasks by what they depend on and by the routing that the constraints ask for.
pub fn sequence_and_prioritize(
    subtasks: &[SubTaskItem],
    constraints: &PlanningConstraints,
) -> Result<Vec<SequencedTask>, SequenceError> {
    if subtasks.len() > TASKS_AT_MOST {
        return Err(SequenceError::TooMany(subtasks.len()));
    }
    let graph = Graph::of(subtasks)?;
    let order = graph.order();
    if order.len() < subtasks.len() {
        return Err(graph.cycle(&order, subtasks));
    }
    let depths = graph.depths(&order);
    let heights = graph.heights(&order);
    let profile = constraints.profiles.of(constraints.priority);
    let sequential = is_sequential(&profile);
    let at = |list: &[usize], index: usize| list.get(index).copied().unwrap_or_default();

    let mut order: Vec<usize> = (0..subtasks.len()).collect();
    // Within a wave that first which is on the longest way to the end.
    order.sort_by_key(|index| {
        let height = std::cmp::Reverse(at(&heights, *index));
        (at(&depths, *index), height, *index)
    });
    let steps = step_ids(subtasks);
    let name = |index: &usize| steps.get(*index).cloned().unwrap_or_default();
    let mut sequenced: Vec<SequencedTask> = Vec::with_capacity(order.len());
    for (place, index) in order.iter().enumerate() {
        let Some(task) = subtasks.get(*index) else {
            continue;
        };
        let mut needed = graph.needs.get(*index).cloned().unwrap_or_default();
        needed.sort_by_key(|need| std::cmp::Reverse(at(&depths, *need)));
        let before: Vec<String> = needed.iter().map(name).collect();
        let mut after = before.clone();
        if let Some(last) = sequenced.last().filter(|_| sequential)
            && !after.contains(&last.step)
        {
            after.push(last.step.clone());
        }
        sequenced.push(SequencedTask {
            task: task.clone(),
            step: name(index),
            wave: if sequential {
                place
            } else {
                at(&depths, *index)
            },
            after,
            before,
            followed_by: at(&heights, *index),
            priority: constraints.priority,
            profile,
        });
    }
    Ok(sequenced)
}

/// Ids that the plan language takes, each once.
fn step_ids(subtasks: &[SubTaskItem]) -> Vec<String> {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let mut ids = Vec::with_capacity(subtasks.len());
    for task in subtasks {
        let base = step_id(&task.id);
        let mut id = base.clone();
        while used.contains_key(&id) {
            let count = used.entry(base.clone()).or_insert(1);
            *count += 1;
            id = format!("{base}_{count}");
        }
        used.insert(id.clone(), 1);
        ids.push(id);
    }
    ids
}

/// Letters, digits and `_`, a letter first; words with a meaning of their own get an end.
pub(super) fn step_id(id: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut step: String = id.trim().chars().take(60).map(fits).collect();
    if !step.starts_with(|c: char| c.is_ascii_alphabetic()) {
        step = format!("step_{step}");
    }
    if RESERVED.contains(&step.to_ascii_lowercase().as_str()) {
        step.push_str("_step");
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(list: &[(&str, &[&str])]) -> Vec<SubTaskItem> {
        let task = |(id, needs): &(&str, &[&str])| SubTaskItem {
            id: (*id).to_owned(),
            depends_on: needs.iter().map(|need| (*need).to_owned()).collect(),
            ..SubTaskItem::default()
        };
        list.iter().map(task).collect()
    }

    #[track_caller]
    fn check(list: &[(&str, &[&str])], priority: Priority, expected: &str) {
        let constraints = PlanningConstraints {
            priority,
            ..PlanningConstraints::default()
        };
        let found = match sequence_and_prioritize(&tasks(list), &constraints) {
            Ok(sequenced) => {
                let told = sequenced
                    .iter()
                    .map(|task| format!("{}:{}<{}", task.wave, task.step, task.after.join("+")));
                told.collect::<Vec<_>>().join(" ")
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected);
    }

    const REPORT: [(&str, &[&str]); 5] = [
        ("report", &["trends", "seo"]),
        ("seo", &[]),
        ("prices", &[]),
        ("trends", &["prices"]),
        ("names", &[]),
    ];

    #[test]
    fn speed_puts_independent_tasks_into_one_wave() {
        let waves = "0:prices< 0:seo< 0:names< 1:trends<prices 2:report<trends+seo";
        check(&REPORT, Priority::Speed, waves);
        check(&REPORT, Priority::Cost, waves);
        check(&REPORT, Priority::Balanced, waves);
    }

    #[test]
    fn fidelity_puts_one_task_after_the_other() {
        check(
            &REPORT,
            Priority::Fidelity,
            "0:prices< 1:seo<prices 2:names<seo 3:trends<prices+names 4:report<trends+seo",
        );
    }

    #[test]
    fn tasks_without_an_order_are_refused_by_name() {
        check(
            &[("a", &["c"]), ("x", &["a"]), ("b", &["a"]), ("c", &["b"])],
            Priority::Speed,
            "the tasks `a` → `c` → `b` → `a` wait for each other; take one `depends_on` away",
        );
        check(
            &[("a", &["a"])],
            Priority::Speed,
            "the tasks `a` → `a` wait for each other; take one `depends_on` away",
        );
        check(
            &[("a", &["b"])],
            Priority::Speed,
            "task `a` depends on `b`, which is not there",
        );
        check(
            &[("a", &[]), ("a", &[])],
            Priority::Speed,
            "two tasks have the id `a`; give each its own",
        );
        let many: Vec<(&str, &[&str])> = vec![("a", &[]); TASKS_AT_MOST + 1];
        check(
            &many,
            Priority::Speed,
            "1001 tasks are too many; at most 1000 are planned at once",
        );
    }

    #[test]
    fn as_many_tasks_as_are_taken_and_all_of_them_needing_each_other() {
        let ids: Vec<String> = (0..TASKS_AT_MOST).map(|id| format!("t{id}")).collect();
        let all = ids.iter().enumerate().rev().map(|(place, id)| SubTaskItem {
            id: id.clone(),
            depends_on: ids.iter().take(place).cloned().collect(),
            ..SubTaskItem::default()
        });
        let all: Vec<SubTaskItem> = all.collect();
        let sequenced = sequence_and_prioritize(&all, &PlanningConstraints::default()).unwrap();
        let last = sequenced.last().unwrap();
        assert_eq!(
            (last.step.as_str(), last.wave, last.followed_by),
            ("t999", 999, 0)
        );
        assert_eq!(sequenced[0].followed_by, 999);
    }

    #[test]
    fn ids_become_names_that_plans_take() {
        check(
            &[
                ("1", &[]),
                ("find prices", &["1"]),
                ("find_prices", &[]),
                ("input", &[]),
                ("", &[]),
            ],
            Priority::Speed,
            "0:step_1< 0:find_prices_2< 0:input_step< 0:step_< 1:find_prices<step_1",
        );
    }
}
