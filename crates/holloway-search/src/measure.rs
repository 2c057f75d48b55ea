//! How good is a ranking? Recall at 1, 5, 10 and 20 and NDCG at 10, against tools
//! that are known to be right; where several would do, the first of them counts.

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::entry::Entry;
use crate::lines::Request;

/// How many of a ranking are looked at.
pub const DEPTHS: [usize; 4] = [1, 5, 10, 20];
const NDCG_DEPTH: usize = 10;

/// What a request needs, by places in the catalogue: one list per thing needed.
pub type Wanted = Vec<Vec<usize>>;

/// Means over requests, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measure {
    pub requests: usize,
    /// At each of [`DEPTHS`].
    pub recall: [f64; 4],
    pub ndcg: f64,
}

/// Where each tool stands in the catalogue, by its id.
#[derive(Debug)]
pub struct Places<'a>(FxHashMap<&'a str, usize>);

impl<'a> Places<'a> {
    pub fn of(entries: &'a [Entry]) -> Self {
        let places = entries.iter().enumerate();
        Self(
            places
                .map(|(place, entry)| (entry.id.as_str(), place))
                .collect(),
        )
    }

    pub fn get(&self, id: &str) -> Option<usize> {
        self.0.get(id).copied()
    }
}

/// The places of the tools a request needs; none if the catalogue has none of them.
pub fn wanted(request: &Request, places: &Places<'_>) -> Wanted {
    let mut wanted = Wanted::new();
    for tools in &request.tools {
        let ids = tools.iter().filter_map(|id| places.get(id));
        let mut known: Vec<usize> = ids.collect();
        known.sort_unstable();
        known.dedup();
        if !known.is_empty() && !wanted.contains(&known) {
            wanted.push(known);
        }
    }
    wanted
}

/// How many of the things a request needs no tool of the catalogue could do.
pub fn missing(request: &Request, places: &Places<'_>) -> usize {
    let is_missing = |tools: &&Vec<String>| tools.iter().all(|id| places.get(id).is_none());
    request.tools.iter().filter(is_missing).count()
}

impl Measure {
    /// Takes one more ranking into the sums; [`Measure::mean`] makes means of them.
    pub fn add(&mut self, ranking: &[usize], wanted: &Wanted) {
        if wanted.is_empty() {
            return;
        }
        let rank_of = |any: &Vec<usize>| ranking.iter().position(|place| any.contains(place));
        let ranks: Vec<Option<usize>> = wanted.iter().map(rank_of).collect();
        let count = wanted.len() as f64;
        for (recall, depth) in self.recall.iter_mut().zip(DEPTHS) {
            let found = ranks.iter().flatten().filter(|rank| **rank < depth);
            *recall += found.count() as f64 / count;
        }
        let found = ranks.iter().flatten().filter(|rank| **rank < NDCG_DEPTH);
        let gain: f64 = found.map(|rank| discount(*rank)).sum();
        let most: f64 = (0..wanted.len().min(NDCG_DEPTH)).map(discount).sum();
        // A tool that serves two needs reaches the ideal with fewer places.
        self.ndcg += (gain / most).min(1.0);
        self.requests += 1;
    }

    pub fn mean(mut self) -> Self {
        let count = self.requests.max(1) as f64;
        self.recall.iter_mut().for_each(|recall| *recall /= count);
        self.ndcg /= count;
        self
    }
}

fn discount(rank: usize) -> f64 {
    1.0 / (rank as f64 + 2.0).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ranking: &[usize], wanted: Wanted, recall: [f64; 4], ndcg: f64) {
        let mut measure = Measure::default();
        measure.add(ranking, &wanted);
        let measure = measure.mean();
        assert_eq!(measure.recall, recall);
        assert!((measure.ndcg - ndcg).abs() < 1e-9, "{}", measure.ndcg);
    }

    #[test]
    fn recall_is_the_share_of_what_is_needed() {
        check(&[3, 1, 2], vec![vec![3]], [1.0; 4], 1.0);
        check(
            &[3, 1, 2],
            vec![vec![1]],
            [0.0, 1.0, 1.0, 1.0],
            1.0 / 3f64.log2(),
        );
        check(&[3, 1, 2], vec![vec![9]], [0.0; 4], 0.0);
        check(&[], vec![vec![9]], [0.0; 4], 0.0);
        let all = 1.0 + 1.0 / 3f64.log2();
        check(&[3, 1, 2], vec![vec![3], vec![9]], [0.5; 4], 1.0 / all);
        let deep: Vec<usize> = (0..30).collect();
        check(&deep, vec![vec![15]], [0.0, 0.0, 0.0, 1.0], 0.0);
    }

    #[test]
    fn of_several_that_would_do_the_first_counts() {
        check(
            &[3, 1, 2],
            vec![vec![2, 1]],
            [0.0, 1.0, 1.0, 1.0],
            1.0 / 3f64.log2(),
        );
    }

    #[test]
    fn one_tool_for_two_needs_is_no_better_than_perfect() {
        check(&[1, 0], vec![vec![0, 1], vec![1]], [1.0; 4], 1.0);
    }

    #[test]
    fn tools_that_are_not_there_do_not_count() {
        let request = Request {
            id: "r".to_owned(),
            query: String::new(),
            tools: vec![
                vec!["a".to_owned()],
                vec!["gone".to_owned()],
                vec!["a".to_owned()],
            ],
        };
        let entries = [Entry {
            id: "a".to_owned(),
            ..Entry::default()
        }];
        assert_eq!(wanted(&request, &Places::of(&entries)), [[0]]);
        assert_eq!(missing(&request, &Places::of(&entries)), 1);
        let mut measure = Measure::default();
        measure.add(&[0], &Wanted::new());
        assert_eq!(measure.mean(), Measure::default());
    }
}
