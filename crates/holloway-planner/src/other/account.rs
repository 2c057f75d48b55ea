//! What serves each part of a request? Every goal has its step, every thing that is named its
//! argument, as they were bound; what nothing serves is told.

use serde::Serialize;

use super::assemble::Assembly;
use crate::catalogue::ports::{stems, terms};
use crate::frame::{Entity, EntityKind};

/// A part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// By its number.
    Goal(usize),
    Entity(usize),
}

/// A part of a request and what serves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Served {
    pub what: What,
    /// In the words of the request.
    pub said: String,
    /// The step that serves it; nothing where none does.
    pub step: Option<String>,
    /// The argument, where it is served by one.
    pub argument: Option<String>,
}

impl Assembly<'_> {
    pub(super) fn served(&self) -> Vec<Served> {
        let goals = self.frame.goals.iter().enumerate().map(|(at, goal)| {
            let own = |node: &&super::assemble::Node| node.tool.goal == Some(at) && node.tool.asked;
            let step = self.nodes.iter().find(own);
            Served {
                what: What::Goal(at),
                said: goal.text.clone(),
                step: step.map(|node| node.id.clone()),
                argument: None,
            }
        });
        let entities = self.frame.entities.iter().enumerate();
        let entities = entities.map(|(at, entity)| self.serves_entity(at, entity));
        goals.chain(entities).collect()
    }

    fn serves_entity(&self, at: usize, entity: &Entity) -> Served {
        let taken = self.nodes.iter().find_map(|node| {
            let mut bindings = node.bindings.iter();
            let own = bindings.find(|own| own.entities.contains(&at))?;
            Some((node.id.clone(), Some(own.parameter.clone())))
        });
        let served = taken.or_else(|| Some((self.called_after(entity)?, None)));
        let (step, argument) =
            served.map_or((None, None), |(step, argument)| (Some(step), argument));
        Served {
            what: What::Entity(at),
            said: entity.text.clone(),
            step,
            argument,
        }
    }

    /// A name that the tool or its server has says which tool is meant.
    fn called_after(&self, entity: &Entity) -> Option<String> {
        if entity.kind != EntityKind::Name {
            return None;
        }
        let words = stems(&entity.text);
        let node = self.nodes.iter().find(|node| {
            let id = &node.gives.id;
            let named = terms(&format!("{} {}", id.source(), id.name()));
            !words.is_empty() && words.iter().all(|word| named.contains(word))
        });
        node.map(|node| node.id.clone())
    }
}
