//! Which vectors lie nearest? Whole numbers with one scale each, compared one by
//! one: fast enough for a hundred thousand tools, and exact.

use simsimd::SpatialSimilarity as _;

use crate::fusion::ALONE;
use crate::table::to_length_one;

const MOST: f32 = 127.0;

/// Many vectors of one length.
#[derive(Debug, Default)]
pub struct Vectors {
    dimensions: usize,
    cells: Vec<i8>,
    scales: Vec<f32>,
}

/// One vector in whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    cells: Vec<i8>,
    scale: f32,
}

impl Vector {
    pub fn of(numbers: &[f32]) -> Self {
        let most = numbers
            .iter()
            .fold(0.0f32, |most, number| most.max(number.abs()));
        let scale = if most > 0.0 { most / MOST } else { 0.0 };
        let whole = |number: &f32| {
            if scale > 0.0 {
                (number / scale).round() as i8
            } else {
                0
            }
        };
        Self {
            cells: numbers.iter().map(whole).collect(),
            scale,
        }
    }

    /// Whether it points nowhere: no word of the text was known.
    pub fn is_nothing(&self) -> bool {
        self.scale == 0.0
    }
}

impl Vectors {
    pub fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            ..Self::default()
        }
    }

    pub fn push(&mut self, vector: &Vector) {
        self.cells.extend_from_slice(&vector.cells);
        self.cells
            .resize((self.scales.len() + 1) * self.dimensions, 0);
        self.scales.push(vector.scale);
    }

    pub fn len(&self) -> usize {
        self.scales.len()
    }

    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// How near each vector is to the first of those wanted, and to the nearest of the others.
    pub fn compare(&self, whole: &Vector, parts: &[Vector]) -> (Vec<f32>, Vec<f32>) {
        let mut near = vec![0.0; self.len()];
        let mut nearest = vec![0.0; if parts.is_empty() { 0 } else { self.len() }];
        if self.dimensions == 0 {
            return (near, nearest);
        }
        // Row by row, so that each row is read from memory but once.
        let rows = || self.cells.chunks_exact(self.dimensions).zip(&self.scales);
        if parts.is_empty() {
            for ((row, scale), near) in rows().zip(&mut near) {
                *near = scale * whole.dot(row);
            }
            return (near, nearest);
        }
        for (((row, scale), near), nearest) in rows().zip(&mut near).zip(&mut nearest) {
            *near = scale * whole.dot(row);
            let dots = parts.iter().map(|part| part.dot(row));
            *nearest = scale * dots.fold(f32::MIN, f32::max);
        }
        (near, nearest)
    }

    /// The mean direction of each group; `groups` has a number for every vector, or [`ALONE`].
    pub fn means(&self, groups: &[u32]) -> Self {
        let numbers = groups.iter().filter(|group| **group != ALONE);
        let count = numbers.max().map_or(0, |most| *most as usize + 1);
        let mut means = Self::new(self.dimensions);
        if self.dimensions == 0 {
            return means;
        }
        let mut sums = vec![0.0; count * self.dimensions];
        let rows = self.cells.chunks_exact(self.dimensions).zip(&self.scales);
        for ((row, scale), group) in rows.zip(groups) {
            let begin = (*group as usize).saturating_mul(self.dimensions);
            let sum = sums.get_mut(begin..begin.saturating_add(self.dimensions));
            for (sum, cell) in sum.into_iter().flatten().zip(row) {
                *sum += scale * f32::from(*cell);
            }
        }
        for sum in sums.chunks_exact_mut(self.dimensions) {
            to_length_one(sum);
            means.push(&Vector::of(sum));
        }
        means
    }

    pub fn get(&self, at: usize) -> Option<Vector> {
        let begin = at * self.dimensions;
        let cells = self.cells.get(begin..begin + self.dimensions)?.to_vec();
        let scale = *self.scales.get(at)?;
        Some(Vector { cells, scale })
    }

    /// How near one vector is.
    pub fn near(&self, wanted: &Vector, at: usize) -> f32 {
        let begin = at * self.dimensions;
        let row = self.cells.get(begin..begin + self.dimensions);
        row.zip(self.scales.get(at))
            .map_or(0.0, |(row, scale)| scale * wanted.dot(row))
    }
}

impl Vector {
    fn dot(&self, row: &[i8]) -> f32 {
        // Vectors of different lengths have nothing in common.
        self.scale * i8::dot(&self.cells, row).unwrap_or_default() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_near_enough() {
        let one = [0.6, -0.8, 0.0];
        let other = [0.36, 0.48, 0.8];
        let mut vectors = Vectors::new(3);
        vectors.push(&Vector::of(&one));
        vectors.push(&Vector::of(&other));
        let (near, nearest) =
            vectors.compare(&Vector::of(&one), &[Vector::of(&other), Vector::of(&one)]);
        let expected = [1.0, 0.6 * 0.36 - 0.8 * 0.48];
        for (found, expected) in near.iter().zip(expected) {
            assert!((found - expected).abs() < 0.01, "{found} {expected}");
        }
        assert!(
            nearest.iter().all(|near| (near - 1.0).abs() < 0.01),
            "{nearest:?}"
        );
        assert_eq!(vectors.near(&Vector::of(&one), 1), near[1]);
        assert_eq!(vectors.near(&Vector::of(&one), 2), 0.0);
        assert_eq!(vectors.get(1), Some(Vector::of(&other)));
        assert_eq!(vectors.get(2), None);
    }

    #[test]
    fn groups_have_a_mean_direction() {
        let mut vectors = Vectors::new(2);
        for vector in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, -1.0]] {
            vectors.push(&Vector::of(&vector));
        }
        let means = vectors.means(&[0, 0, ALONE, 1]);
        let near = means.compare(&Vector::of(&[0.0, 1.0]), &[]).0;
        assert!(
            (near[0] - 0.707).abs() < 0.01 && (near[1] + 1.0).abs() < 0.01,
            "{near:?}"
        );
        assert!(Vectors::new(0).means(&[0, 1]).is_empty());
    }

    #[test]
    fn nothing_is_near_to_nothing() {
        let nothing = Vector::of(&[0.0; 3]);
        assert!(nothing.is_nothing());
        let mut vectors = Vectors::new(3);
        vectors.push(&nothing);
        assert_eq!(vectors.compare(&Vector::of(&[1.0, 0.0, 0.0]), &[]).0, [0.0]);
        let none = Vectors::new(0);
        assert_eq!(none.compare(&Vector::of(&[]), &[]), (vec![], vec![]));
    }
}
