//! Where does the server live? In a data folder with a package and with keys, beside
//! a project; it tells where it is, and reads, writes and forks when it is asked to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holloway_engine::entry::RunId;
use holloway_engine::ports::{CallLine, CallRequest};
use holloway_flow::catalog::SourceId;
use holloway_plan::tool::Effect;
use holloway_sources::mcp::McpConfig;
use holloway_sources::open::{Surroundings, open};
use holloway_sources::{SourceConfig, ToolSource};
use holloway_tools::secrets::Secrets;
use tempfile::TempDir;

pub(crate) const PYTHON: &str = "python3";

const PYTHON_SERVER: &str = include_str!("server.py");
const NODE_SERVER: &str = include_str!("server.mjs");

pub(crate) struct World(TempDir);

impl World {
    pub(crate) fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for (file, text) in [
            ("data/secrets.json", "the keys"),
            ("data/packages/pypi/local@1/server.py", PYTHON_SERVER),
            ("data/packages/pypi/other@1/server.py", PYTHON_SERVER),
            (
                "data/packages/npm/local@1/node_modules/local/index.mjs",
                NODE_SERVER,
            ),
            (
                "data/packages/npm/local@1/node_modules/needed/index.mjs",
                "export default 'x';",
            ),
            ("project/server.py", PYTHON_SERVER),
            ("project/notes.txt", "notes"),
        ] {
            let file = world.path(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// A server in the sandbox, started by these words.
    pub(crate) fn config(&self, command: impl AsRef<Path>, script: &str) -> McpConfig {
        McpConfig {
            command: command.as_ref().display().to_string(),
            args: vec![self.text(script)],
            sandbox: true,
            ..McpConfig::default()
        }
    }

    pub(crate) fn open(&self, config: McpConfig) -> Arc<dyn ToolSource> {
        let path = std::env::var("PATH").unwrap();
        let around = Surroundings {
            secrets: Secrets::none(),
            folder: self.path("data"),
            environment: [("PATH".to_owned(), path)].into(),
            installing: [].into(),
            launcher: env!("CARGO_BIN_EXE_holloway-confined").into(),
            unsandboxed: true,
            grants: Arc::default(),
            sandbox: Arc::default(),
        };
        open(&id(), &SourceConfig::Mcp(config), &around)
    }
}

pub(crate) fn id() -> SourceId {
    SourceId::new("mcp.local")
}

pub(crate) fn request(tool: &str, argument: &str) -> CallRequest {
    CallRequest {
        tool: id().tool(tool),
        arguments: Arc::new(serde_json::json!({ "text": argument })),
        effect: Effect::Write,
        key: "key".into(),
        run: RunId::new("run"),
        node: "node".into(),
        attempt: 1,
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line: CallLine::default(),
    }
}

/// What the server answers, as text.
pub(crate) async fn ask(source: &dyn ToolSource, tool: &str, argument: &str) -> String {
    let answer = source.call(&request(tool, argument)).await.unwrap().value;
    answer["text"].as_str().unwrap().to_owned()
}
