//! Where are secrets kept? In one file of the data folder that only its owner can
//! read. The environment is asked first, so that nothing need be kept at all.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use holloway_flow::discreet::REDACTED;
use holloway_store::write_private;
use holloway_tools::secrets::{SecretText, Secrets};

use crate::config::data_folder;
use crate::error::CliError;

/// Shorter secrets are not taken out: too much else would go with them.
const LONG: usize = 6;

/// The secrets of this user.
pub(crate) struct SecretFile {
    file: PathBuf,
    values: BTreeMap<String, String>,
}

impl SecretFile {
    pub(crate) fn open() -> Result<Self, CliError> {
        let file = data_folder()?.join("secrets.json");
        let values = match std::fs::read_to_string(&file) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| {
                // The message of the parser may quote what it read.
                let place = format!("{}:{}", error.line(), error.column());
                let message = format!("{}:{place}: this is no list of secrets", file.display());
                CliError::failed("secret-file", message)
                    .hint("move the file away and set the secrets again")
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(unusable(&file, &error)),
        };
        Ok(Self { file, values })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Whether a text is a secret, or a part of one, or has one in it.
    pub(crate) fn holds(&self, text: &str) -> bool {
        let alike = |value: &String| {
            let least = value.chars().count().min(text.chars().count());
            // One or two letters stand in every secret.
            value == text || (least > 2 && (value.contains(text) || text.contains(value.as_str())))
        };
        self.values.values().any(alike)
    }

    /// A text without the secrets that are kept here.
    pub(crate) fn without(&self, text: &str) -> String {
        let long = self.values.values().filter(|value| value.len() >= LONG);
        long.fold(text.to_owned(), |text, value| {
            text.replace(value.as_str(), REDACTED)
        })
    }

    pub(crate) fn set(&mut self, name: &str, value: &SecretText) -> Result<(), CliError> {
        check_name(name)?;
        self.values
            .insert(name.to_owned(), value.reveal().to_owned());
        self.write()
    }

    /// Says whether there was one.
    pub(crate) fn remove(&mut self, name: &str) -> Result<bool, CliError> {
        let known = self.values.remove(name).is_some();
        if known {
            self.write()?;
        }
        Ok(known)
    }

    /// Written beside and moved into place, so that a crash keeps the old ones.
    fn write(&self) -> Result<(), CliError> {
        let write = || {
            let text = serde_json::to_string_pretty(&self.values)?;
            write_private(&self.file, text.as_bytes())
        };
        write().map_err(|error: std::io::Error| unusable(&self.file, &error))
    }

    /// Looks names up in the environment first, then in the file.
    pub(crate) fn secrets(self) -> Secrets {
        let values = self.values;
        Secrets::new(Arc::new(move |name: &str| {
            std::env::var(name)
                .ok()
                .filter(|value| !value.is_empty())
                .or_else(|| values.get(name).cloned())
        }))
    }
}

fn unusable(file: &std::path::Path, error: &std::io::Error) -> CliError {
    CliError::failed(
        "secret-file",
        format!("{} cannot be used: {error}", file.display()),
    )
    .hint("check who owns the file and whether the disk is full")
}

/// A name that can stand in `${NAME}`.
pub(crate) fn check_name(name: &str) -> Result<(), CliError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && name.chars().all(fits) {
        return Ok(());
    }
    Err(CliError::usage(
        "input-invalid",
        "a secret's name has letters, digits, `_`, `.` and `-`",
    )
    .hint("give the name only; the value is read from standard input"))
}
