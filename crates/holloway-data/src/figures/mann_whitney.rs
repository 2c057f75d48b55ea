//! Does one sample tend to lie above the other? The Mann–Whitney U test over ranks,
//! exact when one sample is small and no values are equal.

use super::rank::{ranks, ties};
use super::student::normal_above;

/// Up to this size of the smaller sample the chance is counted out, not approximated.
const SMALL: usize = 8;
/// Steps that counting out may take; beyond, the approximation is as good.
const STEPS: usize = 20_000_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the left value is larger, equal ones by half.
    pub u: f64,
    pub p: f64,
    pub is_exact: bool,
}

/// None when a sample is empty.
pub fn mann_whitney(left: &[f64], right: &[f64]) -> Option<MannWhitney> {
    if left.is_empty() || right.is_empty() {
        return None;
    }
    let all: Vec<f64> = left.iter().chain(right).copied().collect();
    let ranks = ranks(&all);
    let (first, second) = (left.len() as f64, right.len() as f64);
    let rank_sum: f64 = ranks.iter().take(left.len()).sum();
    let u = rank_sum - first * (first + 1.0) / 2.0;
    let ties = ties(&all);
    let smaller = left.len().min(right.len());
    let lower = u.min(first * second - u);
    let steps = smaller.saturating_mul(lower as usize);
    let is_exact = smaller <= SMALL && ties.is_empty() && steps <= STEPS;
    let p = if is_exact {
        exact(left.len(), right.len(), lower as usize)
    } else {
        let count = first + second;
        let tied: f64 = ties.iter().map(|t| *t as f64).map(|t| t * t * t - t).sum();
        let variance = first * second / 12.0 * ((count + 1.0) - tied / (count * (count - 1.0)));
        let distance = first * second / 2.0 - lower - 0.5;
        let z = if variance > 0.0 {
            distance / variance.sqrt()
        } else {
            f64::NEG_INFINITY
        };
        (2.0 * normal_above(z)).min(1.0)
    };
    Some(MannWhitney { u, p, is_exact })
}

/// Twice the share of arrangements whose U is at most `most`. The numbers of
/// arrangements by their U are the coefficients of a Gaussian binomial.
fn exact(left: usize, right: usize, most: usize) -> f64 {
    let (smaller, larger) = (left.min(right), left.max(right));
    let mut counts = vec![0.0_f64; most + 1];
    if let Some(first) = counts.first_mut() {
        *first = 1.0;
    }
    let mut all = 1.0;
    for step in 1..=smaller {
        all *= (larger + step) as f64 / step as f64;
        // Divided by 1 - q^step, then multiplied by 1 - q^(larger + step).
        for index in step..counts.len() {
            let carried = counts.get(index - step).copied().unwrap_or(0.0);
            if let Some(count) = counts.get_mut(index) {
                *count += carried;
            }
        }
        for index in (larger + step..counts.len()).rev() {
            let taken = counts.get(index - larger - step).copied().unwrap_or(0.0);
            if let Some(count) = counts.get_mut(index) {
                *count -= taken;
            }
        }
    }
    (2.0 * counts.iter().sum::<f64>() / all).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_samples_are_counted_out() {
        let found = mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
        assert_eq!((found.u, found.is_exact), (0.0, true));
        // 1 of the 20 arrangements, on either side.
        assert!((found.p - 0.1).abs() < 1e-15);
        let one = mann_whitney(&[1.0], &[2.0]).unwrap();
        assert!((one.p - 1.0).abs() < 1e-15);
    }

    #[test]
    fn equal_values_are_approximated() {
        let same = mann_whitney(&[1.0, 1.0], &[1.0, 1.0]).unwrap();
        assert_eq!((same.u, same.p, same.is_exact), (2.0, 1.0, false));
        assert_eq!(mann_whitney(&[], &[1.0]), None);
    }
}
