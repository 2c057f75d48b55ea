//! Which files has the user trusted? Each by its path and its exact text, kept in the data folder
//! so that a later version can be compared with it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use super::data_folder;
use super::layer::text_of;
use crate::error::CliError;

/// A file as it was read, once: what is parsed, shown and trusted is this text.
#[derive(Clone, Debug)]
pub(crate) struct ProjectFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl ProjectFile {
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        Ok(Self {
            path: path.to_owned(),
            text: text_of(path)?,
        })
    }

    /// Stands for the exact bytes, as `sha256sum` prints it.
    pub(crate) fn digest(&self) -> String {
        let hash = digest(&SHA256, self.text.as_bytes());
        hash.as_ref().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

/// What was trusted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Trusted {
    pub(crate) digest: String,
    pub(crate) text: String,
    pub(crate) at_ms: u64,
}

/// The trusted files by path.
#[derive(Debug)]
pub(crate) struct TrustStore {
    file: PathBuf,
    trusted: BTreeMap<String, Trusted>,
}

impl TrustStore {
    /// A store that cannot be read trusts nobody.
    pub(crate) fn open() -> Result<Self, CliError> {
        let file = data_folder()?.join("trusted.json");
        let text = fs::read_to_string(&file).unwrap_or_default();
        let trusted = serde_json::from_str(&text).unwrap_or_default();
        Ok(Self { file, trusted })
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &Trusted)> {
        let files = self.trusted.iter();
        files.map(|(path, trusted)| (path.as_str(), trusted))
    }

    /// The version of a file that was trusted.
    pub(crate) fn version_of(&self, file: &Path) -> Option<&Trusted> {
        self.trusted.get(&name_of(file))
    }

    /// Whether somebody trusted this file with this very text.
    pub(crate) fn trusts(&self, file: &ProjectFile) -> bool {
        let version = self.version_of(&file.path);
        version.is_some_and(|version| version.text == file.text)
    }

    pub(crate) fn trust(&mut self, file: &ProjectFile, now_ms: u64) -> Result<(), CliError> {
        let trusted = Trusted {
            digest: file.digest(),
            text: file.text.clone(),
            at_ms: now_ms,
        };
        self.trusted.insert(name_of(&file.path), trusted);
        self.write()
    }

    /// Says whether the file was trusted.
    pub(crate) fn revoke(&mut self, file: &Path) -> Result<bool, CliError> {
        let was_trusted = self.trusted.remove(&name_of(file)).is_some();
        if was_trusted {
            self.write()?;
        }
        Ok(was_trusted)
    }

    /// Written beside and moved into place, so that a crash keeps the old one.
    fn write(&self) -> Result<(), CliError> {
        let write = || {
            if let Some(folder) = self.file.parent() {
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(folder)?;
            }
            let beside = self.file.with_extension("new");
            match fs::remove_file(&beside) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut options = OpenOptions::new();
            let mut file = options
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&beside)?;
            file.write_all(serde_json::to_string_pretty(&self.trusted)?.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &self.file)
        };
        write().map_err(|error: io::Error| {
            let message = format!("{} cannot be written: {error}", self.file.display());
            CliError::failed("store-folder", message)
                .hint("check who owns it and whether the disk is full")
        })
    }
}

/// A file by the folder it really is in. A link is a file of its own: it can be made to lead to
/// one that was trusted for another project.
fn name_of(file: &Path) -> String {
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    let whole = match (folder, file.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    };
    whole.display().to_string()
}
