//! The catalogue's port, kept by the store.

use std::collections::BTreeMap;

use holloway_flow::catalog::health::Sign;
use holloway_flow::catalog::{Catalog, CatalogTool, SourceId, SourceNote, SourceRecord};
use holloway_flow::run_store::StoreFailure;
use holloway_plan::tool::ToolId;

use crate::Store;
use crate::run_store::failure;

impl Catalog for Store {
    fn sources(&self) -> Result<Vec<SourceRecord>, StoreFailure> {
        Self::sources(self).map_err(failure)
    }

    fn put_source(&self, source: &SourceRecord) -> Result<(), StoreFailure> {
        Self::put_source(self, source).map_err(failure)
    }

    fn note_source(
        &self,
        source: &SourceId,
        added_ms: u64,
        note: &SourceNote,
    ) -> Result<bool, StoreFailure> {
        Self::note_source(self, source, added_ms, note).map_err(failure)
    }

    fn begin_try(
        &self,
        source: &SourceId,
        added_ms: u64,
        now_ms: u64,
        pause_ms: u64,
    ) -> Result<bool, StoreFailure> {
        Self::begin_try(self, source, added_ms, now_ms, pause_ms).map_err(failure)
    }

    fn tries(&self) -> Result<BTreeMap<SourceId, u64>, StoreFailure> {
        Self::tries(self).map_err(failure)
    }

    fn remove_source(&self, source: &SourceId) -> Result<bool, StoreFailure> {
        Self::remove_source(self, source).map_err(failure)
    }

    fn tools(&self) -> Result<Vec<CatalogTool>, StoreFailure> {
        Self::tools(self).map_err(failure)
    }

    fn put_tools(&self, tools: &[CatalogTool]) -> Result<(), StoreFailure> {
        Self::put_tools(self, tools).map_err(failure)
    }

    fn replace_tools(&self, pairs: &[(CatalogTool, CatalogTool)]) -> Result<bool, StoreFailure> {
        Self::replace_tools(self, pairs).map_err(failure)
    }

    fn note(&self, tool: &ToolId, sign: &Sign, at_ms: u64) -> Result<(), StoreFailure> {
        Self::note(self, tool, sign, at_ms).map_err(failure)
    }

    fn signs(&self, tool: &ToolId, limit: usize) -> Result<Vec<(u64, Sign)>, StoreFailure> {
        Self::signs(self, tool, limit).map_err(failure)
    }
}
