//! What is meant for a parameter, by the words of the request or by habit? Past runs count
//! only where the request says nothing, and only what different requests led to.

use std::rc::Rc;

use super::assembly::{Assembly, Node};
use crate::bind::{Binding, PastArguments, Situation, Source, bind};
use crate::catalogue::ports::{Port, Role};

/// What fewer requests led to is no habit.
const HABIT: usize = 2;
/// How sure a habit must be where nothing was asked for.
const SURE: f32 = 0.7;

impl Assembly<'_> {
    /// The source of a parameter that is at least so sure.
    pub(super) fn meant(&self, node: &Node, port: &Port, least: f32) -> Option<Binding> {
        let sure = |bindings: &[Binding]| {
            let mut own = bindings.iter().filter(|own| own.parameter == port.name);
            own.find(|own| own.confidence >= least).cloned()
        };
        let binding = sure(&self.bound(node))?;
        let Source::Past { value } = &binding.source else {
            return Some(binding);
        };
        // What is said today goes before what was usual.
        let today = sure(&self.bound_by(node, None)).filter(|own| is_said(&own.source));
        let tool = self.tool(node.place).map_or("", |tool| tool.id.as_str());
        let is_habit = self.ground.past.times(tool, &port.name, value) >= HABIT;
        today.or_else(|| is_habit.then_some(binding))
    }

    /// Takes what past runs gave, and nothing else.
    pub(super) fn try_habit(&mut self, node: &mut Node, port: &Port) -> bool {
        let is_past = |own: &Binding| matches!(own.source, Source::Past { .. });
        port.role == Role::Other
            && self.meant(node, port, SURE).as_ref().is_some_and(is_past)
            && self.try_words(node, port, SURE)
    }

    /// What words and past runs say for all parameters of a call together.
    fn bound(&self, node: &Node) -> Rc<Vec<Binding>> {
        let key = (node.place, self.clause(node));
        if let Some(known) = self.ground.bound.borrow().get(&key) {
            return Rc::clone(known);
        }
        let bindings = Rc::new(self.bound_by(node, Some(self.ground.past)));
        self.ground
            .bound
            .borrow_mut()
            .insert(key, Rc::clone(&bindings));
        bindings
    }

    fn bound_by(&self, node: &Node, past: Option<&PastArguments>) -> Vec<Binding> {
        let stated = self.stated(node);
        let wanted = self.ground.analysis.wanted();
        let situation = Situation {
            clause: self.clause(node),
            past,
            stated: Some(&stated.1),
            ..Situation::alone(&wanted)
        };
        let bindings = self.tool(node.place).map(|tool| bind(tool, &situation));
        bindings.unwrap_or_default()
    }

    /// The clause of the request that a call serves.
    pub(super) fn clause(&self, node: &Node) -> Option<usize> {
        let capabilities = &self.ground.analysis.capabilities;
        let capability = node.capability.and_then(|at| capabilities.get(at));
        capability.map(|capability| capability.clause)
    }
}

fn is_said(source: &Source) -> bool {
    matches!(source, Source::Request { .. } | Source::Words { .. })
}
