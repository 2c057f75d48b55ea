//! `holloway tools sources`: where do tools come from, and how is each source doing?

use clap::Args;
use holloway_flow::catalog::{CatalogTool, SourceRecord, Standing};
use holloway_tools::Grants;
use serde_json::{Value, json};

use crate::error::{CliError, Exit};
use crate::outside::Outside;
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line, units};
use crate::session::Session;

/// List the sources tools come from
#[derive(Debug, Args)]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let outside = Outside::open(session, &Grants::default())?;
    let records: Vec<SourceRecord> = outside.records()?.into_values().collect();
    let tools = outside.catalog.tools()?;
    if session.json {
        let sources: Vec<Value> = records.iter().map(|record| data(record, &tools)).collect();
        print::object(&json!({ "sources": sources }))?;
        return Ok(Exit::Done);
    }
    if records.is_empty() {
        print::note(
            "only our own tools so far; `holloway tools add --help` tells how to add others",
        );
        return Ok(Exit::Done);
    }
    let rows: Vec<[String; 5]> = records.iter().map(|record| row(record, &tools)).collect();
    let heading = ["SOURCE", "TOOLS", "HELD", "ASKED", "HOW"];
    print::result(&table(heading, &rows, Paint::stdout()))?;
    Ok(Exit::Done)
}

struct Counted {
    ready: usize,
    held: usize,
}

fn count(record: &SourceRecord, tools: &[CatalogTool]) -> Counted {
    let own = || {
        tools
            .iter()
            .filter(|tool| tool.spec.id.source() == record.id.as_str())
    };
    Counted {
        ready: own()
            .filter(|tool| tool.standing == Standing::Ready)
            .count(),
        held: own()
            .filter(|tool| matches!(tool.standing, Standing::Held { .. }))
            .count(),
    }
}

fn data(record: &SourceRecord, tools: &[CatalogTool]) -> Value {
    let counted = count(record, tools);
    let mut source = json!(record);
    print::hide_keys(&mut source);
    json!({"source": source, "ready": counted.ready, "held": counted.held})
}

fn row(record: &SourceRecord, tools: &[CatalogTool]) -> [String; 5] {
    let counted = count(record, tools);
    let asked = match (&record.trouble, record.refreshed_ms) {
        (trouble, _) if !trouble.is_empty() => format!("✗ {}", one_line(trouble, 40)),
        (_, Some(at)) => units::moment(at),
        _ => "never".to_owned(),
    };
    [
        record.id.to_string(),
        counted.ready.to_string(),
        counted.held.to_string(),
        asked,
        one_line(&how(&record.config), 60),
    ]
}

/// How a source is reached, in a few words.
pub(super) fn how(config: &Value) -> String {
    let text = |key: &str| config.get(key).and_then(Value::as_str).unwrap_or_default();
    let args = config.get("args").and_then(Value::as_array);
    let words = args.into_iter().flatten().filter_map(Value::as_str);
    match text("kind") {
        "mcp" if text("url").is_empty() => std::iter::once(text("command"))
            .chain(words)
            .collect::<Vec<_>>()
            .join(" "),
        "mcp" => text("url").to_owned(),
        "npm" => format!("{}@{}", text("package"), text("version")),
        _ => text("origin").to_owned(),
    }
}
