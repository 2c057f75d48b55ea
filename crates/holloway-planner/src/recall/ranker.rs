//! Which sequence is the likeliest? Everything that speaks for or against one, as
//! numbers: how likely its tools are, whether its length fits, and whether its order
//! follows the request, the flow of data and what runs of the past did.

use super::counts::set_of;
use super::flow::Flows;
use super::memory::Evidence;
use super::number::{self, Likely};
use super::zero_shot::{Sight, place_of};
use crate::catalogue::Place;

pub(super) const COUNT: usize = ALONE + ORDERED + REMEMBERED;
/// Features of the tools by themselves, of their order, and of what memory says.
const ALONE: usize = 5;
const ORDERED: usize = 6;
const REMEMBERED: usize = 12;

pub(super) type Features = [f32; COUNT];

/// The likeliest tools and all that sequences of them are judged by.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    places: Vec<Place>,
    likely: Vec<f32>,
    /// How near each tool comes to the best one of each clause, 0 to 1.
    covers: Vec<Vec<f32>>,
    /// The same by memory.
    covers_by_memory: Vec<Vec<f32>>,
    /// What speaks for each tool before each other; the last one only if directly before.
    pairs: Vec<[f32; ORDERED]>,
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
    ) -> Self {
        let near = |member: &Member<'_>| {
            let behind = member.sight.behind.iter();
            behind.map(|behind| behind.exp()).collect()
        };
        let by_memory = |member: &Member<'_>| -> Vec<f32> {
            let clauses = evidence.into_iter().flat_map(|one| &one.clauses);
            let shares = clauses.map(|clause| clause.get(&member.place).copied());
            shares
                .map(|share| share.unwrap_or_default().clamp(0.0, 1.0))
                .collect()
        };
        let covers_by_memory: Vec<Vec<f32>> = members.iter().map(by_memory).collect();
        let spot = |shares: &Vec<f32>| {
            place_of(&shares.iter().map(|share| 4.0 * share).collect::<Vec<_>>())
        };
        let spots: Vec<f32> = covers_by_memory.iter().map(spot).collect();
        let known: Vec<(&Member<'_>, f32)> = members.iter().zip(spots).collect();
        let pairs = known.iter().flat_map(|(first, spot)| {
            let after = known.iter();
            after.map(|(second, other)| {
                let [clauses, spots] = [
                    (first.sight.clause_at, second.sight.clause_at),
                    (*spot, *other),
                ]
                .map(|(one, other)| (2.0 * (other - one)).clamp(-1.0, 1.0));
                let forward = flows.strength(first.place, second.place);
                let flow = forward - flows.strength(second.place, first.place);
                let [order, together, next] = evidence.map_or([0.0; 3], |evidence| {
                    let (next, ahead) = evidence.alike.pair(first.place, second.place);
                    let (_, behind) = evidence.alike.pair(second.place, first.place);
                    let order = ahead.clamp(0.0, 1.0) - behind.clamp(0.0, 1.0);
                    let likely = [ahead + behind, next];
                    let [together, next] = likely.map(|one| (one.clamp(0.0, 1.0) + 0.03).ln());
                    [order, together, next]
                });
                [clauses, flow, spots, order, together, next]
            })
        });
        Self {
            pairs: pairs.collect(),
            places: members.iter().map(|member| member.place).collect(),
            likely: members.iter().map(|member| member.likely).collect(),
            covers: members.iter().map(near).collect(),
            covers_by_memory,
            numbers,
            evidence,
        }
    }

    /// The numbers of a sequence, given by the places of its tools among those at hand.
    pub(super) fn features(&self, order: &[usize]) -> Features {
        let likely = || order.iter().filter_map(|at| self.likely.get(*at).copied());
        let alone: [f32; ALONE] = [
            likely().sum(),
            likely().fold(f32::MAX, f32::min),
            order.len() as f32,
            number::of(&self.numbers, order.len()),
            covered(&self.covers, order),
        ];
        let remembered = self
            .evidence
            .map(|evidence| self.remembered(order, evidence));
        let mut features = [0.0; COUNT];
        let all = alone.into_iter().chain(self.ordered(order));
        let all = all.chain(remembered.unwrap_or_default());
        features
            .iter_mut()
            .zip(all)
            .for_each(|(one, value)| *one = value);
        features
    }

    /// What memory says for a sequence.
    fn remembered(&self, order: &[usize], evidence: &Evidence<'_>) -> [f32; REMEMBERED] {
        let tools = self.tools(order);
        let set = set_of(&tools);
        let (alike, coursed) = (&evidence.alike, &evidence.coursed);
        let each = || set.iter().map(|tool| told(coursed.tool(*tool)));
        let wanted = || set.iter().map(|tool| told(alike.tool(*tool)));
        let next = tools.iter().zip(tools.iter().skip(1));
        let next = next.map(|(first, second)| told(coursed.pair(*first, *second).0));
        [
            alike.length(order.len()).clamp(0.02, 1.0).ln(),
            told(alike.sequence(&tools)),
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
    }

    /// What speaks for an order of the same tools.
    pub(super) fn taste(&self, order: &[usize], weights: &Features) -> f32 {
        let values = self.ordered(order).into_iter();
        let weighed = values.zip(weights.iter().skip(ALONE));
        weighed.map(|(value, weight)| value * weight).sum()
    }

    pub(super) fn tools(&self, order: &[usize]) -> Vec<Place> {
        let places = order.iter().map(|at| self.places.get(*at).copied());
        places.flatten().collect()
    }

    fn ordered(&self, order: &[usize]) -> [f32; ORDERED] {
        let mut sums = [0.0; ORDERED];
        for (at, first) in order.iter().enumerate() {
            for (after, second) in order.iter().skip(at + 1).enumerate() {
                let pair = self.pairs.get(first * self.places.len() + second);
                let direct = if after == 0 { ORDERED } else { ORDERED - 1 };
                let values = pair.into_iter().flatten().take(direct);
                sums.iter_mut()
                    .zip(values)
                    .for_each(|(sum, one)| *sum += one);
            }
        }
        sums
    }
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
