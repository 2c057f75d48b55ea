//! What counts how much? Weights that come with Holloway, for so many remembered runs
//! each, and between them by the logarithm of that number; with enough runs at hand
//! weights of one's own take their place.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::{nodes, number, ranker};

static SHIPPED: LazyLock<Arc<ShippedRecall>> = LazyLock::new(|| {
    // Unreadable weights would be plain ones; a test sees to it that they can be read.
    let read = serde_json::from_str(include_str!("../../data/recall.json"));
    Arc::new(read.unwrap_or_default())
});

/// What decides between tools and between sequences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecallWeights {
    /// How likely a tool is needed.
    pub(super) nodes: nodes::Features,
    /// How likely one more tool is needed.
    pub(super) numbers: number::Heads,
    /// How likely a sequence is the right one.
    pub(super) ranks: ranker::Features,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ShippedRecall {
    /// For people.
    pub fitted_on: String,
    /// By rising numbers of runs.
    pub steps: Vec<WeightStep>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WeightStep {
    pub runs: usize,
    #[serde(flatten)]
    pub weights: RecallWeights,
}

impl RecallWeights {
    fn combined(&self, own: f32, other: &Self, share: f32) -> Self {
        let mut sum = self.clone();
        let pairs = sum.nodes.iter_mut().zip(&other.nodes);
        let heads = sum.numbers.iter_mut().zip(&other.numbers);
        let pairs = pairs.chain(heads.flat_map(|(one, other)| one.iter_mut().zip(other)));
        for (weight, other) in pairs.chain(sum.ranks.iter_mut().zip(&other.ranks)) {
            *weight = own * *weight + share * other;
        }
        sum
    }

    pub(super) fn node(&self, features: &nodes::Features) -> f32 {
        weighed(features, &self.nodes)
    }

    pub(super) fn rank(&self, features: &ranker::Features) -> f32 {
        weighed(features, &self.ranks)
    }
}

pub(super) fn weighed(features: &[f32], weights: &[f32]) -> f32 {
    features
        .iter()
        .zip(weights)
        .map(|(one, other)| one * other)
        .sum()
}

impl ShippedRecall {
    /// The weights in the binary, read when first asked for.
    pub fn of_binary() -> Arc<Self> {
        Arc::clone(&SHIPPED)
    }

    /// Own weights, changed as much as these change between two numbers of runs.
    pub(super) fn grown(&self, own: &RecallWeights, from: usize, to: usize) -> RecallWeights {
        let change = self.at(to).combined(1.0, &self.at(from), -1.0);
        own.combined(1.0, &change, 1.0)
    }

    /// The weights for so many remembered runs.
    pub fn at(&self, runs: usize) -> RecallWeights {
        let scale = |runs: usize| (runs as f32).ln_1p();
        let above = self.steps.iter().find(|step| step.runs >= runs);
        let below = self.steps.iter().rev().find(|step| step.runs <= runs);
        match (below, above) {
            (Some(below), Some(above)) if below.runs < above.runs => {
                let width = scale(above.runs) - scale(below.runs);
                let share = (scale(runs) - scale(below.runs)) / width;
                below.weights.combined(1.0 - share, &above.weights, share)
            }
            (Some(step), _) | (None, Some(step)) => step.weights.clone(),
            (None, None) => RecallWeights::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_first(first: f32) -> RecallWeights {
        let mut weights = RecallWeights::default();
        weights.nodes[0] = first;
        weights
    }

    #[test]
    fn between_two_steps_weights_follow_the_logarithm() {
        let step = |runs, first| WeightStep {
            runs,
            weights: with_first(first),
        };
        let shipped = ShippedRecall {
            fitted_on: String::new(),
            steps: vec![step(0, 0.0), step(9, 1.0), step(99, 3.0)],
        };
        let first = |runs| shipped.at(runs).nodes[0];
        assert_eq!([0, 9, 99, 5_000].map(first), [0.0, 1.0, 3.0, 3.0]);
        let middle = first(30);
        assert!(middle > 1.9 && middle < 2.1, "{middle}");
        assert_eq!(ShippedRecall::default().at(7), RecallWeights::default());
    }

    #[test]
    fn the_shipped_weights_can_be_read_and_say_where_they_come_from() {
        assert!(SHIPPED.fitted_on.contains("ultratool"));
        assert!(SHIPPED.steps.len() > 3);
        assert!(SHIPPED.steps.is_sorted_by_key(|step| step.runs));
        assert_eq!(SHIPPED.steps.first().map(|step| step.runs), Some(0));
    }
}
