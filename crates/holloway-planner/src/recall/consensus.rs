//! Which of the likely sequences should stand first? The one the others agree with most:
//! when several share most of their tools, being nearly right beats being right by luck.

use crate::measure::{Plan, score};

/// The rest is too unlikely to have a say.
const VOICES: usize = 40;
/// Only one of the likeliest can come first, so that those shown are the likeliest.
const FIRST: usize = 3;

/// The place of the sequence among the first that is best in the mean over all, weighed by
/// how likely they are; sequences stand likeliest first.
pub(super) fn best(sequences: &[(Vec<usize>, f32)]) -> usize {
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
}
