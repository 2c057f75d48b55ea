//! With what? The tools a plan may use, by place, ready to be searched and joined.

use std::sync::Arc;

use holloway_plan::tool::{ToolId, ToolSpec, ToolTable};
use holloway_search::entry::Entry;
use holloway_search::index::Index;
use holloway_search::rank::Repute;
use rustc_hash::FxHashMap;

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
        Self {
            places: places
                .map(|(place, tool)| (tool.id.clone(), place))
                .collect(),
            index: Arc::new(Index::new(entries)),
            tools: specs,
            reputes,
            table,
        }
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

    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// For checking plans.
    pub fn table(&self) -> &ToolTable {
        &self.table
    }
}
