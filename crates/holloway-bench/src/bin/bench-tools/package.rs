//! What does a call of a tool in an npm package cost, once its worker runs?

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use holloway_engine::entry::RunId;
use holloway_engine::ports::{CallLine, CallRequest};
use holloway_plan::tool::{Effect, ToolId};
use holloway_sources::ToolSource as _;
use holloway_sources::npm::{Installer, NodeProgram, NpmSource};
use holloway_sources::sandbox::{Sandbox, Wish};
use holloway_tools::secrets::Secrets;
use serde_json::json;

use crate::figures::Figures;

const PACKAGE: &str = "@tpmjs/tools-template-render";

/// Installs the package below `tools` if it is not there, and calls it in the sandbox.
pub(crate) async fn measure(tools: &Path, calls: usize) -> Result<()> {
    let installer = Installer::new(tools.to_owned(), "npm".into(), std::env::vars().collect());
    let installed = installer.install(PACKAGE).await?;
    let node = NodeProgram::find(Path::new("node")).await?;
    let sandbox = Sandbox::find(std::env::current_exe()?, Wish::Strict)?;
    let walls = sandbox.describe().to_owned();
    let source = NpmSource::new(installed.config, tools, node, sandbox, Secrets::none());
    let offers = source.offers().await?;
    let tool = offers.first().context("the package has no tool")?;
    let request = request(tool.id.clone());
    let mut times = Vec::new();
    for call in 0..calls + 100 {
        let began = Instant::now();
        let output = source.call(&request).await?;
        let taken = began.elapsed().as_secs_f64() * 1e3;
        ensure!(output.value.to_string().contains("Ada"), "{}", output.value);
        if call >= 100 {
            times.push(taken);
        }
    }
    Figures::of(times)?.show(&format!("npm tool in {walls}"), None);
    source.close().await;
    Ok(())
}

fn request(tool: ToolId) -> CallRequest {
    CallRequest {
        tool,
        arguments: Arc::new(json!({"template": "Hello {{name}}", "data": {"name": "Ada"}})),
        effect: Effect::Read,
        key: "key".into(),
        run: RunId::new("bench"),
        node: "render".into(),
        attempt: 1,
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line: CallLine::default(),
    }
}
