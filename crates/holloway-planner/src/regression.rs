//! How are weights found? Newton's method on the loss of choices between candidates, held near
//! weights known before, with every feature in units of its own spread.

use factor::Factor;

pub(crate) mod factor;

/// A row with a label, and how much it counts.
#[derive(Clone, Debug)]
pub(crate) struct Labelled<const D: usize> {
    pub(crate) features: [f32; D],
    pub(crate) wanted: bool,
    pub(crate) counts: f32,
}

/// Candidates of one choice, and how good each would be, summing to one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice<const D: usize> {
    pub(crate) candidates: Vec<[f32; D]>,
    pub(crate) targets: Vec<f32>,
    pub(crate) counts: f32,
}

const STEPS: usize = 25;
const HALVINGS: usize = 6;

/// Weights and a bias for the probability of a label; `hold` keeps them near `prior`. A label is
/// a choice between the row and nothing.
pub(crate) fn logistic<const D: usize>(
    rows: &[Labelled<D>],
    prior: (&[f32; D], f32),
    hold: f64,
) -> ([f32; D], f32) {
    let units = Units::of(rows.iter().map(|row| &row.features));
    let choices = rows.iter().map(|row| {
        let wanted = f64::from(u8::from(row.wanted));
        let mut features = units.scaled(&row.features);
        features.push(1.0);
        Scaled {
            candidates: vec![features, vec![0.0; D + 1]],
            targets: vec![wanted, 1.0 - wanted],
            counts: f64::from(row.counts),
        }
    });
    let mut start = units.weights_scaled(prior.0);
    start.push(f64::from(prior.1));
    let found = minimum(&start, hold, choices.collect());
    let bias = found.last().copied().unwrap_or_default();
    (units.unscaled(&found, prior.0), bias as f32)
}

/// Weights that make good candidates likely.
pub(crate) fn softmax<const D: usize>(
    choices: &[Choice<D>],
    prior: &[f32; D],
    hold: f64,
) -> [f32; D] {
    let units = Units::of(choices.iter().flat_map(|choice| &choice.candidates));
    let scaled = choices.iter().map(|choice| Scaled {
        candidates: choice
            .candidates
            .iter()
            .map(|one| units.scaled(one))
            .collect(),
        targets: choice.targets.iter().map(|one| f64::from(*one)).collect(),
        counts: f64::from(choice.counts),
    });
    let found = minimum(&units.weights_scaled(prior), hold, scaled.collect());
    units.unscaled(&found, prior)
}

/// A choice in units of spread.
struct Scaled {
    candidates: Vec<Vec<f64>>,
    targets: Vec<f64>,
    counts: f64,
}

/// Loss, slope and curvature at a point; of the curvature, the lower triangle.
struct Local {
    loss: f64,
    slope: Vec<f64>,
    curvature: Vec<Vec<f64>>,
}

impl Local {
    /// What only the weights before say.
    fn held(weights: &[f64], start: &[f64], hold: f64) -> Self {
        let apart = weights.iter().zip(start).map(|(one, start)| one - start);
        let slope: Vec<f64> = apart.map(|apart| 2.0 * hold * apart).collect();
        let row = |at: usize| {
            let mut row = vec![0.0; at];
            row.push(2.0 * hold);
            row
        };
        Self {
            loss: slope.iter().map(|one| one * one).sum::<f64>() / (4.0 * hold).max(1e-300),
            curvature: (0..slope.len()).map(row).collect(),
            slope,
        }
    }

    fn add(&mut self, choice: &Scaled, weights: &[f64]) {
        let each = choice.candidates.iter();
        let scores: Vec<f64> = each.map(|one| sum_of(weights, one)).collect();
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let sum: f64 = scores.iter().map(|score| (score - most).exp()).sum();
        let mut mean = vec![0.0; weights.len()];
        for (candidate, score) in choice.candidates.iter().zip(&scores) {
            add(&mut mean, candidate, (score - most).exp() / sum);
        }
        let told = choice.targets.iter().zip(&scores);
        for (candidate, (target, score)) in choice.candidates.iter().zip(told) {
            let chance = (score - most).exp() / sum;
            self.loss -= choice.counts * target * (score - most - sum.ln());
            add(
                &mut self.slope,
                candidate,
                choice.counts * (chance - target),
            );
            // What is hardly ever chosen bends nothing.
            if chance > 1e-5 {
                let both = candidate.iter().zip(&mean);
                let apart: Vec<f64> = both.map(|(one, mean)| one - mean).collect();
                for (row, own) in self.curvature.iter_mut().zip(&apart) {
                    add(row, &apart, own * choice.counts * chance);
                }
            }
        }
    }

    /// How far Newton's method goes from here.
    fn step(&self) -> Vec<f64> {
        let mut factor = Factor::default();
        for row in &self.curvature {
            factor.push(row.iter().map(|cell| *cell as f32).collect());
        }
        let mut side = [self
            .slope
            .iter()
            .map(|one| *one as f32)
            .collect::<Vec<f32>>()];
        factor.solve(&mut side);
        side.iter().flatten().map(|one| f64::from(*one)).collect()
    }
}

/// Newton's method with steps halved where they go too far.
fn minimum(start: &[f64], hold: f64, mut choices: Vec<Scaled>) -> Vec<f64> {
    let total: f64 = choices.iter().map(|choice| choice.counts).sum();
    for choice in &mut choices {
        choice.counts /= total.max(1e-9);
    }
    let at = |weights: &[f64]| {
        let mut local = Local::held(weights, start, hold);
        for choice in &choices {
            local.add(choice, weights);
        }
        local
    };
    let mut weights = start.to_vec();
    let mut here = at(&weights);
    for _ in 0..STEPS {
        let step = here.step();
        let shares = (0..HALVINGS).map(|halved| 0.5f64.powi(halved as i32));
        let mut tries = shares.map(|share| {
            let mut there = weights.clone();
            add(&mut there, &step, -share);
            (at(&there), there)
        });
        let Some((local, there)) = tries.find(|(local, _)| local.loss < here.loss) else {
            break;
        };
        let gained = here.loss - local.loss;
        (weights, here) = (there, local);
        if gained < 1e-7 {
            break;
        }
    }
    weights
}

fn sum_of(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn add(sum: &mut [f64], other: &[f64], by: f64) {
    sum.iter_mut()
        .zip(other)
        .for_each(|(sum, one)| *sum += by * one);
}

/// A feature with less spread never changes, and so tells nothing.
const SAME: f64 = 1e-6;

/// The spreads of features.
struct Units<const D: usize>([f64; D]);

impl<const D: usize> Units<D> {
    fn of<'a>(rows: impl Iterator<Item = &'a [f32; D]> + Clone) -> Self {
        let count = rows.clone().count().max(1) as f64;
        let mut sums = [(0.0, 0.0); D];
        for row in rows {
            for ((sum, squares), value) in sums.iter_mut().zip(row) {
                *sum += f64::from(*value) / count;
                *squares += f64::from(*value).powi(2) / count;
            }
        }
        Self(sums.map(|(mean, squares)| (squares - mean * mean).max(0.0).sqrt()))
    }

    fn scaled(&self, features: &[f32; D]) -> Vec<f64> {
        let both = features.iter().zip(&self.0);
        both.map(|(value, spread)| {
            let told = *spread >= SAME;
            if told {
                f64::from(*value) / spread
            } else {
                0.0
            }
        })
        .collect()
    }

    fn weights_scaled(&self, weights: &[f32; D]) -> Vec<f64> {
        let both = weights.iter().zip(&self.0);
        both.map(|(weight, spread)| f64::from(*weight) * spread)
            .collect()
    }

    /// A feature that tells nothing keeps the weight it had.
    fn unscaled(&self, scaled: &[f64], prior: &[f32; D]) -> [f32; D] {
        let mut weights = *prior;
        let both = scaled.iter().zip(&self.0);
        for (weight, (scaled, spread)) in weights.iter_mut().zip(both) {
            if *spread >= SAME {
                *weight = (scaled / spread) as f32;
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_follows_one_feature_is_learned() {
        let row = |value: f32, wanted: bool| Labelled {
            features: [value, 5.0, -value.powi(2)],
            wanted,
            counts: 1.0,
        };
        let rows: Vec<Labelled<3>> = (0..200)
            .map(|at| at as f32 / 100.0)
            .map(|value| row(value, value > 1.2))
            .collect();
        let (weights, bias) = logistic(&rows, (&[0.0; 3], 0.0), 1e-4);
        let logit = |row: &Labelled<3>| -> f32 {
            bias + row
                .features
                .iter()
                .zip(&weights)
                .map(|(one, other)| one * other)
                .sum::<f32>()
        };
        let wrong = rows.iter().filter(|row| (logit(row) > 0.0) != row.wanted);
        assert!(wrong.count() < 4, "{weights:?} {bias}");
        assert_eq!(weights[1], 0.0);
    }

    #[test]
    fn the_better_candidate_is_learned_and_priors_hold() {
        let choice = |one: [f32; 2], other: [f32; 2]| Choice {
            candidates: vec![one, other],
            targets: vec![0.9, 0.1],
            counts: 1.0,
        };
        let choices = [
            choice([1.0, 0.0], [0.0, 1.0]),
            choice([3.0, 2.0], [2.5, 2.0]),
        ];
        let weights = softmax(&choices, &[0.0, 0.0], 1e-3);
        assert!(weights[0] > weights[1] && weights[0] > 0.0, "{weights:?}");
        let held = softmax(&choices, &[7.0, -2.0], 1e6);
        assert!(
            (held[0] - 7.0).abs() < 0.01 && (held[1] + 2.0).abs() < 0.01,
            "{held:?}"
        );
    }
}
