//! Do two lists of numbers go together? Pearson's and Spearman's coefficients with the
//! chance of one as large when there is no connection.

use super::moments::{Deviations, sum};
use super::rank::ranks;
use super::student::t_two_sided;

/// A coefficient from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    pub coefficient: f64,
    /// None when there are too few values to tell.
    pub p: Option<f64>,
}

/// The linear connection. None below two pairs, or when one side does not vary.
/// Two pairs always lie on a line: p is then 1.
pub fn pearson(left: &[f64], right: &[f64]) -> Option<Correlation> {
    let coefficient = coefficient(left, right)?;
    let p = if left.len() == 2 {
        Some(1.0)
    } else {
        p_of(coefficient, left.len())
    };
    Some(Correlation { coefficient, p })
}

/// The connection of the ranks. With two pairs there is no p.
pub fn spearman(left: &[f64], right: &[f64]) -> Option<Correlation> {
    let coefficient = coefficient(&ranks(left), &ranks(right))?;
    let p = p_of(coefficient, left.len());
    Some(Correlation { coefficient, p })
}

fn coefficient(left: &[f64], right: &[f64]) -> Option<f64> {
    if left.len() < 2 || left.len() != right.len() {
        return None;
    }
    let (left, right) = (Deviations::of(left)?, Deviations::of(right)?);
    if left.is_constant || right.is_constant {
        return None;
    }
    let products = left.values.iter().zip(&right.values).map(|(x, y)| x * y);
    let together = sum(products);
    let apart = (left.power_sum(2) * right.power_sum(2)).sqrt();
    Some((together / apart).clamp(-1.0, 1.0))
}

fn p_of(coefficient: f64, count: usize) -> Option<f64> {
    let freedom = count as f64 - 2.0;
    if freedom <= 0.0 {
        return None;
    }
    let rest = (1.0 - coefficient) * (1.0 + coefficient);
    t_two_sided(coefficient * (freedom / rest).sqrt(), freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_constants() {
        let line = pearson(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]).unwrap();
        assert_eq!((line.coefficient, line.p), (1.0, Some(0.0)));
        assert_eq!(pearson(&[1.0, 2.0], &[5.0, 3.0]).unwrap().p, Some(1.0));
        assert_eq!(pearson(&[1.0, 2.0, 3.0], &[0.1, 0.1, 0.1]), None);
        assert_eq!(pearson(&[1.0], &[1.0]), None);
        let ranks = spearman(&[1.0, 2.0, 3.0, 4.0], &[1.0, 10.0, 100.0, 1e9]).unwrap();
        assert!((ranks.coefficient - 1.0).abs() < 1e-15);
    }
}
