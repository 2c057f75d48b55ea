//! How is a positive system solved? By its Cholesky factor, kept row by row: one more unknown is
//! one more row. Both the likeness of remembered runs and the fitting of weights are solved here.

const LANES: usize = 32;
/// Rounding must not make what a row has of its own nothing.
const LEAST: f32 = 1e-6;

/// The rows of a lower triangle, each up to its diagonal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factor(Vec<Vec<f32>>);

impl Factor {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds one row of the matrix: its cells before the diagonal, and the diagonal at the end.
    pub(crate) fn push(&mut self, mut row: Vec<f32>) {
        let own = row.pop().unwrap_or_default();
        self.descend(std::slice::from_mut(&mut row));
        row.push((own - dot(&row, &row)).max(LEAST).sqrt());
        self.0.push(row);
    }

    /// Solves for many right sides in their places; each row of the factor is read once for all.
    pub(crate) fn solve(&self, sides: &mut [Vec<f32>]) {
        self.descend(sides);
        for (at, row) in self.0.iter().enumerate().rev() {
            for side in sides.iter_mut() {
                if let Some(((before, own), (row, diagonal))) = split(side, at, row) {
                    *own /= diagonal;
                    for (before, cell) in before.iter_mut().zip(row) {
                        *before -= *own * cell;
                    }
                }
            }
        }
    }

    fn descend(&self, sides: &mut [Vec<f32>]) {
        for (at, row) in self.0.iter().enumerate() {
            for side in sides.iter_mut() {
                if let Some(((before, own), (row, diagonal))) = split(side, at, row) {
                    *own = (*own - dot(row, before)) / diagonal;
                }
            }
        }
    }
}

/// A side up to its cell at a place and that cell; a row up to its diagonal and that.
type Split<'a, 'b> = ((&'a mut [f32], &'a mut f32), (&'b [f32], f32));

fn split<'a, 'b>(side: &'a mut [f32], at: usize, row: &'b [f32]) -> Option<Split<'a, 'b>> {
    let (before, rest) = side.split_at_mut_checked(at)?;
    let (diagonal, row) = row.split_last()?;
    Some(((before, rest.first_mut()?), (row, *diagonal)))
}

/// In lanes, so that a processor takes several at once.
pub(crate) fn dot<'a>(one: &'a [f32], other: &'a [f32]) -> f32 {
    let length = one.len().min(other.len());
    let lanes = |side: &'a [f32]| side.get(..length).unwrap_or_default().as_chunks::<LANES>();
    let ((ones, one_rest), (others, other_rest)) = (lanes(one), lanes(other));
    let mut sums = [0.0; LANES];
    for (one, other) in ones.iter().zip(others) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += one * other;
        }
    }
    let rest = one_rest.iter().zip(other_rest);
    sums.iter().sum::<f32>() + rest.map(|(one, other)| one * other).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 70;

    /// A smooth likeness of numbers, with noise on the diagonal.
    fn cell(one: usize, other: usize) -> f32 {
        let apart = one as f32 - other as f32;
        let noise = if one == other { 0.7 } else { 0.0 };
        (-apart * apart / 50.0).exp() + noise
    }

    fn row(at: usize, size: usize) -> Vec<f32> {
        (0..size).map(|other| cell(at, other)).collect()
    }

    fn factor(size: usize) -> Factor {
        let mut factor = Factor::default();
        (0..size).for_each(|at| factor.push(row(at, at + 1)));
        factor
    }

    #[test]
    fn what_is_found_solves_the_system() {
        let wanted = [row(20, SIZE), vec![1.0; SIZE]];
        let mut found = wanted.to_vec();
        factor(SIZE).solve(&mut found);
        for (wanted, found) in wanted.iter().zip(&found) {
            for (at, wanted) in wanted.iter().enumerate() {
                assert!((dot(&row(at, SIZE), found) - wanted).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn leaving_out_a_row_is_a_column_of_the_inverse() {
        // The same as never having had it: minus the column over its diagonal.
        let size = 30;
        let mut unit = [vec![0.0; size]];
        unit[0][size - 1] = 1.0;
        factor(size).solve(&mut unit);
        let mut without = [row(size - 1, size - 1)];
        factor(size - 1).solve(&mut without);
        for (weight, cell) in without[0].iter().zip(&unit[0]) {
            assert!((weight + cell / unit[0][size - 1]).abs() < 1e-4);
        }
    }

    #[test]
    fn lanes_and_the_rest_are_added() {
        let numbers: Vec<f32> = (1..=39).map(|number| number as f32).collect();
        assert_eq!(dot(&numbers, &numbers), 20_540.0);
        assert_eq!(dot(&numbers, &[2.0]), 2.0);
        assert_eq!(dot(&[], &numbers), 0.0);
    }
}
