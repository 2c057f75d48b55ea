//! Is the installed package still the one that was accepted? Version, integrity,
//! lock file and every installed file are looked at before each start.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use serde_json::Value;

use super::NpmConfig;
use super::package_name::{is_exact_version, is_name};
use crate::{SourceError, SourceErrorKind};

const MODULES: &str = "node_modules";

/// What a folder holds, read from the folder itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    pub(super) version: String,
    pub(super) integrity: String,
    pub(super) lock: String,
    pub(super) files: String,
}

impl Pin {
    /// Reads the pin of the package `name` that is installed in `folder`.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self, SourceError> {
        if !is_name(name) {
            return Err(unusable(format!("`{name}` is not the name of a package")));
        }
        let manifest = folder.join(MODULES).join(name).join("package.json");
        let manifest = parse(&bytes(&manifest)?)?;
        let lock_bytes = bytes(&folder.join("package-lock.json"))?;
        let integrity = locked(&parse(&lock_bytes)?, name)?;
        let version = text(&manifest, "version");
        if !is_exact_version(&version) {
            return Err(unusable(format!("`{version}` is not an exact version")));
        }
        Ok(Self {
            version,
            integrity,
            lock: shortened(&blake3::hash(&lock_bytes)),
            files: files_digest(&folder.join(MODULES)).map_err(|error| unreadable(&error))?,
        })
    }
}

/// Compares what is installed with what was accepted.
pub(super) fn verify(folder: &Path, config: &NpmConfig) -> Result<(), SourceError> {
    let found = Pin::read(folder, &config.package)?;
    let checks = [
        ("version", &found.version, &config.version),
        ("integrity", &found.integrity, &config.integrity),
        ("lock file", &found.lock, &config.lock),
        ("files", &found.files, &config.files),
    ];
    for (what, found, accepted) in checks {
        // Folders that were installed by other means have no digest of their files.
        let unknown = what == "files" && accepted.is_empty();
        if !unknown && found != accepted {
            return Err(changed(&config.package, what, found, accepted));
        }
    }
    Ok(())
}

pub(super) fn changed(package: &str, what: &str, found: &str, accepted: &str) -> SourceError {
    SourceError::new(
        SourceErrorKind::Package,
        format!(
            "the installed package `{package}` is not the one that was accepted: its {what} is {found}, accepted was {accepted}"
        ),
        "find out who changed it; then remove its folder and install it again",
    )
}

/// The integrity of the package in its lock file. Each package it brings along must
/// have one too: without it nobody could tell what was downloaded.
fn locked(lock: &Value, name: &str) -> Result<String, SourceError> {
    let packages = lock.get("packages").and_then(Value::as_object);
    let packages = packages.ok_or_else(|| {
        unusable("the lock file lists no packages; npm 7 or newer is needed".to_owned())
    })?;
    for (place, entry) in packages {
        let has_own = place.starts_with(MODULES);
        let bundled = entry.get("inBundle").and_then(Value::as_bool) == Some(true);
        if has_own && !bundled && text(entry, "integrity").is_empty() {
            return Err(unusable(format!(
                "`{place}` comes without a checksum, hence not from a registry"
            )));
        }
    }
    let integrity = packages
        .get(&format!("{MODULES}/{name}"))
        .map(|entry| text(entry, "integrity"))
        .unwrap_or_default();
    if integrity.starts_with("sha512-") {
        return Ok(integrity);
    }
    Err(unusable(format!(
        "`{name}` has the checksum `{integrity}`, a sha512 was expected"
    )))
}

/// One digest over names and contents of all files, in order of their names.
fn files_digest(folder: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 64 << 10];
    feed_folder(&mut hasher, &mut buffer, folder)?;
    Ok(shortened(&hasher.finalize()))
}

fn feed_folder(hasher: &mut blake3::Hasher, buffer: &mut [u8], folder: &Path) -> io::Result<()> {
    let mut items = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    items.sort_by_key(fs::DirEntry::file_name);
    for item in items {
        let kind = item.file_type()?;
        let name = item.file_name();
        hasher.update(name.as_encoded_bytes());
        if kind.is_dir() {
            hasher.update(b"\0d");
            feed_folder(hasher, buffer, &item.path())?;
            hasher.update(b"\0e");
        } else if kind.is_symlink() {
            hasher.update(b"\0l");
            hasher.update(fs::read_link(item.path())?.as_os_str().as_encoded_bytes());
            hasher.update(b"\0");
        } else {
            hasher.update(b"\0f");
            feed_file(hasher, buffer, &item.path())?;
        }
    }
    Ok(())
}

/// Length first, so that no two different trees run together.
fn feed_file(hasher: &mut blake3::Hasher, buffer: &mut [u8], path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    hasher.update(&file.metadata()?.len().to_le_bytes());
    loop {
        let count = file.read(buffer)?;
        match buffer.get(..count) {
            Some(read) if count > 0 => hasher.update(read),
            _ => return Ok(()),
        };
    }
}

fn shortened(hash: &blake3::Hash) -> String {
    hash.to_hex().chars().take(32).collect()
}

fn text(value: &Value, field: &str) -> String {
    let found = value.get(field).and_then(Value::as_str);
    found.unwrap_or_default().to_owned()
}

fn bytes(path: &Path) -> Result<Vec<u8>, SourceError> {
    fs::read(path).map_err(|error| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        unusable(format!("its `{name}` cannot be read: {error}"))
    })
}

fn parse(bytes: &[u8]) -> Result<Value, SourceError> {
    serde_json::from_slice(bytes)
        .map_err(|error| unusable(format!("one of its files is not JSON: {error}")))
}

fn unreadable(error: &io::Error) -> SourceError {
    unusable(format!("its files cannot be read: {error}"))
}

fn unusable(what: String) -> SourceError {
    SourceError::new(
        SourceErrorKind::Package,
        format!("the package cannot be used: {what}"),
        "remove its folder and install it again",
    )
}
