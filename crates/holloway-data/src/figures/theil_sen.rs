//! Which slope do most pairs of points agree on? The Theil–Sen estimate: the median of
//! all slopes, which a few wild values do not move.

use super::quantile::median_of;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Robust {
    pub slope: f64,
    pub intercept: f64,
}

/// How many pairs the estimate looks at.
pub fn pairs(count: usize) -> usize {
    count.saturating_mul(count.saturating_sub(1)) / 2
}

/// None when no two points differ in `x`.
pub fn theil_sen(x: &[f64], y: &[f64]) -> Option<Robust> {
    let points: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    let mut slopes = Vec::with_capacity(pairs(points.len()));
    for (index, (left, low)) in points.iter().enumerate() {
        for (right, high) in points.iter().skip(index + 1) {
            let (across, up) = (right - left, high - low);
            if across.abs() > 0.0 {
                slopes.push(up / across);
            }
        }
    }
    let slope = median_of(&mut slopes)?;
    let (mut x, mut y) = (x.to_vec(), y.to_vec());
    let intercept = median_of(&mut y)? - slope * median_of(&mut x)?;
    Some(Robust { slope, intercept })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wild_value_does_not_move_the_slope() {
        let x: Vec<f64> = (0..9).map(f64::from).collect();
        let mut y: Vec<f64> = x.iter().map(|x| 2.0 * x + 1.0).collect();
        y[4] = 1000.0;
        let found = theil_sen(&x, &y).unwrap();
        assert_eq!((found.slope, found.intercept), (2.0, 3.0));
        assert_eq!(theil_sen(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(theil_sen(&[], &[]), None);
    }
}
