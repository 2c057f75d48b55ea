//! How are runs of the past kept, so that they can be asked about a request that is like
//! some of them? Counted, compared with each other, and with a share for each tool.

use std::ops::Range;
use std::sync::Arc;

use holloway_search::fusion::top;
use holloway_search::index::Index;
use ndarray::{Array2, Axis, Slice};
use rustc_hash::FxHashMap;

use super::counts::{Counts, Run};
use super::course::Courses;
use super::echoes::Echoes;
use super::evidence::{Evidence, Says};
use super::kernel::{Kernel, Probe, Shape};
use super::profile::Profile;
use super::ridge::{Ridge, dot};
use crate::catalogue::Place;

/// The factor grows with the square of this.
pub(super) const RUNS_AT_MOST: usize = 4_000;

#[derive(Debug)]
pub(super) struct Memory {
    kernel: Kernel,
    ridge: Ridge,
    runs: Vec<Run>,
    pub(super) counts: Counts,
    /// What each run adds to a tool for a text that is like it.
    shares: FxHashMap<Place, Vec<f32>>,
    /// What memory would have said about each run itself, and how alike runs are by that too.
    echoes: Echoes,
    /// How alike runs are by the course that their requests take too.
    courses: Courses,
}

impl Memory {
    pub(super) fn new(index: &Arc<Index>) -> Self {
        Self {
            kernel: Kernel::new(index),
            ridge: Ridge::default(),
            runs: Vec::new(),
            counts: Counts::default(),
            shares: FxHashMap::default(),
            echoes: Echoes::default(),
            courses: Courses::new(index.table()),
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
        let before = self.len();
        for run in runs.into_iter().take(RUNS_AT_MOST.saturating_sub(before)) {
            let probe = self.kernel.probe(&run.request);
            self.kernel.push(&probe);
            self.courses.push(&probe.course);
            self.counts.add(&run);
            self.runs.push(run);
        }
        let added = self.len() - before;
        let is_stale = self.kernel.is_stale(added);
        match added {
            0 => return,
            1 if !is_stale => return self.add_last(),
            _ => {}
        }
        if is_stale {
            self.kernel.settle();
            self.ridge = Ridge::default();
            self.courses.ridge = Ridge::default();
        }
        let square = self.kernel.square();
        let rows = |texts: Range<usize>| {
            let (square, _) = square.view().split_at(Axis(1), texts.end);
            square.slice_axis(Axis(0), Slice::from(texts)).to_owned()
        };
        self.ridge.extend(self.runs.len(), rows);
        self.courses.extend(self.runs.len(), rows);
        self.shares = self.share_all();
        self.echoes = Echoes::new(self.echo_all(), rows);
    }

    /// The last run gets its row, and changes the shares of those before it.
    fn add_last(&mut self) {
        let Some((last, run)) = self.len().checked_sub(1).zip(self.runs.last()) else {
            return;
        };
        let alike = self.kernel.last();
        let (weights, scale) = self.ridge.push(alike.clone());
        self.courses.add_last(alike.clone());
        for tool in &run.tools {
            self.shares.entry(*tool).or_insert_with(|| vec![0.0; last]);
        }
        let mut wanted = Vec::with_capacity(self.shares.len());
        for (tool, shares) in &mut self.shares {
            let used = f32::from(u8::from(run.tools.contains(tool)));
            let share = dot(&alike, shares);
            wanted.push((*tool, share));
            let own = scale * (used - share);
            for (share, weight) in shares.iter_mut().zip(&weights) {
                *share -= weight * own;
            }
            shares.push(own);
        }
        let echo = Profile::of_wanted(wanted.into_iter());
        self.echoes.push(echo, alike);
    }

    /// What memory would have said about each run, had it not been there.
    fn echo_all(&self) -> Vec<Profile> {
        let diagonal = self.ridge.diagonal();
        let echo = |(at, (run, own)): (usize, (&Run, &f32))| {
            let each = self.shares.iter().map(|(tool, shares)| {
                let used = f32::from(u8::from(run.tools.contains(tool)));
                let share = shares.get(at).copied().unwrap_or_default();
                (*tool, used - share / own)
            });
            Profile::of_wanted(each)
        };
        let runs = self.runs.iter().zip(&diagonal).enumerate();
        runs.map(echo).collect()
    }

    fn share_all(&self) -> FxHashMap<Place, Vec<f32>> {
        let tools: Vec<Place> = self.counts.uses.keys().copied().collect();
        let shape = (tools.len(), self.len());
        let used = Array2::from_shape_fn(shape, |(tool, run)| {
            let uses = self.runs.get(run).zip(tools.get(tool));
            let uses = uses.is_some_and(|(run, tool)| run.set.binary_search(tool).is_ok());
            f32::from(u8::from(uses))
        });
        let shares = self.ridge.weights(used);
        let each = tools.into_iter().zip(shares.rows());
        each.map(|(tool, shares)| (tool, shares.to_vec())).collect()
    }

    /// The run with the most similar request.
    pub(super) fn nearest(&self, text: &str) -> Option<&Run> {
        let alike = self.kernel.alike(&self.kernel.probe(text));
        self.runs.get(*top(&alike, 1).first()?)
    }

    /// A text by its words and by the score of every tool for it.
    pub(super) fn probe(&self, text: &str, scores: &[f32], shape: Option<Shape>) -> Probe {
        self.kernel.probe_with(text, Profile::of(scores), shape)
    }

    /// What leaving out each of these runs takes; several at once cost hardly more than one.
    pub(super) fn leave_out(&self, runs: &[usize]) -> Vec<LeftOut> {
        let ridges = [&self.ridge, &self.echoes.ridge, &self.courses.ridge];
        let [columns, echoed, coursed] = ridges.map(|ridge| ridge.columns(runs));
        let says = echoed.rows().into_iter().zip(coursed.rows());
        let all = runs.iter().zip(columns.rows()).zip(says);
        all.map(|((run, column), (echoed, coursed))| LeftOut {
            run: *run,
            column: column.to_vec(),
            says: Says {
                alike: without(*run, echoed.to_vec()),
                coursed: without(*run, coursed.to_vec()),
            },
        })
        .collect()
    }

    /// What is remembered about a request and its clauses; the run that it is the request of
    /// may be left out, as if it had never been.
    pub(super) fn ask(
        &self,
        text: &Probe,
        clauses: &[Probe],
        without: Option<&LeftOut>,
    ) -> Evidence<'_> {
        let alike = self.kernel.alike(text);
        let clauses = clauses
            .iter()
            .map(|clause| self.wanted(&self.kernel.alike(clause), without))
            .collect();
        let echo = Profile::of_wanted(self.wanted(&alike, without).into_iter());
        let mut nearness = alike.clone();
        self.echoes.add(&echo, &mut nearness);
        let Some(LeftOut { run, says, .. }) = without else {
            let says = Says {
                coursed: self.courses.weigh(&text.course, alike),
                alike: self.echoes.ridge.weigh(nearness.clone()),
            };
            return Evidence::new(self, &says, clauses, &nearness, None);
        };
        if let Some(own) = nearness.get_mut(*run) {
            *own = f32::MIN;
        }
        Evidence::new(self, says, clauses, &nearness, Some(*run))
    }

    /// How far each tool is wanted for a text that is so alike.
    fn wanted(&self, alike: &[f32], without: Option<&LeftOut>) -> FxHashMap<Place, f32> {
        let lost = without.map(|LeftOut { run, column, .. }| {
            let own = column.get(*run).copied().unwrap_or(1.0);
            (*run, dot(alike, column) / own)
        });
        let each = self.shares.iter().map(|(tool, shares)| {
            let own = lost.and_then(|(run, lost)| Some(shares.get(run)? * lost));
            (*tool, dot(alike, shares) - own.unwrap_or_default())
        });
        each.collect()
    }
}

/// A run that is not to count, its column of the inverse, and what the others say without it.
#[derive(Debug)]
pub(super) struct LeftOut {
    run: usize,
    column: Vec<f32>,
    says: Says,
}

/// Minus its column of the inverse, by its diagonal, are the weights that the others would
/// have for a run that is not there.
fn without(run: usize, mut column: Vec<f32>) -> Vec<f32> {
    let own = column.get(run).copied().unwrap_or(1.0);
    for cell in &mut column {
        *cell /= -own;
    }
    if let Some(cell) = column.get_mut(run) {
        *cell = 0.0;
    }
    column
}

#[cfg(test)]
mod tests {
    use holloway_search::entry::Entry;

    use super::*;

    fn run(text: &str, tools: &[Place]) -> Run {
        Run::new(text.to_owned(), tools.to_vec(), Vec::new())
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
        let entry = |id: &str| Entry {
            id: id.to_owned(),
            ..Entry::default()
        };
        let entries = ["search_train", "book_train", "pay_bill", "send_sms"].map(entry);
        let mut memory = Memory::new(&Arc::new(Index::new(entries)));
        memory.extend(runs);
        memory
    }

    #[test]
    fn similar_requests_want_similar_tools() {
        let memory = memory(runs());
        let evidence = memory.ask(&memory.kernel.probe("book a seat on a train"), &[], None);
        assert!(
            evidence.alike.tools[&0] > 0.4 && evidence.alike.tools[&2] < 0.1,
            "{evidence:?}"
        );
        assert!(evidence.alike.pair(0, 1).0 > 0.4);
        assert!(evidence.alike.length(2) > evidence.alike.length(1));
        assert_eq!(evidence.nearest.first().unwrap().tools, [0, 1]);
        assert_eq!(memory.counts.times(&[1, 0]), 2);
    }

    #[test]
    fn one_by_one_is_as_good_as_all_at_once() {
        let mut grown = memory(runs()[..3].to_vec());
        grown.extend([runs()[3].clone()]);
        let one_more = grown.shares.clone();
        grown.shares = grown.share_all();
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
        let texts = [all[3].request.as_str(), "the bill"];
        let probes = texts.map(|text| whole.kernel.probe(text));
        let left_out = whole.ask(&probes[0], &probes[1..], whole.leave_out(&[3]).first());
        let never = without.ask(&probes[0], &probes[1..], None);
        for tool in 0..3 {
            // What memory says about the other runs has heard of it.
            let whole = (left_out.alike.tools[&tool], never.alike.tools[&tool]);
            assert!((whole.0 - whole.1).abs() < 0.15, "{whole:?}");
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
