//! May the file of a project decide this? A cloned repository must not redirect
//! sources, weaken effect classes or switch walls off: that needs a person's word,
//! given to the file as it is now.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use holloway_adapters::store::write_private;
use holloway_plan::digest;

use super::data_folder;
use crate::error::CliError;

/// Keys that a project's file sets only when it is trusted.
const NEEDS_TRUST: [&str; 6] = [
    "sources.",
    "sandbox.",
    "tools.effects.",
    // These say to whom secrets are handed.
    "grants.mail.",
    "grants.webhook_secrets",
    "model.",
];

pub(super) fn needs_trust(key: &str) -> bool {
    NEEDS_TRUST.iter().any(|start| key.starts_with(start))
}

/// Whether somebody trusted this file with this very content.
pub(super) fn is_trusted(file: &Path) -> bool {
    let digest = digest_of(file).ok();
    let trusted = store().map(|store| read(&store)).unwrap_or_default();
    digest.is_some() && trusted.get(&name_of(file)) == digest.as_ref()
}

/// Trusts the file as it is now.
pub(crate) fn trust(file: &Path) -> Result<(), CliError> {
    let digest = digest_of(file).map_err(|error| unusable(file, &error))?;
    change(|trusted| {
        trusted.insert(name_of(file), digest.clone());
    })
}

pub(crate) fn distrust(file: &Path) -> Result<(), CliError> {
    change(|trusted| {
        trusted.remove(&name_of(file));
    })
}

fn change(change: impl Fn(&mut BTreeMap<String, String>)) -> Result<(), CliError> {
    let store = store()?;
    let mut trusted = read(&store);
    change(&mut trusted);
    let text = serde_json::to_string_pretty(&trusted).unwrap_or_default();
    write_private(&store, text.as_bytes()).map_err(|error| unusable(&store, &error))
}

fn store() -> Result<PathBuf, CliError> {
    Ok(data_folder()?.join("trusted.json"))
}

/// What cannot be read trusts nobody.
fn read(store: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(store).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn name_of(file: &Path) -> String {
    let whole = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    whole.display().to_string()
}

fn digest_of(file: &Path) -> std::io::Result<String> {
    Ok(digest::of_json(&std::fs::read_to_string(file)?))
}

fn unusable(file: &Path, error: &std::io::Error) -> CliError {
    let message = format!("{} cannot be used: {error}", file.display());
    CliError::failed("store-folder", message).hint("check who owns it and whether the disk is full")
}
