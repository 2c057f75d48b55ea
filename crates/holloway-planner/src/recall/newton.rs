//! How are weights found? Newton's method on a convex loss that is held near weights
//! known before, with every feature in units of its own spread.

/// Rows with a label each, and how much each counts.
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

/// Loss, slope and curvature at a point.
struct Local {
    loss: f64,
    slope: Vec<f64>,
    curvature: Vec<Vec<f64>>,
}

impl Local {
    fn flat(size: usize) -> Self {
        Self {
            loss: 0.0,
            slope: vec![0.0; size],
            curvature: vec![vec![0.0; size]; size],
        }
    }

    fn bend(&mut self, features: &[f64], by: f64) {
        for (row, own) in self.curvature.iter_mut().zip(features) {
            let own = own * by;
            for (cell, other) in row.iter_mut().zip(features) {
                *cell += own * other;
            }
        }
    }

    fn tilt(&mut self, features: &[f64], by: f64) {
        for (slope, feature) in self.slope.iter_mut().zip(features) {
            *slope += by * feature;
        }
    }
}

/// Weights and a bias for the probability of a label; `hold` keeps them near `prior`.
pub(crate) fn logistic<const D: usize>(
    rows: &[Labelled<D>],
    prior: (&[f32; D], f32),
    hold: f64,
) -> ([f32; D], f32) {
    let units = Units::of(rows.iter().map(|row| &row.features), true);
    let all: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| units.scaled(&row.features, true))
        .collect();
    let total: f64 = rows.iter().map(|row| f64::from(row.counts)).sum();
    let start = units.weights_scaled(prior.0, Some(prior.1));
    let found = minimum(&start, hold, |weights| {
        let mut local = Local::flat(D + 1);
        for (row, features) in rows.iter().zip(&all) {
            let counts = f64::from(row.counts) / total.max(1e-9);
            let logit = sum_of(weights, features);
            let chance = 1.0 / (1.0 + (-logit).exp());
            let wanted = f64::from(u8::from(row.wanted));
            let sure = if row.wanted { chance } else { 1.0 - chance };
            local.loss -= counts * sure.max(1e-12).ln();
            local.tilt(features, counts * (chance - wanted));
            local.bend(features, counts * chance * (1.0 - chance));
        }
        local
    });
    units.unscaled(&found, prior.0)
}

/// Weights that make good candidates likely.
pub(crate) fn softmax<const D: usize>(
    choices: &[Choice<D>],
    prior: &[f32; D],
    hold: f64,
) -> [f32; D] {
    let units = Units::of(choices.iter().flat_map(|choice| &choice.candidates), false);
    let all: Vec<Vec<Vec<f64>>> = choices
        .iter()
        .map(|choice| {
            let each = choice.candidates.iter();
            each.map(|one| units.scaled(one, false)).collect()
        })
        .collect();
    let total: f64 = choices.iter().map(|choice| f64::from(choice.counts)).sum();
    let start = units.weights_scaled(prior, None);
    let found = minimum(&start, hold, |weights| {
        let mut local = Local::flat(D);
        for (choice, candidates) in choices.iter().zip(&all) {
            let counts = f64::from(choice.counts) / total.max(1e-9);
            add_choice(&mut local, weights, candidates, &choice.targets, counts);
        }
        local
    });
    units.unscaled(&found, prior).0
}

fn add_choice(
    local: &mut Local,
    weights: &[f64],
    candidates: &[Vec<f64>],
    targets: &[f32],
    counts: f64,
) {
    let scores: Vec<f64> = candidates.iter().map(|one| sum_of(weights, one)).collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let sum: f64 = scores.iter().map(|score| (score - most).exp()).sum();
    let mut mean = vec![0.0; weights.len()];
    let chances: Vec<f64> = scores
        .iter()
        .map(|score| (score - most).exp() / sum)
        .collect();
    for (candidate, chance) in candidates.iter().zip(&chances) {
        for (mean, feature) in mean.iter_mut().zip(candidate) {
            *mean += chance * feature;
        }
    }
    for ((candidate, chance), (target, score)) in candidates
        .iter()
        .zip(&chances)
        .zip(targets.iter().zip(&scores))
    {
        let target = f64::from(*target);
        local.loss -= counts * target * (score - most - sum.ln());
        local.tilt(candidate, counts * (chance - target));
        // What is hardly ever chosen bends nothing.
        if *chance > 1e-5 {
            let apart: Vec<f64> = candidate
                .iter()
                .zip(&mean)
                .map(|(one, mean)| one - mean)
                .collect();
            local.bend(&apart, counts * chance);
        }
    }
}

/// Newton's method with steps halved where they go too far.
fn minimum(start: &[f64], hold: f64, at: impl Fn(&[f64]) -> Local) -> Vec<f64> {
    let held = |weights: &[f64]| {
        let mut local = at(weights);
        let apart = weights
            .iter()
            .zip(start)
            .map(|(weight, start)| weight - start);
        for ((slope, row), (place, apart)) in local
            .slope
            .iter_mut()
            .zip(&mut local.curvature)
            .zip(apart.enumerate())
        {
            *slope += 2.0 * hold * apart;
            local.loss += hold * apart * apart;
            if let Some(cell) = row.get_mut(place) {
                *cell += 2.0 * hold;
            }
        }
        local
    };
    let mut weights = start.to_vec();
    let mut here = held(&weights);
    for _ in 0..STEPS {
        let step = solved(&here.curvature, &here.slope);
        let mut share = 1.0;
        let mut better = None;
        for _ in 0..HALVINGS {
            let there: Vec<f64> = weights
                .iter()
                .zip(&step)
                .map(|(one, step)| one - share * step)
                .collect();
            let local = held(&there);
            if local.loss < here.loss {
                better = Some((there, local));
                break;
            }
            share /= 2.0;
        }
        let Some((there, local)) = better else {
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

/// Solves a small positive system by conjugate gradients.
fn solved(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; right.len()];
    let mut rest = right.to_vec();
    let mut way = rest.clone();
    let mut length = sum_of(&rest, &rest);
    for _ in 0..4 * right.len() {
        if length < 1e-22 {
            break;
        }
        let image: Vec<f64> = matrix.iter().map(|row| sum_of(row, &way)).collect();
        let step = length / sum_of(&way, &image).max(1e-300);
        for ((found, rest), (way, image)) in
            found.iter_mut().zip(&mut rest).zip(way.iter().zip(&image))
        {
            *found += step * way;
            *rest -= step * image;
        }
        let next = sum_of(&rest, &rest);
        for (way, rest) in way.iter_mut().zip(&rest) {
            *way = rest + next / length * *way;
        }
        length = next;
    }
    found
}

fn sum_of(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Means and spreads of features.
struct Units<const D: usize> {
    means: [f64; D],
    spreads: [f64; D],
}

impl<const D: usize> Units<D> {
    fn of<'a>(rows: impl Iterator<Item = &'a [f32; D]> + Clone, centre: bool) -> Self {
        let mut means = [0.0; D];
        let mut spreads = [0.0; D];
        let count = rows.clone().count().max(1) as f64;
        for row in rows.clone() {
            for (mean, value) in means.iter_mut().zip(row) {
                *mean += f64::from(*value) / count;
            }
        }
        for row in rows {
            for ((spread, mean), value) in spreads.iter_mut().zip(&means).zip(row) {
                *spread += (f64::from(*value) - mean).powi(2) / count;
            }
        }
        for spread in &mut spreads {
            *spread = spread.sqrt();
        }
        if !centre {
            means = [0.0; D];
        }
        Self { means, spreads }
    }

    fn scaled(&self, features: &[f32; D], bias: bool) -> Vec<f64> {
        let units = self.means.iter().zip(&self.spreads);
        let scaled = features.iter().zip(units).map(|(value, (mean, spread))| {
            // A feature that never changes tells nothing.
            if *spread < 1e-6 {
                0.0
            } else {
                (f64::from(*value) - mean) / spread
            }
        });
        scaled.chain(bias.then_some(1.0)).collect()
    }

    fn weights_scaled(&self, weights: &[f32; D], bias: Option<f32>) -> Vec<f64> {
        let raw = || weights.iter().map(|weight| f64::from(*weight));
        let scaled = raw()
            .zip(&self.spreads)
            .map(|(weight, spread)| weight * spread);
        let moved: f64 = raw()
            .zip(&self.means)
            .map(|(weight, mean)| weight * mean)
            .sum();
        scaled
            .chain(bias.map(|bias| f64::from(bias) + moved))
            .collect()
    }

    /// A feature that tells nothing keeps the weight it had.
    fn unscaled(&self, scaled: &[f64], prior: &[f32; D]) -> ([f32; D], f32) {
        let mut weights = *prior;
        let mut bias = scaled.get(D).copied().unwrap_or_default();
        let units = self.means.iter().zip(&self.spreads);
        for ((weight, scaled), (mean, spread)) in weights.iter_mut().zip(scaled).zip(units) {
            if *spread >= 1e-6 {
                *weight = (scaled / spread) as f32;
                bias -= scaled / spread * mean;
            }
        }
        (weights, bias as f32)
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
