//! `holloway runs trace`: what did each node do, and when? For programs, for
//! OpenTelemetry, or as a tree for people.

use clap::Args;
use holloway_engine::otel::to_otlp;

use super::history::History;
use super::tree;
use crate::error::{CliError, Exit};
use crate::print;
use crate::print::paint::Paint;
use crate::run_name;
use crate::session::Session;

/// Print the execution trace of a run as JSON
#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
    /// As OTLP/JSON, for OpenTelemetry collectors
    #[arg(long, conflicts_with = "tree")]
    otel: bool,
    /// As a tree for people
    #[arg(long)]
    tree: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let store = session.store()?;
    let run = run_name::find(&arguments.run, session)?.run;
    let history = History::read(&run, store)?;
    let trace = history.trace(&run, store)?;
    if arguments.otel {
        print::object(&to_otlp(&run, &trace))?;
    } else if arguments.tree && !session.json {
        print::result(&tree::tree(&trace.entries, Paint::stdout()))?;
    } else {
        print::object(&trace)?;
    }
    Ok(Exit::Done)
}
