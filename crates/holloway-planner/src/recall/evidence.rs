//! What does memory say about one request? Sums over its runs, each by how alike it is, and
//! counts; one run may be left out, as if it had never been.

use holloway_search::fusion::top;
use rustc_hash::FxHashMap;

use super::counts::Run;
use super::memory::Memory;
use super::tally::Tally;
use crate::catalogue::Place;

/// How many of the nearest runs lend their whole sequence.
const NEAREST: usize = 25;

/// What memory says about one request.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    memory: &'a Memory,
    without: Option<&'a Run>,
    /// What runs did that are like it, and what those did that take the same course.
    pub(super) alike: Tally<'a>,
    pub(super) coursed: Tally<'a>,
    /// How far each tool is wanted for each clause by itself.
    pub(super) clauses: Vec<FxHashMap<Place, f32>>,
    /// The runs with the most similar requests, nearest first.
    pub(super) nearest: Vec<&'a Run>,
}

/// How much each run counts for a request.
#[derive(Debug)]
pub(super) struct Says {
    pub(super) alike: Vec<f32>,
    pub(super) coursed: Vec<f32>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(
        memory: &'a Memory,
        says: &Says,
        clauses: Vec<FxHashMap<Place, f32>>,
        nearness: &[f32],
        without: Option<usize>,
    ) -> Self {
        Self {
            memory,
            without: without.and_then(|run| memory.runs().get(run)),
            alike: Tally::of(memory.runs(), &says.alike),
            coursed: Tally::of(memory.runs(), &says.coursed),
            clauses,
            nearest: top(nearness, NEAREST)
                .into_iter()
                .filter(|run| Some(*run) != without)
                .filter_map(|run| memory.runs().get(run))
                .collect(),
        }
    }

    /// How many runs there are.
    pub(super) fn size(&self) -> f32 {
        (self.memory.len() - usize::from(self.without.is_some())) as f32
    }

    pub(super) fn uses(&self, tool: Place) -> f32 {
        let own = self.without.is_some_and(|run| run.tools.contains(&tool));
        less(self.memory.counts.uses.get(&tool), usize::from(own))
    }

    pub(super) fn follows(&self, first: Place, second: Place) -> f32 {
        let own = self.without.map_or(0, |run| {
            run.pairs().filter(|pair| *pair == (first, second)).count()
        });
        less(self.memory.counts.follows.get(&(first, second)), own)
    }

    pub(super) fn begins(&self, tool: Place) -> f32 {
        let own = self
            .without
            .is_some_and(|run| run.tools.first() == Some(&tool));
        less(self.memory.counts.begins.get(&tool), usize::from(own))
    }

    pub(super) fn ends(&self, tool: Place) -> f32 {
        let own = self
            .without
            .is_some_and(|run| run.tools.last() == Some(&tool));
        less(self.memory.counts.ends.get(&tool), usize::from(own))
    }

    /// How often exactly these tools were used, in sorted order.
    pub(super) fn times(&self, set: &[Place]) -> f32 {
        let own = self.without.is_some_and(|run| run.set == set);
        less(self.memory.counts.sets.get(set), usize::from(own))
    }
}

fn less(count: Option<&u32>, own: usize) -> f32 {
    count.map_or(0.0, |count| *count as f32 - own as f32)
}
