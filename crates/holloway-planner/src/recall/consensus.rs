//! Which of the likely sequences should stand first? The one the others agree with most:
//! when several share most of their tools, being nearly right beats being right by luck. Where
//! there are two opinions, what both think likely beats what only one of them is sure of.

use rustc_hash::FxHashMap;

use crate::catalogue::Place;
use crate::measure::{Plan, score};

/// The rest is too unlikely to have a say.
const VOICES: usize = 40;
/// Only one of the likeliest can come first, so that those shown are the likeliest.
const FIRST: usize = 3;

/// Sequences, each with how likely it is.
pub(super) type Opinion = Vec<(Vec<Place>, f32)>;

/// The first opinion has the share that is given, the other one the rest.
pub(super) fn blended(first: Opinion, other: Opinion, share: f32) -> Opinion {
    let at: FxHashMap<Vec<Place>, usize> = first
        .iter()
        .enumerate()
        .map(|(at, (tools, _))| (tools.clone(), at))
        .collect();
    let mut both: Opinion = first
        .into_iter()
        .map(|(tools, likely)| (tools, share * likely))
        .collect();
    for (tools, likely) in other {
        let likely = (1.0 - share) * likely;
        match at.get(&tools).and_then(|at| both.get_mut(*at)) {
            Some((_, sum)) => *sum += likely,
            None => both.push((tools, likely)),
        }
    }
    both
}

/// The place of the sequence among the first that is best in the mean over all, weighed by
/// how likely they are; sequences stand likeliest first.
pub(super) fn best(sequences: &[(Vec<Place>, f32)]) -> usize {
    let voices = sequences
        .get(..VOICES.min(sequences.len()))
        .unwrap_or_default();
    let plans: Vec<Plan> = voices
        .iter()
        .map(|(tools, _)| Plan::chain(tools.clone()))
        .collect();
    let worth = |plan: &Plan| -> f32 {
        let each = plans.iter().zip(voices);
        each.map(|(other, (_, probability))| probability * score(plan, other).sum() as f32)
            .sum()
    };
    let worths: Vec<f32> = plans.iter().take(FIRST).map(worth).collect();
    let first = |best: usize, (at, worth): (usize, &f32)| {
        let most = worths.get(best).copied().unwrap_or(f32::MIN);
        if *worth > most { at } else { best }
    };
    worths.iter().enumerate().fold(0, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sequences: &[(&[usize], f32)], expected: usize) {
        let sequences: Vec<(Vec<usize>, f32)> = sequences
            .iter()
            .map(|(tools, probability)| (tools.to_vec(), *probability))
            .collect();
        assert_eq!(best(&sequences), expected);
    }

    #[test]
    fn agreement_beats_a_narrow_lead() {
        check(&[(&[7, 8], 0.36), (&[1, 2], 0.34), (&[1, 2, 3], 0.3)], 1);
        check(&[(&[7, 8], 0.9), (&[1, 2], 0.05), (&[1, 2, 3], 0.05)], 0);
        check(&[(&[4], 1.0)], 0);
        check(&[], 0);
    }

    #[test]
    fn what_both_think_likely_wins() {
        let first = vec![(vec![1], 0.6), (vec![1, 2], 0.4)];
        let other = vec![(vec![3], 0.5), (vec![1, 2], 0.5)];
        let both = blended(first, other, 0.5);
        let expected: Opinion = vec![(vec![1], 0.3), (vec![1, 2], 0.45), (vec![3], 0.25)];
        assert_eq!(both, expected);
    }
}
