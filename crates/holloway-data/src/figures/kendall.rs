//! Do two lists rise together? Kendall's tau-b, and the Mann–Kendall test that asks the
//! same of a series and its time.

use super::correlation::Correlation;
use super::rank::{is_equal, ties};
use super::student::normal_two_sided;

/// How the pairs of observations stand to each other.
#[derive(Clone, Debug)]
pub struct Pairs {
    count: u64,
    total: u64,
    left_ties: Vec<u64>,
    right_ties: Vec<u64>,
    discordant: u64,
    /// Pairs that rise together minus pairs that do not.
    pub score: i64,
}

fn pairs_in(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

impl Pairs {
    /// Counts all pairs in n log n steps: sort by the left, then count the swaps that
    /// sorting by the right takes.
    pub fn of(left: &[f64], right: &[f64]) -> Self {
        let mut both: Vec<(f64, f64)> = left.iter().copied().zip(right.iter().copied()).collect();
        both.sort_by(|a, b| order(a.0, b.0).then_with(|| order(a.1, b.1)));
        let same = |a: &(f64, f64), b: &(f64, f64)| is_equal(a.0, b.0) && is_equal(a.1, b.1);
        let joint: u64 = both
            .chunk_by(same)
            .map(|run| pairs_in(run.len() as u64))
            .sum();
        let mut second: Vec<f64> = both.iter().map(|pair| pair.1).collect();
        let discordant = sort_counting(&mut second);
        let (left_ties, right_ties) = (ties(left), ties(right));
        let tied = |ties: &[u64]| ties.iter().map(|count| pairs_in(*count)).sum::<u64>();
        let count = both.len() as u64;
        let total = pairs_in(count);
        let score =
            (total + joint) as i64 - (tied(&left_ties) + tied(&right_ties) + 2 * discordant) as i64;
        Self {
            count,
            total,
            left_ties,
            right_ties,
            discordant,
            score,
        }
    }

    fn tied(ties: &[u64]) -> u64 {
        ties.iter().map(|count| pairs_in(*count)).sum()
    }

    /// The variance of the score when there is no connection.
    pub fn variance(&self) -> f64 {
        let count = self.count as f64;
        let ordered = count * (count - 1.0);
        let of = |ties: &[u64], term: fn(f64) -> f64| -> f64 {
            ties.iter().map(|count| term(*count as f64)).sum()
        };
        let twos = |t: f64| t * (t - 1.0);
        let threes = |t: f64| t * (t - 1.0) * (t - 2.0);
        let fives = |t: f64| t * (t - 1.0) * (2.0 * t + 5.0);
        let (left, right) = (&self.left_ties, &self.right_ties);
        let plain = (ordered * (2.0 * count + 5.0) - of(left, fives) - of(right, fives)) / 18.0;
        let second = of(left, twos) * of(right, twos) / (2.0 * ordered);
        let third = of(left, threes) * of(right, threes);
        let third = if third > 0.0 {
            third / (9.0 * ordered * (count - 2.0))
        } else {
            0.0
        };
        plain + second + third
    }
}

/// Tau-b. None below two pairs, or when one side does not vary. p is exact without
/// ties up to 33 pairs, else from the normal approximation.
pub fn kendall(left: &[f64], right: &[f64]) -> Option<Correlation> {
    let pairs = Pairs::of(left, right);
    let free_left = pairs.total - Pairs::tied(&pairs.left_ties);
    let free_right = pairs.total - Pairs::tied(&pairs.right_ties);
    if free_left == 0 || free_right == 0 {
        return None;
    }
    let tau = pairs.score as f64 / (free_left as f64).sqrt() / (free_right as f64).sqrt();
    let fewest = pairs.discordant.min(pairs.total - pairs.discordant);
    let has_ties = free_left < pairs.total || free_right < pairs.total;
    let p = if !has_ties && (pairs.count <= 33 || fewest <= 1) {
        exact_two_sided(pairs.count, fewest)
    } else {
        normal_two_sided(pairs.score as f64 / pairs.variance().sqrt())
    };
    let coefficient = tau.clamp(-1.0, 1.0);
    Some(Correlation {
        coefficient,
        p: Some(p),
    })
}

/// The Mann–Kendall test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannKendall {
    pub score: i64,
    pub z: f64,
    pub p: f64,
}

/// Whether a series rises or falls with time, with the correction for continuity.
/// None below three values, or when time or series do not vary.
pub fn mann_kendall(times: &[f64], values: &[f64]) -> Option<MannKendall> {
    if values.len() < 3 {
        return None;
    }
    let pairs = Pairs::of(times, values);
    let variance = pairs.variance();
    if variance <= 0.0 || pairs.total == Pairs::tied(&pairs.right_ties) {
        return None;
    }
    let z = (pairs.score - pairs.score.signum()) as f64 / variance.sqrt();
    Some(MannKendall {
        score: pairs.score,
        z,
        p: normal_two_sided(z),
    })
}

/// How likely an arrangement of `count` things has at most `swaps` swaps, or at most as
/// many too few: twice the tail of the numbers of inversions.
fn exact_two_sided(count: u64, swaps: u64) -> f64 {
    if count <= 2 {
        return 1.0;
    }
    if 4 * swaps == count * (count - 1) {
        return 1.0;
    }
    if swaps <= 1 {
        // 1 arrangement has none, count - 1 have one.
        let arrangements: f64 = (1..=count).map(|factor| factor as f64).product();
        let fitting = if swaps == 0 { 1.0 } else { count as f64 };
        return (2.0 * fitting / arrangements).min(1.0);
    }
    // The share of arrangements of the first n things by their number of swaps.
    let mut shares = vec![0.0_f64; swaps as usize + 1];
    if let Some(first) = shares.first_mut() {
        *first = 1.0;
    }
    for things in 2..=count {
        let before = shares.clone();
        let mut running = 0.0;
        for (index, share) in shares.iter_mut().enumerate() {
            running += before.get(index).copied().unwrap_or(0.0);
            let leaving = index.checked_sub(things as usize);
            running -= leaving
                .and_then(|at| before.get(at))
                .copied()
                .unwrap_or(0.0);
            *share = running / things as f64;
        }
    }
    (2.0 * shares.iter().sum::<f64>()).min(1.0)
}

fn order(left: f64, right: f64) -> std::cmp::Ordering {
    // 0 and -0 are the same number, which the total order does not say.
    left.partial_cmp(&right)
        .unwrap_or(std::cmp::Ordering::Equal)
}

/// Sorts, and counts the pairs that stood the wrong way round.
fn sort_counting(values: &mut [f64]) -> u64 {
    let mut swaps = 0;
    let mut width = 1;
    let mut merged = Vec::with_capacity(values.len());
    while width < values.len() {
        for block in values.chunks_mut(2 * width) {
            let (first, second) = block.split_at(width.min(block.len()));
            swaps += merge(first, second, &mut merged);
            block.copy_from_slice(&merged);
        }
        width *= 2;
    }
    swaps
}

fn merge(mut first: &[f64], mut second: &[f64], merged: &mut Vec<f64>) -> u64 {
    let mut swaps = 0;
    merged.clear();
    while let ([left, left_rest @ ..], [right, right_rest @ ..]) = (first, second) {
        if left <= right {
            merged.push(*left);
            first = left_rest;
        } else {
            swaps += first.len() as u64;
            merged.push(*right);
            second = right_rest;
        }
    }
    merged.extend_from_slice(first);
    merged.extend_from_slice(second);
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_are_counted_as_a_slow_count_would() {
        let left: Vec<f64> = (0..60).map(|n| f64::from(n * 37 % 17)).collect();
        let right: Vec<f64> = (0..60).map(|n| f64::from(n * 23 % 11)).collect();
        let mut slow = 0_i64;
        for a in 0..60 {
            for b in 0..a {
                let product = (left[a] - left[b]) * (right[a] - right[b]);
                slow += i64::from(product > 0.0) - i64::from(product < 0.0);
            }
        }
        assert_eq!(Pairs::of(&left, &right).score, slow);
    }

    #[test]
    fn exact_chances_of_small_lists() {
        let check = |count, swaps, expected: f64| {
            let found = exact_two_sided(count, swaps);
            assert!((found - expected).abs() < 1e-14, "{count} {swaps}: {found}");
        };
        check(2, 0, 1.0);
        check(3, 0, 2.0 / 6.0);
        check(3, 1, 1.0);
        // Of the 24 arrangements of four things, 1, 3, 5 have 0, 1, 2 swaps.
        check(4, 1, 8.0 / 24.0);
        check(4, 2, 18.0 / 24.0);
        check(4, 3, 1.0);
    }

    #[test]
    fn a_rising_series_is_seen() {
        let times: Vec<f64> = (0..10).map(f64::from).collect();
        let test = mann_kendall(&times, &times).unwrap();
        assert_eq!(test.score, 45);
        assert!(test.p < 0.001);
        assert_eq!(mann_kendall(&times, &[1.0; 10]), None);
    }
}
