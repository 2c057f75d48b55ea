//! How are runs of the past kept, so that they can be asked about a request that is like
//! some of them? Ridge regression on likeness: every run gets a weight, and whatever is asked
//! (tools, order, length) is the weighted sum of what the runs did.

use std::sync::Arc;

use holloway_search::fusion::top;
use holloway_search::index::Index;

use super::counts::{Counts, Run};
use super::kernel::{Kernel, Probe, Shape};
use super::tally::{Tally, Wanted, wanted};
use crate::regression::factor::Factor;

/// The factors grow with the square of this.
pub(super) const RUNS_AT_MOST: usize = 4_000;
/// How much a run is taken for chance.
const NOISE: f32 = 0.7;
/// The same of a run that nobody checked: its say is about a third.
const NOISE_UNCHECKED: f32 = 4.0;
/// How many of the nearest runs lend their whole sequence.
const NEAREST: usize = 25;

#[derive(Debug)]
pub(super) struct Memory {
    kernel: Kernel,
    /// The factors of both likenesses plus noise.
    factors: [Factor; 2],
    runs: Vec<Run>,
    pub(super) counts: Counts,
}

impl Memory {
    pub(super) fn new(index: &Arc<Index>) -> Self {
        Self {
            kernel: Kernel::new(index),
            factors: Default::default(),
            runs: Vec::new(),
            counts: Counts::default(),
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
        let left = RUNS_AT_MOST.saturating_sub(self.len());
        let mut probes = Vec::new();
        for run in runs.into_iter().take(left) {
            probes.push(self.kernel.probe(&run.request));
            self.counts.add(&run);
            self.runs.push(run);
        }
        if self.kernel.extend(probes) {
            self.factors = Default::default();
        }
        let [known, _] = self.factors.each_ref().map(Factor::len);
        for text in known..self.len() {
            let unchecked = self.runs.get(text).is_some_and(|run| run.unchecked);
            let noise = if unchecked { NOISE_UNCHECKED } else { NOISE };
            for (factor, mut row) in self.factors.iter_mut().zip(self.kernel.row(text)) {
                if let Some(own) = row.last_mut() {
                    *own += noise;
                }
                factor.push(row);
            }
        }
    }

    /// The run with the most similar request.
    pub(super) fn nearest(&self, text: &str) -> Option<&Run> {
        let [alike, _] = self.kernel.alike(&self.kernel.probe(text));
        self.runs.get(*top(&alike, 1).first()?)
    }

    /// A text by its words and by the score of every tool for it.
    pub(super) fn probe(&self, text: &str, scores: &[f32], shape: Option<Shape>) -> Probe {
        self.kernel.probe_with(text, scores, shape)
    }

    /// What leaving out each of these runs takes; several at once cost hardly more than one.
    pub(super) fn leave_out(&self, runs: &[usize]) -> Vec<LeftOut> {
        let [alike, coursed] = self.factors.each_ref().map(|factor| {
            let unit = |run: &usize| {
                let mut unit = vec![0.0; factor.len()];
                unit.iter_mut()
                    .skip(*run)
                    .take(1)
                    .for_each(|own| *own = 1.0);
                unit
            };
            let mut columns: Vec<Vec<f32>> = runs.iter().map(unit).collect();
            factor.solve(&mut columns);
            columns
        });
        let columns = alike.into_iter().zip(coursed);
        let all = runs.iter().zip(columns);
        all.map(|(run, (alike, coursed))| LeftOut {
            run: *run,
            columns: [alike, coursed],
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
        let [alike, coursed] = self.kernel.alike(text);
        let run = without.map(|without| without.run);
        let near = top(&alike, NEAREST + 1).into_iter();
        let near = near.filter(|other| Some(*other) != run).take(NEAREST);
        let nearest = near.filter_map(|run| self.runs.get(run)).collect();
        let parts = clauses.iter().map(|clause| {
            let [alike, _] = self.kernel.alike(clause);
            alike
        });
        let solved = |at: usize, mut sides: Vec<Vec<f32>>| {
            for factor in self.factors.iter().skip(at).take(1) {
                factor.solve(&mut sides);
            }
            if let Some(without) = without {
                for side in &mut sides {
                    without.leave(at, side);
                }
            }
            sides
        };
        let alike = solved(0, [alike].into_iter().chain(parts).collect());
        let coursed = solved(1, vec![coursed]);
        let (whole, parts) = alike.split_at_checked(1).unwrap_or_default();
        let tally = |weights: &[Vec<f32>]| Tally::of(&self.runs, &weights.concat());
        Evidence {
            alike: tally(whole),
            coursed: tally(&coursed),
            clauses: parts
                .iter()
                .map(|weights| wanted(&self.runs, weights))
                .collect(),
            nearest,
        }
    }
}

/// What memory says about one request.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    /// What runs did that are like it, and what those did that take the same course.
    pub(super) alike: Tally<'a>,
    pub(super) coursed: Tally<'a>,
    /// How far each tool is wanted for each clause by itself.
    pub(super) clauses: Vec<Wanted>,
    /// The runs with the most similar requests, nearest first.
    pub(super) nearest: Vec<&'a Run>,
}

/// A run that is not to count, and its columns of the inverses.
#[derive(Debug)]
pub(super) struct LeftOut {
    run: usize,
    columns: [Vec<f32>; 2],
}

impl LeftOut {
    /// The weights that the others would have if the run were not there.
    fn leave(&self, likeness: usize, weights: &mut [f32]) {
        let column = self.columns.get(likeness).map(Vec::as_slice);
        let column = column.unwrap_or_default();
        let own = weights.get(self.run).zip(column.get(self.run));
        let by = own.map_or(0.0, |(weight, own)| weight / own);
        for (weight, cell) in weights.iter_mut().zip(column) {
            *weight -= by * cell;
        }
        if let Some(own) = weights.get_mut(self.run) {
            *own = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use holloway_search::entry::Entry;

    use super::*;

    fn run(text: &str, tools: &[usize]) -> Run {
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
        let whole = memory(runs());
        let mut grown = memory(Vec::new());
        for run in runs() {
            grown.extend([run]);
        }
        let [one, other] = [&whole, &grown].map(|memory| {
            let probe = memory.kernel.probe("pay the bill for the train");
            memory.ask(&probe, &[], None).alike.tools
        });
        for (tool, share) in &one {
            assert!((share - other[tool]).abs() < 1e-4, "{one:?} {other:?}");
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
            let whole = (left_out.alike.tools[&tool], never.alike.tools[&tool]);
            assert!((whole.0 - whole.1).abs() < 1e-4, "{whole:?}");
            let clause = (left_out.clauses[0][&tool], never.clauses[0][&tool]);
            assert!((clause.0 - clause.1).abs() < 1e-4, "{clause:?}");
        }
        assert!(left_out.alike.set(&[2, 3]).abs() < 1e-4);
        assert_eq!(left_out.nearest.len(), 3);
    }
}
