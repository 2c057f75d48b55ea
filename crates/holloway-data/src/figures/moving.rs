//! What is the mean of each value and those before it? In time that does not grow with
//! the window: values are parted into blocks as long as the window, and each window is
//! the end of one block and the start of the next. Nothing is ever subtracted.

/// What a stretch of values adds up to.
#[derive(Clone, Copy)]
struct Stretch {
    sum: f64,
    /// What rounding took from the sum.
    lost: f64,
    lowest: f64,
    highest: f64,
}

impl Stretch {
    const NOTHING: Self = Self {
        sum: 0.0,
        lost: 0.0,
        lowest: f64::INFINITY,
        highest: f64::NEG_INFINITY,
    };

    fn with(self, other: Self) -> Self {
        let sum = self.sum + other.sum;
        let lost = if self.sum.abs() >= other.sum.abs() {
            (self.sum - sum) + other.sum
        } else {
            (other.sum - sum) + self.sum
        };
        Self {
            sum,
            lost: self.lost + other.lost + lost,
            lowest: self.lowest.min(other.lowest),
            highest: self.highest.max(other.highest),
        }
    }

    fn of(value: f64) -> Self {
        Self {
            sum: value,
            lost: 0.0,
            lowest: value,
            highest: value,
        }
    }

    /// Never outside the values, however the sum is rounded.
    fn mean(self, count: usize) -> f64 {
        let total = if self.sum.is_finite() {
            self.sum + self.lost
        } else {
            self.sum
        };
        (total / count as f64).max(self.lowest).min(self.highest)
    }
}

/// Null until there are enough values.
pub fn average(values: &[f64], window: usize) -> Vec<Option<f64>> {
    if window == 0 || window > values.len() {
        return vec![None; values.len()];
    }
    let mut means = Vec::with_capacity(values.len());
    // For each place of the block before: what it and the rest of its block come to.
    let mut ends: Vec<Stretch> = Vec::new();
    for block in values.chunks(window) {
        let mut start = Stretch::NOTHING;
        for (index, value) in block.iter().enumerate() {
            start = start.with(Stretch::of(*value));
            let stretch = if index + 1 == window {
                Some(start)
            } else {
                ends.get(index + 1).map(|end| end.with(start))
            };
            means.push(stretch.map(|stretch| stretch.mean(window)));
        }
        let mut end = Stretch::NOTHING;
        ends.clear();
        for value in block.iter().rev() {
            end = Stretch::of(*value).with(end);
            ends.push(end);
        }
        ends.reverse();
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::moments;

    #[test]
    fn every_window_has_its_mean() {
        let values: Vec<f64> = (0..50).map(|n| f64::from(n * n % 17) - 3.5).collect();
        for window in 1..=51 {
            let found = average(&values, window);
            assert_eq!(found.len(), values.len());
            for (index, mean) in found.iter().enumerate() {
                let expected = (index + 1)
                    .checked_sub(window)
                    .and_then(|start| moments::mean(&values[start..=index]));
                assert_eq!(mean.is_some(), expected.is_some(), "{window} {index}");
                let near = mean
                    .zip(expected)
                    .is_none_or(|(a, b)| (a - b).abs() < 1e-12);
                assert!(near, "{window} {index}: {mean:?} {expected:?}");
            }
        }
    }

    #[test]
    fn large_values_leave_nothing_behind() {
        assert_eq!(
            average(&[1e300, 1.0, 2.0, 3.0], 2)[2..],
            [Some(1.5), Some(2.5)]
        );
        assert_eq!(average(&[0.1; 3], 3)[2], Some(0.1));
    }

    #[test]
    fn a_wide_window_over_many_values_ends() {
        let found = average(&vec![1.0; 400_000], 200_000);
        assert_eq!(found.iter().flatten().count(), 200_001);
    }
}
