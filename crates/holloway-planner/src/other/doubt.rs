//! How sure is a draft? What the choice of tools and the binding of arguments leave open, as numbers,
//! and the chance that the draft is right.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::account::What;
use super::assemble::Assembly;
use super::choose::Chosen;
use crate::bind::Source;
use crate::read::entities::EntityKind;

/// What speaks against a draft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Doubt {
    /// How likely the least likely tool does its goal.
    pub does: f32,
    /// How far the next tool lies behind, where that is least.
    pub margin: f32,
    /// Arguments that the request does not state, though something speaks for them.
    pub guessed: usize,
    /// Arguments that nobody said.
    pub open: usize,
    /// Things that are named and that no argument takes.
    pub unserved: usize,
    /// Goals that no tool does.
    pub undone: usize,
}

/// How much each sign counts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    bias: f32,
    does: f32,
    margin: f32,
    guessed: f32,
    open: f32,
    unserved: f32,
    /// A draft that is less likely right than this is told as doubtful.
    doubtful: f32,
}

// A test reads them; without them every draft is doubtful.
static WEIGHTS: LazyLock<Option<Weights>> =
    LazyLock::new(|| toml::from_str(include_str!("../../data/doubt.toml")).ok());

impl Doubt {
    /// How likely the draft is right, 0 to 1.
    pub fn chance(&self) -> f32 {
        /// More than this makes no difference.
        const SIGNS: usize = 3;
        const MARGIN: (f32, f32) = (-0.5, 0.6);
        let Some(weights) = WEIGHTS.as_ref().filter(|_| self.undone == 0) else {
            return 0.0;
        };
        let count = |signs: usize| signs.min(SIGNS) as f32;
        let score = weights.bias
            + weights.does * self.does
            + weights.margin * self.margin.clamp(MARGIN.0, MARGIN.1)
            + weights.guessed * count(self.guessed)
            + weights.open * count(self.open)
            + weights.unserved * count(self.unserved);
        1.0 / (1.0 + (-score).exp())
    }

    pub fn is_doubtful(&self) -> bool {
        let doubtful = WEIGHTS.as_ref().map_or(1.0, |weights| weights.doubtful);
        self.chance() < doubtful
    }
}

impl Assembly<'_> {
    pub(super) fn doubt(&self, chosen: &Chosen) -> Doubt {
        const SURE: f32 = 0.5;
        let asked = chosen.tools.iter();
        let least = |figures: &mut dyn Iterator<Item = f32>| figures.fold(1.0, f32::min);
        let bindings = || self.nodes.iter().flat_map(|node| &node.bindings);
        let is_open = |source: &Source| matches!(source, Source::Input { .. });
        let unserved = self.served().into_iter().filter(|served| {
            let What::Entity(at) = served.what else {
                return false;
            };
            let entity = self.wanted.entities.get(at);
            let counts = entity.is_some_and(|entity| entity.kind != EntityKind::Name);
            served.step.is_none() && counts
        });
        Doubt {
            does: least(&mut asked.clone().map(|tool| tool.does)),
            margin: least(&mut asked.map(|tool| tool.margin)),
            open: bindings().filter(|own| is_open(&own.source)).count(),
            guessed: bindings()
                .filter(|own| !is_open(&own.source) && own.confidence < SURE)
                .count(),
            unserved: unserved.count(),
            undone: chosen.undone.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_tool_does_is_never_sure() {
        let sure = Doubt {
            does: 1.0,
            margin: 0.6,
            ..Doubt::default()
        };
        assert!(!sure.is_doubtful());
        let lacking = Doubt { undone: 1, ..sure };
        assert!(lacking.is_doubtful());
        let unserved = Doubt {
            unserved: 2,
            ..sure
        };
        assert!(unserved.chance() < sure.chance());
    }
}
