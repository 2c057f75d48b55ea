//! How near are many vectors to each other? They stand together, so that all can be compared
//! at once.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, Axis};

use super::ridge::dot;

/// Vectors of one width.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    cells: Vec<f32>,
    width: usize,
}

impl Vectors {
    pub(super) fn new(width: usize) -> Self {
        Self {
            cells: Vec::new(),
            width,
        }
    }

    pub(super) fn push(&mut self, vector: &[f32]) {
        let end = self.cells.len() + self.width;
        self.cells.extend_from_slice(vector);
        self.cells.resize(end, 0.0);
    }

    pub(super) fn get(&self, at: usize) -> &[f32] {
        let begin = at * self.width;
        let vector = self.cells.get(begin..begin + self.width);
        vector.unwrap_or_default()
    }

    /// One with each of them.
    pub(super) fn products<'a>(&'a self, vector: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
        let each = self.cells.chunks_exact(self.width.max(1));
        each.map(|other| dot(vector, other))
    }

    /// Some of them, one a row, with each up to the last of these.
    pub(super) fn square(&self, some: Range<usize>) -> Array2<f32> {
        let shape = (some.end, self.width);
        let cells = self.cells.get(..some.end * self.width);
        let all = ArrayView2::from_shape(shape, cells.unwrap_or_default());
        all.map_or_else(
            |_| Array2::zeros((some.len(), some.end)),
            |all| all.split_at(Axis(0), some.start).1.dot(&all.t()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_compared_as_one_is() {
        let mut vectors = Vectors::new(3);
        for vector in [[1.0, 0.0, 2.0], [0.0, 3.0, 1.0], [1.0, 1.0, 1.0]] {
            vectors.push(&vector);
        }
        let square = vectors.square(1..3);
        for (at, row) in [1, 2].into_iter().zip(square.rows()) {
            let one: Vec<f32> = vectors.products(vectors.get(at)).collect();
            assert_eq!(row.to_vec(), one);
        }
    }

    #[test]
    fn what_is_missing_is_nothing() {
        let mut vectors = Vectors::new(2);
        vectors.push(&[]);
        assert_eq!(vectors.get(0), [0.0, 0.0]);
        assert_eq!(vectors.get(1), [0.0; 0]);
        assert_eq!(Vectors::new(0).square(0..0).dim(), (0, 0));
    }
}
