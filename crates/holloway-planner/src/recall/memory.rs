//! What did runs of the past do? Their tools and orders, counted, and ready to be asked
//! about a request that is like some of them.

use std::sync::Arc;

use holloway_search::fusion::top;
use holloway_search::table::Table;
use rustc_hash::FxHashMap;

use super::kernel::Kernel;
use super::ridge::{Ridge, dot};
use crate::catalogue::Place;

/// The factor grows with the square of this.
pub(super) const RUNS_AT_MOST: usize = 4_000;
/// How many of the nearest runs lend their whole sequence.
const NEAREST: usize = 25;
/// So many columns are worked out at a time.
const COLUMNS: usize = 32;
/// Longer runs count as this long.
pub(super) const LENGTHS: usize = 8;

#[derive(Debug)]
pub(super) struct Memory {
    kernel: Kernel,
    ridge: Ridge,
    runs: Vec<Run>,
    uses: FxHashMap<Place, u32>,
    follows: FxHashMap<(Place, Place), u32>,
    begins: FxHashMap<Place, u32>,
    ends: FxHashMap<Place, u32>,
    sets: FxHashMap<Vec<Place>, u32>,
    /// How often a result went into a step, of how often it could: next to each other or not.
    links: FxHashMap<(Place, Place, bool), (u32, u32)>,
    /// What each run adds to a tool for a text that is like it.
    shares: FxHashMap<Place, Vec<f32>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) request: String,
    pub(super) tools: Vec<Place>,
    pub(super) links: Vec<(usize, usize)>,
    /// Its tools, whatever their order.
    set: Vec<Place>,
}

impl Run {
    pub(super) fn new(request: String, tools: Vec<Place>, links: Vec<(usize, usize)>) -> Self {
        Self {
            set: set_of(&tools),
            request,
            tools,
            links,
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (Place, Place)> {
        self.tools
            .iter()
            .copied()
            .zip(self.tools.iter().copied().skip(1))
    }
}

fn set_of(tools: &[Place]) -> Vec<Place> {
    let mut set = tools.to_vec();
    set.sort_unstable();
    set.dedup();
    set
}

impl Memory {
    pub(super) fn new(table: &Arc<Table>) -> Self {
        Self {
            kernel: Kernel::new(table),
            ridge: Ridge::default(),
            runs: Vec::new(),
            uses: FxHashMap::default(),
            follows: FxHashMap::default(),
            begins: FxHashMap::default(),
            ends: FxHashMap::default(),
            sets: FxHashMap::default(),
            links: FxHashMap::default(),
            shares: FxHashMap::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Takes runs in; those beyond what is kept are left out.
    pub(super) fn extend(&mut self, runs: impl IntoIterator<Item = Run>) {
        let room = RUNS_AT_MOST.saturating_sub(self.len());
        let before = self.len();
        for run in runs.into_iter().take(room) {
            let probe = self.kernel.probe(&run.request);
            self.kernel.push(&probe);
            self.count(&run);
            self.runs.push(run);
        }
        let is_stale = self.kernel.is_stale();
        if is_stale {
            self.kernel.settle();
            self.ridge = Ridge::default();
        }
        let is_one_more = self.len() == before + 1 && !is_stale;
        if is_one_more {
            self.share_one_more();
        }
        let kernel = &self.kernel;
        self.ridge.extend(
            kernel.len(),
            |text| kernel.row(text),
            |text| kernel.own(text),
        );
        if !is_one_more && self.len() > before {
            self.share_all();
        }
    }

    /// The last run changes the shares of those before it.
    fn share_one_more(&mut self) {
        let Some((last, run)) = self.len().checked_sub(1).zip(self.runs.last()) else {
            return;
        };
        let alike = self.kernel.row(last);
        let (weights, scale) = self.ridge.own_share(&alike, self.kernel.own(last));
        for tool in &run.tools {
            self.shares.entry(*tool).or_insert_with(|| vec![0.0; last]);
        }
        for (tool, shares) in &mut self.shares {
            let used = f32::from(u8::from(run.tools.contains(tool)));
            let own = scale * (used - dot(&alike, shares));
            for (share, weight) in shares.iter_mut().zip(&weights) {
                *share -= weight * own;
            }
            shares.push(own);
        }
    }

    fn share_all(&mut self) {
        let count = self.len();
        let mut columns: FxHashMap<Place, Vec<f32>> = FxHashMap::default();
        for (at, run) in self.runs.iter().enumerate() {
            for tool in &run.tools {
                let column = columns.entry(*tool).or_insert_with(|| vec![0.0; count]);
                if let Some(cell) = column.get_mut(at) {
                    *cell = 1.0;
                }
            }
        }
        let (tools, mut columns): (Vec<Place>, Vec<Vec<f32>>) = columns.into_iter().unzip();
        let mut solved = Vec::with_capacity(columns.len());
        while !columns.is_empty() {
            let rest = columns.split_off(COLUMNS.min(columns.len()));
            solved.extend(self.ridge.weights(std::mem::replace(&mut columns, rest)));
        }
        self.shares = tools.into_iter().zip(solved).collect();
    }

    fn count(&mut self, run: &Run) {
        for tool in &run.set {
            *self.uses.entry(*tool).or_default() += 1;
        }
        for pair in run.pairs() {
            *self.follows.entry(pair).or_default() += 1;
        }
        if let (Some(first), Some(last)) = (run.tools.first(), run.tools.last()) {
            *self.begins.entry(*first).or_default() += 1;
            *self.ends.entry(*last).or_default() += 1;
        }
        for (later, tool) in run.tools.iter().enumerate() {
            for (earlier, before) in run.tools.iter().enumerate().take(later) {
                let counts = self
                    .links
                    .entry((*before, *tool, earlier + 1 == later))
                    .or_default();
                counts.0 += u32::from(run.links.contains(&(earlier, later)));
                counts.1 += 1;
            }
        }
        *self.sets.entry(run.set.clone()).or_default() += 1;
    }

    /// In what share of the runs the result of the one went into the other, directly after it
    /// or later; nothing if no run had both.
    pub(super) fn linked(&self, from: Place, to: Place, is_next: bool) -> Option<f32> {
        let (linked, both) = self.links.get(&(from, to, is_next))?;
        Some(*linked as f32 / (*both).max(1) as f32)
    }

    /// In how many runs exactly these tools were used.
    pub(super) fn times(&self, tools: &[Place]) -> u32 {
        self.sets.get(&set_of(tools)).copied().unwrap_or_default()
    }

    /// The run with the most similar request.
    pub(super) fn nearest(&self, request: &str) -> Option<&Run> {
        let alike = self.kernel.alike(&self.kernel.probe(request), self.len());
        self.runs.get(*top(&alike, 1).first()?)
    }

    /// What is remembered about a request and its clauses; one run may be left out, as if
    /// it had never been.
    pub(super) fn ask(
        &self,
        request: &str,
        clauses: &[String],
        without: Option<usize>,
    ) -> Evidence<'_> {
        let count = self.len();
        let whole = self.kernel.alike(&self.kernel.probe(request), count);
        let parts: Vec<Vec<f32>> = clauses
            .iter()
            .map(|clause| self.kernel.alike(&self.kernel.probe(clause), count))
            .collect();
        let mut nearness = whole.clone();
        let Some(run) = without else {
            let weights = self.ridge.weights(vec![whole]).pop().unwrap_or_default();
            let clauses = parts.iter().map(|part| self.wanted(part, None)).collect();
            return Evidence::new(self, &weights, clauses, &nearness, None);
        };
        // The request is that of the run: minus its column of the inverse, by its diagonal, are
        // the weights that the others would have without it.
        let column = self.ridge.column(run);
        let own = column.get(run).copied().unwrap_or(1.0);
        let mut weights: Vec<f32> = column.iter().map(|cell| -cell / own).collect();
        for (list, nothing) in [(&mut weights, 0.0), (&mut nearness, f32::MIN)] {
            if let Some(cell) = list.get_mut(run) {
                *cell = nothing;
            }
        }
        let left_out = Some((run, column.as_slice()));
        let clauses = parts
            .iter()
            .map(|part| self.wanted(part, left_out))
            .collect();
        Evidence::new(self, &weights, clauses, &nearness, without)
    }

    /// How far each tool is wanted for a text that is so alike; a run with its column of the
    /// inverse may be left out.
    fn wanted(&self, alike: &[f32], without: Option<(usize, &[f32])>) -> FxHashMap<Place, f32> {
        let lost = without.map(|(run, column)| {
            let own = column.get(run).copied().unwrap_or(1.0);
            (run, dot(alike, column) / own)
        });
        let each = self.shares.iter().map(|(tool, shares)| {
            let own = lost.and_then(|(run, lost)| Some(shares.get(run)? * lost));
            (*tool, dot(alike, shares) - own.unwrap_or_default())
        });
        each.collect()
    }
}

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
    fn new(
        memory: &'a Memory,
        weights: &[f32],
        clauses: Vec<FxHashMap<Place, f32>>,
        nearness: &[f32],
        without: Option<usize>,
    ) -> Self {
        let mut evidence = Self {
            memory,
            without: without.and_then(|run| memory.runs.get(run)),
            tools: tools(&memory.runs, weights),
            clauses,
            lengths: [0.0; LENGTHS],
            pairs: FxHashMap::default(),
            sequences: FxHashMap::default(),
            sets: FxHashMap::default(),
            nearest: top(nearness, NEAREST)
                .into_iter()
                .filter(|run| Some(*run) != without)
                .filter_map(|run| memory.runs.get(run))
                .collect(),
        };
        evidence.add_orders(weights);
        evidence
    }

    fn add_orders(&mut self, weights: &[f32]) {
        for (run, weight) in self.memory.runs.iter().zip(weights) {
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
        less(self.memory.uses.get(&tool), usize::from(own))
    }

    pub(super) fn follows(&self, first: Place, second: Place) -> f32 {
        let own = self.without.map_or(0, |run| {
            run.pairs().filter(|pair| *pair == (first, second)).count()
        });
        less(self.memory.follows.get(&(first, second)), own)
    }

    pub(super) fn begins(&self, tool: Place) -> f32 {
        let own = self
            .without
            .is_some_and(|run| run.tools.first() == Some(&tool));
        less(self.memory.begins.get(&tool), usize::from(own))
    }

    pub(super) fn ends(&self, tool: Place) -> f32 {
        let own = self
            .without
            .is_some_and(|run| run.tools.last() == Some(&tool));
        less(self.memory.ends.get(&tool), usize::from(own))
    }

    /// How often exactly these tools were used, in sorted order.
    pub(super) fn times(&self, set: &[Place]) -> f32 {
        let own = self.without.is_some_and(|run| run.set == set);
        less(self.memory.sets.get(set), usize::from(own))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn run(request: &str, tools: &[Place]) -> Run {
        Run::new(request.to_owned(), tools.to_vec(), Vec::new())
    }

    fn runs() -> Vec<Run> {
        vec![
            run("book a train to the coast", &[0, 1]),
            run("reserve a seat on the train", &[0, 1]),
            run("pay the bill for the phone", &[2]),
            // Words that no other run has would make it less like them all.
            run("pay the bill", &[2, 3]),
        ]
    }

    fn memory(runs: Vec<Run>) -> Memory {
        let mut memory = Memory::new(&Table::shipped());
        memory.extend(runs);
        memory
    }

    #[test]
    fn similar_requests_want_similar_tools() {
        let memory = memory(runs());
        let evidence = memory.ask("book a seat on a train", &[], None);
        assert!(
            evidence.tools[&0] > 0.4 && evidence.tools[&2] < 0.1,
            "{evidence:?}"
        );
        assert!(evidence.pair(0, 1).0 > 0.4);
        assert!(evidence.lengths[2] > evidence.lengths[1]);
        assert_eq!(evidence.nearest.first().unwrap().tools, [0, 1]);
        assert_eq!(memory.times(&[1, 0]), 2);
    }

    #[test]
    fn one_by_one_is_as_good_as_all_at_once() {
        let mut grown = memory(runs()[..3].to_vec());
        grown.extend([runs()[3].clone()]);
        let one_more = grown.shares.clone();
        grown.share_all();
        assert_eq!(one_more.len(), 4);
        for (tool, shares) in &grown.shares {
            for (one, other) in shares.iter().zip(&one_more[tool]) {
                assert!(
                    (one - other).abs() < 1e-4,
                    "{tool}: {shares:?} {one_more:?}"
                );
            }
        }
    }

    #[test]
    fn a_run_that_is_left_out_might_never_have_been() {
        let all = runs();
        let whole = memory(all.clone());
        let without = memory(all[..3].to_vec());
        let request = &all[3].request;
        let clauses = ["the bill".to_owned()];
        let left_out = whole.ask(request, &clauses, Some(3));
        let never = without.ask(request, &clauses, None);
        for tool in 0..3 {
            assert!((left_out.tools[&tool] - never.tools[&tool]).abs() < 1e-4);
            let clause = (left_out.clauses[0][&tool], never.clauses[0][&tool]);
            assert!((clause.0 - clause.1).abs() < 1e-4, "{clause:?}");
        }
        assert_eq!(left_out.uses(3), 0.0);
        assert_eq!(left_out.follows(2, 3), 0.0);
        assert_eq!(left_out.times(&[2, 3]), 0.0);
        assert_eq!(left_out.nearest.len(), 3);
        assert_eq!(left_out.size(), 3.0);
    }
}
