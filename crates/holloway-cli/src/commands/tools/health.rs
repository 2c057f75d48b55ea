//! `holloway tools health`: do tools work? Asks their sources, and on request calls
//! those that only look. A missing key or a bad input says nothing against a tool.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use holloway_engine::entry::RunId;
use holloway_engine::ports::{CallLine, CallRequest};
use holloway_engine::synthetic;
use holloway_flow::catalog::health::{Health, Sign, Status};
use holloway_flow::catalog::{CatalogTool, SourceId, SourceRecord, Standing};
use holloway_plan::tool::{Effect, ToolId};
use holloway_sources::SourceError;
use holloway_tools::Grants;
use serde_json::{Value, json};

use super::refresh;
use crate::error::{CliError, Exit};
use crate::outside::Outside;
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line, units};
use crate::session::{Session, now_ms};
use crate::{run_name, runtime};

/// Time for one trial call.
const TRIAL: Duration = Duration::from_secs(20);

/// See whether tools work
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A tool's id, or a source; all when none is named
    what: Vec<String>,
    /// Also call every tool that only reads, with made-up arguments
    #[arg(long)]
    call: bool,
    /// Show what is known, without asking anybody
    #[arg(long, conflicts_with = "call")]
    known: bool,
    /// Show the newest signs of each tool
    #[arg(long)]
    history: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let outside = Outside::open(session, &Grants::default())?;
    let wanted = wanted(&arguments.what, &outside)?;
    let records = sources_of(&wanted, &arguments.what, &outside)?;
    let mut troubles = Vec::new();
    if !arguments.known {
        troubles = runtime::run(check(records, &wanted, arguments.call, &outside))?;
    }
    let tools: Vec<CatalogTool> = outside
        .catalog
        .tools()?
        .into_iter()
        .filter(|tool| wanted.contains(&tool.spec.id))
        .collect();
    show(&tools, &troubles, arguments, &outside, session)?;
    let broken = tools
        .iter()
        .any(|tool| tool.health.status == Status::Broken);
    Ok(if broken || !troubles.is_empty() {
        Exit::Failed
    } else {
        Exit::Done
    })
}

fn wanted(names: &[String], outside: &Outside) -> Result<BTreeSet<ToolId>, CliError> {
    let tools = outside.catalog.tools()?;
    let ids = tools.iter().map(|tool| &tool.spec.id);
    if names.is_empty() {
        return Ok(ids.cloned().collect());
    }
    let mut wanted = BTreeSet::new();
    for name in names {
        let fits = |id: &&ToolId| id.as_str() == name || id.source() == name;
        let found: Vec<ToolId> = ids.clone().filter(fits).cloned().collect();
        if found.is_empty() {
            outside.record(name)?;
        }
        wanted.extend(found);
    }
    Ok(wanted)
}

/// The sources of these tools, and those named themselves: one that never started has no tools.
fn sources_of(
    wanted: &BTreeSet<ToolId>,
    names: &[String],
    outside: &Outside,
) -> Result<Vec<SourceRecord>, CliError> {
    let is_meant = |record: &SourceRecord| {
        let id = record.id.as_str();
        names.is_empty()
            || names.iter().any(|name| name == id)
            || wanted.iter().any(|tool| tool.source() == id)
    };
    let records = outside.records()?.into_values();
    Ok(records.filter(is_meant).collect())
}

type Trouble = (SourceId, SourceError);

/// Asks every source of the wanted tools; returns those that do not answer.
async fn check(
    records: Vec<SourceRecord>,
    wanted: &BTreeSet<ToolId>,
    call: bool,
    outside: &Outside,
) -> Vec<Trouble> {
    let outcomes = refresh::ask_all(outside, records, false).await;
    let mut troubles = Vec::new();
    for (id, outcome) in outcomes {
        match outcome {
            Ok(refreshed) if call => try_all(&id, &refreshed.tools, wanted, outside).await,
            Ok(_) => {}
            Err(error) => {
                note_trouble(&id, &error, wanted, outside);
                troubles.push((id, error));
            }
        }
    }
    troubles
}

/// A source that does not answer takes its tools with it.
fn note_trouble(id: &SourceId, error: &SourceError, wanted: &BTreeSet<ToolId>, outside: &Outside) {
    let sign = Sign::from(error);
    for tool in wanted.iter().filter(|tool| tool.source() == id.as_str()) {
        // What cannot be noted is told all the same.
        let _ = outside.catalog.note(tool, &sign, now_ms());
    }
}

/// Calls what only reads; its guard notes how it went.
async fn try_all(
    id: &SourceId,
    tools: &[CatalogTool],
    wanted: &BTreeSet<ToolId>,
    outside: &Outside,
) {
    let Ok(record) = outside.record(id.as_str()) else {
        return;
    };
    let Ok(source) = outside.source(&record) else {
        return;
    };
    let harmless = tools.iter().filter(|tool| {
        wanted.contains(&tool.spec.id)
            && tool.standing == Standing::Ready
            && tool.spec.effect == Effect::Read
    });
    for tool in harmless {
        let started = Instant::now();
        let request = trial(tool);
        let answer = source.call(&tool.spec.definition, &request);
        if tokio::time::timeout(TRIAL, answer).await.is_err() {
            let reason = format!("no answer within {} s", started.elapsed().as_secs());
            let sign = Sign::Broke { reason };
            let _ = outside.catalog.note(&tool.spec.id, &sign, now_ms());
        }
    }
    source.close().await;
}

fn trial(tool: &CatalogTool) -> CallRequest {
    let arguments = synthetic::value_for(&tool.spec.input_schema);
    CallRequest {
        tool: tool.spec.id.clone(),
        arguments: Arc::new(arguments),
        effect: tool.spec.effect,
        key: format!("health-{:016x}", run_name::random().unwrap_or_default()).into(),
        run: RunId::default(),
        node: "health".into(),
        attempt: 1,
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
        line: CallLine::default(),
    }
}

fn show(
    tools: &[CatalogTool],
    troubles: &[Trouble],
    arguments: &Arguments,
    outside: &Outside,
    session: &Session,
) -> Result<(), CliError> {
    if session.json {
        let mut shown = Vec::new();
        for tool in tools {
            shown.push(data(tool, arguments.history, outside)?);
        }
        let troubles: Vec<Value> = troubles
            .iter()
            .map(
                |(id, error)| json!({"source": id, "code": error.code(), "message": error.message}),
            )
            .collect();
        return print::object(&json!({"tools": shown, "troubles": troubles}));
    }
    let rows: Vec<[String; 5]> = tools.iter().map(row).collect();
    let heading = ["TOOL", "HEALTH", "CALLS", "TIME", "WHY"];
    print::result(&table(heading, &rows, Paint::stdout()))?;
    if arguments.history {
        for tool in tools {
            print::result(&history(tool, outside)?)?;
        }
    }
    for (id, error) in troubles {
        print::note(&format!("{id}: {}\nhint: {}", error.message, error.hint));
    }
    Ok(())
}

fn data(tool: &CatalogTool, history: bool, outside: &Outside) -> Result<Value, CliError> {
    let signs = if history {
        outside.catalog.signs(&tool.spec.id, 50)?
    } else {
        Vec::new()
    };
    Ok(json!({"tool": tool.spec.id, "health": tool.health, "signs": signs}))
}

fn row(tool: &CatalogTool) -> [String; 5] {
    let health = &tool.health;
    [
        tool.spec.id.to_string(),
        word(health).to_owned(),
        format!("{}/{}", health.worked, health.worked + health.broke),
        health.latency_ms.map(units::duration).unwrap_or_default(),
        one_line(&health.reason, 70),
    ]
}

/// The status in the seed's words.
pub(super) fn word(health: &Health) -> &'static str {
    match health.status {
        Status::Unknown => "UNKNOWN",
        Status::Healthy => "HEALTHY",
        Status::Broken => "BROKEN",
    }
}

fn history(tool: &CatalogTool, outside: &Outside) -> Result<String, CliError> {
    let mut lines = vec![tool.spec.id.to_string()];
    for (at, sign) in outside.catalog.signs(&tool.spec.id, 10)? {
        let said = match sign {
            Sign::Worked { duration_ms } => format!("worked in {}", units::duration(duration_ms)),
            Sign::Broke { reason } => format!("broke: {}", one_line(&reason, 100)),
            Sign::Unclear { reason } => format!("unclear: {}", one_line(&reason, 100)),
        };
        lines.push(format!("  {}  {said}", units::moment(at)));
    }
    Ok(lines.join("\n"))
}
