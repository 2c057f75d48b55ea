//! How does a package become a server that can be started? Installed once into a
//! folder of its own, at an exact version, without running code of the package.

pub mod npm;
pub mod pypi;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;

use holloway_flow::catalog::offer::Package;
use tokio::process::Command;

use super::{SourceError, SourceErrorKind};

/// A server that was installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerPackage {
    /// A short name for it.
    pub name: String,
    /// The program and its first arguments.
    pub command: Vec<String>,
    pub package: Package,
}

/// Runs an installer with this environment and no other, and gives what it printed.
pub(crate) async fn run(
    program: impl AsRef<OsStr>,
    arguments: &[&OsStr],
    environment: &BTreeMap<String, String>,
) -> Result<String, SourceError> {
    let program = program.as_ref();
    let shown = program.to_string_lossy().into_owned();
    let output = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .map_err(|error| {
            let message = format!("{shown} did not start: {error}");
            failed(message, format!("install {shown}, or put it on the PATH"))
        })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let said = last_error(&text(&output.stderr), &text(&output.stdout));
    Err(failed(
        format!("{shown} failed: {said}"),
        "check the name and version, and that the package registry can be reached",
    ))
}

/// One installation of a package at a time, over all processes. Held until the file
/// is dropped.
pub(crate) async fn lock(path: PathBuf) -> io::Result<File> {
    let locked = tokio::task::spawn_blocking(move || {
        let file = File::create(path)?;
        file.lock()?;
        Ok(file)
    });
    locked.await.unwrap_or_else(|error| Err(error.into()))
}

pub(crate) fn failed(message: impl Into<String>, hint: impl Into<String>) -> SourceError {
    SourceError::new(SourceErrorKind::Package, message, hint)
}

/// The line that tells most: the last that speaks of an error, or the last at all.
fn last_error(stderr: &str, stdout: &str) -> String {
    let lines = || stderr.lines().chain(stdout.lines()).map(str::trim);
    let telling = lines().rfind(|line| line.to_lowercase().contains("error"));
    let line = telling.or_else(|| lines().rfind(|line| !line.is_empty()));
    line.unwrap_or("it said nothing")
        .chars()
        .take(300)
        .collect()
}

/// `NAME@VERSION` or `NAME==VERSION` comes apart; a scope's own `@` stays.
pub(crate) fn name_and_version(text: &str) -> (&str, Option<&str>) {
    if let Some((name, version)) = text.split_once("==") {
        return (name, Some(version));
    }
    match text.rfind('@') {
        Some(at) if at > 0 => text
            .split_at_checked(at)
            .map_or((text, None), |(name, rest)| {
                (name, Some(rest.trim_start_matches('@')))
            }),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_versions_come_apart() {
        for (text, name, version) in [
            ("mcp-server-time", "mcp-server-time", None),
            ("mcp-server-time==1.2", "mcp-server-time", Some("1.2")),
            ("mcp-server-time@1.2", "mcp-server-time", Some("1.2")),
            ("@scope/name", "@scope/name", None),
            ("@scope/name@1.0.0", "@scope/name", Some("1.0.0")),
        ] {
            assert_eq!(name_and_version(text), (name, version));
        }
    }

    #[test]
    fn the_telling_line_is_found() {
        assert_eq!(
            last_error("warning\nERROR: no such package\nnotice: new pip\n", ""),
            "ERROR: no such package"
        );
        assert_eq!(last_error("", "done\n\n"), "done");
        assert_eq!(last_error("", ""), "it said nothing");
    }
}
