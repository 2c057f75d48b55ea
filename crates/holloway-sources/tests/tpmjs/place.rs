//! Where do the packages lie, and how is one reached? In a folder that outlives the
//! clone: only the first run fetches anything.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holloway_engine::entry::RunId;
use holloway_engine::ports::CallRequest;
use holloway_plan::tool::{Effect, ToolId};
use holloway_sources::npm::{
    Installed, Installer, NodeProgram, NpmConfig, NpmSource, package_folder,
};
use holloway_sources::sandbox::{Sandbox, Wish};
use holloway_tools::secrets::Secrets;
use serde_json::Value;
use tempfile::TempDir;

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
    source_with(config, data, Wish::Strict).await
}

async fn source_with(config: NpmConfig, data: &Path, wish: Wish) -> NpmSource {
    let launcher = PathBuf::from(env!("CARGO_BIN_EXE_holloway-confined"));
    let sandbox = Sandbox::find(launcher, wish).unwrap();
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
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line: holloway_engine::ports::CallLine::default(),
    }
}

/// A package of our own, in a folder that goes with it.
pub(crate) struct Local {
    data: TempDir,
    config: NpmConfig,
}

impl Local {
    pub(crate) fn new(module: &str) -> Self {
        let data = tempfile::tempdir().unwrap();
        let lock = r#"{"packages": {"node_modules/local": {"integrity": "sha512-none"}}}"#;
        let config = NpmConfig {
            package: "local".to_owned(),
            version: "1.0.0".to_owned(),
            integrity: "sha512-none".to_owned(),
            lock: blake3::hash(lock.as_bytes()).to_hex()[..32].to_owned(),
            ..NpmConfig::default()
        };
        let local = Self { data, config };
        let package = local.folder().join("node_modules/local");
        fs::create_dir_all(&package).unwrap();
        let manifest = r#"{"name": "local", "version": "1.0.0", "type": "module"}"#;
        fs::write(package.join("package.json"), manifest).unwrap();
        fs::write(package.join("index.js"), module).unwrap();
        fs::write(local.folder().join("package-lock.json"), lock).unwrap();
        local
    }

    pub(crate) fn folder(&self) -> PathBuf {
        package_folder(self.data.path(), "local", "1.0.0")
    }

    pub(crate) async fn source(&self) -> NpmSource {
        self.source_with(Wish::Strict).await
    }

    pub(crate) async fn source_with(&self, wish: Wish) -> NpmSource {
        source_with(self.config.clone(), self.data.path(), wish).await
    }
}
