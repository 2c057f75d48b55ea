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
    /// What others wait for because of each task: itself, or what it waited for.
    waits: Vec<Places>,
    /// Tasks that are left out up to each, however far.
    undone: Vec<Places>,
}

impl<'a> Gone<'a> {
    pub(super) fn of(sequenced: &'a [SequencedTask]) -> Self {
        let places = sequenced.iter().enumerate();
        Self {
            sequenced,
            places: places.map(|(at, one)| (one.step.as_str(), at)).collect(),
            waits: vec![Places::of(sequenced.len()); sequenced.len()],
            undone: vec![Places::of(sequenced.len()); sequenced.len()],
        }
    }

    /// A task as it is without those left out, and what is undone before it. Those before it
    /// are known by now.
    pub(super) fn left_of(
        &mut self,
        number: usize,
        task: &SequencedTask,
    ) -> (SequencedTask, Vec<String>) {
        let [waits, undone] = [&self.waits, &self.undone].map(|known| {
            let mut all = Places::of(self.sequenced.len());
            let needs = task
                .after
                .iter()
                .filter_map(|step| self.places.get(step.as_str()));
            needs.for_each(|need| all.add_all(known.get(*need)));
            all
        });
        let at = |place: usize| self.sequenced.get(place);
        let steps: Vec<&str> = waits
            .each()
            .filter_map(at)
            .map(|one| one.step.as_str())
            .collect();
        let gone: Vec<&SequencedTask> = undone.each().filter_map(at).collect();
        let mut left = task.clone();
        left.before.retain(|step| steps.contains(&step.as_str()));
        left.after.retain(|step| steps.contains(&step.as_str()));
        for step in steps {
            if !left.after.iter().any(|known| known == step) {
                left.after.push(step.to_owned());
            }
        }
        let taken = |value: &_| gone.iter().any(|one| takes_from(value, &one.task.id));
        left.task.inputs.retain(|_, value| !taken(value));
        let words = gone.iter().map(|one| one.task.wanted()).collect();
        let own = |list: &mut Vec<Places>, places: Places| {
            list.get_mut(number)
                .into_iter()
                .for_each(|own| own.clone_from(&places));
        };
        own(&mut self.waits, waits);
        own(&mut self.undone, undone);
        (left, words)
    }

    /// Whether the task is done: others wait for it; otherwise for what it waits for.
    pub(super) fn note(&mut self, number: usize, is_done: bool) {
        if let Some(waits) = self.waits.get_mut(number).filter(|_| is_done) {
            *waits = Places::of(self.sequenced.len());
            waits.add(number);
        } else if let Some(undone) = self.undone.get_mut(number) {
            undone.add(number);
        }
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
        let both = self.0.iter_mut().zip(others);
        both.for_each(|(own, other)| *own |= other);
    }

    fn each(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(at, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| at * 64 + bit)
        })
    }
}
