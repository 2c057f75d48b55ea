//! Did it work? After a call that changes something and does not say what it did, a
//! thorough plan looks: with a tool of the same server that only reads.

use holloway_plan::tool::Effect;

use super::Breadth;
use super::assembly::{Assembly, Part, Wanted};
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, terms};
use crate::request::deed::{Sorts, sorts_of_word, sorts_of_words};

/// Names of tools that tell how things are.
const TELLS: [&str; 4] = ["status", "info", "describe", "list"];

impl Assembly<'_> {
    /// Adds a look at what the last call of each server has changed.
    pub(super) fn verify(&mut self) {
        if self.taste.breadth != Breadth::All || self.nodes.len() >= self.taste.steps {
            return;
        }
        let mut sources: Vec<&str> = Vec::new();
        for at in (0..self.nodes.len()).rev() {
            let Some(node) = self.nodes.get(at) else {
                continue;
            };
            let Some(tool) = self.tool(node.place) else {
                continue;
            };
            let changes = tool.effect != Effect::Read
                && !sorts_of_words(tool.id.name()).is_only(Sorts::LOOK)
                && !self
                    .deed_of(node)
                    .is_some_and(|deed| deed.sorts.is_only(Sorts::LOOK));
            let silent = changes && tool.output_schema.is_null();
            if !silent || node.each.is_some() || sources.contains(&tool.id.source()) {
                continue;
            }
            sources.push(tool.id.source());
            if let Some(place) = self.looks_at(at) {
                self.add_look(at, place);
            }
        }
    }

    /// The tool that shows what a call has changed, and needs no more than the call had.
    fn looks_at(&self, at: usize) -> Option<Place> {
        let node = self.nodes.get(at)?;
        let tool = self.tool(node.place)?;
        let about = nouns(tool.id.name());
        let given = |port: &Port| {
            let argument = node.arguments.get(&port.name);
            port.has_default || argument.is_some()
        };
        let others = self.ground.catalogue.tools().filter(|(place, other)| {
            let reads = other.effect == Effect::Read && other.id.source() == tool.id.source();
            let ports = self.ports(*place);
            reads && !self.uses(*place) && ports.is_some_and(|ports| ports.needed().all(given))
        });
        let worth = |place: Place, name: &str| {
            let own = nouns(name);
            let shared = own.iter().filter(|word| about.contains(word)).count();
            let tells = TELLS
                .iter()
                .any(|word| terms(name).contains(&(*word).to_owned()));
            let needs = self.ports(place).map_or(0, |ports| ports.needed().count());
            let looks = sorts_of_words(name).is_only(Sorts::LOOK);
            // A list of everything else says nothing about this.
            (shared > 0).then_some(2 * shared + usize::from(tells) + needs + usize::from(looks))
        };
        let scored =
            others.filter_map(|(place, other)| Some((place, worth(place, other.id.name())?)));
        let best = scored.max_by(|one, other| one.1.cmp(&other.1).then(other.0.cmp(&one.0)));
        best.map(|(place, _)| place)
    }

    fn add_look(&mut self, at: usize, place: Place) {
        let Some(node) = self.nodes.get(at) else {
            return;
        };
        let tool = self.tool(node.place).map_or("", |tool| tool.id.name());
        let mut wanted = Wanted::new(place, Part::Form, format!("looks whether {tool} worked"));
        let needed = self.ports(place).into_iter().flat_map(Ports::needed);
        for port in needed {
            if let Some(value) = node.arguments.get(&port.name) {
                wanted.settled.insert(port.name.clone(), value.clone());
            }
        }
        let bindings: Vec<_> = node
            .bindings
            .iter()
            .filter(|own| wanted.settled.contains_key(&own.parameter))
            .cloned()
            .collect();
        let writer = node.id.clone();
        let Some(added) = self.add(wanted, 0) else {
            return;
        };
        if let Some(look) = self.nodes.get_mut(added) {
            look.bindings.extend(bindings);
            look.may_fail = true;
            look.follows.push(writer);
        }
    }
}

/// The words of a name that are no verbs.
fn nouns(name: &str) -> Vec<String> {
    let words = terms(name).into_iter();
    words
        .filter(|word| sorts_of_word(word).is_empty())
        .collect()
}
