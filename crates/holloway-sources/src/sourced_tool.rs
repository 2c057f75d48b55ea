//! How does a tool from outside look to the engine? Like any other: a definition
//! from the catalogue, and calls that go through the guard of its source.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::ToolSpec;
use serde_json::Value;

use super::guarded::GuardedSource;
use holloway_tools::Tool;

/// A tool of a source.
pub struct SourcedTool {
    spec: ToolSpec,
    source: Arc<GuardedSource>,
}

impl SourcedTool {
    /// `spec` is the one the catalogue holds, with the digest of what was accepted.
    pub fn new(spec: ToolSpec, source: Arc<GuardedSource>) -> Self {
        Self { spec, source }
    }
}

#[async_trait]
impl Tool for SourcedTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, _: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        self.source.call(&self.spec.definition, call).await
    }
}
