//! Which sequence is the likeliest? Everything that speaks for or against one, as
//! numbers: how likely its tools are, whether its length fits, and whether its order
//! follows the request, the flow of data and what runs of the past did.

use super::evidence::Evidence;
use super::flow::Flows;
use super::number::{self, Likely};
use super::zero_shot::{Sight, place_of};
use crate::catalogue::Place;

pub(super) const COUNT: usize = 28;
/// Where those features begin that are summed over pairs, and those of direct successors.
const PAIRS: usize = 5;
const PAIR_COUNT: usize = 6;
const NEXT: usize = PAIRS + PAIR_COUNT;
const NEXT_COUNT: usize = 2;
const REST: usize = NEXT + NEXT_COUNT;

pub(super) type Features = [f32; COUNT];

/// The likeliest tools and all that sequences of them are judged by.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) places: Vec<Place>,
    likely: Vec<f32>,
    /// How near each tool comes to the best one of each clause, 0 to 1.
    covers: Vec<Vec<f32>>,
    /// The same by memory.
    covers_by_memory: Vec<Vec<f32>>,
    pairs: Vec<[f32; PAIR_COUNT]>,
    next: Vec<[f32; NEXT_COUNT]>,
    begins: Vec<f32>,
    ends: Vec<f32>,
    /// How likely each number of tools is.
    numbers: Likely,
    evidence: Option<&'a Evidence<'a>>,
}

/// A tool that may be part of a sequence.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) place: Place,
    pub(super) sight: &'a Sight,
    /// The logarithm of how likely it is needed.
    pub(super) likely: f32,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        members: &[Member<'_>],
        numbers: Likely,
        flows: &Flows,
        evidence: Option<&'a Evidence<'a>>,
        is_needed: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let near = |behind: &f32| behind.exp();
        let mut scene = Self {
            places: members.iter().map(|member| member.place).collect(),
            likely: members.iter().map(|member| member.likely).collect(),
            covers: members
                .iter()
                .map(|member| member.sight.behind.iter().map(near).collect())
                .collect(),
            covers_by_memory: Vec::new(),
            pairs: Vec::with_capacity(members.len() * members.len()),
            next: Vec::with_capacity(members.len() * members.len()),
            begins: vec![0.0; members.len()],
            ends: vec![0.0; members.len()],
            numbers,
            evidence,
        };
        if let Some(evidence) = evidence {
            scene.remember(evidence);
        }
        let spots: Vec<f32> = scene
            .covers_by_memory
            .iter()
            .map(|shares| place_of(&shares.iter().map(|share| 4.0 * share).collect::<Vec<_>>()))
            .collect();
        let total: f32 = members.iter().map(|member| member.likely.exp()).sum();
        for (from, first) in members.iter().enumerate() {
            for (at, second) in members.iter().enumerate() {
                if !is_needed(from, at) {
                    scene.pairs.push([0.0; PAIR_COUNT]);
                    scene.next.push([0.0; NEXT_COUNT]);
                    continue;
                }
                let later = |one: f32, other: f32| (2.0 * (other - one)).clamp(-1.0, 1.0);
                let kinds = flows.kind(first.place).zip(flows.kind(second.place));
                let (ahead, behind) = evidence.map_or((0.0, 0.0), |one| {
                    let ahead = one.alike.pair(first.place, second.place).1;
                    (ahead, one.alike.pair(second.place, first.place).1)
                });
                let together = (ahead + behind).clamp(0.0, 1.0) + 0.03;
                scene.pairs.push([
                    later(first.sight.clause_at, second.sight.clause_at),
                    flows.strength(first.place, second.place)
                        - flows.strength(second.place, first.place),
                    kinds.map_or(0.0, |(one, other)| f32::from(one.cmp(&other) as i8) * -0.5),
                    spots
                        .get(from)
                        .zip(spots.get(at))
                        .map_or(0.0, |(one, other)| later(*one, *other)),
                    ahead.clamp(0.0, 1.0) - behind.clamp(0.0, 1.0),
                    evidence.map_or(0.0, |_| together.ln()),
                ]);
                scene.next.push(match evidence {
                    Some(evidence) => following(first, second, total, members.len(), evidence),
                    None => [0.0; NEXT_COUNT],
                });
            }
        }
        scene
    }

    fn remember(&mut self, evidence: &Evidence<'_>) {
        let share = |place: Place| {
            let clauses = evidence.clauses.iter();
            clauses
                .map(|clause| {
                    clause
                        .get(&place)
                        .copied()
                        .unwrap_or_default()
                        .clamp(0.0, 1.0)
                })
                .collect()
        };
        let often = |count: f32, place: Place| ((count + 0.5) / (evidence.uses(place) + 1.0)).ln();
        let places = || self.places.iter().copied();
        self.covers_by_memory = places().map(share).collect();
        self.begins = places()
            .map(|place| often(evidence.begins(place), place))
            .collect();
        self.ends = places()
            .map(|place| often(evidence.ends(place), place))
            .collect();
    }

    /// The numbers of a sequence, given by the places of its tools among those at hand.
    pub(super) fn features(&self, order: &[usize]) -> Features {
        let length = order.len() as f32;
        let is = |condition: bool| f32::from(u8::from(condition));
        let likely = || order.iter().filter_map(|at| self.likely.get(*at).copied());
        let at = |list: &[f32], one: Option<&usize>| {
            one.and_then(|one| list.get(*one))
                .copied()
                .unwrap_or_default()
        };
        let alone = [
            likely().sum(),
            likely().fold(f32::MAX, f32::min),
            length,
            number::of(&self.numbers, order.len()),
            covered(&self.covers, order),
        ];
        let (pairs, next) = self.order(order);
        let remembered = self.evidence.map_or([0.0; COUNT - REST], |evidence| {
            let tools: Vec<Place> = self.tools(order);
            let mut set = tools.clone();
            set.sort_unstable();
            set.dedup();
            let (alike, coursed) = (&evidence.alike, &evidence.coursed);
            let each = || set.iter().map(|tool| told(coursed.tool(*tool)));
            let wanted = || set.iter().map(|tool| told(alike.tool(*tool)));
            let next = tools.windows(2).filter_map(|pair| {
                let [first, second] = pair else { return None };
                Some(told(coursed.pair(*first, *second).0))
            });
            [
                at(&self.begins, order.first()),
                at(&self.ends, order.last()),
                alike.length(order.len()).clamp(0.02, 1.0).ln(),
                told(alike.sequence(&tools)),
                is(evidence.times(&set) > 0.5),
                told(alike.set(&set)),
                covered(&self.covers_by_memory, order),
                told(coursed.sequence(&tools)),
                told(coursed.set(&set)),
                each().sum(),
                each().fold(f32::MAX, f32::min),
                coursed.length(order.len()).clamp(0.02, 1.0).ln(),
                next.sum(),
                wanted().sum(),
                wanted().fold(f32::MAX, f32::min),
            ]
        });
        let mut features = [0.0; COUNT];
        let all = alone.into_iter().chain(pairs).chain(next).chain(remembered);
        for (feature, value) in features.iter_mut().zip(all) {
            *feature = value;
        }
        features
    }

    /// What speaks for an order of the same tools.
    pub(super) fn taste(&self, order: &[usize], weights: &Features) -> f32 {
        let (pairs, next) = self.order(order);
        let values = pairs.into_iter().chain(next);
        let weighed = values.zip(weights.iter().skip(PAIRS));
        weighed.map(|(value, weight)| value * weight).sum()
    }

    pub(super) fn tools(&self, order: &[usize]) -> Vec<Place> {
        order
            .iter()
            .filter_map(|at| self.places.get(*at).copied())
            .collect()
    }

    fn order(&self, order: &[usize]) -> ([f32; PAIR_COUNT], [f32; NEXT_COUNT]) {
        let mut pairs = [0.0; PAIR_COUNT];
        let mut next = [0.0; NEXT_COUNT];
        let count = self.places.len();
        for (at, first) in order.iter().enumerate() {
            let after = order.get(at + 1..).unwrap_or_default();
            for second in after {
                let values = self.pairs.get(first * count + second).into_iter().flatten();
                pairs
                    .iter_mut()
                    .zip(values)
                    .for_each(|(sum, value)| *sum += value);
            }
            if let Some(second) = after.first() {
                let values = self.next.get(first * count + second).into_iter().flatten();
                next.iter_mut()
                    .zip(values)
                    .for_each(|(sum, value)| *sum += value);
            }
        }
        (pairs, next)
    }
}

/// How well one tool follows directly on another: by counts, and by similar runs.
fn following(
    first: &Member<'_>,
    second: &Member<'_>,
    total: f32,
    count: usize,
    evidence: &Evidence<'_>,
) -> [f32; NEXT_COUNT] {
    let seen = evidence.follows(first.place, second.place);
    let likely = seen + 0.6 * second.likely.exp() + 0.02;
    let all = evidence.uses(first.place) + 0.6 * total + 0.02 * count as f32;
    let similar = evidence.alike.pair(first.place, second.place).0;
    [(likely / all).ln(), (similar.clamp(0.0, 1.0) + 0.03).ln()]
}

/// What runs say, about 0 to 1, as a logarithm; nothing is not impossible.
fn told(share: f32) -> f32 {
    (share.clamp(0.0, 1.2) + 0.03).ln()
}

/// How much of the clauses the best tools of a sequence cover, 0 to 1.
pub(super) fn covered(covers: &[Vec<f32>], order: &[usize]) -> f32 {
    let clauses = covers.first().map_or(0, Vec::len);
    let best = |clause: usize| {
        let each = order.iter().filter_map(|at| covers.get(*at)?.get(clause));
        each.copied().fold(0.0, f32::max)
    };
    (0..clauses).map(best).sum::<f32>() / clauses.max(1) as f32
}

/// Scores of candidates as probabilities.
pub(super) fn softmax(scores: &[f32]) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let raised: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f32 = raised.iter().sum();
    raised.into_iter().map(|one| one / sum.max(1e-9)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up() {
        let shares = softmax(&[1.0, 1.0, 1.0 - 3f32.ln()]);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((shares[0] / shares[2] - 3.0).abs() < 1e-4);
        assert!(softmax(&[]).is_empty());
    }

    #[test]
    fn clauses_are_covered_by_the_best_of_a_sequence() {
        let covers = [vec![1.0, 0.0], vec![0.5, 0.5]];
        assert_eq!(covered(&covers, &[0]), 0.5);
        assert_eq!(covered(&covers, &[1, 0]), 0.75);
        assert_eq!(covered(&covers, &[]), 0.0);
        assert_eq!(covered(&[], &[0]), 0.0);
    }
}
