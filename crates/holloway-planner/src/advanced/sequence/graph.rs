//! Who waits for whom? Order, depth and weight of tasks by their dependencies, in time that
//! grows with the number of these; and which tasks stand in the way of an order.

use rustc_hash::{FxHashMap, FxHashSet};

use super::SequenceError;
use crate::advanced::SubTaskItem;

/// Who needs whom, by place.
pub(super) struct Graph {
    pub(super) needs: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn of(subtasks: &[SubTaskItem]) -> Result<Self, SequenceError> {
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        for (place, task) in subtasks.iter().enumerate() {
            if places.insert(&task.id, place).is_some() {
                return Err(SequenceError::Twice(task.id.clone()));
            }
        }
        let mut needs = Vec::with_capacity(subtasks.len());
        for task in subtasks {
            let mut seen = FxHashSet::default();
            let mut own = Vec::new();
            for wanted in &task.depends_on {
                let place = places.get(wanted.as_str()).copied();
                let place = place.ok_or_else(|| SequenceError::Missing {
                    task: task.id.clone(),
                    missing: wanted.clone(),
                })?;
                if seen.insert(place) {
                    own.push(place);
                }
            }
            needs.push(own);
        }
        Ok(Self { needs })
    }

    /// Tasks such that what a task needs comes before it; those around a cycle are left out.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut followers: Vec<Vec<usize>> = vec![Vec::new(); self.needs.len()];
        let mut open: Vec<usize> = self.needs.iter().map(Vec::len).collect();
        for (task, needs) in self.needs.iter().enumerate() {
            for need in needs {
                if let Some(list) = followers.get_mut(*need) {
                    list.push(task);
                }
            }
        }
        let free = |(task, open): (usize, &usize)| (*open == 0).then_some(task);
        let mut order: Vec<usize> = open.iter().enumerate().filter_map(free).collect();
        let mut next = 0;
        while let Some(task) = order.get(next).copied() {
            next += 1;
            for follower in followers.get(task).into_iter().flatten() {
                let Some(left) = open.get_mut(*follower) else {
                    continue;
                };
                *left -= 1;
                if *left == 0 {
                    order.push(*follower);
                }
            }
        }
        order
    }

    /// How many tasks stand one before the other up to each.
    pub(super) fn depths(&self, order: &[usize]) -> Vec<usize> {
        let mut depths = vec![0; self.needs.len()];
        for task in order {
            let needs = self.needs.get(*task).into_iter().flatten();
            let deepest = needs.filter_map(|need| depths.get(*need).map(|depth| depth + 1));
            let deepest = deepest.max().unwrap_or(0);
            if let Some(depth) = depths.get_mut(*task) {
                *depth = deepest;
            }
        }
        depths
    }

    /// How many tasks stand one behind the other after each.
    pub(super) fn heights(&self, order: &[usize]) -> Vec<usize> {
        let mut heights: Vec<usize> = vec![0; self.needs.len()];
        for task in order.iter().rev() {
            let own = heights.get(*task).copied().unwrap_or_default();
            for need in self.needs.get(*task).into_iter().flatten() {
                if let Some(height) = heights.get_mut(*need) {
                    *height = (*height).max(own + 1);
                }
            }
        }
        heights
    }

    /// The tasks of one cycle, in the order in which they wait. What has no place in the
    /// order needs something that has none either, so that following it leads around.
    pub(super) fn cycle(&self, order: &[usize], subtasks: &[SubTaskItem]) -> SequenceError {
        let ordered: FxHashSet<usize> = order.iter().copied().collect();
        let mut way: Vec<usize> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut at = (0..self.needs.len()).find(|task| !ordered.contains(task));
        while let Some(task) = at.filter(|task| seen.insert(*task)) {
            way.push(task);
            let mut needs = self.needs.get(task).into_iter().flatten();
            at = needs.find(|need| !ordered.contains(need)).copied();
        }
        let around = way
            .into_iter()
            .skip_while(|task| Some(*task) != at)
            .chain(at);
        let ids = around.filter_map(|task| subtasks.get(task));
        SequenceError::Cycle(ids.map(|task| task.id.clone()).collect())
    }
}
