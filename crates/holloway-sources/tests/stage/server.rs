//! How does a test start a server and call it? As the engine does: under a
//! deadline, after which the call is dropped and counts as timed out.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use holloway_engine::entry::RunId;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallLine, CallRequest};
use holloway_flow::catalog::SourceId;
use holloway_plan::tool::Effect;
use holloway_sources::ToolSource as _;
use holloway_sources::mcp::{McpConfig, McpSource, McpSurroundings};
use holloway_sources::sandbox::Attendant;
use holloway_tools::secrets::Secrets;
use serde_json::Value;

use crate::mark::Mark;

/// Long enough for any answer that does come, on a busy machine too.
pub(crate) const LONG: Duration = Duration::from_mins(1);

/// One server and what it leaves in the list of processes.
pub(crate) struct Server {
    pub(crate) source: McpSource,
    pub(crate) id: SourceId,
    pub(crate) mark: Mark,
    /// Who listens to its calls.
    pub(crate) line: CallLine,
}

impl Server {
    /// Nothing is started yet.
    pub(crate) fn new(name: &str, config: McpConfig, folder: &Path) -> Self {
        Self::with(name, config, surroundings(folder))
    }

    pub(crate) fn with(name: &str, mut config: McpConfig, around: McpSurroundings) -> Self {
        let mark = Mark::new();
        config.env.extend([mark.variable()]);
        let id = SourceId::new(format!("mcp.{name}"));
        Self {
            source: McpSource::new(id.clone(), config, around),
            id,
            mark,
            line: CallLine::default(),
        }
    }

    pub(crate) fn request(&self, tool: &str, arguments: Value) -> CallRequest {
        CallRequest {
            tool: self.id.tool(tool),
            arguments: Arc::new(arguments),
            effect: Effect::Write,
            key: "key".into(),
            run: RunId::new("run"),
            node: "node".into(),
            attempt: 1,
            may_replace: holloway_engine::ports::MayReplace::default(),
            expected: holloway_engine::expected::Expected::default(),
            line: self.line.clone(),
        }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<Value, ToolFailure> {
        self.call_within(LONG, tool, arguments).await
    }

    pub(crate) async fn call_within(
        &self,
        limit: Duration,
        tool: &str,
        arguments: Value,
    ) -> Result<Value, ToolFailure> {
        let request = self.request(tool, arguments);
        match tokio::time::timeout(limit, self.source.call(&request)).await {
            Ok(result) => result.map(|output| output.value),
            Err(_) => Err(ToolFailure::timeout(limit.as_millis() as u64)),
        }
    }

    /// Closes it and looks that nothing of it is left.
    pub(crate) async fn close(&self, what: &str) {
        let closing = self.source.close();
        let closed = tokio::time::timeout(LONG, closing).await;
        assert!(closed.is_ok(), "{what}: it does not close");
        self.mark.assert_none_left(what).await;
    }
}

/// What programs need of a machine, and nobody to ask.
pub(crate) fn surroundings(folder: &Path) -> McpSurroundings {
    let mut around = McpSurroundings::new(Secrets::none(), folder);
    around.attendant = Some(Attendant::new(env!("CARGO_BIN_EXE_holloway-confined")));
    around.environment = ["PATH", "HOME", "LANG"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
        .collect();
    around
}
