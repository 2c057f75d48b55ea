//! How does a package get here? npm puts it into a folder of its own, without running
//! any of its scripts; only a finished folder gets its name.
//!
//! Invariant: a folder with a name is complete, and holds the version in its name.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;

use super::NpmConfig;
use super::complaint;
use super::package_name::{Wanted, folder_name};
use super::pin::{Pin, changed};
use crate::packages::lock;
use crate::{SourceError, SourceErrorKind};

/// What npm needs of the environment, beyond its own `npm_config_*`.
const HANDED_ON: [&str; 13] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "USERPROFILE",
    "APPDATA",
    "SYSTEMROOT",
];

/// These stand after whatever a person's settings say, and so win. Only the registry
/// is a source: a package from git is prepared with its own settings, which run code.
/// Older npm passes over each `--allow` that it does not know, but finds no git.
const ARGUMENTS: [&str; 20] = [
    "install",
    "--ignore-scripts",
    "--allow-git=none",
    "--allow-remote=none",
    "--allow-file=none",
    "--allow-directory=none",
    "--git=/nonexistent/git",
    "--save",
    "--save-exact",
    "--package-lock",
    "--lockfile-version=3",
    "--omit=dev",
    "--include=peer",
    "--location=project",
    "--no-global",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    "--json",
];

/// Installs packages below one data folder.
#[derive(Clone, Debug)]
pub struct Installer {
    /// The data folder; packages go to `packages/npm/` in it.
    pub data: PathBuf,
    /// The program npm.
    pub npm: PathBuf,
    /// The environment of the person; only what npm needs of it is handed on.
    pub environment: BTreeMap<String, String>,
    pub timeout: Duration,
}

/// A package that is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Installed {
    /// Without network and without environment: these a person grants.
    pub config: NpmConfig,
    pub folder: PathBuf,
    /// False when it had been there before.
    pub fresh: bool,
}

/// The folder of an installed package.
pub fn package_folder(data: &Path, package: &str, version: &str) -> PathBuf {
    packages(data).join(folder_name(package, version))
}

fn packages(data: &Path) -> PathBuf {
    data.join("packages").join("npm")
}

impl Installer {
    pub fn new(data: PathBuf, npm: PathBuf, environment: BTreeMap<String, String>) -> Self {
        Self {
            data,
            npm,
            environment,
            timeout: Duration::from_mins(5),
        }
    }

    /// Installs `NAME[@VERSION]`. A version that is there already is verified, not fetched.
    pub async fn install(&self, wanted: &str) -> Result<Installed, SourceError> {
        let wanted = Wanted::parse(wanted)?;
        let packages = packages(&self.data);
        fs::create_dir_all(&packages).map_err(|error| storage(&error))?;
        let stem = folder_name(&wanted.name, "");
        let locked = lock(packages.join(format!(".{stem}lock"))).await;
        let _lock = locked.map_err(|error| storage(&error))?;
        if let Some(installed) = self.present(&wanted).await? {
            return Ok(installed);
        }
        let unfinished = packages.join(format!(".{stem}installing"));
        start_empty(&unfinished).map_err(|error| storage(&error))?;
        let outcome = self.fetch(&wanted, &unfinished).await;
        // It is gone already when it got its name.
        let _ = fs::remove_dir_all(&unfinished);
        outcome
    }

    async fn present(&self, wanted: &Wanted) -> Result<Option<Installed>, SourceError> {
        let folder = package_folder(&self.data, &wanted.name, &wanted.version);
        if !wanted.is_exact() || !folder.exists() {
            return Ok(None);
        }
        let pin = read_pin(&folder, &wanted.name).await?;
        same_as_noted(&folder, &wanted.name, &pin)?;
        Ok(Some(installed(wanted, pin, folder, false)))
    }

    async fn fetch(&self, wanted: &Wanted, unfinished: &Path) -> Result<Installed, SourceError> {
        let output = self.run_npm(wanted, unfinished).await?;
        if !output.status.success() {
            return Err(complaint::explain(wanted, &output));
        }
        let pin = read_pin(unfinished, &wanted.name).await?;
        let folder = package_folder(&self.data, &wanted.name, &pin.version);
        if folder.exists() {
            let before = read_pin(&folder, &wanted.name).await?;
            same_as_noted(&folder, &wanted.name, &before)?;
            same("integrity", &wanted.name, &pin.integrity, &before.integrity)?;
            return Ok(installed(wanted, before, folder, false));
        }
        note(unfinished, &pin).map_err(|error| storage(&error))?;
        fs::rename(unfinished, &folder).map_err(|error| storage(&error))?;
        Ok(installed(wanted, pin, folder, true))
    }

    async fn run_npm(&self, wanted: &Wanted, folder: &Path) -> Result<Output, SourceError> {
        let mut command = Command::new(&self.npm);
        command
            .args(ARGUMENTS)
            .arg("--prefix")
            .arg(folder)
            .arg("--")
            .arg(wanted.spec())
            .current_dir(folder)
            .env_clear()
            .envs(
                self.environment
                    .iter()
                    .filter(|(name, _)| is_handed_on(name)),
            )
            .stdin(Stdio::null())
            .kill_on_drop(true);
        match tokio::time::timeout(self.timeout, command.output()).await {
            Ok(Ok(output)) => Ok(output),
            Ok(Err(error)) => Err(complaint::no_npm(&self.npm, &error)),
            Err(_) => Err(complaint::too_slow(wanted, self.timeout)),
        }
    }
}

fn is_handed_on(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    HANDED_ON.contains(&upper.as_str()) || upper.starts_with("NPM_CONFIG_")
}

fn installed(wanted: &Wanted, pin: Pin, folder: PathBuf, fresh: bool) -> Installed {
    let config = NpmConfig {
        package: wanted.name.clone(),
        version: pin.version,
        integrity: pin.integrity,
        lock: pin.lock,
        files: pin.files,
        ..NpmConfig::default()
    };
    Installed {
        config,
        folder,
        fresh,
    }
}

async fn read_pin(folder: &Path, name: &str) -> Result<Pin, SourceError> {
    let (folder, name) = (folder.to_owned(), name.to_owned());
    let read = tokio::task::spawn_blocking(move || Pin::read(&folder, &name));
    read.await
        .unwrap_or_else(|error| Err(storage(&error.into())))
}

/// Whatever lies there was left by an install that was killed: the lock is ours.
fn start_empty(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir(folder)?;
    // npm looks for a project in the folders above unless there is one here.
    fs::write(folder.join("package.json"), "{\"private\":true}\n")
}

const NOTE: &str = "installed.json";

/// Written down at the install, so that a later one can tell whether files changed.
fn note(folder: &Path, pin: &Pin) -> io::Result<()> {
    let noted =
        serde_json::json!({"integrity": pin.integrity, "lock": pin.lock, "files": pin.files});
    fs::write(folder.join(NOTE), format!("{noted:#}\n"))
}

fn same_as_noted(folder: &Path, name: &str, pin: &Pin) -> Result<(), SourceError> {
    let noted = fs::read(folder.join(NOTE)).map_err(|error| storage(&error))?;
    let noted: serde_json::Value = serde_json::from_slice(&noted).unwrap_or_default();
    let before = |field: &str| {
        noted
            .get(field)
            .and_then(|text| text.as_str())
            .unwrap_or_default()
    };
    same("integrity", name, &pin.integrity, before("integrity"))?;
    same("lock file", name, &pin.lock, before("lock"))?;
    same("files", name, &pin.files, before("files"))
}

fn same(what: &str, name: &str, found: &str, before: &str) -> Result<(), SourceError> {
    if found == before {
        return Ok(());
    }
    Err(changed(name, what, found, before))
}

fn storage(error: &io::Error) -> SourceError {
    SourceError::new(
        SourceErrorKind::Package,
        format!("the folder of packages cannot be used: {error}"),
        "see that the data folder can be written and the disk is not full",
    )
}
