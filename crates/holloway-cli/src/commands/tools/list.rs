//! `holloway tools list`: every tool in one line, with its health and quality where
//! they are known.

use std::sync::Arc;

use clap::Args;
use holloway_flow::catalog::CatalogTool;
use holloway_plan::problem::did_you_mean;
use holloway_plan::tool::ToolSpec;
use serde_json::{Value, json};

use super::Samples;
use super::health::word;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line};
use crate::session::Session;
use crate::workbench::Workbench;

/// List the tools
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Only tools of this category
    #[arg(long)]
    category: Option<String>,
    /// Only tools of this source, such as `mcp.git`
    #[arg(long)]
    source: Option<String>,
    #[command(flatten)]
    samples: Samples,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let workbench = session.workbench(&arguments.samples.reach())?;
    let mut tools: Vec<Arc<ToolSpec>> = workbench.table.iter().cloned().collect();
    let categories: Vec<&str> = workbench.table.iter().map(|tool| &*tool.category).collect();
    narrow(
        &mut tools,
        "category",
        arguments.category.as_deref(),
        &categories,
        |tool| &tool.category,
    )?;
    let sources: Vec<&str> = workbench
        .table
        .iter()
        .map(|tool| tool.id.source())
        .collect();
    narrow(
        &mut tools,
        "source",
        arguments.source.as_deref(),
        &sources,
        |tool| tool.id.source(),
    )?;
    if session.json {
        let held: Vec<Value> = held(&workbench, arguments).map(held_data).collect();
        let tools: Vec<Value> = tools.iter().map(|tool| data(tool, &workbench)).collect();
        print::object(&json!({ "tools": tools, "held": held }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<[String; 6]> = tools.iter().map(|tool| row(tool, &workbench)).collect();
    let heading = ["TOOL", "CATEGORY", "EFFECT", "HEALTH", "QUALITY", "TITLE"];
    print::result(&table(heading, &rows, Paint::stdout()))?;
    let held = held(&workbench, arguments).count();
    if held > 0 {
        print::note(&format!(
            "{held} more held back or gone; `holloway tools sources` tells where"
        ));
    }
    super::refresh::in_background(session);
    Ok(Exit::Done)
}

/// Keeps those that fit; none at all is a slip of the pen.
fn narrow(
    tools: &mut Vec<Arc<ToolSpec>>,
    what: &str,
    wanted: Option<&str>,
    known: &[&str],
    field: impl Fn(&ToolSpec) -> &str,
) -> Result<(), CliError> {
    let Some(wanted) = wanted else {
        return Ok(());
    };
    tools.retain(|tool| field(tool) == wanted);
    if !tools.is_empty() {
        return Ok(());
    }
    Err(
        CliError::usage("input-invalid", format!("there is no {what} `{wanted}`"))
            .some_hint(did_you_mean(wanted, known.iter().copied()))
            .or_hint("`holloway tools` shows the categories, `holloway tools sources` the sources"),
    )
}

fn held<'a>(
    workbench: &'a Workbench,
    arguments: &'a Arguments,
) -> impl Iterator<Item = &'a CatalogTool> {
    workbench.outside.tools.iter().filter(|tool| {
        let source = arguments.source.as_deref();
        tool.standing.obstacle().is_some()
            && source.is_none_or(|source| tool.spec.id.source() == source)
    })
}

fn held_data(tool: &CatalogTool) -> Value {
    json!({"tool": tool.spec.id, "why": tool.standing.obstacle()})
}

fn data(tool: &ToolSpec, workbench: &Workbench) -> Value {
    let mut data = serde_json::to_value(tool).unwrap_or_default();
    if let (Some(known), Some(fields)) = (workbench.catalogued(tool), data.as_object_mut()) {
        fields.insert("quality".to_owned(), json!(known.quality));
        fields.insert("health".to_owned(), json!(known.health));
    }
    data
}

fn row(tool: &ToolSpec, workbench: &Workbench) -> [String; 6] {
    let known = workbench.catalogued(tool);
    [
        tool.id.to_string(),
        one_line(&tool.category, 24),
        tool.effect.to_string(),
        known
            .map(|tool| word(&tool.health))
            .unwrap_or_default()
            .to_owned(),
        known
            .map(|tool| format!("{:.2}", tool.quality))
            .unwrap_or_default(),
        one_line(
            if tool.title.is_empty() {
                &tool.description
            } else {
                &tool.title
            },
            60,
        ),
    ]
}
