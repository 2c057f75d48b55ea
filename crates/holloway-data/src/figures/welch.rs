//! Do two samples have different means? Welch's t test, which does not ask that both
//! spread alike.

use super::moments::{mean, stdev};
use super::student::t_two_sided;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    pub t: f64,
    pub freedom: f64,
    pub p: f64,
}

/// None below two values on either side, or when neither side varies.
pub fn welch(left: &[f64], right: &[f64]) -> Option<Welch> {
    let share = |values: &[f64]| {
        let spread = stdev(values)?;
        Some(spread / (values.len() as f64).sqrt())
    };
    let (left_error, right_error) = (share(left)?, share(right)?);
    let error = left_error.hypot(right_error);
    let difference = mean(left)? - mean(right)?;
    if error <= 0.0 {
        return None;
    }
    let t = difference / error;
    // Shares of the error, so that their fourth powers stay in range.
    let (a, b) = ((left_error / error).powi(4), (right_error / error).powi(4));
    let freedom = 1.0 / (a / (left.len() - 1) as f64 + b / (right.len() - 1) as f64);
    let p = t_two_sided(t, freedom)?;
    Some(Welch { t, freedom, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_spread_gives_the_classic_test() {
        let found = welch(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0]).unwrap();
        assert!((found.t + 1.224_744_871_391_589).abs() < 1e-12);
        assert!((found.freedom - 4.0).abs() < 1e-12);
        assert_eq!(welch(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(welch(&[0.1; 3], &[0.3; 3]), None);
    }
}
