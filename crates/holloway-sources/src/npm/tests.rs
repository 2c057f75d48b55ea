//! Do packages of all kinds describe themselves, and does none of them do harm? Tiny
//! packages are written to a folder; nothing is fetched.

mod behaving;
mod changing;
mod describing;
mod failing;
mod installing;

use std::fs;
use std::sync::Arc;

use holloway_engine::entry::RunId;
use holloway_plan::tool::{Effect, ToolId};
use tempfile::TempDir;

use super::pin::Pin;
use super::*;

/// A package in a data folder of its own.
struct Fixture {
    data: TempDir,
    config: NpmConfig,
}

impl Fixture {
    /// A package of these files; its package.json is given, or says nothing but its name.
    fn new(files: &[(&str, &str)]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let name = "@test/tools";
        let folder = package_folder(data.path(), name, "1.0.0");
        let package = folder.join("node_modules").join(name);
        write(
            &package,
            "package.json",
            r#"{"name": "@test/tools", "version": "1.0.0", "type": "module"}"#,
        );
        for (path, text) in files {
            write(&package, path, text);
        }
        let lock = r#"{"packages": {"": {}, "node_modules/@test/tools": {"version": "1.0.0", "integrity": "sha512-made+up=="}}}"#;
        write(&folder, "package-lock.json", lock);
        let pin = Pin::read(&folder, name).unwrap();
        let config = NpmConfig {
            package: name.to_owned(),
            version: pin.version,
            integrity: pin.integrity,
            lock: pin.lock,
            files: pin.files,
            ..NpmConfig::default()
        };
        Self { data, config }
    }

    /// An ES module in `index.js`.
    fn module(text: &str) -> Self {
        Self::new(&[("index.js", text)])
    }

    fn folder(&self) -> PathBuf {
        package_folder(self.data.path(), &self.config.package, &self.config.version)
    }

    async fn source(&self) -> NpmSource {
        self.source_with(Secrets::none()).await
    }

    async fn source_with(&self, secrets: Secrets) -> NpmSource {
        let node = NodeProgram::find(Path::new("node")).await.unwrap();
        let config = self.config.clone();
        NpmSource::behind(Walls::Absent, config, self.data.path(), node, secrets)
    }
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn request(name: &str, arguments: Value) -> CallRequest {
    CallRequest {
        tool: ToolId::new(format!("npm.@test/tools/{name}")),
        arguments: Arc::new(arguments),
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

async fn call(source: &NpmSource, name: &str, arguments: Value) -> Result<Value, ToolFailure> {
    let output = source.call(&request(name, arguments)).await?;
    Ok(output.value)
}
