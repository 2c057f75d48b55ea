//! `holloway runs list`: which runs are there, and how do they stand?

use clap::Args;
use clap::builder::PossibleValuesParser;
use holloway_adapters::store::RunFilter;
use serde_json::json;

use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line, units};
use crate::session::Session;
use crate::standing::{Standing, WORDS};

/// List runs, the newest first
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Only runs that stand so
    #[arg(long, value_parser = PossibleValuesParser::new(WORDS))]
    status: Option<String>,
    /// Only runs of this plan
    #[arg(long)]
    plan: Option<String>,
    /// How many at most
    #[arg(long, default_value_t = 20)]
    limit: usize,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let runs = matching(arguments, session)?;
    if session.json {
        print::object(&json!({ "runs": runs }))?;
    } else if runs.is_empty() {
        print::note("no runs; start one with `holloway run PLAN`");
    } else {
        let paint = Paint::stdout();
        let rows: Vec<[String; 6]> = runs.iter().map(|run| row(run, paint)).collect();
        let heading = [
            "RUN",
            "PLAN",
            "STATUS",
            "STEPS",
            "STARTED (UTC)",
            "DURATION",
        ];
        print::result(&table(heading, &rows, paint))?;
    }
    Ok(Exit::Done)
}

fn matching(arguments: &Arguments, session: &Session) -> Result<Vec<Standing>, CliError> {
    let store = session.store()?;
    // How a run stands is not in the database, so a filter by it looks at more of them.
    let limit = match arguments.status {
        Some(_) => arguments.limit.saturating_mul(50),
        None => arguments.limit,
    };
    let filter = RunFilter {
        status: None,
        plan_id: arguments.plan.clone(),
        limit,
    };
    let mut runs = Vec::new();
    for summary in store.runs(&filter)? {
        let standing = Standing::of(summary, store)?;
        if arguments
            .status
            .as_deref()
            .is_none_or(|wanted| wanted == standing.word)
        {
            runs.push(standing);
        }
        if runs.len() >= arguments.limit {
            break;
        }
    }
    Ok(runs)
}

fn row(run: &Standing, paint: Paint) -> [String; 6] {
    let summary = &run.summary;
    let steps = run.steps.unwrap_or_default();
    let failed = match steps.failed {
        0 => String::new(),
        failed => format!(" ({failed} failed)"),
    };
    [
        summary.run.to_string(),
        one_line(&summary.plan_id, 30),
        status(run, paint),
        format!("{}{failed}", steps.ended),
        units::moment(summary.created_ms),
        units::duration(summary.updated_ms.saturating_sub(summary.created_ms)),
    ]
}

/// The standing in words and colour.
pub(super) fn status(run: &Standing, paint: Paint) -> String {
    match run.word {
        "waiting" => {
            let open = units::count(run.open_approvals, "approval");
            paint.yellow(&format!("waiting for {open}"))
        }
        word @ "succeeded" => paint.green(word),
        word @ "failed" => paint.red(word),
        word @ ("interrupted" | "cancelled" | "partial" | "paused") => paint.yellow(word),
        word => paint.cyan(word),
    }
}
