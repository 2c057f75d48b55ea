//! What counts how much? Weights that come with Holloway, for so many remembered runs
//! each, and between them by the logarithm of that number; with enough runs at hand
//! weights of one's own take their place.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::{nodes, number, ranker};

static SHIPPED: LazyLock<Arc<Shipped>> = LazyLock::new(|| {
    // Unreadable weights would be plain ones; a test sees to it that they can be read.
    let read = serde_json::from_str(include_str!("../../data/recall.json"));
    Arc::new(read.unwrap_or_default())
});

/// What decides between tools and between sequences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// How likely a tool is needed.
    pub(super) nodes: nodes::Features,
    /// How likely one more tool is needed.
    pub(super) numbers: number::Heads,
    /// How likely a sequence is the right one.
    pub(super) ranks: ranker::Features,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Shipped {
    /// For people.
    pub fitted_on: String,
    /// By rising numbers of runs.
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    pub runs: usize,
    #[serde(flatten)]
    pub weights: Weights,
}

impl Default for Weights {
    /// Plain ones to begin learning from.
    fn default() -> Self {
        let mut weights = Self {
            nodes: [0.0; nodes::COUNT],
            numbers: number::Heads::default(),
            ranks: [0.0; ranker::COUNT],
        };
        for (at, weight) in [(0, 0.7), (1, 0.3), (6, 2.0), (7, 0.5)] {
            if let Some(node) = weights.nodes.get_mut(at) {
                *node = weight;
            }
        }
        for (at, weight) in [
            (0, 0.7),
            (3, 1.0),
            (5, 0.5),
            (6, 0.5),
            (7, 0.2),
            (8, 0.5),
            (9, 0.5),
            (10, 0.4),
            (13, 1.0),
            (14, 0.3),
        ] {
            if let Some(rank) = weights.ranks.get_mut(at) {
                *rank = weight;
            }
        }
        weights
    }
}

impl Weights {
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

impl Shipped {
    /// The weights in the binary, read when first asked for.
    pub fn of_binary() -> Arc<Self> {
        Arc::clone(&SHIPPED)
    }

    /// Own weights, changed as much as these change between two numbers of runs.
    pub(super) fn grown(&self, own: &Weights, from: usize, to: usize) -> Weights {
        let change = self.at(to).combined(1.0, &self.at(from), -1.0);
        own.combined(1.0, &change, 1.0)
    }

    /// The weights for so many remembered runs.
    pub fn at(&self, runs: usize) -> Weights {
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
            (None, None) => Weights::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_first(first: f32) -> Weights {
        let mut weights = Weights::default();
        weights.nodes[0] = first;
        weights
    }

    #[test]
    fn between_two_steps_weights_follow_the_logarithm() {
        let step = |runs, first| Step {
            runs,
            weights: with_first(first),
        };
        let shipped = Shipped {
            fitted_on: String::new(),
            steps: vec![step(0, 0.0), step(9, 1.0), step(99, 3.0)],
        };
        let first = |runs| shipped.at(runs).nodes[0];
        assert_eq!([0, 9, 99, 5_000].map(first), [0.0, 1.0, 3.0, 3.0]);
        let middle = first(30);
        assert!(middle > 1.9 && middle < 2.1, "{middle}");
        assert_eq!(Shipped::default().at(7), Weights::default());
    }

    #[test]
    fn the_shipped_weights_can_be_read_and_say_where_they_come_from() {
        assert!(SHIPPED.fitted_on.contains("ultratool"));
        assert!(SHIPPED.steps.len() > 3);
        assert!(SHIPPED.steps.is_sorted_by_key(|step| step.runs));
        assert_eq!(SHIPPED.steps.first().map(|step| step.runs), Some(0));
    }
}
