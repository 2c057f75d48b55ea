//! How are tools in npm packages reached? Installed without scripts at an exact
//! version, described by loading them, run in a persistent Node worker in the sandbox.
//!
//! Invariant: no worker starts on files that differ from those that were accepted.

mod complaint;
mod install;
mod launch;
mod lines;
mod offers;
mod outcome;
mod package_name;
mod pin;
mod script;
mod worker;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex as PlainMutex, PoisonError};

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_flow::catalog::offer::{Offer, Package, Registry};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use super::{SourceError, SourceErrorKind, ToolSource};
use crate::sandbox::Sandbox;
use holloway_tools::secrets::Secrets;
pub use install::{Installed, Installer, package_folder};
pub use launch::NodeProgram;
use launch::{Start, Walls, start_failure};
use offers::Description;
pub use worker::WorkerLimits;
use worker::{Trouble, Worker};

/// One installed package.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NpmConfig {
    pub package: String,
    /// Exact.
    pub version: String,
    /// As the registry gave it: `sha512-…`.
    pub integrity: String,
    /// Digest of the lock file: the package with all it depends on.
    pub lock: String,
    /// Digest of all installed files.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub files: String,
    /// May it use the network?
    pub network: bool,
    /// Environment variables a call sees: name → text that may name a secret as `${NAME}`.
    pub env: BTreeMap<String, String>,
}

/// The tools of one package.
pub struct NpmSource {
    config: NpmConfig,
    folder: PathBuf,
    node: NodeProgram,
    walls: Walls,
    secrets: Secrets,
    limits: WorkerLimits,
    worker: Mutex<Option<Worker>>,
    notes: PlainMutex<Vec<String>>,
}

impl NpmSource {
    /// The package of `config`, installed below the data folder `data`.
    pub fn new(
        config: NpmConfig,
        data: &Path,
        node: NodeProgram,
        sandbox: Sandbox,
        secrets: Secrets,
    ) -> Self {
        Self::behind(Walls::Sandbox(sandbox), config, data, node, secrets)
    }

    fn behind(
        walls: Walls,
        config: NpmConfig,
        data: &Path,
        node: NodeProgram,
        secrets: Secrets,
    ) -> Self {
        Self {
            folder: package_folder(data, &config.package, &config.version),
            config,
            node,
            walls,
            secrets,
            limits: WorkerLimits::default(),
            worker: Mutex::default(),
            notes: PlainMutex::default(),
        }
    }

    pub fn with_limits(mut self, limits: WorkerLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Where package.json says other things than the module, found when it was last listed.
    pub fn notes(&self) -> Vec<String> {
        let notes = self.notes.lock();
        notes.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Behind walls, without network, and with nothing to write but a private folder that
    /// goes with the worker, a tool cannot change the world, whatever its code does.
    fn is_harmless(&self) -> bool {
        self.walls.hold() && !self.config.network
    }

    /// The running worker, or a new one where there is none that takes calls.
    async fn worker(&self) -> Result<Worker, SourceError> {
        let mut slot = self.worker.lock().await;
        if let Some(worker) = slot.as_ref().filter(|worker| worker.is_usable()) {
            return Ok(worker.clone());
        }
        let worker = self.start().await?;
        *slot = Some(worker.clone());
        Ok(worker)
    }

    async fn start(&self) -> Result<Worker, SourceError> {
        let (folder, config) = (self.folder.clone(), self.config.clone());
        let checked = tokio::task::spawn_blocking(move || {
            pin::verify(&folder, &config)?;
            let folder = folder
                .canonicalize()
                .map_err(|error| start_failure(&error))?;
            let script = script::write(&folder).map_err(|error| start_failure(&error))?;
            Ok((folder, script))
        });
        let checked = checked
            .await
            .unwrap_or_else(|error| Err(start_failure(&error.into())));
        let (folder, script) = checked?;
        let start = Start {
            script,
            largest_result: self.limits.result_characters,
        };
        let confinement = self.node.confinement(&self.config, &folder, start);
        let (child, warden) = self.walls.start(&confinement)?;
        let lost = || start_failure(&std::io::Error::other("it has no pipes"));
        Worker::new(child, self.limits, warden).ok_or_else(lost)
    }

    /// Asks once more when the worker ended in the very moment it was asked.
    async fn ask(&self, message: &Value) -> Result<Result<Value, Trouble>, SourceError> {
        let outcome = self.worker().await?.ask(message).await;
        if outcome == Err(Trouble::Unsent) {
            return Ok(self.worker().await?.ask(message).await);
        }
        Ok(outcome)
    }

    fn environment(&self) -> Result<Value, SourceError> {
        let mut environment = Map::new();
        for (name, text) in &self.config.env {
            let value = self.secrets.resolve(text).map_err(|missing| {
                SourceError::new(
                    SourceErrorKind::Secret,
                    format!("`{}` needs a secret: {missing}", self.config.package),
                    "set it, and try again",
                )
            })?;
            environment.insert(name.clone(), json!(value.reveal()));
        }
        Ok(Value::Object(environment))
    }

    async fn describe(&self) -> Result<Description, SourceError> {
        let message = json!({"op": "describe"});
        let asked = self.ask(&message);
        let Ok(outcome) = tokio::time::timeout(self.limits.start, asked).await else {
            return Err(self.slow());
        };
        let value = outcome?.map_err(|trouble| self.undescribed(trouble))?;
        serde_json::from_value(value).map_err(|error| {
            let message = format!(
                "`{}` describes itself strangely: {error}",
                self.config.package
            );
            SourceError::new(SourceErrorKind::Protocol, message, "report this")
        })
    }

    fn slow(&self) -> SourceError {
        let (package, limit) = (&self.config.package, self.limits.start.as_secs());
        SourceError::new(
            SourceErrorKind::Timeout,
            format!("`{package}` did not list its tools within {limit} s"),
            "see whether loading the package waits for something it may not reach",
        )
    }

    fn undescribed(&self, trouble: Trouble) -> SourceError {
        let why = match trouble {
            Trouble::Tool(problem) => format!("{}: {}", problem.name, problem.message),
            Trouble::Lost(reason) => reason,
            Trouble::Unsent => "its worker ended at once".to_owned(),
        };
        SourceError::new(
            SourceErrorKind::Start,
            self.secrets.clean(&format!(
                "`{}` cannot be loaded: {why}",
                self.config.package
            )),
            "a package that needs files, programs or the network while it is loaded does not work in the sandbox",
        )
    }

    async fn cleaned(
        &self,
        outcome: Result<Value, ToolFailure>,
    ) -> Result<CallOutput, ToolFailure> {
        match outcome {
            Ok(value) => Ok(self.secrets.clean_large(value).await?.into()),
            Err(mut failure) => {
                failure.message = self.secrets.clean(&failure.message);
                Err(failure)
            }
        }
    }
}

#[async_trait]
impl ToolSource for NpmSource {
    async fn offers(&self) -> Result<Vec<Offer>, SourceError> {
        let description = self.describe().await?;
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.clone_from(&description.notes);
        Ok(description.into_offers(&self.config, self.is_harmless()))
    }

    async fn call(&self, request: &CallRequest) -> Result<CallOutput, ToolFailure> {
        if request.tool.source() != offers::source_id(&self.config).as_str() {
            let message = format!("`{}` is no tool of `{}`", request.tool, self.config.package);
            return Err(ToolFailure::unknown_tool(message));
        }
        let message = json!({
            "op": "call",
            "tool": request.tool.name(),
            "input": &*request.arguments,
            "env": self.environment()?,
            "key": &*request.key,
        });
        let outcome = self.ask(&message).await?;
        self.cleaned(outcome::judge(outcome, self.is_harmless()))
            .await
    }

    fn package(&self) -> Option<Package> {
        Some(Package {
            registry: Registry::Npm,
            name: self.config.package.clone(),
            version: self.config.version.clone(),
            integrity: self.config.integrity.clone(),
        })
    }

    async fn close(&self) {
        let worker = self.worker.lock().await.take();
        if let Some(worker) = worker {
            worker.close().await;
        }
    }
}
