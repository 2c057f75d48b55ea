//! What becomes of the others when no tool does a task? They keep their order: what waited for
//! it waits for what it waited for. Its result they have to be told, and what was to be done
//! before them and is not goes with them, so that none of them does harm unnoticed.

use rustc_hash::FxHashMap;

use super::bind_tools::{BindError, lacking, takes_from};
use super::sequence::{SequenceError, SequencedTask, sequence_and_prioritize};
use super::{PlanningConstraints, SubTaskItem};
use crate::catalogue::Catalogue;

/// Tasks without those that no tool at hand does, and what those are.
pub fn without_lacking(
    subtasks: &[SubTaskItem],
    constraints: &PlanningConstraints,
    registry: &Catalogue,
) -> Result<(Vec<SubTaskItem>, Vec<BindError>), SequenceError> {
    let sequenced = sequence_and_prioritize(subtasks, constraints)?;
    let lacking = lacking(&sequenced, registry);
    if lacking.is_empty() {
        return Ok((subtasks.to_vec(), lacking));
    }
    let before = Before::of(&sequenced, &lacking);
    let is_gone = |id: &str| lacking.iter().any(|lack| lack.task() == id);
    let mut left: Vec<SubTaskItem> = subtasks.to_vec();
    left.retain(|task| !is_gone(&task.id));
    for task in &mut left {
        let at = before.place(&task.id);
        task.depends_on.retain(|need| !is_gone(need));
        let passed = before.ids(before.passed.get(at));
        task.after = passed.filter(|id| !task.depends_on.contains(id)).collect();
        task.undone = before.words(before.gone.get(at), &lacking);
        task.inputs
            .retain(|_, value| !lacking.iter().any(|lack| takes_from(value, lack.task())));
    }
    Ok((left, lacking))
}

/// What stands before each task, by its place in the order.
struct Before<'a> {
    ids: Vec<&'a str>,
    places: FxHashMap<&'a str, usize>,
    /// Tasks that are left and stand behind ones that are not.
    passed: Vec<Places>,
    /// Tasks that are not left, however far before.
    gone: Vec<Places>,
}

impl<'a> Before<'a> {
    fn of(sequenced: &'a [SequencedTask], lacking: &[BindError]) -> Self {
        let ids: Vec<&str> = sequenced.iter().map(|one| one.task.id.as_str()).collect();
        let places: FxHashMap<&str, usize> =
            ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut is_gone = vec![false; ids.len()];
        for lack in lacking {
            let place = places.get(lack.task());
            if let Some(gone) = place.and_then(|at| is_gone.get_mut(*at)) {
                *gone = true;
            }
        }
        let mut passed: Vec<Places> = Vec::with_capacity(ids.len());
        let mut gone: Vec<Places> = Vec::with_capacity(ids.len());
        // What a task needs comes before it, and so is known already.
        for one in sequenced {
            let mut own_passed = Places::of(ids.len());
            let mut own_gone = Places::of(ids.len());
            let needs = one.task.depends_on.iter();
            for need in needs.filter_map(|id| places.get(id.as_str()).copied()) {
                own_gone.add_all(gone.get(need));
                if is_gone.get(need) == Some(&true) {
                    own_gone.add(need);
                    own_passed.add_all(passed.get(need));
                    own_passed.add_all(own_needs(need, sequenced, &places, &is_gone).as_ref());
                }
            }
            passed.push(own_passed);
            gone.push(own_gone);
        }
        Self {
            ids,
            places,
            passed,
            gone,
        }
    }

    fn place(&self, id: &str) -> usize {
        self.places.get(id).copied().unwrap_or(usize::MAX)
    }

    fn ids(&self, places: Option<&'a Places>) -> impl Iterator<Item = String> {
        let places = places.into_iter().flat_map(Places::each);
        places.filter_map(|at| self.ids.get(at).map(|id| (*id).to_owned()))
    }

    /// What was to be done, in its own words.
    fn words(&self, places: Option<&Places>, lacking: &[BindError]) -> Vec<String> {
        let gone = places.into_iter().flat_map(Places::each);
        let lacks = gone.filter_map(|at| {
            let id = self.ids.get(at)?;
            lacking.iter().find(|lack| lack.task() == *id)
        });
        lacks.map(|lack| lack.wanted().to_owned()).collect()
    }
}

/// The tasks that are left of those a task waits for.
fn own_needs(
    task: usize,
    sequenced: &[SequencedTask],
    places: &FxHashMap<&str, usize>,
    is_gone: &[bool],
) -> Option<Places> {
    let mut own = Places::of(sequenced.len());
    for need in &sequenced.get(task)?.task.depends_on {
        let at = *places.get(need.as_str())?;
        if is_gone.get(at) == Some(&false) {
            own.add(at);
        }
    }
    Some(own)
}

/// One bit for each task: a thousand tasks may all need each other.
#[derive(Clone, Debug)]
struct Places(Vec<u64>);

impl Places {
    fn of(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn add(&mut self, at: usize) {
        if let Some(word) = self.0.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    fn add_all(&mut self, others: Option<&Self>) {
        let others = others.into_iter().flat_map(|others| &others.0);
        for (own, other) in self.0.iter_mut().zip(others) {
            *own |= other;
        }
    }

    fn each(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(place, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| place * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use holloway_plan::step::ApprovalRule;
    use holloway_plan::tool::Effect;
    use serde_json::json;

    use super::super::plan_advanced;
    use super::super::tests::{Sample, catalogue, samples, task};
    use super::*;

    /// What is left, what it waits for, what it only comes after, and what was not done before.
    #[track_caller]
    fn check(tasks: &[SubTaskItem], expected: &str) {
        let constraints = PlanningConstraints::default();
        let (left, _) = without_lacking(tasks, &constraints, &catalogue(samples())).unwrap();
        let told = left.iter().map(|task| {
            format!(
                "{}<{}~{} !{}",
                task.id,
                task.depends_on.join("+"),
                task.after.join("+"),
                task.undone.join("+")
            )
        });
        assert_eq!(told.collect::<Vec<_>>().join(" | "), expected);
    }

    #[test]
    fn the_order_behind_a_task_that_is_left_out_is_kept() {
        check(
            &[
                task("a", "fetch the page", &[]),
                task("b", "knit a pullover", &["a"]),
                task("c", "fetch the page", &["b"]),
                task("d", "fetch the page", &["c"]),
            ],
            "a<~ ! | c<~a !knit a pullover | d<c~ !knit a pullover",
        );
    }

    #[test]
    fn several_that_are_left_out_one_behind_the_other() {
        check(
            &[
                task("d", "fetch the page", &["c", "a", "x"]),
                task("c", "milk the goats", &["b"]),
                task("b", "knit a pullover", &["a", "y"]),
                task("a", "fetch the page", &[]),
                task("x", "fetch the page", &[]),
                task("y", "fetch the page", &[]),
            ],
            "d<a+x~y !knit a pullover+milk the goats | a<~ ! | x<~ ! | y<~ !",
        );
    }

    #[test]
    fn what_does_harm_asks_when_something_before_it_was_left_out() {
        let mut delete = Sample::new(
            "builtin/file-delete",
            "Deletes a file. Returns its path",
            json!({"path": {"type": "string"}}),
            json!({"path": {"type": "string"}}),
        );
        delete.effect = Effect::Destructive;
        let mut tools = samples();
        tools.push(delete);
        let registry = catalogue(tools);
        let mut wipe = task("wipe", "delete a file", &["check"]);
        wipe.inputs.insert("path".to_owned(), json!("old.csv"));
        let tasks = [
            task("copy", "fetch the page", &[]),
            task("check", "compare_checksums_of_backups", &["copy"]),
            wipe,
        ];
        let constraints = PlanningConstraints::default();
        let (left, lacking) = without_lacking(&tasks, &constraints, &registry).unwrap();
        assert_eq!(lacking.len(), 1);
        let tracked = plan_advanced(&left, &constraints, &registry).unwrap();
        let [copy, wipe] = tracked.draft.steps.as_slice() else {
            panic!("{:?}", tracked.draft.steps);
        };
        assert_eq!(copy.approval, None);
        assert_eq!(wipe.approval, Some(ApprovalRule::Always));
        assert_eq!(wipe.depends_on, ["copy"]);
        assert!(
            tracked.notes.iter().any(|note| note.contains(
                "“compare checksums of backups” was to be done before it and is left out"
            )),
            "{:?}",
            tracked.notes
        );
    }

    #[test]
    fn where_every_tool_is_at_hand_nothing_changes() {
        check(
            &[
                task("a", "fetch the page", &[]),
                task("b", "fetch the page", &["a"]),
            ],
            "a<~ ! | b<a~ !",
        );
    }
}
