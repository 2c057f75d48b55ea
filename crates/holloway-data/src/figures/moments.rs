//! Where do numbers lie and how do they spread? Sum, mean, standard deviation,
//! skewness and kurtosis, without drift over long lists and at any magnitude.

use super::rank::is_equal;

/// Neumaier's summation: 0.1 ten times is 1, and large terms do not swallow small ones.
pub fn sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = 0.0_f64;
    let mut lost = 0.0;
    for number in numbers {
        let next = sum + number;
        lost += if sum.abs() >= number.abs() {
            (sum - next) + number
        } else {
            (number - next) + sum
        };
        sum = next;
    }
    // Past the largest number the correction is infinity minus infinity.
    if sum.is_finite() { sum + lost } else { sum }
}

/// Never outside the numbers, however the sum is rounded: equal numbers are their mean.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    let lowest = numbers.iter().copied().min_by(f64::total_cmp)?;
    let highest = numbers.iter().copied().max_by(f64::total_cmp)?;
    let total = sum(numbers.iter().copied());
    Some((total / numbers.len() as f64).max(lowest).min(highest))
}

/// The distances from the mean.
pub struct Deviations {
    pub mean: f64,
    /// In units of `scale`.
    pub values: Vec<f64>,
    /// 1, or a power of two when the squares would leave the range of numbers.
    pub scale: f64,
    /// All numbers are the same.
    pub is_constant: bool,
}

impl Deviations {
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let first = *numbers.first()?;
        let mut mean = mean(numbers)?;
        let mut values: Vec<f64> = numbers.iter().map(|number| number - mean).collect();
        // The mean itself is rounded; what that shifted all distances by is taken out again.
        let shift = self::mean(&values)?;
        mean += shift;
        for value in &mut values {
            *value -= shift;
        }
        let largest = values
            .iter()
            .fold(0.0_f64, |most, value| most.max(value.abs()));
        let is_extreme = largest > 0.0 && !(1e-70..1e70).contains(&largest);
        let scale = if is_extreme {
            largest.log2().floor().exp2()
        } else {
            1.0
        };
        for value in &mut values {
            *value /= scale;
        }
        let is_constant = numbers.iter().all(|number| is_equal(*number, first));
        Some(Self {
            mean,
            values,
            scale,
            is_constant,
        })
    }

    pub fn power_sum(&self, power: i32) -> f64 {
        sum(self.values.iter().map(|value| value.powi(power)))
    }
}

/// The sample standard deviation (divisor count - 1).
pub fn stdev(numbers: &[f64]) -> Option<f64> {
    if numbers.len() < 2 {
        return None;
    }
    let deviations = Deviations::of(numbers)?;
    if deviations.is_constant {
        return Some(0.0);
    }
    let variance = deviations.power_sum(2) / (numbers.len() - 1) as f64;
    Some(variance.sqrt() * deviations.scale)
}

/// The adjusted Fisher–Pearson skewness (as pandas and Excel); none below three values.
pub fn skewness(numbers: &[f64]) -> Option<f64> {
    if numbers.len() < 3 {
        return None;
    }
    let count = numbers.len() as f64;
    let deviations = Deviations::of(numbers)?;
    if deviations.is_constant {
        return None;
    }
    let (second, third) = (
        deviations.power_sum(2) / count,
        deviations.power_sum(3) / count,
    );
    Some((count * (count - 1.0)).sqrt() / (count - 2.0) * third / second.powf(1.5))
}

/// The unbiased excess kurtosis (as pandas and Excel); none below four values.
pub fn kurtosis(numbers: &[f64]) -> Option<f64> {
    if numbers.len() < 4 {
        return None;
    }
    let count = numbers.len() as f64;
    let deviations = Deviations::of(numbers)?;
    if deviations.is_constant {
        return None;
    }
    let (second, fourth) = (
        deviations.power_sum(2) / count,
        deviations.power_sum(4) / count,
    );
    let factor = (count - 1.0) / ((count - 2.0) * (count - 3.0));
    Some(factor * ((count + 1.0) * fourth / (second * second) - 3.0 * (count - 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp)] // exactness is the point
    fn sums_do_not_drift() {
        assert_eq!(sum([0.1; 10]), 1.0);
        assert_eq!(sum([1.0, 1e100, 1.0, -1e100]), 2.0);
        assert_eq!(sum([f64::MAX, f64::MAX]), f64::INFINITY);
    }

    #[test]
    fn magnitudes_do_not_matter() {
        for scale in [1e-200, 1.0, 1e200] {
            let numbers = [1.0, 2.0, 4.0, 8.0].map(|number| number * scale);
            let stdev = stdev(&numbers).unwrap() / scale;
            assert!((stdev - 3.095_695_936_834_452_4).abs() < 1e-12, "{scale}");
            assert!((skewness(&numbers).unwrap() - 1.137_624_366_957_688_9).abs() < 1e-12);
        }
    }

    #[test]
    fn few_or_equal_numbers_have_no_shape() {
        assert_eq!(stdev(&[1.0]), None);
        assert_eq!(skewness(&[1.0, 2.0]), None);
        assert_eq!(skewness(&[0.1, 0.1, 0.1]), None);
        assert_eq!(kurtosis(&[5.0; 10]), None);
        assert_eq!(mean(&[]), None);
    }
}
