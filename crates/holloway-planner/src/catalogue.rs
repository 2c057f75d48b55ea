//! With what? The tools a plan may use, by place, ready to be searched and joined.

use std::sync::Arc;

use holloway_plan::tool::{Lookup, ToolId, ToolSpec, ToolTable};
use holloway_search::entry::Entry;
use holloway_search::index::Index;
use holloway_search::rank::Repute;
use rustc_hash::{FxHashMap, FxHashSet};

use ports::{Mentions, Ports};

pub mod fit;
pub mod parameter;
pub mod ports;
pub mod shape;

/// The place of a tool in its catalogue.
pub type Place = usize;

/// The tools at hand. Places are those of the index.
#[derive(Debug)]
pub struct Catalogue {
    tools: Vec<Arc<ToolSpec>>,
    reputes: Vec<Repute>,
    index: Arc<Index>,
    places: FxHashMap<ToolId, Place>,
    table: ToolTable,
    ports: Vec<Ports>,
    /// Which tools return a field of this name, by the last word of the name.
    makers: FxHashMap<String, Vec<Place>>,
    mentions: Mentions,
    /// Names that mean other tools where plans are run.
    taken: FxHashSet<String>,
    /// How many tools speak of a word.
    speak: FxHashMap<String, usize>,
}

impl Catalogue {
    /// Each tool with what the search sees of it and what is known of it beside its text.
    pub fn new(tools: impl IntoIterator<Item = (ToolSpec, Entry, Repute)>) -> Self {
        let mut specs = Vec::new();
        let mut entries = Vec::new();
        let mut reputes = Vec::new();
        for (tool, entry, repute) in tools {
            specs.push(Arc::new(tool));
            entries.push(entry);
            reputes.push(repute);
        }
        let table = ToolTable::new(specs.iter().map(|tool| ToolSpec::clone(tool)));
        let places = specs.iter().enumerate();
        let ports: Vec<Ports> = specs.iter().map(|tool| Ports::of(tool)).collect();
        Self {
            places: places
                .map(|(place, tool)| (tool.id.clone(), place))
                .collect(),
            index: Arc::new(Index::new(entries)),
            makers: makers(&ports),
            mentions: ports::mentions(&specs),
            speak: speak(&specs, &ports),
            taken: FxHashSet::default(),
            ports,
            tools: specs,
            reputes,
            table,
        }
    }

    /// Beside tools of these names, which go first where a plan says no more than the name.
    pub fn beside(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.taken.extend(names);
        self
    }

    pub fn len(&self) -> usize {
        self.tools.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    pub fn tool(&self, place: Place) -> Option<&Arc<ToolSpec>> {
        self.tools.get(place)
    }

    pub fn tools(&self) -> impl Iterator<Item = (Place, &Arc<ToolSpec>)> {
        self.tools.iter().enumerate()
    }

    pub fn place(&self, id: &ToolId) -> Option<Place> {
        self.places.get(id).copied()
    }

    pub fn repute(&self, place: Place) -> Repute {
        self.reputes.get(place).copied().unwrap_or_default()
    }

    /// The same by name; nothing is known of a tool that is not there.
    pub fn repute_of(&self, id: &ToolId) -> Repute {
        let place = self.place(id);
        place.map(|place| self.repute(place)).unwrap_or_default()
    }

    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// For checking plans.
    pub fn table(&self) -> &ToolTable {
        &self.table
    }

    /// What a tool takes and gives.
    pub fn ports(&self, place: Place) -> Option<&Ports> {
        self.ports.get(place)
    }

    /// The tools that return a field whose name ends with this word.
    pub fn makers(&self, word: &str) -> &[Place] {
        self.makers.get(word).map_or(&[], Vec::as_slice)
    }

    /// Whether a tool says that the parameter is what the other gives, or that it comes
    /// after the other.
    pub fn says_so(&self, taker: Place, parameter: &str, maker: Place) -> bool {
        self.comes_after(taker, maker) || self.said_makers(taker, parameter).contains(&maker)
    }

    /// Whether a tool says that it comes after the other.
    pub fn comes_after(&self, taker: Place, maker: Place) -> bool {
        self.mentions.after.contains(&(taker, maker))
    }

    /// The tools that the description of a parameter names.
    pub fn said_makers(&self, taker: Place, parameter: &str) -> &[Place] {
        let key = (taker, parameter.to_owned());
        self.mentions.takes.get(&key).map_or(&[], Vec::as_slice)
    }

    /// How much a word tells, by how few tools speak of it.
    pub fn rarity(&self, word: &str) -> f32 {
        let speak = self.speak.get(word).copied().unwrap_or_default();
        ((1.0 + self.tools.len() as f32) / (1.0 + speak as f32)).ln()
    }

    /// The shortest name under which a plan finds the tool.
    pub fn name_in_plans(&self, place: Place) -> Option<&str> {
        let tool = self.tools.get(place)?;
        let name = tool.id.name();
        match self.table.find(name) {
            Lookup::Found(found) if found.id == tool.id && !self.taken.contains(name) => Some(name),
            _ => Some(tool.id.as_str()),
        }
    }
}

fn makers(ports: &[Ports]) -> FxHashMap<String, Vec<Place>> {
    let mut makers: FxHashMap<String, Vec<Place>> = FxHashMap::default();
    for (place, ports) in ports.iter().enumerate() {
        for word in ports.outputs.iter().filter_map(|port| port.terms.last()) {
            let known = makers.entry(word.clone()).or_default();
            if known.last() != Some(&place) {
                known.push(place);
            }
        }
    }
    makers
}

fn speak(tools: &[Arc<ToolSpec>], ports: &[Ports]) -> FxHashMap<String, usize> {
    let mut speak: FxHashMap<String, usize> = FxHashMap::default();
    for (tool, ports) in tools.iter().zip(ports) {
        let mut words = ports.words.clone();
        words.extend(ports::terms(tool.id.name()));
        for word in words {
            *speak.entry(word).or_default() += 1;
        }
    }
    speak
}
