//! What does memory say about a request it has not seen? Requests that it answers alike are
//! alike, even where their words differ: a second look at who is like whom.

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
    /// `row` and `own` tell how alike runs are without echoes: one to all before it, and
    /// to itself.
    pub(super) fn new(
        echoes: Vec<Profile>,
        row: impl Fn(usize) -> Vec<f32>,
        own: impl Fn(usize) -> f32,
    ) -> Self {
        let mut all = Self::default();
        let count = echoes.len();
        let lone: Vec<f32> = echoes.iter().map(alone).collect();
        for echo in echoes {
            all.profiles.push(echo);
        }
        let Self { profiles, ridge } = &mut all;
        let row = |run: usize| {
            let mut row = row(run);
            if let Some(echo) = profiles.get(run) {
                add(profiles, echo, &mut row);
            }
            row
        };
        let own = |run: usize| own(run) + lone.get(run).copied().unwrap_or_default();
        ridge.extend(count, row, own);
        all
    }

    /// One more run, so alike to those before it and to itself.
    pub(super) fn push(&mut self, echo: Profile, mut alike: Vec<f32>, own: f32) {
        self.add(&echo, &mut alike);
        let own = own + alone(&echo);
        self.profiles.push(echo);
        let count = alike.len() + 1;
        self.ridge.extend(count, |_| alike.clone(), |_| own);
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

/// What an echo counts for a run beside itself.
fn alone(echo: &Profile) -> f32 {
    if echo.is_empty() { 0.0 } else { ECHO }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echo(shares: &[f32]) -> Profile {
        Profile::of_wanted(shares.iter().copied().enumerate())
    }

    #[test]
    fn one_by_one_is_as_good_as_all_at_once() {
        let echoes = [echo(&[1.0, 0.0]), echo(&[0.9, 0.1]), echo(&[0.0, 1.0])];
        let whole = Echoes::new(echoes.to_vec(), |run| vec![0.1; run], |_| 1.0);
        let mut grown = Echoes::default();
        for (run, echo) in echoes.into_iter().enumerate() {
            grown.push(echo, vec![0.1; run], 1.0);
        }
        let asked = || vec![vec![0.1, 0.2, 0.3]];
        assert_eq!(whole.ridge.weights(asked()), grown.ridge.weights(asked()));
    }

    #[test]
    fn those_that_are_answered_alike_are_alike() {
        let mut echoes = Echoes::default();
        echoes.push(echo(&[1.0, 0.0]), vec![], 1.0);
        echoes.push(echo(&[0.0, 1.0]), vec![0.0], 1.0);
        let mut alike = vec![0.5, 0.5];
        echoes.add(&echo(&[1.0, 0.1]), &mut alike);
        assert!(alike[0] > 1.4 && alike[1] < 0.51, "{alike:?}");
    }
}
