//! `holloway tools refresh`: ask sources for their tools again. What changed is
//! held back; a source that does not answer keeps what it had.

use clap::Args;
use futures_util::future::join_all;
use holloway_flow::catalog::{CatalogTool, SourceId, SourceNote, SourceRecord};
use holloway_sources::SourceError;
use holloway_sources::guarded::Refreshed;
use holloway_tools::Grants;

use super::admission;
use super::reread::reread;
use crate::error::{CliError, Exit};
use crate::outside::Outside;
use crate::runtime;
use crate::session::{Session, now_ms};

/// How long a source is left alone after it was asked by itself, however that went.
const PAUSE_MS: u64 = 3_600_000;

/// Ask sources for their tools again
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Such as `mcp.git`; all when none is named
    sources: Vec<String>,
    /// Only sources that have not been asked for as long as `tools.refresh_hours` says
    #[arg(long)]
    stale: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let outside = Outside::open(session, &Grants::default())?;
    let records = wanted(arguments, &outside, session)?;
    let seen_by_person = !arguments.stale && !arguments.sources.is_empty();
    let tools = outside.catalog.tools()?;
    let (new, known): (Vec<_>, Vec<_>) = records
        .into_iter()
        .partition(|record| seen_by_person && was_never_listed(record, &tools));
    let (mut outcomes, others) = runtime::run(async {
        let known = ask_all(&outside, known, false);
        futures_util::future::join(ask_all(&outside, new, true), known).await
    })?;
    outcomes.extend(others);
    admission::tell(&outcomes, session.json)?;
    let failed = outcomes.iter().any(|(_, outcome)| outcome.is_err());
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

/// A source that could not be asked when it was added: its first list is no change.
fn was_never_listed(record: &SourceRecord, tools: &[CatalogTool]) -> bool {
    let mut tools = tools.iter();
    record.refreshed_ms.is_none() && !tools.any(|tool| tool.spec.id.source() == record.id.as_str())
}

fn wanted(
    arguments: &Arguments,
    outside: &Outside,
    session: &Session,
) -> Result<Vec<SourceRecord>, CliError> {
    let mut records: Vec<SourceRecord> = if arguments.sources.is_empty() {
        outside.records()?.into_values().collect()
    } else {
        let named = arguments.sources.iter().map(|id| outside.record(id));
        named.collect::<Result<_, _>>()?
    };
    if arguments.stale {
        let hours = session.config()?.settings.tools.refresh_hours;
        records.retain(|record| is_stale(record, hours, now_ms()));
        let mut due = Vec::new();
        for record in records {
            // Noted before it is asked, so that a second process leaves it alone.
            let catalog = &outside.catalog;
            if catalog.begin_try(&record.id, record.added_ms, now_ms(), PAUSE_MS)? {
                due.push(record);
            }
        }
        return Ok(due);
    }
    Ok(records)
}

/// Whether a source should be asked again by itself.
pub(crate) fn is_stale(record: &SourceRecord, hours: u64, now_ms: u64) -> bool {
    let asked = record.refreshed_ms.unwrap_or(record.added_ms);
    hours > 0 && now_ms.saturating_sub(asked) > hours * 3_600_000
}

/// Lets another process ask stale sources, so that nobody waits for it.
pub(super) fn in_background(session: &Session) {
    let Ok(outside) = Outside::open(session, &Grants::default()) else {
        return;
    };
    let hours = session
        .config()
        .map_or(0, |config| config.settings.tools.refresh_hours);
    let records = outside.records().unwrap_or_default();
    let tries = outside.catalog.tries().unwrap_or_default();
    let rested = |id: &SourceId| {
        let tried = tries.get(id);
        tried.is_none_or(|tried| now_ms().saturating_sub(*tried) >= PAUSE_MS)
    };
    let stale = records
        .values()
        .any(|record| is_stale(record, hours, now_ms()) && rested(&record.id));
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    if stale {
        use std::os::unix::process::CommandExt as _;
        use std::process::{Command, Stdio};
        // Nobody is told when it fails: the next command tries again.
        let _ = Command::new(program)
            .args(["tools", "refresh", "--stale", "--json"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
    }
}

/// How asking one source went.
pub(super) type Outcome = (SourceId, Result<Refreshed, SourceError>);

/// Asks all at once; one that fails does not hold up the others.
pub(super) async fn ask_all(
    outside: &Outside,
    records: Vec<SourceRecord>,
    first_time: bool,
) -> Vec<Outcome> {
    let asking = records
        .into_iter()
        .map(|record| ask(outside, record, first_time));
    join_all(asking).await
}

async fn refreshed(
    outside: &Outside,
    record: SourceRecord,
    first_time: bool,
) -> Result<Refreshed, SourceError> {
    let record = if first_time {
        record
    } else {
        reread(record, outside).await?
    };
    let source = outside.source(&record)?;
    let outcome = source.refresh(first_time).await;
    source.close().await;
    outcome
}

async fn ask(outside: &Outside, record: SourceRecord, first_time: bool) -> Outcome {
    let outcome = refreshed(outside, record.clone(), first_time).await;
    let outcome = outcome.map_err(|mut error| {
        error.message = outside.secrets().clean(&error.message);
        error
    });
    if let Err(error) = &outcome {
        let note = SourceNote::Failed {
            trouble: error.message.clone(),
        };
        // The trouble itself is told; that it could not be noted adds nothing.
        let catalog = &outside.catalog;
        let _ = catalog.note_source(&record.id, record.added_ms, &note);
    }
    (record.id, outcome)
}
