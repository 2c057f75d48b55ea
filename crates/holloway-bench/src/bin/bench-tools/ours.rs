//! What does Holloway take for the same call? On the whole way: the tool, the guard
//! of its source with the catalogue, the client.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use holloway_engine::entry::RunId;
use holloway_engine::ports::{CallLine, CallRequest};
use holloway_flow::catalog::effect::EffectOverrides;
use holloway_flow::catalog::{Catalog, SourceId, SourceRecord};
use holloway_plan::tool::{Effect, ToolId};
use holloway_sources::guarded::GuardedSource;
use holloway_sources::mcp::{McpConfig, McpSource, McpSurroundings};
use holloway_store::Store;
use holloway_tools::clock::SystemClock;
use holloway_tools::secrets::Secrets;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Client;

/// One supervised server behind its guard.
pub(crate) struct Ours {
    source: GuardedSource,
    catalog: Store,
    echo: ToolId,
    _folder: TempDir,
}

impl Ours {
    /// Starts nothing yet.
    pub(crate) fn new(command: &str) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut around = McpSurroundings::new(Secrets::none(), folder.path());
        around.environment = ["PATH", "HOME"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
            .collect();
        let config = McpConfig {
            command: command.to_owned(),
            ..McpConfig::default()
        };
        let id = SourceId::new("mcp.bench");
        let client = McpSource::new(id.clone(), config, around);
        let catalog = Store::open(folder.path())?;
        let record = SourceRecord {
            id: id.clone(),
            config: json!({}),
            package: None,
            added_ms: 0,
            refreshed_ms: None,
            trouble: String::new(),
        };
        Catalog::put_source(&catalog, &record).map_err(|error| anyhow!(error))?;
        let source = GuardedSource::new(
            id.clone(),
            Arc::new(client),
            Arc::new(catalog.clone()),
            Arc::new(EffectOverrides::new()),
            Secrets::none(),
            Arc::new(SystemClock),
        );
        Ok(Self {
            source,
            catalog,
            echo: id.tool("echo"),
            _folder: folder,
        })
    }

    pub(crate) async fn start(command: &str) -> Result<Self> {
        let ours = Self::new(command)?;
        ours.open().await?;
        Ok(ours)
    }

    /// Starts it and takes its tools in.
    pub(crate) async fn open(&self) -> Result<()> {
        self.source.refresh(true).await?;
        Ok(())
    }

    pub(crate) async fn close(&self) {
        self.source.close().await;
    }

    /// The definition that was accepted.
    pub(crate) fn definition(&self) -> Result<String> {
        let tools = self.catalog.tools().map_err(|error| anyhow!(error))?;
        let tool = tools.into_iter().find(|tool| tool.spec.id == self.echo);
        Ok(tool.context("no echo")?.spec.definition)
    }
}

/// The same with the definition at hand, as a run has it.
pub(crate) struct Prepared {
    pub(crate) ours: Ours,
    pub(crate) definition: String,
}

impl Client for Prepared {
    async fn echo(&self, message: String) -> Result<Value> {
        let request = CallRequest {
            tool: self.ours.echo.clone(),
            arguments: Arc::new(json!({"message": message})),
            effect: Effect::Read,
            key: "key".into(),
            run: RunId::new("bench"),
            node: "echo".into(),
            attempt: 1,
            may_replace: holloway_engine::ports::MayReplace::default(),
            expected: holloway_engine::expected::Expected::default(),
            line: CallLine::default(),
        };
        let mut output = self.ours.source.call(&self.definition, &request).await?;
        let text = output.value.get_mut("text").map(Value::take);
        text.context("an answer without text")
    }
}
