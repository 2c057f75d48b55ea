//! Who knows the session? Servers hand out ids when something is opened or loaded, and want
//! them back in every later call; their schemas seldom say so.

use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

use super::assembly::{Assembly, Node, Part, Wanted};
use super::chain::is_reference;
use super::results::is_name;
use super::supply::{joined, spoken};
use crate::bind::{Binding, Source};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, terms};

/// How tools are called that begin something.
const BEGINS: [&str; 9] = [
    "load", "open", "create", "start", "import", "init", "new", "connect", "begin",
];

impl Assembly<'_> {
    /// Takes the id that an earlier step of the same server has, or gets one made.
    pub(super) fn try_handle(&mut self, node: &mut Node, port: &Port, deep: usize) -> bool {
        if !is_reference(port) || !is_name(&port.name) {
            return false;
        }
        if self.same_handle(node, port) {
            return true;
        }
        let Some(maker) = self.opener(node.place, port).filter(|_| deep > 0) else {
            return false;
        };
        let known = self.nodes.iter().position(|own| own.place == maker);
        let at = known.or_else(|| {
            let tool = self.tool(node.place).map_or("", |tool| tool.id.name());
            let reason = format!("makes the {} that {tool} needs", spoken(&port.name));
            let mut wanted = Wanted::new(maker, Part::Gap, reason);
            wanted.capability = node.capability;
            self.add(wanted, deep - 1)
        });
        let Some(opened) = at.and_then(|at| self.nodes.get_mut(at)) else {
            return false;
        };
        opened.read.insert(port.name.clone());
        let step = opened.id.clone();
        let value = json!(format!("{{{{ {} }}}}", joined(&step, &port.name)));
        node.arguments.insert(port.name.clone(), value);
        node.bindings.push(Binding {
            entities: Vec::new(),
            parameter: port.name.clone(),
            reason: format!("{} of {step}, as servers give it", spoken(&port.name)),
            source: Source::Earlier {
                step,
                path: port.name.clone(),
            },
            confidence: 0.7,
        });
        true
    }

    /// The id that a step of the same server was given.
    fn same_handle(&self, node: &mut Node, port: &Port) -> bool {
        let source = |place: Place| self.tool(place).map(|tool| tool.id.source());
        let own = source(node.place);
        let same = self.nodes.iter().rev().find(|other| {
            source(other.place) == own
                && other.each.is_none()
                && other.arguments.contains_key(&port.name)
        });
        let Some(value) = same.and_then(|same| same.arguments.get(&port.name)) else {
            return false;
        };
        node.arguments.insert(port.name.clone(), value.clone());
        let bindings = same.into_iter().flat_map(|same| &same.bindings);
        let binding = bindings.filter(|own| own.parameter == port.name);
        node.bindings.extend(binding.cloned());
        true
    }

    /// Whether an id can be had without asking anybody.
    pub(super) fn has_opener(&self, place: Place, port: &Port) -> bool {
        is_reference(port) && is_name(&port.name) && self.opener(place, port).is_some()
    }

    /// The tool of the same server that begins what the id is of.
    fn opener(&self, place: Place, port: &Port) -> Option<Place> {
        let tool = self.tool(place)?;
        let thing = port.terms.first()?;
        let catalogue = self.ground.catalogue;
        let others = catalogue.tools().filter(|(other, spec)| {
            let same = spec.id.source() == tool.id.source() && *other != place;
            let named = terms(spec.id.name());
            let begins = BEGINS
                .iter()
                .any(|word| named.first().is_some_and(|own| own == word));
            let ports = catalogue.ports(*other);
            let speaks = ports.is_some_and(|ports| {
                let own = ports.input(&port.name);
                !own.is_some_and(|own| own.required)
                    && (own.is_some() || ports.words.contains(thing) || named.contains(thing))
            });
            same && begins && speaks && is_opaque(spec) && spec.effect != Effect::Destructive
        });
        let cost = |place: Place| self.cost_of_needs(place, 0);
        let costs = others.map(|(other, _)| (other, cost(other)));
        let best = costs.min_by(|one, other| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)));
        best.map(|(place, _)| place)
    }
}

/// Nothing is known of what the tool gives.
fn is_opaque(tool: &ToolSpec) -> bool {
    let schema = &tool.output_schema;
    let fields = schema.get("properties").and_then(Value::as_object);
    fields.is_none_or(serde_json::Map::is_empty)
}
