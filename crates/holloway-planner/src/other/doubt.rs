//! What do the choice of tools and the binding of arguments leave open? The signs by which a draft
//! over tools of other people is likely right or not.

use super::OtherDraft;
use super::account::What;
use super::assemble::Assembly;
use super::choose::Chosen;
use crate::bind::Source;
use crate::frame::EntityKind;
use crate::sure::{SURE, Signs, number};

impl OtherDraft {
    /// How likely the draft is right, 0 to 1; never, where a goal is left undone.
    pub fn chance(&self) -> f32 {
        if self.undone.is_empty() {
            self.signs.chance()
        } else {
            0.0
        }
    }

    pub fn is_doubtful(&self) -> bool {
        !self.undone.is_empty() || self.signs.is_doubtful()
    }
}

impl Assembly<'_> {
    pub(super) fn signs(&self, chosen: &Chosen) -> Signs {
        let bindings = || self.nodes.iter().flat_map(|node| &node.bindings);
        let is_open = |source: &Source| matches!(source, Source::Input { .. });
        let guessed = bindings().filter(|own| !is_open(&own.source) && own.confidence < SURE);
        let unserved = self.served().into_iter().filter(|served| {
            let What::Entity(at) = served.what else {
                return false;
            };
            let entity = self.frame.entities.get(at);
            let counts = entity.is_some_and(|entity| entity.kind != EntityKind::Name);
            served.step.is_none() && counts
        });
        let tools = chosen.tools.iter().map(|tool| (tool.does, tool.margin));
        Signs {
            guessed: number(guessed.count()),
            unsaid: number(bindings().filter(|own| is_open(&own.source)).count()),
            unserved: number(unserved.count()),
            ..Signs::of_tools(tools)
        }
    }
}
