//! `holloway runs list`: which runs are there, and how do they stand?

use clap::Args;
use clap::builder::PossibleValuesParser;
use holloway_plan::problem::did_you_mean;
use holloway_store::RunFilter;
use serde_json::json;

use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line, units};
use crate::session::Session;
use crate::standing::{DAMAGED, Standing, WORDS};

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
    #[arg(long, default_value = "20", value_parser = crate::arguments::at_least_one)]
    limit: usize,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let runs = matching(arguments, session)?;
    if session.json {
        print::object(&json!({ "runs": runs }))?;
    } else if runs.is_empty() {
        print::note(&none(arguments, session)?);
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

/// Why nothing is listed: because there is nothing, or because of what was asked for.
fn none(arguments: &Arguments, session: &Session) -> Result<String, CliError> {
    let newest = session.store()?.runs(&RunFilter::default())?;
    if newest.is_empty() {
        return Ok("no runs; start one with `holloway run PLAN`".to_owned());
    }
    let plan = arguments.plan.as_deref();
    let of_plan = plan.map(|plan| format!(" of the plan `{}`", one_line(plan, 60)));
    let status = arguments.status.as_deref();
    let standing = status.map(|status| format!(" that are {status}"));
    let guess = plan.and_then(|plan| {
        let known = newest.iter().map(|run| run.plan_id.as_str());
        did_you_mean(plan, known)
    });
    let hint = guess.unwrap_or_else(|| "`holloway runs` lists all".to_owned());
    Ok(format!(
        "no runs{}{}; {hint}",
        of_plan.unwrap_or_default(),
        standing.unwrap_or_default()
    ))
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
        word @ ("failed" | DAMAGED) => paint.red(word),
        word @ ("interrupted" | "cancelled" | "partial" | "paused") => paint.yellow(word),
        word => paint.cyan(word),
    }
}
