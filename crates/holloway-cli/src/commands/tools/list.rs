//! `holloway tools list`: every tool in one line.

use std::sync::Arc;

use clap::Args;
use holloway_plan::problem::did_you_mean;
use holloway_plan::tool::ToolSpec;
use serde_json::json;

use super::Samples;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line};
use crate::session::Session;

/// List the tools
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Only tools of this category
    #[arg(long)]
    category: Option<String>,
    #[command(flatten)]
    samples: Samples,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let bench = session.bench(&arguments.samples.reach())?;
    let all: Vec<&Arc<ToolSpec>> = bench.table.iter().collect();
    let wanted = |tool: &&Arc<ToolSpec>| {
        arguments
            .category
            .as_ref()
            .is_none_or(|category| &tool.category == category)
    };
    let tools: Vec<&Arc<ToolSpec>> = all.iter().copied().filter(wanted).collect();
    if let (true, Some(category)) = (tools.is_empty(), &arguments.category) {
        let known = all.iter().map(|tool| tool.category.as_str());
        return Err(CliError::usage(
            "input-invalid",
            format!("there is no category `{category}`"),
        )
        .some_hint(did_you_mean(category, known))
        .or_hint("`holloway tools` shows the categories"));
    }
    if session.json {
        let tools: Vec<&ToolSpec> = tools.iter().map(|tool| &***tool).collect();
        print::object(&json!({ "tools": tools }))?;
        return Ok(Exit::Done);
    }
    let rows: Vec<[String; 4]> = tools.iter().map(|tool| row(tool)).collect();
    let heading = ["TOOL", "CATEGORY", "EFFECT", "TITLE"];
    print::result(&table(heading, &rows, Paint::stdout()))?;
    Ok(Exit::Done)
}

fn row(tool: &ToolSpec) -> [String; 4] {
    [
        tool.id.to_string(),
        tool.category.clone(),
        tool.effect.to_string(),
        one_line(&tool.title, 60),
    ]
}
