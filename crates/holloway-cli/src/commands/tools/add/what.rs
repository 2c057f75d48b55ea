//! What is to be added? `KIND:REST`, read into one of five things.

use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::offer::{Package, Registry};
use holloway_sources::SourceConfig;
use holloway_sources::mcp::import::{take_from, take_secrets};
use holloway_sources::mcp::{McpConfig, package_of};
use holloway_sources::npm::NpmConfig;
use holloway_sources::packages::ServerPackage;
use holloway_tools::secrets::SecretText;

use super::connection::Connection;
use super::{Candidate, install, service};
use crate::error::CliError;
use crate::from_here::from_here;
use crate::outside::Outside;
use crate::session::Session;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum What {
    NpmTools(String),
    McpNpm(String),
    McpPypi(String),
    /// A command or an address is given beside the name.
    Mcp(String),
    OpenApi(String),
}

impl What {
    pub(super) fn parse(text: &str) -> Result<Self, CliError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let what = match (kind, rest) {
            (_, "") => None,
            ("npm", package) => Some(Self::NpmTools(package.to_owned())),
            ("mcp", rest) => Some(match rest.split_once(':') {
                Some(("npm", package)) => Self::McpNpm(package.to_owned()),
                Some(("pypi", package)) => Self::McpPypi(package.to_owned()),
                _ => Self::Mcp(rest.to_owned()),
            }),
            ("openapi", origin) => Some(Self::OpenApi(origin.to_owned())),
            _ => None,
        };
        what.ok_or_else(|| {
            CliError::usage("usage", format!("`{text}` is nothing that can be added")).hint(
                "write npm:PACKAGE, mcp:npm:PACKAGE, mcp:pypi:PACKAGE, mcp:NAME -- COMMAND, or openapi:FILE",
            )
        })
    }

    /// What it is as a source. Packages are installed on the way.
    pub(super) fn candidate(
        self,
        connection: &Connection,
        outside: &Outside,
        session: &Session,
    ) -> Result<Candidate, CliError> {
        match self {
            Self::NpmTools(package) => npm_tools(&package, connection, outside),
            Self::McpNpm(package) => {
                connection.only_for("an MCP server", MCP_FLAGS)?;
                mcp_of(install::npm_server(&package, outside)?, connection, session)
            }
            Self::McpPypi(package) => {
                connection.only_for("an MCP server", MCP_FLAGS)?;
                mcp_of(
                    install::pypi_server(&package, outside)?,
                    connection,
                    session,
                )
            }
            Self::Mcp(name) => {
                connection.only_for("an MCP server", MCP_FLAGS)?;
                mcp(name, Vec::new(), None, connection, session)
            }
            Self::OpenApi(origin) => service::candidate(&origin, connection, outside, session),
        }
    }
}

const MCP_FLAGS: &[&str] = &[
    "--url",
    "--env",
    "--header",
    "--sandbox",
    "--network",
    "--read",
    "--write",
    "-- COMMAND",
];

fn npm_tools(
    package: &str,
    connection: &Connection,
    outside: &Outside,
) -> Result<Candidate, CliError> {
    connection.only_for("an npm package", &["--env", "--network"])?;
    if connection.name.is_some() {
        return Err(
            CliError::usage("usage", "tools of a package go by its name").hint("leave --name out"),
        );
    }
    let mut config = install::npm_tools(package, outside)?;
    config.network = connection.network;
    config.env = connection.env()?;
    let secrets = take_from(&config.package.replace(['@', '/'], "_"), &mut config.env);
    Ok(Candidate {
        id: SourceId::new(format!("npm.{}", config.package)),
        package: Some(npm_package(&config)),
        config: SourceConfig::Npm(config),
        notes: kept_apart(&secrets),
        secrets,
    })
}

fn npm_package(config: &NpmConfig) -> Package {
    Package {
        registry: Registry::Npm,
        name: config.package.clone(),
        version: config.version.clone(),
        integrity: config.integrity.clone(),
    }
}

fn mcp_of(
    installed: ServerPackage,
    connection: &Connection,
    session: &Session,
) -> Result<Candidate, CliError> {
    let package = Some(installed.package);
    mcp(
        installed.name,
        installed.command,
        package,
        connection,
        session,
    )
}

fn mcp(
    name: String,
    start: Vec<String>,
    package: Option<Package>,
    connection: &Connection,
    session: &Session,
) -> Result<Candidate, CliError> {
    let mut words = start.into_iter().chain(connection.command.iter().cloned());
    let command = words.next().unwrap_or_default();
    let url = connection.url.clone().unwrap_or_default();
    if command.is_empty() == url.is_empty() {
        return Err(
            CliError::usage("usage", "an MCP server has either a command or an address")
                .hint("write `mcp:NAME -- COMMAND ARGUMENTS` or `mcp:NAME --url URL`"),
        );
    }
    if !connection.sandbox && connection.speaks_of_walls() {
        return Err(CliError::usage(
            "usage",
            "--network, --read and --write are for servers in the sandbox",
        )
        .hint("add --sandbox, or leave them out: without it a server reaches all that you do"));
    }
    // In the sandbox a server starts in a folder of its own: this one was not granted.
    let cwd = if connection.sandbox {
        String::new()
    } else {
        session.folder.display().to_string()
    };
    let here = |folder: &String| from_here(&session.folder, folder).display().to_string();
    let mut config = McpConfig {
        command,
        args: words.collect(),
        env: connection.env()?,
        cwd,
        url,
        headers: connection.headers()?,
        sandbox: connection.sandbox,
        network: connection.network,
        readable: connection.read.iter().map(here).collect(),
        writable: connection.write.iter().map(here).collect(),
        ..McpConfig::default()
    };
    let name = safe_name(connection.name.as_ref().unwrap_or(&name))?;
    let secrets = take_secrets(&name, &mut config);
    Ok(Candidate {
        id: SourceId::new(format!("mcp.{name}")),
        package: package.or_else(|| package_of(&config)),
        config: SourceConfig::Mcp(config),
        notes: kept_apart(&secrets),
        secrets,
    })
}

/// Says where typed keys went.
pub(super) fn kept_apart(secrets: &[(String, SecretText)]) -> Vec<String> {
    let note = |(name, _): &(String, SecretText)| format!("its key is kept as the secret {name}");
    secrets.iter().map(note).collect()
}

/// A name that can stand before the `/` of a tool's id.
pub(super) fn safe_name(name: &str) -> Result<String, CliError> {
    let safe: String = name
        .to_lowercase()
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '-'
            }
        })
        .collect();
    let safe = safe.trim_matches('-').to_owned();
    if safe.is_empty() {
        return Err(
            CliError::usage("usage", "the source needs a name").hint("give it with --name NAME")
        );
    }
    Ok(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_things() {
        let check = |text: &str, expected: Option<What>| {
            assert_eq!(What::parse(text).ok(), expected, "{text}");
        };
        check(
            "npm:@a/b@1.0.0",
            Some(What::NpmTools("@a/b@1.0.0".to_owned())),
        );
        check("mcp:npm:@a/b", Some(What::McpNpm("@a/b".to_owned())));
        check("mcp:pypi:x", Some(What::McpPypi("x".to_owned())));
        check("mcp:git", Some(What::Mcp("git".to_owned())));
        check(
            "openapi:http://127.0.0.1:1/x.json",
            Some(What::OpenApi("http://127.0.0.1:1/x.json".to_owned())),
        );
        check("pip:x", None);
        check("npm", None);
        check("", None);
    }
}
