//! What becomes of the others when a task is left out? They keep their order: what waited for it
//! waits for what it waited for. Its result they have to be told, and what was to be done before
//! them and is not goes with them, so that none of them does harm unnoticed.

use rustc_hash::FxHashMap;

use super::references::takes_from;
use crate::advanced::sequence::SequencedTask;

/// Tasks that were left out so far, and what stands before them.
pub(super) struct Gone<'a> {
    sequenced: &'a [SequencedTask],
    places: FxHashMap<&'a str, usize>,
    left_out: Vec<bool>,
    /// What others wait for instead of each task: itself, or what it waited for.
    instead: Vec<Places>,
    /// Tasks that are left out before each, however far.
    undone: Vec<Places>,
}

impl<'a> Gone<'a> {
    pub(super) fn of(sequenced: &'a [SequencedTask]) -> Self {
        let places = sequenced.iter().enumerate();
        Self {
            sequenced,
            places: places.map(|(at, one)| (one.step.as_str(), at)).collect(),
            left_out: vec![false; sequenced.len()],
            instead: Vec::with_capacity(sequenced.len()),
            undone: Vec::with_capacity(sequenced.len()),
        }
    }

    /// The next task as it is without those left out, and what is undone before it.
    pub(super) fn left_of(
        &mut self,
        number: usize,
        task: &SequencedTask,
    ) -> (SequencedTask, Vec<String>) {
        let mut waits = Places::of(self.sequenced.len());
        let mut undone = Places::of(self.sequenced.len());
        let needs = task.after.iter();
        for need in needs.filter_map(|step| self.places.get(step.as_str()).copied()) {
            undone.add_all(self.undone.get(need));
            if self.is_gone(need) {
                undone.add(need);
                waits.add_all(self.instead.get(need));
            } else {
                waits.add(need);
            }
        }
        let mut left = task.clone();
        let kept = |step: &String| {
            let at = self.places.get(step.as_str());
            at.is_some_and(|at| !self.is_gone(*at))
        };
        left.before.retain(kept);
        left.after.retain(kept);
        for step in waits.each().filter_map(|at| self.sequenced.get(at)) {
            if !left.after.contains(&step.step) {
                left.after.push(step.step.clone());
            }
        }
        let gone = undone.each().filter_map(|at| self.sequenced.get(at));
        let gone: Vec<&SequencedTask> = gone.collect();
        left.task
            .inputs
            .retain(|_, value| !gone.iter().any(|one| takes_from(value, &one.task.id)));
        let words = gone.iter().map(|one| one.task.wanted()).collect();
        let mut own = Places::of(self.sequenced.len());
        own.add(number);
        self.instead.push(own);
        self.undone.push(undone);
        (left, words)
    }

    /// The task is left out.
    pub(super) fn note(&mut self, number: usize) {
        let mut waits = Places::of(self.sequenced.len());
        let needs = self.sequenced.get(number).map(|task| &task.after);
        for need in needs.into_iter().flatten() {
            let place = self.places.get(need.as_str());
            waits.add_all(place.and_then(|at| self.instead.get(*at)));
        }
        if let Some(gone) = self.left_out.get_mut(number) {
            *gone = true;
        }
        if let Some(instead) = self.instead.get_mut(number) {
            *instead = waits;
        }
    }

    fn is_gone(&self, at: usize) -> bool {
        self.left_out.get(at).copied().unwrap_or_default()
    }
}

/// One bit for each task: a thousand tasks may all need each other.
#[derive(Clone, Debug)]
struct Places(Vec<u64>);

impl Places {
    fn of(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn add(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    fn add_all(&mut self, others: Option<&Self>) {
        let others = others.into_iter().flat_map(|others| &others.0);
        self.0
            .iter_mut()
            .zip(others)
            .for_each(|(own, other)| *own |= other);
    }

    fn each(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(at, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| at * 64 + bit)
        })
    }
}
