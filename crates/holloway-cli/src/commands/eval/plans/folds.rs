//! How good are plans over all requests, each planned from the others? The requests fall
//! into folds; each fold is measured with runs of the other folds remembered.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Instant;

use holloway_planner::recall::PastRun;
use serde::Serialize;

use super::PLANS;
use super::exam::{Apart, Exam, Tally};
use super::figures::Row;
use super::files::Request;

/// How many runs are remembered at each point of the learning curve; all come last.
const CURVE: [usize; 10] = [0, 1, 3, 5, 10, 30, 75, 100, 300, 1_000];

/// How long it takes to remember one more run, in milliseconds.
#[derive(Debug, Serialize)]
pub(super) struct Remembering {
    pub(super) runs: usize,
    pub(super) half_within: f64,
    pub(super) of_a_hundred_99_within: f64,
    pub(super) longest: f64,
}

/// Requests in their folds.
pub(super) struct Folds<'a> {
    requests: &'a [Request],
    /// By request.
    own: Vec<usize>,
    count: usize,
    /// The numbers of the requests, in an order that has nothing to do with that of the file.
    order: Vec<usize>,
}

impl<'a> Folds<'a> {
    pub(super) fn new(requests: &'a [Request], count: usize) -> Self {
        let mut order: Vec<usize> = (0..requests.len()).collect();
        order.sort_by_cached_key(|at| {
            let id = requests.get(*at).map(|request| request.id.as_str());
            // Its keys are fixed.
            let mut hasher = DefaultHasher::new();
            id.hash(&mut hasher);
            (hasher.finish(), id)
        });
        let mut own = vec![0; requests.len()];
        for (rank, at) in order.iter().enumerate() {
            if let Some(fold) = own.get_mut(*at) {
                *fold = rank % count;
            }
        }
        Self {
            requests,
            own,
            count,
            order,
        }
    }

    fn is_in(&self, request: usize, fold: usize) -> bool {
        self.own.get(request) == Some(&fold)
    }

    /// The runs of all other folds; a request that stands in two folds is not remembered.
    fn memory(&self, fold: usize) -> Vec<PastRun> {
        let texts = self.requests.iter().map(|one| one.run.request.as_str());
        let measured: HashSet<&str> = texts
            .enumerate()
            .filter(|(at, _)| self.is_in(*at, fold))
            .map(|(_, text)| text)
            .collect();
        let others = self.order.iter().filter(|at| !self.is_in(**at, fold));
        others
            .filter_map(|at| self.requests.get(*at))
            .filter(|request| !measured.contains(request.run.request.as_str()))
            .map(|request| request.run.clone())
            .collect()
    }

    /// The figures over those requests that are meant, and how many runs were remembered at most.
    /// `done` is told the number of folds that are measured, as each takes a while.
    pub(super) fn measured(
        &self,
        exam: &Exam<'_>,
        is_meant: &dyn Fn(usize) -> bool,
        refit: bool,
        done: &dyn Fn(usize),
    ) -> (Vec<Row>, usize) {
        let mut simple = [Tally::default(); 2];
        let mut points: BTreeMap<usize, Apart> = BTreeMap::new();
        let mut most = 0;
        for fold in 0..self.count {
            let memory = self.memory(fold);
            most = most.max(memory.len());
            let is_asked = |at: usize| self.is_in(at, fold) && is_meant(at);
            let [best, nearest] = &mut simple;
            best.add(&exam.tally(|at, _| is_asked(at), |request| exam.two_best(request)));
            let few = CURVE.into_iter().filter(|runs| *runs < memory.len());
            // Folds differ by a run or two: those with all of them stand together.
            for runs in few.chain([usize::MAX]) {
                let known = memory.get(..runs).unwrap_or(&memory);
                let recall = exam.taught(known, refit);
                points
                    .entry(runs)
                    .or_default()
                    .add(&exam.apart(known, &recall, PLANS, is_asked));
                if runs == usize::MAX {
                    let plan = |request: &str| recall.nearest(request).into_iter().collect();
                    nearest.add(&exam.tally(|at, _| is_asked(at), plan));
                }
            }
            done(fold + 1);
        }
        let [best, nearest] = &simple;
        let mut rows = vec![
            Row::of("two best tools".to_owned(), best),
            Row::of("most similar run".to_owned(), nearest),
        ];
        for (runs, apart) in &points {
            rows.extend(rows_of((*runs).min(most), apart));
        }
        (rows, most)
    }

    /// Remembers the runs of all folds but the first, one by one.
    pub(super) fn remembering(&self, exam: &Exam<'_>) -> Remembering {
        let mut recall = exam.recall();
        let mut times: Vec<f64> = Vec::new();
        for run in self.memory(0) {
            let begun = Instant::now();
            recall.remember(&run);
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (times.len() as f64 * share) as usize;
            let time = times.get(place.min(times.len().saturating_sub(1)));
            (time.copied().unwrap_or_default() * 100.0).round() / 100.0
        };
        Remembering {
            runs: recall.len(),
            half_within: at(0.5),
            of_a_hundred_99_within: at(0.99),
            longest: at(1.0),
        }
    }
}

/// One row for all, and two for tool sets that were used before and that were not.
pub(super) fn rows_of(runs: usize, apart: &Apart) -> Vec<Row> {
    if runs == 0 {
        return vec![Row::of("ours, nothing remembered".to_owned(), &apart.all)];
    }
    vec![
        Row::of(format!("ours, {runs} remembered"), &apart.all),
        Row::of("  seen tool sets".to_owned(), &apart.seen),
        Row::of("  unseen tool sets".to_owned(), &apart.unseen),
    ]
}
