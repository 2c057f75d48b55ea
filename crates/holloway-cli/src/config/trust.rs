//! Which files has the user trusted? Each by its path, its exact text and where the folders lead
//! that it names, kept in the data folder so that a later version can be compared with it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use super::layer::{Layer, text_of};
use super::{data_folder, folders};
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
    /// Where each folder that the file grants led when it was looked at.
    #[serde(default)]
    pub(crate) places: BTreeMap<PathBuf, Option<PathBuf>>,
}

impl Trusted {
    /// A file as it is looked at now.
    pub(crate) fn of(file: &ProjectFile, now_ms: u64) -> Self {
        Self {
            digest: file.digest(),
            text: file.text.clone(),
            at_ms: now_ms,
            places: places_of(file),
        }
    }

    /// Whether a file still says this, and its folders lead where they led.
    pub(crate) fn is_as_now(&self, file: &ProjectFile) -> bool {
        self.text == file.text && self.places == places_of(file)
    }
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

    pub(crate) fn files(&self) -> impl Iterator<Item = (PathBuf, &Trusted)> {
        let files = self.trusted.iter();
        files.map(|(name, trusted)| (path_of(name), trusted))
    }

    /// The version of a file that was trusted.
    pub(crate) fn version_of(&self, file: &Path) -> Option<&Trusted> {
        self.trusted.get(&name_of(file))
    }

    /// Whether somebody trusted this file with this very text, and its folders lead where they
    /// led then.
    pub(crate) fn trusts(&self, file: &ProjectFile) -> bool {
        let version = self.version_of(&file.path);
        version.is_some_and(|version| version.is_as_now(file))
    }

    pub(crate) fn trust(&mut self, file: &Path, trusted: Trusted) -> Result<(), CliError> {
        self.trusted.insert(name_of(file), trusted);
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

/// Where each folder leads that a file grants; one whose end cannot be told leads nowhere.
fn places_of(file: &ProjectFile) -> BTreeMap<PathBuf, Option<PathBuf>> {
    let Ok(layer) = Layer::parse(&file.path, &file.text) else {
        return BTreeMap::new();
    };
    let values = layer.values.iter();
    let lists = values.filter(|(key, _)| key == "grants.folders");
    let folders = lists.flat_map(|(_, list)| folders::read(list));
    let places = folders.map(|folder| (folder.path.clone(), folders::real_path(&folder.path)));
    places.collect()
}

/// A file by the folder it really is in. A link is a file of its own: it can be made to lead to
/// one that was trusted for another project. Bytes that are no text are escaped, as `%ff`, so
/// that no two paths have one name.
fn name_of(file: &Path) -> String {
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    let whole = match (folder, file.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    };
    let mut name = String::new();
    for chunk in whole.as_os_str().as_bytes().utf8_chunks() {
        name.push_str(&chunk.valid().replace('%', "%25"));
        for byte in chunk.invalid() {
            let _ = write!(name, "%{byte:02x}");
        }
    }
    name
}

/// The opposite of [`name_of`].
fn path_of(name: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut parts = name.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let escaped = part
            .get(..2)
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        match escaped {
            Some(byte) => bytes.push(byte),
            // Written by an earlier version.
            None => bytes.extend(b"%"),
        }
        let rest = escaped.map_or(Some(part), |_| part.get(2..));
        bytes.extend(rest.unwrap_or_default().bytes());
    }
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_paths_have_one_name() {
        let paths: [&[u8]; 7] = [
            b"/no/\xff/holloway.toml",
            b"/no/\xfe/holloway.toml",
            "/no/\u{fffd}/holloway.toml".as_bytes(),
            b"/no/%ff/holloway.toml",
            b"/no/%25ff/holloway.toml",
            b"/no/\xe2\x82/holloway.toml",
            "/no/\u{20ac}/holloway.toml".as_bytes(),
        ];
        let mut names = Vec::new();
        for bytes in paths {
            let path = PathBuf::from(OsString::from_vec(bytes.to_vec()));
            let name = name_of(&path);
            assert_eq!(path_of(&name), path, "{name}");
            names.push(name);
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), paths.len(), "{names:?}");
    }
}
