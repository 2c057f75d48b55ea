//! Which tools are there, and what may they reach? Built from the configuration
//! with the flags of the command on top.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use holloway_adapters::tools::{Folder, Grants, Toolbox};
use holloway_plan::tool::{Lookup, ToolSpec, ToolTable};
use serde_json::Value;

use crate::arguments::Reach;
use crate::config::Settings;
use crate::error::CliError;

/// The tools of one command.
#[derive(Clone)]
pub(crate) struct Bench {
    pub(crate) toolbox: Toolbox,
    pub(crate) table: ToolTable,
    grants: Grants,
}

impl Bench {
    pub(crate) fn set_up(
        settings: &Settings,
        reach: &Reach,
        here: &Path,
    ) -> Result<Self, CliError> {
        let bench = Self::reaching(grants(&settings.grants, reach, here)?);
        if settings.tools.samples || reach.sample_tools {
            return Ok(bench.with_samples());
        }
        Ok(bench)
    }

    fn reaching(grants: Grants) -> Self {
        let toolbox = Toolbox::builtin(grants.clone());
        let table = ToolTable::new(toolbox.specs());
        Self {
            toolbox,
            table,
            grants,
        }
    }

    fn with_samples(self) -> Self {
        let toolbox = self.toolbox.with_samples();
        let table = ToolTable::new(toolbox.specs());
        Self {
            toolbox,
            table,
            grants: self.grants,
        }
    }

    /// What is kept beside a run, so that it reaches the same wherever it is resumed.
    pub(crate) fn terms(&self) -> Value {
        serde_json::to_value(&self.grants).unwrap_or_default()
    }

    /// The tools a run began with: its own grants, flags on top, sample tools if it uses them.
    pub(crate) fn for_stored_plan(
        stored: &Value,
        settings: &Settings,
        reach: &Reach,
        here: &Path,
    ) -> Result<Self, CliError> {
        let terms = stored.get("terms").cloned().unwrap_or_default();
        let granted = serde_json::from_value(terms).unwrap_or_else(|_| settings.grants.clone());
        let bench = Self::reaching(grants(&granted, reach, here)?);
        let pins = stored.get("pins").and_then(Value::as_object);
        let is_known = |name: &String| matches!(bench.table.find(name), Lookup::Found(_));
        if pins.is_some_and(|pins| !pins.keys().all(is_known)) {
            return Ok(bench.with_samples());
        }
        Ok(bench)
    }

    /// The tool of this name, or what was probably meant.
    pub(crate) fn tool(&self, name: &str) -> Result<Arc<ToolSpec>, CliError> {
        match self.table.find(name) {
            Lookup::Found(tool) => Ok(tool),
            Lookup::Ambiguous(tools) => {
                let names: Vec<String> = tools.iter().map(ToString::to_string).collect();
                Err(
                    CliError::usage("unknown-tool", format!("several tools are called `{name}`"))
                        .hint(format!("say which: {}", names.join(", "))),
                )
            }
            Lookup::Missing => {
                let known = self
                    .table
                    .iter()
                    .flat_map(|tool| [tool.id.as_str(), tool.id.name()]);
                let guess = holloway_plan::problem::did_you_mean(name, known);
                Err(
                    CliError::usage("unknown-tool", format!("there is no tool `{name}`"))
                        .some_hint(guess)
                        .or_hint("`holloway tools` lists the tools"),
                )
            }
        }
    }
}

fn grants(configured: &Grants, reach: &Reach, here: &Path) -> Result<Grants, CliError> {
    let mut grants = configured.clone();
    for folder in &reach.grant_folder {
        grants.folders.push(granted(folder, here)?);
    }
    grants
        .private_hosts
        .extend(reach.allow_host.iter().cloned());
    grants.shell |= reach.allow_shell;
    Ok(grants)
}

fn granted(text: &str, here: &Path) -> Result<Folder, CliError> {
    let (path, writable) = match text.strip_suffix(":ro") {
        Some(path) => (path, false),
        None => (text.strip_suffix(":rw").unwrap_or(text), true),
    };
    let path: PathBuf = here.join(path);
    if !path.is_dir() {
        let message = format!("--grant-folder: there is no folder `{}`", path.display());
        return Err(
            CliError::usage("input-invalid", message).hint("make it first, or check the spelling")
        );
    }
    Ok(Folder { path, writable })
}
