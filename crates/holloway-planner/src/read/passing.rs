//! Which words change nothing? Clauses that only tell something ("a customer complained"), and
//! words that no phrase takes in, are weighed by signs that a reviewer can read. The weights are
//! fitted on requests of which it is known (`examples/fit_passing.rs`).

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::regression::{Labelled, logistic};

pub(super) mod clause;
pub(super) mod words;

/// How firmly fitted weights are held near nothing.
const HOLD: f64 = 0.003;

/// Signs with their names, as a struct and as numbers.
macro_rules! signs {
    ($signs:ident, $names:ident; $($(#[$doc:meta])* $name:ident,)*) => {
        /// What speaks for it that words change nothing, and against it.
        #[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $signs {
            $($(#[$doc])* pub $name: f32,)*
        }

        /// The names of the signs, in the order of their numbers.
        const $names: usize = [$(stringify!($name)),*].len();

        impl $signs {
            pub(super) fn numbers(&self) -> [f32; $names] {
                [$(self.$name),*]
            }

            pub(super) fn of_numbers([$($name),*]: [f32; $names]) -> Self {
                Self { $($name),* }
            }
        }
    };
}
pub(super) use signs;

pub use clause::ClauseSigns;
pub use words::WordSigns;

/// How much each sign counts, and from which chance on words are passed over, or are only
/// doubtful.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassingWeights<Signs> {
    pub bias: f32,
    pub harmless: f32,
    pub doubtful: f32,
    pub signs: Signs,
}

/// The file `passing.toml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passing {
    pub clause: PassingWeights<ClauseSigns>,
    pub words: PassingWeights<WordSigns>,
}

// A test reads them; without them nothing is passed over.
static SHIPPED: LazyLock<Option<Passing>> =
    LazyLock::new(|| toml::from_str(include_str!("../../data/passing.toml")).ok());

impl Passing {
    /// The weights that are part of the program.
    pub fn shipped() -> Option<&'static Self> {
        SHIPPED.as_ref()
    }
}

/// A stretch of a request that was weighed, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed<Signs> {
    pub at: std::ops::Range<usize>,
    pub signs: Signs,
}

fn chance<const D: usize>(bias: f32, weights: [f32; D], signs: [f32; D]) -> f32 {
    let pairs = weights.into_iter().zip(signs);
    let score = bias + pairs.map(|(weight, sign)| weight * sign).sum::<f32>();
    1.0 / (1.0 + (-score).exp())
}

fn fitted<const D: usize>(seen: impl Iterator<Item = ([f32; D], bool)>) -> ([f32; D], f32) {
    let mut rows: Vec<Labelled<D>> = seen
        .map(|(features, wanted)| Labelled {
            features,
            wanted,
            counts: 1.0,
        })
        .collect();
    let counts = 1.0 / rows.len().max(1) as f32;
    for row in &mut rows {
        row.counts = counts;
    }
    logistic(&rows, (&[0.0; D], 0.0), HOLD)
}

impl PassingWeights<ClauseSigns> {
    pub fn chance(&self, signs: &ClauseSigns) -> f32 {
        chance(self.bias, self.signs.numbers(), signs.numbers())
    }

    /// Weights for clauses of which it is known whether they change something.
    #[must_use]
    pub fn fitted(self, seen: &[(ClauseSigns, bool)]) -> Self {
        let (signs, bias) = fitted(seen.iter().map(|(signs, idle)| (signs.numbers(), *idle)));
        let signs = ClauseSigns::of_numbers(signs);
        Self {
            bias,
            signs,
            ..self
        }
    }
}

impl PassingWeights<WordSigns> {
    pub fn chance(&self, signs: &WordSigns) -> f32 {
        chance(self.bias, self.signs.numbers(), signs.numbers())
    }

    /// Weights for words of which it is known whether they change something.
    #[must_use]
    pub fn fitted(self, seen: &[(WordSigns, bool)]) -> Self {
        let (signs, bias) = fitted(seen.iter().map(|(signs, idle)| (signs.numbers(), *idle)));
        let signs = WordSigns::of_numbers(signs);
        Self {
            bias,
            signs,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_can_be_read() {
        let read: Passing = toml::from_str(include_str!("../../data/passing.toml")).unwrap();
        assert!(read.clause.harmless > 0.5 && read.words.harmless > read.words.doubtful);
    }

    #[test]
    fn weights_follow_what_was_seen() {
        let with = |negations: f32| ClauseSigns {
            negations,
            ..ClauseSigns::default()
        };
        let seen: Vec<_> = (0_u8..40)
            .map(|at| (with(f32::from(at % 2)), at % 2 == 0))
            .collect();
        let fitted = PassingWeights::<ClauseSigns>::default().fitted(&seen);
        assert!(fitted.chance(&with(0.0)) > 0.9 && fitted.chance(&with(1.0)) < 0.1);
    }
}
