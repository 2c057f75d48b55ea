//! What do remembered runs say about a new request? Ridge regression on likeness: every
//! run gets a weight, and whatever is asked (tools, order, length) is the weighted sum of
//! what the runs did. The matrix stands factored, so that one more run is one more row.

use std::ops::Range;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, Slice};

/// How much a run is taken for chance.
const NOISE: f32 = 0.7;
/// So many rows stand together, and are worked on at once.
const PANEL: usize = 256;
/// Smaller squares are not worth dividing.
const SMALL: usize = 16;
const LANES: usize = 32;

/// The Cholesky factor of likeness plus noise.
#[derive(Clone, Debug, Default)]
pub(super) struct Ridge {
    /// Each as wide as its last row is long: one more row must not move the others.
    panels: Vec<Array2<f32>>,
    len: usize,
}

/// The rows of a panel: where they begin, what stands before that, and the triangle at the end.
type Panel<'a> = (usize, ArrayView2<'a, f32>, ArrayView2<'a, f32>);

impl Ridge {
    /// Adds texts up to the given number; `rows` tells how alike some are to all up to the last
    /// of them.
    pub(super) fn extend(&mut self, to: usize, rows: impl Fn(Range<usize>) -> Array2<f32>) {
        while self.len < to {
            let texts = self.len..to.min((self.len / PANEL + 1) * PANEL);
            let mut block = rows(texts);
            let (mut before, mut corner) = block.view_mut().split_at(Axis(1), self.len);
            corner.diag_mut().mapv_inplace(|own| own + NOISE);
            self.forward(0, &mut before);
            general_mat_mul(-1.0, &before, &before.t(), 1.0, &mut corner);
            factor(&mut corner);
            self.append(block.view());
        }
    }

    /// Adds one text, so alike to all there are and, at the end, to itself. Tells the weights
    /// of those before it and the scale of what it has of its own.
    pub(super) fn push(&mut self, mut row: Vec<f32>) -> (Vec<f32>, f32) {
        let own = row.pop().unwrap_or_default();
        descend(self.rows(), &mut row);
        let mut weights = row.clone();
        ascend(self.rows(), &mut weights);
        let left = remainder(own + NOISE, &row);
        row.push(left.sqrt());
        if let Ok(row) = ArrayView2::from_shape((1, row.len()), &row) {
            self.append(row);
        }
        (weights, 1.0 / left)
    }

    /// The weights of the runs for a request that is so alike to them.
    pub(super) fn weigh(&self, mut alike: Vec<f32>) -> Vec<f32> {
        descend(self.rows(), &mut alike);
        ascend(self.rows(), &mut alike);
        alike
    }

    /// The same for many requests, one a row.
    pub(super) fn weights(&self, mut alike: Array2<f32>) -> Array2<f32> {
        self.forward(0, &mut alike.view_mut());
        self.backward(&mut alike.view_mut());
        alike
    }

    /// Columns of the inverse, one a row: what leaving out runs needs.
    pub(super) fn columns(&self, runs: &[usize]) -> Array2<f32> {
        self.weights(self.units(runs.iter().copied()))
    }

    /// The diagonal of the inverse: what leaving out every run needs at once.
    pub(super) fn diagonal(&self) -> Vec<f32> {
        let mut diagonal = Vec::with_capacity(self.len);
        for first in 0..self.panels.len() {
            let begin = first * PANEL;
            let mut units = self.units(begin..self.len.min(begin + PANEL));
            // Nothing stands above the first of them.
            self.forward(first, &mut units.view_mut());
            diagonal.extend(units.rows().into_iter().map(|unit| unit.dot(&unit)));
        }
        diagonal
    }

    fn units(&self, runs: impl ExactSizeIterator<Item = usize>) -> Array2<f32> {
        let mut units = Array2::zeros((runs.len(), self.len));
        for (mut unit, run) in units.rows_mut().into_iter().zip(runs) {
            if let Some(one) = unit.get_mut(run) {
                *one = 1.0;
            }
        }
        units
    }

    /// Takes rows of the factor in; they belong to one panel.
    fn append(&mut self, rows: ArrayView2<'_, f32>) {
        let (at, inside) = (self.len / PANEL, self.len % PANEL);
        if inside == 0 {
            self.panels.push(Array2::zeros((PANEL, (at + 1) * PANEL)));
        }
        let (count, width) = rows.dim();
        if let Some(panel) = self.panels.last_mut() {
            let (mut place, _) = panel.view_mut().split_at(Axis(1), width);
            let inside = Slice::from(inside..inside + count);
            place.slice_axis_mut(Axis(0), inside).assign(&rows);
        }
        self.len += count;
    }

    /// The rows of the factor, each up to its diagonal.
    fn rows(&self) -> impl DoubleEndedIterator<Item = &[f32]> {
        let row = |at: usize| {
            let row = self.panels.get(at / PANEL)?.row(at % PANEL);
            row.to_slice()?.get(..=at)
        };
        (0..self.len).filter_map(row)
    }

    fn panels_from(&self, first: usize) -> impl DoubleEndedIterator<Item = Panel<'_>> {
        let panels = self.panels.iter().enumerate().skip(first);
        panels.map(|(at, panel)| {
            let begin = at * PANEL;
            let count = PANEL.min(self.len - begin);
            // Of the last panel some rows may not be there yet.
            let (rows, _) = panel.view().split_at(Axis(0), count);
            let (before, corner) = rows.split_at(Axis(1), begin);
            (begin, before, corner.split_at(Axis(1), count).0)
        })
    }

    /// Many sides at once, one a row; they have nothing before the first of the panels.
    fn forward(&self, first: usize, sides: &mut ArrayViewMut2<'_, f32>) {
        let nothing = first * PANEL;
        for (begin, before, corner) in self.panels_from(first) {
            let (known, rest) = sides.view_mut().split_at(Axis(1), begin);
            let (mut own, _) = rest.split_at(Axis(1), corner.ncols());
            let (_, known) = known.split_at(Axis(1), nothing);
            let (_, before) = before.split_at(Axis(1), nothing);
            general_mat_mul(-1.0, &known, &before.t(), 1.0, &mut own);
            descend_all(corner, own);
        }
    }

    fn backward(&self, sides: &mut ArrayViewMut2<'_, f32>) {
        for (begin, before, corner) in self.panels_from(0).rev() {
            let (mut rest, own) = sides.view_mut().split_at(Axis(1), begin);
            let (mut own, _) = own.split_at(Axis(1), corner.ncols());
            ascend_all(corner, own.view_mut());
            general_mat_mul(-1.0, &own, &before, 1.0, &mut rest);
        }
    }
}

/// The rows of a square up to their diagonals.
fn triangle(square: ArrayView2<'_, f32>) -> impl DoubleEndedIterator<Item = &[f32]> {
    let rows = square.into_outer_iter().enumerate();
    rows.filter_map(|(at, row)| row.to_slice()?.get(..=at))
}

/// Factors a small square in its place.
fn factor(square: &mut ArrayViewMut2<'_, f32>) {
    for at in 0..square.nrows() {
        let (done, mut rest) = square.view_mut().split_at(Axis(0), at);
        let mut row = rest.row_mut(0);
        let Some((before, [own, beyond @ ..])) = row
            .as_slice_mut()
            .and_then(|row| row.split_at_mut_checked(at))
        else {
            return;
        };
        descend(triangle(done.view()), before);
        *own = remainder(*own, before).sqrt();
        beyond.fill(0.0);
    }
}

/// What a text has of its own; rounding must not make it nothing.
fn remainder(own: f32, shared: &[f32]) -> f32 {
    (own - dot(shared, shared)).max(1e-3)
}

/// Solves by rows of a factor, from the first one on.
fn descend<'a>(rows: impl Iterator<Item = &'a [f32]>, side: &mut [f32]) {
    for row in rows {
        if let Some((diagonal, row)) = row.split_last()
            && let Some((before, [own, ..])) = side.split_at_mut_checked(row.len())
        {
            *own = (*own - dot(row, before)) / diagonal;
        }
    }
}

/// The same by columns, from the last one on.
fn ascend<'a>(rows: impl DoubleEndedIterator<Item = &'a [f32]>, side: &mut [f32]) {
    for row in rows.rev() {
        if let Some((diagonal, row)) = row.split_last()
            && let Some((before, [own, ..])) = side.split_at_mut_checked(row.len())
        {
            *own /= diagonal;
            for (before, cell) in before.iter_mut().zip(row) {
                *before -= *own * cell;
            }
        }
    }
}

/// Many sides at once, one a row, by a square of a factor.
fn descend_all(square: ArrayView2<'_, f32>, sides: ArrayViewMut2<'_, f32>) {
    let half = square.nrows() / 2;
    if half < SMALL {
        return each(sides, |side| descend(triangle(square), side));
    }
    let ([first, before, last], [mut left, mut right]) = divided(half, square, sides);
    descend_all(first, left.view_mut());
    general_mat_mul(-1.0, &left, &before.t(), 1.0, &mut right);
    descend_all(last, right);
}

fn ascend_all(square: ArrayView2<'_, f32>, sides: ArrayViewMut2<'_, f32>) {
    let half = square.nrows() / 2;
    if half < SMALL {
        return each(sides, |side| ascend(triangle(square), side));
    }
    let ([first, before, last], [mut left, mut right]) = divided(half, square, sides);
    ascend_all(last, right.view_mut());
    general_mat_mul(-1.0, &right, &before, 1.0, &mut left);
    ascend_all(first, left);
}

/// A square as its first corner, what stands below that, and its last corner; and the sides
/// that belong to each.
fn divided<'a, 'b>(
    half: usize,
    square: ArrayView2<'a, f32>,
    sides: ArrayViewMut2<'b, f32>,
) -> ([ArrayView2<'a, f32>; 3], [ArrayViewMut2<'b, f32>; 2]) {
    let (top, bottom) = square.split_at(Axis(0), half);
    let (first, _) = top.split_at(Axis(1), half);
    let (before, last) = bottom.split_at(Axis(1), half);
    let (left, right) = sides.split_at(Axis(1), half);
    ([first, before, last], [left, right])
}

fn each(sides: ArrayViewMut2<'_, f32>, work: impl Fn(&mut [f32])) {
    for side in sides.into_outer_iter_mut() {
        if let Some(side) = side.into_slice() {
            work(side);
        }
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

    /// More than a panel.
    const SIZE: usize = PANEL + 44;

    /// A smooth likeness of numbers.
    fn alike(one: usize, other: usize) -> f32 {
        let apart = one as f32 - other as f32;
        (-apart * apart / 50.0).exp()
    }

    fn row(text: usize, texts: usize) -> Vec<f32> {
        (0..texts).map(|before| alike(text, before)).collect()
    }

    fn grown(ridge: &mut Ridge, to: usize) {
        let rows = |texts: Range<usize>| {
            let shape = (texts.len(), texts.end);
            Array2::from_shape_fn(shape, |(at, other)| alike(texts.start + at, other))
        };
        ridge.extend(to, rows);
    }

    fn ridge(size: usize) -> Ridge {
        let mut ridge = Ridge::default();
        grown(&mut ridge, size);
        ridge
    }

    #[track_caller]
    fn check(one: &Ridge, other: &Ridge) {
        assert_eq!(one.len, other.len);
        let cells = one.rows().flatten().zip(other.rows().flatten());
        let apart = cells.map(|(one, other)| (one - other).abs());
        assert!(apart.fold(0.0, f32::max) < 1e-4);
    }

    #[test]
    fn the_weights_solve_what_they_should() {
        let ridge = ridge(SIZE);
        let wanted = row(20, SIZE);
        let weights = ridge.weigh(wanted.clone());
        for (at, wanted) in wanted.iter().enumerate() {
            let sum = dot(&row(at, SIZE), &weights);
            assert!((sum + NOISE * weights[at] - wanted).abs() < 1e-4);
        }
    }

    #[test]
    fn many_at_once_come_to_the_same() {
        let ridge = ridge(SIZE);
        let sides = Array2::from_shape_fn((9, SIZE), |(at, other)| alike(other, at * 31));
        let weights = ridge.weights(sides);
        for (at, weights) in weights.rows().into_iter().enumerate() {
            let alone = ridge.weigh(row(at * 31, SIZE));
            let apart = weights.iter().zip(&alone).map(|(one, other)| one - other);
            assert!(apart.fold(0.0, |most: f32, apart| most.max(apart.abs())) < 1e-4);
        }
    }

    #[test]
    fn one_by_one_is_as_good_as_all_at_once() {
        let mut single = Ridge::default();
        for text in 0..SIZE {
            let expected = single.weigh(row(text, text));
            assert_eq!(single.push(row(text, text + 1)).0, expected);
        }
        check(&single, &ridge(SIZE));
        let mut bit_by_bit = Ridge::default();
        for size in [1, PANEL - 1, PANEL, PANEL + 6, SIZE] {
            grown(&mut bit_by_bit, size);
        }
        check(&bit_by_bit, &ridge(SIZE));
    }

    #[test]
    fn the_diagonal_is_that_of_the_columns() {
        let ridge = ridge(SIZE);
        let runs: Vec<usize> = (0..SIZE).collect();
        let columns = ridge.columns(&runs);
        for (cell, own) in ridge.diagonal().iter().zip(columns.diag()) {
            assert!((cell - own).abs() < 1e-4);
        }
    }

    #[test]
    fn leaving_out_a_run_is_a_column_of_the_inverse() {
        // The same as never having had it: minus the column over its diagonal.
        let size = 30;
        let columns = ridge(size).columns(&[size - 1]);
        let column = columns.row(0);
        let weights = ridge(size - 1).weigh(row(size - 1, size - 1));
        for (weight, cell) in weights.iter().zip(column) {
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
