//! Which weights serve requests best that were not remembered? One set for each of several
//! numbers of remembered runs, each held near the one before.

use holloway_planner::recall::fit::{Lesson, fit};
use holloway_planner::recall::weights::{RecallWeights, ShippedRecall, WeightStep};
use holloway_planner::recall::{PastRun, Recall};

use crate::set::{Set, shuffled};

/// Numbers of remembered runs, and how many different memories of that size are asked.
pub(crate) const STEPS: [(usize, usize); 7] = [
    (0, 1),
    (10, 6),
    (30, 4),
    (100, 3),
    (300, 2),
    (1_000, 1),
    (2_200, 1),
];
/// Without memory.
pub(crate) const FIRST: [(usize, usize); 1] = [(0, 1)];
/// How many requests of the training part that are not remembered are asked too.
const REST_AT_MOST: usize = 800;
/// How many of those that are remembered are asked too, each left out, where there are many.
const LEFT_OUT_AT_MOST: usize = 1_200;
const MANY: usize = 1_000;
const HOLD: f64 = 1.0;

/// By the requests of several sets, each counting as much as any other; where many runs are
/// remembered, as much as it has requests that want several tools: few sets have so many runs,
/// and what they are to teach is which tools go together.
pub(crate) fn shipped(sets: &[&Set], steps: &[(usize, usize)], fitted_on: &str) -> ShippedRecall {
    let mut found = Vec::new();
    let mut prior = RecallWeights::default();
    for (runs, memories) in steps {
        let weights = fitted(sets, *runs, *memories, &prior);
        prior = weights.clone();
        let runs = *runs;
        found.push(WeightStep { runs, weights });
    }
    ShippedRecall {
        fitted_on: fitted_on.to_owned(),
        steps: found,
    }
}

fn fitted(sets: &[&Set], runs: usize, memories: usize, prior: &RecallWeights) -> RecallWeights {
    let mut held: Vec<(Recall, Vec<PastRun>, usize, f32)> = Vec::new();
    for set in sets.iter().filter(|set| runs <= set.training.len()) {
        let (remembered, left_out) = if runs < MANY {
            (runs.min(set.training.len() * 3 / 4), 0)
        } else {
            (runs, runs.min(LEFT_OUT_AT_MOST))
        };
        for seed in 0..memories {
            let order = shuffled(&set.training, seed as u64 + 1);
            let (memory, rest) = order.split_at(remembered);
            let rest = &rest[..rest.len().min(REST_AT_MOST / memories)];
            let mut recall = set.recall();
            recall.learn(memory);
            let requests: Vec<PastRun> = set.fitting.iter().chain(rest).cloned().collect();
            let asked = requests.len() + left_out;
            let whole = if runs < MANY { 1.0 } else { set.several() };
            let counts = whole / memories as f32 / asked.max(1) as f32;
            held.push((recall, requests, left_out, counts));
        }
    }
    let lessons: Vec<Lesson<'_>> = held
        .iter()
        .map(|(recall, requests, remembered, counts)| Lesson {
            recall,
            requests,
            remembered: *remembered,
            counts: *counts,
        })
        .collect();
    fit(&lessons, prior, HOLD)
}
