//! Which weights would have served best? Requests whose right tools are known are looked
//! at as new ones would be, and the weights that favour what was right are taken.

use rustc_hash::FxHashSet;

use super::number;
use super::view::{Candidate, View};
use super::weights::RecallWeights;
use super::{PastRun, Recall};
use crate::catalogue::Place;
use crate::measure::{Plan, score};
use crate::regression::{Choice, softmax};

/// How far weights are held near those they start from.
const HOLD_NODES: f64 = 3e-4;
const HOLD_NUMBERS: f64 = 1e-3;
const HOLD_RANKS: f64 = 1e-3;
/// How much better a candidate must be to be wanted alone.
const SHARP: f64 = 12.0;
/// Candidates beyond these would bend nothing. What is right is among them only if it looks
/// likely: kept in any case, whatever is rare would seem to be right.
const CANDIDATES: usize = 160;
/// How often sequences are weighed anew with the weights found so far.
const ROUNDS: usize = 2;

/// Requests to learn from, with the memory they are asked of.
#[derive(Debug)]
pub struct Lesson<'a> {
    pub recall: &'a Recall,
    pub requests: &'a [PastRun],
    /// How many of the remembered runs are asked too, each as if it were not there.
    pub remembered: usize,
    /// How much each of its requests counts.
    pub counts: f32,
}

struct Example<'a> {
    view: View<'a>,
    right: Vec<Place>,
    counts: f32,
}

/// Weights for requests that memory has not seen.
pub fn fit(lessons: &[Lesson<'_>], prior: &RecallWeights, hold: f64) -> RecallWeights {
    let mut examples = Vec::new();
    for lesson in lessons {
        for request in lesson.requests {
            let Some(run) = lesson.recall.known(request) else {
                continue;
            };
            examples.push(Example {
                view: View::new(lesson.recall, &run.request, true, None),
                right: run.tools,
                counts: lesson.counts,
            });
        }
        examples.extend(remembered(lesson));
    }
    weights(&examples, prior, hold)
}

/// Remembered runs, evenly spread, each looked at as if it were not there.
fn remembered<'a>(lesson: &Lesson<'a>) -> Vec<Example<'a>> {
    let memory = &lesson.recall.memory;
    let sample = lesson.remembered.min(memory.len());
    let places: Vec<usize> = (0..sample).map(|at| at * memory.len() / sample).collect();
    let left_out = memory.leave_out(&places);
    let runs = places.iter().filter_map(|at| memory.runs().get(*at));
    runs.zip(&left_out)
        .map(|(run, left_out)| Example {
            view: View::new(lesson.recall, &run.request, true, Some(left_out)),
            right: run.tools.clone(),
            counts: lesson.counts,
        })
        .collect()
}

fn weights(examples: &[Example<'_>], prior: &RecallWeights, hold: f64) -> RecallWeights {
    let mut weights = prior.clone();
    if examples.is_empty() {
        return weights;
    }
    let needed: Vec<_> = examples.iter().filter_map(needed).collect();
    weights.nodes = softmax(&needed, &prior.nodes, HOLD_NODES * hold);
    let numbers: Vec<_> = examples
        .iter()
        .map(|example| {
            let tools: FxHashSet<&Place> = example.right.iter().collect();
            (example.view.number(&weights), tools.len(), example.counts)
        })
        .collect();
    weights.numbers = number::fit(&numbers, &prior.numbers, HOLD_NUMBERS * hold);
    for _ in 0..ROUNDS {
        let choices: Vec<_> = examples
            .iter()
            .map(|example| choice(example, &weights))
            .collect();
        weights.ranks = softmax(&choices, &prior.ranks, HOLD_RANKS * hold);
    }
    weights
}

/// All tools that were looked at, and which of them were needed.
fn needed(example: &Example<'_>) -> Option<Choice<{ super::nodes::COUNT }>> {
    let is_needed = |place: &Place| f32::from(u8::from(example.right.contains(place)));
    let mut targets: Vec<f32> = example.view.places().iter().map(is_needed).collect();
    let sum: f32 = targets.iter().sum();
    for target in &mut targets {
        *target /= sum;
    }
    (sum > 0.0).then(|| Choice {
        candidates: example.view.nodes.clone(),
        targets,
        counts: example.counts,
    })
}

fn choice(example: &Example<'_>, weights: &RecallWeights) -> Choice<{ super::ranker::COUNT }> {
    let right = Plan::chain(example.right.clone());
    let mut scored: Vec<(f32, f64, Candidate)> = example
        .view
        .candidates(weights)
        .into_iter()
        .map(|candidate| {
            let worth = score(&Plan::chain(candidate.tools.clone()), &right).sum() / 3.0;
            let likely = weights.rank(&candidate.features);
            (likely, worth, candidate)
        })
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    scored.truncate(CANDIDATES);
    let raised: Vec<f64> = scored
        .iter()
        .map(|(_, worth, _)| (SHARP * worth).exp())
        .collect();
    let sum: f64 = raised.iter().sum();
    Choice {
        targets: raised.iter().map(|one| (one / sum) as f32).collect(),
        candidates: scored.into_iter().map(|(_, _, one)| one.features).collect(),
        counts: example.counts,
    }
}
