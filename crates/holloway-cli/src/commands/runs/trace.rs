//! `holloway runs trace`: what did each node do, and when? For programs, for
//! OpenTelemetry, or as a tree for people.

use clap::Args;
use holloway_engine::entry::{Entry, RunId};
use holloway_engine::trace::ExecTrace;
use serde_json::Value;

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
        print::object(&otlp(&run, &history.entries, &trace)?)?;
    } else if arguments.tree && !session.json {
        print::result(&tree::tree(&trace.entries, Paint::stdout()))?;
    } else {
        print::object(&trace)?;
    }
    Ok(Exit::Done)
}

/// The trace in the words of OpenTelemetry.
fn otlp(_run: &RunId, _entries: &[Entry], _trace: &ExecTrace) -> Result<Value, CliError> {
    Err(
        CliError::usage("otel-missing", "this build of Holloway does not write OTLP")
            .hint("leave --otel out for the trace as JSON"),
    )
}
