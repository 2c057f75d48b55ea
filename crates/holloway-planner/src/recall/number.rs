//! How many tools does a request want? After each tool, how likely one more is: by how the
//! request is built and by how its tools fall off, which mean the same in any catalogue.

use holloway_search::fusion::top;

use super::memory::Evidence;
use super::ranker::covered;
use super::weights::weighed;
use super::zero_shot::{Reading, Sight};
use crate::regression::{Labelled, logistic};

/// What is seen, and a one at the end that is always there.
pub(super) const COUNT: usize = 9;
/// After one tool, two, three, and four or more.
const HEADS: usize = 4;

pub(super) type Features = [f32; COUNT];
pub(super) type Heads = [Features; HEADS];
/// The logarithms of how likely one tool is, two, and so on; the last one means all beyond.
pub(super) type Likely = [f32; HEADS + 1];

/// `likely` has the logarithm of how likely each tool is needed.
pub(super) fn features(
    reading: &Reading,
    sights: &[Sight],
    likely: &[f32],
    evidence: Option<&Evidence<'_>>,
) -> Features {
    let best = top(likely, 3);
    let at = |rank: usize| best.get(rank).and_then(|at| likely.get(*at)).copied();
    let fall = at(0)
        .zip(at(1))
        .map_or(0.0, |(first, second)| first - second);
    let near = |sight: &Sight| sight.behind.iter().map(|behind| behind.exp()).collect();
    let best = best.iter().filter_map(|at| sights.get(*at));
    let covers: Vec<Vec<f32>> = best.map(near).collect();
    [
        (reading.deeds as f32).ln(),
        (reading.led as f32).ln_1p(),
        (reading.joints as f32).ln_1p(),
        (reading.questions as f32).ln_1p(),
        fall,
        covered(&covers, &[0, 1, 2]) - covered(&covers, &[0, 1]),
        evidence.map_or(0.0, |evidence| evidence.alike.number()),
        evidence.map_or(0.0, |evidence| evidence.coursed.number()),
        1.0,
    ]
}

pub(super) fn likely(features: &Features, heads: &Heads) -> Likely {
    let mut likely = [0.0; HEADS + 1];
    let mut left = 0.0;
    for (number, head) in likely.iter_mut().zip(heads) {
        let logit = weighed(features, head);
        *number = left - soft(logit);
        left -= soft(-logit);
    }
    if let Some(last) = likely.last_mut() {
        *last = left;
    }
    likely
}

/// The logarithm of one and a power.
fn soft(logit: f32) -> f32 {
    logit.max(0.0) + (-logit.abs()).exp().ln_1p()
}

/// How likely so many tools are.
pub(super) fn of(likely: &Likely, tools: usize) -> f32 {
    let number = likely.get(tools.saturating_sub(1)).or(likely.last());
    number.copied().unwrap_or_default()
}

/// By examples, each with its number of tools and how much it counts.
pub(super) fn fit(examples: &[(Features, usize, f32)], prior: &Heads, hold: f64) -> Heads {
    let mut heads = *prior;
    for (head, tools) in heads.iter_mut().zip(1..) {
        let rows: Vec<Labelled<COUNT>> = examples
            .iter()
            .filter(|(_, number, _)| *number >= tools)
            .map(|(features, number, counts)| Labelled {
                features: *features,
                wanted: *number > tools,
                counts: *counts,
            })
            .collect();
        if rows.is_empty() {
            continue;
        }
        let always = head.last().copied().unwrap_or_default();
        let (mut weights, bias) = logistic(&rows, (head, always), hold);
        // What never changes is in the bias.
        if let Some(always) = weights.last_mut() {
            *always = bias;
        }
        *head = weights;
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_likely_adds_up() {
        let mut heads = Heads::default();
        heads[0][COUNT - 1] = 3f32.ln();
        let mut features = Features::default();
        features[COUNT - 1] = 1.0;
        let found = likely(&features, &heads);
        assert!((of(&found, 1).exp() - 0.25).abs() < 1e-6, "{found:?}");
        assert!((found.map(f32::exp).iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(of(&found, 9), of(&found, 5));
        assert_eq!(of(&found, 0), of(&found, 1));
    }

    #[test]
    fn the_number_follows_what_is_seen() {
        let example = |at: usize| {
            let mut features = Features::default();
            features[0] = (at % 3) as f32;
            features[COUNT - 1] = 1.0;
            (features, 1 + at % 3, 1.0)
        };
        let examples: Vec<_> = (0..60).map(example).collect();
        let heads = fit(&examples, &Heads::default(), 1e-3);
        for (features, number, _) in examples {
            let found = likely(&features, &heads);
            let best = (1..6).max_by(|one, other| of(&found, *one).total_cmp(&of(&found, *other)));
            assert_eq!(best, Some(number), "{found:?}");
        }
    }
}
