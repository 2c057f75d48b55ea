//! `holloway tools add`: bring in the tools of an MCP server, an npm package or a
//! service. Started once to see what it offers; what looks wrong is held back.

mod client_file;
mod connection;
mod install;
mod service;
mod what;

use clap::Args;
use holloway_flow::catalog::offer::Package;
use holloway_flow::catalog::{SourceId, SourceRecord};
use holloway_sources::SourceConfig;
use holloway_sources::mcp::import::Imported;
use holloway_sources::mcp::package_of;
use holloway_tools::Grants;
use holloway_tools::secrets::SecretText;

use self::connection::Connection;
use self::what::What;
use super::admission;
use super::refresh::{Outcome, ask_all};
use crate::error::{CliError, Exit};
use crate::from_here::from_here;
use crate::outside::Outside;
use crate::secret_file::SecretFile;
use crate::session::{Session, now_ms};
use crate::{print, runtime};

/// Add tools: of MCP servers, npm packages, OpenAPI services
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  holloway tools add npm:@tpmjs/tools-bootstrap-ci          an npm package with tools
  holloway tools add mcp:npm:@modelcontextprotocol/server-memory
  holloway tools add mcp:pypi:mcp-server-time
  holloway tools add mcp:git -- uvx mcp-server-git          any command that speaks MCP
  holloway tools add mcp:wiki --url https://example.org/mcp a server that is already running
  holloway tools add openapi:petstore.yaml --auth api_key='${PETSTORE_KEY}'
  holloway tools add --from-mcp-config .mcp.json            all servers another program knows")]
pub(super) struct Arguments {
    /// `npm:PACKAGE[@VERSION]`, `mcp:npm:PACKAGE`, `mcp:pypi:PACKAGE`, `mcp:NAME`, `openapi:FILE_OR_URL`
    #[arg(required_unless_present = "from_mcp_config")]
    what: Option<String>,
    /// Add every MCP server of another program's configuration file
    #[arg(long, value_name = "FILE", conflicts_with = "what")]
    from_mcp_config: Option<String>,
    /// Of that file, only the server of this name
    #[arg(long, value_name = "NAME", requires = "from_mcp_config")]
    only: Vec<String>,
    #[command(flatten)]
    connection: Connection,
}

/// Whether a text is something that `add` takes.
pub(super) fn check_what(text: &str) -> Result<(), CliError> {
    What::parse(text).map(|_| ())
}

/// A source about to be added.
struct Candidate {
    id: SourceId,
    config: SourceConfig,
    package: Option<Package>,
    notes: Vec<String>,
    secrets: Vec<(String, SecretText)>,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let outside = Outside::open(session, &Grants::default())?;
    let candidates = match (&arguments.from_mcp_config, &arguments.what) {
        (Some(file), _) => from_file(file, arguments, session)?,
        (None, what) => {
            let what = What::parse(what.as_deref().unwrap_or_default())?;
            vec![what.candidate(&arguments.connection, &outside, session)?]
        }
    };
    refuse_known(&candidates, arguments, &outside)?;
    let single = arguments.from_mcp_config.is_none();
    let mut outcomes = add_all(candidates, session, single)?;
    if single && let Some((_, Err(error))) = outcomes.pop_if(|(_, outcome)| outcome.is_err()) {
        return Err(error.into());
    }
    admission::tell(&outcomes, session.json)?;
    let failed = outcomes.iter().any(|(_, outcome)| outcome.is_err());
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

/// Adding a source that is there already would take its pins away unseen.
fn refuse_known(
    candidates: &[Candidate],
    arguments: &Arguments,
    outside: &Outside,
) -> Result<(), CliError> {
    let records = outside.records()?;
    let has_answered = |candidate: &&Candidate| {
        let record = records.get(&candidate.id);
        record.is_some_and(|record| record.refreshed_ms.is_some())
    };
    let known = candidates.iter().find(has_answered);
    match known {
        Some(candidate) if arguments.from_mcp_config.is_none() => {
            let message = format!("the source {} is there already", candidate.id);
            Err(CliError::usage("source-exists", message).hint(format!(
                "`holloway tools refresh {0}` asks it again; `holloway tools remove {0}` forgets it; `--name` gives another name",
                candidate.id
            )))
        }
        _ => Ok(()),
    }
}

fn add_all(
    candidates: Vec<Candidate>,
    session: &Session,
    single: bool,
) -> Result<Vec<Outcome>, CliError> {
    let candidates = without_known(candidates, session)?;
    keep_secrets(&candidates)?;
    // Opened anew, so that secrets kept just now are found.
    let outside = Outside::open(session, &Grants::default())?;
    let mut records = Vec::new();
    for candidate in candidates {
        for note in &candidate.notes {
            print::note(&format!("{}: {note}", candidate.id));
        }
        let record = record(candidate)?;
        outside.catalog.put_source(&record)?;
        records.push(record);
    }
    let outcomes = runtime::run(ask_all(&outside, records, true))?;
    if single {
        forget_failed(&outcomes, &outside)?;
    }
    Ok(outcomes)
}

/// A source that is there stays as it is, and so do its secrets.
fn without_known(
    mut candidates: Vec<Candidate>,
    session: &Session,
) -> Result<Vec<Candidate>, CliError> {
    let known = Outside::open(session, &Grants::default())?.records()?;
    candidates.retain(|candidate| {
        // One that never answered is tried anew, with what the file says now.
        let record = known.get(&candidate.id);
        let is_known = record.is_some_and(|record| record.refreshed_ms.is_some());
        if is_known {
            let id = &candidate.id;
            print::note(&format!("{id} is there already and stays as it is"));
        }
        !is_known
    });
    Ok(candidates)
}

/// A person who typed it will type it again, better; what was imported stays, to be tried later.
fn forget_failed(outcomes: &[Outcome], outside: &Outside) -> Result<(), CliError> {
    for (id, outcome) in outcomes {
        if outcome.is_err() {
            outside.catalog.remove_source(id)?;
        }
    }
    Ok(())
}

fn keep_secrets(candidates: &[Candidate]) -> Result<(), CliError> {
    let mut file = SecretFile::open()?;
    for (name, value) in candidates.iter().flat_map(|candidate| &candidate.secrets) {
        file.set(name, value)?;
    }
    Ok(())
}

fn record(candidate: Candidate) -> Result<SourceRecord, CliError> {
    let config = serde_json::to_value(&candidate.config).map_err(|error| {
        CliError::failed("internal", format!("a source cannot be kept: {error}"))
            .hint("this is a mistake in Holloway; please report it")
    })?;
    Ok(SourceRecord {
        id: candidate.id,
        config,
        package: candidate.package,
        added_ms: now_ms(),
        refreshed_ms: None,
        trouble: String::new(),
    })
}

fn from_file(
    file: &str,
    arguments: &Arguments,
    session: &Session,
) -> Result<Vec<Candidate>, CliError> {
    let imported = client_file::read(file, session)?;
    for note in &imported.notes {
        print::note(note);
    }
    let wanted =
        |server: &Imported| arguments.only.is_empty() || arguments.only.contains(&server.name);
    let servers: Vec<Imported> = imported.servers.into_iter().filter(wanted).collect();
    if servers.is_empty() {
        return Err(
            CliError::usage("input-invalid", format!("{file} names no server to add"))
                .hint("it should have `mcpServers` with at least one server in it"),
        );
    }
    let candidate = |server| candidate(server, session);
    Ok(servers.into_iter().map(candidate).collect())
}

/// Other programs start servers in the folder of the project. In the sandbox that one
/// would have to be granted.
fn candidate(mut server: Imported, session: &Session) -> Candidate {
    if !server.config.sandbox {
        let folder = from_here(&session.folder, &server.config.cwd);
        server.config.cwd = folder.display().to_string();
    }
    Candidate {
        id: SourceId::new(format!("mcp.{}", server.name)),
        package: package_of(&server.config),
        config: SourceConfig::Mcp(server.config),
        notes: server.notes,
        secrets: server.secrets,
    }
}
