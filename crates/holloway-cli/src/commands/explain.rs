//! `holloway explain`: what will a plan do? As text, data or a drawing.

use clap::{Args, ValueEnum};
use holloway_plan::compile::compile;
use holloway_plan::{explain, rewrite};

use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::plan_text::PlanText;
use crate::print;
use crate::session::Session;

/// Show what a plan will do: steps, order, time, price, effects
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A file, `-`, or the name of a saved plan or template
    plan: String,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Show the plan after the rewrite rules
    #[arg(long)]
    optimize: bool,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Mermaid,
    Dot,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let workbench = session.workbench(&arguments.reach)?;
    let mut plan = PlanText::find(&arguments.plan, session)?.check(&workbench.table, session)?;
    if arguments.optimize {
        plan = rewrite::optimise(&plan).0;
    }
    let dag = compile(&plan, &[], &session.limits).map_err(|error| {
        CliError::failed("internal", error.to_string())
            .hint("this is a mistake in Holloway; please report it with the plan")
    })?;
    let format = if session.json {
        Format::Json
    } else {
        arguments.format
    };
    let text = match format {
        Format::Text => explain::text(&plan, &dag),
        Format::Json => print::pretty(&explain::json(&plan, &dag)),
        Format::Mermaid => explain::mermaid(&dag),
        Format::Dot => explain::dot(&dag),
    };
    print::result(text.trim_end())?;
    Ok(Exit::Done)
}
