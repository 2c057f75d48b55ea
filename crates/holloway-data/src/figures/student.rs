//! How likely is a figure at least this far from zero by chance? Two-sided tails of
//! Student's t and of the normal distribution, to nearly full precision.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::erf::erfc;

/// The chance of a normal variable at least this far from 0, on either side.
pub fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// The chance of a normal variable above `z`.
pub fn normal_above(z: f64) -> f64 {
    erfc(z / SQRT_2) / 2.0
}

/// The chance of Student's t at least this far from 0, on either side. None without
/// degrees of freedom or for a figure that is no number.
pub fn t_two_sided(t: f64, freedom: f64) -> Option<f64> {
    if t.is_nan() || freedom.is_nan() || freedom <= 0.0 {
        return None;
    }
    if t.is_infinite() {
        return Some(0.0);
    }
    let square = t * t;
    let half = freedom / 2.0;
    // The tail is the incomplete beta function with a = freedom / 2, b = 1 / 2.
    let log_front = -half * (square / freedom).ln_1p();
    let above = square / (freedom + square);
    let below = freedom / (freedom + square);
    let front = log_front.exp() * above.sqrt() * gamma_ratio(half) / PI.sqrt();
    if below < (half + 1.0) / (half + 2.5) {
        Some((front * fraction(half, 0.5, below) / half).min(1.0))
    } else {
        Some((1.0 - front * fraction(0.5, half, above) / 0.5).clamp(0.0, 1.0))
    }
}

/// Γ(a + ½) / Γ(a). The logarithms of the two grow with `a` and would eat up the digits
/// of their difference; the ratio itself has a quickly converging series.
fn gamma_ratio(a: f64) -> f64 {
    let mut factor = 1.0;
    let mut a = a;
    while a < 30.0 {
        factor *= a / (a + 0.5);
        a += 1.0;
    }
    let inverse = 1.0 / a;
    // From the seventh power of 1 / a down to the first.
    let terms = [
        39_325.0 / 33_554_432.0,
        869.0 / 4_194_304.0,
        -399.0 / 262_144.0,
        -21.0 / 32_768.0,
        5.0 / 1024.0,
        1.0 / 128.0,
        -1.0 / 8.0,
    ];
    let value = 1.0 + terms.iter().fold(0.0, |sum, term| (sum + term) * inverse);
    factor * a.sqrt() * value
}

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated
/// forwards by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const STEPS: u32 = 10_000;
    let bounded = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut numerator = 1.0;
    let mut denominator = 1.0 / bounded(1.0 - (a + b) * x / (a + 1.0));
    let mut value = denominator;
    for step in 1..=STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            denominator = 1.0 / bounded(1.0 + term * denominator);
            numerator = bounded(1.0 + term / numerator);
            change = numerator * denominator;
            value *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_the_tables() {
        let check = |t: f64, freedom: f64, expected: f64| {
            let found = t_two_sided(t, freedom).unwrap();
            assert!(
                (found / expected - 1.0).abs() < 1e-12,
                "{t} {freedom}: {found}"
            );
        };
        // One and two degrees of freedom have closed forms.
        check(1.0, 1.0, 0.5);
        check(3.0, 1.0, 1.0 - 2.0 / PI * 3.0_f64.atan());
        check(2.0, 2.0, 1.0 - 2.0 / 6.0_f64.sqrt());
        check(0.5, 2.0, 1.0 - 0.5 / 2.25_f64.sqrt());
        assert_eq!(t_two_sided(f64::INFINITY, 5.0), Some(0.0));
        assert_eq!(t_two_sided(0.0, 5.0), Some(1.0));
        assert_eq!(t_two_sided(1.0, 0.0), None);
    }

    #[test]
    fn many_degrees_of_freedom_come_near_the_normal() {
        let found = t_two_sided(2.0, 1e9).unwrap();
        assert!(
            (found / normal_two_sided(2.0) - 1.0).abs() < 1e-7,
            "{found}"
        );
    }

    #[test]
    fn gamma_ratios_are_exact() {
        // Γ(1) / Γ(½) and Γ(1½) / Γ(1).
        assert!((gamma_ratio(0.5) - 1.0 / PI.sqrt()).abs() < 1e-15);
        assert!((gamma_ratio(1.0) - PI.sqrt() / 2.0).abs() < 1e-15);
        assert!((gamma_ratio(40.0) / 40.0_f64.sqrt() - 0.996_879_958_841_299_5).abs() < 1e-13);
    }
}
