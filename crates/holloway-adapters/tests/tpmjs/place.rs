//! Where do the packages lie, and how is one reached? In a folder that outlives the
//! clone: only the first run fetches anything.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use holloway_adapters::sandbox::{Sandbox, Wish};
use holloway_adapters::secrets::Secrets;
use holloway_adapters::sources::npm::{Installed, Installer, NodeProgram, NpmConfig, NpmSource};
use holloway_engine::entry::RunId;
use holloway_engine::ports::CallRequest;
use holloway_plan::tool::{Effect, ToolId};
use serde_json::Value;

/// `HOLLOWAY_TEST_TOOLS`, or a folder of the user's cache.
pub(crate) fn tools() -> PathBuf {
    let named = std::env::var_os("HOLLOWAY_TEST_TOOLS").map(PathBuf::from);
    let usual = || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache/holloway/tools");
    named.unwrap_or_else(usual)
}

pub(crate) async fn install(spec: &str) -> Installed {
    let environment = std::env::vars().collect();
    let installer = Installer::new(tools(), "npm".into(), environment);
    installer.install(spec).await.unwrap()
}

pub(crate) async fn source(config: NpmConfig, data: &Path) -> NpmSource {
    let launcher = PathBuf::from(env!("CARGO_BIN_EXE_holloway-confined"));
    let sandbox = Sandbox::find(launcher, Wish::Strict).unwrap();
    let node = NodeProgram::find(Path::new("node")).await.unwrap();
    NpmSource::new(config, data, node, sandbox, Secrets::none())
}

pub(crate) fn request(tool: &ToolId, arguments: &Value) -> CallRequest {
    CallRequest {
        tool: tool.clone(),
        arguments: Arc::new(arguments.clone()),
        effect: Effect::Read,
        key: "key".into(),
        run: RunId::new("run"),
        node: "node".into(),
        attempt: 1,
    }
}
