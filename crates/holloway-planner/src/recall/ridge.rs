//! What do remembered runs say about a new request? Ridge regression on likeness: every
//! run gets a weight, and whatever is asked (tools, order, length) is the weighted sum of
//! what the runs did. The matrix stands factored, so that one more run is one more row.

use std::thread;

/// How much a run is taken for chance.
const NOISE: f32 = 0.7;
/// Rows are added so many at a time, each read of the factor serving all of them.
const BLOCK: usize = 32;
const LANES: usize = 32;
/// From so many products on the work is shared between processors.
const SHARED: usize = 1 << 23;

/// The Cholesky factor of likeness plus noise, row by row, each up to its diagonal.
#[derive(Clone, Debug, Default)]
pub(super) struct Ridge {
    /// Each by itself: one more row must not move the others.
    rows: Vec<Vec<f32>>,
}

impl Ridge {
    /// Adds texts up to the given number; `row` tells how alike one is to all before it,
    /// `own` how alike it is to itself.
    pub(super) fn extend(
        &mut self,
        to: usize,
        row: impl Fn(usize) -> Vec<f32>,
        own: impl Fn(usize) -> f32,
    ) {
        while self.rows.len() < to {
            let begin = self.rows.len();
            let end = to.min(begin + BLOCK);
            let mut rows: Vec<Vec<f32>> = (begin..end).map(&row).collect();
            self.forward(&mut rows);
            for (text, mut row) in (begin..end).zip(rows) {
                // The part that lies beyond what was there when the block began.
                for before in begin..text {
                    self.eliminate(before, &mut row);
                }
                let left = own(text) + NOISE - dot(&row, &row);
                row.push(left.max(1e-3).sqrt());
                self.rows.push(row);
            }
        }
    }

    /// The weights of the runs for requests that are so alike to them.
    pub(super) fn weights(&self, mut alike: Vec<Vec<f32>>) -> Vec<Vec<f32>> {
        self.forward(&mut alike);
        self.backward(&mut alike);
        alike
    }

    /// Adds one text, so alike to all there are and to itself. Tells the weights of those
    /// before it and the scale of what it has of its own.
    pub(super) fn push(&mut self, alike: Vec<f32>, own: f32) -> (Vec<f32>, f32) {
        let mut sides = [alike];
        self.forward(&mut sides);
        let mut weights = sides.clone();
        self.backward(&mut weights);
        let ([mut row], [weights]) = (sides, weights);
        let left = (own + NOISE - dot(&row, &row)).max(1e-3);
        row.push(left.sqrt());
        self.rows.push(row);
        (weights, 1.0 / left)
    }

    /// The diagonal of the inverse: what leaving out every run needs at once.
    pub(super) fn diagonal(&self) -> Vec<f32> {
        let mut diagonal = Vec::with_capacity(self.rows.len());
        for begin in (0..self.rows.len()).step_by(BLOCK) {
            let end = self.rows.len().min(begin + BLOCK);
            let mut sides: Vec<Vec<f32>> = (begin..end).map(|run| self.unit(run)).collect();
            // Nothing stands above the first of them.
            self.forward_from(begin, &mut sides);
            diagonal.extend(sides.iter().map(|side| dot(side, side)));
        }
        diagonal
    }

    fn unit(&self, run: usize) -> Vec<f32> {
        let mut unit = vec![0.0; self.rows.len()];
        if let Some(one) = unit.get_mut(run) {
            *one = 1.0;
        }
        unit
    }

    /// Columns of the inverse: what leaving out runs needs.
    pub(super) fn columns(&self, runs: &[usize]) -> Vec<Vec<f32>> {
        self.weights(runs.iter().map(|run| self.unit(*run)).collect())
    }

    fn forward(&self, sides: &mut [Vec<f32>]) {
        self.forward_from(0, sides);
    }

    /// The same where the sides have nothing before a place; large ones by all processors.
    fn forward_from(&self, first: usize, sides: &mut [Vec<f32>]) {
        let left = self.rows.len().saturating_sub(first);
        if left * left / 2 * sides.len() < SHARED {
            return self.solve(first, sides);
        }
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let each = sides.len().div_ceil(processors).max(1);
        thread::scope(|scope| {
            for sides in sides.chunks_mut(each) {
                scope.spawn(move || self.solve(first, sides));
            }
        });
    }

    fn solve(&self, first: usize, sides: &mut [Vec<f32>]) {
        for at in first..self.rows.len() {
            for side in &mut *sides {
                self.eliminate_from(first, at, side);
            }
        }
    }

    fn eliminate(&self, at: usize, side: &mut [f32]) {
        self.eliminate_from(0, at, side);
    }

    /// One row, where the side has nothing before a place.
    fn eliminate_from(&self, first: usize, at: usize, side: &mut [f32]) {
        let Some((diagonal, row)) = self.row(at) else {
            return;
        };
        let Some((before, [own, ..])) = side.split_at_mut_checked(at) else {
            return;
        };
        let row = row.get(first..).unwrap_or_default();
        let before = before.get(first..).unwrap_or_default();
        *own = (*own - dot(row, before)) / diagonal;
    }

    fn backward(&self, sides: &mut [Vec<f32>]) {
        for at in (0..self.rows.len()).rev() {
            let Some((diagonal, row)) = self.row(at) else {
                continue;
            };
            for side in &mut *sides {
                let Some((before, [own, ..])) = side.split_at_mut_checked(at) else {
                    continue;
                };
                *own /= diagonal;
                let own = *own;
                for (before, cell) in before.iter_mut().zip(row) {
                    *before -= own * cell;
                }
            }
        }
    }

    /// The diagonal of a row and what stands before it.
    fn row(&self, at: usize) -> Option<(f32, &[f32])> {
        let (diagonal, before) = self.rows.get(at)?.split_last()?;
        Some((*diagonal, before))
    }
}

/// In lanes, so that a processor takes several at once.
pub(super) fn dot<'a>(one: &'a [f32], other: &'a [f32]) -> f32 {
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

    /// A smooth likeness of numbers.
    fn alike(one: usize, other: usize) -> f32 {
        let apart = one as f32 - other as f32;
        (-apart * apart / 50.0).exp()
    }

    fn ridge(size: usize) -> Ridge {
        let mut ridge = Ridge::default();
        let row = |text: usize| (0..text).map(|before| alike(text, before)).collect();
        ridge.extend(size, row, |_| 1.0);
        ridge
    }

    #[test]
    fn the_weights_solve_what_they_should() {
        let size = 75;
        let ridge = ridge(size);
        let wanted: Vec<f32> = (0..size).map(|at| alike(at, 20)).collect();
        let weights = ridge.weights(vec![wanted.clone()]).remove(0);
        for (at, wanted) in wanted.iter().enumerate() {
            let sum: f32 = (0..size)
                .map(|other| alike(at, other) * weights[other])
                .sum();
            assert!((sum + NOISE * weights[at] - wanted).abs() < 1e-4);
        }
    }

    #[test]
    fn shared_work_comes_to_the_same() {
        // Large enough to be shared.
        let ridge = ridge(803);
        let sides = || -> Vec<Vec<f32>> {
            let side = |at: usize| (0..803).map(|other| alike(other, at * 9)).collect();
            (0..BLOCK).map(side).collect()
        };
        let (mut shared, mut alone) = (sides(), sides());
        ridge.forward(&mut shared);
        for side in &mut alone {
            for at in 0..ridge.rows.len() {
                ridge.eliminate(at, side);
            }
        }
        let apart = |(one, other): (&f32, &f32)| (one - other).abs();
        let cells = shared.iter().flatten().zip(alone.iter().flatten());
        assert!(cells.map(apart).fold(0.0, f32::max) < 1e-4);
    }

    #[test]
    fn one_by_one_is_as_good_as_all_at_once() {
        let mut grown = Ridge::default();
        for text in 0..39 {
            let row: Vec<f32> = (0..text).map(|before| alike(text, before)).collect();
            let expected = grown.weights(vec![row.clone()]).remove(0);
            assert_eq!(grown.push(row, 1.0).0, expected);
        }
        let whole = ridge(39);
        assert_eq!(grown.rows.len(), 39);
        let cells = grown.rows.iter().flatten();
        let apart = cells
            .zip(whole.rows.iter().flatten())
            .map(|(one, other)| one - other);
        assert!(apart.fold(0.0, |most: f32, apart| most.max(apart.abs())) < 1e-5);
    }

    #[test]
    fn the_diagonal_is_that_of_the_columns() {
        let ridge = ridge(71);
        let runs: Vec<usize> = (0..71).collect();
        let columns = ridge.columns(&runs);
        for (run, cell) in ridge.diagonal().into_iter().enumerate() {
            assert!((cell - columns[run][run]).abs() < 1e-4, "{run}");
        }
    }

    #[test]
    fn leaving_out_a_run_is_a_column_of_the_inverse() {
        // The same as never having had it: minus the column over its diagonal.
        let size = 30;
        let whole = ridge(size);
        let column = whole.columns(&[size - 1]).remove(0);
        let without = ridge(size - 1);
        let asked: Vec<f32> = (0..size - 1).map(|at| alike(at, size - 1)).collect();
        let weights = without.weights(vec![asked]).remove(0);
        for (weight, cell) in weights.iter().zip(&column) {
            assert!((weight + cell / column[size - 1]).abs() < 1e-4);
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
