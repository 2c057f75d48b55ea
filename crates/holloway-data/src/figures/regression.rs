//! Which straight line fits best? Least squares with the error of the slope and the
//! chance of such a slope when there is none.

use super::moments::{Deviations, sum};
use super::student::t_two_sided;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub slope: f64,
    pub intercept: f64,
    /// None when the values do not vary.
    pub r: Option<f64>,
    /// None when fewer than three points leave nothing to judge by.
    pub p: Option<f64>,
    pub stderr: Option<f64>,
}

/// The line through these points. None below two points, or when all `x` are the same.
/// The standard error is taken from the residuals.
pub fn line(x: &[f64], y: &[f64]) -> Option<Line> {
    if x.len() < 2 || x.len() != y.len() {
        return None;
    }
    let (across, up) = (Deviations::of(x)?, Deviations::of(y)?);
    if across.is_constant {
        return None;
    }
    let squares = across.power_sum(2);
    let together = sum(across.values.iter().zip(&up.values).map(|(x, y)| x * y));
    let steep = together / squares;
    let unit = up.scale / across.scale;
    let slope = steep * unit;
    let intercept = up.mean - slope * across.mean;
    let flat = Line {
        slope: 0.0,
        intercept: up.mean,
        r: None,
        p: None,
        stderr: None,
    };
    if up.is_constant {
        return Some(flat);
    }
    let spread = (up.power_sum(2) * squares).sqrt();
    let r = (together / spread).clamp(-1.0, 1.0);
    let freedom = x.len() as f64 - 2.0;
    if freedom <= 0.0 {
        return Some(Line {
            slope,
            intercept,
            r: Some(r),
            ..flat
        });
    }
    let points = across.values.iter().zip(&up.values);
    let rest = sum(points.map(|(x, y)| (y - steep * x).powi(2)));
    let error = (rest / freedom / squares).sqrt();
    let p = t_two_sided(steep / error, freedom);
    Some(Line {
        slope,
        intercept,
        r: Some(r),
        p,
        stderr: Some(error * unit),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_give_the_line() {
        let found = line(&[0.0, 1.0, 2.0], &[1.0, 3.0, 5.0]).unwrap();
        assert_eq!(
            (found.slope, found.intercept, found.p),
            (2.0, 1.0, Some(0.0))
        );
        assert_eq!(line(&[1.0, 1.0], &[1.0, 2.0]), None);
        let flat = line(&[1.0, 2.0, 3.0], &[0.1; 3]).unwrap();
        assert_eq!((flat.slope, flat.r, flat.p), (0.0, None, None));
        let two = line(&[1.0, 2.0], &[1.0, 3.0]).unwrap();
        assert_eq!((two.slope, two.p, two.stderr), (2.0, None, None));
    }
}
