//! What does memory say about a request it has not seen? Requests that it answers alike are
//! alike, even where their words differ: a second look at who is like whom.

use std::ops::Range;

use ndarray::Array2;

use super::profile::{Profile, Profiles};
use super::ridge::Ridge;

/// What such an answer counts beside all else that makes requests alike.
const ECHO: f32 = 1.0;

/// What memory would have said about each of its runs, had that run not been there.
#[derive(Debug, Default)]
pub(super) struct Echoes {
    profiles: Profiles,
    /// The factor of likeness with echoes.
    pub(super) ridge: Ridge,
}

impl Echoes {
    /// `rows` tells how alike runs are without echoes.
    pub(super) fn new(echoes: Vec<Profile>, rows: impl Fn(Range<usize>) -> Array2<f32>) -> Self {
        let mut all = Self::default();
        let count = echoes.len();
        for echo in echoes {
            all.profiles.push(echo);
        }
        let Self { profiles, ridge } = &mut all;
        ridge.extend(count, |runs| {
            let mut rows = rows(runs.clone());
            for (run, row) in runs.zip(rows.rows_mut()) {
                if let (Some(echo), Some(row)) = (profiles.get(run), row.into_slice()) {
                    add(profiles, echo, row);
                }
            }
            rows
        });
        all
    }

    /// One more run, so alike to those before it and to itself.
    pub(super) fn push(&mut self, echo: Profile, mut row: Vec<f32>) {
        self.profiles.push(echo.clone());
        self.add(&echo, &mut row);
        self.ridge.push(row);
    }

    /// Adds what an echo says to how alike a request is to the runs.
    pub(super) fn add(&self, echo: &Profile, alike: &mut [f32]) {
        add(&self.profiles, echo, alike);
    }
}

fn add(profiles: &Profiles, echo: &Profile, alike: &mut [f32]) {
    let cosines = profiles.compare(echo, alike.len());
    for (alike, cosine) in alike.iter_mut().zip(cosines) {
        *alike += ECHO * cosine.powi(4);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echo(shares: &[f32]) -> Profile {
        Profile::of_wanted(shares.iter().copied().enumerate())
    }

    fn alike(one: usize, other: usize) -> f32 {
        if one == other { 1.0 } else { 0.1 }
    }

    #[test]
    fn one_by_one_is_as_good_as_all_at_once() {
        let echoes = [echo(&[1.0, 0.0]), echo(&[0.9, 0.1]), echo(&[0.0, 1.0])];
        let whole = Echoes::new(echoes.to_vec(), |runs| {
            Array2::from_shape_fn((runs.len(), runs.end), |(at, other)| {
                alike(runs.start + at, other)
            })
        });
        let mut grown = Echoes::default();
        for (run, echo) in echoes.into_iter().enumerate() {
            grown.push(echo, (0..=run).map(|other| alike(run, other)).collect());
        }
        let asked = || vec![0.1, 0.2, 0.3];
        let both = whole.ridge.weigh(asked()).into_iter();
        for (one, other) in both.zip(grown.ridge.weigh(asked())) {
            assert!((one - other).abs() < 1e-6);
        }
    }

    #[test]
    fn those_that_are_answered_alike_are_alike() {
        let mut echoes = Echoes::default();
        echoes.push(echo(&[1.0, 0.0]), vec![1.0]);
        echoes.push(echo(&[0.0, 1.0]), vec![0.0, 1.0]);
        let mut alike = vec![0.5, 0.5];
        echoes.add(&echo(&[1.0, 0.1]), &mut alike);
        assert!(alike[0] > 1.4 && alike[1] < 0.51, "{alike:?}");
    }
}
