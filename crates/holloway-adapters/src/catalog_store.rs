//! The catalogue's port, kept by the store.

use holloway_flow::catalog::health::Sign;
use holloway_flow::catalog::{Catalog, CatalogTool, SourceId, SourceRecord};
use holloway_flow::run_store::StoreFailure;
use holloway_plan::tool::ToolId;

use crate::run_store::failure;
use crate::store::Store;

impl Catalog for Store {
    fn sources(&self) -> Result<Vec<SourceRecord>, StoreFailure> {
        Self::sources(self).map_err(failure)
    }

    fn put_source(&self, source: &SourceRecord) -> Result<(), StoreFailure> {
        Self::put_source(self, source).map_err(failure)
    }

    fn remove_source(&self, source: &SourceId) -> Result<bool, StoreFailure> {
        Self::remove_source(self, source).map_err(failure)
    }

    fn tools(&self) -> Result<Vec<CatalogTool>, StoreFailure> {
        Self::tools(self).map_err(failure)
    }

    fn tools_of(&self, source: &SourceId) -> Result<Vec<CatalogTool>, StoreFailure> {
        Self::tools_of(self, source).map_err(failure)
    }

    fn put_tools(&self, tools: &[CatalogTool]) -> Result<(), StoreFailure> {
        Self::put_tools(self, tools).map_err(failure)
    }

    fn remove_tools(&self, tools: &[ToolId]) -> Result<(), StoreFailure> {
        Self::remove_tools(self, tools).map_err(failure)
    }

    fn note(&self, tool: &ToolId, sign: &Sign, at_ms: u64) -> Result<(), StoreFailure> {
        Self::note(self, tool, sign, at_ms).map_err(failure)
    }

    fn signs(&self, tool: &ToolId, limit: usize) -> Result<Vec<(u64, Sign)>, StoreFailure> {
        Self::signs(self, tool, limit).map_err(failure)
    }
}
