//! How sure is a draft? What the choice of tools and the binding of arguments leave open, as numbers,
//! and the chance that the draft is right.

use serde::Serialize;

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

/// Below this a draft is told as doubtful.
const DOUBTFUL: f32 = 0.5;

impl Doubt {
    /// How likely the draft is right, 0 to 1.
    pub fn chance(&self) -> f32 {
        if self.undone > 0 {
            return 0.0;
        }
        let score = -1.2 + 2.0 * self.does + 1.5 * self.margin.clamp(0.0, 0.6)
            - 0.3 * self.open as f32
            - 0.8 * self.unserved as f32
            - 0.2 * self.guessed as f32;
        1.0 / (1.0 + (-score).exp())
    }

    pub fn is_doubtful(&self) -> bool {
        self.chance() < DOUBTFUL
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
