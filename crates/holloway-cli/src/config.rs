//! What has been configured? Three layers, each over the one before: what is
//! compiled in, the user's `holloway.toml`, the project's. Read as typed, merged,
//! then turned into settings; every value remembers where it came from.

mod layer;
mod settings;
pub(crate) mod trust;

use std::path::{Path, PathBuf};

use holloway_engine::options::Consent;
use serde::Serialize;
use toml::{Table, Value};

use crate::error::CliError;
use layer::Layer;
pub(crate) use settings::Settings;

pub(crate) const FILE: &str = "holloway.toml";

/// The configuration in effect.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    pub(crate) values: Vec<Origin>,
    /// The files that were read, the strongest last.
    pub(crate) files: Vec<PathBuf>,
    /// Keys of the project's file that wait for somebody to trust it.
    pub(crate) untrusted: Vec<String>,
}

/// A value and where it came from.
#[derive(Debug, Serialize)]
pub(crate) struct Origin {
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) from: String,
}

impl Config {
    /// Reads the configuration that holds in `folder`.
    pub(crate) fn load(folder: &Path) -> Result<Self, CliError> {
        let mut layers = vec![Layer::compiled_in(folder)];
        let (mut files, mut untrusted) = (Vec::new(), Vec::new());
        if let Some(file) = user_file() {
            layers.push(Layer::read(&file)?);
            files.push(file);
        }
        if let Some(file) = project_file(folder) {
            let mut layer = Layer::read(&file)?;
            if !trust::is_trusted(&file) {
                untrusted = layer.without_what_needs_trust();
            }
            layers.push(layer);
            files.push(file);
        }
        let values = effective(&layers);
        let settings = settings_of(&values)?;
        Ok(Self {
            settings,
            values,
            files,
            untrusted,
        })
    }
}

/// The strongest layer that has a value decides it.
fn effective(layers: &[Layer]) -> Vec<Origin> {
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

/// The nearest one from `folder` upwards.
pub(crate) fn project_file(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .map(|folder| folder.join(FILE))
        .find(|file| file.is_file())
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
