//! What must be open before, and saved after? Some servers work on a document that one of
//! their tools has opened, and keep what was changed to themselves until they are told to save.

use serde_json::json;

use super::assembly::{Assembly, Node, Part, Wanted};
use super::chain::is_reference;
use super::does::{kinds_of_named, kinds_of_tool};
use super::targets::is_file;
use crate::catalogue::Place;
use crate::catalogue::ports::{Port, Ports, Role, terms};
use crate::request::Entity;
use crate::request::deed::{Sorts, sorts_of_words};

const OPENS: [&str; 2] = ["open", "load"];
/// How tools are called that begin something that others go on with.
const BEGINS: [&str; 4] = ["open", "load", "create", "new"];
const SAVES: [&str; 2] = ["save", "export"];
/// Words before a file that is yet to be made, and verbs after which "to" is such a word.
const MADE: [&str; 5] = ["as", "into", "called", "named", "create"];
const STORES: [&str; 7] = [
    "save", "export", "convert", "write", "copy", "rename", "turn",
];

impl Assembly<'_> {
    /// The tools with those that open what they work on, and those that save it.
    pub(super) fn with_sessions(&self, tools: Vec<Wanted>) -> Vec<Wanted> {
        let mut all: Vec<Wanted> = Vec::new();
        for wanted in tools {
            let begun = all.iter().any(|other| {
                self.is_of_same(other.place, wanted.place) && self.begins_with(other.place, &BEGINS)
            });
            all.extend(self.opening(&wanted).filter(|_| !begun));
            all.push(self.told_file(wanted));
        }
        let saving = self.saving(&all);
        all.extend(saving);
        all
    }

    /// What opens the file that a tool works on and cannot be told.
    fn opening(&self, wanted: &Wanted) -> Option<Wanted> {
        let ports = self.ports(wanted.place)?;
        let is_told = |port: &Port| port.role == Role::File || is_reference(port);
        let begins = self.begins_with(wanted.place, &BEGINS);
        if begins || self.begins_with(wanted.place, &SAVES) || ports.needed().any(is_told) {
            return None;
        }
        let opener = self.tools_of_same(wanted.place).find(|place| {
            let needs = self.ports(*place).into_iter().flat_map(Ports::needed);
            let needs: Vec<&Port> = needs.collect();
            let takes_file = matches!(needs.as_slice(), [port] if port.role == Role::File);
            takes_file && self.begins_with(*place, &OPENS)
        })?;
        self.opened_file(opener)?;
        let name = self.tool(wanted.place).map_or("", |tool| tool.id.name());
        let reason = format!("opens the file that {name} works on");
        let mut opening = Wanted::new(opener, Part::Core, reason);
        opening.capability = wanted.capability;
        Some(self.told_file(opening))
    }

    /// What opens is told the file that is there, not the one that is yet to be written.
    fn told_file(&self, mut wanted: Wanted) -> Wanted {
        let opens = self.begins_with(wanted.place, &OPENS);
        let file = self.opened_file(wanted.place).filter(|_| opens);
        let mut needed = self.ports(wanted.place).into_iter().flat_map(Ports::needed);
        let port = needed.find(|port| port.role == Role::File);
        if let (Some(file), Some(port)) = (file, port) {
            wanted.settled.insert(port.name.clone(), json!(file.text));
        }
        wanted
    }

    /// What is added to a thing goes to where the thing was made.
    pub(super) fn try_same_file(&self, node: &mut Node, port: &Port) -> bool {
        let before = self.nodes.iter().rev().find(|other| {
            self.is_of_same(other.place, node.place)
                && other.capability == node.capability
                && other.arguments.contains_key(&port.name)
        });
        let Some(before) = before.filter(|_| port.role == Role::File) else {
            return false;
        };
        let value = before.arguments.get(&port.name).cloned();
        node.arguments
            .insert(port.name.clone(), value.unwrap_or_default());
        let bindings = before.bindings.iter();
        let own = bindings.filter(|binding| binding.parameter == port.name);
        node.bindings.extend(own.cloned());
        true
    }

    /// The file of the request that is there and that a tool is for.
    fn opened_file(&self, opener: Place) -> Option<&Entity> {
        let kinds = kinds_of_tool(self.tool(opener)?);
        let analysis = self.ground.analysis;
        let mut files = analysis.entities.iter().filter(|entity| is_file(entity));
        files.find(|file| {
            let before = analysis.before(file).to_lowercase();
            let mut words = before.split_whitespace();
            let last = words.next_back().unwrap_or_default();
            let stores = words.any(|word| STORES.contains(&word));
            let made = MADE.contains(&last) || last == "to" && stores;
            let of_kind = kinds_of_named(file);
            !made && kinds.iter().any(|kind| of_kind.contains(kind))
        })
    }

    /// What saves a document that was opened and changed, where nobody asked for it.
    fn saving(&self, tools: &[Wanted]) -> Option<Wanted> {
        let changes = |wanted: &&Wanted| {
            let deed = wanted.capability.and_then(|at| self.ground.deeds.get(at));
            let name = self.tool(wanted.place).map_or("", |tool| tool.id.name());
            let looks = deed.is_some_and(|deed| deed.sorts.is_only(Sorts::LOOK));
            let begins = self.begins_with(wanted.place, &BEGINS);
            self.writes(wanted.place)
                && !begins
                && !looks
                && !sorts_of_words(name).is_only(Sorts::LOOK)
        };
        let last = tools.iter().rev().find(changes)?;
        let opener = tools.iter().find(|other| {
            self.is_of_same(other.place, last.place) && self.begins_with(other.place, &OPENS)
        })?;
        let is_saved = |other: &Wanted| {
            self.is_of_same(other.place, last.place) && self.begins_with(other.place, &SAVES)
        };
        if tools.iter().any(is_saved) {
            return None;
        }
        let needs = |place: &Place| self.ports(*place).map_or(0, |ports| ports.needed().count());
        let savers = self.tools_of_same(last.place);
        let savers = savers.filter(|place| self.begins_with(*place, &["save"]));
        let saver = savers.min_by_key(needs)?;
        let mut saving = Wanted::new(saver, Part::Core, "keeps what was changed");
        saving.capability = last.capability;
        // Who changes a document means the one that is there.
        let file = self.opened_file(opener.place);
        let mut needed = self.ports(saver).into_iter().flat_map(Ports::needed);
        let port = needed.find(|port| port.role == Role::File);
        if let (Some(file), Some(port)) = (file, port) {
            saving.settled.insert(port.name.clone(), json!(file.text));
        }
        Some(saving)
    }

    fn tools_of_same(&self, place: Place) -> impl Iterator<Item = Place> {
        let source = self.tool(place).map(|tool| tool.id.source());
        let all = self.ground.catalogue.tools();
        let same = all.filter(move |(_, tool)| Some(tool.id.source()) == source);
        same.map(|(place, _)| place)
    }

    fn is_of_same(&self, one: Place, other: Place) -> bool {
        let source = |place: Place| self.tool(place).map(|tool| tool.id.source());
        source(one) == source(other)
    }

    /// Whether the name of a tool begins with one of these.
    fn begins_with(&self, place: Place, words: &[&str]) -> bool {
        let name = self.tool(place).map_or("", |tool| tool.id.name());
        let terms = terms(name);
        let first = terms.first().map(String::as_str);
        words.iter().any(|word| Some(*word) == first)
    }
}
