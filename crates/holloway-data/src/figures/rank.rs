//! Which place does each number take? Equal numbers share the mean of their places.

use std::cmp::Ordering;

/// The ranks from 1, in the order of the numbers.
pub fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    let at = |index: usize| numbers.get(index).copied().unwrap_or(f64::NAN);
    order.sort_by(|left, right| at(*left).total_cmp(&at(*right)));
    let mut ranks = vec![0.0; numbers.len()];
    let mut before = 0;
    for tied in order.chunk_by(|left, right| is_equal(at(*left), at(*right))) {
        let rank = before as f64 + f64::midpoint(tied.len() as f64, 1.0);
        for index in tied {
            if let Some(place) = ranks.get_mut(*index) {
                *place = rank;
            }
        }
        before += tied.len();
    }
    ranks
}

/// 0 and -0 are the same number.
pub fn is_equal(left: f64, right: f64) -> bool {
    left.partial_cmp(&right) == Some(Ordering::Equal)
}

/// How many numbers share each value, for values that occur more than once.
pub fn ties(numbers: &[f64]) -> Vec<u64> {
    let sorted = super::quantile::sorted(numbers);
    let runs = sorted.chunk_by(|left, right| is_equal(*left, *right));
    runs.map(|run| run.len() as u64)
        .filter(|length| *length > 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_share_a_place() {
        assert_eq!(ranks(&[30.0, 10.0, 20.0, 20.0]), [4.0, 1.0, 2.5, 2.5]);
        assert_eq!(ranks(&[0.0, -0.0]), [1.5, 1.5]);
        assert_eq!(ties(&[1.0, 2.0, 2.0, 1.0, 2.0, 5.0]), [2, 3]);
    }
}
