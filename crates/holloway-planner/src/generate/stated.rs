//! What does a step take that the request states outright? Values that the rules of
//! [`crate::bind::stated`] find become inputs of the plan; settings stand in it as they are.

use std::rc::Rc;

use super::assembly::{Assembly, Node, Part};
use crate::bind::parameter::Parameter;
use crate::bind::stated::{Stated, Text, stated};
use crate::bind::{Binding, Source};
use crate::catalogue::ports::Port;

impl Assembly<'_> {
    /// Takes what the request states for a parameter of a step that was asked for.
    pub(super) fn try_stated(&mut self, node: &mut Node, port: &Port) -> bool {
        if node.part != Part::Core {
            return false;
        }
        let all = self.stated(node);
        let (names, found) = &*all;
        let at = names.iter().position(|name| *name == port.name);
        let Some(found) = at.and_then(|at| found.get(at)) else {
            return false;
        };
        let Stated {
            value, place, why, ..
        } = found.clone();
        let mut entities = self.ground.analysis.entities.iter();
        let entity = entities.position(|entity| entity.place == place);
        let source = match entity {
            Some(entity) => Source::Request {
                entity,
                value: value.clone(),
            },
            None => Source::Words {
                place,
                value: value.clone(),
            },
        };
        if !self.admits(node.place, port, &value)
            || !self.may_touch(node.place, port, &value)
            || !self.is_of_kind(node.place, port, &source)
        {
            return false;
        }
        self.reserved.extend(entity);
        let argument = self.said_argument(node.place, port, value, false);
        node.arguments.insert(port.name.clone(), argument);
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            source,
            confidence: 0.9,
            reason: why.to_owned(),
        });
        true
    }

    /// What is stated for the parameters of a call, after their names.
    pub(super) fn stated(&self, node: &Node) -> Rc<(Vec<String>, Vec<Stated>)> {
        let clause = self.clause(node);
        let key = (node.place, clause);
        if let Some(known) = self.ground.stated.by_call.borrow().get(&key) {
            return Rc::clone(known);
        }
        let wanted = self.ground.analysis.wanted();
        let text = self.ground.stated.text.get_or_init(|| Text::of(&wanted));
        let all = self.tool(node.place).map(|tool| {
            let parameters = Parameter::of_tool(tool);
            let all = stated(tool.id.as_str(), &parameters, (&wanted, text), clause);
            let name = |found: &Stated| {
                let parameter = parameters.get(found.parameter);
                parameter.map_or_else(String::new, |parameter| parameter.name.to_owned())
            };
            (all.iter().map(name).collect(), all)
        });
        let all = Rc::new(all.unwrap_or_default());
        let mut known = self.ground.stated.by_call.borrow_mut();
        known.insert(key, Rc::clone(&all));
        all
    }
}
