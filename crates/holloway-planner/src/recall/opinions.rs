//! What if two ways of looking at a request disagree? Each has its say: what both think
//! likely beats what only one of them is sure of.

use rustc_hash::FxHashMap;

use crate::catalogue::Place;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_think_likely_wins() {
        let first = vec![(vec![1], 0.6), (vec![1, 2], 0.4)];
        let other = vec![(vec![3], 0.5), (vec![1, 2], 0.5)];
        let both = blended(first, other, 0.5);
        let expected: Opinion = vec![(vec![1], 0.3), (vec![1, 2], 0.45), (vec![3], 0.25)];
        assert_eq!(both, expected);
    }
}
