//! How likely is a plan what was asked for? What reading, choosing and binding left open, as
//! numbers, weighed by how plans with such signs ended. `examples/fit_sure.rs` fits the weights.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::regression::{Labelled, logistic};

/// More than this makes no difference.
const MOST: usize = 3;
/// How far tools may lie apart.
const APART: (f32, f32) = (-0.5, 0.6);
/// An argument that is less sure is a guess.
pub(crate) const SURE: f32 = 0.5;
/// How firmly fitted weights are held near nothing.
const HOLD: f64 = 0.01;

/// Signs with their names, as a struct and as numbers.
macro_rules! signs {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What speaks for a plan and against it.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Signs {
            $($(#[$doc])* pub $name: f32,)*
        }

        /// The names of the signs, in the order of their numbers.
        pub const NAMES: [&str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

        impl Signs {
            fn numbers(&self) -> [f32; NAMES.len()] {
                [$(self.$name),*]
            }

            fn of_numbers([$($name),*]: [f32; NAMES.len()]) -> Self {
                Self { $($name),* }
            }
        }
    };
}

signs! {
    /// Made from a frame: 1, over tools that do not say what they do: 0.
    framed,
    /// How far the next reading of the request lies behind, up to 2.
    clear,
    /// How well the phrases of the reading account for its words, each.
    worth,
    /// What was taken for granted: misspellings, asides.
    notes,
    /// Words that are left over.
    left,
    /// Slots that are open.
    open,
    /// What does not fit.
    unfit,
    /// Steps that serve no word of the request.
    helping,
    /// How likely the least likely tool does its goal.
    does,
    /// How far the next tool lies behind, where that is least.
    margin,
    /// Arguments that the request does not state, though something speaks for them.
    guessed,
    /// Arguments that nobody said.
    unsaid,
    /// Parts and things that are named and that no step takes.
    unserved,
    /// Tools that were inferred to do their step.
    inferred,
}

/// How much each sign counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignWeights {
    pub bias: f32,
    /// A plan that is less likely right than this is told as doubtful.
    pub doubtful: f32,
    pub signs: Signs,
}

// A test reads them; without them every plan is doubtful.
static SHIPPED: LazyLock<SignWeights> =
    LazyLock::new(|| toml::from_str(include_str!("../data/sure.toml")).unwrap_or_default());

impl SignWeights {
    /// The weights that are part of the program.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// How likely a plan with these signs is right, 0 to 1.
    pub fn chance(&self, signs: &Signs) -> f32 {
        let pairs = self.signs.numbers().into_iter().zip(signs.numbers());
        let score = self.bias + pairs.map(|(weight, sign)| weight * sign).sum::<f32>();
        1.0 / (1.0 + (-score).exp())
    }

    /// SignWeights for plans whose outcome is known. How much an inferred line counts is set, not
    /// fitted: the requests with known outcomes are over tools that declare what they do.
    pub fn fitted(outcomes: &[(Signs, bool)]) -> Self {
        let rows: Vec<Labelled<{ NAMES.len() }>> = outcomes
            .iter()
            .map(|(signs, right)| Labelled {
                features: signs.numbers(),
                wanted: *right,
                counts: 1.0 / outcomes.len() as f32,
            })
            .collect();
        let nothing = [0.0; NAMES.len()];
        let (signs, bias) = logistic(&rows, (&nothing, 0.0), HOLD);
        let shipped = Self::shipped();
        Self {
            bias,
            doubtful: shipped.doubtful,
            signs: Signs {
                inferred: shipped.signs.inferred,
                ..Signs::of_numbers(signs)
            },
        }
    }
}

impl Signs {
    pub fn chance(&self) -> f32 {
        SignWeights::shipped().chance(self)
    }

    pub fn is_doubtful(&self) -> bool {
        self.chance() < SignWeights::shipped().doubtful
    }

    /// Of a plan over tools that do not say what they do.
    pub(crate) fn of_tools(tools: impl Iterator<Item = (f32, f32)>) -> Self {
        let least = |one: (f32, f32), other: (f32, f32)| (one.0.min(other.0), one.1.min(other.1));
        let (does, margin) = tools.fold((1.0, APART.1), least);
        Self {
            does,
            margin: margin.clamp(APART.0, APART.1),
            ..Self::default()
        }
    }
}

/// A count of signs; a few say as much as many.
pub(crate) fn number(count: usize) -> f32 {
    count.min(MOST) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_can_be_read_and_every_sign_has_a_name() {
        let weights: SignWeights = toml::from_str(include_str!("../data/sure.toml")).unwrap();
        let written = serde_json::to_value(weights.signs).unwrap();
        assert_eq!(written.as_object().unwrap().len(), NAMES.len());
        for (place, name) in NAMES.iter().enumerate() {
            let mut numbers = [0.0; NAMES.len()];
            numbers[place] = 1.0;
            let signs = serde_json::to_value(Signs::of_numbers(numbers)).unwrap();
            assert_eq!(signs[name], 1.0, "{name}");
        }
    }

    #[test]
    fn doubts_make_a_plan_less_likely() {
        let sure = Signs {
            framed: 1.0,
            clear: 2.0,
            worth: 1.3,
            ..Signs::default()
        };
        assert!(!sure.is_doubtful(), "{}", sure.chance());
        for worse in [
            Signs { clear: 0.0, ..sure },
            Signs { worth: 0.4, ..sure },
            Signs { left: 2.0, ..sure },
            Signs { open: 1.0, ..sure },
            Signs { unfit: 1.0, ..sure },
            Signs {
                unserved: 1.0,
                ..sure
            },
        ] {
            assert!(worse.chance() < sure.chance(), "{worse:?}");
        }
        let guessed = Signs {
            inferred: 1.0,
            ..sure
        };
        assert!(guessed.is_doubtful(), "{}", guessed.chance());
        let other = Signs::of_tools([(0.9, 0.5), (0.8, 0.1)].into_iter());
        assert_eq!((other.does, other.margin), (0.8, 0.1));
        assert!(
            other.chance()
                > Signs {
                    guessed: 2.0,
                    unserved: 1.0,
                    ..other
                }
                .chance()
        );
    }

    #[test]
    fn weights_follow_what_was_seen() {
        let with = |clear: f32| Signs {
            clear,
            ..Signs::default()
        };
        let seen: Vec<(Signs, bool)> = (0_u8..40)
            .map(|at| (with(f32::from(at) / 20.0), at >= 20))
            .collect();
        let fitted = SignWeights::fitted(&seen);
        assert!(fitted.chance(&with(1.8)) > 0.8 && fitted.chance(&with(0.2)) < 0.2);
    }
}
