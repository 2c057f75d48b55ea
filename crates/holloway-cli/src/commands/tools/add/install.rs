//! How do packages get onto this machine? Into the data folder, at exact versions,
//! without running their scripts; with a line that says so while it takes time.

use std::path::PathBuf;

use holloway_sources::npm::{Installed, Installer, NpmConfig};
use holloway_sources::packages::{ServerPackage, npm, pypi};

use crate::error::CliError;
use crate::outside::Outside;
use crate::{print, runtime};

/// A package with tools in it.
pub(super) fn npm_tools(package: &str, outside: &Outside) -> Result<NpmConfig, CliError> {
    Ok(npm_package(package, outside)?.config)
}

/// A package with an MCP server in it.
pub(super) fn npm_server(package: &str, outside: &Outside) -> Result<ServerPackage, CliError> {
    let installed = npm_package(package, outside)?;
    let node = program("node", outside)?;
    Ok(npm::server(&installed, &node)?)
}

fn npm_package(package: &str, outside: &Outside) -> Result<Installed, CliError> {
    let around = outside.around();
    let npm = program("npm", outside)?;
    print::note(&format!("installing {package} without its scripts…"));
    let installer = Installer::new(around.folder.clone(), npm, around.installing.clone());
    let installed = runtime::run(installer.install(package))??;
    if !installed.fresh {
        print::note("it was installed already");
    }
    Ok(installed)
}

/// A package from PyPI with an MCP server in it.
pub(super) fn pypi_server(package: &str, outside: &Outside) -> Result<ServerPackage, CliError> {
    let around = outside.around();
    print::note(&format!("installing {package} from wheels only…"));
    let work = pypi::install(package, &around.folder, &around.installing);
    Ok(runtime::run(work)??)
}

fn program(name: &'static str, outside: &Outside) -> Result<PathBuf, CliError> {
    outside.around().program(name).ok_or_else(|| {
        CliError::failed("source-package", format!("{name} is not on the PATH"))
            .hint("install Node.js 20 or newer, which brings npm")
    })
}
