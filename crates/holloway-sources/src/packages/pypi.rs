//! How is an MCP server from PyPI installed? Into a virtual environment of its
//! own, from wheels only: building from source would run the package's code.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use holloway_flow::catalog::offer::{Package, Registry};
use serde_json::Value;

use super::{ServerPackage, failed, lock, name_and_version, run};
use crate::SourceError;

/// Installs `NAME[==VERSION]` below `folder`; a finished installation is used again.
pub async fn install(
    wanted: &str,
    folder: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<ServerPackage, SourceError> {
    let (name, version) = name_and_version(wanted);
    check_name(name)?;
    check_version(version.unwrap_or("1"))?;
    let packages = folder.join("packages").join("pypi");
    let own = folder_name(name, version);
    let home = packages.join(&own);
    let report = home.join("installed.json");
    std::fs::create_dir_all(&packages).map_err(|error| unusable(&packages, &error))?;
    let locked = lock(packages.join(format!(".{own}.lock"))).await;
    let _lock = locked.map_err(|error| unusable(&packages, &error))?;
    if !report.is_file() {
        build(wanted, name, version, &home, environment).await?;
    }
    describe(name, &home, &report)
}

/// Names that pip would take for an option, a path or an address are refused.
fn check_name(name: &str) -> Result<(), SourceError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if starts && name.chars().all(fits) {
        return Ok(());
    }
    let message = format!("`{name}` is no name of a package");
    Err(failed(
        message,
        "write it as on PyPI, such as mcp-server-time",
    ))
}

/// It becomes part of a folder's name.
fn check_version(version: &str) -> Result<(), SourceError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || ".+!_-".contains(c);
    if !version.is_empty() && version.chars().all(fits) {
        return Ok(());
    }
    let message = format!("`{version}` is no version of a package");
    Err(failed(message, "write it as on PyPI, such as 1.2.0"))
}

fn folder_name(name: &str, version: Option<&str>) -> String {
    match version {
        Some(version) => format!("{}@{version}", name.to_lowercase()),
        None => name.to_lowercase(),
    }
}

/// Built where it will stay, since the programs inside name their folder. The report
/// gets its name last: an installation that has one is whole. The caller has the lock.
async fn build(
    wanted: &str,
    name: &str,
    version: Option<&str>,
    home: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<(), SourceError> {
    let unusable = |error: std::io::Error| unusable(home, &error);
    if home.exists() {
        // Left behind by an installation that did not finish.
        std::fs::remove_dir_all(home).map_err(unusable)?;
    }
    std::fs::create_dir_all(home).map_err(unusable)?;
    let venv = home.join("venv");
    let arguments = ["-m".as_ref(), "venv".as_ref(), venv.as_os_str()];
    run("python3", &arguments, environment).await?;
    let requirement = match version {
        Some(version) => format!("{name}=={version}"),
        None => wanted.to_owned(),
    };
    let report = home.join("report.json");
    let arguments: [&OsStr; 10] = [
        "-m".as_ref(),
        "pip".as_ref(),
        "install".as_ref(),
        "--quiet".as_ref(),
        "--disable-pip-version-check".as_ref(),
        "--no-input".as_ref(),
        "--only-binary=:all:".as_ref(),
        "--report".as_ref(),
        report.as_os_str(),
        requirement.as_ref(),
    ];
    run(venv.join("bin").join("python"), &arguments, environment).await?;
    std::fs::rename(&report, home.join("installed.json")).map_err(unusable)
}

fn unusable(folder: &Path, error: &std::io::Error) -> SourceError {
    failed(
        format!("{} cannot be made: {error}", folder.display()),
        "check the data folder and the space on the disk",
    )
}

fn describe(name: &str, home: &Path, report: &Path) -> Result<ServerPackage, SourceError> {
    let unreadable = || {
        failed(
            format!("the installation in {} is damaged", home.display()),
            "remove that folder and add the server again",
        )
    };
    let text = std::fs::read_to_string(report).map_err(|_| unreadable())?;
    let report: Value = serde_json::from_str(&text).map_err(|_| unreadable())?;
    let package = package_in(&report, name).ok_or_else(unreadable)?;
    let program = program_of(name, home)?;
    Ok(ServerPackage {
        name: short_name(name),
        command: vec![program.display().to_string()],
        package,
    })
}

/// The package itself among everything that was installed.
fn package_in(report: &Value, name: &str) -> Option<Package> {
    let installed = report.get("install")?.as_array()?;
    let is_it = |item: &&Value| {
        let found = item.pointer("/metadata/name").and_then(Value::as_str);
        found.is_some_and(|found| normal(found) == normal(name))
    };
    let item = installed.iter().find(is_it)?;
    let text = |pointer: &str| item.pointer(pointer).and_then(Value::as_str);
    let hash = text("/download_info/archive_info/hashes/sha256").unwrap_or_default();
    Some(Package {
        registry: Registry::Pypi,
        name: normal(name),
        version: text("/metadata/version")?.to_owned(),
        integrity: format!("sha256-{hash}"),
    })
}

/// PyPI takes `A_b.c` and `a-b-c` for the same name.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

fn program_of(name: &str, home: &Path) -> Result<PathBuf, SourceError> {
    let bin = home.join("venv").join("bin");
    let own = [
        name.to_owned(),
        normal(name),
        normal(name).replace('-', "_"),
    ];
    let named = own
        .iter()
        .map(|name| bin.join(name))
        .find(|file| file.is_file());
    named.ok_or_else(|| {
        failed(
            format!("{name} has no program of its name"),
            format!(
                "add it with its command: `mcp:NAME -- {} -m MODULE`",
                bin.join("python").display()
            ),
        )
    })
}

/// `mcp-server-time` is called `time`.
pub(crate) fn short_name(name: &str) -> String {
    let last = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    let mut short = last.as_str();
    for start in ["mcp-server-", "server-", "mcp-"] {
        short = short.strip_prefix(start).unwrap_or(short);
    }
    for end in ["-mcp-server", "-server", "-mcp"] {
        short = short.strip_suffix(end).unwrap_or(short);
    }
    if short.is_empty() {
        last
    } else {
        short.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use serde_json::json;

    #[test]
    fn servers_get_short_names() {
        for (name, short) in [
            ("mcp-server-time", "time"),
            ("@modelcontextprotocol/server-memory", "memory"),
            ("excel-mcp-server", "excel"),
            ("time-mcp", "time"),
            ("mcp", "mcp"),
        ] {
            assert_eq!(short_name(name), short);
        }
    }

    #[test]
    fn the_package_is_found_in_the_report() {
        let report = json!({"install": [
            {"metadata": {"name": "anyio", "version": "4"}},
            {"metadata": {"name": "mcp_server.Time", "version": "1.2"},
             "download_info": {"archive_info": {"hashes": {"sha256": "ab"}}}},
        ]});
        let package = package_in(&report, "mcp-server-time").unwrap();
        assert_eq!(
            (&*package.version, &*package.integrity),
            ("1.2", "sha256-ab")
        );
        assert_eq!(package_in(&report, "other"), None);
    }

    /// Stands in for Python: makes an environment, and as pip writes the report to the
    /// ninth word. Notes each time that it was asked to install.
    const STAND_IN: &str = r#"#!/bin/sh
if [ "$2" = venv ]; then
  [ -e "$3" ] && { echo "error: it is there already" >&2; exit 1; }
  mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "$0" "$3/bin/local"
  exit
fi
echo once >> "$NOTES"
echo '{"install": [{"metadata": {"name": "local", "version": "1"}}]}' > "$9"
"#;

    #[tokio::test]
    async fn two_at_once_install_once() {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python3");
        std::fs::write(&python, STAND_IN).unwrap();
        std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let notes = folder.path().join("notes").display().to_string();
        let environment = BTreeMap::from([("PATH".to_owned(), path), ("NOTES".to_owned(), notes)]);
        let installing = || install("local==1", folder.path(), &environment);
        let (one, two) = tokio::join!(installing(), installing());
        assert_eq!(one.unwrap(), two.unwrap());
        let notes = std::fs::read_to_string(folder.path().join("notes")).unwrap();
        assert_eq!(notes, "once\n");
    }

    #[tokio::test]
    async fn names_that_are_none_are_refused() {
        for name in [
            "--index-url=x",
            "../x",
            "git+https://x",
            "a b",
            "",
            "a==1/../../x",
            "a==",
        ] {
            let refused = install(name, Path::new("/nowhere"), &BTreeMap::new()).await;
            let message = refused.unwrap_err().message;
            assert!(message.contains("` is no "), "{name}: {message}");
        }
    }
}
