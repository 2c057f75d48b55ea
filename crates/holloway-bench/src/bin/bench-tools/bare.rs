//! What is the floor? The protocol library on the pipes of the same program, with
//! nothing around it.

use std::process::Stdio;

use anyhow::{Context, Result};
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::Client;

/// The library's own client.
pub(crate) struct Bare {
    service: RunningService<RoleClient, ()>,
    _child: Child,
}

impl Bare {
    pub(crate) async fn start(command: &str) -> Result<Self> {
        let mut child = Command::new(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().context("no output")?;
        let input = child.stdin.take().context("no input")?;
        let service = ().serve((output, input)).await?;
        service.list_all_tools().await?;
        Ok(Self {
            service,
            _child: child,
        })
    }
}

impl Client for Bare {
    async fn echo(&self, message: String) -> Result<Value> {
        let arguments = json!({"message": message}).as_object().cloned();
        let mut params = CallToolRequestParams::new("echo");
        params.arguments = arguments;
        let result = serde_json::to_value(self.service.call_tool(params).await?)?;
        let text = result.pointer("/content/0/text").cloned();
        text.context("an answer without text")
    }
}
