//! What has been configured? Three layers, each over the one before: what is compiled in, the
//! user's `holloway.toml`, the project's. Every value remembers where it came from. A project's
//! file makes things stricter at once and looser only when it is trusted; what the user denies
//! stays denied.

mod folders;
mod layer;
mod passed_over;
mod project;
mod retention;
mod rules;
mod settings;
pub(crate) mod trust;

use std::path::{Path, PathBuf};

use holloway_engine::options::Consent;
use holloway_flow::catalog::effect::EffectOverrides;
use serde::Serialize;
use toml::{Table, Value};

use crate::error::CliError;
pub(crate) use folders::Shared;
use layer::Layer;
pub(crate) use passed_over::PassedOver;
pub(crate) use project::Project;
pub(crate) use retention::{Age, Retention};
use rules::{Rule, Rules, Verdict, consent};
pub(crate) use settings::Settings;
use trust::{ProjectFile, TrustStore};

pub(crate) const FILE: &str = "holloway.toml";
/// The table of what tools do to the world.
const EFFECTS: &str = "tools.effects.";

/// The configuration in effect.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    pub(crate) values: Vec<Origin>,
    /// What tools count as at least, by the word of a file that is not trusted.
    pub(crate) at_least: EffectOverrides,
    /// The files that were read, the strongest last.
    pub(crate) files: Vec<PathBuf>,
    /// What is written in files and has no effect.
    pub(crate) passed_over: PassedOver,
}

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Origin {
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) from: String,
}

impl Config {
    /// Reads the configuration that holds in `folder`.
    pub(crate) fn load(folder: &Path) -> Result<Self, CliError> {
        let project = Project::around(folder);
        let file = project.file.as_deref().map(ProjectFile::read).transpose()?;
        let is_trusted = match &file {
            Some(file) => TrustStore::open()?.trusts(file),
            None => false,
        };
        let mut config = Self::with_project(folder, file.as_ref(), is_trusted)?;
        config.passed_over.not_read = project.not_read;
        Ok(config)
    }

    /// The file that a value came from.
    pub(crate) fn from(&self, key: &str) -> &str {
        let value = self.values.iter().find(|value| value.key == key);
        value.map_or("", |value| &value.from)
    }

    /// The same with a file as the project's, as if it were trusted or as if it were not.
    pub(crate) fn with_project(
        folder: &Path,
        file: Option<&ProjectFile>,
        is_trusted: bool,
    ) -> Result<Self, CliError> {
        let mut layers = vec![Layer::compiled_in(folder)];
        let mut files = Vec::new();
        if let Some(file) = user_file() {
            layers.push(Layer::read(&file)?);
            files.push(file);
        }
        let mut said = Said::default();
        if let Some(file) = file {
            let layer = Layer::parse(&file.path, &file.text)?;
            // A mistake in what waits for trust is told as well.
            let whole = layers.iter().chain([&layer]);
            settings_of(&effective(whole))?;
            said = heard(layer, &effective(&layers), is_trusted);
            said.passed_over.file = Some(file.path.clone());
            layers.extend(said.layer.take());
            files.push(file.path.clone());
        }
        let mut values = effective(&layers);
        let settings = settings_of(&values)?;
        values.extend(said.shown_effects);
        values.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(Self {
            settings,
            values,
            at_least: said.at_least,
            files,
            passed_over: said.passed_over,
        })
    }
}

/// What is heard of a project's file.
#[derive(Default)]
struct Said {
    layer: Option<Layer>,
    at_least: EffectOverrides,
    shown_effects: Vec<Origin>,
    passed_over: PassedOver,
}

/// Sorts what a project's file says into what takes effect and what is passed over.
fn heard(mut layer: Layer, below: &[Origin], is_trusted: bool) -> Said {
    let rules = Rules::read();
    let mut said = Said::default();
    let find = |key: &str| {
        let known = below.iter().find(|known| known.key == key);
        known.map(|known| &known.value)
    };
    for (key, value) in std::mem::take(&mut layer.values) {
        let denies = |value: Option<&Value>| consent(value) == Some(Consent::Deny);
        let is_denied = rules.of(&key) == Rule::Consent && denies(find(&key));
        if is_denied && !denies(Some(&value)) {
            said.passed_over.denied.push(key);
            continue;
        }
        if is_trusted {
            layer.values.push((key, value));
            continue;
        }
        let Verdict {
            takes,
            at_least,
            waits,
        } = rules.judge(&key, &value, find);
        if let (Some(effect), Some(tool)) = (at_least, key.strip_prefix(EFFECTS)) {
            said.at_least.insert(tool.to_owned(), effect);
            said.shown_effects.push(Origin {
                key: key.clone(),
                value: Value::from(format!("at least {effect}")),
                from: layer.name.clone(),
            });
        }
        layer.values.extend(takes.map(|value| (key.clone(), value)));
        if waits {
            said.passed_over.untrusted.push(key);
        }
    }
    said.layer = Some(layer);
    said
}

/// The strongest layer that has a value decides it.
fn effective<'a>(layers: impl IntoIterator<Item = &'a Layer>) -> Vec<Origin> {
    let mut values: Vec<Origin> = Vec::new();
    for layer in layers {
        for (key, value) in &layer.values {
            values.retain(|known| &known.key != key);
            values.push(Origin {
                key: key.clone(),
                value: value.clone(),
                from: layer.name.clone(),
            });
        }
    }
    values.sort_by(|a, b| a.key.cmp(&b.key));
    values
}
fn settings_of(values: &[Origin]) -> Result<Settings, CliError> {
    let mut merged = Table::new();
    for Origin { key, value, .. } in values {
        layer::insert(&mut merged, key, value.clone());
    }
    let settings: Settings = merged.try_into().map_err(|error| {
        CliError::failed(
            "internal",
            format!("the configuration does not merge: {error}"),
        )
    })?;
    let from = |key: &str| {
        let from = values.iter().find(|value| value.key == key);
        from.map_or("", |value| value.from.as_str())
    };
    if let Some(key) = settings.forbidding() {
        let message = format!("{}: `{key}` must be at least 1", from(&key));
        return Err(
            CliError::usage("config-invalid", message).hint("with 0, no call could ever be made")
        );
    }
    if settings.approvals.sensitive == Consent::Allow {
        let key = "approvals.sensitive";
        let message = format!("{}: `{key}` must be `ask` or `deny`", from(key));
        return Err(CliError::usage("config-invalid", message)
            .hint("writing to a sensitive place is allowed for one run at a time, with --yes"));
    }
    settings.planning.check().map_err(|bad| {
        let key = format!("planning.{}", bad.key);
        let message = format!("{}: `{key}` {}", from(&key), bad.problem);
        CliError::usage("config-invalid", message)
            .hint("docs/cli.md explains every key of holloway.toml")
    })?;
    Ok(settings)
}

fn user_file() -> Option<PathBuf> {
    use etcetera::BaseStrategy as _;
    let folder = etcetera::choose_base_strategy().ok()?.config_dir();
    Some(folder.join("holloway").join(FILE)).filter(|file| file.is_file())
}

/// Where runs are kept: `$HOLLOWAY_HOME`, or the platform's folder for data.
pub(crate) fn data_folder() -> Result<PathBuf, CliError> {
    use etcetera::BaseStrategy as _;
    if let Some(folder) = std::env::var_os("HOLLOWAY_HOME").filter(|value| !value.is_empty()) {
        let folder = PathBuf::from(folder);
        // Said here, because whatever is looked for inside it would be blamed instead.
        if folder.exists() && !folder.is_dir() {
            let message = format!("HOLLOWAY_HOME is no folder: {}", folder.display());
            return Err(CliError::failed("store-folder", message)
                .hint("name a folder with HOLLOWAY_HOME; it is made if it is not there"));
        }
        return Ok(folder);
    }
    let strategy = etcetera::choose_base_strategy().map_err(|error| {
        CliError::failed(
            "store-folder",
            format!("there is no folder for data: {error}"),
        )
        .hint("name a folder with HOLLOWAY_HOME")
    })?;
    Ok(strategy.data_dir().join("holloway"))
}

/// The folders of Holloway itself, which no tool may use: data, also where `$HOLLOWAY_HOME` names
/// another folder, and settings.
pub(crate) fn own_folders(here: &Path) -> Result<Vec<PathBuf>, CliError> {
    use etcetera::BaseStrategy as _;
    let mut folders = vec![here.join(data_folder()?)];
    if let Ok(strategy) = etcetera::choose_base_strategy() {
        folders.push(here.join(strategy.data_dir()).join("holloway"));
        folders.push(here.join(strategy.config_dir()).join("holloway"));
    }
    Ok(folders)
}
