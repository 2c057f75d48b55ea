//! What does Holloway's client take for the same call?

use std::sync::Arc;

use anyhow::{Context, Result};
use holloway_adapters::secrets::Secrets;
use holloway_adapters::sources::ToolSource as _;
use holloway_adapters::sources::mcp::{McpConfig, McpSource, McpSurroundings};
use holloway_engine::entry::RunId;
use holloway_engine::ports::CallRequest;
use holloway_flow::catalog::SourceId;
use holloway_plan::tool::Effect;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Client;

/// One supervised server.
pub(crate) struct Ours {
    source: McpSource,
    id: SourceId,
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
        Ok(Self {
            source: McpSource::new(id.clone(), config, around),
            id,
            _folder: folder,
        })
    }

    pub(crate) async fn start(command: &str) -> Result<Self> {
        let ours = Self::new(command)?;
        ours.open().await?;
        Ok(ours)
    }

    /// Starts it and lists its tools.
    pub(crate) async fn open(&self) -> Result<()> {
        self.source.offers().await?;
        Ok(())
    }

    pub(crate) async fn close(&self) {
        self.source.close().await;
    }
}

impl Client for Ours {
    async fn echo(&self, message: String) -> Result<Value> {
        let request = CallRequest {
            tool: self.id.tool("echo"),
            arguments: Arc::new(json!({"message": message})),
            effect: Effect::Read,
            key: "key".into(),
            run: RunId::new("bench"),
            node: "echo".into(),
            attempt: 1,
            line: holloway_engine::ports::CallLine::default(),
        };
        let mut output = self.source.call(&request).await?;
        let text = output.value.get_mut("text").map(Value::take);
        text.context("an answer without text")
    }
}
