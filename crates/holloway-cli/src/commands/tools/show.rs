//! `holloway tools show`: what does a tool do, take and give?

use clap::Args;
use holloway_plan::tool::ToolSpec;
use serde_json::{Value, json};

use super::Samples;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, units, visible};
use crate::session::Session;

/// Show one tool with its schemas
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Its id, or its name if only one tool has it
    tool: String,
    #[command(flatten)]
    samples: Samples,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let bench = session.bench(&arguments.samples.reach())?;
    let tool = bench.tool(&arguments.tool)?;
    if session.json {
        print::object(&json!({"tool": &*tool, "pin": tool.pin()}))?;
    } else {
        print::result(&text(&tool, Paint::stdout()))?;
    }
    Ok(Exit::Done)
}

fn text(tool: &ToolSpec, paint: Paint) -> String {
    let mut facts = vec![format!("effect {}", tool.effect)];
    if let Some(latency) = tool.latency_ms {
        facts.push(format!("about {}", units::duration(latency)));
    }
    if let Some(price) = tool.price.filter(|price| *price > 0.0) {
        facts.push(units::money(price));
    }
    let schema = |name: &str, schema: &Value| match schema {
        Value::Null => format!("{}: not declared", paint.dim(name)),
        schema => format!("{}:\n{}", paint.dim(name), visible(&print::pretty(schema))),
    };
    [
        format!("{}  {}", paint.bold(tool.id.as_str()), visible(&tool.title)),
        visible(&tool.description),
        facts.join(" · "),
        schema("input", &tool.input_schema),
        schema("output", &tool.output_schema),
    ]
    .join("\n\n")
}
