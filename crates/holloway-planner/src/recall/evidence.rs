//! What does memory say about one request? Sums over its runs, each by how alike it is, and
//! counts; one run may be left out, as if it had never been.

use holloway_search::fusion::top;
use rustc_hash::FxHashMap;

use super::counts::Run;
use super::memory::Memory;
use crate::catalogue::Place;

/// How many of the nearest runs lend their whole sequence.
const NEAREST: usize = 25;
/// Longer runs count as this long.
pub(super) const LENGTHS: usize = 8;

/// What memory says about one request.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    memory: &'a Memory,
    without: Option<&'a Run>,
    /// How far each tool is wanted, about 0 to 1.
    pub(super) tools: FxHashMap<Place, f32>,
    /// The same for each clause by itself.
    pub(super) clauses: Vec<FxHashMap<Place, f32>>,
    /// How likely each length is.
    pub(super) lengths: [f32; LENGTHS],
    /// One tool directly after the other; one anywhere after the other.
    pairs: FxHashMap<(Place, Place), (f32, f32)>,
    sequences: FxHashMap<&'a [Place], f32>,
    sets: FxHashMap<&'a [Place], f32>,
    /// The runs with the most similar requests, nearest first.
    pub(super) nearest: Vec<&'a Run>,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(
        memory: &'a Memory,
        weights: &[f32],
        clauses: Vec<FxHashMap<Place, f32>>,
        nearness: &[f32],
        without: Option<usize>,
    ) -> Self {
        let mut evidence = Self {
            memory,
            without: without.and_then(|run| memory.runs().get(run)),
            tools: tools(memory.runs(), weights),
            clauses,
            lengths: [0.0; LENGTHS],
            pairs: FxHashMap::default(),
            sequences: FxHashMap::default(),
            sets: FxHashMap::default(),
            nearest: top(nearness, NEAREST)
                .into_iter()
                .filter(|run| Some(*run) != without)
                .filter_map(|run| memory.runs().get(run))
                .collect(),
        };
        evidence.add_orders(weights);
        evidence
    }

    fn add_orders(&mut self, weights: &[f32]) {
        for (run, weight) in self.memory.runs().iter().zip(weights) {
            *self.sequences.entry(run.tools.as_slice()).or_default() += weight;
            *self.sets.entry(run.set.as_slice()).or_default() += weight;
            if let Some(length) = self.lengths.get_mut(run.tools.len().min(LENGTHS - 1)) {
                *length += weight;
            }
            for pair in run.pairs() {
                self.pairs.entry(pair).or_default().0 += weight;
            }
            for (later, tool) in run.tools.iter().enumerate() {
                for before in run.tools.iter().take(later) {
                    self.pairs.entry((*before, *tool)).or_default().1 += weight;
                }
            }
        }
    }

    /// How many runs there are.
    pub(super) fn size(&self) -> f32 {
        (self.memory.len() - usize::from(self.without.is_some())) as f32
    }

    pub(super) fn pair(&self, first: Place, second: Place) -> (f32, f32) {
        self.pairs
            .get(&(first, second))
            .copied()
            .unwrap_or_default()
    }

    pub(super) fn sequence(&self, tools: &[Place]) -> f32 {
        self.sequences.get(tools).copied().unwrap_or_default()
    }

    /// The same in whatever order; tools stand sorted.
    pub(super) fn set(&self, set: &[Place]) -> f32 {
        self.sets.get(set).copied().unwrap_or_default()
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

fn tools(runs: &[Run], weights: &[f32]) -> FxHashMap<Place, f32> {
    let mut tools = FxHashMap::default();
    for (run, weight) in runs.iter().zip(weights) {
        // A tool that was called twice was wanted once.
        for tool in &run.set {
            *tools.entry(*tool).or_default() += weight;
        }
    }
    tools
}
