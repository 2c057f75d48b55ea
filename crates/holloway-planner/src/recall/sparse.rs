//! How alike are vectors that are mostly empty? Remembered ones stand by what they have, so that
//! all are compared at once.

/// Places and values, of length one.
pub(super) type Vector = Vec<(u32, f32)>;

#[derive(Debug, Default)]
pub(super) struct Sparse {
    /// Which vectors have something at each place, in their order.
    by_place: Vec<Vector>,
    len: u32,
}

impl Sparse {
    pub(super) fn push(&mut self, vector: &Vector) {
        for (place, value) in vector {
            let place = *place as usize;
            if self.by_place.len() <= place {
                self.by_place.resize_with(place + 1, Vec::new);
            }
            if let Some(vectors) = self.by_place.get_mut(place) {
                vectors.push((self.len, *value));
            }
        }
        self.len += 1;
    }

    /// The cosines with the first so many.
    pub(super) fn cosines(&self, vector: &Vector, first: usize) -> Vec<f32> {
        let mut cosines = vec![0.0; first];
        for (place, value) in vector {
            for (other, its) in self.by_place.get(*place as usize).into_iter().flatten() {
                let Some(cosine) = cosines.get_mut(*other as usize) else {
                    break;
                };
                *cosine += value * its;
            }
        }
        cosines
    }
}

pub(super) fn of_length_one(mut vector: Vector) -> Vector {
    let squares = vector.iter().map(|(_, value)| value * value);
    let length = squares.sum::<f32>().sqrt().max(1e-9);
    for (_, value) in &mut vector {
        *value /= length;
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_alike_by_what_they_share() {
        let mut all = Sparse::default();
        for vector in [vec![(0, 3.0), (4, 4.0)], vec![], vec![(4, 1.0)]] {
            all.push(&of_length_one(vector));
        }
        let own = of_length_one(vec![(4, 2.0), (9, 0.0)]);
        assert_eq!(all.cosines(&own, 3), [0.8, 0.0, 1.0]);
        assert_eq!(all.cosines(&own, 1), [0.8]);
    }
}
