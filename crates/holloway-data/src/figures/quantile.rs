//! Which number has this portion of the others below it? Interpolated linearly
//! between the closest ranks at (count - 1) * p, as NumPy, pandas and Excel do.

/// Of sorted numbers.
pub fn quantile(sorted: &[f64], portion: f64) -> Option<f64> {
    let rank = sorted.len().checked_sub(1)? as f64 * portion;
    let below = *sorted.get(rank.floor() as usize)?;
    let above = *sorted.get(rank.ceil() as usize)?;
    // From the nearer side, so that a portion of 1 gives the largest exactly.
    let step = rank.fract();
    if step < 0.5 {
        Some(below + (above - below) * step)
    } else {
        Some(above - (above - below) * (1.0 - step))
    }
}

pub fn median(sorted: &[f64]) -> Option<f64> {
    quantile(sorted, 0.5)
}

pub fn sorted(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The median of numbers in any order, which are put into another.
pub fn median_of(numbers: &mut [f64]) -> Option<f64> {
    let middle = numbers.len() / 2;
    if numbers.is_empty() {
        return None;
    }
    let is_odd = numbers.len() % 2 == 1;
    let (below, upper, _) = numbers.select_nth_unstable_by(middle, f64::total_cmp);
    let upper = *upper;
    if is_odd {
        return Some(upper);
    }
    let lower = below.iter().copied().max_by(f64::total_cmp)?;
    Some(lower + (upper - lower) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_between_numbers_are_interpolated() {
        let numbers = sorted(&[4.0, 1.0, 3.0, 2.0]);
        let check = |portion, expected| assert_eq!(quantile(&numbers, portion), Some(expected));
        check(0.0, 1.0);
        check(0.25, 1.75);
        check(0.5, 2.5);
        check(0.75, 3.25);
        check(1.0, 4.0);
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(median_of(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median_of(&mut [9.0, 1.0, 3.0]), Some(3.0));
        assert_eq!(median_of(&mut []), None);
    }
}
